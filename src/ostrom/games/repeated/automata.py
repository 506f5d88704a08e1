"""Automata from a file: finitely many states, each with what is played in it and where the other's action leads.

.. code-block:: json

    {"start": "calm", "states": {"calm": {"play": "C", "C": "calm", "D": "angry"},
                                 "angry": {"play": "D", "C": "calm", "D": "angry"}}}

`play` is C, D, or the probability of C."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.text import first_problem
from ostrom.games.repeated.machines import Machine, by_the_other
from ostrom.games.repeated.matrices import Matrix
from ostrom.games.repeated.rows import RepeatedStrategy, drawn
from ostrom.games.repeated.step import RowView
from ostrom.players.strategy import Memory, StrategyEntry

MOST_STATES: Final = 10_000
_LARGEST_FILE: Final = 10_000_000
FAMILY: Final = "automaton"


class StateFile(BaseModel):
    """One state of an automaton."""

    model_config = ConfigDict(extra="forbid")

    play: Literal["C", "D"] | Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    C: str
    """The next state after the other's C."""
    D: str
    """The next state after the other's D."""

    @property
    def probability(self) -> float:
        """That of C."""
        return self.play if isinstance(self.play, float) else float(self.play == "C")


class AutomatonFile(BaseModel):
    """An automaton as a file describes it."""

    model_config = ConfigDict(extra="forbid")

    start: str
    states: dict[str, StateFile] = Field(min_length=1, max_length=MOST_STATES)

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        named = {"start": self.start}
        for name, state in self.states.items():
            named |= {f"{name}.C": state.C, f"{name}.D": state.D}
        for where, name in named.items():
            if name not in self.states:
                raise ValueError(f"{where} leads to {name!r}, which is no state of the automaton")
        return self


@dataclass(frozen=True)
class Automaton(RepeatedStrategy):
    """Plays what its state says, and goes on by what the other did. It starts in its first state."""

    plays: tuple[float, ...]
    """The probability of C in each state."""
    after_c: tuple[int, ...]
    """The next state after the other's C, by state."""
    after_d: tuple[int, ...]

    @classmethod
    def of(cls, described: AutomatonFile) -> "Automaton":
        """The automaton that a file describes."""
        names = [described.start, *(name for name in described.states if name != described.start)]
        states = [described.states[name] for name in names]
        return cls(
            tuple(state.probability for state in states),
            tuple(names.index(state.C) for state in states),
            tuple(names.index(state.D) for state in states),
        )

    def opening(self, view: RowView) -> Memory:
        """The first state."""
        return (view.xp.astype(view.constant(0), view.xp.int32),)

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Where the other's last action leads."""
        xp, (state,) = view.xp, memory
        after_c, after_d = (xp.asarray(table, dtype=xp.int32) for table in (self.after_c, self.after_d))
        return (xp.where(view.other == 0, xp.take(after_c, state), xp.take(after_d, state)),)

    def act(self, view: RowView, memory: Memory) -> Array:
        """What the state says."""
        probabilities = view.xp.asarray(self.plays, dtype=view.like.dtype)
        return drawn(view, view.xp.take(probabilities, memory[0]), self.plays)

    def machine(self, matrix: Matrix, seat: int = 0) -> Machine:
        """Its own states."""
        return by_the_other(self.plays, self.after_c, self.after_d)


def read_automaton(path: Path) -> Automaton:
    """The automaton of a file."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is too large for an automaton")
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} cannot be read; name a .json file with start and states") from None
    try:
        return Automaton.of(AutomatonFile.model_validate_json(content))
    except ValidationError as error:
        raise InputError(f"{path} is no automaton: {first_problem(error)}") from None


def automaton(text: str) -> StrategyEntry:
    """The automaton of a file, as a player."""
    if not text.endswith(".json"):
        raise InputError(f"{FAMILY}:{text}: name a .json file, as in {FAMILY}:calm.json")
    rows = read_automaton(Path(text))
    described = f"an automaton of {len(rows.plays)} states"
    return StrategyEntry(f"{FAMILY}:{text}", described, None, rows, __name__, "Automaton")
