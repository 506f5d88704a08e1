"""`ostrom.bench`: experiments of many games that a journal keeps, with strategies, subjects, models and bots alike."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ostrom.core import InputError
from ostrom.core.entry_points import PLANS_GROUP, declared, load
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.core.settings import Settings
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
            raise InputError(f"{game} has no rules, seats or games of its own; it has {_own_arguments(game)}")
        planned = stage_plan(_own_plan(game, {"players": players, "seed": seed, "name": name, **settings}), parsed)
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


_OWN_ARGUMENTS: Final = {"subject": "players", "task": "tasks"}
"""The arguments of settings that have other names here."""


def _own_plan(game: str, arguments: Mapping[str, Any]) -> Plan:
    """Return the plan of an experiment with its own settings, such as the battery. Raise InputError for an invalid
    one."""
    if isinstance(arguments["players"], str):
        raise InputError(f"players must be a list, as in [{arguments['players']!r}]")
    present = {name: value for name, value in arguments.items() if value is not None}
    with spelled_settings(present, _OWN_ARGUMENTS) as settings:
        kind = _own_settings(game)
        unknown = [name for name in settings if name not in kind.model_fields]
        if unknown:
            raise InputError(f"{game} has no setting {unknown[0]!r}; it has {_own_arguments(game)}")
        plan: Plan = load(PLANS_GROUP, game)(kind.of(settings))
    return plan


def _own_settings(game: str) -> type[Settings]:
    kind: type[Settings] = inspect.get_annotations(load(PLANS_GROUP, game), eval_str=True)["settings"]
    return kind


def _own_arguments(game: str) -> str:
    names = [name for name in _own_settings(game).model_fields if name not in ("seed", "name")]
    return ", ".join(_OWN_ARGUMENTS.get(name, name) for name in names)
