"""Checks of the play of a game. The course of a game must depend only on rules, answers and chance. Its strategies must
play legally. Its array form must give the same results as the game itself."""

import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ostrom.core import Event, GameChance, IllegalAnswer
from ostrom.core.game import Game
from ostrom.core.telling import alike
from ostrom.experiment.match import play_match
from ostrom.players.base import Contestant
from ostrom.players.roster import own_players
from ostrom.players.strategy import StrategyEntry, brought_for
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
from ostrom.testing.conformance.case import Case, CaseGame, Check, Sampler, other_world

_MAX_INTERRUPTIONS = 12
"""The number of steps at which a short game is interrupted. A long game is interrupted at fewer steps."""
_MAX_RESUMED_QUESTIONS = 2000
"""The approximate number of questions that are asked in all resumed games."""


def check_same_seed(case: Case) -> Iterator[str]:
    """Check that the same seed gives the same game, regardless of the time and of global random generators."""
    before, numpy_before = random.getstate(), _numpy_state()
    again = case.play()
    if random.getstate() != before or _numpy_state() != numpy_before:
        yield "it uses a global random stream: all chance must come from table.chance"
        return
    with other_world():
        later = case.play()
    for other in (again, later):
        if (difference := _difference(case.played, other)) is not None:
            yield f"the same seed gives another game: {difference}"
            return


def _numpy_state() -> str:
    return repr(np.random.get_state())  # noqa: NPY002


def _difference(game: CaseGame, other: CaseGame) -> str | None:
    """Return a description of the first difference between two games, or None if there is none. NaN counts as equal to
    NaN."""
    pairs = {
        "question": (game.values(), other.values()),
        "event": (game.event_records(), other.event_records()),
    }
    for kind, entries in pairs.items():
        for number, (first, second) in enumerate(zip(*entries, strict=False), start=1):
            if first != second and repr(first) != repr(second):
                return f"{kind} {number} is {first} in one and {second} in the other"
    sizes = [f"{len(played.values())} answers and {len(played.events)} events" for played in (game, other)]
    return None if sizes[0] == sizes[1] else f"one has {sizes[0]}, the other {sizes[1]}"


def check_replay(case: Case) -> Iterator[str]:
    """Check that a record is complete: after it is written as JSON and read again, a replay of its answers gives the
    same game."""
    answers = {tuple(key): value for key, value in json.loads(json.dumps(case.played.values()))}
    if len(answers) < len(case.played.values()):
        yield "two questions have the same turn, phase and seat: a record cannot distinguish them"
        return
    replayed = case.play(answers=answers)
    if (difference := _difference(case.played, replayed)) is not None:
        yield f"replayed from its own record it differs: {difference}"


