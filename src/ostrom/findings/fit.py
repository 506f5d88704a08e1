"""The verb `fit`: estimators of behaviour from the games of a journal or from a table of decisions."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Final, Literal

import polars as pl
from pydantic import Field

from ostrom.analysis.fits import FITS
from ostrom.analysis.fits.data import decisions_of, has_columns, with_payoffs
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult
from ostrom.analysis.selection import JournalSettings, select_tables
from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError, UnknownName
from ostrom.core.files import check_regular
from ostrom.core.finding import ChartEntry, Column, Finding, Row, Table, decimals, number
from ostrom.core.game import imported
from ostrom.core.listing import brief
from ostrom.core.settings import Display
from ostrom.core.text import clean, number_of, one_line
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.items import read_table
from ostrom.journal.open import open_journal

MAX_MEMBERS: Final = 20
"""The number of players that a terminal lists. JSON has all."""
MAX_SETS: Final = 60
"""The largest number of sets of decisions that are fitted separately."""
_CAPTION: Final = "Intervals: 95 %, with {unit}s as independent units. Log likelihood: {likelihood}."
_LOSSES: Final = (
    "Log loss per decision of {unit}s to which the model was not fitted. The gain is over the first row, with its "
    "interval over {unit}s."
)


class FitSettings(JournalSettings):
    """Settings of estimators of behaviour."""

    estimator: Annotated[str, Display(form="ESTIMATOR", positional=True)] = Field(
        description=f"What is estimated: {', '.join(FITS)}."
    )
    file: Annotated[Path | None, Display(form="FILE", positional=True)] = Field(
        None, description="A table of decisions, as .csv or .parquet; by default, the games of the journal."
    )
    game: Annotated[str | None, Display(form="GAME")] = Field(
        None, description="The game; by default, the one with the most games in the journal."
    )
    by: Annotated[str | None, Display(form="COLUMN")] = Field(
        None, description="Fit the decisions of each value of this column separately, such as a treatment."
    )
    test: Annotated[str | None, Display(form="COLUMN=VALUE")] = Field(
        None, description="Set these decisions aside for the score; by default, it is cross-validated over units."
    )
    without: Annotated[tuple[str, ...], Display(form="PLAYER")] = Field(
        (), description="Leave out this player; repeatable."
    )
    unit: Literal["player", "seat"] = Field(
        "player", description="The unit that has a strategy or a type: a player, or each seat of a game."
    )
    classes: int = Field(1, ge=1, le=6, description="Number of types in a finite mixture of social preferences.")
    resamples: int = Field(200, ge=50, le=5_000, description="Number of bootstrap resamples for standard errors.")
    seed: int = Field(0, ge=0, description="Seed of resamples and folds.")


@verb("fit", keeps=False, group="analyse")
def fit(store: str | None, settings: FitSettings, reporter: Reporter = SILENT) -> Finding:
    """Estimate types, strategies, preferences or levels of reasoning, with intervals and a score out of sample."""
    if settings.estimator not in FITS:
        raise UnknownName("estimator", settings.estimator[:60], list(FITS))
    estimator: Estimator = imported(FITS[settings.estimator])
    table, place = _table_of(store, settings, estimator, reporter)
    options = FitOptions(settings.resamples, settings.seed, settings.classes, settings.unit)
    results = {name: estimator.fit(rows, options) for name, rows in _sets(table, settings, estimator)}
    return finding_of(estimator, results, place, settings.by)


def _table_of(
    store: str | None, settings: FitSettings, estimator: Estimator, reporter: Reporter
) -> tuple[pl.DataFrame, str]:
    """Return the table of decisions, and a description of where they are from."""
    if settings.file is not None:
        return _file(settings.file), settings.file.name
    with open_journal(store) as journal:
        tables, _ = select_tables(journal, settings.selection, reporter.note, reporter.spell)
        known = journal.names.known()
        names = {player: known.of(player) for player in tables.seats["player"].unique()}
    for table in _tables(tables):
        priced = with_payoffs(table) if "own_ac" in estimator.columns else table
        if has_columns(priced, estimator.columns):
            rows = priced.with_columns(pl.col("player").replace(names))
            games = tables.games.drop([one for one in tables.games.columns if one in rows.columns and one != "game"])
            return rows.join(games, on="game", how="left"), number_of(tables.games.height, "game")
    raise InputError(
        f"these games have no decisions for {settings.estimator}; it needs a table with {', '.join(estimator.columns)}"
    )


def _tables(tables: GameTables) -> Iterator[pl.DataFrame]:
    for one in fields(tables):
        value = getattr(tables, one.name)
        if isinstance(value, pl.DataFrame) and one.name not in ("games", "before"):
            yield value


def _file(path: Path) -> pl.DataFrame:
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a .csv or .parquet file with decisions")
    if path.suffix != ".parquet":
        return read_table(path)
    try:
        check_regular(path)
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot read {path} as a Parquet table: {one_line(str(error))[:200]}") from error


def _sets(table: pl.DataFrame, settings: FitSettings, estimator: Estimator) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the sets of decisions that are fitted separately, by name. The name of a single set is empty."""
    if settings.test is not None:
        table = _with_test(table, settings.test, estimator)
    rows = decisions_of(table, estimator.columns, estimator.optional, settings.by or "")
    if settings.without:
        absent = [name for name in settings.without if name not in set(rows["player"])]
        if absent:
            raise InputError(f"there is no player {absent[0]!r} in these decisions")
        rows = rows.filter(~pl.col("player").is_in(list(settings.without)))
    if settings.by is None:
        yield "", rows
        return
    values = rows["by"].unique().drop_nulls().sort().to_list()
    if len(values) > MAX_SETS:
        raise InputError(f"the column {settings.by} has {len(values)} values; at most {MAX_SETS} can be fitted")
    for value in values:
        yield value, rows.filter(pl.col("by") == value)


