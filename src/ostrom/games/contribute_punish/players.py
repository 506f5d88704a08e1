"""The nine built-in players of Contribute & Punish. Importing this module registers them."""

from abc import abstractmethod
from collections.abc import Collection
from fractions import Fraction
from operator import itemgetter
from typing import ClassVar, Final, NamedTuple

from typing_extensions import override

from ostrom.core import Question, Registry
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.contribute_punish.play import PunishView
from ostrom.games.contribute_punish.rules import NO_SEAT, part_of
from ostrom.games.contribute_punish.step import CONTRIBUTION, STEP, RoundView
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry, enter, entry_of


class PunishmentChoice(NamedTuple):
    """The target and the spending of a punishment, for each row."""

    target: Array
    spend: Array


class Punisher(RowStrategy):
    """A built-in player. It uses only the present state of the game, so it needs no memory."""

    step = STEP

    @override
    def decide(self, phase: str, view: RoundView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        if phase == CONTRIBUTION:
            return {"contribution": self.contribute(view)}, memory
        return self.punish(view)._asdict(), memory

    @override
    def answer(self, question: Question[PunishView]) -> object:
        return self.message(question.view)

    @abstractmethod
    def contribute(self, view: RoundView) -> Array:
        """Return the number of whole tokens to give, for each row."""

    def punish(self, view: RoundView) -> PunishmentChoice:
        """Return the punishment. By default, there is none."""
        return no_punishment(view)

    def message(self, view: PunishView) -> str:
        """Return the player's message before contributing. An empty text means silence."""
        return ""


def no_punishment(view: RoundView) -> PunishmentChoice:
    """Return no punishment."""
    nothing = view.xp.zeros_like(view.balance)
    return PunishmentChoice(nothing + NO_SEAT, nothing)


USUAL_SPEND = 5


def choose_target(view: RoundView, score: Array, eligible: Array, spend: Array | int = USUAL_SPEND) -> PunishmentChoice:
    """Return, for each row, a punishment of the eligible other seat with the highest score. On a tie, the target is the
    seat with the lower number. `score` has the shape (seats, rows). There is no punishment if no seat is eligible or
    nothing can be spent. The spending is at most the amount that the player may spend."""
    xp = view.xp
    nothing = xp.zeros_like(view.balance)
    target, best = nothing + NO_SEAT, nothing
    for seat, other in view.other_seats():
        better = eligible[seat] & other & ((target == NO_SEAT) | (score[seat] > best))
        target, best = xp.where(better, seat, target), xp.where(better, score[seat], best)
    spend = xp.minimum(spend, view.most)
    acts = (target != NO_SEAT) & (spend > 0)
    return PunishmentChoice(xp.where(acts, target, NO_SEAT), xp.where(acts, spend, 0))


class _Steady(Punisher):
    """Gives the same part of its balance in every round, rounded down."""

    gives: ClassVar[Fraction]

    @override
    def contribute(self, view: RoundView) -> Array:
        return part_of(view.balance, self.gives)


class Cooperator(_Steady):
    """Gives everything and punishes no one."""

    gives = Fraction(1)

    @override
    def message(self, view: PunishView) -> str:
        return f"I'll contribute all {view.balance}."


class FreeRider(_Steady):
    """Gives nothing and punishes no one."""

    gives = Fraction(0)


class ConditionalContributor(Punisher):
    """Gives the same part of its balance as the others gave of theirs in the last round, and everything in the first
    round."""

    @override
    def contribute(self, view: RoundView) -> Array:
        held = view.xp.maximum(view.others_start, 1)
        return view.xp.where(view.round == 1, view.balance, view.balance * view.others_given // held)

    @override
    def message(self, view: PunishView) -> str:
        return "I give what you give: the same part of what I have." if view.round == 1 else ""


class AltruisticPunisher(_Steady):
    """Gives everything, and spends 5 on punishing the seat that gave least, if this is less than the mean of the table.
    On a tie, the target is the richer seat."""

    gives = Fraction(1)

    @override
    def punish(self, view: RoundView) -> PunishmentChoice:
        seats, given = view.contributions.shape[0], view.contributions
        below = given * seats < view.others_given + view.contribution
        # A single score sorts by contribution first and by balance second, since every balance is below the scale.
        scale = view.xp.max(view.balances, axis=0) + 1
        return choose_target(view, view.balances - given * scale, below)

    @override
    def message(self, view: PunishView) -> str:
        return "Whoever gives least will pay for it." if view.round in (1, view.rules.rounds) else ""


class AntisocialPunisher(_Steady):
    """Gives nothing, and spends 5 on punishing the seat that gave most."""

    gives = Fraction(0)

    @override
    def punish(self, view: RoundView) -> PunishmentChoice:
        return choose_target(view, view.contributions, view.contributions > 0)


class Retaliator(_Steady):
    """Gives half, and spends as much as it may on punishing the seat that took most from it in the last round."""

    gives = Fraction(1, 2)

    @override
    def punish(self, view: RoundView) -> PunishmentChoice:
        return choose_target(view, view.losses, view.losses > 0, view.most)

    @override
    def message(self, view: PunishView) -> str:
        if not view.history:
            return "I start nothing, but I answer everything."
        hits = [
            (hit.damage, hit.punisher)
            for hit in view.history[-1].punishments
            if hit.target == view.seat and hit.punisher is not None
        ]
        if not hits:
            return ""
        _, punisher = max(hits, key=itemgetter(0))
        return f"P{punisher + 1}, I will not forget that."


class LeaderPunisher(_Steady):
    """Gives half, and spends 5 on punishing the richest other seat, if this seat has more than itself."""

    gives = Fraction(1, 2)

    @override
    def punish(self, view: RoundView) -> PunishmentChoice:
        return choose_target(view, view.balances, view.balances > view.balance)


class EndgameDefector(Punisher):
    """Gives everything until the last two rounds, and nothing in those."""

    @override
    def contribute(self, view: RoundView) -> Array:
        return view.xp.where(view.round <= view.rules.rounds - 2, view.balance, 0)

    @override
    def message(self, view: PunishView) -> str:
        return f"I'll contribute all {view.balance}, as always." if view.balance else ""


class RandomGiver(Punisher):
    """Gives a random whole amount, and in one round of four punishes a random other seat with a random amount, each
    with equal probabilities."""

    @override
    def contribute(self, view: RoundView) -> Array:
        return view.xp.astype(view.draw(0) * (view.balance + 1), view.balance.dtype)

    @override
    def punish(self, view: RoundView) -> PunishmentChoice:
        xp, seats = view.xp, view.balances.shape[0]
        chosen = xp.astype(view.draw(2) * (seats - 1), view.balance.dtype)
        # The draw is a number among the other seats only. So numbers from its own seat on are increased by one.
        chosen = chosen + (chosen >= xp.astype(view.pick.seat + 0 * view.balance, view.balance.dtype))
        eligible = xp.stack([(chosen == seat) & (view.draw(1) < 0.25) for seat in range(seats)])
        return choose_target(view, view.balances, eligible, 1 + xp.astype(view.draw(3) * view.most, view.balance.dtype))


PUNISHERS: Registry[StrategyEntry] = Registry("player")

_CLASSES: Final[dict[str, type[Punisher]]] = {
    "Cooperator": Cooperator,
    "FreeRider": FreeRider,
    "ConditionalCooperator": ConditionalContributor,
    "AltruisticPunisher": AltruisticPunisher,
    "AntisocialPunisher": AntisocialPunisher,
    "Retaliator": Retaliator,
    "LeaderPunisher": LeaderPunisher,
    "EndgameDefector": EndgameDefector,
    "RandomGiver": RandomGiver,
}
for _name, _class in _CLASSES.items():
    enter(PUNISHERS, entry_of(_class, _name))
