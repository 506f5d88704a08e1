"""Players that are finite automata. They are read from a file, or computed as a best response to another finite
automaton.

.. code-block:: json

    {"start": "calm", "states": {"calm": {"play": "C", "C": "calm", "D": "angry"},
                                 "angry": {"play": "D", "C": "calm", "D": "angry"}}}

In each state, `play` is C, D, or the probability of C. The entries C and D are the next states after the other player's
action. The next state may also depend on the automaton's own action, which noise can change: with `"C": ["calm",
"angry"]`, the next state after the other's C is calm after an own C, and angry after an own D."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.step import DecisionProcess
from ostrom.core.text import first_problem
from ostrom.games.repeated.machines import Machine, RepeatedStrategy
from ostrom.games.repeated.matrices import PayoffMatrix, read_text
from ostrom.games.repeated.rules import RepeatedRules
from ostrom.players.strategy import StrategyEntry

MAX_AUTOMATON_STATES: Final = 10_000
_MAX_FILE_BYTES: Final = 10_000_000
FAMILY: Final = "automaton"


class StateFile(BaseModel):
    """One state of an automaton."""

    model_config = ConfigDict(extra="forbid")

    play: Literal["C", "D"] | Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    C: str | tuple[str, str]
    """The next state after the other player's C. A pair has the next state after an own C, and the next state after an
    own D."""
    D: str | tuple[str, str]

    def after(self, other: Literal["C", "D"], own: int) -> str:
        """Return the next state after an action of the other player and an own action. Action 0 is C."""
        state = self.C if other == "C" else self.D
        return state if isinstance(state, str) else state[own]

    @property
    def probability(self) -> float:
        """The probability of C."""
        return self.play if isinstance(self.play, float) else float(self.play == "C")


class AutomatonFile(BaseModel):
    """The content of an automaton file."""

    model_config = ConfigDict(extra="forbid")

    start: str
    states: dict[str, StateFile] = Field(min_length=1, max_length=MAX_AUTOMATON_STATES)

    @model_validator(mode="after")
    def _check_states(self) -> Self:
        targets = {"start": self.start}
        for name, state in self.states.items():
            for own, action in enumerate("CD"):
                targets[f"{name}.C after {action}"] = state.after("C", own)
                targets[f"{name}.D after {action}"] = state.after("D", own)
        for transition, target in targets.items():
            if target not in self.states:
                raise ValueError(f"{transition} leads to {target!r}, which is not a state of the automaton")
        return self


@dataclass(frozen=True)
class Automaton(RepeatedStrategy):
    """Plays the action of its present state. The actions of both players determine its next state. It starts in its
    first state."""

    plays: tuple[float, ...]
    """The probability of C in each state."""
    after: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    """The next state, indexed by state, own action and the other's action. Action 0 is C."""

    @classmethod
    def from_file(cls, file: AutomatonFile) -> "Automaton":
        """Return the automaton that a file describes."""
        names = [file.start, *(name for name in file.states if name != file.start)]
        states = [file.states[name] for name in names]
        numbers = {name: number for number, name in enumerate(names)}
        after = tuple(
            tuple((numbers[state.after("C", own)], numbers[state.after("D", own)]) for own in (0, 1))
            for state in states
        )
        return cls(tuple(state.probability for state in states), after)  # type: ignore[arg-type]

    @override
    def machine(self, matrix: PayoffMatrix, seat: int = 0) -> Machine:
        return Machine(np.asarray(self.plays), np.asarray(self.after))


def read_automaton(path: Path) -> Automaton:
    """Return the automaton of a file. Raises `InputError` if the file is unreadable or invalid."""
    content = read_text(path, "an automaton", "start and states", _MAX_FILE_BYTES)
    try:
        return Automaton.from_file(AutomatonFile.model_validate_json(content))
    except ValidationError as error:
        raise InputError(f"{path} is not an automaton: {first_problem(error)}") from None


def automaton(text: str) -> StrategyEntry:
    """Return a player that plays the automaton in a file."""
    if not text.endswith(".json"):
        raise InputError(f"{FAMILY}:{text}: name a .json file, as in {FAMILY}:calm.json")
    rows = read_automaton(Path(text))
    description = f"an automaton of {len(rows.plays)} states"
    return StrategyEntry(f"{FAMILY}:{text}", description, None, rows, __name__, "Automaton")


