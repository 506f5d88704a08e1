"""Makes functions of the library from verbs. The keyword arguments of a function are the fields of the verb's
settings."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeVar

from ostrom.core.errors import InputError
from ostrom.core.files import check_folder
from ostrom.core.finding import Finding
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.plugins import find_game
from ostrom.core.settings import Settings
from ostrom.core.verb import SILENT, Verb
from ostrom.experiment.limits import limits_of
from ostrom.library.running import AnyPath, AnyRules, store_text
from ostrom.players.roster import Seated, strategies_of

Function = TypeVar("Function", bound=Callable[..., Any])
_POSITIONAL: Final = inspect.Parameter.POSITIONAL_OR_KEYWORD
_KEYWORD: Final = inspect.Parameter.KEYWORD_ONLY


class Result(Finding):
    """A finding that can be stored in a journal. It has `to_frame()`, `chart()`, `tables` and `keep()`."""

    def keep(self, store: AnyPath | None = None, *, name: str = "") -> Any:
        """Store the finding as an experiment of a journal. The commands list, report and export and the pages then show
        it."""
        where = store_text(store)
        experiment: str = imported("ostrom.findings.keeping:keep_finding")(self, where, name=name)
        return imported("ostrom.library.lab:experiment_named")(experiment, where)

    def report(self, folder: AnyPath) -> tuple[list[str], list[str]]:
        """Write every table as CSV and Parquet and every chart as SVG and PNG into a folder. Return the names of the
        tables and of the charts."""
        path = Path(folder)
        check_folder(path)
        names: tuple[list[str], list[str]] = imported("ostrom.findings.pictures:write_files")(self, path)
        return names


def result_of(finding: Finding) -> Result:
    """Return a finding as a result of the library."""
    return Result(**{attribute.name: getattr(finding, attribute.name) for attribute in fields(finding)})


def function_from(verb: Verb, *first: str, spell: Mapping[str, str] | None = None) -> Callable[..., Result]:
    """Return the library's function of a verb. The seed is 0 unless another one is given. The settings named in `first`
    may be given by position. `spell` has the names of arguments that differ from the names of their settings."""

    def call(
        *given: Any,
        game: str | Game | None = None if verb.optional_game else verb.game,
        rules: AnyRules = None,
        **arguments: Any,
    ) -> Result:
        if len(given) > len(first):
            raise TypeError(f"{verb.name}() has {len(first)} positional arguments, got {len(given)}")
        arguments |= dict(zip(first, given, strict=False))
        game = arguments.pop("game", game)
        if "game" not in verb.needs:
            # A verb that studies a journal has its own settings for the name of a game and a digest of rules.
            arguments |= {name: value for name, value in (("game", game), ("rules", rules)) if value is not None}
        with spelled_settings(arguments, spell or {}) as settings:
            return result_of(run(game, rules, settings))

    def run(game: str | Game | None, rules: AnyRules, settings: dict[str, Any]) -> Finding:
        supplied: dict[str, Any] = {"reporter": SILENT, "rules": rules}
        find: Callable[[Any], Game] = verb.find or find_game
        if "store" in verb.needs:
            supplied["store"] = store_text(settings.pop("store", None))
        if "limits" in verb.needs:
            limits = settings.pop("limits", None)
            supplied["limits"] = None if limits is None else limits_of(limits)
        if "runner" in verb.needs:
            # The class is imported here by its path, because few verbs play games of a journal.
            supplied["runner"] = imported("ostrom.library.running:LibraryRunner")()
        if verb.optional_game:
            supplied["game"] = None if game is None else find(game)
        elif "game" in verb.needs:
            if game is None:
                raise InputError(f"{verb.name} needs a game")
            supplied["game"] = find(game)
        if "players" in verb.needs:
            supplied["players"] = _players(supplied["game"], verb, settings.pop("players", None))
        if "rules" in verb.needs and not verb.optional_game:
            supplied["rules"] = make_rules(supplied["game"], rules)
        # An experiment of a journal has a seed.
        seeded = "seed" in verb.settings.model_fields and "experiment" not in settings
        seed = {"seed": 0} if seeded else {}
        supplied["settings"] = verb.settings.of({**seed, **settings})
        return verb(supplied)

    call.__doc__ = f"{verb.run.__doc__}\n\n{_reference(verb.settings, spell or {})}"
    call.__name__ = call.__qualname__ = verb.name.replace("-", "_")
    call.__signature__ = _signature(verb, first, spell or {})  # type: ignore[attr-defined]
    return call


@contextmanager
def spelled_settings(arguments: Mapping[str, Any], spell: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield arguments under the names of their settings. `spell` has the names of arguments that differ from the names
    of their settings. Errors that are raised in this context name the arguments."""
    names = {argument: setting for setting, argument in spell.items()}
    try:
        yield {names.get(name, name): _as_setting(value) for name, value in arguments.items()}
    except InputError as error:
        error.rename_fields(spell)
        raise


