"""Checks of how a game is played: that it is a function of rules, answers and chance, and of nothing else; and of the
strategies that come with it, and its array form."""

import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ostrom.core import Event, GameChance, IllegalAnswer
from ostrom.core.telling import alike
from ostrom.experiment.match import play_match
from ostrom.players.base import Contestant
from ostrom.players.roster import own_players
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
from ostrom.testing.conformance.case import Case, Check, Played, Sampler, other_world

_MOST_RESUMED = 12
"""At so many places of a short game it is tried whether it goes on the same; of a long one at fewer."""
_QUESTIONS = 2000
"""About so many questions are put for it."""


def check_same_seed(case: Case) -> Iterator[str]:
    """The same seed gives the same game, whatever time it is and wherever streams of random numbers stand."""
    before, numpy_before = random.getstate(), _numpy_state()
    again = case.play()
    if random.getstate() != before or _numpy_state() != numpy_before:
        yield "it draws from a stream of random numbers: all chance must come from table.chance"
        return
    with other_world():
        later = case.play()
    for other in (again, later):
        if (difference := _difference(case.played, other)) is not None:
            yield f"the same seed gives another game: {difference}"
            return


def _numpy_state() -> str:
    return repr(np.random.get_state())  # noqa: NPY002


def _difference(one: Played, other: Played) -> str | None:
    """Where two games part, in words. A number that is none equals itself."""
    for what, ours, theirs in (("question", one.values(), other.values()), ("event", one.told(), other.told())):
        for place, (here, there) in enumerate(zip(ours, theirs, strict=False), start=1):
            if here != there and repr(here) != repr(there):
                return f"{what} {place} is {here} in one and {there} in the other"
    sizes = [f"{len(each.values())} answers and {len(each.events)} events" for each in (one, other)]
    return None if sizes[0] == sizes[1] else f"one has {sizes[0]}, the other {sizes[1]}"


def check_replay(case: Case) -> Iterator[str]:
    """A record says it all: with its answers, read back from JSON, the same happens."""
    answers = {tuple(key): value for key, value in json.loads(json.dumps(case.played.values()))}
    if len(answers) < len(case.played.values()):
        yield "two questions have the same turn, phase and seat: a record could not tell them apart"
        return
    replayed = case.play(answers=answers)
    if (difference := _difference(case.played, replayed)) is not None:
        yield f"played again from its own record it differs: {difference}"


