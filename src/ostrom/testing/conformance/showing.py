"""Checks of how a game is shown: its scene, its sentences and effects, and that the text of players stays text."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ostrom.core.effects import Say, Telling
from ostrom.core.scene import Scene
from ostrom.core.telling import faults, presentation_of, story_of, transcript
from ostrom.testing.conformance.case import MARKER, Case, Check


def check_scene(case: Case) -> Iterator[str]:
    """The scene is valid by its schema, and every telling is plain data that is read back as it was."""
    scene = case.story.scene
    if Scene.model_validate_json(scene.model_dump_json()) != scene:
        yield "the scene does not come back from JSON as it was"
    if case.game.finals is not None and scene.final is None:
        yield "the game has finals, and its scene names no quantity for them"
    if scene.better != case.game.better:
        yield f"the scene says that {scene.better} is better, the game says {case.game.better}"
    for number, telling in enumerate((case.story.opening, *case.story.told)):
        back = Telling.model_validate_json(telling.model_dump_json())
        if back.model_dump() != telling.model_dump():
            yield f"what is told of event {number} does not come back from JSON as it was"


def check_effects(case: Case) -> Iterator[str]:
    """Effects name what the scene declares, add up, and end at the finals."""
    finals = None if case.game.finals is None else case.game.finals(case.played.events)
    yield from faults(case.story, case.seats, finals)


def check_hostile_text(case: Case) -> Iterator[str]:
    """Whatever a player writes is kept as it is, and stands in sentences and effects as text of a player only."""
    played = case.hostile
    said = [value for _key, value in played.values() if MARKER in json.dumps(value, ensure_ascii=False)]
    if not said:
        return  # nobody is ever asked for a text
    for event in played.events:
        stored = json.loads(json.dumps(event.as_record()))
        if case.game.events.decode(stored).as_record() != event.as_record():
            yield f"a hostile text does not come back out of a {event.tag} as it was"
    story = story_of(presentation_of(case.game), case.rules, case.seats, played.events)
    names = [f"P{seat + 1}" for seat in range(case.seats)]
    for telling in story.told:
        transcript(story.scene, telling, names)
        spoken = {"effects": tuple(one for one in telling.effects if not isinstance(one, Say))}
        if _unquoted(telling.model_copy(update=spoken).model_dump(mode="json")):
            yield "what a player wrote stands in a sentence as the game's own words: use Quote or Say"
            return


def _unquoted(value: Any) -> bool:
    """Whether a text of a player stands anywhere but in a quote."""
    match value:
        case str():
            return MARKER in value
        case dict():
            return any(_unquoted(one) for name, one in value.items() if name != "quote")
        case list() | tuple():
            return any(_unquoted(one) for one in value)
        case _:
            return False


SHOWING_CHECKS: Final[Mapping[str, Check]] = {
    "scene": check_scene,
    "effects": check_effects,
}
SHOWN_ONCE: Final[Mapping[str, Check]] = {"hostile text": check_hostile_text}
"""What is looked at in one game."""
