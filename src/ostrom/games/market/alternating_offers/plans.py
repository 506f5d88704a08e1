"""Players that follow a plan, which has an offer or a response for each round. A plan is read from a file, or computed
as the exact best response to a player that does not react to offers.

.. code-block:: json

    {"rounds": [{"offer": 40}, {"response": "reject"}, {"offer": 50}, {"response": "accept"}]}

After the last round of the file, the player offers nothing and rejects."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.files import read_bounded_text
from ostrom.core.step import DecisionProcess, Draws, Moves, OneSeat
from ostrom.core.text import first_problem
from ostrom.games.market.alternating_offers.bargain import opening
from ostrom.games.market.alternating_offers.play import OFFER, RESPONSE, RESPONSES
from ostrom.games.market.alternating_offers.rules import MAX_ROUNDS, AlternatingOffersRules
from ostrom.games.market.alternating_offers.step import STEP, BargainRows, BargainTable
from ostrom.games.market.alternating_offers.theory import SLACK, on_tick
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry

FAMILY: Final = "plan"
_MAX_FILE_BYTES: Final = 1_000_000
SETTLE, WAIT, QUIT = 0, 1, 2
ACTIONS: Final = ("settle", "wait", "quit")
"""The actions of a best response. To settle is to offer the smallest amount that the other accepts, or to accept."""


class PlannedRound(BaseModel):
    """One round of a plan."""

    model_config = ConfigDict(extra="forbid")

    offer: float | None = Field(None, ge=0, le=1_000_000, allow_inf_nan=False)
    """The amount for the other seat."""
    response: Literal["accept", "reject", "quit"] | None = None

    @model_validator(mode="after")
    def _one_move(self) -> Self:
        if (self.offer is None) == (self.response is None):
            raise ValueError("a round has either an offer or a response")
        return self


class PlanFile(BaseModel):
    """The content of a plan's file."""

    model_config = ConfigDict(extra="forbid")

    rounds: list[PlannedRound] = Field(min_length=1, max_length=MAX_ROUNDS)


@dataclass(frozen=True)
class Plan(RowStrategy):
    """Makes the offers and responses of a plan."""

    step = STEP
    offers: tuple[float, ...]
    """The offer in each round, 0 in rounds in which the player responds."""
    responses: tuple[int, ...]
    """The number of the response in each round."""

    @classmethod
    def from_file(cls, file: PlanFile) -> "Plan":
        """Return the plan that a file describes."""
        offers = [one.offer or 0.0 for one in file.rounds]
        responses = [RESPONSES.index(one.response or "reject") for one in file.rounds]
        return cls((*offers, 0.0), (*responses, 0))

    @override
    def decide(self, phase: str, view: BargainRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        xp, like = view.xp, 0.0 * view.outside
        planned = xp.asarray(self.offers if phase == OFFER else self.responses, dtype=like.dtype)
        place = xp.minimum(xp.asarray(view.round) - 1, xp.asarray(len(self.offers) - 1))
        move = like + xp.take(planned, place)
        # A plan that quits may be read for rules that do not allow it.
        most = view.rules.pie if phase == OFFER else 1.0 + view.rules.quits
        return {phase: xp.where(move <= most, move, 0.0 * move)}, memory


def plan(text: str) -> StrategyEntry:
    """Return a player that follows the plan in a file. Raise `InputError` if the file is unreadable or invalid."""
    path = Path(text)
    if path.suffix != ".json":
        raise InputError(f"{FAMILY}:{text}: name a .json file, as in {FAMILY}:rounds.json")
    try:
        rows = Plan.from_file(PlanFile.model_validate_json(read_bounded_text(path, _MAX_FILE_BYTES)))
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} cannot be read; name a .json file with rounds") from None
    except ValidationError as error:
        raise InputError(f"{path} is not a plan: {first_problem(error)}") from None
    description = f"a plan of {len(rows.offers) - 1} rounds"
    return StrategyEntry(f"{FAMILY}:{text}", description, None, rows, __name__, "Plan")


