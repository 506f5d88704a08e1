"""The conformance suite for games. `check_game(GAME)` plays a game in many ways, and raises `GameFaults` with one line
for each violation of the contract. Authors of games run it in their tests::

    def test_the_game_keeps_the_contract():
        check_game(MY_GAME)

Optional parts are checked if the game has them."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from ostrom.core import InputError, Seat
from ostrom.core.effects import Say, Telling
from ostrom.core.game import Game, contract_fault, imported
from ostrom.core.scene import Scene
from ostrom.core.telling import faults, presentation_of, story_of, transcript
from ostrom.testing.conformance.case import MARKER, Case, Check, ContractFault, cases_of, guarded
from ostrom.testing.conformance.parts import STUDY_CHECKS
from ostrom.testing.conformance.playing import PLAY_CHECKS, STRATEGY_CHECKS
from ostrom.testing.conformance.prompts import PROMPT_CHECKS
from ostrom.testing.conformance.rules import check_rules_grid, check_rules_in_a_batch
from ostrom.testing.conformance.secrecy import Secrets, check_secrecy

PARTS = ("players", "briefing", "measures", "charts", "scene", "step", "commands", "samples")


_NO_PART: Final = "no part: "
"""The first words of the kind of a fault if a part of a game cannot be imported."""


def check_declaration(game: Game) -> Iterator[str | ContractFault]:
    """Check that names are suitable for records and command lines, that the numbers of seats are possible, and that all
    parts can be imported."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game.name):
        yield f"the name {game.name!r} must be lower-case letters, digits and underscores"
    if not re.fullmatch(r"[a-z][a-z0-9-]*", game.command):
        yield f"the command {game.command!r} must be lower-case letters, digits and hyphens"
    if not game.title.strip() or not game.summary.strip():
        yield "a title and a summary are missing"
    if (fault := contract_fault(game)) is not None:
        yield fault
        return
    seats = game.seats
    if not 1 <= seats.fewest <= seats.most or not (seats.usual is None or seats.fewest <= seats.usual <= seats.most):
        yield f"{seats.fewest} to {seats.most} seats with {seats.usual} as usual is not possible"
    yield from _check_roles(game)
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
            except (ImportError, AttributeError, InputError) as error:
                yield ContractFault("the declaration", str(error), kind=_NO_PART + part)


_MAX_SEATS_FOR_ROLES = 64
"""The largest number of seats for which roles are checked."""


def _check_roles(game: Game) -> Iterator[str]:
    """Check that the numbers of seats are multiples of `Seats.multiple`, and that `roles` returns a name for each
    seat."""
    seats = game.seats
    if seats.multiple < 1 or any(count % seats.multiple for count in (seats.fewest, seats.usual or 0)):
        yield f"its fewest and usual seats must be multiples of {seats.multiple}"
        return
    if game.roles is None:
        return
    if game.symmetric:
        yield "it claims that all seats are alike, and it has roles; leave one of them out"
    counts = range(seats.fewest, min(seats.most, _MAX_SEATS_FOR_ROLES) + 1, seats.multiple)
    for count in counts:
        try:
            game.role_names(count)
        except InputError as error:
            yield str(error)
            return
    if all(len(set(game.role_names(count))) == 1 for count in counts):
        yield "all its seats have the same role; declare symmetric=True if they are alike, and no roles"


def check_rules(game: Game, *, needs_defaults: bool) -> Iterator[str | ContractFault]:
    """Check that every setting has a default, a description and bounds. Also check that rules are frozen, reject
    unknown settings, and stay equal when they are written as JSON and read again."""
    for name, field in game.rules.model_fields.items():
        if field.is_required():
            yield ContractFault("the rules", f"{name} has no default", kind="no defaults")
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
        if needs_defaults:
            yield ContractFault(
                "the rules", f"the defaults are invalid: {error.errors()[0]['msg']}", kind="no defaults"
            )
        return
    if back != default:
        yield "they do not survive a round trip through JSON"