def check_resume(case: Case) -> Iterator[str]:
    """A game that was broken off anywhere goes on as it would have."""
    steps = len(case.played.steps)
    values = dict(case.played.values())
    places = min(_MOST_RESUMED, max(3, _QUESTIONS // len(values)))
    for kept in sorted({round(steps * place / places) for place in range(places)}):
        keys = [question.key for step in case.played.steps[:kept] for question in step]
        resumed = case.play(answers={key: values[key] for key in keys})
        if (difference := _difference(case.played, resumed)) is not None:
            yield f"interrupted after step {kept} and resumed, it continues differently: {difference}"
            return


def check_questions(case: Case) -> Iterator[str]:
    """Questions go to seats at the table, and their fallbacks are legal."""
    for number, step in enumerate(case.played.steps, start=1):
        if not step:
            yield f"step {number} asks nobody: yield only where somebody is asked"
        for question in step:
            name = f"the {question.phase} of turn {question.turn}"
            if not 0 <= question.seat.index < case.seats:
                yield f"{name} is asked of seat {question.seat.index}, and there are {case.seats}"
            if type(question.turn) is not int or question.turn < 1:
                yield f"{name}: turns must be whole numbers from 1"
            if not question.spec.describe().strip():
                yield f"{name}: its specification does not say what would be right"
            yield from _check_fallback(name, question)


def _check_fallback(name: str, question: Any) -> Iterator[str]:
    if question.fallback is not None:
        try:
            question.spec.validate(question.fallback)
        except IllegalAnswer as reason:
            yield f"the fallback of {name} is illegal: {reason}"
    for nonsense in (object(), float("nan"), {"no such field": 1}):
        try:
            question.spec.validate(nonsense)
        except IllegalAnswer:
            continue
        except Exception as error:
            yield f"{name}: the specification raises {type(error).__name__} for {nonsense!r}; it must be IllegalAnswer"
            continue
        yield f"{name}: the specification takes {nonsense!r} for an answer"


def check_silence(case: Case) -> Iterator[str]:
    """A game in which nobody answers, or one seat does not, comes to its end by the declared fallbacks."""
    silent = Sampler("Silent", silent=True)
    for who in ([silent] * case.seats, [silent, *[Sampler()] * (case.seats - 1)]):
        played = case.play(who)
        yield from _check_end(case, played.events, "with fallbacks in place of answers, ")


def check_events(case: Case) -> Iterator[str]:
    """Every event is declared, is plain data, and is read back as it was."""
    for number, event in enumerate(case.played.events, start=1):
        name = f"event {number}, {event.tag!r},"
        if case.game.events.get(event.tag) is not type(event):
            yield f"{name} is not declared in the game's events"
            continue
        try:
            stored = json.dumps(event.as_record(), allow_nan=False)
        except (TypeError, ValueError) as error:
            yield f"{name} is not plain data: {error}"
            continue
        try:
            back = case.game.events.decode(json.loads(stored))
        except Exception as error:
            yield f"{name} does not decode: {error}"
            continue
        if back.as_record() != event.as_record():
            yield f"{name} is another one when it is read back"


def check_finals(case: Case) -> Iterator[str]:
    """In the end there is one final figure for each seat."""
    yield from _check_end(case, case.played.events, "")


def _check_end(case: Case, events: Sequence[Event], when: str) -> Iterator[str]:
    if case.game.finals is None:
        return
    finals = list(case.game.finals(events))
    if len(finals) != case.seats:
        yield f"{when}there are {len(finals)} finals for {case.seats} seats"
    for final in finals:
        if final is not None and (isinstance(final, bool) or not isinstance(final, int | float)):
            yield f"{when}a final is {final!r}, which is not a number"
        elif final is not None and not math.isfinite(final):
            yield f"{when}a final is {final!r}, which is not finite"


def check_symmetry(case: Case) -> Iterator[str]:
    """Where the game claims that seats are alike: players who change places change their results with them."""
    if not case.game.symmetric or case.game.finals is None:
        return
    order = [*range(1, case.seats), 0]
    before = case.play([Sampler(place=place) for place in range(case.seats)])
    after = case.play([Sampler(place=place) for place in order])
    here, there = (list(case.game.finals(played.events)) for played in (before, after))
    for seat, place in enumerate(order):
        if not alike(there[seat], here[place]):
            yield (
                f"it claims that seats are alike, but whoever ends with {here[place]} at seat {place} ends with "
                f"{there[seat]} at seat {seat} of the same table"
            )
            return


PLAY_CHECKS: Final[Mapping[str, Check]] = {
    "same seed, same play": check_same_seed,
    "replay": check_replay,
    "resume": check_resume,
    "questions": check_questions,
    "no answers": check_silence,
    "events": check_events,
    "finals": check_finals,
    "seat symmetry": check_symmetry,
}


_GAMES = 8
"""So many games are played as a batch and one by one."""


def check_strategies(case: Case) -> Iterator[str]:
    """Every strategy says what it does, plays by the rules, and plays the same under the same seed."""
    for entry in own_players(case.game).values():
        if not entry.description or entry.description == "(no description)":
            yield f"{entry.name} does not say what it does: its docstring is missing"
        if entry.member is not None:
            continue  # a family, of which nobody is named here
        who: list[Contestant] = [entry, *[Sampler()] * (case.seats - 1)]
        first, again = case.play(who), case.play(who)
        if first.values() != again.values():
            yield f"{entry.name} plays differently under the same seed: all its chance must come from its draws"


def check_batch(case: Case) -> Iterator[str]:
    """A batch of games gives what the same games give one by one."""
    cast = [entry for entry in own_players(case.game).values() if entry.rows is not None]
    if case.game.step is None or case.game.finals is None or not cast:
        return
    places = np.arange(case.seats * _GAMES).reshape(case.seats, _GAMES)
    seating = (places + places // _GAMES * 3) % len(cast)
    games = np.arange(_GAMES, dtype=np.int64)
    batch = play_batch(Batch(case.game, case.rules, cast, seating, games, case.seed))
    for game in range(_GAMES):
        players = [cast[who] for who in seating[:, game]]
        match = play_match(case.game, case.rules, players, GameChance(case.seed, game))
        single = np.asarray([np.nan if one is None else one for one in case.game.finals(match.events)])
        if not np.allclose(batch.finals[:, game], single, rtol=1e-9, atol=1e-9, equal_nan=True):
            names = ", ".join(entry.name for entry in players)
            yield (
                f"game {game} between {names} ends with {batch.finals[:, game].tolist()} in a batch and with "
                f"{single.tolist()} when played singly"
            )
            return


STRATEGY_CHECKS: Final[Mapping[str, Check]] = {"strategies": check_strategies, "batch equals single": check_batch}
