"""The check of secrets. Games with large seeds are played. Every text and number that a seat or the public sees while a
game is under way is searched for the seed and for the secrets of other seats."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from pydantic import BaseModel

from ostrom.core import Event, GameChance, Seat
from ostrom.core.game import imported
from ostrom.core.telling import presentation_of, story_of
from ostrom.testing.conformance.case import Case, CaseGame

Secrets: TypeAlias = Callable[[Any, int, int], Sequence[Collection[Any]]]
"""A function that returns the secrets of each seat (numbers or texts), given the rules, the number of seats and the
seed. A number is recognised only if it has at least three digits; the check names a number with fewer."""

SEEDS: Final = (9_187_362_540_918_273, 7_705_318_846_629_541, 8_460_929_173_350_617)
"""Seeds that are unlikely to equal another number of a game."""
_MIN_SEEDS: Final = 2
"""The smallest number of seeds. A number with few digits may equal a secret by coincidence, but hardly at the same
place under several seeds."""
_MIN_DIGITS: Final = 3
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?")


def check_secrecy(case: Case, secrets: Secrets | None = None) -> Iterator[str]:
    """Yield the places at which another seat or the public sees a secret."""
    leaks: dict[str, set[int]] = {}
    listed: list[Sequence[Collection[Any]]] = []
    for seed in SEEDS:
        played = replace(case, seed=seed)
        own = [()] * case.seats if secrets is None else secrets(case.rules, case.seats, seed)
        listed.append(own)
        for place in _leaks(played, [[seed, *values] for values in own]):
            leaks.setdefault(place, set()).add(seed)
    for place, seeds in leaks.items():
        if len(seeds) >= _MIN_SEEDS:
            yield place
    yield from too_short(listed)


def too_short(listed: Sequence[Sequence[Collection[Any]]]) -> Iterator[str]:
    """Yield the first secret that has too few digits to be recognised under every seed. A drawn number may have few
    digits by coincidence, but hardly under all seeds."""
    for seat, by_seed in enumerate(zip(*listed, strict=False)):
        for values in zip(*by_seed, strict=False):
            if all(not isinstance(value, str) and len(_digits(repr(float(value)))) < _MIN_DIGITS for value in values):
                yield (
                    f"{values[0]!r}, which `secrets` lists for seat {seat}, cannot be recognised: it has fewer than "
                    f"{_MIN_DIGITS} digits without zeros at the ends; leave it out, and test the views yourself"
                )
                return


def _leaks(case: Case, secrets: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield the places of one game at which a secret occurs. The seed is the first secret of every seat."""
    game = case.played
    every = [secret for own in secrets for secret in own]
    for step in game.steps:
        for question in step:
            seat = question.seat.index
            others = [
                secrets[seat][0],
                *(secret for other, own in enumerate(secrets) if other != seat for secret in own),
            ]
            for name in _fields_that_hold(question.view, others):
                yield f"{name} of the view of the {question.phase} holds the seed or a secret of another seat"
            for text in _prompts(case, question):
                if _holds(text, others):
                    yield f"the prompt of the {question.phase} holds the seed or a secret of another seat"
            for text in _shared_parts(case, question):
                if _holds(text, every):
                    yield (
                        f"in layout 2, the part of the prompt of the {question.phase} that all seats share holds the "
                        "seed or a secret: put what a seat alone is told into the question"
                    )
    under_way = game.event_records()[: game.events_under_way]
    yield from _event_leaks(case, game, under_way, every, None)
    for seat in range(case.seats):
        others = [secret for other, own in enumerate(secrets) if other != seat for secret in own]
        yield from _event_leaks(case, game, under_way, others, seat)


