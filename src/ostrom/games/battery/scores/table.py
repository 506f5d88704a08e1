"""Every score of every subject in one table, with the human row beside them. It computes nothing: it gathers what the
scores of the battery found, under the names that commands and reports use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ostrom.analysis.study import Word
from ostrom.core.estimates import proportion
from ostrom.games.battery.scores.cooperation import CooperationScores, Statics, comparative_statics, cooperation_scores
from ostrom.games.battery.scores.described import DESCRIBED, HUMAN, SCORES
from ostrom.games.battery.scores.diagnostics import Diagnostics
from ostrom.games.battery.scores.further import FurtherScores, further_scores
from ostrom.games.battery.scores.rationality import NOT_ASKED, Rationality, RiskScores, TimeScores, rationality
from ostrom.games.battery.scores.score import Score, withheld
from ostrom.games.battery.scores.sheets import Tasks
from ostrom.games.battery.scores.social import SocialScores, social_scores
from ostrom.games.battery.tables import events_by_subject
from ostrom.journal.record import GameRecord

PEOPLE: Final = "people"
"""What the human row is called."""
POINTS_ALONE: Final = "only indifference points are known, not the choices"
NO_HUMAN_VALUE: Final = "no human value of this score is known"
A_RANGE: Final = "the source gives a range"


def not_asked(reason: str | None) -> bool:
    """Whether a score is missing because nothing of what it is made of was asked."""
    return reason is not None and all(part.endswith(NOT_ASKED) for part in reason.split("; "))


def no_strategy(reason: str | None) -> bool:
    """Whether a reason against a task's score says that its answers follow habit or chance, or were refused."""
    return reason is not None and (
        reason.startswith(("random:", "constant:", "position bias:")) or "refused " in reason
    )


@dataclass(frozen=True)
class SubjectScores:
    """All that the battery says about a subject."""

    subject: str
    tasks: Tasks
    """The events that it comes from, by task."""
    rationality: Rationality
    social: SocialScores
    cooperation: CooperationScores
    further: FurtherScores
    statics: Statics

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Every score that is a number, by name, in the order of `described`."""
        found = {**_of_time(self.rationality), **_of_risk(self.rationality)}
        found |= {
            "rationality": self.rationality.rationality,
            "rationality_published": self.rationality.rationality_published,
            "pass": self.cooperation.passes,
            "claim_by_bonus": self.statics.claim.slope,
            "stag_by_hare": self.statics.stag.slope,
            "contribution_by_multiplier": self.statics.contribution.slope,
        }
        for part in (self.social, self.cooperation, self.further):
            found |= {name: score for name in DESCRIBED if isinstance(score := getattr(part, name, None), Score)}
        return {one.name: found[one.name] for one in SCORES if one.name in found}

    @cached_property
    def words(self) -> dict[str, Word]:
        """Every score that is a word."""
        depth = self.cooperation.depth
        time = self.rationality.time
        best = None if time is None else time.best
        mixed = Word(None, self.cooperation.guess.reason or "most guesses lie in no level's neighbourhood")
        return {
            "discounting": Word(None, _no_fit(time)) if best is None else Word(best.model),
            "label": self._label(),
            "depth": mixed if depth.level is None else Word(f"level {depth.level}"),
            "depth_published": _or_reason(depth.published, self.cooperation.guess),
        }

    @property
    def label(self) -> str | None:
        """The strategy's label."""
        return self.words["label"].value

    @property
    def items(self) -> int:
        """How many events it was scored by."""
        return sum(map(len, self.tasks.values()))

    def _label(self) -> Word:
        """The strategy's label. Who follows habit or chance in time or risk, or refuses, has no strategy to name."""
        label = self.cooperation.label
        for task, found in (("time", self.rationality.time), ("risk", self.rationality.risk)):
            if label is not None and found is not None and no_strategy(found.reason):
                return Word(None, f"{task}: {found.reason}")
        return _or_reason(label, self.cooperation.cooperation)

    @cached_property
    def invalid(self) -> dict[str, Score]:
        """Shares of all items of all tasks: those without a valid answer, and those of them that were refused."""
        items = [event for events in self.tasks.values() for event in events if event["event"] == "item_answered"]
        if not items:
            return dict.fromkeys(("invalid", "refused"), withheld(POINTS_ALONE))
        missing = [item["fault"] for item in items if item["answer"] is None]
        counts = {"invalid": len(missing), "refused": missing.count("refused")}
        return {name: proportion(count / len(items), len(items)) for name, count in counts.items()}

    def as_record(self) -> dict[str, Any]:
        """The row as plain data."""
        both: dict[str, Score | Word] = {**self.scores, **self.words}
        return {
            "subject": self.subject,
            "human": False,
            **{one.name: both[one.name].as_record() for one in SCORES},
            **{name: share.as_record() for name, share in self.invalid.items()},
            "statics": {
                "claim": self.statics.claim.verdict,
                "stag": self.statics.stag.verdict,
                "contribution": self.statics.contribution.verdict,
            },
            "time": _time_record(self.rationality.time),
            "risk": _risk_record(self.rationality.risk),
        }


def score_subject(subject: str, tasks: Tasks) -> SubjectScores:
    """All scores of one subject, from the events of its tasks by their names."""
    return SubjectScores(
        subject,
        tasks,
        rationality(tasks),
        social_scores(tasks),
        cooperation_scores(tasks),
        further_scores(tasks),
        comparative_statics(tasks),
    )


