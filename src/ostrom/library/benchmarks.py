"""`ostrom.bench`: experiments of many games that a journal keeps, with strategies, subjects, models and bots alike."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ostrom.core import InputError
from ostrom.core.entry_points import PLANS_GROUP, declared, load
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.experiment.described import read_experiment
from ostrom.experiment.limits import limits_of
from ostrom.experiment.options import open_journal, seed_or_random
from ostrom.experiment.plan import Experiment as Plan
from ostrom.experiment.plan import benchmark
from ostrom.experiment.schedule import ADAPTIVE
from ostrom.library.lab import Experiment
from ostrom.library.playing import AnyLimits, AnyPath, AnyRules, store_text
from ostrom.library.running import check, run
from ostrom.library.wording import names_arguments
from ostrom.players.roster import Seated, contestants_of


@names_arguments
def bench(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game = DEFAULT_GAME,
    games: int = 100,
    rules: AnyRules = None,
    seats: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    store: AnyPath | None = None,
    limits: AnyLimits = None,
    until: str | None = None,
    adaptive: bool = False,
    file: AnyPath | None = None,
    progress: bool = True,
    **settings: Any,
) -> Experiment:
    """Play many games in which players meet equally often, and keep them in the journal at `store`. Players are as
    `play` takes them. `games` is their number; in games with two roles, how often each ordered pair meets. An
    experiment that a `file` describes takes its games and players from there. The battery, `game="battery"`, takes its
    own settings: `protocol`, `tasks`. Without a `seed` one is drawn. What a run needs is checked before anything is
    written; where it ends early, a warning says why, and `resume()` goes on."""
    drawn = seed_or_random(seed)
    if not isinstance(games, int) or isinstance(games, bool):
        raise InputError(f"games must be a whole number, got {games!r}")
    if file is not None:
        if players is not None or settings:
            raise InputError("a file has its own games and players; leave out players and settings")
        planned = read_experiment(Path(file), drawn)
    elif isinstance(game, str) and game in declared(PLANS_GROUP):
        if rules is not None or seats is not None:
            raise InputError(f"{game} has no rules or seats of its own; it takes {_takes(game)}")
        planned = _own_plan(game, players or (), drawn, settings)
    else:
        if settings:
            raise InputError(f"bench takes no {next(iter(settings))!r}; settings of the game go into rules={{...}}")
        kind = find_game(game)
        planned = benchmark(kind, contestants_of(kind, players), make_rules(kind, rules), games, seats, drawn)
    planned = replace(planned, name=name or planned.name, until=until or planned.until)
    planned = replace(planned, schedule=ADAPTIVE if adaptive else planned.schedule)
    if limits is not None and not planned.models:
        raise InputError("limits are for models, and none plays")
    if planned.models:
        planned = replace(planned, limits=limits_of(limits, before=planned.limits))
    check(planned)
    where = store_text(store)
    with open_journal(where, create=True) as journal:
        return Experiment(run(planned, journal, progress=progress), where)


def _own_plan(game: str, players: Sequence[Seated], seed: int, settings: Mapping[str, Any]) -> Plan:
    plan = load(PLANS_GROUP, game)
    unknown = [name for name in settings if name not in inspect.signature(plan).parameters]
    if unknown:
        raise InputError(f"{game} takes no {unknown[0]!r}; it takes {_takes(game)}")
    made: Plan = plan(players, seed=seed, **settings)
    return made


def _takes(game: str) -> str:
    names = list(inspect.signature(load(PLANS_GROUP, game)).parameters)[1:]
    return ", ".join(name for name in names if name not in ("seed", "name", "limits"))
