"""The settings of a repeated game, and the arithmetic of a round. The arithmetic consists of pure array functions over
any number of games. Arrays with values for both seats have the shape (2, games). The first seat chooses the row, the
second the column."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, field_validator, model_validator

from ostrom.core import InputError
from ostrom.core.arrays import Array, namespace
from ostrom.core.step import Draws
from ostrom.games.repeated.matrices import PayoffMatrix, inline_file, matrix_of

ROUNDS = 10
"""The default number of rounds."""
AT_ONCE: Final = "at-once"
NOISE, CONTINUE = "noise", "continue"
"""The purposes of the random draws that change actions by noise and that end games."""


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "dal-bo-2011": {
        "matrix": '{"rows": ["1", "2"], "columns": ["1", "2"], '
        '"payoffs": [[[40, 40], [12, 50]], [[50, 12], [25, 25]]]}',
        CONTINUE: 0.75,
    },
}
"""The rules of published studies: Dal Bó and Fréchette 2011, in points."""


class RepeatedRules(BaseModel):
    """The settings of a repeated game, except `continue`, which is a keyword of Python. `Rules` adds it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Literal["dal-bo-2011"] | None = Field(
        None,
        exclude_if=lambda preset: preset is None,
        description="A published study, whose rules are the defaults of all other settings: dal-bo-2011 has its "
        "treatment with a reward of 40 and a continuation probability of .75.",
    )
    matrix: str = Field(
        "prisoners-dilemma",
        max_length=20_000,
        description="The game of each round: a name (prisoners-dilemma, stag-hunt, chicken, harmony, deadlock, "
        "battle-of-the-sexes, matching-pennies), rg:1 to rg:144 for an ordinal 2×2 game of Robinson and Goforth, "
        "or a .json file with rows, columns and payoffs, which is read once and stored with the game.",
    )
    rounds: int | None = Field(None, ge=1, le=100_000, description="The number of rounds: 10, unless continue is set.")
    noise: float = Field(
        0.0,
        ge=0,
        le=1,
        description="The probability that a chosen action is replaced by another one; both players then see only the "
        "replacement.",
    )
    messages: bool = Field(False, description="Whether both players send a message before they choose.")
    talk: Literal["in-turn", "at-once"] = Field(
        AT_ONCE,
        exclude_if=lambda talk: talk == AT_ONCE,
        description="Whether both players write at the same time, or one after the other, so that one sees the "
        "other's message of the round.",
    )
    redraw_order: bool = Field(
        True,
        exclude_if=bool,
        description="Whether it is drawn anew in every round who writes first, instead of once for the whole game.",
    )
    message_words: int = Field(50, ge=1, le=1000, description="The most words that a message may have.")
    message_rounds: int = Field(
        5, ge=0, le=1000, description="The number of past rounds whose messages are shown again."
    )
    points: bool = Field(True, description="Whether the players are shown the points of each past round.")
    disguise: bool = Field(
        False,
        description="Whether the game is told with another story, other labels in another order, and points a·x "
        "+ b, all drawn from the seed. The record has the points of the matrix.",
    )

    @field_validator("matrix")
    @classmethod
    def _read(cls, text: str) -> str:
        try:
            text = inline_file(text)
            matrix_of(text)
        except InputError as error:
            raise ValueError(str(error)) from None
        return text

    @model_validator(mode="before")
    @classmethod
    def _default_rounds(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("preset"), str):
            # Rounds in place of the study's continuation are a change that the user makes.
            without = CONTINUE if values.get("rounds") is not None else ""
            preset = PRESETS.get(values["preset"], {})
            values = {**{name: value for name, value in preset.items() if name != without}, **values}
        if not isinstance(values, dict) or values.get("rounds") is not None or values.get(CONTINUE) is not None:
            return values
        return {**values, "rounds": ROUNDS}

    @model_validator(mode="after")
    def _one_ending(self) -> Self:
        if self.rounds is not None and self.continuation is not None:
            raise ValueError("set rounds or continue, not both")
        return self

    @property
    def continuation(self) -> float | None:
        """The probability of another round after each round. It is None if the number of rounds is known."""
        probability: float | None = getattr(self, CONTINUE, None)
        return probability

    @property
    def game(self) -> PayoffMatrix:
        """The game of each round."""
        return matrix_of(self.matrix)

    @property
    def duration(self) -> float:
        """The number of rounds. If it is random, this is its expectation."""
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
            description="The probability of another round, drawn after each round; set it instead of rounds.",
        ),
    )
}
Rules: type[RepeatedRules] = create_model("Rules", __base__=RepeatedRules, __module__=__name__, **_FIELDS)
"""The rules with `continue`, a field name that a class statement does not allow."""


class RepeatedState(NamedTuple):
    """The state of a batch of games."""

    actions: Array
    """(2, games) The last actions, after the noise. They are 0 before the first round."""
    totals: Array
    """(2, games) The points so far."""
    first: Array
    """(2, games) The number of rounds in which each seat played its first action."""


def opening(like: Array) -> RepeatedState:
    """Return the state before the first round. The number of games is the number of elements of `like`."""
    xp = namespace(like)
    nothing = xp.stack([xp.zeros_like(like)] * 2)
    return RepeatedState(xp.astype(nothing, xp.int16), nothing, nothing)


def add_noise(chosen: Array, turn: Any, draws: Draws, rules: RepeatedRules) -> Array:
    """Return the actions after the noise. Noise affects each action independently, and replaces it by one of the other
    actions with equal probability."""
    if isinstance(rules.noise, float) and rules.noise == 0.0:
        return chosen
    xp = namespace(chosen)
    rows = []
    for seat, actions in enumerate(rules.game.actions):
        others = len(actions) - 1
        step = 1
        if others > 1:
            step = 1 + xp.astype(xp.floor(draws.uniform(NOISE, turn, seat, 1) * others), chosen.dtype)
        other = (chosen[seat] + step) % len(actions)
        rows.append(xp.where(draws.uniform(NOISE, turn, seat) < rules.noise, other, chosen[seat]))
    return xp.stack(rows)


def points_of(actions: Array, like: Array, rules: RepeatedRules) -> Array:
    """Return the points of both seats, (2, games)."""
    xp = namespace(like)
    points = rules.game.points
    cell = xp.astype(actions[0], xp.int32) * points.shape[2] + actions[1]
    flat = xp.asarray(points.reshape(2, -1), dtype=like.dtype)
    return xp.stack([xp.take(flat[seat], cell) for seat in (0, 1)])


def play_round(state: RepeatedState, chosen: Array, turn: Any, draws: Draws, rules: RepeatedRules) -> RepeatedState:
    """Return the state after a round."""
    actions = add_noise(chosen, turn, draws, rules)
    totals = state.totals + points_of(actions, state.totals, rules)
    xp = namespace(totals)
    return RepeatedState(actions, totals, state.first + xp.astype(actions == 0, totals.dtype))


def over(turn: Any, draws: Draws, rules: RepeatedRules) -> Array:
    """(games,) Return, for each game, whether it ends after this round."""
    if rules.continuation is not None:
        return draws.uniform(CONTINUE, turn) >= rules.continuation
    xp = namespace(draws.games)
    return xp.broadcast_to(xp.asarray(turn >= rules.rounds), draws.games.shape)
