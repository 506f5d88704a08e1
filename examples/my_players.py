"""Players of one's own, for several games: load them with --players examples/my_players.py."""

from ostrom import Strategy, strategy, subject
from ostrom.core import Question
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.subjects import Division, Economicus, parameter
from ostrom.games.battery.ultimatum import OfferFacts
from ostrom.games.contribute_punish import PunishView
from ostrom.players.strategy import Draw


@strategy(game="punish")
class Bookkeeper(Strategy[PunishView]):
    """Gives half, and punishes the player that owes most: its shortfall from the mean, summed over the game."""

    def __init__(self) -> None:
        self.debts: dict[int, float] = {}

    def answer(self, question: Question[PunishView], draw: Draw) -> object:
        """Speak, contribute or punish, as the question asks."""
        view = question.view
        if question.phase == "message":
            return "I keep books." if view.round == 1 else ""
        if question.phase == "contribution":
            return view.balance // 2
        gave = view.contributions or ()
        for seat in view.others:
            self.debts[seat] = self.debts.get(seat, 0.0) + sum(gave) / len(gave) - gave[seat]
        worst = max(view.others, key=lambda seat: self.debts[seat])
        spend = min(3, view.balance, view.rules.max_spend) if self.debts[worst] > 0 else 0
        return {"target": worst if spend else None, "spend": spend}


@strategy(game="trust")
def coin(question: Question, draw: Draw) -> object:
    """Sends or returns all it can, or nothing, by the toss of a coin."""
    return question.spec.high if draw() < 0.5 else 0  # type: ignore[attr-defined]


@subject("generous")
class Generous(Economicus):
    """Gives a fixed share of a pot, and offers it. The textbook's subject in all else."""

    share: float = parameter(0.4, 0.0, 1.0, "the share that it gives")

    def give(self, facts: GiveFacts) -> Division:
        """A share of the pot."""
        return Division(self.share * facts.pot)

    def offer(self, facts: OfferFacts) -> Division:
        """A share of the pot."""
        return Division(self.share * facts.pot)
