"""The verb `ratings`: players rated by the ranks at which games ended, a leaderboard for each set of rules; or how
often each ends ahead of each other."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Final

import polars as pl
from pydantic import Field

from ostrom.analysis.leaderboard import (
    DRAW_PROBABILITY,
    PASSES,
    RatedPlayer,
    RatingSettings,
    leaderboard,
    rate_players,
    rate_results,
)
from ostrom.analysis.measures import head_to_head
from ostrom.analysis.ratings import results_of_table
from ostrom.analysis.ratings.method import describe_methods
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, TrueSkillSettings
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.selection import RulesBoard, Selection, select_boards
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError, field
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Column, Finding, Table, number, share
from ostrom.core.settings import Display, excludes, requires
from ostrom.core.text import clean, number_of, one_line
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.journal_settings import JournalSettings
from ostrom.findings.plan_notes import plan_notes
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal

MAX_BOARDS: Final = 4
"""Leaderboards shown at once; those of other rules are shown one at a time."""
_TRUESKILL_FIELDS: Final = TrueSkillSettings.model_fields
_NOT_FOR_FILES: Final = ("game", "experiment", "without_defaulted", "rules", "pool", "head_to_head")


class BoardSettings(JournalSettings):
    """Settings of a leaderboard of games in a journal."""

    passes: int = Field(PASSES, description=_TRUESKILL_FIELDS["passes"].description)
    draw_probability: float = Field(DRAW_PROBABILITY, description=_TRUESKILL_FIELDS["draw_probability"].description)

    @property
    def rating(self) -> RatingSettings:
        """How players are rated. Raises InputError if that is invalid."""
        return check_rating(RatingSettings(self.passes, self.draw_probability))


class RatingsSettings(BoardSettings):
    """Settings of ratings."""

    from_: Annotated[Path | None, Display(form="FILE.csv")] = Field(
        None, description="Rate any results: a table with the columns game, player and score."
    )
    lower_is_better: bool = Field(False, description="The lowest score of a game in the file is its best.")
    order_free: bool = Field(False, description=f"The same as the method {ORDER_FREE.name}.")
    method: Annotated[str | None, Display(form="NAME[:setting=value,…]")] = Field(
        None, description=f"Rank by a rating method: {describe_methods()}."
    )
    head_to_head: bool = Field(
        False, description="Show how often each player ends ahead of each other, in place of ratings."
    )
    relations = (
        *(excludes("from_", name) for name in _NOT_FOR_FILES),
        requires("lower_is_better", "from_"),
    )

    @property
    def rating(self) -> RatingSettings:
        """How players are rated. Raises InputError if that is invalid."""
        if self.order_free and self.method not in (None, ORDER_FREE.name):
            raise InputError(
                f"{field('order_free')} ranks by {ORDER_FREE.name}, and {field('method')} by {self.method}; "
                "choose one of them"
            )
        method = ORDER_FREE.name if self.order_free else self.method or TRUESKILL.name
        return check_rating(RatingSettings(self.passes, self.draw_probability, method))


def check_rating(settings: RatingSettings) -> RatingSettings:
    """Return the settings. Raises InputError if they are invalid, before anything is read or written."""
    _ = settings.trueskill, settings.choice
    return settings


@verb("ratings", keeps=False)
def ratings(store: str | None, settings: RatingsSettings, reporter: Reporter = SILENT) -> Finding:
    """Rate the players of a game by the ranks at which their games ended, a board for each set of rules."""
    rating = settings.rating
    if settings.from_ is not None:
        if store is not None:
            raise InputError(f"{field('from_')} rates a file, and no games of a journal; leave out {field('store')}")
        return rate_file(settings.from_, rating, lower_is_better=settings.lower_is_better)
    with open_journal(store) as journal:
        if settings.head_to_head:
            return compare_pairs(journal, settings.selection, reporter)
        return rate_games(journal, settings.selection, rating, reporter)


def rate_games(
    journal: Journal, selection: Selection, rating: RatingSettings, reporter: Reporter = SILENT, most: int = MAX_BOARDS
) -> Finding:
    """Return the leaderboards of the selected games, at most this many; the one with the most games is the first table.
    Raises NothingLeft if no game is selected."""
    boards = select_boards(journal, selection, reporter.note, reporter.spell)
    stopping = plan_notes(journal, boards[0].tables, None).stopping
    names = journal.names.known()
    rated = [rate_players(board.tables, **asdict(rating)) for board in boards[:most]]
    tables = [_ratings_table(board, each, rating, names) for board, each in zip(boards, rated, strict=False)]
    further = {} if stopping is None else {"stopping": stopping}
    finding = _boards_finding("ratings", boards, tables, names, rating.as_record(), further)
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
    """Return the finding of a table for each board. JSON has the first at the top, and the others in a list."""
    facts = [_board_facts(board, settings) for board in boards[: len(tables)]]
    others = [{table.name: table.records(), **each} for table, each in zip(tables[1:], facts[1:], strict=True)]
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
    """Return the lines above a board. What holds for all boards is above the first."""
    which = [f"By the rules {board.rules}:"] if several else []
    return [*left_out_lines(board.tables, names), *which] if first else which


def left_out_lines(tables: GameTables, names: PlayerNames) -> list[str]:
    """Return the sentences on games and players that are left out."""

    def label(player: str) -> str:
        return clean(names.of(player))

    return tables.left_out.sentences(label)


def compare_pairs(journal: Journal, selection: Selection, reporter: Reporter = SILENT) -> Finding:
    """Return how often each player ends ahead of each other in the selected games, a table for each set of rules.
    Raises NothingLeft if no game is selected."""
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
    """Return every pair once, the one that ends ahead more often first; the most uneven come first."""
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
        "Share of meetings in which the player ended ahead of the other; ties count half. Each interval is of its pair "
        "alone: of many pairs, one in twenty is off. –: fewer than 6 games together."
    )
    title = f"Head to head · {number_of(games, 'game')}"
    return Table("pairs", columns, rows, title=title, caption=caption, in_json=False)


def rate_file(path: Path, rating: RatingSettings, *, lower_is_better: bool = False) -> Finding:
    """Return the leaderboard of the results in a CSV file. Raises InputError if it is not readable."""
    try:
        table = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = one_line(str(error).splitlines()[0])
        raise InputError(f"cannot read {path} as a table with commas: {reason}") from error
    results = results_of_table(table, lower_is_better=lower_is_better)
    rated = rate_results(results, lower_is_better=lower_is_better, **asdict(rating))
    return Finding(
        verb="ratings",
        title=f"{path.name}: ratings",
        facts={"games": results.games, **rating.as_record()},
        parts=[leaderboard(rated, rating, results.games, unit="score")],
        settings=rating.as_record(),
        result=rated,
    )
