"""Scores of a model whose probabilities are known: expectations in place of the answers that were drawn."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import ostrom
from ostrom.analysis.selection import scored_subjects
from ostrom.games.battery.commands.scoring import ScoresSettings, scores
from ostrom.games.battery.scores.table import BATTERY, SubjectScores, score_subjects
from ostrom.journal.open import open_journal
from ostrom.players.models.engine import EngineReply, EngineRequest
from ostrom.players.models.local import connection
from ostrom.players.models.local.weights import LLAMA, Weights

MEANS = ("stag", "pass", "claim", "cooperation")
AMOUNT = re.compile(r"(\d+(?:\.\d+)?) dollars")


def stag_chance(hare: float, stag: float) -> float:
    """The probability of the stag: the higher the sure amount, the lower."""
    return 1.35 - 1.5 * hare / stag


PASS_CHANCE = 0.2
CLAIM_DECAY = 0.8
"""The probability of a claim falls by this factor with each step from the highest claim."""


class Scripted:
    """An engine with known probabilities. Free texts are answers that a selfish reader would give."""

    schemas = False

    def answer(self, requests: Sequence[EngineRequest]) -> list[EngineReply]:
        return [self._scored(request) if request.score else self._written(request) for request in requests]

    def _scored(self, request: EngineRequest) -> EngineReply:
        (slot,) = request.slots
        text = request.messages[-1].text
        if len(slot.choices) > 2:
            weights = [CLAIM_DECAY**place for place in reversed(range(len(slot.choices)))]
        else:
            weights = [self._chance(text, label) for label in slot.choices]
        total = sum(weights)
        return EngineReply(log_probabilities=tuple(math.log(weight / total) for weight in weights))

    def _chance(self, text: str, label: str) -> float:
        (described,) = re.findall(rf"^{label}: (.*)$", text, re.MULTILINE)
        if "take" in described or "pass" in described.lower():
            return 1 - PASS_CHANCE if "take" in described.split(",")[0].lower() else PASS_CHANCE
        amounts = {is_stag: float(amount) for amount, is_stag in self._amounts(text)}
        chance = stag_chance(amounts[False], amounts[True])
        return chance if "nothing if they do not" in described else 1 - chance

    def _amounts(self, text: str) -> list[tuple[str, bool]]:
        lines = re.findall(r"^[AB]: (.*)$", text, re.MULTILINE)
        return [(AMOUNT.findall(line)[0], "nothing if they do not" in line) for line in lines]

    def _written(self, request: EngineRequest) -> EngineReply:
        (slot,) = request.slots
        text = request.messages[-1].text
        if slot.before == "<claim>":
            return EngineReply(text=f"{slot.before}5{slot.end}")
        amounts = [float(amount) for amount in AMOUNT.findall(text)]
        amount = 0.0 if "throw away" in text else amounts[-1] if "machine" in text else amounts[0] / 4
        amount = amounts[0] if "How much do you take?" in text else amount
        return EngineReply(text=f"{slot.before}{amount:g}{slot.end}")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("probabilities")
    bot = folder / "scripted.json"
    bot.write_text(json.dumps({"model": "local:scripted", "answers": "logprobs", "temperature": 1.0}))
    journal = f"{folder / 'lab.db'}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "find_weights", lambda model: Weights(Path("scripted.gguf"), LLAMA))
        patch.setattr(connection, "load_engine", lambda weights: Scripted())
        tasks = ["stag_hunt", "centipede", "traveller", "dictator"]
        ostrom.bench([str(bot)], game="battery", tasks=tasks, seed=1, store=journal, progress=False)
    return journal


@pytest.fixture(scope="module")
def everything(store: str) -> SubjectScores:
    with open_journal(store) as journal:
        (scored,) = scored_subjects(journal, BATTERY, None)
    assert isinstance(scored, SubjectScores)
    return scored


@pytest.fixture(scope="module")
def subject(everything: SubjectScores) -> SubjectScores:
    """The subject without claims in tenths of a dollar, which are not asked by probabilities."""
    claims = [event for event in everything.tasks["traveller"] if event.get("facts", {}).get("scale", 1) >= 1]
    return SubjectScores("scripted", {**everything.tasks, "traveller": claims})


def test_a_mean_is_the_expectation_and_has_no_sampling_error(subject: SubjectScores) -> None:
    facts = [item["facts"] for item in subject.item_events["stag_hunt"] if item["purpose"] == "score"]
    stag = 100 * np.mean([stag_chance(fact["hare"], fact["stag"]) for fact in facts])
    assert subject.scores["stag"].value == pytest.approx(stag, abs=1e-6)
    assert subject.scores["stag"].low == pytest.approx(stag, abs=1e-6)
    assert subject.scores["stag"].high == pytest.approx(stag, abs=1e-6)
    assert subject.scores["pass"].value == pytest.approx(100 * PASS_CHANCE, abs=1e-6)
    assert subject.scores["stag_by_hare"].value == pytest.approx(-150, abs=1e-6)
    weights = CLAIM_DECAY ** np.arange(99)[::-1]
    assert subject.scores["claim"].value == pytest.approx(np.arange(2, 101) @ weights / np.sum(weights), abs=1e-6)
    assert {"stag", "pass", "claim", "stag_by_hare"} <= set(subject.exact)
    assert "dictator" not in subject.exact


def test_scores_are_the_limit_of_sampled_runs(subject: SubjectScores) -> None:
    runs, chance = 24, np.random.default_rng(1)
    drawn: dict[str, list[float]] = {name: [] for name in MEANS}
    for _ in range(runs):
        tasks = {}
        for task, events in subject.tasks.items():
            tasks[task] = [
                event
                if not event.get("probabilities")
                else event | {"answer": _draw(event["probabilities"], chance), "probabilities": None}
                for event in events
            ]
        run = SubjectScores("sampled", tasks)
        assert not run.exact
        for name, values in drawn.items():
            assert run.scores[name].value is not None, run.scores[name].reason
            values.append(run.scores[name].value)
    for name, values in drawn.items():
        error = np.std(values) / math.sqrt(runs)
        assert abs(np.mean(values) - subject.scores[name].value) < 4 * error, name


def _draw(probabilities: list[tuple[str | float, float]], chance: np.random.Generator) -> str | float:
    answers, weights = zip(*probabilities, strict=True)
    return answers[chance.choice(len(answers), p=np.array(weights) / sum(weights))]


def test_records_for_studies_give_the_same_scores(store: str, everything: SubjectScores) -> None:
    with open_journal(store) as journal:
        games = [row.id for row in journal.ended.games(BATTERY.records)]
        (studied,) = score_subjects(journal.ended.records(games))
    assert studied.scores == everything.scores
    assert studied.exact == everything.exact


def test_the_output_says_which_scores_have_no_sampling_error(store: str) -> None:
    finding = scores({"store": store, "settings": ScoresSettings()})
    record = finding.facts["scores"][0]
    assert {"stag", "pass"} <= set(record["from_probabilities"])
    assert "claim" not in record["from_probabilities"]
    assert "use the answers that were drawn" in record["probability_note"]
    table = next(part for part in finding.parts if part.name == "Cooperation and depth")
    notes = table.explain({"stag", "pass"}).notes
    assert any("computed from the model's probabilities: no sampling error" in note for note in notes)


def test_where_an_answer_has_no_distribution_those_drawn_count(subject: SubjectScores) -> None:
    events = [dict(event) for event in subject.tasks["stag_hunt"]]
    next(event for event in events if event["event"] == "item_answered")["probabilities"] = None
    partial = SubjectScores("partial", {**subject.tasks, "stag_hunt": events})
    assert "stag" not in partial.exact
    assert "pass" in partial.exact
    items = [item for item in partial.item_events["stag_hunt"] if item["purpose"] == "score"]
    share = 100 * np.mean([item["answer"] == "stag" for item in items])
    assert partial.scores["stag"].value == pytest.approx(share)
    assert "without probabilities" in partial.probability_note
