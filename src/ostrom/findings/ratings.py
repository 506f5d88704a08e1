"""The verb `ratings`: players rated by the ranks at which games ended, with a leaderboard for each set of rules. The
verb can also show how often each player ends ahead of each other player. This module also writes notes on the plan of
an experiment: its stopping rule, the registered plan, and missing games."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import polars as pl
from pydantic import Field

from ostrom.analysis.common_measures import head_to_head
from ostrom.analysis.contrasts import Registered, RegisteredContrast
from ostrom.analysis.intervals import looks_at, stretch
from ostrom.analysis.leaderboard import RatedPlayer, leaderboard, rate_players
from ostrom.analysis.rating_settings import BY_AIM, DRAW_PROBABILITY, PASSES, RatingSettings
from ostrom.analysis.ratings.method import describe_methods
from ostrom.analysis.ratings.methods.multipass import TrueSkillSettings
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.seated_results import estimand_of
from ostrom.analysis.selection import JournalSettings, RulesBoard, Selection, select_boards, suspended_games
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError, field
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Column, Finding, Table, number, share
from ostrom.core.settings import Display, excludes, requires
from ostrom.core.text import clean, number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.plan import Experiment, experiment_of
from ostrom.experiment.stages import last_look
from ostrom.findings.items import rate_items_of_file
from ostrom.findings.rated_files import effects_tables, rate_file
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.sql import Journal

MAX_BOARDS: Final = 4
"""The largest number of leaderboards that are shown at once. The leaderboards of other rules can be shown one at a
time."""
_TRUESKILL_FIELDS: Final = TrueSkillSettings.model_fields
_NOT_FOR_FILES: Final = ("game", "experiment", "without_defaulted", "rules", "pool", "head_to_head")


class BoardSettings(JournalSettings):
    """Settings of a leaderboard of games in a journal."""

    passes: int = Field(PASSES, description=_TRUESKILL_FIELDS["passes"].description)
    draw_probability: float = Field(DRAW_PROBABILITY, description=_TRUESKILL_FIELDS["draw_probability"].description)

    @property
    def rating(self) -> RatingSettings:
        """The rating method and its settings. Raises InputError if they are invalid."""
        return check_rating(RatingSettings(self.passes, self.draw_probability))


class RatingsSettings(BoardSettings):
    """Settings of the verb `ratings`."""

    from_: Annotated[Path | None, Display(form="FILE.csv")] = Field(
        None, description="Rate the results in a file: a table with the columns game, player and score."
    )
    items: Annotated[Path | None, Display(form="FILE.csv")] = Field(
        None,
        description="Rate models by the items of a benchmark: a table with the columns model, item and score, and "
        "optionally cluster and attempt.",
    )
    lower_is_better: bool = Field(False, description="In the file, lower scores are better.")
    cluster: Annotated[str | None, Display(form="COLUMN")] = Field(
        None,
        description="A column of the games or of the file, such as seed, experiment or source. Games with the "
        "same entry depend on each other.",
    )
    order_free: bool = Field(False, description=f"Rank by the method {ORDER_FREE.name}.")
    method: Annotated[str | None, Display(form="NAME[:setting=value,…]")] = Field(
        None, description=f"The rating method: {describe_methods()}. By default, the aim of the game determines it."
    )
    adjust: Annotated[tuple[str, ...], Display(form="COLUMN")] = Field(
        (),
        description="Adjust ratings for this covariate of seats, by a method that can (davidson, plackett-luce): in a "
        "journal seat, role or message_length, in a file any further column; repeatable.",
    )
    head_to_head: bool = Field(
        False, description="Instead of ratings, show how often each player ends ahead of each other player."
    )
    relations = (
        *(excludes("from_", name) for name in _NOT_FOR_FILES),
        *(excludes("items", name) for name in ("from_", "method", "order_free", "adjust", *_NOT_FOR_FILES)),
        excludes("adjust", "head_to_head"),
        *(excludes("items", name) for name in ("passes", "draw_probability")),
        requires("lower_is_better", "from_", "items"),
    )

    @property
    def rating(self) -> RatingSettings:
        """The rating method and its settings. Raises InputError if they are invalid."""
        if self.order_free and self.method not in (None, ORDER_FREE.name):
            raise InputError(
                f"{field('order_free')} ranks by {ORDER_FREE.name}, and {field('method')} by {self.method}; "
                "choose one of them"
            )
        method = ORDER_FREE.name if self.order_free else self.method or BY_AIM
        return check_rating(RatingSettings(self.passes, self.draw_probability, method))


def check_rating(settings: RatingSettings) -> RatingSettings:
    """Return the settings. Raises InputError if they are invalid. The settings are checked before anything is read or
    written."""
    _ = settings.trueskill, settings.choice
    return settings


@verb("ratings", keeps=False)
def ratings(store: str | None, settings: RatingsSettings, reporter: Reporter = SILENT) -> Finding:
    """Rate the players of a game by ranks, or by payoffs if that is their aim, with a board for each set of rules."""
    rating = settings.rating
    if settings.items is not None:
        if store is not None:
            raise InputError(f"{field('items')} rates a file, not games of a journal; leave out {field('store')}")
        return rate_items_of_file(settings.items, lower_is_better=settings.lower_is_better, cluster=settings.cluster)
    if settings.from_ is not None:
        if store is not None:
            raise InputError(f"{field('from_')} rates a file, not games of a journal; leave out {field('store')}")
        return rate_file(
            settings.from_,
            rating,
            lower_is_better=settings.lower_is_better,
            cluster=settings.cluster,
            adjust=settings.adjust,
        )
    with open_journal(store) as journal:
        if settings.head_to_head:
            return compare_pairs(journal, settings.selection, reporter)
        return rate_games(
            journal, settings.selection, rating, reporter, cluster=settings.cluster, adjust=settings.adjust
        )


def rate_games(
    journal: Journal,
    selection: Selection,
    rating: RatingSettings,
    reporter: Reporter = SILENT,
    most: int = MAX_BOARDS,
    *,
    cluster: str | None = None,
    adjust: Sequence[str] = (),
) -> Finding:
    """Return the leaderboards of the selected games, the one with the most games first. `most` is the largest number of
    leaderboards. `cluster` names a column of the games. Games with the same entry in this column are not independent.
    Ratings are adjusted for the columns `adjust` of the seats. Raises NothingLeft if no game is selected."""
    boards = select_boards(journal, selection, reporter.note, reporter.spell, cluster=cluster)
    stopping = plan_notes(journal, boards[0].tables, None).stopping
    names = journal.names.known()
    rating = rating.for_game(study_of(boards[0].tables).game)
    rated = [rate_players(board.tables, **asdict(rating), adjust=adjust) for board in boards[:most]]
    tables = [_ratings_table(board, players, rating, names) for board, players in zip(boards, rated, strict=False)]
    further = {} if stopping is None else {"stopping": stopping}
    finding = _boards_finding("ratings", boards, tables, names, rating.as_record(), further)
    finding = replace(finding, parts=[*finding.parts, *effects_tables(rated)])
    return replace(finding, settings=rating.as_record(), result=rated[0])


def _ratings_table(
    board: RulesBoard, rated: Sequence[RatedPlayer], rating: RatingSettings, names: PlayerNames
) -> Table:
    unit = study_of(board.tables).game.unit
    return leaderboard(rated, rating, board.tables.games.height, unit=unit, name_of=names.of)


def _boards_finding(
    verb_name: str,
    boards: Sequence[RulesBoard],
    tables: Sequence[Table],
    names: PlayerNames,
    settings: Mapping[str, Any],
    further: Mapping[str, Any],
) -> Finding:
    """Return a finding with a table for each board. In JSON, the first board is at the top level, and the other boards
    are in a list."""
    facts = [_board_facts(board, settings) for board in boards[: len(tables)]]
    others = [
        {table.name: table.records(), **board_facts} for table, board_facts in zip(tables[1:], facts[1:], strict=True)
    ]
    parts = []
    for place, (board, table) in enumerate(zip(boards, tables, strict=False)):
        lines = _lines_above(board, names, first=place == 0, several=len(boards) > 1)
        if place == 0:
            parts.append(replace(table, lines_above=[*map(str, further.values()), *lines]))
        else:
            parts.append(replace(table, lines_above=lines, name=f"{table.name}_{board.rules}", in_json=False))
    study = study_of(boards[0].tables)
    return Finding(
        verb=verb_name,
        title=f"{study.title}: {verb_name.replace('-', ' ')}",
        facts={**facts[0], **further, **({"others": others} if others else {})},
        parts=parts,
        game=study.game,
    )


def _board_facts(board: RulesBoard, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "game": study_of(board.tables).command,
        "rules": board.rules or None,
        "games": board.tables.games.height,
        **settings,
        "left_out": board.tables.left_out.as_record(),
    }


def _lines_above(board: RulesBoard, names: PlayerNames, *, first: bool, several: bool) -> list[str]:
    """Return the lines above a board, which describe its games. Above the first board, there are also lines that apply
    to all boards."""
    which = [f"By the rules {board.rules}:"] if several else []
    about = [*which, estimand_of(board.tables)]
    return [*about, *left_out_lines(board.tables, names)] if first else about


def left_out_lines(tables: GameTables, names: PlayerNames) -> list[str]:
    """Return sentences on the games and players that are left out."""

    def label(player: str) -> str:
        return clean(names.of(player))

    return tables.left_out.sentences(label)


def compare_pairs(journal: Journal, selection: Selection, reporter: Reporter = SILENT) -> Finding:
    """Return how often each player ends ahead of each other player in the selected games, with a table for each set of
    rules. Raises NothingLeft if no game is selected."""
    boards = select_boards(journal, selection, reporter.note, reporter.spell)
    names = journal.names.known()
    frames = [head_to_head(board.tables) for board in boards[:MAX_BOARDS]]
    tables = [_pairs_for_programs(frame) for frame in frames]
    finding = _boards_finding("head-to-head", boards, tables, names, {}, {})
    shown = [
        replace(_pairs_for_people(frame, board.tables.games.height, names), lines_above=part.lines_above)
        for frame, board, part in zip(frames, boards, finding.parts, strict=False)
    ]
    return replace(finding, parts=[*finding.parts, *shown])


def _pairs_for_programs(pairs: pl.DataFrame) -> Table:
    columns = [Column(name) for name in pairs.columns]
    return Table("head_to_head", columns, pairs.to_dicts(), on_terminal=False)


def _pairs_for_people(pairs: pl.DataFrame, games: int, names: PlayerNames) -> Table:
    """Return a row for every pair of players. The first player of a pair is the one that ends ahead more often. The
    most uneven pairs come first."""
    ahead = pl.col("value") > 0.5
    even = (pl.col("value") == 0.5) & (pl.col("player") < pl.col("other_player"))
    order = ["value", "n", "player", "other_player"]
    frame = pairs.filter(ahead | even).sort(order, descending=[True, True, False, False])
    rows = [
        {
            "player": names.of(row["player"]),
            "against": names.of(row["other_player"]),
            "ahead": Estimate(row["value"], row["low"], row["high"]),
            "games": row["n"],
        }
        for row in frame.iter_rows(named=True)
    ]
    columns = [
        Column("player", "player", wraps=True),
        Column("against", "against", wraps=True),
        number(
            "ahead",
            "ahead",
            share(1),
            interval="beside",
            interval_heading="95 % interval",
            interval_spare=1,
            interval_separator=" … ",
        ),
        number("games", "games", spare=2),
    ]
    caption = (
        "The share of meetings in which the player ended ahead of the other; ties count half. Each interval holds "
        "for its pair alone: among many pairs, about one interval in twenty misses. A dash (–) means fewer than 6 "
        "games together."
    )
    title = f"Head to head · {number_of(games, 'game')}"
    return Table("pairs", columns, rows, title=title, caption=caption, in_json=False)


@dataclass(frozen=True)
class PlanNotes:
    """Notes on the plan of an experiment."""

    notes: tuple[str, ...] = ()
    """Sentences for the beginning of a report."""
    stopping: str | None = None
    """A sentence on the stopping rule, and on the figures that are corrected for it."""
    registered: tuple[str, ...] | None = None
    """The registered measures; None if no plan is registered."""
    document: dict[str, Any] | None = None
    """The registration as JSON."""


def plan_notes(journal: Journal, tables: GameTables, exclusions: str | None) -> PlanNotes:
    """Return notes on missing games and, if these tables are of a single experiment, on its plan. `exclusions` says
    what the analysis excludes because of defaulted answers: 'none', 'games' or 'seats'. If it is None, a registered
    plan is not described."""
    notes = _notes_of_experiment(journal, tables, exclusions)
    return replace(notes, notes=(*notes.notes, *missing_games(journal, set(tables.games["experiment"]))))


def missing_games(journal: Journal, experiments: Collection[str]) -> list[str]:
    """Return sentences on suspended games."""
    return [f"Missing: {cause}." for cause in suspended_games(journal, experiments)]


def _notes_of_experiment(journal: Journal, tables: GameTables, exclusions: str | None) -> PlanNotes:
    experiments = tables.games["experiment"].unique().to_list()
    if len(experiments) != 1 or not {"until", "registration"} & set(journal.settings(experiments[0])):
        return PlanNotes()
    row = next(row for row in journal.experiments() if row.id == experiments[0])
    try:
        planned = experiment_of(row.name, row.settings)
    except InputError as error:  # This happens, for example, if a strategy is defined in a file that is not loaded.
        unknown = f"The plan of this experiment is not readable: {error}."
        return PlanNotes((unknown,), unknown)
    stopping, factor, held = None, 1.0, False
    if planned.until is not None:
        factor = stretch(looks_at(planned.games))
        look = last_look(planned, journal, row.id)
        if look is not None:
            held = look.holds
            ended = "ended at" if look.games >= planned.games else "has not reached"
            state = (
                f"The experiment stopped by the rule {planned.until}."
                if held
                else f"The rule {planned.until} was not met, and the experiment {ended} its limit of {planned.games:,} "
                "games."
            )
            stopping = (
                f"{state} After {look.games:,} games, {look.said}. This width, and the intervals and tiers below, are "
                "valid although the rule could end the experiment early."
            )
    notes = () if stopping is None else (stopping,)
    if exclusions is None:
        return PlanNotes(notes, stopping)
    registered = Registered.of(row.settings, row.created, _changes(planned, row, journal, exclusions, held), factor)
    if registered is None:
        return PlanNotes(notes, stopping)
    study = study_of(tables)
    contrasts: list[RegisteredContrast] = registered.contrasts(study, tables)
    names = tuple(name for name in study.measures if registered.is_registered(name))
    notes = (*registered.sentences(contrasts), *notes)
    return PlanNotes(notes, stopping, names, registered.as_record(contrasts))


def _changes(planned: Experiment, row: ExperimentRow, journal: Journal, exclusions: str, held: bool) -> list[str]:
    """Return the deviations from the registered plan."""
    if planned.registration is None:
        return []
    changes = []
    registered = planned.registration["plan"]["exclusions"]
    if exclusions != registered:
        changes.append(f"{_left_out(exclusions)}, but the registered plan says that {_left_out(registered)}")
    if not held and row.games + row.void < planned.games:
        changes.append(f"{row.games + row.void:,} of {planned.games:,} games were played")
    if row.void:
        changes.append(f"{row.void:,} games are void")
    first = row.settings.get("limits", {})
    for run in journal.runs(row.id):
        limits = run.settings.get("limits", {})
        other = [f"{name} {limits[name]}" for name in limits if name in first and limits[name] != first[name]]
        if other:
            changes.append(f"run {run.number} had other limits ({', '.join(other)})")
    return changes


def _left_out(exclusions: str) -> str:
    return "nothing is left out" if exclusions == "none" else f"{exclusions} with defaulted answers are left out"
