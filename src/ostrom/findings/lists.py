"""The verb `list`: games, rules, players and bots, and the experiments, games and notes of a journal."""

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Annotated, Any, Final, TypeAlias

from pydantic import Field

from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.errors import InputError, field
from ostrom.core.finding import MISSING, Column, Finding, Row, Table
from ostrom.core.game import Seats, imported
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.core.settings import Display, Settings, describe_rules, rule_text
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.session_lists import session_rows
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.engine import DEFAULT, VARIABLE, locate
from ostrom.journal.game_lists import EVERY_GAME, GameFilters, Outcome
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import list_bots
from ostrom.players.roster import descriptions, load_installed

Rows: TypeAlias = list[dict[str, Any]]
MAX_GAMES: Final = 2**31 - 1
"""The value that stands for no limit on the number of games. No journal has more games."""
MAX_LISTED_GAMES: Final = 1_000
"""The largest number of games of a journal that a table for people lists. The JSON output has all selected games."""
_GAME_FIELDS: Final = ("id", "experiment", "game", "rounds", "state", "source")
_EXPERIMENT_FIELDS: Final = ("id", "kind", "games", "state", "name")
_BOT_COLUMNS: Final = {"name", "model", "base_url", "temperature", "personality"}
"""The settings of a bot that have separate columns."""
_ENTRY_POINT_PREFIX: Final = "list."
"""The prefix of the names of entry points with which games add kinds of lists."""
_PLAYER_KINDS: Final = ("champions", "subjects")
"""The kinds of lists whose entries are also listed among the players."""
_SESSIONS: Final = "sessions"
_JOURNAL_KINDS: Final = ("journal", "notes")
"""The kinds of lists that can be limited to one experiment."""
_NARROWING: Final = ("player", "winner", "outcome", "event", "find")


class ListSettings(Settings):
    """Settings of the verb `list`."""

    kind: Annotated[str | None, Display(form="KIND", positional=True)] = Field(
        None, description="What to list; if omitted, everything but the journal's contents."
    )
    game: Annotated[str | None, Display(form="GAME", positional=True)] = Field(
        None, description="Only the rules or players of this game."
    )
    experiment: Annotated[str | None, Display(form="NAME")] = Field(
        None, description="Only the games, or the notes, of this experiment."
    )
    player: Annotated[str | None, Display(form="PLAYER")] = Field(
        None, description="journal: only games with this player, by id or name."
    )
    winner: Annotated[str | None, Display(form="PLAYER")] = Field(
        None, description="journal: only games that this player won, alone or with others."
    )
    outcome: Outcome | None = Field(
        None,
        description="journal: only games with this outcome: finished, one winner, several winners, void, not over.",
    )
    event: Annotated[tuple[str, ...], Display(form="EVENT")] = Field(
        (),
        description="journal: only games with this event: broken-promise, ruin, exclusion, comeback, defaulted, "
        "unreadable; if repeated, only games with all of these events.",
    )
    find: Annotated[str, Display(form="WORDS")] = Field(
        "",
        description="journal: only games with these words in the names of players, in id, key, source or reason, or "
        "in the experiment's name.",
    )
    limit: int | None = Field(None, ge=1, le=MAX_GAMES, description="journal: at most this many games.")
    offset: int = Field(0, ge=0, le=MAX_GAMES, description="journal: skip this many games, the oldest first.")

    @property
    def filters(self) -> GameFilters:
        """The filters of games in the journal that the user typed."""
        return GameFilters(
            experiment=self.experiment,
            player=self.player,
            winner=self.winner,
            outcome=self.outcome,
            highlights=self.event,
            text=self.find,
        )

    @property
    def narrowed(self) -> bool:
        """True if games are filtered by more than their experiment."""
        return replace(self.filters, experiment=None) != EVERY_GAME

    def check(self) -> None:
        """Raise InputError if settings do not apply to the kind of list."""
        if self.kind != "journal" and self.narrowed:
            *names, last = map(field, _NARROWING)
            example = field("player", "NAME")
            raise InputError(
                f"{', '.join(names)} and {last} apply to the journal, as in: ostrom list journal {example}"
            )
        if self.experiment is not None and self.kind not in _JOURNAL_KINDS:
            example = f"ostrom list journal {field('experiment', 'NAME')}"
            raise InputError(f"{field('experiment')} applies to journal and notes, as in: {example}")
        if self.game is not None and self.kind not in ("rules", "players"):
            raise InputError("GAME applies to rules and players only, as in: ostrom list rules GAME")


