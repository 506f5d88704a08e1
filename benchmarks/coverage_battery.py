"""How often the intervals of the battery's scores hold, when noisy simulated subjects answer the fixed grid again and
again. By itself: `python benchmarks/coverage_battery.py --worlds 200`.

What a figure estimates is its own expectation over such runs, and of a fitted parameter the subject's own. Subjects
answer time and risk as in `battery_recovery`; in the other tasks their answers to every question of the
grid are known by their chances, from which worlds are drawn. Intervals without width, where all repetitions of a noisy
subject happen to agree, are counted apart."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import battery_recovery as recovery
import numpy as np
from worlds import Row, Study, main, row

from ostrom.core import GameChance, Question, Seat
from ostrom.experiment.match import play_match
from ostrom.games.battery.items import pose
from ostrom.games.battery.scores import replicates
from ostrom.games.battery.scores.logit import ChoiceCounts, TheoryFit, fit_theory
from ostrom.games.battery.scores.rationality import BatterySubject
from ostrom.games.battery.scores.risk import RiskScores, risk_errors, risk_replicates
from ostrom.games.battery.scores.score import Score, no_score
from ostrom.games.battery.scores.social import by_offer, first_accepted, responder
from ostrom.games.battery.scores.table import DEFINITIONS
from ostrom.games.battery.scores.theories import DISCOUNTING, EXPECTED_UTILITY
from ostrom.games.battery.scores.time import (
    TimePoints,
    TimeReplicates,
    TimeScores,
    choices_magnitude,
    least_bic,
    published_delta,
    published_penalty,
    time_replicates,
)
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import Economicus, subject_of
from ostrom.games.battery.subjects import theories as people
from ostrom.games.battery.subjects import theories as players

NOISES = (0.03, 0.1)
_NOTHING: Any = no_score("not part of the study")


class TimeTask(NamedTuple):
    """The time task of one simulated subject, fitted and simulated again by the product."""

    choices: ChoiceCounts
    points: TimePoints
    fits: tuple[TheoryFit, ...]
    again: TimeReplicates


def time_task(run: replicates.Sequences, subject: int) -> TimeTask:
    """Return the task of one of the subjects of a run."""
    choices = replace(recovery.time_choices(run, subject), names=np.arange(len(recovery.time_grid())))
    points = recovery.time_points(run, subject)
    points = replace(points, condition=np.flatnonzero(run.outcome[subject] != replicates.INVALID))
    fits = tuple(fit_theory(theory, choices) for theory in DISCOUNTING)
    best = least_bic(fits)
    assert best is not None
    return TimeTask(choices, points, fits, time_replicates(points, choices, best, recovery.FULL))


def time_scores(run: replicates.Sequences, subject: int) -> TimeScores:
    """Return what the product computes from the time task of one simulated subject."""
    choices, points, fits, again = time_task(run, subject)
    delta, penalty = published_delta(points, again), published_penalty(points, again)
    rest = dict.fromkeys(("censored", "invalid", "diagnostics"), _NOTHING)
    return TimeScores(None, delta, choices_magnitude(choices), penalty, fits, again, points=points, **rest)


def risk_scores(run: replicates.Sequences, subject: int) -> RiskScores:
    """The same of the risk task."""
    choices = replace(recovery.risk_choices(run, subject), names=np.arange(len(recovery.risk_grid())))
    points = recovery.risk_points(run, subject)
    points = replace(points, condition=np.flatnonzero(run.outcome[subject] == replicates.POINT))
    fit = fit_theory(EXPECTED_UTILITY, choices)
    again = risk_replicates(points, choices, fit, recovery.FULL)
    errors = risk_errors(points, again)
    rest = dict.fromkeys(("interior", "boundary", "censored", "invalid", "diagnostics"), _NOTHING)
    return RiskScores(None, errors, fit=fit, points=points, replicates=again, **rest)


def play_modes(deltas: Sequence[float], noise: Any, worlds: int, *, whole: bool = False) -> replicates.Sequences:
    """Play the time task with a subject that answers by one of these discount factors, each with equal chance: drawn
    for every answer, or for a whole sequence. `noise` may differ between sequences."""
    amount, delay, front = recovery.time_grid().T
    chance = np.random.default_rng(5)
    shape = worlds, len(amount)
    drawn = chance.choice(deltas, size=shape)

    def ask(ratio: Any) -> Any:
        count = np.zeros(shape, dtype=np.int64)
        for _ in range(recovery.FULL.askings):
            delta = drawn if whole else chance.choice(deltas, size=shape)
            advantage = ratio * delta ** (front / 365) - delta ** ((front + delay) / 365)
            count += chance.random(shape) < 1 / (1 + np.exp(-np.clip(advantage / noise, -500, 500)))
        return count

    return replicates.bisect_time(ask, shape, recovery.FULL)


def by_stake(*noises: float) -> Any:
    """The noise of every sequence, given that of each amount."""
    amount = recovery.time_grid().T[0]
    return np.array(noises)[np.searchsorted(np.unique(amount), amount)]


def patience(name: str, deltas: Sequence[float], noise: Any, worlds: int, *, whole: bool = False) -> Iterator[Row]:
    """δ of subjects that no theory with one noise describes."""
    run = play_modes(deltas, noise, worlds, whole=whole)
    tasks = (time_task(run, world) for world in range(worlds))
    deltas_of_worlds = [published_delta(task.points, task.again).score for task in tasks]
    yield line("delta", name, deltas_of_worlds, None, discrete=False)


PARAMETERS = {
    people.Exponential: {"delta_likelihood": "delta"},
    people.QuasiHyperbolic: {"beta": "beta", "delta_quasi": "delta"},
    people.Hyperbolic: {"k": "k"},
}
"""The scores that estimate what a subject is made of, and what it calls that."""
FIGURES = ("rationality", "rationality_published", "delta", "delta_corrected", "err_eu", "err_ev")


def adaptive(patient: Economicus, risky: Economicus, name: str, noise: float, worlds: int) -> Iterator[Row]:
    """Rationality and its parts, of a subject that discounts as the one does and takes risks as the other."""
    time = recovery.play_time(patient, noise, worlds, 1)
    risk = recovery.play_risk(risky, noise, worlds, 2)
    truths: dict[str, float | None] = dict.fromkeys(FIGURES)
    truths |= {score: getattr(patient, own) for score, own in PARAMETERS.get(type(patient), {}).items()}
    if isinstance(risky, people.ExpectedUtility):
        truths["m"] = 0.5 ** (1 - risky.r)
    found: dict[str, list[Score]] = {score: [] for score in truths}
    for world in range(worlds):
        one = SimpleNamespace(time=time_scores(time, world), risk=risk_scores(risk, world))
        for score, each in found.items():
            each.append(DEFINITIONS[score].score(one))
    yield from (
        line(score, f"{name}, noise {noise:g}", found[score], truth, discrete=False) for score, truth in truths.items()
    )


def line(score: str, setting: str, found: Sequence[Score], truth: float | None, *, discrete: bool) -> Row:
    """The coverage of a score over worlds, and the mean width of its interval by that of its sampling distribution."""
    values = np.array([np.nan if one.value is None else one.value for one in found])
    low, high = (np.array([np.nan if one is None else one for one in ends]) for ends in _ends(found))
    centre = float(np.nanmean(values)) if truth is None else truth
    agree = high - low <= 1e-12
    held = np.where(np.isnan(low) | agree, np.nan, (low <= centre + 1e-9) & (centre - 1e-9 <= high))
    spread = float(np.subtract(*np.nanpercentile(values, [97.5, 2.5])))
    width = float(np.nanmean(np.where(agree, np.nan, high - low))) / spread if spread > 0 else None
    notes = ["at least 95 %" if discrete else "93 to 97 %"]
    if np.any(agree):
        notes.append(f"no width in {100 * np.mean(agree):.1f} %")
    if np.any(np.isnan(low)):
        notes.append(f"refused in {100 * np.mean(np.isnan(low)):.1f} %")
    if np.all(np.isnan(held)):
        return Row(score, setting, len(found), math.nan, math.nan, math.nan, None, "; ".join(notes[1:]))
    return row(score, setting, held, width=width, note="; ".join(notes))


def _ends(found: Iterable[Score]) -> tuple[list[float | None], list[float | None]]:
    pairs = [(one.low, one.high) for one in found]
    return [low for low, _ in pairs], [high for _, high in pairs]


_LEVELS = (np.arange(500) + 0.5) / 500
TWO_VALUED = ("cooperation", "fairness", "fairness_positive", "stag", "pass", "stag_by_hare", "minimum_acceptable")


@lru_cache(maxsize=64)
def chances(player: Economicus, task: str) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """The items of a task as they are recorded, and for each the answers that a subject may give, all equally
    likely."""
    rules = TASKS[task].rules()
    match = play_match(TASKS[task].game, rules, [subject_of("selfish")], GameChance(1, 0))
    events = [event.as_record() for event in match.events]
    items = [event for event in events if event["event"] == "item_answered"]
    cells = {(cell.role, cell.condition): cell for cell in rules.cells()}
    made: dict[tuple[str, str], list[Any]] = {}
    for key, cell in cells.items():
        item, spec = pose(task, cell, 0, 1)
        question: Question[Any] = Question(Seat(0), cell.role, 1, spec, item)
        made[key] = [player.answer(question, lambda level=level: float(level)) for level in _LEVELS]
    known = [item for item in items if (item["role"], item["condition"]) in made]
    return known, [made[item["role"], item["condition"]] for item in known]


def worlds_of(player: Economicus, tasks: Sequence[str], worlds: int) -> Iterator[BatterySubject]:
    """So many runs of a subject through some tasks."""
    chance = np.random.default_rng(3)
    for _ in range(worlds):
        events = {}
        for task in tasks:
            items, answers = chances(player, task)
            drawn = chance.integers(len(_LEVELS), size=len(items))
            events[task] = [
                item | {"answer": each[place]} for item, each, place in zip(items, answers, drawn, strict=True)
            ]
        yield BatterySubject("subject", events)


def stated(
    player: Economicus, name: str, tasks: Sequence[str], wanted: Sequence[str], truths: dict[str, float], worlds: int
) -> Iterator[Row]:
    """Scores of tasks whose questions are known beforehand."""
    found: dict[str, list[Score]] = {score: [] for score in wanted}
    acceptances = []
    for one in worlds_of(player, tasks, worlds):
        for score, each in found.items():
            each.append(DEFINITIONS[score].score(one))
        if "minimum_acceptable" in wanted and responder(one).fault is None:
            acceptances.append(by_offer(responder(one)))
    truths = dict(truths)
    if acceptances:
        offers, counts, taken = acceptances[0][0], *(sum(each[part] for each in acceptances) for part in (1, 2))
        truths["minimum_acceptable"] = float(first_accepted(offers, counts.sum(0)[None], taken.sum(0)[None])[0])
    for score, each in found.items():
        yield line(score, name, each, truths.get(score), discrete=score in TWO_VALUED)


SOCIAL = ("social", "altruism", "fairness", "fairness_positive", "trust", "reciprocity", "minimum_acceptable")
TOGETHER = (
    "cooperation",
    "stag",
    "contribution",
    "pass",
    "stag_by_hare",
    "contribution_by_multiplier",
    "claim",
    "guess",
    "claim_by_bonus",
)
FURTHER = ("loss_aversion", "ambiguity")


def _stated(
    make: Callable[..., Economicus],
    name: str,
    tasks: Sequence[str],
    wanted: Sequence[str],
    truths: dict[str, float] | None = None,
) -> list[Study]:
    return [
        partial(stated, make(noise=noise), f"{name}, noise {noise:g}", tuple(tasks), tuple(wanted), truths or {})
        for noise in NOISES
    ]


_BETS = partial(people.Prospect, alpha=1.0, gamma=1.0, loss_aversion=1.955, ambiguity=0.07)
_OF_BETS = {"loss_aversion": 1.955, "ambiguity": 0.07}
STUDIES: list[Study] = [
    partial(patience, "modes of δ 0.7 and 0.95 by answer, noise 0.01", (0.7, 0.95), 0.01),
    partial(patience, "modes of δ 0.5 and 0.9 by answer, noise 0.03", (0.5, 0.9), 0.03),
    partial(patience, "modes of δ 0.7 and 0.95 in 1 to 4, noise 0.03", (0.7, 0.95, 0.95, 0.95, 0.95), 0.03),
    partial(patience, "modes of δ 0.7 and 0.95 by sequence, noise 0.03", (0.7, 0.95), 0.03, whole=True),
    partial(patience, "δ 0.8, noise 0.1, 0.03, 0.01 by stake", (0.8,), by_stake(0.1, 0.03, 0.01)),
    partial(patience, "δ 0.9, noise 0.01, 0.03, 0.1 by stake", (0.9,), by_stake(0.01, 0.03, 0.1)),
    partial(patience, "δ 0.7, noise 0.2, 0.05, 0.01 by stake", (0.7,), by_stake(0.2, 0.05, 0.01)),
    *(
        partial(adaptive, patient, risky, name, noise)
        for patient, risky, name in (
            (people.Exponential(delta=0.9), people.ExpectedUtility(r=0.0), "exponential δ 0.9, risk neutral"),
            (people.Exponential(delta=0.7), people.ExpectedUtility(r=0.5), "exponential δ 0.7, r 0.5"),
            (people.QuasiHyperbolic(beta=0.7, delta=0.95), people.Prospect(), "β 0.7 δ 0.95, prospect theory"),
            (people.Hyperbolic(k=0.5), people.ExpectedUtility(r=0.8), "hyperbolic k 0.5, r 0.8"),
            (people.Magnitude(), people.ExpectedUtility(r=-0.5), "magnitude, r −0.5"),
        )
        for noise in NOISES
    ),
    *_stated(players.FehrSchmidt, "Fehr–Schmidt", ("dictator", "ultimatum", "trust"), SOCIAL),
    *_stated(players.Selfish, "selfish", ("dictator", "ultimatum", "trust"), SOCIAL),
    *_stated(
        players.Selfish,
        "selfish",
        ("stag_hunt", "public_goods", "centipede", "traveller", "beauty_contest"),
        TOGETHER,
    ),
    *_stated(players.FehrSchmidt, "Fehr–Schmidt", ("stag_hunt", "public_goods", "centipede"), TOGETHER[:6]),
    *_stated(_BETS, "λ 1.955, premium 0.07", ("loss", "ambiguity"), FURTHER, _OF_BETS),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
