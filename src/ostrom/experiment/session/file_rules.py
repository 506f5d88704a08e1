"""The rules and the composition of a session's tables, for each game and treatment."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import find_game
from ostrom.experiment.session.file_parts import PEOPLE, SessionGame, Treatment

MESSAGES: Final = "messages"
"""The rule of games that turns messages on: true or false, or the name of a form of messages."""
TALK: Final = "talk"
"""The rule of games for the order of messages."""
_NO_MESSAGES: Final = "none"
_ALL_MESSAGES: Final = "all"


def game_of(game: SessionGame) -> Game:
    """Return the registered game that a game of the session plays. Raise InputError if there is none."""
    return find_game(game.game)


def rules_of(game: SessionGame, treatment: Treatment, *, practice: bool = False) -> Any:
    """Return the rules of a game in a treatment. Raise InputError if they are invalid."""
    return make_rules(game_of(game), rule_settings(game, treatment, practice=practice))


def rule_settings(game: SessionGame, treatment: Treatment | None, *, practice: bool = False) -> dict[str, Any]:
    """Return the settings of a game's rules. Later ones replace earlier ones: the preset, the game's, the treatment's,
    the treatment's for this game, those of practice tables."""
    settings: dict[str, Any] = {} if game.preset is None else {"preset": game.preset}
    settings |= game.rules
    if treatment is not None:
        known = game_of(game).rules.model_fields
        settings |= {name: value for name, value in treatment.rules.items() if name in known}
        settings |= _talk_settings(game_of(game), treatment, settings)
        if game.name in treatment.games:
            settings |= treatment.games[game.name].rules
    return settings | (game.practice_rules if practice else {})


def _talk_settings(game: Game, treatment: Treatment, settings: Mapping[str, Any]) -> dict[str, Any]:
    fields, changed = game.rules.model_fields, dict[str, Any]()
    if treatment.messages is not None and MESSAGES in fields:
        if fields[MESSAGES].annotation is bool:
            changed[MESSAGES] = treatment.messages
        elif not treatment.messages:
            changed[MESSAGES] = _NO_MESSAGES
        elif settings.get(MESSAGES, _NO_MESSAGES) == _NO_MESSAGES:
            changed[MESSAGES] = _ALL_MESSAGES
    if treatment.turns is not None and TALK in fields:
        changed[TALK] = treatment.turns.replace(" ", "-")
    return changed


def rule_problems(game: Game, settings: Mapping[str, Any]) -> list[Any]:
    """Return the validation errors of settings of a game's rules."""
    try:
        game.rules(**settings)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def seats_of(game: SessionGame, treatment: Treatment) -> list[str]:
    """Return the composition of a table: "people" for each seat of a person, and then the names of players."""
    own = treatment.games.get(game.name)
    composition = treatment.seats if own is None or own.seats is None else own.seats
    if composition is None:
        return [PEOPLE] * game.group
    players = [name for name, count in composition.items() if name != PEOPLE for _ in range(count)]
    return [PEOPLE] * composition.get(PEOPLE, 0) + players


def people_of(game: SessionGame, treatment: Treatment) -> int:
    """Return the number of people at a table."""
    return seats_of(game, treatment).count(PEOPLE)
