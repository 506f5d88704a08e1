"""Games as tidy tables. Some tables exist for every game, and are computed from its records and finals. A game may add
further tables. Measures, ratings, charts and exports are computed from these tables.

Rounds, turns and orders are counted from 1. Seats are counted from 0, as in the records. A seat that sends no message
has no row in the table of messages.
"""

import types
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from inspect import get_annotations
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias, TypeVar

import polars as pl

from ostrom.analysis.design import FIXED, Design
from ostrom.analysis.left_out import NOTHING, By, Exclusions, counted
from ostrom.core import EventRegistry, InputError, Provenance, RecordError
from ostrom.core.effects import Say
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE, text_events
from ostrom.journal.record import GameRecord, with_tellings

Row = tuple[Any, ...]
"""A row of a table, with a value for each column of its schema."""
Schema: TypeAlias = Mapping[str, Any]
StoredRecords: TypeAlias = Iterable[tuple[str, str, GameRecord]]
"""Records of games, each as a tuple of the game's id, the experiment's id and the record."""

_SEAT: Final[Schema] = {"seat": pl.Int64, "player": pl.String}
_ANSWER_COLUMNS: Final[Schema] = {"phase": pl.String, **_SEAT, "provenance": pl.String, "seconds": pl.Float64}
ANSWERS: Final[Schema] = {"game": pl.String, "turn": pl.Int64, **_ANSWER_COLUMNS}
_MESSAGE_COLUMNS: Final[Schema] = {"order": pl.Int64, **_SEAT, "text": pl.String, "event": pl.Int64}
MESSAGES: Final[Schema] = {"game": pl.String, "round": pl.Int64, **_MESSAGE_COLUMNS}
COUNTS: Final[Schema] = {"defaulted": pl.Int64, "repaired": pl.Int64, "answers": pl.Int64}
ABOUT: Final[Mapping[str, str]] = {
    "games": "A row for each game: its rules, and how many of its answers were defaulted or repaired.",
    "seats": "A row for each seat: who held it, and how it ended; rank 1 is best, those who tie share their ranks.",
    "answers": "A row for each answer: whose it is, and how many seconds its calls took, where there were any.",
    "messages": "A row for each message; silence has none.",
}
_TABLE_TYPES: Final = ("pl.DataFrame", "polars.DataFrame", "DataFrame")
"""The type of a table as it is written in a module with postponed annotations."""


@dataclass(frozen=True, slots=True)
class GameTables:
    """The tables of some games. If a game has further tables, a subclass has them."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"answers": "seat", "messages": "seat"}
    """For each table except games and seats, the column with the seat that acted. It is None if the rows belong to the
    whole table of players."""

    games: pl.DataFrame
    """A row for each game: game, experiment, seats, source, seed, number, defaulted, repaired, answers,
    and the rules."""
    seats: pl.DataFrame
    """A row for each seat: game, seat, player, final, rank, defaulted, repaired, answers, imported. `rank` is 1 for the
    best seat. Tied seats share the mean of their ranks. `imported` is the number of answers that were read from a
    log."""
    answers: pl.DataFrame = field(default_factory=lambda: frame([], ANSWERS), kw_only=True)
    """A row for each answer. `seconds` is the total time of the answer's calls, and is missing if there were no
    calls."""
    messages: pl.DataFrame = field(default_factory=lambda: frame([], MESSAGES), kw_only=True)
    """A row for each message. `event` is the message's index among the game's events, counted from 0."""
    kind: str = field(default="", kw_only=True)
    """The game's name in records."""
    whole: Self | None = field(default=None, kw_only=True)
    """The same games with all seats, if single seats are excluded from these tables. Measures use them to compare a
    seat with its table."""
    left_out: Exclusions = field(default=NOTHING, kw_only=True)
    design: Design = field(default=FIXED, kw_only=True)
    before: pl.DataFrame | None = field(default=None, kw_only=True)
    """The table of seats as it was before any seat was excluded."""

    def __init_subclass__(cls) -> None:
        """Raise `InputError` if `ACTORS` does not name a table of the class: reports would lose it."""
        # A dataclass with slots is created twice, so the class is named here: `super()` would refer to the first one.
        super(GameTables, cls).__init_subclass__()
        tables = [name for name, kind in get_annotations(cls).items() if kind is pl.DataFrame or kind in _TABLE_TYPES]
        for name in (*GameTables.ACTORS, *tables):
            if name not in ("games", "seats", *cls.ACTORS):
                raise InputError(
                    f"{cls.__name__}.ACTORS does not name the table {name!r}: map it to the column of the seat that "
                    "acted, or to None if its rows belong to whole games"
                )

    @property
    def all_seats(self) -> pl.DataFrame:
        """All seats, including those that are excluded because of defaulted answers."""
        return self.seats if self.before is None else self.before

    @property
    def context(self) -> Self:
        """The games with all their seats."""
        return self.whole or self

    @property
    def parts(self) -> dict[str, pl.DataFrame]:
        return {name: getattr(self, name) for name in ("games", "seats", *self.ACTORS)}