def described_by(model: type[Settings], spell: Mapping[str, str]) -> Callable[[Function], Function]:
    """Return a decorator that gives a function with keyword arguments the signature and the documentation of
    settings."""

    def describe(function: Function) -> Function:
        signature = inspect.signature(function)
        own = {
            name: parameter
            for name, parameter in signature.parameters.items()
            if parameter.kind is not parameter.VAR_KEYWORD
        }
        parameters = _setting_parameters(model, (), spell) | own
        ordered = sorted(parameters.values(), key=lambda parameter: parameter.kind)
        setattr(function, "__signature__", signature.replace(parameters=ordered))  # noqa: B010 - functions allow it
        function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{_reference(model, spell)}"
        return function

    return describe


def _players(game: Game, verb: Verb, players: Sequence[Seated] | None) -> Sequence[Any]:
    """Return the strategies of a list. Without a list, return all strategies of the game. A sweep without a list
    chooses its own table."""
    if verb.name == "sweep" and not players:
        return ()
    return strategies_of(game, players)


def _as_setting(value: Any) -> Any:
    """Return a list as a tuple, because settings are frozen. Return other values unchanged."""
    return tuple(value) if isinstance(value, list) else value


def _signature(verb: Verb, first: Sequence[str], spell: Mapping[str, str]) -> inspect.Signature:
    parameters: dict[str, inspect.Parameter] = {}
    if "players" in verb.needs:
        parameters["players"] = inspect.Parameter("players", _POSITIONAL, default=None, annotation=Any)
    if "game" in verb.needs:
        parameters["game"] = inspect.Parameter(
            "game", _KEYWORD, default=None if verb.optional_game else verb.game, annotation="str | Game"
        )
    if "rules" in verb.needs:
        parameters["rules"] = inspect.Parameter("rules", _KEYWORD, default=None, annotation="AnyRules")
    parameters |= _setting_parameters(verb.settings, first, spell)
    further = {name: "AnyLimits" if name == "limits" else "AnyPath | None" for name in ("store", "limits")}
    for name, annotation in further.items():
        if name in verb.needs:
            parameters[name] = inspect.Parameter(name, _KEYWORD, default=None, annotation=annotation)
    ordered = sorted(parameters.values(), key=lambda parameter: parameter.kind)
    return inspect.Signature(ordered, return_annotation=Result)


def _setting_parameters(
    model: type[Settings], first: Sequence[str], spell: Mapping[str, str]
) -> dict[str, inspect.Parameter]:
    parameters = {}
    for name, info in model.model_fields.items():
        default = 0 if name == "seed" else info.default
        argument = spell.get(name, name)
        kind = _POSITIONAL if argument in first else _KEYWORD
        parameters[argument] = inspect.Parameter(argument, kind, default=default, annotation=info.annotation)
    return parameters


def _reference(model: type[Settings], spell: Mapping[str, str]) -> str:
    """Return a line for each setting."""
    lines = {spell.get(name, name): info.description for name, info in model.model_fields.items()}
    return "\n".join(f"`{name}`: {description}" for name, description in lines.items())