def check_resume(case: Case) -> Iterator[str]:
    """Check that a game that is interrupted at any step continues in the same way."""
    steps = len(case.played.steps)
    values = dict(case.played.values())
    places = min(_MAX_INTERRUPTIONS, max(3, _MAX_RESUMED_QUESTIONS // len(values)))
    for last in sorted({round(steps * place / places) for place in range(places)}):
        keys = [question.key for step in case.played.steps[:last] for question in step]
        resumed = case.play(answers={key: values[key] for key in keys})
        if (difference := _difference(case.played, resumed)) is not None:
            yield f"interrupted after step {last} and resumed, it continues differently: {difference}"
            return


def check_questions(case: Case) -> Iterator[str]:
    """Check that questions are for seats at the table, and that their fallbacks are legal."""
    for number, step in enumerate(case.played.steps, start=1):
        if not step:
            yield f"step {number} has no question: yield only steps with questions"
        for question in step:
            name = f"the {question.phase} of turn {question.turn}"
            if not 0 <= question.seat.index < case.seats:
                yield f"{name} is for seat {question.seat.index}, and there are {case.seats}"
            if type(question.turn) is not int or question.turn < 1:
                yield f"{name}: turns must be whole numbers from 1"
            if not question.spec.describe().strip():
                yield f"{name}: its specification does not describe a legal answer"
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
        yield f"{name}: the specification accepts {nonsense!r} as an answer"


def check_silence(case: Case) -> Iterator[str]:
    """Check that a game ends by the declared fallbacks if no seat answers, and if one seat does not answer."""
    silent = Sampler("Silent", silent=True)
    for contestants in ([silent] * case.seats, [silent, *[Sampler()] * (case.seats - 1)]):
        played = case.play(contestants)
        yield from _check_end(case, played.events, "with fallbacks in place of answers, ")


def check_events(case: Case) -> Iterator[str]:
    """Check that every event is declared and is plain data, and that it stays equal when it is written as JSON and read
    again."""
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
            yield f"{name} does not survive a round trip through JSON"


def check_finals(case: Case) -> Iterator[str]:
    """Check that there is one final result for each seat."""
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
    """Check that in a game with symmetric seats, players who swap seats swap their results."""
    if not case.game.symmetric or case.game.finals is None:
        return
    order = [*range(1, case.seats), 0]
    before = case.play([Sampler(place=place) for place in range(case.seats)])
    after = case.play([Sampler(place=place) for place in order])
    finals_before, finals_after = (list(case.game.finals(played.events)) for played in (before, after))
    for seat, place in enumerate(order):
        if not alike(finals_after[seat], finals_before[place]):
            yield (
                f"it claims that seats are alike, but the player with {finals_before[place]} at seat {place} ends "
                f"with {finals_after[seat]} at seat {seat} of the same table"
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


_BATCH_GAMES = 8
"""The number of games that are played both as a batch and separately."""


def check_strategies(case: Case) -> Iterator[str]:
    """Check that every strategy has a description, plays legally, and makes the same moves under the same seed."""
    for entry in players_of(case.game).values():
        if not entry.description or entry.description == "(no description)":
            yield f"{entry.name} has no description: its docstring is missing"
        if entry.member is not None:
            continue  # A family of strategies has no single member that could play.
        contestants: list[Contestant] = [entry, *[Sampler()] * (case.seats - 1)]
        first, again = case.play(contestants), case.play(contestants)
        if first.values() != again.values():
            yield f"{entry.name} plays differently under the same seed: all its chance must come from its draws"


def players_of(game: Game) -> dict[str, StrategyEntry]:
    """Return the players of a game: those that the game declares, and those that its module registers."""
    registered = [entry for entry in brought_for(game) if entry.module == game.play.__module__]
    return {**{entry.name: entry for entry in registered}, **own_players(game)}


def check_batch(case: Case) -> Iterator[str]:
    """Check that a batch of games gives the same results as the same games played separately."""
    cast = [entry for entry in players_of(case.game).values() if entry.rows is not None]
    if case.game.step is None or case.game.finals is None or not cast:
        return
    places = np.arange(case.seats * _BATCH_GAMES).reshape(case.seats, _BATCH_GAMES)
    seating = (places + places // _BATCH_GAMES * 3) % len(cast)
    games = np.arange(_BATCH_GAMES, dtype=np.int64)
    batch = play_batch(Batch(case.game, case.rules, cast, seating, games, case.seed))
    for game in range(_BATCH_GAMES):
        players = [cast[player] for player in seating[:, game]]
        match = play_match(case.game, case.rules, players, GameChance(case.seed, game))
        single = np.asarray([np.nan if final is None else final for final in case.game.finals(match.events)])
        if not np.allclose(batch.finals[:, game], single, rtol=1e-9, atol=1e-9, equal_nan=True):
            names = ", ".join(entry.name for entry in players)
            yield (
                f"game {game} between {names} ends with {batch.finals[:, game].tolist()} in a batch and with "
                f"{single.tolist()} when played singly"
            )
            return


STRATEGY_CHECKS: Final[Mapping[str, Check]] = {"strategies": check_strategies, "batch equals single": check_batch}