Tables = TypeVar("Tables", bound=GameTables)


def common_tables(
    game: Game, records: StoredRecords, add: Callable[[str, GameRecord], None] = lambda game, record: None
) -> GameTables:
    """Return the tables of a game with finals. Records of other games are ignored. A game with further tables adds the
    rows of each record with `add`, which receives the game's id and the record."""
    rules = _rule_columns(game)

    def add_game(rows: Rows, id_: str, experiment: str, record: GameRecord) -> None:
        parsed = game.rules.model_validate(record.rules)
        ended = [None if final is None else float(final) for final in finals_of(game, id_, record)]
        add(id_, record)
        turns = max((answer.turn for answer in record.answers), default=0)
        settings = tuple(getattr(parsed, name) for name, _ in rules.values())
        add_result(rows, id_, experiment, record, turns=turns, settings=settings, ended=[ended])

    settings = {column: dtype for column, (_, dtype) in rules.items()}
    games = games_schema({f"{game.clock}s": pl.Int64, **settings})
    return game_tables(GameTables, game.name, records, add_game, {"games": games, "seats": SEATS}, better=game.better)


def extended(common: GameTables, kind: type[Tables], **more: pl.DataFrame) -> Tables:
    """Return the common tables, extended to the tables of a game with further tables."""
    own: dict[str, Any] = {column.name: getattr(common, column.name) for column in fields(common)}
    return kind(**own | more)


def finals_of(game: Game, id_: str, record: GameRecord) -> Sequence[float | None]:
    """Return the final of each seat. Finals are read from the journal or computed from the events. Raises `RecordError`
    for a record without the game's end."""
    if record.finals is not None:
        return record.finals
    assert game.finals is not None
    events = [game.events.decode(event) for event in record.events]
    try:
        finals = game.finals(events)
    except (AssertionError, LookupError, StopIteration, AttributeError) as error:
        raise RecordError(f"the record of the game {id_} does not reach the game's end") from error
    if len(finals) != len(record.seats):
        raise RecordError(f"the game {id_} has {len(record.seats)} seats and {len(finals)} finals")
    return finals


def games_schema(settings: Schema) -> dict[str, Any]:
    """Return the columns of a table of games. The columns of the rules are in the middle."""
    head = {"game": pl.String, "experiment": pl.String, "kind": pl.String, "seats": pl.Int64}
    return {**head, **settings, "source": pl.String, "seed": pl.UInt64, "number": pl.Int64, **COUNTS}


def seats_schema(ended: Schema) -> dict[str, Any]:
    """Return the columns of a table of seats. The columns of the outcome are in the middle."""
    return {"game": pl.String, **_SEAT, **ended, **COUNTS, "imported": pl.Int64}


SEATS: Final[Schema] = seats_schema({"final": pl.Float64})
_COLUMN_TYPES: Final = {bool: pl.Boolean, int: pl.Int64, float: pl.Float64, str: pl.String}


def _rule_columns(game: Game) -> dict[str, tuple[str, Any]]:
    """Return the rules that a column can store. Each key is the name of a column. Its value has the name of the rule
    and its type."""
    reserved = {*games_schema({}), f"{game.clock}s"}
    columns = {}
    for name, rule in game.rules.model_fields.items():
        kind = rule.annotation
        if typing.get_origin(kind) in (typing.Union, types.UnionType):
            (kind,) = [arg for arg in typing.get_args(kind) if arg is not type(None)][:1] or [None]
        if kind in _COLUMN_TYPES:
            columns[f"rule_{name}" if name in reserved else name] = (name, _COLUMN_TYPES[kind])
    return columns


# Rows of records.


Rows: TypeAlias = Mapping[str, list[Row]]


def game_tables(
    of: type[Tables],
    kind: str,
    records: StoredRecords,
    add: Callable[[Rows, str, str, GameRecord], None],
    schemas: Mapping[str, Schema],
    *,
    better: str = "higher",
) -> Tables:
    """Return the tables of the games of one kind. Other games are ignored. `add` adds the rows of a game to every
    table. It receives the game's id, the experiment's id and the record. `schemas` has the schemas of all tables except
    answers and messages. Raises `RecordError` for an unreadable record."""
    schemas = {**schemas, "answers": ANSWERS, "messages": MESSAGES}
    rows: Rows = {name: [] for name in schemas}
    for game, experiment, record in records:
        if record.game == kind:
            try:
                add(rows, str(game), str(experiment), record)
            except RecordError as error:
                raise RecordError(f"the game {game} of the journal cannot be read: {error}") from error
            except (KeyError, IndexError, TypeError, ValueError) as error:
                reason = f"{type(error).__name__} {error}"
                raise RecordError(f"the record of the game {game} cannot be read: {reason}") from error
    frames: dict[str, Any] = {name: frame(rows[name], schema) for name, schema in schemas.items()}
    return of(**frames | {"seats": ranked(frames["seats"], better=better)}, kind=kind)


