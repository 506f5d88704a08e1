"""The conformance suite of games: `check_game(GAME)` plays it in every way that matters and raises `GameFaults` with
one line for each promise of the contract that it breaks. Authors of games run it in their tests::

    def test_the_game_keeps_the_contract():
        check_game(MY_GAME)

Optional parts are checked where a game has them."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from ostrom.core import Seat
from ostrom.core.effects import Say, Telling
from ostrom.core.game import API, Game, imported
from ostrom.core.scene import Scene
from ostrom.core.telling import faults, presentation_of, story_of, transcript
from ostrom.testing.conformance.case import MARKER, Case, Fault, cases_of, guarded
from ostrom.testing.conformance.playing import PLAY_CHECKS, STRATEGY_CHECKS

PARTS = ("players", "briefing", "measures", "charts", "scene", "step", "commands", "samples")


def check_declaration(game: Game) -> Iterator[str]:
    """Names that can stand in a record and on a command line, seats that can be, parts that can be imported."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game.name):
        yield f"the name {game.name!r} must be lower-case letters, digits and underscores"
    if not re.fullmatch(r"[a-z][a-z0-9-]*", game.command):
        yield f"the command {game.command!r} must be lower-case letters, digits and hyphens"
    if not game.title.strip() or not game.summary.strip():
        yield "a title and a summary are missing"
    if game.api != API:
        yield f"it is written for version {game.api} of the contract; this is version {API}"
    seats = game.seats
    if not 1 <= seats.fewest <= seats.most or not (seats.usual is None or seats.fewest <= seats.usual <= seats.most):
        yield f"{seats.fewest} to {seats.most} seats with {seats.usual} as usual is not possible"
    if not game.events:
        yield "it declares no events"
    for tag, event in game.events.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*", tag):
            yield f"the event's tag {tag!r} must be lower-case letters, digits and underscores"
        if not (event.__doc__ or "").strip():
            yield f"the event {tag!r} has no docstring"
    for part in PARTS:
        if getattr(game, part, None) is not None:
            try:
                game.part(part)
            except (ImportError, AttributeError) as error:
                yield f"its {part}, {getattr(game, part)}, cannot be imported: {error}"


def check_rules(game: Game, *, given: bool) -> Iterator[str | Fault]:
    """Every setting has a default, a description and bounds; rules are frozen, refuse what they do not know, and come
    back from JSON as they were."""
    for name, field in game.rules.model_fields.items():
        if field.is_required():
            yield Fault("the rules", f"{name} has no default", kind="no defaults")
        if not (field.description or "").strip():
            yield f"{name} has no description"
        yield from _check_bounds(name, field)
    config = game.rules.model_config
    if not config.get("frozen"):
        yield "they can be changed while a game is played: set frozen=True in model_config"
    if config.get("extra") != "forbid":
        yield "they accept unknown settings: set extra='forbid' in model_config"
    try:
        default: BaseModel = game.rules()
        back = game.rules.model_validate_json(default.model_dump_json())
    except ValidationError as error:
        if not given:
            yield Fault("the rules", f"the defaults are refused: {error.errors()[0]['msg']}", kind="no defaults")
        return
    if back != default:
        yield "they do not come back from JSON as they were"


def _check_bounds(name: str, field: FieldInfo) -> Iterator[str]:
    if field.annotation not in (int, float, int | None, float | None):
        return
    low, high = _bounds(field, "ge", "gt"), _bounds(field, "le", "lt")
    if not low and not high:
        yield f"{name} is a number without bounds: set ge, gt, le or lt"
    if low and high and max(low) > min(high):
        yield f"{name} cannot have any value: its bounds exclude each other"
    if isinstance(field.default, float) and not math.isfinite(field.default):
        yield f"the default of {name} is not finite"
    usual = field.default
    if isinstance(usual, int | float) and (any(usual < one for one in low) or any(usual > one for one in high)):
        yield f"the default of {name}, {usual}, is outside its bounds"


def _bounds(field: FieldInfo, *names: str) -> list[float]:
    return [float(getattr(one, name)) for one in field.metadata for name in names if hasattr(one, name)]


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
    match value:
        case str():
            return MARKER in value
        case dict():
            return any(_unquoted(one) for name, one in value.items() if name != "quote")
        case list() | tuple():
            return any(_unquoted(one) for one in value)
        case _:
            return False


def check_film(case: Case) -> Iterator[str]:
    """A picture of the beginning, of the middle and of the end can be drawn."""
    labels = tuple(Seat(index).label for index in range(case.seats))
    # By their paths: where the extra of films is not installed, this check is left out.
    cast = imported("ostrom.charts.film.cast:Cast")(labels, labels)
    film = imported("ostrom.charts.film.film:plan_story")(case.story, cast)
    moments = list(film.timeline.moments(1))
    if not moments:
        yield "the film has no picture"
        return
    for moment in (moments[0], moments[len(moments) // 2], moments[-1]):
        picture = film.draw(moment)
        if picture.getextrema() == ((0, 0),) * len(picture.getbands()):
            yield "a picture of the film is empty"


class GameFaults(AssertionError):
    """A game that does not keep the contract; the text has one line for each fault."""

    def __init__(self, game: str, faults: Sequence[str]) -> None:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"{game}: {count}", *(f"- {fault}" for fault in faults)]))
        self.faults = tuple(faults)


def check_game(
    game: Game, *, seeds: Sequence[int] = (1, 2), seats: Sequence[int] = (), rules: Sequence[Any] = ()
) -> None:
    """Check a game at tables of these sizes (by default the smallest and the usual one) under these rules (by default
    the game's own defaults). Raises `GameFaults`."""
    found = faults_of(game, seeds=seeds, seats=seats, rules=rules)
    if found:
        raise GameFaults(game.name, found)


def faults_of(
    game: Game, *, seeds: Sequence[int] = (1, 2), seats: Sequence[int] = (), rules: Sequence[Any] = ()
) -> list[str]:
    """What is wrong with a game, one line each; the same fault under several seeds is told once."""
    found: dict[tuple[str, str], str] = {}
    for fault in _all(game, seeds, seats, rules):
        found.setdefault((fault.check, fault.kind or fault.text), fault.line())
    return list(found.values())


def _all(game: Game, seeds: Sequence[int], seats: Sequence[int], rules: Sequence[Any]) -> Iterator[Fault]:
    yield from guarded("the declaration", None, check_declaration(game))
    own = list(guarded("the rules", None, check_rules(game, given=bool(rules))))
    yield from own
    if not rules and any(fault.kind == "no defaults" for fault in own):
        return  # nothing can be played
    for case in cases_of(game, seeds, seats, rules):
        yield from _of_case(case)


def _of_case(case: Case) -> Iterator[Fault]:
    played = list(guarded("playing a game", case, case.check_played()))
    yield from played
    if played:
        return  # what a game that cannot be played would do is not worth telling
    checks = dict(PLAY_CHECKS)
    if case.first:
        checks |= {"hostile text": check_hostile_text, **STRATEGY_CHECKS}
        # Parts that stand on extras are looked at where these are installed, and their modules read only then.
        if find_spec("jinja2") is not None:
            from ostrom.testing.conformance.prompts import PROMPT_CHECKS

            checks |= PROMPT_CHECKS
        if find_spec("PIL") is not None:
            checks["film"] = check_film
    for name, check in {**checks, "scene": check_scene, "effects": check_effects}.items():
        yield from guarded(name, case, check(case))
