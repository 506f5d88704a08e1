"""Players who are added to a benchmark that is there already, with the games that they lack: as many as each of the
others was planned to play, at tables of the others in turn, with seats and meetings even over all games."""

from collections.abc import Sequence
from dataclasses import replace

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.text import clean
from ostrom.experiment.plan import Added, Experiment, Part
from ostrom.experiment.schedule import ADAPTIVE
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.people.room import HumanContestant


def with_players(planned: Experiment, players: Sequence[Contestant], games: int | None = None) -> Experiment:
    """The experiment with these players, one after the other, each in `games` games of every part, or in those that it
    lacks: as many as the others were planned to play."""
    if not players:
        raise InputError(f"name the players to be added: {field('include', 'NAME')} or {field('llm', 'MODEL')}")
    if games is not None and games < 1:
        raise InputError(f"{field('games')} must be at least 1, got {games}")
    check_extensible(planned)
    for player in players:
        if isinstance(player, HumanContestant):
            raise InputError("people take a seat in single games; a benchmark has none for them")
        if player.name in _names(planned):
            raise InputError(f"{clean(player.name)} already plays in {planned.called}")
        lacking = [Added(place, player, games or _lacks(planned, place)) for place in range(len(planned.parts))]
        planned = replace(planned, added=(*planned.added, *lacking))
    planned.check()
    return planned


def _names(planned: Experiment) -> set[str]:
    there = {one.name for part in planned.parts for one in part.contestants}
    return there | {one.player.name for one in planned.added}


def _lacks(planned: Experiment, place: int) -> int:
    """How many games of a part each player was planned to play; of pairs, those with everybody in both roles."""
    part = planned.parts[place]
    if part.pairs:
        before = [one for one in planned.added if one.part == place]
        times = max(1, round(part.games / (len(part.contestants) * (len(part.contestants) - 1))))
        return 2 * times * (len(part.contestants) + len(before))
    return max(1, part.games * part.seats // len(part.contestants))


def check_extensible(planned: Experiment) -> None:
    """Refuse an experiment whose games cannot have more players."""
    if planned.people or planned.alone:
        raise InputError(
            f"in {planned.called} everybody is asked alone, or people play; run a new experiment for a new player: its "
            "figures stand beside the others'"
        )
    if any(part.fixed for part in planned.parts):
        raise InputError(f"everybody sits at every table of {planned.called}; run a new experiment for a new player")
    if planned.until is not None or planned.schedule == ADAPTIVE:
        raise InputError(f"{planned.called} was planned by what its games show, and no player can be added to it")
    if planned.schedule == 1:
        raise InputError(f"{planned.called} was planned by an older Ostrom, whose tables cannot be continued evenly")
    if planned.registration is not None:
        raise InputError(f"the plan of {planned.called} is registered, and stays as it is; run a new experiment")


def check_added(planned: Experiment) -> None:
    """Raise InputError for an addition in a journal that is not possible."""
    check_extensible(planned)
    for one in planned.added:
        if not 0 <= one.part < len(planned.parts) or one.games < 1:
            raise InputError(f"{planned.called} was changed by hand, and cannot be continued")
        _check_part(planned.parts[one.part])


def _check_part(part: Part) -> None:
    if part.pairs and part.seats != 2:
        raise InputError("pairs meet at tables of two")


def extend(planned: Experiment, journal: Journal, experiment: str) -> None:
    """Write the added players into the journal. The caller must have claimed the experiment."""
    settings = planned.settings
    changes = {name: value for name, value in settings.items() if name in ("added", "limits")}
    journal.extend(experiment, changes, planned.games)
