"""Decisions a second of a language model in this process, end to end with the journal, and the share of time for which
the GPU waits.

A model of 0.5 billion parameters with random weights (the speed does not depend on them) plays waves of Contribute &
Punish through the backend Transformers. Nothing is downloaded: the tokenizer is trained on the project's docs. Before,
the attention to shared prefixes is compared with the model's own.

    python benchmarks/local_engine.py --games 20 1000 --rounds 3
"""

import argparse
import asyncio
import shutil
import subprocess
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

from ostrom.core import Line
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import benchmark
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct, enter
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import Bot
from ostrom.players.models.engine import EngineRequest, Slot
from ostrom.players.models.local.connection import engine_of
from ostrom.players.models.local.weights import find_weights
from ostrom.players.roster import ModelContestant

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SIZES = {
    "half-billion": {"hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2}
    | {"intermediate_size": 4864, "vocab_size": 151936, "tie_word_embeddings": True},
    "tiny": {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    | {"intermediate_size": 128, "vocab_size": 8192},
}


def build(folder: Path, size: str) -> None:
    """Write a model with random weights and a tokenizer into a folder."""
    texts = [path.read_text() for path in sorted((ROOT / "docs").rglob("*.md"))]
    texts += [path.read_text() for path in sorted((ROOT / "src").rglob("*.j2"))]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet, special = pre_tokenizers.ByteLevel.alphabet(), ["<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=8000, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    torch.manual_seed(1)
    config = Qwen2Config(**SIZES[size], max_position_embeddings=32768, eos_token_id=1, bos_token_id=0)
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        model = Qwen2ForCausalLM(config)
    print(f"{sum(parameter.numel() for parameter in model.parameters()) / 1e9:.2f} billion parameters")
    model.to(torch.bfloat16).save_pretrained(folder)


def compare(folder: Path) -> None:
    """Print how far log probabilities with shared prefixes are from the model's own."""
    engine = engine_of(find_weights(f"local:{folder}"))
    rules = "You hold twenty tokens and give some of them to the common fund. " * 20
    # Choices of two tokens each, so that tokens after the prompts are compared too.
    slot = Slot("<pick>", "</pick>", ("QZ", "QX", "XQ", "XZ", "ZQ", "ZX"))
    prompts = [
        (Line("system", rules), Line("user", f"{f'In round one {game} tokens were given. ' * 12}You are P{seat}."))
        for game in range(4)
        for seat in range(1, 6)
    ]
    replies = engine.answer([EngineRequest(prompt, 8, 1.0, 1, slots=(slot,), score=True) for prompt in prompts])
    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).to(engine._device).eval()
    worst = 0.0
    for prompt, reply in zip(prompts, replies, strict=True):
        text = engine._prompt_text(EngineRequest(prompt, 8))
        tokens = [*engine._tokenized(text), *engine._tokenized(slot.before)]
        tree, _ = engine._tree(slot)
        seen = {}
        for node, children in tree.nodes.items():
            with torch.inference_mode():
                logs = plain(torch.tensor([[*tokens, *node]], device=engine._device)).logits[0, -1].log_softmax(-1)
            seen[node] = {token: float(logs[token]) for token in children}
        expected, _ = tree.log_probabilities(seen, 1.0)
        worst = max(worst, *(abs(a - b) for a, b in zip(expected, reply.log_probabilities, strict=True)))
    print(f"attention: log probabilities differ by at most {worst:.4f} from the plain model in single precision")


class Utilization(threading.Thread):
    """Reads from the driver for which share of the time the GPU computes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.readings: list[float] = []
        query = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-lms", "100"]
        self.process = subprocess.Popen(query, stdout=subprocess.PIPE, text=True)

    def run(self) -> None:
        self.readings += [float(line) for line in self.process.stdout if line.strip().isdecimal()]

    def end(self) -> float:
        self.process.terminate()
        self.join()
        return sum(self.readings) / max(1, len(self.readings))


def watched(function: Callable, parts: dict[str, float], name: str) -> Callable:
    """Return a function that adds up its seconds, the GPU's included."""

    def call(*arguments: object) -> object:
        began = time.perf_counter()
        result = function(*arguments)
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        parts[name] += time.perf_counter() - began
        return result

    return call


def play(folder: Path, games: int, rounds: int, answers: str, **rules: object) -> None:
    """Play games, and print decisions a second and how long the engine was busy."""
    game = GAMES["contribute_punish"]
    bot = Bot(name="random", model=f"local:{folder}", temperature=1.0, answers=answers, max_tokens=200)
    engine = engine_of(find_weights(bot.model))
    busy = [0.0, 0, 0, 0]
    answer, parts = type(engine).answer, {"_read_prompts": 0.0, "_read_tails": 0.0, "_advance": 0.0}
    for name in parts:
        setattr(engine, name, watched(getattr(type(engine), name).__get__(engine), parts, name))

    def timed(requests: list[EngineRequest]) -> object:
        began, before = time.perf_counter(), dict(parts)
        try:
            replies = answer(engine, requests)
        except Exception:
            traceback.print_exc()
            raise
        seconds = time.perf_counter() - began
        busy[0] += seconds
        busy[1] += 1
        busy[2] += sum(reply.input_tokens for reply in replies)
        busy[3] += sum(reply.cached_tokens for reply in replies)
        split = ", ".join(f"{name[1:]} {parts[name] - before[name]:.2f}" for name in parts)
        written = sum(reply.output_tokens for reply in replies)
        print(f"    wave of {len(requests)}: {seconds:.2f} s ({split}), {written} tokens written", flush=True)
        return replies

    engine.answer = timed
    plan = benchmark(
        game, [ModelContestant(bot, game.name)] * 5, make_rules(game, {"rounds": rounds, **rules}), games, 5, 1
    )
    limits = Limits(calls=4096, per_provider=4096, games=games, timeout=3600)
    with tempfile.TemporaryDirectory() as place, Journal.open(f"{place}/journal.db", create=True) as journal:
        experiment = enter(plan, journal, "benchmarks/local_engine.py")
        sampler = Utilization() if shutil.which("nvidia-smi") else None
        if sampler is not None:
            sampler.start()
        began, processor = time.perf_counter(), time.process_time()
        outcome = asyncio.run(conduct(plan.fixtures(), journal, experiment, Conduct(limits)))
        wall, processor = time.perf_counter() - began, time.process_time() - processor
        computing = None if sampler is None else sampler.end()
        decisions = sum(len(kept.record.answers) for kept in journal.records(experiment))
        defaulted = sum(
            a.provenance == "defaulted" for kept in journal.records(experiment) for a in kept.record.answers
        )
    if not decisions:
        raise SystemExit(f"no game was finished: {outcome}")
    print(
        f"{answers}: {games} games of {rounds} rounds, {decisions} decisions ({defaulted} defaulted) in {wall:.1f} s: "
        f"{decisions / wall:.0f} decisions a second; {busy[1]} waves; the engine was idle for {1 - busy[0] / wall:.0%} "
        f"of the time; {busy[2] / decisions:.0f} tokens a prompt, {busy[3] / max(1, busy[2]):.0%} of them shared; "
        f"processor time {1000 * processor / decisions:.2f} ms a decision"
    )
    if computing is not None:
        print(f"    the GPU waited for {100 - computing:.0f} % of the time, by the driver's readings")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, nargs="*", default=[20, 200, 1000], help="one run each, in this order")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120, help="begin no run after this many")
    parser.add_argument("--size", choices=list(SIZES), default="half-billion")
    parser.add_argument("--answers", nargs="*", choices=["text", "logprobs"], default=["text", "logprobs"])
    options = parser.parse_args()
    began = time.perf_counter()
    print(f"torch {torch.__version__}", torch.cuda.get_device_name() if torch.cuda.is_available() else "processor")
    print("messages have at most 10 words (60 characters): random weights never end a text by themselves")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        build(folder, options.size)
        compare(folder)
        print(f"ready after {time.perf_counter() - began:.0f} s", flush=True)
        for games in options.games:
            for answers in options.answers:
                if time.perf_counter() - began < options.seconds:
                    play(folder, games, options.rounds, answers, message_words=10)


if __name__ == "__main__":
    main()