def score_subjects(records: Iterable[tuple[str, str, GameRecord]]) -> list[SubjectScores]:
    """All scores of everyone who answered stated tasks in these games, the most rational first; who has no rationality
    score comes last, by name."""
    return score_events(events_by_subject(records))


def score_events(subjects: Mapping[str, Tasks]) -> list[SubjectScores]:
    """The same from the events of every subject, by task."""
    return in_order(score_subject(subject, tasks) for subject, tasks in subjects.items())


def in_order(rows: Iterable[SubjectScores]) -> list[SubjectScores]:
    """The most rational first; who has no rationality score comes last, by name."""
    return sorted(rows, key=_place)


def human_scores() -> dict[str, Score]:
    """What is known of people, under the names of our scores; a range where a source gives one."""
    return {
        name: Score(one.value, one.low, one.high, A_RANGE if one.value is None else None) for name, one in HUMAN.items()
    }


def human_reference() -> dict[str, Score]:
    """The human row with the source of every value in the place of a reason."""
    row = human_record()
    return {
        one.name: Score(
            row[one.name]["value"],
            row[one.name]["low"],
            row[one.name]["high"],
            row[one.name]["source"] or row[one.name]["reason"],
        )
        for one in SCORES
        if not one.words
    }


def human_record() -> dict[str, Any]:
    """The human row as plain data; each value comes with its source."""
    row: dict[str, Any] = {"subject": PEOPLE, "human": True}
    known = human_scores()
    for one in SCORES:
        score = known.get(one.name)
        if score is None:
            row[one.name] = withheld(NO_HUMAN_VALUE).as_record() | {"source": None}
        else:
            source = HUMAN[one.name]
            note = f" ({source.note})" if source.note else ""
            row[one.name] = score.as_record() | {"source": f"{source.source}{note}"}
    return row


def _place(one: SubjectScores) -> tuple[bool, float, str]:
    value = one.rationality.rationality.value
    return value is None, -(value or 0.0), one.subject


def _or_reason(value: str | None, score: Score) -> Word:
    return Word(value) if value is not None else Word(None, score.reason)


def _no_fit(time: TimeScores | None) -> str:
    return NOT_ASKED if time is None else time.reason or POINTS_ALONE


def _of_time(found: Rationality) -> dict[str, Score]:
    """What the time task gives; of theories fitted to choices each parameter under a name of its own."""
    time = found.time
    names = (("delta_likelihood",), ("beta", "delta_quasi"), ("k",))
    none = withheld(_no_fit(time))
    scores = {name: none for group in names for name in group}
    if time is None:
        return scores | dict.fromkeys(("delta", "penalty"), none)
    for group, fit in zip(names, time.fits, strict=False):
        scores |= dict(zip(group, fit.parameters, strict=True))
    return scores | {"delta": time.delta, "penalty": time.magnitude.penalty}


def _of_risk(found: Rationality) -> dict[str, Score]:
    risk = found.risk
    if risk is None:
        return dict.fromkeys(("err_eu", "err_ev", "m"), withheld(NOT_ASKED))
    errors = {"err_eu": risk.errors.expected_utility, "err_ev": risk.errors.expected_value}
    if risk.fit is not None:
        return errors | {"m": risk.fit.parameters[0]}
    if risk.errors.m is None:
        return errors | {"m": withheld(risk.reason or POINTS_ALONE)}
    return errors | {"m": Score(risk.errors.m, reason=f"{POINTS_ALONE}: no interval")}


def _time_record(time: TimeScores | None) -> dict[str, Any] | None:
    if time is None:
        return None
    magnitude = time.magnitude
    return {
        "censored": time.censored.as_record(),
        "invalid_sequences": time.invalid.as_record(),
        "delta_by_amount": [score.as_record() for score in magnitude.deltas],
        "likelihood_ratio": magnitude.statistic,
        "p_value": magnitude.p_value,
        "fits": [_fit_record(fit) for fit in time.fits],
        **_diagnostics_record(time.diagnostics),
    }


def _risk_record(risk: RiskScores | None) -> dict[str, Any] | None:
    if risk is None:
        return None
    strata = (("all", risk.errors), ("interior", risk.interior), ("boundary", risk.boundary))
    return {
        "censored": risk.censored.as_record(),
        "invalid_sequences": risk.invalid.as_record(),
        "errors": {
            name: {"err_eu": one.expected_utility.as_record(), "err_ev": one.expected_value.as_record(), "m": one.m}
            for name, one in strata
        },
        "fits": [] if risk.fit is None else [_fit_record(risk.fit)],
        **_diagnostics_record(risk.diagnostics),
    }


def _fit_record(fit: Any) -> dict[str, Any]:
    parameters = [score.as_record() for score in fit.parameters]
    return {"model": fit.model, "parameters": parameters, "noise": fit.noise, "bic": fit.bic}


def _diagnostics_record(found: Diagnostics) -> dict[str, Any]:
    names = ("invalid", "first", "label_a", "random", "dominance", "transitivity", "retest", "reversed")
    shares: Mapping[str, Score] = found.faults
    return {
        "items": found.items,
        **{name: getattr(found, name).as_record() for name in names},
        "faults": {name: score.as_record() for name, score in shares.items()},
    }
