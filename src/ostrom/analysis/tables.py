"""Games as tidy tables: those that every game has, made from its records and its finals, and what a game adds to them.
Measures, ratings, charts and exports start here.

Rounds, turns and orders count from 1, seats from 0 as in the records. Silence has no row among the messages."""

import types
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias, TypeVar

import polars as pl

from ostrom.analysis.left_out import NOTHING, By, LeftOut, counted
from ostrom.core import EventRegistry, InputError, Provenance, RecordError
from ostrom.core.effects import Say
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE, text_events
from ostrom.journal.record import GameRecord, with_tellings

Row = tuple[Any, ...]
Schema: TypeAlias = Mapping[str, Any]
"""Columns with their types."""
Kept: TypeAlias = Iterable[tuple[str, str, GameRecord]]
"""Records, each with its game's id and its experiment's."""

_SEAT: Final[Schema] = {"seat": pl.Int64, "player": pl.String}
_ANSWERED: Final[Schema] = {"phase": pl.String, **_SEAT, "provenance": pl.String, "seconds": pl.Float64}
ANSWERS: Final[Schema] = {"game": pl.String, "turn": pl.Int64, **_ANSWERED}
_SAID: Final[Schema] = {"order": pl.Int64, **_SEAT, "text": pl.String, "event": pl.Int64}
MESSAGES: Final[Schema] = {"game": pl.String, "round": pl.Int64, **_SAID}
COUNTS: Final[Schema] = {"defaulted": pl.Int64, "repaired": pl.Int64, "answers": pl.Int64}
ABOUT: Final[Mapping[str, str]] = {
    "games": "A row for each game: its rules, and how many of its answers were defaulted or repaired.",
    "seats": "A row for each seat: who held it, and how it ended; rank 1 is best, those who tie share their ranks.",
    "answers": "A row for each answer: whose it is, and how many seconds its calls took, where there were any.",
    "messages": "A row for each message; silence has none.",
}
"""What the tables of every game hold."""


@dataclass(frozen=True, slots=True)
class GameTables:
    """The tables of some games, whichever game it is; a game that has more of them adds them in a class of its own."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"answers": "seat", "messages": "seat"}
    """The tables behind games and seats: for each the column with the seat whose doing a row is, or none where a row is
    the doing of the whole table."""

    games: pl.DataFrame
    """A row for each game: game, experiment, seats, source, seed, number, defaulted, repaired, answers,
    and the rules."""
    seats: pl.DataFrame
    """A row for each seat: game, seat, player, final, rank, defaulted, repaired, answers, imported. `rank` is
    fractional, 1 is best, those who tie share their ranks. `imported` counts answers read from a log."""
    answers: pl.DataFrame = field(default_factory=lambda: frame([], ANSWERS), kw_only=True)
    """A row for each answer; `seconds` are those of all calls that it took, and missing where it took none."""
    messages: pl.DataFrame = field(default_factory=lambda: frame([], MESSAGES), kw_only=True)
    """A row for each message; `event` is its place among the game's events, from 0."""
    kind: str = field(default="", kw_only=True)
    """What records call the game."""
    whole: Self | None = field(default=None, kw_only=True)
    """Where single seats were left out: the same games with all their seats, to compare a seat with its table."""
    left_out: LeftOut = field(default=NOTHING, kw_only=True)
    """What is not in these tables."""
    before: pl.DataFrame | None = field(default=None, kw_only=True)
    """Where anything was left out: the table of seats as it was."""

    @property
    def asked(self) -> pl.DataFrame:
        """The seats before any was left out for its defaulted answers."""
        return self.seats if self.before is None else self.before

    @property
    def context(self) -> Self:
        """The games with all their seats."""
        return self.whole or self

    @property
    def parts(self) -> dict[str, pl.DataFrame]:
        """Every table by its name."""
        return {name: getattr(self, name) for name in ("games", "seats", *self.ACTORS)}


Tables = TypeVar("Tables", bound=GameTables)