def _event_leaks(
    case: Case, game: CaseGame, records: Sequence[Mapping[str, Any]], secrets: Sequence[Any], seat: int | None
) -> Iterator[str]:
    reader = "the public" if seat is None else "another seat"
    shown = [case.game.events.seen_by(record, seat) for record in records]
    for record, public in zip(records, shown, strict=True):
        if _holds(public, secrets):
            yield f"the event {record['event']!r} shows a secret to {reader}: mark the field, or the event"
    events: list[Event] = [case.game.events.decode(public) for public in shown]
    for event, telling in zip(
        events, story_of(presentation_of(case.game), case.rules, case.seats, events).tellings, strict=True
    ):
        if _holds(telling, secrets):
            yield f"the telling of {event.tag!r} shows a secret to {reader}"


def _prompts(case: Case, question: Any) -> Iterator[str]:
    """Yield the rules and the question as text, in the form that models and people get, in both layouts, if templates
    can be rendered."""
    for layout in (1, 2):
        for name in ("rules_text", "past_text", "question_text"):
            yield from _parts(case, question, name, layout)


def _shared_parts(case: Case, question: Any) -> Iterator[str]:
    """Yield the rules and the past of layout 2, with which the prompts of all seats begin."""
    for name in ("rules_text", "past_text"):
        yield from _parts(case, question, name, 2)


def _parts(case: Case, question: Any, name: str, layout: int) -> Iterator[str]:
    """Yield the texts of a part of a prompt: `rules_text`, `past_text` or `question_text`."""
    if find_spec("jinja2") is None:
        return
    briefing = imported("ostrom.players.models.briefing:briefing_for")(case.game)
    framing = imported("ostrom.players.models.framing:Framing")(unit=briefing.unit, layout=layout)
    part = imported(f"ostrom.players.models.prompting:{name}")(briefing, question, framing, GameChance(case.seed))
    yield from [part] if isinstance(part, str) else part


def _holds(value: Any, secrets: Sequence[Any]) -> bool:
    return any(_is_in(leaf, secret) for leaf in _leaves(value) for secret in secrets)


def _fields_that_hold(view: Any, secrets: Sequence[Any]) -> Iterator[str]:
    """Yield the names of the fields of a view that contain a secret. If the view has no named fields, yield "a
    part"."""
    if isinstance(view, BaseModel):
        parts = {name: getattr(view, name) for name in type(view).model_fields}
    elif is_dataclass(view) and not isinstance(view, type):
        parts = {field.name: getattr(view, field.name) for field in fields(view)}
    else:
        parts = {"a part": view}
    for name, value in parts.items():
        if _holds(value, secrets):
            yield name


def _leaves(value: Any) -> Iterator[str]:
    """Yield, as text, the numbers and texts that plain data, records or views contain."""
    match value:
        case None | bool():
            return
        case str():
            yield value
        case int() | float():
            yield repr(value)
        case Seat():
            return
        case Mapping():
            for entry in value.values():
                yield from _leaves(entry)
        case BaseModel():
            yield from _leaves({name: getattr(value, name) for name in type(value).model_fields})
        case _ if is_dataclass(value) and not isinstance(value, type):
            for field in fields(value):
                yield from _leaves(getattr(value, field.name))
        case Sequence() | set() | frozenset():
            for entry in value:
                yield from _leaves(entry)
        case _ if hasattr(value, "tolist"):
            yield from _leaves(value.tolist())


def _is_in(text: str, secret: Any) -> bool:
    if isinstance(secret, str):
        return secret in text
    return any(_is_rounded(token.replace(",", ""), float(secret)) for token in _NUMBER.findall(text))


def _digits(number: str) -> str:
    """Return the digits of a number without zeros at the ends, and without the exponent."""
    return re.sub(r"[eE].*|\D", "", number).strip("0")


def _is_rounded(token: str, secret: float) -> bool:
    """Return whether a number in a text equals the secret, exactly or after rounding."""
    decimals = len(token.partition(".")[2])
    if len(_digits(token)) < _MIN_DIGITS:
        return False
    try:
        return round(secret, decimals) == round(float(token), decimals)
    except OverflowError:
        return False
