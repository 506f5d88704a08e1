"""What the scores of a subject must not depend on: how often a task was asked, and in which order; and what
may not cost a score, or earn one."""

from collections.abc import Callable
from typing import Any

import pytest
from battery_answers import Scores, asked, item

from ostrom.charts.families import Cast
from ostrom.games.battery.charts.report import sentences
from ostrom.games.battery.scores.risk import risk_scores
from ostrom.games.battery.scores.score import Code, rounded
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.games.battery.scores.time import time_scores

SUBJECT = "exponential:delta=0.9,noise=0.03"


def test_a_task_that_was_asked_twice_keeps_its_triples_apart() -> None:
    events = [event for seed in (1, 2) for event in asked(SUBJECT, "time", seed=seed)["time"]]
    once = time_scores(asked(SUBJECT, "time", seed=1)["time"]).diagnostics.transitivity
    twice = time_scores(events).diagnostics.transitivity
    assert twice.value is not None
    assert once.high is not None
    assert twice.high is not None
    assert twice.high < once.high, "six triples say more than three"


def test_a_task_that_was_asked_twice_has_narrower_intervals() -> None:
    once, again = (asked("exponential:delta=0.9,noise=0.1", "time", "risk", seed=seed) for seed in (1, 2))
    widths: list[list[float]] = []
    for events in ([once], [once, again]):
        time, risk = ([event for each in events for event in each[task]] for task in ("time", "risk"))
        figures = time_scores(time).delta.score, risk_scores(risk).errors.expected_value.score
        widths.append([figure.high - figure.low for figure in figures])  # type: ignore[operator]
    ratios = [both / one for one, both in zip(*widths, strict=True)]
    assert all(0.5 < ratio < 0.95 for ratio in ratios), "√½, give or take"


def test_intervals_do_not_depend_on_the_order_of_asking() -> None:
    events = asked("selfish", "stag_hunt", seed=1)["stag_hunt"]
    other = asked("selfish", "stag_hunt", seed=2)["stag_hunt"]
    assert [event.get("condition") for event in events] != [event.get("condition") for event in other]
    assert Scores({"stag_hunt": events}).stag == Scores({"stag_hunt": other}).stag


def _responder(accepts: Callable[[float], bool]) -> dict[str, list[dict[str, Any]]]:
    answers = [
        item(
            "ultimatum",
            "responder",
            {"pot": pot, "offer": share * pot / 100},
            "accept" if accepts(share) else "reject",
            condition=f"pot={pot:g} offer={share}%",
            options=options,
        )
        for pot in (10.0, 1000.0)
        for share in range(0, 101, 5)
        for options in (("accept", "reject"), ("reject", "accept"))
    ]
    offers = [
        item("ultimatum", "proposer", {"pot": pot}, 0.4 * pot, condition=f"pot={pot:g}") for pot in (10.0, 1000.0)
    ]
    return {"ultimatum": offers + answers}


def test_who_rejects_more_than_half_as_well_is_consistent() -> None:
    found = Scores(_responder(lambda share: 40 <= share <= 60))
    assert found.fairness.value == 80
    assert found.offer.value == 40


def test_who_rejects_equal_shares_or_contradicts_itself_answers_at_random_but_keeps_its_offers() -> None:
    for accepts in (lambda share: share > 60, lambda share: share % 10 == 0):
        found = Scores(_responder(accepts))
        assert found.fairness.value is None
        assert found.fairness.code == Code.RANDOM
        assert found.offer.value == 40


@pytest.mark.parametrize(("protocol", "seeds"), [("quick", 20), ("full", 3)])
def test_random_answers_give_no_fairness_and_no_social_score(protocol: str, seeds: int) -> None:
    for seed in range(1, seeds + 1):
        found = Scores(asked("random", "dictator", "ultimatum", "trust", protocol=protocol, seed=seed, controls=5))
        assert (found.fairness.value, found.social.value) == (None, None)


def test_a_position_is_a_bias_only_where_the_whole_interval_lies_beyond() -> None:
    for task, scored in (("time", time_scores), ("risk", risk_scores)):
        for seed in range(1, 31):
            found = scored(asked("exponential:delta=0.9,noise=0.03", task, protocol="quick", seed=seed)[task])
            assert found.fault is None or found.fault.code != Code.POSITION
        for name in ("always-a", "always-first"):
            for protocol in ("quick", "full"):
                fault = scored(asked(name, task, protocol=protocol)[task]).fault
                assert fault is not None
                assert fault.code == Code.POSITION


@pytest.mark.parametrize("name", ["random", "always-a", "constant", "refuser"])
def test_who_answers_by_habit_or_chance_has_no_strategy(name: str) -> None:
    one = SubjectScores(name, asked(name, "time", "risk", "stag_hunt", "public_goods", "centipede", protocol="quick"))
    assert one.words["label"].value is None
    assert one.words["label"].reason
    assert not any(
        said.startswith(("Cooperative", "Mixed", "Competitive")) for said in sentences([one], Cast.of([name]))
    )


def test_honest_subjects_keep_their_strategy() -> None:
    one = SubjectScores("a", asked(SUBJECT, "time", "risk", "stag_hunt", "public_goods", "centipede", protocol="quick"))
    assert one.words["label"].value == "competitive"


def test_figures_are_rounded_by_their_decimal_digits() -> None:
    assert (rounded(68.35, 1), rounded(0.125, 2), rounded(-0.04, 1), rounded(2, 0)) == ("68.4", "0.13", "0.0", "2")
    assert rounded(1e-9, 3) == "0.000"
