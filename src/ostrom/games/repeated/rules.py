"""The settings of a repeated game, and the arithmetic of a round: pure array functions over any number of games.
Arrays of a table have the shape (2, games): the first seat chooses the row, the second the column."""

from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, field_validator, model_validator

from ostrom.core import InputError
from ostrom.core.arrays import Array, namespace
from ostrom.core.step import Draws
from ostrom.games.repeated.matrices import PayoffMatrix, matrix_of, settled

ROUNDS = 10
"""The default number of rounds."""
NOISE, CONTINUE = "noise", "continue"
"""The purposes of the draws that flip actions and that end games."""


class RepeatedRules(BaseModel):
    """Everything that can be set about a repeated game, but `continue`: that word is Python's, see below."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    matrix: str = Field(
        "prisoners-dilemma",
        max_length=20_000,
        description="The game of each round: a name (prisoners-dilemma, stag-hunt, chicken, harmony, deadlock, "
        "battle-of-the-sexes, matching-pennies), rg:1 to rg:144 for an ordinal 2×2 game of Robinson and Goforth, or a "
        ".json file with rows, columns and payoffs, which is read once and kept with the game.",
    )
    rounds: int | None = Field(
        None, ge=1, le=100_000, description="How many rounds are played: 10, unless continue is set."
    )
    noise: float = Field(
        0.0,
        ge=0,
        le=1,
        description="The chance that an action, after it was chosen, becomes another one; both players then see that "
        "one.",
    )
    messages: bool = Field(False, description="Whether both players send a message before they choose.")
    message_words: int = Field(50, ge=1, le=1000, description="The most words that a message may have.")
    message_rounds: int = Field(5, ge=0, le=1000, description="Of how many past rounds the messages are shown again.")
    points: bool = Field(True, description="Whether the players are shown the points of each past round.")
    disguise: bool = Field(
        False,
        description="Whether the game is told under another story, with other labels in another order and with points "
        "a·x + b, all drawn from the seed; what is recorded are the points of the matrix.",
    )

    @field_validator("matrix")
    @classmethod
    def _read(cls, text: str) -> str:
        try:
            text = settled(text)
            matrix_of(text)
        except InputError as error:
            raise ValueError(str(error)) from None
        return text

    @model_validator(mode="before")
    @classmethod
    def _filled_in(cls, given: Any) -> Any:
        if not isinstance(given, dict) or given.get("rounds") is not None or given.get(CONTINUE) is not None:
            return given
        return {**given, "rounds": ROUNDS}

    @model_validator(mode="after")
    def _one_ending(self) -> Self:
        if self.rounds is not None and self.continuation is not None:
            raise ValueError("set rounds or continue, not both")
        return self

    @property
    def continuation(self) -> float | None:
        """The probability of another round after each; None where the number of rounds is known."""
        found: float | None = getattr(self, CONTINUE, None)
        return found

    @property
    def game(self) -> PayoffMatrix:
        """The game of each round."""
        return matrix_of(self.matrix)

    @property
    def duration(self) -> float:
        """The number of rounds, or its expectation."""
        if self.continuation is not None:
            return 1.0 / (1.0 - self.continuation)
        return 1.0 * (ROUNDS if self.rounds is None else self.rounds)


_FIELDS: Any = {
    CONTINUE: (
        float | None,
        Field(
            None,
            ge=0,
            le=0.9999,
            description="The probability of another round, drawn after each; set it in place of rounds.",
        ),
    )
}
Rules: type[RepeatedRules] = create_model("Rules", __base__=RepeatedRules, __module__=__name__, **_FIELDS)
"""The rules with `continue`, which no class statement could name."""


class RepeatedState(NamedTuple):
    """The state of a batch of games."""

    actions: Array
    """(2, games) What both did last, after the noise; before the first round the first action."""
    totals: Array
    """(2, games) The points so far."""
    first: Array
    """(2, games) In how many rounds each did the first action."""


def opening(like: Array) -> RepeatedState:
    """Before the first round, for as many games as `like` has elements."""
    xp = namespace(like)
    nothing = xp.stack([xp.zeros_like(like)] * 2)
    return RepeatedState(xp.astype(nothing, xp.int16), nothing, nothing)


def flipped(chosen: Array, turn: Any, draws: Draws, rules: RepeatedRules) -> Array:
    """The actions after the noise: each independently becomes another one, all others as likely as each other."""
    if isinstance(rules.noise, float) and rules.noise == 0.0:
        return chosen
    xp, found = namespace(chosen), []
    for seat, actions in enumerate(rules.game.actions):
        others, meant = len(actions) - 1, chosen[seat]
        step = 1
        if others > 1:
            drawn = draws.uniform(NOISE, turn, seat, 1)
            step = 1 + xp.astype(xp.floor(drawn * others), meant.dtype)
        other = (meant + step) % len(actions)
        found.append(xp.where(draws.uniform(NOISE, turn, seat) < rules.noise, other, meant))
    return xp.stack(found)


def points_of(actions: Array, like: Array, rules: RepeatedRules) -> Array:
    """(2, games) What each gets for what both did."""
    xp = namespace(like)
    points = rules.game.points
    cell = xp.astype(actions[0], xp.int32) * points.shape[2] + actions[1]
    flat = xp.asarray(points.reshape(2, -1), dtype=like.dtype)
    return xp.stack([xp.take(flat[seat], cell) for seat in (0, 1)])


def play_round(state: RepeatedState, chosen: Array, turn: Any, draws: Draws, rules: RepeatedRules) -> RepeatedState:
    """The state after both have chosen."""
    actions = flipped(chosen, turn, draws, rules)
    totals = state.totals + points_of(actions, state.totals, rules)
    xp = namespace(totals)
    return RepeatedState(actions, totals, state.first + xp.astype(actions == 0, totals.dtype))


def over(turn: Any, draws: Draws, rules: RepeatedRules) -> Array:
    """(games,) Which games end after this round."""
    if rules.continuation is not None:
        return draws.uniform(CONTINUE, turn) >= rules.continuation
    xp = namespace(draws.games)
    return xp.broadcast_to(xp.asarray(turn >= rules.rounds), draws.games.shape)