def common_tables(
    game: Game, records: Kept, add: Callable[[str, GameRecord], None] = lambda game, record: None
) -> GameTables:
    """The tables that every game with finals has; records of other games are passed over. A game that has more adds the
    rows of each record by `add`, which is given the game's id and the record."""
    rules = _settings(game)

    def one(made: Rows, id_: str, experiment: str, record: GameRecord) -> None:
        found = game.rules.model_validate(record.rules)
        ended = [None if final is None else float(final) for final in finals_of(game, id_, record)]
        add(id_, record)
        turns = max((answer.turn for answer in record.answers), default=0)
        settings = tuple(getattr(found, name) for name, _ in rules.values())
        add_result(made, id_, experiment, record, turns=turns, settings=settings, ended=[ended])

    settings = {column: dtype for column, (_, dtype) in rules.items()}
    games = games_schema({f"{game.clock}s": pl.Int64, **settings})
    return game_tables(GameTables, game.name, records, one, {"games": games, "seats": SEATS}, better=game.better)


def extended(common: GameTables, kind: type[Tables], **more: pl.DataFrame) -> Tables:
    """The common tables as those of a game that has more of them."""
    own: dict[str, Any] = {one.name: getattr(common, one.name) for one in fields(common)}
    return kind(**own | more)


def finals_of(game: Game, id_: str, record: GameRecord) -> Sequence[float | None]:
    """What each seat ended with: as the journal keeps it, or else out of the events."""
    if record.finals is not None:
        return record.finals
    assert game.finals is not None
    events = [game.events.decode(event) for event in record.events]
    try:
        found = game.finals(events)
    except (AssertionError, LookupError, StopIteration, AttributeError) as error:
        raise RecordError(f"the record of the game {id_} does not reach the game's end") from error
    if len(found) != len(record.seats):
        raise RecordError(f"the game {id_} has {len(record.seats)} seats and {len(found)} finals")
    return found


def games_schema(settings: Schema) -> dict[str, Any]:
    """The columns of a table of games, with those of its rules in their midst."""
    head = {"game": pl.String, "experiment": pl.String, "kind": pl.String, "seats": pl.Int64}
    return {**head, **settings, "source": pl.String, "seed": pl.UInt64, "number": pl.Int64, **COUNTS}


def seats_schema(ended: Schema) -> dict[str, Any]:
    """The columns of a table of seats, with those that tell how they ended in their midst."""
    return {"game": pl.String, **_SEAT, **ended, **COUNTS, "imported": pl.Int64}


SEATS: Final[Schema] = seats_schema({"final": pl.Float64})
_PLAIN: Final = {bool: pl.Boolean, int: pl.Int64, float: pl.Float64, str: pl.String}


def _settings(game: Game) -> dict[str, tuple[str, Any]]:
    """The rules that a column can hold: by column, the name of the rule and the column's type."""
    taken = {*games_schema({}), f"{game.clock}s"}
    found = {}
    for name, rule in game.rules.model_fields.items():
        kind = rule.annotation
        if typing.get_origin(kind) in (typing.Union, types.UnionType):
            (kind,) = [one for one in typing.get_args(kind) if one is not type(None)][:1] or [None]
        if kind in _PLAIN:
            found[f"rule_{name}" if name in taken else name] = (name, _PLAIN[kind])
    return found


# Rows, as records give them.


Rows: TypeAlias = Mapping[str, list[Row]]
"""Rows as they come, by the name of their table."""


def game_tables(
    of: type[Tables],
    kind: str,
    records: Kept,
    add: Callable[[Rows, str, str, GameRecord], None],
    schemas: Mapping[str, Schema],
    *,
    better: str = "higher",
) -> Tables:
    """The tables of the games of one kind; other games are passed over. `add` adds the rows of a game to every table,
    given the game's id, its experiment's and its record; `schemas` are those of all tables but answers and messages."""
    schemas = {**schemas, "answers": ANSWERS, "messages": MESSAGES}
    made: Rows = {name: [] for name in schemas}
    for game, experiment, record in records:
        if record.game == kind:
            try:
                add(made, str(game), str(experiment), record)
            except RecordError as error:
                raise RecordError(f"the game {game} of the journal cannot be read: {error}") from error
            except (KeyError, IndexError, TypeError, ValueError) as error:
                reason = f"{type(error).__name__} {error}"
                raise RecordError(f"the record of the game {game} cannot be read: {reason}") from error
    frames: dict[str, Any] = {name: frame(made[name], schema) for name, schema in schemas.items()}
    return of(**frames | {"seats": ranked(frames["seats"], better=better)}, kind=kind)


