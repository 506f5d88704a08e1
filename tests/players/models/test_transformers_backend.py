"""The backend Transformers with a tiny model of random weights, where PyTorch is installed: prefixes that prompts share
change nothing."""

import math
from pathlib import Path

import pytest

from ostrom.core import Line
from ostrom.players.models.engine import EngineReply, EngineRequest, Slot
from ostrom.players.models.local.tokens import PromptTokenizer

torch = pytest.importorskip("torch", reason="the backend transformers needs PyTorch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

GIVE = Slot("<give>", "</give>", tuple(map(str, range(13))))
SAY = Slot("<say>", "</say>", most=20)
RULES = "You hold twenty tokens and give some of them to the common fund. " * 4


@pytest.fixture(scope="module")
def engine():
    from ostrom.players.models.local.transformers import TransformersEngine

    letters = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=300, special_tokens=["<|end|>"], initial_alphabet=letters)
    tokenizer.train_from_iterator([Path(__file__).read_text()], trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>")
    fast.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    config = transformers.Qwen2Config(vocab_size=300, intermediate_size=64, initializer_range=0.3, **sizes)
    return TransformersEngine(transformers.Qwen2ForCausalLM(config).eval(), fast)


def wave(**settings: object) -> list[EngineRequest]:
    slots = [(GIVE,), (SAY,), (SAY, GIVE)]
    return [
        EngineRequest(
            (Line("system", RULES), Line("user", f"{f'Round 1 gave {game}. ' * 9}You are P{seat}.")),
            40,
            seed=5 * game + seat,
            slots=slots[seat % 3],
            **settings,
        )
        for game in range(2)
        for seat in range(4)
    ]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_wave_gives_what_each_prompt_gives_alone(engine, temperature: float):
    requests = wave(temperature=temperature)
    together = engine.answer(requests)
    assert [reply.text for reply in together] == [engine.answer([request])[0].text for request in requests]
    assert all(reply.text.startswith(("<give>", "<say>")) for reply in together)
    assert together[0].cached_tokens > 20


def test_probabilities_are_those_of_the_plain_model(engine):
    requests = [EngineRequest(request.messages, 9, 0.7, slots=(GIVE,), score=True) for request in wave()]
    engine._model.set_attn_implementation("eager")
    expected = []
    for request in requests:
        tree, before = engine._tree(GIVE)
        prompt = [*engine._tokens(engine._prompt_text(request)), *before]
        seen = {}
        for node, children in tree.nodes.items():
            with torch.inference_mode():
                logs = engine._model(torch.tensor([[*prompt, *node]])).logits[0, -1].log_softmax(-1).tolist()
            seen[node] = {token: logs[token] for token in children}
        expected.append(tree.log_probabilities(seen, 0.7))
    engine._model.set_attn_implementation("ostrom_segments")
    for reply, (logs, outside) in zip(engine.answer(requests), expected, strict=True):
        assert reply.log_probabilities == pytest.approx(logs, abs=1e-3)
        assert reply.outside == pytest.approx(outside, abs=1e-4)
        assert math.fsum(map(math.exp, reply.log_probabilities)) == pytest.approx(1)


def test_the_tokens_of_pieces_are_those_of_the_whole_text(engine):
    tokenize = PromptTokenizer(engine._tokenizer)
    texts = [f"{RULES}<|end|>\nuser: round {number}<|end|>{'<|end|>' * number} 1 2" for number in range(3)]
    for _ in range(2):
        whole = engine._tokenizer(texts, add_special_tokens=False)["input_ids"]
        assert [tokens.tolist() for tokens in tokenize(texts)] == whole


def test_a_shorter_common_beginning_is_taken_from_the_stored_one(engine):
    def ask(rules: str) -> list[EngineReply]:
        requests = [EngineRequest((Line("user", rules + end),), 20, temperature=0.0) for end in ("left", "right")]
        return list(engine.answer(requests))

    long, short = RULES * 4, RULES * 2
    alone = ask(short)
    ask(long)
    assert [reply.text for reply in ask(short)] == [reply.text for reply in alone]
