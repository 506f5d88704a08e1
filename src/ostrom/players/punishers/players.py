"""The built-in players of Contribute & Punish, so that the benchmark runs without any key."""

from ostrom.games.contribute_punish.view import PunishView
from ostrom.players.punishers.base import Choice, Punisher, picked
from ostrom.players.punishers.rows import RoundView
from ostrom.table.arrays import Array

USUAL_SPEND = 5


class Cooperator(Punisher):
    """Gives everything and punishes nobody."""

    def contribute(self, view: RoundView) -> Array:
        """Everything."""
        return view.balance

    def message(self, view: PunishView) -> str:
        """Says so."""
        return f"I'll contribute all {view.balance}."


class FreeRider(Punisher):
    """Gives nothing and punishes nobody."""

    def contribute(self, view: RoundView) -> Array:
        """Nothing."""
        return 0 * view.balance


class ConditionalCooperator(Punisher):
    """Gives the part of its balance that the others gave of theirs in the last round, and everything in the first."""

    def contribute(self, view: RoundView) -> Array:
        """Like for like, rounded down; where the others held nothing, nothing."""
        if view.round == 1:
            return view.balance
        held = view.xp.maximum(view.others_start, 1)
        return view.balance * view.others_given // held

    def message(self, view: PunishView) -> str:
        """Announces its rule once."""
        return "I give what you give: the same part of what I have." if view.round == 1 else ""


class AltruisticPunisher(Punisher):
    """Gives everything, and spends 5 on the lowest giver among those who gave less than the mean of the table; the
    richer one on a tie."""

    def contribute(self, view: RoundView) -> Array:
        """Everything."""
        return view.balance

    def punish(self, view: RoundView) -> Choice:
        """The lowest giver."""
        seats, given = view.contributions.shape[0], view.contributions
        below = given * seats < view.others_given + view.contribution
        # One number orders by gift first and by balance second: a balance is always smaller than the scale.
        scale = view.xp.max(view.balances, axis=0) + 1
        return picked(view, view.balances - given * scale, below, 0 * view.balance + USUAL_SPEND)

    def message(self, view: PunishView) -> str:
        """Warns."""
        return "Whoever gives least will pay for it." if view.round in (1, view.rules.rounds) else ""


class AntisocialPunisher(Punisher):
    """Gives nothing, and spends 5 on the highest giver."""

    def contribute(self, view: RoundView) -> Array:
        """Nothing."""
        return 0 * view.balance

    def punish(self, view: RoundView) -> Choice:
        """The highest giver, if anyone gave."""
        return picked(view, view.contributions, view.contributions > 0, 0 * view.balance + USUAL_SPEND)


class Retaliator(Punisher):
    """Gives half, and spends all it may on whoever took most from it in the last round."""

    def contribute(self, view: RoundView) -> Array:
        """Half, rounded down."""
        return view.balance // 2

    def punish(self, view: RoundView) -> Choice:
        """An eye for an eye."""
        return picked(view, view.taken, view.taken > 0, view.most)

    def message(self, view: PunishView) -> str:
        """Names those who hit it."""
        if not view.history:
            return "I start nothing, but I answer everything."
        hits = [each for each in view.history[-1].punishments if each.target == view.seat and each.punisher is not None]
        return f"P{max(hits, key=lambda each: each.damage).punisher + 1}, I will not forget that." if hits else ""  # type: ignore[operator]


class LeaderPunisher(Punisher):
    """Gives half, and spends 5 on the richest other seat, if that holds more than itself."""

    def contribute(self, view: RoundView) -> Array:
        """Half, rounded down."""
        return view.balance // 2

    def punish(self, view: RoundView) -> Choice:
        """Whoever leads."""
        return picked(view, view.balances, view.balances > view.balance, 0 * view.balance + USUAL_SPEND)


class EndgameDefector(Punisher):
    """Gives everything until the last two rounds, and nothing in those."""

    def contribute(self, view: RoundView) -> Array:
        """Everything, while there is a future."""
        return view.balance if view.round <= view.rules.rounds - 2 else 0 * view.balance

    def message(self, view: PunishView) -> str:
        """Promises, to the end, what it will not do in the end."""
        return f"I'll contribute all {view.balance}, as always." if view.balance else ""


class RandomGiver(Punisher):
    """Gives any whole amount, and in one round of four punishes any other seat with any amount, all as likely as each
    other."""

    def contribute(self, view: RoundView) -> Array:
        """Uniform over 0 … balance."""
        return view.xp.astype(view.draw(0) * (view.balance + 1), view.balance.dtype)

    def punish(self, view: RoundView) -> Choice:
        """Uniform over the others, and over 1 … what it may spend."""
        xp, seats = view.xp, view.balances.shape[0]
        chosen = xp.astype(view.draw(2) * (seats - 1), view.balance.dtype)
        # Counted among the others: from its own seat on, the others are one further.
        chosen = chosen + (chosen >= xp.astype(view.pick.seat + 0 * view.balance, view.balance.dtype))
        eligible = xp.stack([(chosen == seat) & (view.draw(1) < 0.25) for seat in range(seats)])
        return picked(view, view.balances, eligible, 1 + xp.astype(view.draw(3) * view.most, view.balance.dtype))