def _with_test(table: pl.DataFrame, test: str, estimator: Estimator) -> pl.DataFrame:
    if "test" not in estimator.optional:
        raise InputError(f"{estimator.name} has no score for decisions that are set aside; it cross-validates")
    column, equals, value = test.partition("=")
    if not equals or column not in table.columns:
        raise InputError(f"{test!r} must be COLUMN=VALUE with a column among {brief(table.columns, 300)}")
    marked = table.with_columns(test=pl.col(column).cast(pl.String) == value)
    if not 0 < int(marked["test"].sum()) < marked.height:
        raise InputError(f"{test} must hold for some decisions, and not for all")
    return marked


def finding_of(estimator: Estimator, results: Mapping[str, FitResult], place: str, by: str | None) -> Finding:
    """Return the finding of the fits to one or several sets of decisions."""
    first = next(iter(results.values()))
    parts = [_parameters(results, by), _scores(results, by), _members(results, by, estimator)]
    notes = dict.fromkeys(note for result in results.values() for note in result.notes)
    return Finding(
        verb="fit",
        title=f"{estimator.name}: {clean(place)}",
        summary=estimator.summary,
        facts={
            "estimator": estimator.name,
            "decisions": {name: result.decisions for name, result in results.items()},
            "units": {name: result.units for name, result in results.items()},
            "unit": first.unit,
            "log_likelihood": {name: result.log_likelihood for name, result in results.items()},
            "figures": {name: dict(result.figures) for name, result in results.items()},
        },
        parts=parts,
        sentences=[estimator.summary, *notes],
        chart_entries=[ChartEntry("fit", "Estimates", "ostrom.findings.fit_pictures:fit_chart", "parameters")],
        result=results,
    )


def _set_column(by: str | None) -> Column:
    return Column("set", by, in_json=True, in_frame=True) if by else Column("set", None, in_json=False, in_frame=False)


def _parameters(results: Mapping[str, FitResult], by: str | None) -> Table:
    rows: list[Row] = [
        {"set": name, "parameter": one.name, "estimate": one.estimate, "error": one.error, "kind": one.kind}
        for name, result in results.items()
        for one in result.parameters
    ]
    first = next(iter(results.values()))
    likelihoods = ", ".join(
        "–" if result.log_likelihood is None else f"{result.log_likelihood:,.3f}" for result in results.values()
    )
    counts = ", ".join(
        f"{number_of(result.decisions, 'decision')} of {number_of(result.units, result.unit)}"
        for result in list(results.values())[:1]
    )
    return Table(
        "parameters",
        [
            _set_column(by),
            Column("parameter", "parameter"),
            number("estimate", "estimate", decimals(3), interval="beside"),
            number("error", "standard error", decimals(3)),
            Column("kind"),
        ],
        rows,
        title=f"Estimates · {counts}" if len(results) == 1 else f"Estimates · {number_of(len(results), 'set')}",
        caption=_CAPTION.format(unit=first.unit, likelihood=likelihoods),
    )


def _scores(results: Mapping[str, FitResult], by: str | None) -> Table:
    rows: list[Row] = [
        {"set": name, "model": score.model, "log_loss": score.log_loss, "gain": score.gain}
        for name, result in results.items()
        for score in result.scores
    ]
    return Table(
        "scores",
        [
            _set_column(by),
            Column("model", "model"),
            number("log_loss", "log loss", decimals(4)),
            number("gain", "gain", decimals(4, signed=True), interval="beside"),
        ],
        rows,
        title="Scores out of sample",
        caption=_LOSSES.format(unit=next(iter(results.values())).unit),
    )


def _members(results: Mapping[str, FitResult], by: str | None, estimator: Estimator) -> Table:
    rows: list[Row] = []
    for name, result in results.items():
        for member in result.members:
            chances = dict(member.probabilities)
            best = max(chances, key=lambda one: chances[one]) if chances and estimator.classes else ""
            row = {"set": name, "player": member.player, "decisions": member.decisions, "best": best}
            rows.append({**row, "values": chances, "text": _values_text(chances, best)})
    shown = len(rows) <= MAX_MEMBERS
    return Table(
        "members",
        [
            _set_column(by),
            Column("player", "player", wraps=True, cell=lambda row: clean(row["player"])),
            number("decisions", "decisions"),
            *([Column("best", "most probable")] if estimator.classes else []),
            Column("values", None),
            Column("text", "probability" if estimator.classes else "own estimates", in_json=False, in_frame=False),
        ],
        rows,
        title="Membership of players" if estimator.classes else "Estimates of single players",
        on_terminal=shown,
    )


def _values_text(values: Mapping[str, float], best: str) -> str:
    if best:
        return f"{values[best]:.3f}"
    return ", ".join(f"{name} {value:.3f}" for name, value in values.items())
