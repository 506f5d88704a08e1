"""A small real model in this process, by llama.cpp: the same question as text, in a wave and by probabilities."""

import math
from collections import Counter
from pathlib import Path

import pytest
from scipy import stats

from local_model import HOW_TO_GET_IT, weights
from ostrom.core import InputError, Line
from ostrom.players.models.bots import Bot
from ostrom.players.models.engine import Engine, EngineRequest, Slot
from ostrom.players.models.local.connection import connect_local, engine_of
from ostrom.players.models.local.weights import find_weights
from services import missing

PICK = Slot("<pick>", "</pick>", ("A", "B", "C"), '("A" | "B" | "C")')
AMOUNT = Slot("<give>", "</give>", tuple(map(str, range(13))), '([0-9] | "10" | "11" | "12")')


@pytest.fixture(scope="module")
def engine() -> Engine:
    path = weights()
    if path is None:
        missing(HOW_TO_GET_IT)
    return engine_of(find_weights(f"local:{path}"))


def asked(slot: Slot, number: int = 0, **settings: object) -> EngineRequest:
    text = f"Question {number}: what do you answer? Reply {slot.before}{'|'.join(slot.choices)}{slot.end}"
    return EngineRequest((Line("user", text),), 20, slots=(slot,), **settings)


def greedy(engine: Engine, requests: list[EngineRequest]) -> list[str]:
    return [reply.text for reply in engine.answer(requests)]


@pytest.mark.slow
def test_greedy_answers_are_equal_alone_in_a_wave_and_by_probabilities(engine: Engine):
    questions = [asked(slot, number, temperature=0.0, seed=number) for slot in (PICK, AMOUNT) for number in range(2)]
    alone = [greedy(engine, [question])[0] for question in questions]
    assert greedy(engine, questions) == alone
    scored = engine.answer([asked(q.slots[0], n % 2, temperature=0.0, score=True) for n, q in enumerate(questions)])
    for question, text, reply in zip(questions, alone, scored, strict=True):
        (slot,) = question.slots
        best = slot.choices[reply.log_probabilities.index(0.0)]
        assert text == f"{slot.before}{best}{slot.end}"


def test_probabilities_of_choices_sum_to_one_and_the_rest_is_stated(engine: Engine):
    (reply,) = engine.answer([asked(AMOUNT, score=True)])
    assert math.fsum(map(math.exp, reply.log_probabilities)) == pytest.approx(1)
    assert 0 < reply.outside < 1
    assert reply.input_tokens > 20


@pytest.mark.slow
def test_a_seed_gives_the_same_text(engine: Engine):
    message = Slot("<message>", "</message>", (), "[^<>\\n]{1,40}")
    one, other = (engine.answer([asked(message, temperature=1.0, seed=seed)])[0].text for seed in (5, 5))
    assert one == other
    assert one.startswith("<message>")
    assert one.endswith("</message>")


def test_a_prompt_that_is_too_long_is_rejected_alone(engine: Engine):
    long = EngineRequest((Line("user", "word " * 9000),), 5, slots=(PICK,))
    refused, answered = engine.answer([long, asked(PICK, temperature=0.0)])
    assert refused.fault == "rejected"
    assert answered.text.endswith("</pick>")


@pytest.mark.slow
def test_probabilities_agree_with_2000_samples(engine: Engine):
    (scored,) = engine.answer([asked(PICK, temperature=1.0, score=True)])
    samples = Counter(
        reply.text for reply in engine.answer([asked(PICK, temperature=1.0, seed=seed) for seed in range(2000)])
    )
    counts = [samples[f"<pick>{choice}</pick>"] for choice in PICK.choices]
    expected = [2000 * math.exp(log) for log in scored.log_probabilities]
    statistic, p = stats.chisquare(counts, [value * sum(counts) / sum(expected) for value in expected])
    print(f"samples {counts}, expected {[round(value, 1) for value in expected]}: χ² = {statistic:.2f}, p = {p:.3f}")
    assert sum(counts) == 2000
    assert p > 0.001


def test_weights_are_a_path_or_a_name_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="nothing is downloaded unless you ask for it"):
        find_weights("local:org/model")
    folder = tmp_path / "models--org--model"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("abc")
    (folder / "snapshots" / "abc").mkdir(parents=True)
    (folder / "snapshots" / "abc" / "model.gguf").write_bytes(b"GGUF")
    found = find_weights("local:org/model")
    assert found.path.name == "model.gguf"
    assert found.backend == "llama.cpp"
    with pytest.raises(InputError, match="neither a GGUF file nor a folder"):
        find_weights(f"local:{tmp_path}")


def test_a_local_bot_has_no_tools_or_keys(tmp_path: Path):
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    with pytest.raises(InputError, match="no tools, key or setting of reasoning"):
        connect_local(Bot(name="mine", model=f"local:{tmp_path}/model.gguf", form="tool"))