# Best responses.


def process_among(rules: AlternatingOffersRules, others: Sequence[Any], seat: int) -> DecisionProcess | None:
    """Return the decision process of a seat, whose situations are the rounds and the end. Return None if the other
    player reacts to offers, or if outside options are private."""
    (other,) = others
    if rules.private or getattr(other, "reacts", True):
        return None
    rounds, actions = rules.rounds, ACTIONS if rules.quits else ACTIONS[:QUIT]
    gains = np.zeros((rounds + 1, len(actions)))
    leads = np.zeros((rounds + 1, len(actions), rounds + 1))
    leads[rounds, :, rounds] = 1.0
    offers = np.zeros(rounds)
    outside, delta = float(rules.largest_outside[seat]), float(rules.deltas[seat])
    for place in range(rounds):
        view = _view_of(rules, place + 1, 1 - seat)
        proposes = place % 2 == seat
        goes_on = 0.0 if place + 1 == rounds else 1.0 - rules.breakdown
        moves = _own_offer(rules, other, view, outside) if proposes else _own_response(rules, other, view, outside)
        offers[place] = moves.offer
        for action, amount in enumerate(moves.amounts[: len(actions)]):
            # None stands for a rejection: the next round, or the outside option if bargaining ends.
            stays = goes_on if amount is None else 0.0
            gains[place, action] = (1 - stays) * (outside if amount is None else amount) * delta**place
            leads[place, action, place + 1] = stays
            leads[place, action, rounds] += 1 - stays

    def file_of(choices: Array) -> PlanFile:
        made = [int(choices[place, place]) for place in range(rounds)]
        planned = []
        for place, action in enumerate(made):
            if place % 2 == seat:
                planned.append(PlannedRound(offer=float(offers[place]) if action == SETTLE else 0.0))
            else:
                response: Any = ("accept", "reject", "quit")[action]
                planned.append(PlannedRound(response=response))
        return PlanFile(rounds=planned)

    return DecisionProcess(
        actions=actions,
        gains=gains,
        leads=leads,
        turns=rounds,
        continuation=0.0,
        strategy=lambda choices: Plan.from_file(file_of(choices)),
        text=lambda choices: json.dumps(file_of(choices).model_dump(exclude_none=True), indent=1) + "\n",
        family=FAMILY,
    )


@dataclass(frozen=True)
class _Moves:
    """The amount that each action brings in its round, or None if the other or the seat itself rejects."""

    amounts: tuple[float | None, float | None, float | None]
    offer: float = 0.0
    """The offer that settles."""


def _view_of(rules: AlternatingOffersRules, round_: int, seat: int) -> BargainRows:
    """Return the view of a player that does not read offers."""
    state = opening(np.asarray([[float(amount)] for amount in rules.largest_outside]))
    state = state._replace(proposer=np.asarray([float((round_ - 1) % 2)]))
    phase = OFFER if (round_ - 1) % 2 == seat else RESPONSE
    return BargainRows(BargainTable(rules, phase, round_, state, Draws(np.zeros(1), (0, 0))), OneSeat(seat))


def _own_offer(rules: AlternatingOffersRules, other: Any, view: BargainRows, outside: float) -> _Moves:
    least = np.maximum(np.asarray(other.enough(view)), 0.0)
    offer = float(on_tick(least, rules)[0])
    waits: float | None = None
    if offer <= SLACK * rules.pie:
        waits = rules.pie
    elif rules.quits and bool(other.leaves(view)[0]):
        waits = outside
    return _Moves((rules.pie - offer if offer <= rules.pie else waits, waits, waits), min(offer, rules.pie))


def _own_response(rules: AlternatingOffersRules, other: Any, view: BargainRows, outside: float) -> _Moves:
    moves, _ = other.decide(OFFER, view, (), (OFFER,))
    return _Moves((float(moves[OFFER][0]), None, outside if rules.quits else None))
