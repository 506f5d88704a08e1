"""What may be pooled: a leaderboard takes together only games by the same rules, tells players of one name and
different descriptions apart, counts a game that is a copy of another once, and leaves single games and games with
people apart from benchmarks. Simulations are on no leaderboard. What it leaves apart it says, with the way to include
it."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

import polars as pl
from pydantic import ValidationError

from ostrom.analysis.left_out import Apart
from ostrom.analysis.plans import players_planned, prompts_used
from ostrom.analysis.tables import Tables, only_games
from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.core.text import number_of, one_line
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.read import Columns
from ostrom.journal.results import Result
from ostrom.journal.rows import digest_of
from ostrom.journal.schema import SIMULATION
from ostrom.players.people.seat import HUMAN

Together: TypeAlias = Literal["rules", "players", "copies", "exercises", "people"]
"""What may be taken together although it differs: rules; players of one name; copies; single games; people."""

_ASIDE: Final = frozenset({"name", "key_env", "price"})
"""What a bot's description says that changes nothing about how it plays."""
_LONG: Final = 24
"""Settings with so many characters at most are written out; longer ones are named by a digest."""
_NAMED: Final = 3
"""So many other rules at most are named one by one."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """What is wanted: which rules, by a digest or its beginning (those with the most games if nobody says), and what is
    taken together."""

    rules: str | None = None
    together: frozenset[Together] = frozenset()
    single: bool = False
    """Whether an experiment was named: then its games are meant, be it a single one."""


@dataclass(frozen=True)
class GamePool:
    """Games that may be taken together."""

    rules: str
    """Names the rules; empty where games by several rules are taken together."""
    results: tuple[Result, ...]
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """What players are called who are told apart from others of their name: by game and seat."""
    apart: tuple[Apart, ...] = ()

    @property
    def games(self) -> list[str]:
        return [result.id for result in self.results]

    def applied(self, tables: Tables) -> Tables:
        """The tables of these games alone, with the names of their players."""
        mine = pl.DataFrame({"game": self.games}, schema={"game": pl.String})
        chosen = tables if tables.games["game"].to_list() == self.games else only_games(tables, mine)
        return _renamed(chosen, self.names) if self.names else chosen


def _renamed(tables: Tables, names: Mapping[tuple[str, int], str]) -> Tables:
    rows = [(game, seat, name) for (game, seat), name in names.items()]
    schema = {"game": pl.String, "_seat": pl.Int64, "_name": pl.String}
    known = pl.DataFrame(rows, schema=schema, orient="row")
    made: dict[str, Any] = {}
    for part, table in tables.parts.items():
        for column in table.columns:
            seat = "seat" if column == "player" else column.removesuffix("_player")
            if (column == "player" or column.endswith("_player")) and seat in table.columns:
                named = table.join(
                    known, left_on=["game", seat], right_on=["game", "_seat"], how="left", maintain_order="left"
                )
                called = pl.coalesce("_name", column).alias(column)
                table = named.with_columns(called).drop("_name")
        made[part] = table
    return replace(tables, **made)


def pools_of(
    game: Game, results: Sequence[Result], settings: Mapping[str, Mapping[str, Any]], wanted: Pooling
) -> list[GamePool]:
    """The games in pools, the one with the most games first; with `rules` named, that pool alone. `settings` are those
    of every experiment, by its id."""
    described = {name: _descriptions(each) for name, each in settings.items()}
    results, archived = _without_archived(results, settings, wanted)
    kept, simulated = _without_simulations(results, settings, wanted)
    kept, singles = _without_exercises(kept, settings, wanted)
    kept, seated = _without_people(kept, wanted)
    kept, copies = _without_copies(kept, described, wanted)
    names, told = _told_apart(kept, described, wanted)
    common = (*archived, *simulated, *singles, *seated, *copies)
    if "rules" in wanted.together:
        if wanted.rules is not None:
            raise InputError(f"--rules {wanted.rules} names one set of rules, and --pool rules takes all; give one")
        return [GamePool("", tuple(kept), names, (*common, *told))]
    groups, texts = by_rules(game, kept)
    largest = sorted(groups, key=lambda name: -len(groups[name]))
    if wanted.rules is not None:
        largest = [named_rules(wanted.rules, largest)]
    return [
        GamePool(
            rules=name,
            results=tuple(groups[name]),
            names={place: called for place, called in names.items() if place[0] in mine},
            apart=(*_other_rules(name, groups, texts), *common, *_of_games(told, mine, names)),
        )
        for name in largest
        for mine in [{result.id for result in groups[name]}]
    ] or [GamePool("", (), {}, common)]


def _of_games(told: Iterable[Apart], mine: Collection[str], names: Mapping[tuple[str, int], str]) -> list[Apart]:
    """What is said of players that are told apart, where they sit in these games."""
    return [one for one in told if any(game in mine for game, _ in names)]


def named_rules(wanted: str, digests: Sequence[str]) -> str:
    """The one of these digests that is meant by its beginning."""
    found = [digest for digest in digests if digest.startswith(wanted)] if wanted else []
    if len(found) != 1:
        raise InputError(f"--rules {wanted} names no rules of these games; there are {', '.join(digests) or 'none'}")
    return found[0]


def by_rules(game: Game, results: Iterable[Result]) -> tuple[dict[str, list[Result]], dict[str, dict[str, Any]]]:
    """The games by a digest of their rules, and these rules in full."""
    groups: dict[str, list[Result]] = defaultdict(list)
    texts: dict[str, dict[str, Any]] = {}
    digests: dict[tuple[str, str], str] = {}
    for result in results:
        key = (result.rules, result.version or "1")
        if key not in digests:
            rules = {**_rules(game, result), "version of the game": result.version or "1"}
            digests[key] = digest_of(json.dumps(rules, sort_keys=True))[:8]
            texts[digests[key]] = rules
        groups[digests[key]].append(result)
    return groups, texts


def _rules(game: Game, result: Result) -> dict[str, Any]:
    """Rules in full: what a record does not say is as the game has it."""
    columns = Columns.of_game(result.id)
    told = columns.mapping(result.rules, "rules")
    if not game.rules.model_fields:  # a game that is not installed
        return told
    try:
        rules: dict[str, Any] = game.rules.model_validate(told).model_dump(mode="json")
    except ValidationError as error:
        raise columns.damage(f"rules: {one_line(str(error), 200)}") from None
    return rules


def _other_rules(
    name: str, groups: Mapping[str, Sequence[Result]], texts: Mapping[str, Mapping[str, Any]]
) -> list[Apart]:
    others = [other for other in sorted(groups, key=lambda each: -len(groups[each])) if other != name]
    if not others:
        return []
    listed = [
        f"{number_of(len(groups[other]), 'game')} with {_differences(texts[name], texts[other])} (rules {other})"
        for other in others[:_NAMED]
    ]
    more = len(others) - _NAMED
    if more > 0:
        listed.append(f"{number_of(more, 'more set')} of rules")
    count = sum(len(groups[other]) for other in others)
    way = "--rules shows the board of these alone, --pool rules takes all rules together."
    return [Apart("rules", count, f"Apart, by other rules: {'; '.join(listed)}.", way)]


def _differences(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """In which rules they differ from mine."""
    differing = [
        f"{name.replace('_', ' ')} {_short(theirs.get(name))} in place of {_short(mine.get(name))}"
        for name in dict.fromkeys([*mine, *theirs])
        if mine.get(name) != theirs.get(name)
    ]
    return ", ".join(differing[:3]) + (f" and {len(differing) - 3} more" if len(differing) > 3 else "")


def _short(value: Any) -> str:
    said = {True: "on", False: "off", None: "none"}.get(value) if value is None or type(value) is bool else None
    text = said or (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _LONG and text.isprintable() else digest_of(text)[:6]


# Single games, and copies.


def _without_archived(
    results: Sequence[Result], settings: Mapping[str, Mapping[str, Any]], wanted: Pooling
) -> tuple[Sequence[Result], list[Apart]]:
    mine = {name for name, each in settings.items() if each.get(ARCHIVED) is True}
    kept = [result for result in results if result.experiment not in mine]
    count = len(results) - len(kept)
    if wanted.single or not count:
        return results, []
    sentence = f"Apart: {number_of(count, 'game')} of archived experiments."
    return kept, [Apart("archived", count, sentence, "--experiment NAME shows one alone.")]


def _without_simulations(
    results: Sequence[Result], settings: Mapping[str, Mapping[str, Any]], wanted: Pooling
) -> tuple[list[Result], list[Apart]]:
    """Games of simulations are of the one who chose their players and rules, and would drown all others."""
    mine = {name for name, each in settings.items() if SIMULATION in each}
    kept = [result for result in results if result.experiment not in mine]
    count = len(results) - len(kept)
    if wanted.single or not count:
        return list(results), []
    sentence = f"Apart: {number_of(count, 'game')} of simulations, which are on no leaderboard."
    return kept, [Apart("simulations", count, sentence, "--experiment NAME shows one alone.")]


def is_exercise(settings: Mapping[str, Any]) -> bool:
    """Whether an experiment is a single game at a table that somebody laid: started from a page, or by `run`."""
    return bool(settings.get("fixed")) and settings.get("games") == 1


def _without_exercises(
    results: Sequence[Result], settings: Mapping[str, Mapping[str, Any]], wanted: Pooling
) -> tuple[list[Result], list[Apart]]:
    single = {name for name, each in settings.items() if is_exercise(each)}
    kept = [result for result in results if result.experiment not in single]
    count = len(results) - len(kept)
    if wanted.single or "exercises" in wanted.together or not kept or not count:
        return list(results), []
    games = number_of(count, "single game")
    sentence = (
        f"Apart: {games}, started from a page or with 'ostrom run', as {'it is' if count == 1 else 'they are'} no part "
        "of a benchmark."
    )
    way = "--pool exercises includes them, --experiment NAME shows one alone."
    return kept, [Apart("exercises", count, sentence, way)]


def with_people(players: Iterable[str]) -> bool:
    """Whether a person is among these players."""
    return any(player.partition(":")[0] == HUMAN for player in players)


def _without_people(results: Sequence[Result], wanted: Pooling) -> tuple[list[Result], list[Apart]]:
    """A person changes a game for all who sit in it, so the game as a whole is left apart."""
    kept = [result for result in results if not with_people(result.players)]
    count = len(results) - len(kept)
    if wanted.single or "people" in wanted.together or not kept or not count:
        return list(results), []
    sentence = f"Apart: {number_of(count, 'game')} with people at the table."
    way = "--pool people includes them, --experiment NAME shows those of one."
    return kept, [Apart("people", count, sentence, way)]


def _without_copies(
    results: Sequence[Result], described: Mapping[str, Mapping[str, str]], wanted: Pooling
) -> tuple[list[Result], list[Apart]]:
    if "copies" in wanted.together:
        return list(results), []
    first: dict[tuple[Any, ...], Result] = {}
    for result in results:
        # Where there is no seed, it is the log that tells one game from another in which the same was decided.
        drawn = (result.source,) if result.seed is None else (result.seed, result.number)
        known = described.get(result.experiment, {})
        players = tuple((player, known.get(player, "")) for player in result.players)
        first.setdefault((result.rules, *drawn, players, result.decisions), result)
    kept = list(first.values())
    count = len(results) - len(kept)
    if not count:
        return kept, []
    games = f"{count:,} {'copy' if count == 1 else 'copies'}"
    sentence = (
        f"Left out: {games} of other games (same seed, rules, players and decisions), which tell nothing new: each "
        "game counts once."
    )
    return kept, [Apart("copies", count, sentence, "--pool copies counts them all.")]


# Players of one name.


def _descriptions(settings: Mapping[str, Any]) -> dict[str, str]:
    """How players of an experiment are described, by their names; algorithms are known by their names alone."""
    prompts = prompts_used(settings)
    found: dict[str, dict[str, Any]] = {}
    for game, each in players_planned(settings):
        if isinstance(each, Mapping) and isinstance(bot := each.get("bot"), Mapping):
            told = {name: value for name, value in bot.items() if name not in _ASIDE}
            if game in prompts:
                told["prompts"] = prompts[game]
            found[str(bot["name"])] = told
    return {name: json.dumps(told, sort_keys=True) for name, told in found.items()}


def _told_apart(
    results: Sequence[Result],
    described: Mapping[str, Mapping[str, str]],
    wanted: Pooling,
) -> tuple[dict[tuple[str, int], str], list[Apart]]:
    """What to call the players who share their names with others, by game and seat, and that it was done."""
    people = {
        (result.id, seat): f"{HUMAN} ({result.experiment} {result.labels[seat]})"
        for result in results
        for seat, player in enumerate(result.players)
        if player == HUMAN
    }
    if "players" in wanted.together:
        return {}, []
    kinds: dict[str, dict[str, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        known = described.get(result.experiment, {})
        for player in set(result.players) - {HUMAN}:
            kinds[player][known.get(player, "")].append(result)
    several = {player: each for player, each in kinds.items() if len(each) > 1}
    called = {player: _suffixes(each) for player, each in several.items()}
    names = {
        (result.id, seat): f"{player} ({called[player][described.get(result.experiment, {}).get(player, '')]})"
        for result in results
        for seat, player in enumerate(result.players)
        if player in called
    }
    told = []
    if called:
        listed = ", ".join(sorted(called)[:5]) + (f" and {len(called) - 5} more" if len(called) > 5 else "")
        games = len({game for game, _ in names})
        sentence = f"Told apart: players of one name and different descriptions ({listed})."
        told.append(Apart("players", games, sentence, "--pool players takes those of one name together."))
    return {**names, **people}, told


def _suffixes(kinds: Mapping[str, Sequence[Result]]) -> dict[str, str]:
    """For each description of a name, in what it differs from the others."""
    told = {text: json.loads(text) for text in kinds if text}
    fields = dict.fromkeys(name for each in told.values() for name in each)
    differing = [name for name in fields if len({json.dumps(each.get(name)) for each in told.values()}) > 1]
    suffixes = {
        text: ", ".join(_said(name, each.get(name)) for name in differing) or str(each.get("model"))
        for text, each in told.items()
    }
    if "" in kinds:
        imported = all(result.source is not None for result in kinds[""])
        suffixes[""] = "imported" if imported else "not described"
    often = Counter(suffixes.values())
    return {text: said if often[said] == 1 else f"{said} {digest_of(text)[:4]}" for text, said in suffixes.items()}


def _said(name: str, value: Any) -> str:
    if name == "model":
        return str(value)
    if name == "prompts" and value is None:
        return "prompts not recorded"
    return f"no {name}" if value in (None, "") else f"{name.replace('_', ' ')} {_short(value)}"
