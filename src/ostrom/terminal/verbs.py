"""Makes commands from verbs. A command parses its options, runs the verb, and renders the verb's finding."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

import typer

from ostrom.core.entry_points import missing_extra
from ostrom.core.errors import InputError
from ostrom.core.finding import Finding
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.verb import Verb
from ostrom.players.roster import choose, seat_players
from ostrom.players.strategy import StrategyEntry
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, is_named, rule_settings, takes_game
from ostrom.terminal.render import TerminalReporter, print_next_steps, show
from ostrom.terminal.settings import read_settings, with_settings
from ostrom.terminal.sheets import out


class Follow(NamedTuple):
    """Additions of a command to the finding of a verb. They are lines with commands to type next, which the verb itself
    does not know."""

    add: Callable[[typer.Context, Finding], Finding] | None = None
    """A function that returns the finding with added facts. These facts contain commands."""
    show: Callable[[typer.Context, Finding], None] | None = None
    """A function that prints the next steps below the finding."""


def command_from(verb: Verb, follow: Follow = Follow()) -> Callable[..., None]:  # noqa: B008 - a constant
    """Return the function of a command that parses its options, runs the verb and renders the finding."""

    def run(context: typer.Context, **options: Any) -> None:
        store: str | None = options.get("store") if verb.keeps else None
        with scratch_folder(store) as folder:
            finding = verb(_supplied(context, verb, folder))
            experiment = keep(finding, store)
        if experiment is not None:
            finding = finding.with_facts(kept=experiment)
        if follow.add is not None:
            finding = follow.add(context, finding)
        show(finding, json=options["json"])
        if not options["json"]:
            _print_below(context, finding, experiment, follow)

    run.__doc__ = verb.run.__doc__
    run.__name__ = verb.name.replace("-", "_")
    parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _surface_options(verb).items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    function = with_settings(verb.settings)(cast(Callable[..., None], run))
    if "limits" in verb.needs:
        function = opt.with_limits(*verb.fixed_limits)(function)
    if verb.people:
        own = verb.settings.model_fields
        function = opt.with_options({name: option for name, option in opt.PEOPLE_OPTIONS.items() if name not in own})(
            function
        )
    _move_to_end(function, "store", "json")
    if "game" not in verb.needs:
        return function
    if verb.find is None or verb.names is None:
        return takes_game(default=verb.game)(function)
    return takes_game(default=verb.game, find=verb.find, names=verb.names)(function)


def _move_to_end(function: Callable[..., None], *names: str) -> None:
    """Make the help of a command list these options last."""
    signature = inspect.signature(function)
    last = [parameter for name, parameter in signature.parameters.items() if name in names]
    first = [parameter for name, parameter in signature.parameters.items() if name not in names]
    function.__signature__ = signature.replace(parameters=[*first, *last])  # type: ignore[attr-defined]


def _surface_options(verb: Verb) -> dict[str, tuple[Any, Any]]:
    """Return the options that every command of this kind has in addition to its settings."""
    options: dict[str, tuple[Any, Any]] = {}
    if "players" in verb.needs:
        options |= {"include": (opt.Include, None), "exclude": (opt.Exclude, None)}
    if "players" in verb.needs and verb.models:
        options["llm"] = (opt.Llm, None)
    if "players" in verb.needs or verb.strategies:
        options["players"] = (opt.Players, None)
    if "rules" in verb.needs:
        options["rule"] = (opt.Rule, None)
    if verb.keeps:
        options["store"] = (opt.KeepIn, None)
    elif "store" in verb.needs:
        options["store"] = (opt.Store, None)
    options["json"] = (opt.Json, False)
    return options


def _supplied(context: typer.Context, verb: Verb, folder: Path | None) -> dict[str, Any]:
    """Return the parameters of the verb that the command line supplies."""
    typed = context.params
    supplied: dict[str, Any] = {"reporter": TerminalReporter(folder), "store": typed.get("store")}
    if "limits" in verb.needs:
        supplied["limits"] = opt.typed_limits(context)
    if "runner" in verb.needs:
        # The class is imported here by its path, because few verbs play games of a journal.
        supplied["runner"] = imported("ostrom.terminal.console:TerminalRunner")(context)
    if verb.optional_game:
        supplied["game"] = game_of(context) if is_named(context) else None
        named = supplied["game"] is not None or verb.game is not None
        supplied["rules"] = (rule_settings(context) or None) if named else typed.get("rule") or None
    elif "game" in verb.needs:
        supplied["game"] = game_of(context)
    if "players" in verb.needs or verb.strategies:
        opt.load_players(typed["players"])
    if "players" in verb.needs:
        supplied["players"] = _players_chosen(context, verb, supplied["game"])
    if "rules" in verb.needs and not verb.optional_game:
        supplied["rules"] = make_rules(supplied["game"], rule_settings(context))
    supplied["settings"] = read_settings(context, verb.settings)
    return supplied


def _players_chosen(context: typer.Context, verb: Verb, game: Game | None) -> Sequence[Any] | None:
    """Return the players that the options name, or None if there is no game in which to seat them. Raise InputError if
    options name players and there is no game."""
    named = {option: context.params.get(option) or [] for option in ("include", "exclude", "llm")}
    if game is None:
        for option in (option for option, names in named.items() if names):
            raise InputError(f"--{option} needs a game; name one, as in 'ostrom {verb.name} GAME'")
        return None
    if verb.models:
        return seat_players(game.name, named["include"], named["exclude"], named["llm"])
    return strategies_chosen(game, named["include"], named["exclude"])


def strategies_chosen(game: Game, include: Sequence[str], exclude: Sequence[str]) -> list[StrategyEntry]:
    """Return the strategies that the options name. Raise InputError if no strategies are left."""
    entries = choose(include, exclude, game=game.name)
    if not entries:
        raise InputError(f"{game.command} has no strategies; add some with --plugin FILE.py")
    return entries


@contextmanager
def scratch_folder(store: str | None) -> Iterator[Path | None]:
    """Yield a folder for large tables if the finding is stored in a journal, and otherwise None."""
    if store is None:
        yield None
        return
    with TemporaryDirectory(prefix="ostrom-") as folder:
        yield Path(folder)


def keep(finding: Finding, store: str | None) -> str | None:
    """Store a finding in the journal that the user named. Return the experiment's id, or None if no journal was
    named."""
    if store is None:
        return None
    try:
        experiment: str = imported("ostrom.findings.keeping:keep_finding")(finding, store)
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error
    return experiment


def _print_below(context: typer.Context, finding: Finding, experiment: str | None, follow: Follow) -> None:
    print_next_steps(finding, context.params.get("store"))
    if experiment is not None:
        line = imported("ostrom.findings.keeping:stored_line")(experiment, context.params["store"])
        out.print(f"\n{line}", soft_wrap=True)
    if follow.show is not None:
        follow.show(context, finding)
