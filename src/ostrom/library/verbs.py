"""Functions of the library, made from verbs: keyword arguments are the fields of their settings."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from ostrom.core.errors import InputError
from ostrom.core.finding import Finding
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.plugins import find_game
from ostrom.core.verb import SILENT, Verb
from ostrom.library.playing import AnyPath, AnyRules, store_text
from ostrom.players.roster import Seated, strategies_of


class Result(Finding):
    """A finding that can be kept in a journal: `to_frame()`, `chart()`, `tables`, `keep()`."""

    def keep(self, store: AnyPath | None = None, *, name: str = "") -> Any:
        """Keep it as an experiment of a journal, which list, report, export and the pages then show."""
        where = store_text(store)
        experiment: str = imported("ostrom.findings.keeping:keep_finding")(self, where, name=name)
        return imported("ostrom.library.lab:experiment_named")(experiment, where)


def function_from(verb: Verb) -> Callable[..., Result]:
    """Return the library's function of a verb. Its seed is 0 unless another one is given."""

    def call(
        players: Sequence[Seated] | None = None,
        *,
        game: str | Game | None = verb.game,
        rules: AnyRules = None,
        **settings: Any,
    ) -> Result:
        supplied: dict[str, Any] = {"reporter": SILENT}
        if "game" in verb.needs:
            if game is None:
                raise InputError(f"{verb.name} needs a game")
            supplied["game"] = find_game(game)
        if "players" in verb.needs:
            supplied["players"] = strategies_of(supplied["game"], players)
        if "rules" in verb.needs:
            supplied["rules"] = make_rules(supplied["game"], rules)
        supplied["settings"] = verb.settings.of({**_default_seed(verb), **settings})
        finding = verb(supplied)
        return Result(**{each.name: getattr(finding, each.name) for each in fields(finding)})

    call.__doc__ = f"{verb.run.__doc__}\n\n{_reference(verb)}"
    call.__name__ = call.__qualname__ = verb.name.replace("-", "_")
    call.__signature__ = _signature(verb)  # type: ignore[attr-defined]
    return call


def _default_seed(verb: Verb) -> dict[str, Any]:
    return {"seed": 0} if "seed" in verb.settings.model_fields else {}


def _signature(verb: Verb) -> inspect.Signature:
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    if "players" in verb.needs:
        parameters.append(
            inspect.Parameter("players", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Any)
        )
    if "game" in verb.needs:
        parameters.append(inspect.Parameter("game", keyword, default=verb.game, annotation="str | Game"))
    if "rules" in verb.needs:
        parameters.append(inspect.Parameter("rules", keyword, default=None, annotation="AnyRules"))
    for name, info in verb.settings.model_fields.items():
        default = _default_seed(verb).get(name, info.default)
        parameters.append(inspect.Parameter(name, keyword, default=default, annotation=info.annotation))
    return inspect.Signature(parameters, return_annotation=Result)


def _reference(verb: Verb) -> str:
    """Return a line for each setting."""
    return "\n".join(f"`{name}`: {info.description}" for name, info in verb.settings.model_fields.items())