def players_of(game: str, record: GameRecord) -> list[str]:
    """Who held the seats, from seat 0 on."""
    numbers = [seat.seat for seat in record.seats]
    if numbers != list(range(len(numbers))):
        raise RecordError(f"the game {game} lists its seats as {numbers}; they must count from 0")
    return [seat.player for seat in record.seats]


def events_of(record: GameRecord, known: EventRegistry) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every event with its tag. They are read by plain access, for speed: they were checked when the record was
    written. Their versions are checked here."""
    versions = {tag: event.version for tag, event in known.items()}
    for event in record.events:
        tag = str(event.get("event"))
        if tag not in versions or event.get("version") != versions[tag]:
            known.decode(event)  # says what is wrong with it
        yield tag, event


def sources_of(record: GameRecord, phase: str) -> dict[tuple[int, int], str]:
    """The provenance of the answers of a phase, by turn and seat."""
    return {(one.turn, one.seat): one.provenance.value for one in record.answers if one.phase == phase}


def add_result(
    made: Rows,
    game: str,
    experiment: str,
    record: GameRecord,
    *,
    turns: int,
    settings: Row,
    ended: Sequence[Sequence[Any]],
) -> None:
    """Add the row of the game, those of its seats, of its answers and of its messages. `settings` are the rules as the
    table of games has them, `ended` the columns of the table of seats that tell how they ended."""
    players = players_of(game, record)
    seats = range(len(players))
    counts: list[Counter[Provenance]] = [Counter() for _ in seats]
    for one in record.answers:
        counts[one.seat][one.provenance] += 1
        seconds = getattr(one, "seconds", None)  # known to a journal, and to no record's file
        whose = (one.seat, players[one.seat], one.provenance.value)
        made["answers"].append((game, one.turn, one.phase, *whose, seconds))
    defaulted = [count[Provenance.DEFAULTED] for count in counts]
    repaired = [count[Provenance.REPAIRED] for count in counts]
    imported = [count[Provenance.IMPORTED] for count in counts]
    answers = [count.total() for count in counts]
    columns = (seats, players, *ended, defaulted, repaired, answers, imported)
    made["seats"].extend((game, *row) for row in zip(*columns, strict=True))
    sums = (sum(defaulted), sum(repaired), sum(answers))
    origin = (record.source, record.seed, record.number)
    made["games"].append((game, experiment, record.game, len(players), turns, *settings, *origin, *sums))
    made["messages"].extend(messages_of(game, players, record))


def messages_of(game: str, players: Sequence[str], record: GameRecord) -> Iterator[Row]:
    """What was said. Silence has no row, but its place in the order of speaking."""
    order, last = 0, None
    for place, turn, seat, text in _spoken(record):
        order, last = (order + 1 if turn == last else 1), turn
        if text:
            yield game, turn, order, seat, players[seat], text, place


def _spoken(record: GameRecord) -> Iterator[tuple[int, int, int, str]]:
    """Who spoke: the event's place, the turn, the seat and the text. The usual event is read as it was recorded, for
    speed; a game that has other events with texts is told, and its tellings say which of them were spoken."""
    if record.game in GAMES and text_events(GAMES[record.game].events) - {MESSAGE}:
        for place, telling in enumerate(with_tellings(record).told):
            says = (effect for effect in telling.effects if isinstance(effect, Say))
            yield from ((place, telling.turn, say.seat, say.text) for say in says)
        return
    for place, event in enumerate(record.events):
        if event.get("event") == MESSAGE:
            yield place, event["round"], event["seat"], event["text"]


def frame(rows: list[Row], schema: Schema) -> pl.DataFrame:
    """Rows as a table of these columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pl.DataFrame([_column(name, kind, of) for (name, kind), of in zip(schema.items(), columns, strict=True)])


def _column(name: str, kind: Any, values: Sequence[Any]) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=kind)
    except UnicodeEncodeError:
        # Half a character can be said, and be kept in a journal, but stands in no table.
        whole = [None if text is None else text.encode("utf-8", "replace").decode() for text in values]
        return pl.Series(name, whole, dtype=kind)
    except (OverflowError, TypeError) as error:
        # A journal that was given to somebody, or damaged, may hold anything where a number belongs.
        why = f"{name}: {str(error)[:120]}"
        raise RecordError(f"the journal cannot be read: {why}; 'ostrom journal check' looks for more") from None


