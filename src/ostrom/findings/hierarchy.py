"""The verb `hierarchy`: a hierarchical model of final values, with checks of the model and a comparison with bootstrap
means."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field

from ostrom.analysis.common_measures import mean_final
from ostrom.analysis.selection import JournalSettings, select_boards
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.game import imported
from ostrom.core.settings import Display
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.ratings import left_out_lines
from ostrom.journal.open import open_journal

LEVEL: Final = 0.05
"""The p-value below which a posterior predictive check fails."""
_ABOUT: Final = (
    "The expected final of each player among average co-players, in an average seat and game, with its 95% credible "
    "interval. The mean is over the games as played; its interval is from a bootstrap over games."
)


class HierarchySettings(JournalSettings):
    """Settings of the hierarchical model."""

    factor: Annotated[tuple[str, ...], Display(form="COLUMN")] = Field(
        ("seed",),
        description="A column of the table of games, such as seed, that is added as a crossed effect; repeatable.",
    )
    draws: int = Field(
        500,
        ge=100,
        le=20_000,
        description="Number of draws of each of the two chains, after an equal number of warm-up draws.",
    )
    seed: int = Field(0, ge=0, description="Seed of the draws.")


@verb("hierarchy", keeps=False, group="analyse")
def hierarchy(store: str | None, settings: HierarchySettings, reporter: Reporter = SILENT) -> Finding:
    """Fit a hierarchical model of finals: players, co-players, seats, games and seeds as crossed effects."""
    with open_journal(store) as journal:
        names = journal.names.known()
        tables = select_boards(journal, settings.selection, reporter.note, reporter.spell)[0].tables
    fit = imported("ostrom.analysis.hierarchy:fit")(tables, settings.factor, seed=settings.seed, draws=settings.draws)
    means = {
        row["player"]: Estimate(row["value"], row["low"], row["high"], row["reason"])
        for row in mean_final(tables).iter_rows(named=True)
    }
    failed = [check.statistic for check in fit.checks if check.p_value < LEVEL]
    verdict = (
        f"The model does not reproduce these games ({', '.join(failed)}): read its figures with caution."
        if failed
        else f"The model reproduces all {len(fit.checks)} statistics of these games that were checked."
    )
    overlaps = [_overlap(expected, means[player]) for player, expected in fit.players.items() if player in means]
    both = [overlap for overlap in overlaps if overlap is not None]
    agreement = (
        f"The intervals of the model and of the bootstrap overlap for {sum(both)} of the {len(both)} players that "
        "have both."
    )
    players = replace(_players(fit.players, means, names.of), lines_above=left_out_lines(tables, names))
    return Finding(
        verb="hierarchy",
        title=f"Hierarchical model of {fit.seats:,} finals",
        facts={"seats": fit.seats, "rhat": fit.rhat, "failed_checks": failed, "left_out": tables.left_out.as_record()},
        parts=[players, _effects(fit.deviations), _checks(fit.checks)],
        sentences=[verdict, agreement],
        result=fit,
    )


def _players(expected: Mapping[str, Estimate], means: Mapping[str, Estimate], name_of: Callable[[str], str]) -> Table:
    rows = [
        {"player": player, "label": name_of(player), "expected": estimate, "mean": means.get(player)}
        for player, estimate in sorted(expected.items(), key=lambda item: (-(item[1].value or 0.0), item[0]))
    ]
    columns = [
        Column("player"),
        Column("label", "player", in_json=False, in_frame=False),
        number("expected", "expected final", decimals(2), interval="beside"),
        number("mean", "mean final", decimals(2), interval="beside", spare=1),
    ]
    return Table("players", columns, rows, title="Players", caption=_ABOUT)


def _effects(deviations: Mapping[str, Estimate]) -> Table:
    columns = [Column("effect", "effect"), number("deviation", "standard deviation", decimals(2), interval="beside")]
    rows = [{"effect": name, "deviation": deviation} for name, deviation in deviations.items()]
    return Table("effects", columns, rows, title="How much finals vary by each effect")


def _checks(checks: Sequence[Any]) -> Table:
    names = ("statistic", "observed", "simulated", "p_value")
    columns = [
        Column("statistic", "statistic"),
        number("observed", "observed", decimals(2)),
        number("simulated", "simulated", decimals(2), interval="beside"),
        number("p_value", "p", decimals(2)),
    ]
    rows = [{name: getattr(check, name) for name in names} for check in checks]
    return Table("checks", columns, rows, title="Posterior predictive checks")


def _overlap(first: Estimate, second: Estimate) -> bool | None:
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return None
    return first.low <= second.high and second.low <= first.high
