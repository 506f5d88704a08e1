"""The plan of an experiment, as the journal keeps it: whatever stands in place of a part of it, it is planned, or
refused in one line."""

import copy

import pytest

from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Added, Experiment, Part, experiment_of
from ostrom.players.roster import contestant_of

HOSTILE = [None, True, -1, 0, 1.5, 2**70, 1e308, "", "x", "\x1b[2J", [], [[]], {}, {"a": 1}]


def _part(game: str, *players: str, **others: int) -> Part:
    found = GAMES[game]
    seated = [contestant_of(found.name, name) for name in players]
    return Part(found, found.rules(), seated, **({"seats": len(players), "games": 3, "seed": 1} | others))


PLANS = {
    "stopped early": Experiment(
        (_part("commons", "Pavlov", "Parasite"),), until="width(mean_final) < 10", registration={"hash": "x"}
    ),
    "one": Experiment(
        (_part("commons", "Pavlov", "Parasite"),),
        limits=Limits(budget=2.0),
        file="a file",
        added=(Added(0, contestant_of("commons", "Justicier"), 2),),
    ),
    "several": Experiment(
        (
            _part("contribute_punish", "Cooperator", "FreeRider", "Retaliator", seats=3),
            _part("commons", "Pavlov", "Parasite"),
        ),
        seconds=60.0,
        wait=5.0,
    ),
}


def _places(value, path=()):
    """Every place in plain data, as the way that leads there."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from _places(each, (*path, key))


def _with(settings, path, value):
    if not path:
        return value
    changed = copy.deepcopy(settings)
    here = changed
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return changed


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_it_comes_back_as_it_was(plan):
    again = experiment_of("again", plan.settings)
    again.check()
    assert again.settings == plan.settings


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_whatever_stands_in_it_is_planned_or_refused(plan):
    refused, planned = [], 0
    for path in _places(plan.settings):
        for value in HOSTILE:
            if not path and not isinstance(value, dict):
                continue  # the journal itself sees to it that settings are an object
            try:
                found = experiment_of("again", _with(plan.settings, path, value))
                found.check()
                next(found.fixtures())
                planned += 1
            except InputError as error:
                refused.append(str(error))
    assert planned > 10
    assert len(refused) > 100
    assert not [line for line in refused if "\n" in line or "\x1b" in line]


@pytest.mark.parametrize("games", [{}, "3", 3.0, True, None])
def test_a_number_of_games_that_is_none_is_refused(games):
    settings = PLANS["several"].settings
    with pytest.raises(InputError, match="cannot be resumed"):
        experiment_of("again", _with(settings, ("parts", 1, "games"), games))