def ranked(seats: pl.DataFrame, *, better: str = "higher") -> pl.DataFrame:
    """The table of seats with their ranks behind what they ended with; 1 is best."""
    rank = pl.col("final").rank("average", descending=better == "higher").over("game").cast(pl.Float64)
    behind = seats.columns.index("final") + 1
    return seats.select(*seats.columns[:behind], rank.alias("rank"), *seats.columns[behind:])


# What is left out, and what is taken together.


def without_defaulted(tables: Tables, by: By = "game") -> Tables:
    """The tables without what the game answered in a player's place: without every game in which that happened, or
    without every seat to which it happened.

    By seat, a seat's own rows leave every table; what others did to it stays, being their doing, and measures that
    compare a seat with its table still see the whole table."""
    if by == "game":
        kept = only_games(tables, tables.games.filter(pl.col("defaulted") == 0))
    elif by == "seat":
        kept = _only_seats(tables, tables.seats.filter(pl.col("defaulted") == 0))
    else:
        raise InputError(f"defaulted answers are left out by 'game' or by 'seat', not by {by!r}")
    return replace(kept, left_out=counted(tables.left_out, by, tables.asked, kept.seats), before=tables.asked)


def only_games(tables: Tables, games: pl.DataFrame) -> Tables:
    """The tables of these games alone, which a table with their ids names, as if there had been no others."""
    kept: dict[str, Any] = {name: _matching(table, games, "game") for name, table in tables.parts.items()}
    whole = None if tables.whole is None else only_games(tables.whole, games)
    return replace(tables, **kept, whole=whole, left_out=NOTHING, before=None)


def _only_seats(tables: Tables, seats: pl.DataFrame) -> Tables:
    left = only_games(tables, seats)
    own: dict[str, Any] = {
        name: _matching(getattr(tables, name), seats.select("game", pl.col("seat").alias(actor)), "game", actor)
        for name, actor in tables.ACTORS.items()
        if actor is not None
    }
    return replace(left, seats=seats, **own, whole=only_games(tables.context, seats))


def _matching(table: pl.DataFrame, kept: pl.DataFrame, *columns: str) -> pl.DataFrame:
    return table.join(kept, on=columns, how="semi", maintain_order="left")


def pooled(tables: Tables, name: str = "all") -> Tables:
    """The same games as if one player had held every seat: any measure by player then speaks of all of them."""
    one = pl.lit(name)
    made: dict[str, Any] = {
        part: table.with_columns(
            one.alias(column) for column in table.columns if column == "player" or column.endswith("_player")
        )
        for part, table in tables.parts.items()
    }
    return replace(tables, **made, whole=None if tables.whole is None else pooled(tables.whole, name))


def joined(before: Tables, after: Tables, order: Sequence[str]) -> Tables:
    """All rows of both, game by game in this order; those of games that are not named in it are left out."""
    place = pl.DataFrame({"game": order, "place": range(len(order))}, schema={"game": pl.String, "place": pl.Int64})
    made: dict[str, Any] = {
        name: pl.concat([table, getattr(after, name)])
        .join(place, on="game", how="inner", maintain_order="left")
        .sort("place", maintain_order=True)
        .drop("place")
        for name, table in before.parts.items()
    }
    return replace(before, **made)


class AnswerCounts(NamedTuple):
    """How far a player's answers are its own."""

    known: int
    """Answers of which it is known; an imported one was read from a log that does not tell."""
    defaulted: int
    repaired: int

    @property
    def defaulted_share(self) -> float | None:
        """The part that the game gave in the player's place; unknown where all answers were imported."""
        return self.defaulted / self.known if self.known else None

    @property
    def repaired_share(self) -> float | None:
        """The part that was legal only after a refusal; unknown where all answers were imported."""
        return self.repaired / self.known if self.known else None


NOT_KNOWN: Final = AnswerCounts(0, 0, 0)
"""Of a player whose answers nobody kept."""


def answers_by_player(tables: GameTables) -> dict[str, AnswerCounts]:
    """Every player's answers, in all games that it sat in: what was left out for its defaulted answers counts too, or
    leaving it out would hide it."""
    known = (pl.col("answers") - pl.col("imported")).sum().alias("known")
    sums = tables.asked.group_by("player").agg(known, pl.col("defaulted", "repaired").sum()).sort("player")
    return {player: AnswerCounts(*counts) for player, *counts in sums.iter_rows()}
