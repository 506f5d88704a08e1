"""Games and seats that are not pooled with others: archived experiments, simulations, single games, games with people,
copies of games, practice tables of sessions, and seats of people who were replaced."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ostrom.analysis.left_out import Apart
from ostrom.core.errors import field
from ostrom.core.text import number_of
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.results import FinishedGame
from ostrom.journal.schema import SIMULATION
from ostrom.players.people.seat import HUMAN

ONE_EXPERIMENT: Final = field("experiment", "NAME")


class _Exclusion(NamedTuple):
    what: str
    applies: Callable[[FinishedGame], bool]
    sentence: str
    """A sentence with placeholders for the number of games."""
    way: str
    optional: bool = False
    """True if the games can be pooled on request. These games are also pooled if there are no other games."""


def set_apart(
    results: Sequence[FinishedGame],
    settings: Mapping[str, Mapping[str, Any]],
    together: Collection[str],
    *,
    single: bool,
) -> tuple[Sequence[FinishedGame], list[Apart]]:
    """Return the games that a leaderboard uses, and the other games with the reasons. Simulations are excluded because
    their many games would dominate a leaderboard. Games with people are excluded as a whole because a person changes a
    game for all players."""
    archived = {name for name, values in settings.items() if values.get(ARCHIVED) is True}
    simulated = {name for name, values in settings.items() if SIMULATION in values}
    exercises = {name for name, values in settings.items() if is_exercise(values)}
    exclusions = (
        _Exclusion(
            "archived",
            lambda result: result.experiment in archived,
            "Apart: {games} of archived experiments.",
            f"{ONE_EXPERIMENT} shows one alone.",
        ),
        _Exclusion(
            "simulations",
            lambda result: result.experiment in simulated,
            "Apart: {games} of simulations, which are on no leaderboard.",
            f"{ONE_EXPERIMENT} shows one alone.",
        ),
        _Exclusion(
            "exercises",
            lambda result: result.experiment in exercises,
            "Apart: {single_games}, started from a page or with 'ostrom run', as {they_are} no part of a benchmark.",
            f"{field('pool', 'exercises')} includes them, {ONE_EXPERIMENT} shows one alone.",
            optional=True,
        ),
        _Exclusion(
            "people",
            lambda result: with_people(result.players),
            "Apart: {games} with people at the table.",
            f"{field('pool', 'people')} includes them, {ONE_EXPERIMENT} shows those of one.",
            optional=True,
        ),
    )
    apart = []
    for exclusion in () if single else exclusions:
        rest = [result for result in results if not exclusion.applies(result)]
        count = len(results) - len(rest)
        if not count or (exclusion.optional and (not rest or exclusion.what in together)):
            continue
        results = rest
        sentence = exclusion.sentence.format(
            games=number_of(count, "game"),
            single_games=number_of(count, "single game"),
            they_are="it is" if count == 1 else "they are",
        )
        apart.append(Apart(exclusion.what, count, sentence, exclusion.way))
    return results, apart


def without_practice(
    results: Sequence[FinishedGame], together: Collection[str]
) -> tuple[Sequence[FinishedGame], list[Apart]]:
    """Return the games without practice tables of sessions."""
    rest = [result for result in results if not result.practice]
    count = len(results) - len(rest)
    if not count or "practice" in together:
        return results, []
    sentence = f"Left out: {number_of(count, 'practice table')} of sessions."
    return rest, [Apart("practice", count, sentence, f"{field('pool', 'practice')} includes them.")]


def replaced_seats(
    results: Sequence[FinishedGame], together: Collection[str]
) -> tuple[frozenset[tuple[str, int]], list[Apart]]:
    """Return the seats of people who were replaced or left, by game and seat."""
    seats = frozenset((result.id, seat) for result in results for seat in result.replaced)
    if not seats or "replaced" in together:
        return frozenset(), []
    count = len({game for game, _ in seats})
    sentence = f"Left out: {number_of(len(seats), 'seat')} whose person was replaced, absent or gone."
    return seats, [Apart("replaced", count, sentence, f"{field('pool', 'replaced')} includes them.")]


def is_exercise(settings: Mapping[str, Any]) -> bool:
    """Return whether an experiment is a single game with chosen seats, which was started from a page or by `run`."""
    return bool(settings.get("fixed")) and settings.get("games") == 1


def with_people(players: Iterable[str]) -> bool:
    """Return whether a person is among these players."""
    return any(player.partition(":")[0] == HUMAN for player in players)


def without_copies(
    results: Sequence[FinishedGame], descriptions: Mapping[str, Mapping[str, str]], together: Collection[str]
) -> tuple[list[FinishedGame], list[Apart]]:
    """Return the games without copies of other games. `descriptions` has the descriptions of players by experiment."""
    if "copies" in together:
        return list(results), []
    first: dict[tuple[Any, ...], FinishedGame] = {}
    for result in results:
        # Two games without a seed may have equal decisions. The log then distinguishes them.
        origin = (result.source,) if result.seed is None else (result.seed, result.number)
        own = descriptions.get(result.experiment, {})
        players = tuple((player, own.get(player, "")) for player in result.players)
        first.setdefault((result.rules, *origin, players, result.decisions), result)
    originals = list(first.values())
    count = len(results) - len(originals)
    if not count:
        return originals, []
    games = f"{count:,} {'copy' if count == 1 else 'copies'}"
    sentence = (
        f"Left out: {games} of other games (same seed, rules, players and decisions), which tell nothing new: each "
        "game counts once."
    )
    return originals, [Apart("copies", count, sentence, f"{field('pool', 'copies')} counts them all.")]