def _check_bounds(name: str, field: FieldInfo) -> Iterator[str]:
    if field.annotation not in (int, float, int | None, float | None):
        return
    low, high = _bounds(field, "ge", "gt"), _bounds(field, "le", "lt")
    if not low and not high:
        yield f"{name} is a number without bounds: set ge, gt, le or lt"
    if low and high and max(low) > min(high):
        yield f"{name} has no valid value: its bounds exclude each other"
    if isinstance(field.default, float) and not math.isfinite(field.default):
        yield f"the default of {name} is not finite"
    usual = field.default
    if isinstance(usual, int | float) and (any(usual < bound for bound in low) or any(usual > bound for bound in high)):
        yield f"the default of {name}, {usual}, is outside its bounds"


def _bounds(field: FieldInfo, *names: str) -> list[float]:
    return [float(getattr(item, name)) for item in field.metadata for name in names if hasattr(item, name)]


def check_scene(case: Case) -> Iterator[str]:
    """Check that the scene is valid by its schema, and that the description of every event stays equal when it is
    written as JSON and read again."""
    scene = case.story.scene
    if Scene.model_validate_json(scene.model_dump_json()) != scene:
        yield "the scene does not survive a round trip through JSON"
    if case.game.finals is not None and scene.final is None:
        yield "the game has finals, but its scene names no quantity for them"
    if scene.better != case.game.better:
        yield f"the scene says that {scene.better} is better, the game says {case.game.better}"
    for number, telling in enumerate((case.story.opening, *case.story.tellings)):
        back = Telling.model_validate_json(telling.model_dump_json())
        if back.model_dump() != telling.model_dump():
            yield f"the telling of event {number} does not survive a round trip through JSON"


def check_effects(case: Case) -> Iterator[str]:
    """Check that effects use names that the scene declares, add up, and lead to the final values."""
    finals = None if case.game.finals is None else case.game.finals(case.played.events)
    yield from faults(case.story, case.seats, finals)


def check_hostile_text(case: Case) -> Iterator[str]:
    """Check that players' texts are stored unchanged, and appear in sentences and effects only as quotations."""
    played = case.hostile
    texts = [value for _key, value in played.values() if MARKER in json.dumps(value, ensure_ascii=False)]
    if not texts:
        return  # The game never asks for a text.
    for event in played.events:
        stored = json.loads(json.dumps(event.as_record()))
        if case.game.events.decode(stored).as_record() != event.as_record():
            yield f"a hostile text in a {event.tag} does not survive a round trip through JSON"
    story = story_of(presentation_of(case.game), case.rules, case.seats, played.events)
    names = [f"P{seat + 1}" for seat in range(case.seats)]
    for telling in story.tellings:
        transcript(story.scene, telling, names)
        without_speech = {"effects": tuple(effect for effect in telling.effects if not isinstance(effect, Say))}
        if _unquoted(telling.model_copy(update=without_speech).model_dump(mode="json")):
            yield "a player's text is in a sentence as the game's own words: use Quote or Say"
            return


def _unquoted(value: Any) -> bool:
    match value:
        case str():
            return MARKER in value
        case dict():
            return any(_unquoted(entry) for name, entry in value.items() if name != "quote")
        case list() | tuple():
            return any(_unquoted(entry) for entry in value)
        case _:
            return False


def check_film(case: Case) -> Iterator[str]:
    """Check that frames can be drawn for the beginning, the middle and the end of the game."""
    labels = tuple(Seat(index).label for index in range(case.seats))
    # The module is imported by its path, since this check is skipped if the extra for films is not installed.
    cast = imported("ostrom.charts.film.colours:FilmCast")(labels, labels)
    film = imported("ostrom.charts.film.film:plan_story")(case.story, cast)
    moments = list(film.timeline.moments(1))
    if not moments:
        yield "the film has no frame"
        return
    for moment in (moments[0], moments[len(moments) // 2], moments[-1]):
        picture = film.draw(moment)
        if picture.getextrema() == ((0, 0),) * len(picture.getbands()):
            yield "a frame of the film is empty"


class GameFaults(AssertionError):
    """Raised if a game breaks the contract. The message has one line for each fault."""

    def __init__(self, game: str, faults: Sequence[str]) -> None:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"{game}: {count}", *(f"- {fault}" for fault in faults)]))
        self.faults = tuple(faults)


