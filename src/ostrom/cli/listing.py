"""`ostrom list`: what there is to play, by which rules, and who there is to play it; and `ostrom status`: the
experiments of a journal, how far each is, and where its answers come from."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from typing import Annotated, Any, Final

import typer

from ostrom.cli.listed_games import Events, Find, OfOutcome, Player, Rows, Winner, game_rows
from ostrom.core import InputError, Provenance
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.game import Seats
from ostrom.core.outlets import legible
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.core.text import number_of
from ostrom.journal.arrange import ARCHIVED, TAGS, tags_of
from ostrom.journal.engine import DEFAULT, VARIABLE, locate
from ostrom.journal.game_lists import EVERY_GAME, GameFilters
from ostrom.journal.open import open_journal
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.spending import ModelCalls
from ostrom.players.models.bots import list_bots
from ostrom.players.people.seat import is_person
from ostrom.players.roster import descriptions, load_installed
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import rules_of, spelled
from ostrom.terminal.sheets import Column, Sheet, out, print_json


def status(
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only experiments with this tag.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Archived experiments, too.")] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Show the experiments of the journal and their progress."""
    with open_journal(store) as journal:
        label, revision, every = journal.label, journal.revision(), journal.experiments()
    rows = [row for row in every if archived or not row.settings.get(ARCHIVED)]
    rows = [row for row in rows if tag is None or tag in tags_of(row.settings)]
    if json:
        print_json({"journal": label, "revision": revision, "status": [_document(row) for row in rows]})
        return
    if not rows:
        left = f"no experiment that is meant; {len(every):,} in all, --archived shows those that are archived, too"
        out.print(f"The journal {label} holds {left if every else 'no experiment yet'}.")
        return
    tagged = any(tags_of(row.settings) for row in rows)
    columns = {one: cell for one, cell in _EXPERIMENTS.items() if tagged or one.heading != TAGS}
    out.print(Sheet.of(f"journal {label}", rows, columns))
    called = [(row.id, model) for row in rows for model in row.models]
    if called:
        out.print()
        people = any(is_person(model.model) for _, model in called)
        out.print(Sheet.of("calls of models and people" if people else "calls of models", called, _CALLS))
    for row in rows:
        for reason, games in row.suspended.items():
            out.print(f"{row.id}: {number_of(games, 'game')} suspended: {legible(reason).rstrip('.')}.", soft_wrap=True)
        if row.out.unsettled:
            out.print(_sent(row), soft_wrap=True)


def _sent(row: ExperimentRow) -> str:
    """What is known of calls that have not come back."""
    most = f"${row.out.dollars:,.4f}" if row.out.dollars else number_of(row.out.tokens, "token")
    return (
        f"{row.id}: {number_of(row.out.unsettled, 'call')} sent and not back, in flight or lost at a kill, "
        f"count as spent with at most {most}; ostrom journal settle {row.id} --charged DOLLARS says what they came to."
    )


_EXPERIMENTS: Final[Mapping[Column, Callable[[ExperimentRow], str]]] = {
    Column("experiment"): lambda row: row.id,
    Column("name", wraps=True, spare=1): lambda row: row.name,
    Column("state"): lambda row: row.state,
    Column("games", number=True): lambda row: (
        (f"{row.games:,}" if row.planned is None else f"{row.games:,} of {row.planned:,}")
        + (f" ({row.void:,} void)" if row.void else "")
    ),
    Column("answers", number=True, spare=2): lambda row: f"{row.answers:,}",
    Column("by provenance", wraps=True): lambda row: (
        ", ".join(f"{kind} {_percent(count, row.answers)}" for kind, count in row.provenance.items()) or "–"
    ),
    Column("tags", wraps=True, spare=4): lambda row: ", ".join(tags_of(row.settings)) or "–",
    Column("created", spare=3): lambda row: row.created.removesuffix("+00:00").replace("T", " "),
}
_CALLS: Final[Mapping[Column, Callable[[tuple[str, ModelCalls]], str]]] = {
    Column("experiment"): lambda one: one[0],
    Column("model", wraps=True): lambda one: one[1].model,
    Column("calls", number=True): lambda one: f"{one[1].calls:,}",
    Column("cost", number=True): lambda one: _cost(one[1]),
    Column("tokens", number=True, spare=2): lambda one: (
        "–" if is_person(one[1].model) else f"{one[1].input_tokens + one[1].output_tokens:,}"
    ),
    Column("latency", number=True, spare=3): lambda one: f"{one[1].latency:.2f} s",
    Column("retries", number=True, spare=4): lambda one: str(one[1].retries),
    Column("reasked", number=True, spare=5): lambda one: str(one[1].reasked),
    Column("defaulted", number=True): lambda one: str(one[1].defaulted),
    Column("faults", wraps=True, spare=1): lambda one: (
        ", ".join(f"{count:,} {fault.value.replace('_', ' ')}" for fault, count in one[1].faults.items()) or "none"
    ),
}
_TOLD: Final = ("id", "name", "kind", "state", "created", "games", "playing", "planned", "answers", "events")
_ADDED: Final = ("retries", "reasked", "defaulted", "refused", "cost", "reserved", "unpriced")


