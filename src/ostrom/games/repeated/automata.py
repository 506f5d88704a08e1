"""Automata from a file: finitely many states, each with what is played in it and where the other's action leads.

.. code-block:: json

    {"start": "calm", "states": {"calm": {"play": "C", "C": "calm", "D": "angry"},
                                 "angry": {"play": "D", "C": "calm", "D": "angry"}}}

`play` is C, D, or the probability of C. Where noise may change what an automaton does, the next state may depend on
that too: `"C": ["calm", "angry"]` leads to the first after its own C, and to the second after its own D."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.text import first_problem
from ostrom.games.repeated.machines import Machine, RepeatedStrategy
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.players.strategy import StrategyEntry

MAX_AUTOMATON_STATES: Final = 10_000
_LARGEST_FILE: Final = 10_000_000
FAMILY: Final = "automaton"


class StateFile(BaseModel):
    """One state of an automaton."""

    model_config = ConfigDict(extra="forbid")

    play: Literal["C", "D"] | Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    C: str | tuple[str, str]
    """The next state after the other's C; two where one's own action, as it was carried out, matters."""
    D: str | tuple[str, str]
    """The next state after the other's D."""

    def after(self, other: Literal["C", "D"], own: int) -> str:
        """The next state after the other's action and one's own; 0 is C."""
        found = self.C if other == "C" else self.D
        return found if isinstance(found, str) else found[own]

    @property
    def probability(self) -> float:
        """That of C."""
        return self.play if isinstance(self.play, float) else float(self.play == "C")


class AutomatonFile(BaseModel):
    """An automaton as a file describes it."""

    model_config = ConfigDict(extra="forbid")

    start: str
    states: dict[str, StateFile] = Field(min_length=1, max_length=MAX_AUTOMATON_STATES)

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        named = {"start": self.start}
        for name, state in self.states.items():
            for own, did in enumerate("CD"):
                named |= {
                    f"{name}.C after {did}": state.after("C", own),
                    f"{name}.D after {did}": state.after("D", own),
                }
        for where, name in named.items():
            if name not in self.states:
                raise ValueError(f"{where} leads to {name!r}, which is no state of the automaton")
        return self


@dataclass(frozen=True)
class Automaton(RepeatedStrategy):
    """Plays what its state says, and goes on by what the other did. It starts in its first state."""

    plays: tuple[float, ...]
    """The probability of C in each state."""
    after: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    """The next state by state, own action and the other's action; 0 is C."""

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
    """The automaton of a file."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is too large for an automaton")
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} cannot be read; name a .json file with start and states") from None
    try:
        return Automaton.from_file(AutomatonFile.model_validate_json(content))
    except ValidationError as error:
        raise InputError(f"{path} is no automaton: {first_problem(error)}") from None


def automaton(text: str) -> StrategyEntry:
    """The automaton of a file, as a player."""
    if not text.endswith(".json"):
        raise InputError(f"{FAMILY}:{text}: name a .json file, as in {FAMILY}:calm.json")
    rows = read_automaton(Path(text))
    described = f"an automaton of {len(rows.plays)} states"
    return StrategyEntry(f"{FAMILY}:{text}", described, None, rows, __name__, "Automaton")
