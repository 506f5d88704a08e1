"""`ostrom.bench` plays experiments of many games that are stored in a journal. Players are strategies, subjects, models
and bots. `ostrom.power` finds the number of games that a finding needs, and their cost in dollars, by simulation from
the games of a pilot."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from ostrom.analysis.selection import Selection
from ostrom.core.entry_points import PLANS_GROUP, declared, load
from ostrom.core.errors import InputError, field
from ostrom.core.finding import Finding
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.core.verb import SILENT, Verb
from ostrom.experiment.limits import limits_of
from ostrom.findings.bench import bench as bench_verb
from ostrom.findings.power import PowerSettings, plan_from
from ostrom.journal.open import open_journal
from ostrom.library.lab import Experiment
from ostrom.library.results import Results
from ostrom.library.running import AnyLimits, AnyPath, AnyRules, LibraryRunner, store_text
from ostrom.library.verbs import Result, described_by, result_of, spelled_settings
from ostrom.players.roster import Seated, contestants_of
from ostrom.terminal.render import TerminalReporter


def bench(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game | None = None,
    games: int | None = None,
    per_pair: int | None = None,
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
    cluster: str | None = None,
    yes: bool = False,
    progress: bool = True,
    **settings: Any,
) -> Experiment:
    """Play many games in which players meet equally often, and store the games in the journal at `store`. Players have
    the forms that `play` accepts. `games` is the total number of games, 100 by default. In games for two, `per_pair`
    may give the number of games of each ordered pair instead. With a `file` that describes an experiment, games and
    players come from the file. If the file has an analysis plan, the plan must be registered, with `register`. The
    battery, `game="battery"`, has its own settings: `protocol`, `tasks`. If no `seed` is given, a random one is drawn.
    Everything that a run needs is checked before anything is written. If the run ends early, a warning gives the
    reason, and `resume()` continues the run. More than a million games are played only with `yes`."""
    if games is not None and (not isinstance(games, int) or isinstance(games, bool)):
        raise InputError(f"games must be a whole number, got {games!r}")
    supplied: dict[str, Any] = {
        "store": store_text(store),
        "limits": None if limits is None else limits_of(limits),
        "runner": LibraryRunner(progress=progress),
        "reporter": TerminalReporter() if progress else SILENT,
    }
    arguments: dict[str, Any] = {"seed": seed, "name": name, "cluster": cluster, "yes": yes or None}
    if file is None and isinstance(game, str) and game in declared(PLANS_GROUP):
        if any(value is not None for value in (rules, seats, games, per_pair)):
            raise InputError(f"{game} has no rules, seats or games of its own; it has {_own_arguments(game)}")
        finding = _own_experiment(game, supplied, {"players": players, **arguments, **settings})
    else:
        arguments |= {
            "games": games,
            "per_pair": per_pair,
            "seats": seats,
            "until": until,
            "file": file,
            "register": register or None,
        }
        supplied |= {"players": players, "game": game, "rules": rules}
        finding = _benchmark(supplied, {**arguments, "schedule": "adaptive" if adaptive else None}, settings)
    return Experiment(finding.facts["experiment"], supplied["store"])


def _benchmark(supplied: dict[str, Any], arguments: Mapping[str, Any], unknown: Mapping[str, Any]) -> Finding:
    if arguments["file"] is None:
        if unknown:
            raise InputError(
                f"bench has no argument {next(iter(unknown))!r}; settings of the game go into rules={{...}}"
            )
        game = find_game(supplied["game"] or DEFAULT_GAME)
        supplied["game"] = game
        supplied["players"] = contestants_of(game, supplied["players"])
        supplied["rules"] = make_rules(game, supplied["rules"]).model_dump(exclude_unset=True)
    else:
        values = {**{name: supplied[name] for name in ("players", "game", "rules")}, **arguments}
        names = ("players", "game", "games", "per_pair", "rules", "seats")
        given = [*(name for name in names if values[name] is not None), *unknown]
        if given:
            raise InputError(f"a file has its own games and players; leave out {', '.join(given)}")
    present = {name: value for name, value in arguments.items() if value is not None}
    with spelled_settings(present, {"register_": "register"}) as fields:
        return bench_verb({**supplied, "settings": bench_verb.settings.of(fields)})


_OWN_ARGUMENTS: Final = {"subject": "players", "task": "tasks"}
"""The names of arguments of the library that differ from the names of their settings, by setting."""


def _own_experiment(game: str, supplied: Mapping[str, Any], arguments: Mapping[str, Any]) -> Finding:
    """Run an experiment with separate settings, such as the battery. Raise InputError for an invalid setting."""
    if isinstance(arguments["players"], str):
        raise InputError(f"players must be a list, as in [{arguments['players']!r}]")
    present = {name: value for name, value in arguments.items() if value is not None}
    with spelled_settings(present, _OWN_ARGUMENTS) as settings:
        own: Verb = load(PLANS_GROUP, game)
        unknown = [name for name in settings if name not in own.settings.model_fields]
        if unknown:
            raise InputError(f"{game} has no setting {unknown[0]!r}; it has {_own_arguments(game)}")
        return own({**supplied, "settings": own.settings.of(settings)})


_SHARED: Final = ("seed", "name", "cluster", "yes", "dry_run", "seconds", "wait")
"""Settings that are arguments of every experiment, or that only commands have."""


def _own_arguments(game: str) -> str:
    own: Verb = load(PLANS_GROUP, game)
    names = [name for name in own.settings.model_fields if name not in _SHARED]
    return ", ".join(_OWN_ARGUMENTS.get(name, name) for name in names)


Pilot: TypeAlias = str | Results
_ARGUMENTS: Final = {"player": "players", "power": "chance", "compare": "pilot", "experiment": "pilot"}
"""The names of arguments of the library that differ from the names of their settings, by setting."""


@described_by(PowerSettings, _ARGUMENTS)
def power(pilot: Pilot | Sequence[Pilot] | None = None, *, store: AnyPath | None = None, **settings: Any) -> Result:
    """Plan the number of games that a finding needs, from the games of a pilot. `pilot` is an experiment, given by its
    name or as `bench` returned it. To plan for a difference between two experiments, give both. If games of a pilot
    were selected with `where`, only these games are used. The settings describe the finding: a `difference` in a
    measure, `between` two players or two experiments, or intervals narrower than a `width`."""
    pilots = [pilot] if pilot is None or isinstance(pilot, str | Results) else list(pilot)
    where, selections = _selections(pilots, store_text(store))
    names = tuple(str(selection.experiment) for selection in selections)
    with spelled_settings(settings, _ARGUMENTS) as given:
        parsed = PowerSettings.of({**given, **({"compare": names} if len(names) == 2 else {})})
        chosen = ("game", "rules", "without_defaulted", "pool")
        changes = {name: getattr(parsed, name) for name in chosen if name in parsed.model_fields_set}
        with open_journal(where) as journal:
            return result_of(plan_from(journal, [selection.changed(**changes) for selection in selections], parsed))


def _selections(pilots: Sequence[Pilot | None], store: str | None) -> tuple[str | None, list[Selection]]:
    """Return the journal of the pilots, and the selected games of each pilot."""
    if not 1 <= len(pilots) <= 2:
        raise InputError(
            f"the pilot must be one experiment, or two experiments whose difference is planned for; got {len(pilots)}"
        )
    stores = {pilot.store for pilot in pilots if isinstance(pilot, Results)}
    if stores and store is not None:
        raise InputError(f"the pilot has a journal of its own; leave out {field('store')}")
    if len(stores) > 1 or (stores and any(not isinstance(pilot, Results) for pilot in pilots)):
        raise InputError(
            "two pilots must be in the same journal: give both as experiment objects of one journal, or both by name"
        )
    selections = [pilot.selection if isinstance(pilot, Results) else Selection.select(pilot) for pilot in pilots]
    return next(iter(stores), store), selections
