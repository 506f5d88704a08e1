"""Conditional cooperation and types recover known players, and the published figures of public goods with people."""

import csv
import io

import numpy as np
import polars as pl
import pytest

from foreign_data import foreign
from ostrom.analysis.fits.conditional import CONDITIONAL
from ostrom.analysis.fits.contribution_types import TYPES, type_of_schedule
from ostrom.analysis.fits.data import decisions_of
from ostrom.analysis.fits.result import FitOptions, FitResult
from ostrom.core.errors import InputError

OPTIONS = FitOptions(resamples=50)


def _conditional(table: pl.DataFrame) -> FitResult:
    return CONDITIONAL.fit(decisions_of(table, CONDITIONAL.columns, CONDITIONAL.optional), OPTIONS)


def _types(table: pl.DataFrame) -> FitResult:
    return TYPES.fit(decisions_of(table, TYPES.columns, TYPES.optional), OPTIONS)


def _herrmann() -> pl.DataFrame:
    """Contributions of the given sessions: a row for each punisher, target and period in the files."""
    rows = {}
    for path in sorted((foreign("people") / "htg2008").glob("*.csv")):
        lines = path.read_bytes().decode("utf-8-sig").replace("\r", "\n").split("\n")
        start = next(place for place, line in enumerate(lines) if line.startswith("sessionid"))
        for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
            if row["senderscontribution"]:
                key = tuple(row[name].strip() for name in ("sessionid", "groupid", "subjectid", "period"))
                rows[(path.name, *key)] = int(row["senderscontribution"])
    parts = [
        (f"{file} {session}", group, f"{subject}", int(period), given)
        for (file, session, group, subject, period), given in rows.items()
    ]
    return pl.DataFrame(parts, schema=["session", "group", "player", "round", "contribution"], orient="row")


@pytest.mark.slow
def test_conditional_cooperation_of_herrmann_and_others_holds() -> None:
    result = _conditional(_herrmann())
    assert result.decisions == 828
    assert result.units == 23
    assert [float(one.estimate) for one in result.parameters] == pytest.approx([0.9088, 0.5601, 0.3939], abs=6e-5)
    figures = result.figures
    assert figures["mean_absolute_error"] == pytest.approx(2.3704, abs=6e-5)
    assert figures["root_mean_square"] == pytest.approx(4.0260, abs=6e-5)
    assert figures["mean_absolute_error_of_mean"] == pytest.approx(6.1164, abs=6e-5)
    assert figures["mean_absolute_error_of_own_last"] == pytest.approx(2.3019, abs=6e-5)


@pytest.mark.slow
def test_schedules_of_fischbacher_and_gaechter_are_classified() -> None:
    result = _types(pl.read_csv(foreign("humans") / "fg2010.csv", infer_schema=False))
    labels = {"conditional cooperator": 0.550, "free rider": 0.229, "triangle": 0.121, "other": 0.100}
    codes = {"1": "conditional cooperator", "2": "free rider", "3": "triangle", "4": "other"}
    published = {codes[code]: share for code, share in result.figures["labels"].items()}
    assert published == pytest.approx(labels, abs=6e-4)
    assert result.figures["agreement"] == pytest.approx(138 / 140)
    shares = {one.name: float(one.estimate) for one in result.parameters}
    assert shares == pytest.approx(labels, abs=2 / 140 + 1e-3)


@pytest.mark.parametrize(
    ("schedule", "name"),
    [
        ([0] * 21, "free rider"),
        (list(range(21)), "conditional cooperator"),
        ([0] * 20 + [1], "conditional cooperator"),
        ([*range(11), *range(9, -1, -1)], "triangle"),
        ([20] * 21, "other"),
        (list(range(20, -1, -1)), "other"),
        ([0, 1, *[0] * 19], "triangle"),
        ([1, *[0] * 20], "other"),
    ],
)
def test_type_of_schedule(schedule: list[int], name: str) -> None:
    assert type_of_schedule(np.array(schedule, dtype=np.float64)) == name


def _simulated(seed: int) -> tuple[pl.DataFrame, list[str]]:
    rng = np.random.default_rng(seed)
    kinds = ["conditional cooperator"] * 12 + ["free rider"] * 8 + ["full contributor"] * 4
    order = rng.permutation(24)
    kinds = [kinds[place] for place in order]
    given = np.full(24, 10)
    rows = []
    for round_ in range(1, 16):
        groups = given.reshape(-1, 4)
        others = np.round(((groups.sum(axis=1, keepdims=True) - groups) / 3).ravel()).astype(int)
        if round_ > 1:
            aims = {"conditional cooperator": others, "free rider": 0 * others, "full contributor": 0 * others + 20}
            given = np.array([aims[kind][seat] for seat, kind in enumerate(kinds)])
            given = np.where(rng.random(24) < 0.1, rng.integers(0, 21, 24), given)
        rows += [(f"p{seat:02}", seat // 4, round_, int(given[seat])) for seat in range(24)]
    return pl.DataFrame(rows, schema=["player", "game", "round", "contribution"], orient="row"), kinds


@pytest.mark.slow
def test_types_by_repeated_play_are_recovered() -> None:
    table, kinds = _simulated(3)
    result = _types(table)
    best = [max(member.probabilities, key=lambda name: member.probabilities[name]) for member in result.members]
    # Next to a group of free riders, a conditional cooperator is one too.
    assert sum(own == kind for own, kind in zip(best, kinds, strict=True)) >= 20
    assert result.scores[1].log_loss < result.scores[0].log_loss


def test_coefficients_are_recovered() -> None:
    rng = np.random.default_rng(5)
    given = rng.normal(10, 5, (30, 4))
    rows = []
    for round_ in range(1, 11):
        if round_ > 1:
            others = (given.sum(axis=1, keepdims=True) - given) / 3
            given = 1 + 0.5 * given + 0.4 * others + rng.normal(0, 2, given.shape)
        rows += [(f"{group}.{seat}", group, round_, given[group, seat]) for group in range(30) for seat in range(4)]
    result = _conditional(pl.DataFrame(rows, schema=["player", "game", "round", "contribution"], orient="row"))
    for one, truth in zip(result.parameters, (1.0, 0.5, 0.4), strict=True):
        assert one.error is not None
        assert abs(float(one.estimate) - truth) < 4 * one.error
    assert result.scores[2].log_loss < result.scores[0].log_loss


def test_two_independent_units_are_too_few() -> None:
    table, _ = _simulated(1)
    with pytest.raises(InputError, match="at least 3"):
        _conditional(table.filter(pl.col("game") < 2))


def test_a_missing_round_is_not_the_round_before() -> None:
    table, _ = _simulated(1)
    gap = table.filter(pl.col("round") != 5)
    assert _conditional(gap).decisions == 24 * 12