# Best responses.


def process_among(rules: RepeatedRules, others: Sequence[Any], seat: int) -> DecisionProcess | None:
    """Return the decision process that a seat faces against the other player. Return None if that player is not a
    finite machine."""
    machine = getattr(others[0], "machine", None)
    opponent = machine(rules.game, 1 - seat) if machine is not None and rules.game.two_by_two else None
    return None if opponent is None else process_against(opponent, rules, seat)


def process_against(other: Machine, rules: RepeatedRules, seat: int) -> DecisionProcess:
    """Return the decision process that a seat faces against a machine. Its states are the states of the machine. The
    seat knows the present state, because the past actions of both players determine it."""
    states, own = len(other.plays), rules.game.own(seat)
    if states > 2_000:
        raise InputError(f"the other player has {states:,} states; a best response is computed against 2,000 at most")
    cooperates = other.plays * (1 - rules.noise) + (1 - other.plays) * rules.noise
    answers = np.stack([cooperates, 1 - cooperates], axis=1)
    own_noise = np.asarray([[1 - rules.noise, rules.noise], [rules.noise, 1 - rules.noise]])
    # The axes are (states, chosen action, action after noise, the other's action).
    joint = own_noise[None, :, :, None] * answers[:, None, None, :]
    leads = np.zeros((states, 2, states))
    for done in (0, 1):
        for answer in (0, 1):
            for chosen in (0, 1):
                then = other.after[:, answer, done]
                leads[np.arange(states), chosen, then] += joint[:, chosen, done, answer]

    def file_of(choices: Array) -> AutomatonFile:
        return _plan_file(choices, other, noisy=rules.noise > 0.0)

    def text_of(choices: Array) -> str:
        return json.dumps(file_of(choices).model_dump(mode="json"), indent=1) + "\n"

    return DecisionProcess(
        actions=("C", "D"),
        gains=np.einsum("scda,da->sc", joint, own),
        leads=leads,
        turns=rules.rounds if rules.continuation is None else None,
        continuation=rules.continuation or 0.0,
        strategy=lambda choices: Automaton.from_file(file_of(choices)),
        text=text_of,
        family=FAMILY,
    )


def _plan_file(choices: Array, other: Machine, *, noisy: bool) -> AutomatonFile:
    """Return a plan as an automaton. Its states are the reachable pairs of a turn and a state of the other player."""
    last = len(choices) - 1
    start = (0, 0)
    reached = [start]
    known = {start}
    states = {}
    for turn, state in reached:
        chosen = int(choices[turn, state])

        def then(answer: int, done: int, at: tuple[int, int] = (turn, state)) -> tuple[int, int]:
            return min(at[0] + 1, last), int(other.after[at[1], answer, done])

        after = {answer: [then(answer, done) for done in (0, 1)] for answer in (0, 1)}
        for answer, by_own in after.items():
            possible = 0.0 < other.plays[state] < 1.0 or noisy or other.plays[state] == float(answer == 0)
            for done, target in enumerate(by_own):
                # Transitions that never occur lead to a state that is already listed. So the file has no unreachable
                # states.
                if not possible or (not noisy and done != chosen):
                    by_own[done] = by_own[chosen] if possible else (turn, state)
                elif target not in known:
                    known.add(target)
                    reached.append(target)
        by_answer: dict[str, Any] = {"CD"[answer]: _target_names(by_own) for answer, by_own in after.items()}
        states[f"{turn + 1}.{state}"] = {"play": "CD"[chosen], **by_answer}
        if len(reached) > MAX_AUTOMATON_STATES:
            raise InputError(
                f"the response needs an automaton of more than {MAX_AUTOMATON_STATES:,} states; set fewer rounds"
            )
    return AutomatonFile.model_validate({"start": "1.0", "states": states})


def _target_names(by_own: Sequence[tuple[int, int]]) -> str | list[str]:
    names = [f"{turn + 1}.{state}" for turn, state in by_own]
    return names[0] if names[0] == names[1] else names
