"""Pooling of games. A leaderboard combines only games with the same rules. Players of one name with different
descriptions are distinguished, and copies of a game are counted once. Single games, games with people and simulations
are excluded. All exclusions are reported, each with the option that reverses it."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, Final, Literal, TypeAlias

import polars as pl
from pydantic import ValidationError

from ostrom.analysis.design import FIXED, Design, design_of
from ostrom.analysis.left_out import Apart
from ostrom.analysis.plans import planned_bots
from ostrom.analysis.set_apart import ONE_EXPERIMENT, replaced_seats, set_apart, without_copies, without_practice
from ostrom.analysis.tables import Tables, only_games, only_seats
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.game import Game
from ostrom.core.listing import brief
from ostrom.core.rule_texts import MAX_LISTED_RULES, changed_rules, rule_differences, short_value
from ostrom.core.text import digest_of, number_of, one_line
from ostrom.journal.read import Columns
from ostrom.journal.results import FinishedGame
from ostrom.journal.sessions import SESSION
from ostrom.players.people.seat import HUMAN

PoolOption: TypeAlias = Literal["rules", "players", "copies", "exercises", "people", "practice", "replaced", "rosters"]
"""The differences despite which games can be pooled: rules, players of one name, copies, single games, people; practice
tables of sessions, seats of people who were replaced, and experiments with mostly different players."""

IGNORED_BOT_FIELDS: Final = frozenset({"name", "key_env", "price"})
"""Fields of a bot's description that do not change how it plays."""
EARLIER_BOT_FIELDS: Final = {"layout": 1, "personality_first": False}
"""The values of these fields for bots that were recorded before the fields existed."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """The options of a leaderboard: its rules, and the differences despite which games are pooled. The rules are given
    by a prefix of their digest. By default, they are the rules with the most games."""

    rules: str | None = None
    together: frozenset[PoolOption] = frozenset()
    single: bool = False
    """True if the user named experiments. The single games and archived games of these experiments then count too."""


@dataclass(frozen=True)
class GamePool:
    """Finished games that are comparable enough to be analysed as one sample."""

    rules: str
    """A digest of the rules; empty if games with several sets of rules are pooled."""
    results: tuple[FinishedGame, ...]
    names: Mapping[tuple[str, int], str] = dataclass_field(default_factory=dict)
    """By game and seat: names that distinguish players with the same name from each other."""
    apart: tuple[Apart, ...] = ()
    design: Design = FIXED
    seats_left_out: frozenset[tuple[str, int]] = frozenset()
    """By game and seat: the seats of people who were replaced."""
    rules_of: Mapping[str, str] = dataclass_field(default_factory=dict)
    """By game: the digest of its rules, if games with several sets of rules are pooled."""

    @property
    def games(self) -> list[str]:
        return [result.id for result in self.results]

    def applied(self, tables: Tables) -> Tables:
        """Return the tables restricted to the games of this pool, with names that distinguish their players."""
        if tables.games["game"].to_list() != self.games:
            tables = only_games(tables, pl.DataFrame({"game": self.games}, schema={"game": pl.String}))
        if self.seats_left_out:
            rows = [(game, seat, True) for game, seat in self.seats_left_out]
            away = pl.DataFrame(rows, schema=["game", "seat", "replaced"], orient="row").cast({"seat": pl.Int64})
            tables = only_seats(tables, tables.seats.join(away, on=["game", "seat"], how="anti", maintain_order="left"))
        if self.rules_of:
            games = tables.games.with_columns(pl.col("game").replace_strict(self.rules_of).alias(RULES_COLUMN))
            tables = replace(tables, games=games)
        tables = replace(tables, design=self.design)
        return _rename_players(tables, self.names) if self.names else tables


def _rename_players(tables: Tables, names: Mapping[tuple[str, int], str]) -> Tables:
    rows = [(game, seat, name) for (game, seat), name in names.items()]
    schema = {"game": pl.String, "_seat": pl.Int64, "_name": pl.String}
    new_names = pl.DataFrame(rows, schema=schema, orient="row")
    parts: dict[str, Any] = {}
    for part, table in tables.parts.items():
        for column in table.columns:
            seat = "seat" if column == "player" else column.removesuffix("_player")
            if (column == "player" or column.endswith("_player")) and seat in table.columns:
                joined = table.join(
                    new_names, left_on=["game", seat], right_on=["game", "_seat"], how="left", maintain_order="left"
                )
                table = joined.with_columns(pl.coalesce("_name", column).alias(column)).drop("_name")
        parts[part] = table
    return replace(tables, **parts)


def pools_of(
    game: Game, results: Sequence[FinishedGame], settings: Mapping[str, Mapping[str, Any]], wanted: Pooling
) -> list[GamePool]:
    """Return the games in pools, the largest pool first. If `rules` are named, return only the pool with these rules.
    `settings` has the settings of every experiment by its id. Raises `InputError` for unknown rules."""
    descriptions = {name: _descriptions(values) for name, values in settings.items()}
    sessions = {name for name, values in settings.items() if SESSION in values}
    played = Counter(result.experiment for result in results)
    results, practice = without_practice(results, wanted.together)
    results, apart = set_apart(results, settings, wanted.together, single=wanted.single)
    results, copies = without_copies(results, descriptions, wanted.together)
    names, renamed = _distinguish_players(results, descriptions, sessions, wanted)
    common = (*practice, *apart, *copies)
    if "rules" in wanted.together:
        if wanted.rules is not None:
            single, pooled = field("rules", wanted.rules), field("pool", "rules")
            raise InputError(
                f"{single} selects one set of rules, and {pooled} pools games of all rules; give only one of them"
            )
        return [_pool_of_all_rules(game, results, names, (*common, *renamed), played, settings, wanted)]
    groups, texts = by_rules(game, results)
    largest = sorted(groups, key=lambda name: -len(groups[name]))
    if wanted.rules is not None:
        largest = [named_rules(wanted.rules, largest)]
    pools = []
    for name in largest:
        together, rosters = _linked_rosters(game, groups[name], wanted.together)
        games = {result.id for result in together}
        own_names = {seat: player for seat, player in names.items() if seat[0] in games}
        others = _other_rules(name, groups, texts)
        away, replaced = replaced_seats(together, wanted.together)
        all_apart = (*others, *rosters, *common, *replaced, *(renamed if own_names else ()))
        design = replace(_design(game, together, played, settings), rules=changed_rules(game.rules, texts[name]))
        pools.append(GamePool(name, tuple(together), own_names, all_apart, design, away))
    return pools or [GamePool("", (), {}, common)]


RULES_COLUMN: Final = "rules"
"""The column of the table of games with the digest of the rules, if games with several sets of rules are pooled."""
MIN_RULES_AS_CLUSTERS: Final = 10
"""The smallest number of pooled sets of rules at which the games of one set are one unit. Fewer units would leave
players without intervals."""


def _pool_of_all_rules(
    game: Game,
    results: Sequence[FinishedGame],
    names: Mapping[tuple[str, int], str],
    apart: Sequence[Apart],
    played: Mapping[str, int],
    settings: Mapping[str, Mapping[str, Any]],
    wanted: Pooling,
) -> GamePool:
    """Return the games of all rules in one pool. If there are many sets of rules, the games of one set depend on each
    other, and figures are about rules like these. With few sets, figures are about these sets alone."""
    results, rosters = _linked_rosters(game, results, wanted.together)
    groups, _ = by_rules(game, results)
    rules_of = {result.id: digest for digest, own in groups.items() for result in own}
    design, sets = _design(game, results, played, settings), number_of(len(groups), "set")
    if len(groups) >= MIN_RULES_AS_CLUSTERS:
        text = f"{sets} of rules, pooled, with the games of one set as one independent observation"
        design = replace(design, rules=text, cluster=RULES_COLUMN)
    else:
        text = f"{sets} of rules, pooled; intervals are about these alone" if len(groups) > 1 else "pooled"
        design = replace(design, rules=text)
    games = {result.id for result in results}
    own_names = {seat: player for seat, player in names.items() if seat[0] in games}
    away, replaced = replaced_seats(results, wanted.together)
    return GamePool("", tuple(results), own_names, (*apart, *rosters, *replaced), design, away, rules_of)


def _design(
    game: Game, results: Iterable[FinishedGame], played: Mapping[str, int], settings: Mapping[str, Mapping[str, Any]]
) -> Design:
    return design_of(game.name, {name: played[name] for name in {result.experiment for result in results}}, settings)


_MIN_SHARED: Final = 0.5
"""The smallest share of shared players with which the games of two experiments are pooled. For payoffs, it is the share
of all players of the two. For ranks, it is the share of the players of the smaller one, since strengths take the
opponents into account."""


def _linked_rosters(
    game: Game, results: Sequence[FinishedGame], together: Collection[PoolOption] = ()
) -> tuple[Sequence[FinishedGame], list[Apart]]:
    """Return the games of experiments that have mostly the same players, and a note on the others. Payoffs against
    different opponents are not comparable. Strengths of players of two experiments are compared only through the
    players of both. If these are few, the comparison depends on whether strengths describe their results, and no game
    tests that. Experiments that share no player with others are kept, because their players are not compared with any
    others."""
    rosters: dict[str, set[str]] = defaultdict(set)
    for result in results:
        rosters[result.experiment].update(result.players)
    if len(rosters) < 2 or "rosters" in together:
        return results, []
    often = Counter(result.experiment for result in results)
    roster, thin = set(rosters[max(rosters, key=lambda name: often[name])]), dict(rosters)
    while near := [name for name, own in thin.items() if _share_players(own, roster, by_payoff=game.aim == "payoff")]:
        for name in near:
            roster |= thin.pop(name)
    thin = {name: own for name, own in thin.items() if own & roster}
    count = sum(often[name] for name in thin)
    if not count:
        return results, []
    shared = number_of(len(roster & set().union(*thin.values())), "player")
    why = (
        "payoffs against different opponents are not comparable"
        if game.aim == "payoff"
        else "so few links do not show how the players of different experiments compare"
    )
    names = sorted(thin, key=lambda name: -often[name])
    listed = f"{number_of(count, 'game')} of {brief(names)}"
    sentence = f"Apart, by roster: {listed}, sharing only {shared} with these: {why}."
    kept = [result for result in results if result.experiment not in thin]
    return kept, [Apart("rosters", count, sentence, f"{ONE_EXPERIMENT} shows one alone, {_POOL_ROSTERS} pools them.")]


_POOL_ROSTERS: Final = field("pool", "rosters")


def _share_players(own: Collection[str], roster: Collection[str], *, by_payoff: bool) -> bool:
    both = set(own) & set(roster)
    return len(both) >= _MIN_SHARED * (len({*own, *roster}) if by_payoff else min(len(own), len(roster)))


def named_rules(prefix: str, digests: Sequence[str]) -> str:
    """Return the digest with this prefix. Raises `InputError` if no digest has it, or if several digests have it."""
    matches = [digest for digest in digests if digest.startswith(prefix)] if prefix else []
    if len(matches) != 1:
        known = ", ".join(digests) or "none"
        raise InputError(f"{field('rules', prefix)} does not name one set of rules of these games; they have {known}")
    return matches[0]


def by_rules(
    game: Game, results: Iterable[FinishedGame]
) -> tuple[dict[str, list[FinishedGame]], dict[str, dict[str, Any]]]:
    """Return two mappings. The first has the games by the digest of their rules; the second has the full rules by the
    same digest."""
    groups: dict[str, list[FinishedGame]] = defaultdict(list)
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


def _rules(game: Game, result: FinishedGame) -> dict[str, Any]:
    """Return all rules of a game. Rules that the record omits get the game's defaults."""
    columns = Columns.of_game(result.id)
    stored = columns.mapping(result.rules, "rules")
    if not game.rules.model_fields:  # The game is not installed.
        return stored
    try:
        rules: dict[str, Any] = game.rules.model_validate(stored).model_dump(mode="json")
    except ValidationError as error:
        raise columns.damage(f"rules: {one_line(str(error), 200)}") from None
    return rules