def check_game(
    game: Game,
    *,
    seeds: Sequence[int] = (1, 2),
    seats: Sequence[int] = (),
    rules: Sequence[Any] = (),
    secrets: Secrets | None = None,
    study: bool = True,
) -> None:
    """Check a game at tables of these sizes under these rules, and raise `GameFaults` if it breaks the contract. By
    default, the sizes are the smallest and the usual one, and the rules are the game's defaults. `secrets` returns the
    secrets of each seat, given the rules, the number of seats and the seed; the secrets are those that
    `GameChance(seed)` draws. While a game is under way, other seats and the public must not see any of these secrets or
    the seed. Without `study`, no measures are computed and no report is written, which is faster."""
    lines = faults_of(game, seeds=seeds, seats=seats, rules=rules, secrets=secrets, study=study)
    if lines:
        raise GameFaults(game.name, lines)


def faults_of(
    game: Game,
    *,
    seeds: Sequence[int] = (1, 2),
    seats: Sequence[int] = (),
    rules: Sequence[Any] = (),
    secrets: Secrets | None = None,
    study: bool = True,
) -> list[str]:
    """Return one line for each fault of a game. A fault that occurs under several seeds or in several checks is listed
    once."""
    lines: dict[tuple[str, str], str] = {}
    errors: set[str] = set()
    for fault in _all_faults(game, seeds, seats, rules, secrets, study):
        if not fault.error or fault.error not in errors:
            lines.setdefault((fault.check, fault.kind or fault.text), fault.line())
        errors.add(fault.error)
    return list(lines.values())


def _all_faults(
    game: Game, seeds: Sequence[int], seats: Sequence[int], rules: Sequence[Any], secrets: Secrets | None, study: bool
) -> Iterator[ContractFault]:
    declaration_faults = list(guarded("the declaration", None, check_declaration(game)))
    yield from declaration_faults
    rule_faults = list(guarded("the rules", None, check_rules(game, needs_defaults=not rules)))
    yield from rule_faults
    if not rules and any(fault.kind == "no defaults" for fault in rule_faults):
        return  # The game cannot be played.
    if any(fault.kind.startswith(_NO_PART) for fault in declaration_faults):
        return  # The other checks would repeat these faults.
    for case in cases_of(game, seeds, seats, rules):
        yield from _case_faults(case, study)
        if case.seed == seeds[0]:  # This check has seeds of its own.
            yield from guarded("secrets", case, check_secrecy(case, secrets))


def _case_faults(case: Case, study: bool) -> Iterator[ContractFault]:
    play_faults = list(guarded("playing a game", case, case.check_played()))
    yield from play_faults
    if play_faults:
        return  # The other checks need a game that can be played.
    # Other checks use the scene, and would meet its faults first.
    checks: dict[str, Check] = {"scene": check_scene, "effects": check_effects, **PLAY_CHECKS}
    if case.first:
        checks |= {"hostile text": check_hostile_text, **STRATEGY_CHECKS}
        checks |= PROMPT_CHECKS
        # Parts that need an extra are checked only if the extra is installed.
        if find_spec("PIL") is not None:
            checks["film"] = check_film
        checks["rules"] = check_rules_grid
        checks["rules in a batch"] = check_rules_in_a_batch
        if study:
            checks |= STUDY_CHECKS
        if find_spec("gymnasium") is not None:
            from ostrom.testing.conformance.episodes import check_environment

            checks["environment"] = check_environment
    for name, check in checks.items():
        yield from guarded(name, case, check(case))