def _document(row: ExperimentRow) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in _TOLD},
        "provenance": {kind.value: count / row.answers for kind, count in row.provenance.items()},
        "void": row.void,
        "runs": row.runs,
        "defaulted": row.provenance.get(Provenance.DEFAULTED, 0),
        "calls": _calls_document(row.models),
        "models": {model.model: _calls_document([model]) for model in row.models},
        "sent": asdict(row.out),
        "suspended": row.suspended,
        "settings": row.settings,
    }


def _calls_document(models: Sequence[ModelCalls]) -> dict[str, Any]:
    """What the calls of these models came to, all in all."""
    calls = sum(model.calls for model in models)
    faults: Counter[str] = Counter()
    for model in models:
        faults.update({fault.value: count for fault, count in model.faults.items()})
    sums = {name: sum(getattr(model, name) for model in models) for name in (*_ADDED, "input_tokens", "output_tokens")}
    latency = sum(model.latency * model.calls for model in models) / calls if calls else None
    return {"calls": calls, "faults": dict(faults), **sums, "latency": latency}


def _cost(model: ModelCalls) -> str:
    """What is known to be spent or set aside; nothing where no price is known, or where a person was asked."""
    if is_person(model.model):
        return "–"
    spent = f"${model.cost + model.reserved:,.4f}"
    if not model.unpriced:
        return spent
    return "no price" if model.cost + model.reserved == 0 else f"{spent} and more"


def _percent(count: int, total: int) -> str:
    """A share that is never rounded up to all: one defaulted answer in a million is to be seen."""
    if count == total:
        return "100 %"
    return f"{min(max(100 * count / total, 0.1), 99.9):.1f} %"


def experiment_rows(store: str | None) -> Rows:
    """The experiments; none where no journal is named and the default one is not there yet."""
    if _not_there_yet(store):
        return []
    with open_journal(store) as journal:
        shown = ("id", "kind", "games", "state", "name")
        rows = [row for row in journal.experiments() if not row.settings.get(ARCHIVED)]
        return [{name: getattr(row, name) for name in shown} for row in rows]


def _journal(store: str | None, wanted: GameFilters) -> Rows:
    """The games that are wanted; none where none can be asked for, as above."""
    return [] if wanted == EVERY_GAME and _not_there_yet(store) else game_rows(store, wanted)


def _notes(store: str | None, experiment: str | None) -> Rows:
    """What readers left beside moments of games; none where none can be asked for, as above."""
    if experiment is None and _not_there_yet(store):
        return []
    with open_journal(store) as journal:
        return [
            {"game": note.game, "moment": note.moment, "at": note.at, "text": note.text}
            for note in journal.notes.all(experiment)
        ]


def _not_there_yet(store: str | None) -> bool:
    """Whether no journal is named and the default one is not there."""
    default = locate(DEFAULT).file
    return store is None and not os.environ.get(VARIABLE) and default is not None and not default.exists()


_BROUGHT: Final = "list."
"""Before the name of an entry point it says that the rest is a kind that a game brings."""
_PLAYERS_TOO: Final = ("champions", "subjects")
"""Kinds that stand among the players, too, under the names of the first version."""
_IN_JOURNAL: Final = ("journal", "notes")
"""Kinds that can be those of one experiment."""
_SPARE: Final = {
    "journal": {"source": 3, "experiment": 2, "rounds": 1},
    "notes": {"at": 1},
    "bots": {"at": 1, "temperature": 2},
}
"""What a narrow terminal leaves out; the id of a game begins with the experiment."""
_IN_THE_TABLE: Final = {"name", "model", "base_url", "temperature", "personality"}
"""What of a bot has a column of its own; a program gets the rest too."""