def players_of(game: str, record: GameRecord) -> list[str]:
    """Return the players of the seats, from seat 0 on. Raises `RecordError` if seats do not count from 0."""
    numbers = [seat.seat for seat in record.seats]
    if numbers != list(range(len(numbers))):
        raise RecordError(f"the game {game} lists its seats as {numbers}; seats must be numbered from 0")
    return [seat.player for seat in record.seats]


def events_of(record: GameRecord, registry: EventRegistry) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every event with its tag. Events were validated when the record was written. For speed, only their versions
    are checked here."""
    versions = {tag: event.version for tag, event in registry.items()}
    for event in record.events:
        tag = str(event.get("event"))
        if tag not in versions or event.get("version") != versions[tag]:
            registry.decode(event)  # This raises the error.
        yield tag, event


def sources_of(record: GameRecord, phase: str) -> dict[tuple[int, int], str]:
    """Return the provenance of the answers of a phase, by turn and seat."""
    return {(answer.turn, answer.seat): answer.provenance.value for answer in record.answers if answer.phase == phase}


def add_result(
    rows: Rows,
    game: str,
    experiment: str,
    record: GameRecord,
    *,
    turns: int,
    settings: Row,
    ended: Sequence[Sequence[Any]],
) -> None:
    """Add the rows of a game: the row of the game itself, and the rows of its seats, answers and messages. `settings`
    are the values of the rules in the table of games. `ended` has the columns of the outcome in the table of seats."""
    players = players_of(game, record)
    seats = range(len(players))
    counts: list[Counter[Provenance]] = [Counter() for _ in seats]
    for answer in record.answers:
        counts[answer.seat][answer.provenance] += 1
        seconds = getattr(answer, "seconds", None)  # Journals store the time of an answer, but files of records do not.
        seat_columns = (answer.seat, players[answer.seat], answer.provenance.value)
        rows["answers"].append((game, answer.turn, answer.phase, *seat_columns, seconds))
    defaulted = [count[Provenance.DEFAULTED] for count in counts]
    repaired = [count[Provenance.REPAIRED] for count in counts]
    imported = [count[Provenance.IMPORTED] for count in counts]
    answers = [count.total() for count in counts]
    columns = (seats, players, *ended, defaulted, repaired, answers, imported)
    rows["seats"].extend((game, *row) for row in zip(*columns, strict=True))
    sums = (sum(defaulted), sum(repaired), sum(answers))
    origin = (record.source, record.seed, record.number)
    rows["games"].append((game, experiment, record.game, len(players), turns, *settings, *origin, *sums))
    rows["messages"].extend(messages_of(game, players, record))


def messages_of(game: str, players: Sequence[str], record: GameRecord) -> Iterator[Row]:
    """Yield the messages. A seat that sends no message has no row, but has a place in the order of speaking."""
    order, last = 0, None
    for place, turn, seat, text in _spoken(record):
        order, last = (order + 1 if turn == last else 1), turn
        if text:
            yield game, turn, order, seat, players[seat], text, place


def _spoken(record: GameRecord) -> Iterator[tuple[int, int, int, str]]:
    """Yield the event's position, the turn, the seat and the text of each message. In most games, only one type of
    event has a text, and it is read directly from the record, for speed. Other games may have texts that are not
    messages, so their messages are read from the `Say` effects of the events."""
    if record.game in GAMES and text_events(GAMES[record.game].events) - {MESSAGE}:
        for place, telling in enumerate(with_tellings(record).told):
            says = (effect for effect in telling.effects if isinstance(effect, Say))
            yield from ((place, telling.turn, say.seat, say.text) for say in says)
        return
    for place, event in enumerate(record.events):
        if event.get("event") == MESSAGE:
            yield place, event["round"], event["seat"], event["text"]


def frame(rows: list[Row], schema: Schema) -> pl.DataFrame:
    """Return rows as a table with these columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pl.DataFrame([_column(name, kind, of) for (name, kind), of in zip(schema.items(), columns, strict=True)])


def _column(name: str, kind: Any, values: Sequence[Any]) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=kind)
    except UnicodeEncodeError:
        # A lone surrogate can be sent and stored in a journal, but not in a table.
        whole = [None if text is None else text.encode("utf-8", "replace").decode() for text in values]
        return pl.Series(name, whole, dtype=kind)
    except (OverflowError, TypeError) as error:
        # A journal from another source, or a damaged one, may have any value instead of a number.
        reason = f"{name}: {str(error)[:120]}"
        raise RecordError(f"the journal cannot be read: {reason}; 'ostrom journal check' looks for more") from None


