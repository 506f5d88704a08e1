"""Further scores of the battery, and the published values of people with their sources."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from battery_answers import Scores, asked, item

from ostrom.charts.families import Cast
from ostrom.games.battery.charts import sentences
from ostrom.games.battery.scores.further import efficiency
from ostrom.games.battery.scores.risk import risk_scores
from ostrom.games.battery.scores.score import BASELINES, Code, format_rounded
from ostrom.games.battery.scores.table import HUMAN, SubjectScores
from ostrom.games.battery.scores.time import time_scores


def of(prices, bundles):
    prices, bundles = np.array(prices, dtype=float), np.array(bundles, dtype=float)
    return float(efficiency(prices, bundles[np.newaxis])[0])


def test_afriats_efficiency_by_hand():
    # Each bundle costs less than the other at the prices at which the other was bought: 8 of 10 and 8 of 10.
    assert of([(1, 2), (2, 1)], [(2, 4), (4, 2)]) == pytest.approx(0.8, abs=1e-5)
    assert of([(1, 2), (2, 1)], [(4, 3), (3, 4)]) == 1, "each is dearer than what was bought"
    assert of([(1, 2), (2, 1)], [(10, 0), (0, 10)]) == 1
    # Violated by 10 % on one side and by 40 % on the other: the smaller is enough.
    assert of([(1, 1), (3, 1)], [(2, 8), (9, 0)]) == pytest.approx(max(0.9, 14 / 27), abs=1e-5)


def test_a_cycle_through_a_third_bundle_is_found():
    prices = [(1, 1.3, 1.3), (1.3, 1, 1.3), (1.3, 1.3, 1)]
    bundles = [(1, 0, 3), (3, 1, 0), (0, 3, 1)]
    # Each is revealed preferred to the next one only: 1 → 2 at 4.3 of 4.9, 2 → 3 and 3 → 1 alike.
    assert of(prices, bundles) < 1
    assert of(prices[:2], bundles[:2]) == 1


def test_who_maximises_is_consistent_and_who_is_random_is_not():
    assert Scores(asked("exponential", "garp")).ccei.value > 0.999
    random = [Scores(asked("random", "garp", seed=seed)).ccei for seed in range(5)]
    assert max(score.value for score in random) < 0.98
    assert all(score.low is None and "random choices reach this score in" in score.reason for score in random)


def test_budgets_have_the_power_to_tell_choices_at_random():
    full, quick = (Scores(asked("exponential", "garp", protocol=protocol)).ccei_power for protocol in ("full", "quick"))
    assert quick.value < full.value <= 100
    assert full.value > 99
    # Two budgets whose lines do not cross can be contradicted by nobody.
    apart = [
        item("garp", "allocator", {"income": income, "prices": [1.0, 1.0]}, 5.0, condition=f"{income}")
        for income in (10.0, 20.0)
    ]
    assert Scores({"garp": apart}).ccei_power.value == 0


@pytest.mark.parametrize("protocol", ["full", "quick"])
@pytest.mark.parametrize("aversion", [1.3, 1.955, 2.25])
def test_loss_aversion_without_noise_lies_between_the_gambles_beside_it(aversion, protocol):
    name = f"prospect:alpha=1,gamma=1,loss_aversion={aversion}"
    result = Scores(asked(name, "loss", protocol=protocol)).loss_aversion
    assert result.low - 1e-6 <= aversion <= result.high + 1e-6
    assert result.low <= result.value <= result.high


def test_loss_aversion_and_ambiguity_are_recovered_through_noise():
    name = "prospect:alpha=1,gamma=1,loss_aversion=1.955,ambiguity=0.07,noise=0.05"
    result = [Scores(asked(name, "loss", "ambiguity", seed=seed)) for seed in range(12)]
    losses, premiums = ([getattr(each, part) for each in result] for part in ("loss_aversion", "ambiguity"))
    assert np.mean([score.value for score in losses]) == pytest.approx(1.955, abs=0.15)
    assert np.mean([score.value for score in premiums]) == pytest.approx(0.07, abs=0.03)
    assert sum(score.low <= 1.955 <= score.high for score in losses) >= 9
    assert sum(score.low <= 0.07 <= score.high for score in premiums) >= 9


def test_curvature_is_taken_out_of_loss_aversion():
    name = "prospect:alpha=0.5,gamma=1,loss_aversion=2"
    result = Scores(asked(name, "loss", "risk"))
    assert result.m.value == pytest.approx(0.5**0.5, abs=0.01)
    assert result.loss_aversion.low - 1e-6 <= 4 <= result.loss_aversion.high + 1e-6, "λ^(1/α)"
    assert result.loss_aversion_curved.low - 0.02 <= 2 <= result.loss_aversion_curved.high + 0.02
    assert Scores(asked(name, "loss")).loss_aversion_curved.reason == "risk: it was not asked"


def test_who_shows_only_a_bound_has_no_score():
    always = Scores(asked("constant", "loss", "ambiguity"))
    assert always.loss_aversion.reason == "every gamble is taken: losses count at most 0.8 times"
    assert "always taken" in always.ambiguity.reason
    never = [
        item(
            "loss", "chooser", {"gain": 10.0, "loss": loss}, "reject", condition=f"{loss}", options=("accept", "reject")
        )
        for loss in (2.0, 5.0)
    ]
    result = Scores({"loss": never}).loss_aversion
    assert result.reason == "no gamble is taken: losses count at least 5 times"


@pytest.mark.parametrize("name", ["always-a", "always-first", "refuser", "malformed"])
def test_who_does_not_answer_the_question_has_no_score(name):
    result = Scores(asked(name, "garp", "loss", "ambiguity"))
    assert result.loss_aversion.value is None
    assert result.ambiguity.value is None
    assert result.loss_aversion.reason


def test_random_choices_have_no_loss_aversion():
    result = [Scores(asked("random", "loss", seed=seed)).loss_aversion for seed in range(6)]
    assert all(score.value is None or score.high - score.low > 1 for score in result)
    assert any(score.value is None for score in result)


def test_every_human_value_has_a_source_with_a_year():
    assert len({baseline.quantity for baseline in BASELINES}) == len(BASELINES) == 15
    for baseline in BASELINES:
        assert any(part.strip(",").isdigit() for part in baseline.source.split()), baseline


def test_the_human_row_agrees_with_the_sources():
    by_quantity = {baseline.quantity: baseline for baseline in BASELINES}
    assert "28.35" in by_quantity["dictator, share given"].value
    assert HUMAN["dictator"].value == 28.35
    assert HUMAN["altruism"].value == pytest.approx((28.35 + 40) / 2 / 50 * 100)
    assert HUMAN["pass"].value == pytest.approx(100 * (0.99 + 0.79 + 0.27) / 3)
    assert (HUMAN["contribution"].low, HUMAN["contribution"].high) == (40, 60)
    assert "1.955" in by_quantity["loss aversion λ"].value
    for name, human in HUMAN.items():
        assert human.value is not None or (human.low is not None and human.high is not None), name
        first = human.source.split(",")[0].split()[0]
        assert any(first in baseline.source for baseline in BASELINES), name


SUBJECT = "exponential:delta=0.9,noise=0.03"


def test_a_task_that_was_asked_twice_keeps_its_triples_apart() -> None:
    events = [event for seed in (1, 2) for event in asked(SUBJECT, "time", seed=seed)["time"]]
    once = time_scores(asked(SUBJECT, "time", seed=1)["time"]).diagnostics.transitivity
    twice = time_scores(events).diagnostics.transitivity
    assert twice.value is not None
    assert once.high is not None
    assert twice.high is not None
    assert twice.high < once.high, "six triples say more than three"


@pytest.mark.slow
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
    result = Scores(_responder(lambda share: 40 <= share <= 60))
    assert result.fairness.value == 80
    assert result.offer.value == 40


def test_who_rejects_equal_shares_or_contradicts_itself_answers_at_random_but_keeps_its_offers() -> None:
    for accepts in (lambda share: share > 60, lambda share: share % 10 == 0):
        result = Scores(_responder(accepts))
        assert result.fairness.value is None
        assert result.fairness.code == Code.RANDOM
        assert result.offer.value == 40


@pytest.mark.parametrize(("protocol", "seeds"), [("quick", 20), ("full", 3)])
def test_random_answers_give_no_fairness_and_no_social_score(protocol: str, seeds: int) -> None:
    for seed in range(1, seeds + 1):
        result = Scores(asked("random", "dictator", "ultimatum", "trust", protocol=protocol, seed=seed, controls=5))
        assert (result.fairness.value, result.social.value) == (None, None)


@pytest.mark.slow
def test_a_position_is_a_bias_only_where_the_whole_interval_lies_beyond() -> None:
    for task, scored in (("time", time_scores), ("risk", risk_scores)):
        for seed in range(1, 31):
            result = scored(asked("exponential:delta=0.9,noise=0.03", task, protocol="quick", seed=seed)[task])
            assert result.fault is None or result.fault.code != Code.POSITION
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


def test_subjects_are_beside_published_means_and_not_said_to_be_more_altruistic_than_people() -> None:
    names = ("selfish", "fehr-schmidt")
    rows = [SubjectScores(name, asked(name, "dictator", "trust", protocol="quick")) for name in names]
    (sentence,) = [text for text in sentences(rows, Cast.of(names)) if "people" in text]
    assert "published means of people in other studies" in sentence
    assert "altruistic" not in sentence


def test_honest_subjects_keep_their_strategy() -> None:
    one = SubjectScores("a", asked(SUBJECT, "time", "risk", "stag_hunt", "public_goods", "centipede", protocol="quick"))
    assert one.words["label"].value == "competitive"


def test_figures_are_rounded_by_their_decimal_digits() -> None:
    assert (format_rounded(68.35, 1), format_rounded(0.125, 2), format_rounded(-0.04, 1), format_rounded(2, 0)) == (
        "68.4",
        "0.13",
        "0.0",
        "2",
    )
    assert format_rounded(1e-9, 3) == "0.000"
