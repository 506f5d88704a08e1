"""Functions of the library, made from verbs: keyword arguments are the fields of their settings."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from ostrom.core.errors import InputError
from ostrom.core.files import check_folder
from ostrom.core.finding import Finding
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.plugins import find_game
from ostrom.core.verb import SILENT, Verb
from ostrom.library.playing import AnyPath, AnyRules, store_text
from ostrom.players.roster import Seated, strategies_of

_POSITIONAL: Final = inspect.Parameter.POSITIONAL_OR_KEYWORD
_KEYWORD: Final = inspect.Parameter.KEYWORD_ONLY


class Result(Finding):
    """A finding that can be kept in a journal: `to_frame()`, `chart()`, `tables`, `keep()`."""

    def keep(self, store: AnyPath | None = None, *, name: str = "") -> Any:
        """Keep it as an experiment of a journal, which list, report, export and the pages then show."""
        where = store_text(store)
        experiment: str = imported("ostrom.findings.keeping:keep_finding")(self, where, name=name)
        return imported("ostrom.library.lab:experiment_named")(experiment, where)

    def report(self, folder: AnyPath) -> tuple[list[str], list[str]]:
        """Write every table as CSV and Parquet and every chart as SVG and PNG into a folder. Return the names of
        both."""
        path = Path(folder)
        check_folder(path)
        names: tuple[list[str], list[str]] = imported("ostrom.findings.sweep_charts:write_files")(self, path)
        return names


def function_from(verb: Verb, *first: str, spell: Mapping[str, str] | None = None) -> Callable[..., Result]:
    """Return the library's function of a verb. Its seed is 0 unless another one is given. Those named `first` may be
    given by position, and `spell` has the settings that have other names here."""
    names = {argument: setting for setting, argument in (spell or {}).items()}

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
        settings = {names.get(name, name): _as_setting(value) for name, value in arguments.items()}
        try:
            finding = run(game, rules, settings)
        except InputError as error:
            error.rename_fields(spell or {})
            raise
        return Result(**{each.name: getattr(finding, each.name) for each in fields(finding)})

    def run(game: str | Game | None, rules: AnyRules, settings: dict[str, Any]) -> Finding:
        supplied: dict[str, Any] = {"reporter": SILENT, "rules": rules}
        if "store" in verb.needs:
            supplied["store"] = store_text(settings.pop("store", None))
        if verb.optional_game:
            supplied["game"] = None if game is None else find_game(game)
        elif "game" in verb.needs:
            if game is None:
                raise InputError(f"{verb.name} needs a game")
            supplied["game"] = find_game(game)
        if "players" in verb.needs:
            supplied["players"] = _players(supplied["game"], verb, settings.pop("players", None))
        if "rules" in verb.needs and not verb.optional_game:
            supplied["rules"] = make_rules(supplied["game"], rules)
        supplied["settings"] = verb.settings.of({**_default_seed(verb), **settings})
        return verb(supplied)

    call.__doc__ = f"{verb.run.__doc__}\n\n{_reference(verb, spell or {})}"
    call.__name__ = call.__qualname__ = verb.name.replace("-", "_")
    call.__signature__ = _signature(verb, first, spell or {})  # type: ignore[attr-defined]
    return call


def _players(game: Game, verb: Verb, players: Sequence[Seated] | None) -> Sequence[Any]:
    """Return the strategies of a list, or all of the game's; a sweep chooses its own table if there is no list."""
    if verb.name == "sweep" and not players:
        return ()
    return strategies_of(game, players)


def _as_setting(value: Any) -> Any:
    """Return a list as settings have it, which are frozen."""
    return tuple(value) if isinstance(value, list) else value


def _default_seed(verb: Verb) -> dict[str, Any]:
    return {"seed": 0} if "seed" in verb.settings.model_fields else {}


def _signature(verb: Verb, first: Sequence[str], spell: Mapping[str, str]) -> inspect.Signature:
    parameters = {}
    if "players" in verb.needs:
        parameters["players"] = inspect.Parameter("players", _POSITIONAL, default=None, annotation=Any)
    if "game" in verb.needs:
        parameters["game"] = inspect.Parameter(
            "game", _KEYWORD, default=None if verb.optional_game else verb.game, annotation="str | Game"
        )
    if "rules" in verb.needs:
        parameters["rules"] = inspect.Parameter("rules", _KEYWORD, default=None, annotation="AnyRules")
    for name, info in verb.settings.model_fields.items():
        default = _default_seed(verb).get(name, info.default)
        kind = _POSITIONAL if spell.get(name, name) in first else _KEYWORD
        argument = spell.get(name, name)
        parameters[argument] = inspect.Parameter(argument, kind, default=default, annotation=info.annotation)
    ordered = sorted(parameters.values(), key=lambda parameter: parameter.kind)
    return inspect.Signature(ordered, return_annotation=Result)


def _reference(verb: Verb, spell: Mapping[str, str]) -> str:
    """Return a line for each setting."""
    lines = [f"`{spell.get(name, name)}`: {info.description}" for name, info in verb.settings.model_fields.items()]
    return "\n".join(lines)
