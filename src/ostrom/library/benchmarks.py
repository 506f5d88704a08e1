"""`ostrom.bench`: experiments of many games that a journal keeps, with strategies, subjects, models and bots alike."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import PLANS_GROUP, declared, load
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.experiment.described import registered
from ostrom.experiment.limits import limits_of
from ostrom.experiment.plan import Experiment as Plan
from ostrom.findings.bench import BenchSettings, plan_benchmark, plan_of_file, stage_plan
from ostrom.journal.open import open_journal
from ostrom.library.lab import Experiment
from ostrom.library.playing import AnyLimits, AnyPath, AnyRules, store_text
from ostrom.library.running import check, run
from ostrom.library.verbs import spelled_settings
from ostrom.players.roster import Seated, contestants_of


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
    arguments = {"games": games, "seats": seats, "seed": seed, "name": name, "until": until, "file": file}
    chosen = {name: value for name, value in arguments.items() if value is not None}
    chosen |= {"schedule": "adaptive"} if adaptive else {}
    with spelled_settings(chosen | ({"register": True} if register else {}), {"register_": "register"}) as fields:
        parsed = BenchSettings.of(fields)
    if parsed.file is not None:
        if given:
            raise InputError(f"a file has its own games and players; leave out {', '.join(given)}")
        planned = plan_of_file(parsed.file, parsed)
    elif isinstance(game, str) and game in declared(PLANS_GROUP):
        if rules is not None or seats is not None or games is not None:
            raise InputError(f"{game} has no rules, seats or games of its own; it takes {_takes(game)}")
        planned = stage_plan(_own_plan(game, players or (), seed_or_random(seed), settings), parsed)
    else:
        if settings:
            raise InputError(f"bench takes no {next(iter(settings))!r}; settings of the game go into rules={{...}}")
        kind = find_game(DEFAULT_GAME if game is None else game)
        planned = plan_benchmark(kind, contestants_of(kind, players), make_rules(kind, rules), parsed)
    if limits is not None and not planned.models:
        raise InputError("limits are for models, and no model plays")
    if planned.models:
        planned = replace(planned, limits=limits_of(limits, defaults=planned.limits))
    if parsed.file is not None:
        planned.check()
        planned = registered(planned, parsed.file, register_plan=register)
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