def _other_rules(
    name: str, groups: Mapping[str, Sequence[FinishedGame]], texts: Mapping[str, Mapping[str, Any]]
) -> list[Apart]:
    others = [other for other in sorted(groups, key=lambda group: -len(groups[group])) if other != name]
    if not others:
        return []
    listed = [
        f"{number_of(len(groups[other]), 'game')} with {rule_differences(texts[name], texts[other])} (rules {other})"
        for other in others[:MAX_LISTED_RULES]
    ]
    more = len(others) - MAX_LISTED_RULES
    if more > 0:
        listed.append(f"{number_of(more, 'more set')} of rules")
    count = sum(len(groups[other]) for other in others)
    way = f"{field('rules')} shows the board of these alone, {field('pool', 'rules')} takes all rules together."
    return [Apart("rules", count, f"Apart, by other rules: {'; '.join(listed)}.", way)]


# Names that distinguish players with the same name.


def _descriptions(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the descriptions of an experiment's bots by name; algorithms have none."""
    descriptions: dict[str, str] = {}
    for bot, prompts in planned_bots(settings):
        fields = EARLIER_BOT_FIELDS | {name: value for name, value in bot.items() if name not in IGNORED_BOT_FIELDS}
        if prompts is not None:
            fields["prompts"] = prompts
        descriptions[str(bot["name"])] = json.dumps(fields, sort_keys=True)
    return descriptions


def _distinguish_players(
    results: Sequence[FinishedGame],
    descriptions: Mapping[str, Mapping[str, str]],
    sessions: Collection[str],
    wanted: Pooling,
) -> tuple[dict[tuple[str, int], str], list[Apart]]:
    """Return names that distinguish players with the same name, by game and seat. Return also notes about the new
    names. `sessions` has the experiments of sessions."""
    if "players" in wanted.together:
        return {}, []
    people = {
        (result.id, seat): f"{HUMAN} ({result.experiment} {result.labels[seat]})"
        for result in results
        for seat, player in enumerate(result.players)
        if player == HUMAN
    }
    # Persons of different sessions have the same names.
    persons: dict[str, set[str]] = defaultdict(set)
    for result in results:
        if result.experiment in sessions:
            for player in result.players:
                if player.startswith(f"{HUMAN}:"):
                    persons[player].add(result.experiment)
    people |= {
        (result.id, seat): f"{player} ({result.experiment})"
        for result in results
        for seat, player in enumerate(result.players)
        if result.experiment in sessions and len(persons[player]) > 1
    }
    kinds: dict[str, dict[str, list[FinishedGame]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        own = descriptions.get(result.experiment, {})
        for player in set(result.players) - {HUMAN}:
            kinds[player][own.get(player, "")].append(result)
    suffixes = {player: _suffixes(versions) for player, versions in kinds.items() if len(versions) > 1}
    names = {
        (result.id, seat): f"{player} ({suffixes[player][descriptions.get(result.experiment, {}).get(player, '')]})"
        for result in results
        for seat, player in enumerate(result.players)
        if player in suffixes
    }
    notes = []
    if suffixes:
        listed = ", ".join(sorted(suffixes)[:5]) + (f" and {len(suffixes) - 5} more" if len(suffixes) > 5 else "")
        games = len({game for game, _ in names})
        sentence = f"Told apart: players of one name and different descriptions ({listed})."
        notes.append(Apart("players", games, sentence, f"{field('pool', 'players')} takes those of one name together."))
    return {**names, **people}, notes


def _suffixes(kinds: Mapping[str, Sequence[FinishedGame]]) -> dict[str, str]:
    """Return a text for each description of a player. The text says how this description differs from others with the
    same name."""
    parsed = {text: json.loads(text) for text in kinds if text}
    fields = dict.fromkeys(name for bot in parsed.values() for name in bot)
    differing = [name for name in fields if len({json.dumps(bot.get(name)) for bot in parsed.values()}) > 1]
    suffixes = {
        text: ", ".join(_describe_field(name, bot.get(name)) for name in differing) or str(bot.get("model"))
        for text, bot in parsed.items()
    }
    if "" in kinds:
        imported = all(result.source is not None for result in kinds[""])
        suffixes[""] = "imported" if imported else "not described"
    often = Counter(suffixes.values())
    return {text: word if often[word] == 1 else f"{word} {digest_of(text)[:4]}" for text, word in suffixes.items()}


def _describe_field(name: str, value: Any) -> str:
    if name == "model":
        return str(value)
    if name == "prompts" and value is None:
        return "prompts not recorded"
    return f"no {name}" if value in (None, "") else f"{name.replace('_', ' ')} {short_value(value)}"