def list_(
    kind: Annotated[
        str | None,
        typer.Argument(help="What to list; if omitted, everything but the journal's contents.", show_default=False),
    ] = None,
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Only the rules or players of this game.")
    ] = None,
    players: opt.Players = None,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the games, or the notes, of this experiment.")
    ] = None,
    player: Player = None,
    winner: Winner = None,
    outcome: OfOutcome = None,
    event: Events = None,
    find: Find = "",
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """List games, the rules of a game, players, bots, and the contents of a journal."""
    filters = GameFilters(experiment, None, None, player, winner, outcome, tuple(event or ()), find)
    narrowed = replace(filters, experiment=None) != EVERY_GAME
    if kind != "journal" and narrowed:
        only = "--player, --winner, --outcome, --event and --find apply to the journal"
        raise InputError(f"{only}, as in: ostrom list journal --player NAME")
    if experiment is not None and kind not in _IN_JOURNAL:
        raise InputError("--experiment applies to journal and notes, as in: ostrom list journal --experiment NAME")
    if game is not None and kind not in ("rules", "players"):
        raise InputError("GAME applies to rules and players only, as in: ostrom list rules GAME")
    opt.load_players(players)
    load_installed()
    kinds = _kinds(game, store, filters)
    if kind is not None and kind not in kinds:
        near = get_close_matches(kind.casefold(), kinds, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"it must be one of {', '.join(kinds)}"
        raise InputError(f"there is no list of {kind!r}; {hint}")
    wanted = (
        [kind] if kind is not None else [each for each in kinds if each not in ("rules", "experiments", *_IN_JOURNAL)]
    )
    if not json and kind is None:
        wanted = [each for each in wanted if each not in _PLAYERS_TOO]
    rows = {each: kinds[each]() for each in wanted}
    if json:
        print_json(dict(rows))
        return
    if narrowed and not rows["journal"]:
        out.print("no game of the journal fits")
        return
    for name, entries in rows.items():
        _print(name, entries, game)


def _kinds(game: str | None, store: str | None, wanted: GameFilters) -> dict[str, Callable[[], Rows]]:
    brought = [name for name in declared(COMMANDS_GROUP) if name.startswith(_BROUGHT)]
    return {
        "games": _games,
        "rules": lambda: _rules(game),
        "players": lambda: _players(game),
        **{name.removeprefix(_BROUGHT): load(COMMANDS_GROUP, name) for name in brought},
        "champions": lambda: _players(DEFAULT_GAME),
        "bots": _bots,
        "experiments": lambda: experiment_rows(store),
        "journal": lambda: _journal(store, wanted),
        "notes": lambda: _notes(store, wanted.experiment),
    }


def _print(name: str, entries: Rows, game: str | None) -> None:
    if not entries:
        out.print("no games in the journal" if name == "journal" else f"no {name}")
        return
    if name == "bots":
        entries = [_shortened(entry) for entry in entries]
    if name == "journal":
        entries = [{**_without(entry, "names"), "players": entry["names"]} for entry in entries]
    if name == "players" and game is None:
        for games in dict.fromkeys(tuple(entry["games"]) for entry in entries):
            own = [_without(entry, "games") for entry in entries if tuple(entry["games"]) == games]
            _print(name, own, ", ".join(games))
        return
    if name == "rules":
        entries = [{**entry, "default": spelled(entry["default"])} for entry in entries]
    title = name if game is None else f"{name} of {game}"
    *narrow, last = entries[0]
    spare = _SPARE.get(name, {})
    # Long ones, and the last one, run over several lines where they must.
    columns = [Column(one, spare=spare.get(one, 0), wraps=one in ("parameters", "games")) for one in narrow]
    rows = [[_cell(value) for value in entry.values()] for entry in entries]
    out.print(Sheet(title, [*columns, Column(last, wraps=True)], rows))


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
        for rule in rules_of(GAMES.of_command(game))
    ]


def _players(game: str | None) -> Rows:
    """The players of a game; without one those of all games, each listed once with the games that it plays."""
    if game is not None:
        return _even(descriptions(GAMES.of_command(game).name))
    together: dict[tuple[str, ...], tuple[Rows, list[str]]] = {}
    for each in GAMES.values():
        known = descriptions(each.name)
        if known and not each.instrument:
            together.setdefault(tuple(row["name"] for row in known), (known, []))[1].append(each.command)
    return [{"name": row["name"], "games": games, **row} for known, games in together.values() for row in _even(known)]


def _even(rows: Rows) -> Rows:
    """Rows that all have a column for parameters where one has."""
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
            "settings": bot.model_dump(mode="json", exclude=_IN_THE_TABLE),
        }
        for bot in list_bots()
    ]


def _shortened(bot: dict[str, Any]) -> dict[str, Any]:
    """A bot in one line or two: of its personality the beginning, of its settings nothing."""
    first = re.split(r"(?<=[.!?])\s", bot["personality"], maxsplit=1)[0]
    return {**_without(bot, "settings"), "personality": first}


def _without(entry: dict[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in entry.items() if each != name}


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    return "–" if value is None else " ".join(str(value).split())