@verb("list", strategies=True, keeps=False)
def list_(store: str | None, settings: ListSettings, reporter: Reporter = SILENT) -> Finding:
    """List games, the rules of a game, players, bots, and the contents of a journal."""
    settings.check()
    load_installed()
    kinds = _kinds(store, settings, reporter)
    kind = settings.kind
    if kind is not None and kind not in kinds:
        near = get_close_matches(kind.casefold(), kinds, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"it must be one of {', '.join(kinds)}"
        raise InputError(f"there is no list of {kind!r}; {hint}")
    unlisted = ("rules", "experiments", _SESSIONS, *_JOURNAL_KINDS)
    names = [name for name in kinds if name not in unlisted] if kind is None else [kind]
    rows = {name: kinds[name]() for name in names}
    facts = {}
    parts: list[Table] = []
    for name, entries in rows.items():
        if name == "players" and settings.game is None and entries:
            # Players of different games have different fields. So there is one table for all players that play the same
            # games.
            facts[name] = entries
            parts += _players_by_games(entries)
        elif name == "journal" and len(entries) > MAX_LISTED_GAMES:
            parts += _first_games(entries, settings)
        else:
            parts.append(_table(name, entries, settings))
    return Finding(verb="list", title="Lists", facts=facts, parts=parts)


def _kinds(store: str | None, settings: ListSettings, reporter: Reporter) -> dict[str, Callable[[], Rows]]:
    """Return, for each kind of list, the function that reads the rows of the list."""
    added = [name for name in declared(COMMANDS_GROUP) if name.startswith(_ENTRY_POINT_PREFIX)]
    return {
        "games": _games,
        "rules": partial(_rules, settings.game),
        "players": partial(_players, settings.game),
        **{name.removeprefix(_ENTRY_POINT_PREFIX): load(COMMANDS_GROUP, name) for name in added},
        "champions": partial(_players, DEFAULT_GAME),
        "bots": _bots,
        "experiments": partial(experiment_rows, store),
        _SESSIONS: partial(_session_rows, store),
        "journal": partial(game_rows, store, settings, reporter),
        "notes": partial(_notes, store, settings.experiment),
    }


def _table(kind: str, rows: Rows, settings: ListSettings) -> Table:
    if not rows:
        nothing = "no games in the journal" if kind == "journal" else f"no {kind}"
        return Table(kind, lines_above=["no game of the journal matches" if settings.narrowed else nothing])
    title = kind if settings.game is None else f"{kind} of {settings.game}"
    hidden = settings.kind is None and kind in _PLAYER_KINDS
    return Table(kind, _columns(kind, rows), rows, title=title, on_terminal=not hidden)


def _first_games(rows: Rows, settings: ListSettings) -> list[Table]:
    """Return a table of the first games for people, and a table of all games for programs."""
    table = _table("journal", rows[:MAX_LISTED_GAMES], settings)
    following = settings.offset + MAX_LISTED_GAMES
    note = f"{len(rows) - MAX_LISTED_GAMES:,} more games; an offset of {following} lists the next {MAX_LISTED_GAMES:,}."
    return [replace(table, in_json=False, notes=[note]), replace(table, rows=rows, on_terminal=False)]


def _players_by_games(rows: Rows) -> list[Table]:
    groups: dict[tuple[str, ...], Rows] = {}
    for row in rows:
        player = {name: value for name, value in row.items() if name != "games"}
        groups.setdefault(tuple(row["games"]), []).append(player)
    tables = []
    for games, players in groups.items():
        title = f"players of {', '.join(games)}"
        tables.append(Table("players", _columns("players", players), players, title=title, in_json=False))
    return tables


def _columns(kind: str, rows: Rows) -> list[Column]:
    """Return a column for each field of the rows. Columns that the kind of list declares replace these. The last column
    may be wide."""
    columns = {name: Column(name, name, cell=partial(_cell, name), wraps=name == "parameters") for name in rows[0]}
    columns |= _DECLARED_COLUMNS.get(kind, {})
    last = [column for column in columns.values() if column.heading is not None][-1]
    columns[last.name] = replace(last, wraps=True)
    return list(columns.values())


def _cell(name: str, row: Row) -> str:
    value = row[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    return MISSING if value is None else " ".join(str(value).split())


def _first_sentence(row: Row) -> str:
    return " ".join(re.split(r"(?<=[.!?])\s", row["personality"], maxsplit=1)[0].split())


def _default(row: Row) -> str:
    return rule_text(row["default"])


def _column(name: str, heading: str | None = None, spare: int = 0) -> Column:
    return Column(name, heading or name, cell=partial(_cell, name), spare=spare)


_DECLARED_COLUMNS: Final[Mapping[str, Mapping[str, Column]]] = {
    "rules": {"default": Column("default", "default", cell=_default)},
    "journal": {
        # A narrow terminal drops these columns first, since the id of a game already begins with its experiment.
        "experiment": _column("experiment", spare=2),
        "rounds": _column("rounds", spare=1),
        "source": _column("source", spare=3),
        "players": Column("players"),
        "names": _column("names", "players"),
    },
    "notes": {"at": _column("at", spare=1)},
    "bots": {
        "at": _column("at", spare=1),
        "temperature": _column("temperature", spare=2),
        "personality": Column("personality", "personality", cell=_first_sentence),
        "settings": Column("settings"),
    },
}


def _games() -> Rows:
    return [
        {"name": game.command, "seats": _range(game.seats), "what": game.summary}
        for game in GAMES.values()
        if not game.instrument
    ]


def _range(seats: Seats) -> str:
    return f"{seats.fewest}" if seats.fewest == seats.most else f"{seats.fewest} to {seats.most:,}"


def _rules(game: str | None) -> Rows:
    if game is None:
        raise InputError("name a game, as in 'ostrom list rules GAME'; 'ostrom list games' shows all games")
    return [
        {
            "name": rule.name.replace("_", "-"),
            "default": rule.default,
            "range": rule.range or rule.kind,
            "meaning": rule.meaning,
        }
        for rule in describe_rules(GAMES.of_command(game).rules)
    ]


def _players(game: str | None) -> Rows:
    """Return the players of a game. Without a game, return the players of all games. Each of these has a list of the
    games that it plays."""
    if game is not None:
        return _with_parameters(descriptions(GAMES.of_command(game).name))
    groups: dict[tuple[str, ...], tuple[Rows, list[str]]] = {}
    for entry in GAMES.values():
        players = descriptions(entry.name)
        if players and not entry.instrument:
            _, games = groups.setdefault(tuple(row["name"] for row in players), (players, []))
            games.append(entry.command)
    return [
        {"name": row["name"], "games": games, **row}
        for players, games in groups.values()
        for row in _with_parameters(players)
    ]


def _with_parameters(rows: Rows) -> Rows:
    """Return the rows. If any row has parameters, every row gets a field for parameters."""
    if not any("parameters" in row for row in rows):
        return rows
    return [{"name": row["name"], "parameters": row.get("parameters", []), **row} for row in rows]


def _bots() -> Rows:
    return [
        {
            "name": bot.name,
            "model": bot.model,
            "at": bot.base_url,
            "temperature": bot.temperature,
            "personality": bot.personality,
            "settings": bot.model_dump(mode="json", exclude=_BOT_COLUMNS),
        }
        for bot in list_bots()
    ]


def _is_missing(store: str | None) -> bool:
    """Return whether no journal is named and the default journal does not exist. The lists are then empty, which is not
    an error."""
    default = locate(DEFAULT).file
    return store is None and not os.environ.get(VARIABLE) and default is not None and not default.exists()


def experiment_rows(store: str | None) -> Rows:
    """Return the experiments that are not archived."""
    if _is_missing(store):
        return []
    with open_journal(store) as journal:
        rows = [row for row in journal.experiments() if not row.settings.get(ARCHIVED)]
    return [{name: getattr(row, name) for name in _EXPERIMENT_FIELDS} for row in rows]


def _session_rows(store: str | None) -> Rows:
    if _is_missing(store):
        return []
    with open_journal(store) as journal:
        return session_rows(journal)


def game_rows(store: str | None, settings: ListSettings, reporter: Reporter) -> Rows:
    """Return the games that the filters select, the oldest first. Raise InputError if the name of an event is
    unknown."""
    typed = settings.filters
    if typed == EVERY_GAME and _is_missing(store):
        return []
    with open_journal(store) as journal:
        names = journal.names.known()
        filters = replace(
            typed,
            player=None if typed.player is None else names.player(typed.player),
            winner=None if typed.winner is None else names.player(typed.winner),
            highlights=_known_events(typed.highlights),
        )
        _summarise_games(journal, filters, reporter)
        return [
            {
                **{name: getattr(row, name) for name in _GAME_FIELDS},
                "players": list(row.players),
                "names": [names.of(player) for player in row.players],
            }
            for row in journal.pages.games(
                filters, down=False, offset=settings.offset, limit=settings.limit or MAX_GAMES
            ).games
        ]


def _notes(store: str | None, experiment: str | None) -> Rows:
    if experiment is None and _is_missing(store):
        return []
    with open_journal(store) as journal:
        return [
            {"game": note.game, "moment": note.moment, "at": note.at, "text": note.text}
            for note in journal.notes.all(experiment)
        ]


def _known_events(events: Sequence[str]) -> tuple[str, ...]:
    """Return events by their names in the journal. Raise InputError if one is unknown."""
    if not events:
        return ()
    # The function is imported here by its path, since few lists need the analysis of games.
    known = imported("ostrom.analysis.highlights:HIGHLIGHTS")
    for event in events:
        if event.replace("-", "_") not in known:
            spelled = ", ".join(name.replace("_", "-") for name in known)
            raise InputError(f"there is no event {event!r} to find games by; it must be one of {spelled}")
    return tuple(event.replace("-", "_") for event in events)


def _summarise_games(journal: Journal, filters: GameFilters, reporter: Reporter) -> None:
    """Compute winners and events for the games that do not have them yet, if the filters need them."""
    if not (filters.winner or filters.highlights or filters.outcome in ("won", "shared")):
        return
    left = imported("ostrom.analysis.highlights:summarise")(journal, math.inf)
    if left:
        reporter.note(
            f"{number_of(left, 'finished game')} may be missing: their winners and events have not been computed yet, "
            f"and the journal {journal.label} is read-only."
        )