def ranked(seats: pl.DataFrame, *, better: str = "higher") -> pl.DataFrame:
    """Return the table of seats with the rank of each seat by its final. The best rank is 1."""
    rank = pl.col("final").rank("average", descending=better == "higher").over("game").cast(pl.Float64)
    behind = seats.columns.index("final") + 1
    return seats.select(*seats.columns[:behind], rank.alias("rank"), *seats.columns[behind:])


# Exclusion and pooling.


def without_defaulted(tables: Tables, by: By = "game") -> Tables:
    """Return the tables without the games, or without the seats, that have a defaulted answer.

    With `by` = "seat", the rows of a seat are removed from every table. Actions of other seats towards the seat are
    kept, and measures that compare a seat with its table still use the whole table. Raises `InputError` if `by` is
    neither "game" nor "seat".
    """
    if by == "game":
        selected = only_games(tables, tables.games.filter(pl.col("defaulted") == 0))
    elif by == "seat":
        selected = only_seats(tables, tables.seats.filter(pl.col("defaulted") == 0))
    else:
        raise InputError(f"defaulted answers must be left out by 'game' or by 'seat', not by {by!r}")
    return replace(
        selected, left_out=counted(tables.left_out, by, tables.all_seats, selected.seats), before=tables.all_seats
    )


def only_games(tables: Tables, games: pl.DataFrame) -> Tables:
    """Return the tables restricted to the games whose ids are in the table `games`."""
    selected: dict[str, Any] = {name: _matching(table, games, "game") for name, table in tables.parts.items()}
    whole = None if tables.whole is None else only_games(tables.whole, games)
    return replace(tables, **selected, whole=whole, left_out=NOTHING, before=None)


def only_seats(tables: Tables, seats: pl.DataFrame) -> Tables:
    """Return the tables restricted to these rows of the table of seats. Measures that compare a seat with its table
    still use the whole table."""
    selected = only_games(tables, seats)
    own: dict[str, Any] = {
        name: _matching(getattr(tables, name), seats.select("game", pl.col("seat").alias(actor)), "game", actor)
        for name, actor in tables.ACTORS.items()
        if actor is not None
    }
    return replace(selected, seats=seats, **own, whole=only_games(tables.context, seats))


def _matching(table: pl.DataFrame, keys: pl.DataFrame, *columns: str) -> pl.DataFrame:
    return table.join(keys, on=columns, how="semi", maintain_order="left")


def pooled(tables: Tables, name: str = "all") -> Tables:
    """Return the same games with a single player in all seats, so that measures by player cover all players."""
    label = pl.lit(name)
    parts: dict[str, Any] = {
        part: table.with_columns(
            label.alias(column) for column in table.columns if column == "player" or column.endswith("_player")
        )
        for part, table in tables.parts.items()
    }
    return replace(tables, **parts, whole=None if tables.whole is None else pooled(tables.whole, name))


def joined(before: Tables, after: Tables, order: Sequence[str]) -> Tables:
    """Return all rows of both tables, sorted by game in this order. Games that are not in `order` are left out."""
    place = pl.DataFrame({"game": order, "place": range(len(order))}, schema={"game": pl.String, "place": pl.Int64})
    parts: dict[str, Any] = {
        name: pl.concat([table, getattr(after, name)])
        .join(place, on="game", how="inner", maintain_order="left")
        .sort("place", maintain_order=True)
        .drop("place")
        for name, table in before.parts.items()
    }
    return replace(before, **parts)


class AnswerCounts(NamedTuple):
    """Counts of a player's answers."""

    known: int
    """The number of answers whose provenance is known. The provenance of imported answers is unknown."""
    defaulted: int
    repaired: int

    @property
    def defaulted_share(self) -> float | None:
        """The share of answers that the game gave in the player's place; None if all answers were imported."""
        return self.defaulted / self.known if self.known else None

    @property
    def repaired_share(self) -> float | None:
        """The share of answers that were legal only after a refusal; None if all answers were imported."""
        return self.repaired / self.known if self.known else None


NOT_KNOWN: Final = AnswerCounts(0, 0, 0)
"""The counts of a player whose answers are not recorded."""


def answers_by_player(tables: GameTables) -> dict[str, AnswerCounts]:
    """Return the counts of every player's answers in all games. Excluded games and seats are included, since excluding
    them would hide the defaulted answers."""
    counted_answers = (pl.col("answers") - pl.col("imported")).sum().alias("known")
    sums = (
        tables.all_seats.group_by("player").agg(counted_answers, pl.col("defaulted", "repaired").sum()).sort("player")
    )
    return {player: AnswerCounts(*counts) for player, *counts in sums.iter_rows()}
