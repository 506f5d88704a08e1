"""`ostrom.bench`: experiments of many games that a journal keeps, with strategies, subjects, models and bots alike."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import PLANS_GROUP, declared, load
from ostrom.core.errors import field
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.experiment.described import read_experiment, registered
from ostrom.experiment.limits import limits_of
from ostrom.experiment.plan import Experiment as Plan
from ostrom.experiment.plan import benchmark
from ostrom.experiment.schedule import ADAPTIVE
from ostrom.journal.open import open_journal
from ostrom.library.lab import Experiment
from ostrom.library.playing import AnyLimits, AnyPath, AnyRules, store_text
from ostrom.library.running import check, run
from ostrom.players.roster import Seated, contestants_of

GAMES: Final = 100
"""The default number of games of a benchmark."""


def bench(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game | None = None,
    games: int | None = None,
    rules: AnyRules = None,
    seats: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    store: AnyPath | None = None,
    limits: AnyLimits = None,
    until: str | None = None,
    adaptive: bool = False,
    file: AnyPath | None = None,
    register: bool = False,
    progress: bool = True,
    **settings: Any,
) -> Experiment:
    """Play many games in which players meet equally often, and keep them in the journal at `store`. Players are as
    `play` takes them. `games` is their number, 100 by default; in games with two roles, how often each ordered pair
    meets. An experiment that a `file` describes takes its games and players from there; the plan that it may have must
    be registered, with `register`. The battery, `game="battery"`, takes its own settings: `protocol`, `tasks`. Without
    a `seed` one is drawn. What a run needs is checked before anything is written; where it ends early, a warning says
    why, and `resume()` goes on."""
    if games is not None and (not isinstance(games, int) or isinstance(games, bool)):
        raise InputError(f"games must be a whole number, got {games!r}")
    named = {"players": players, "game": game, "games": games, "rules": rules, "seats": seats}
    given = [*(name for name, value in named.items() if value is not None), *settings]
    if file is not None:
        planned = _of_file(Path(file), seed, given)
    elif register:
        raise InputError(f"{field('register')} needs a plan from a file: name it with {field('file')}")
    elif isinstance(game, str) and game in declared(PLANS_GROUP):
        if rules is not None or seats is not None or games is not None:
            raise InputError(f"{game} has no rules, seats or games of its own; it takes {_takes(game)}")
        planned = _own_plan(game, players or (), seed_or_random(seed), settings)
    else:
        if settings:
            raise InputError(f"bench takes no {next(iter(settings))!r}; settings of the game go into rules={{...}}")
        kind = find_game(DEFAULT_GAME if game is None else game)
        table, count = contestants_of(kind, players), GAMES if games is None else games
        planned = benchmark(kind, table, make_rules(kind, rules), count, seats, seed_or_random(seed))
    planned = replace(planned, name=name or planned.name, until=until or planned.until)
    planned = replace(planned, schedule=ADAPTIVE if adaptive else planned.schedule)
    if limits is not None and not planned.models:
        raise InputError("limits are for models, and none plays")
    if planned.models:
        planned = replace(planned, limits=limits_of(limits, defaults=planned.limits))
    if file is not None:
        planned.check()
        planned = registered(planned, Path(file), register_plan=register)
    check(planned)
    where = store_text(store)
    with open_journal(where, create=True) as journal:
        return Experiment(run(planned, journal, progress=progress), where)


def _of_file(file: Path, seed: int | None, given: Sequence[str]) -> Plan:
    """The plan that a file describes; what else is given and would have no effect beside it is refused."""
    if given:
        raise InputError(f"a file has its own games and players; leave out {', '.join(given)}")
    planned = read_experiment(file, seed_or_random(seed))
    if seed is not None and all(part.seed != seed for part in planned.parts):
        raise InputError(f"{file} already sets the seeds; leave out {field('seed')}")
    return planned


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
