"""The rules of a round as pure array functions over whole numbers. Arrays of seats have the shape (seats, games),
arrays of games the shape (games,): the same functions serve one game and a batch."""

from fractions import Fraction
from typing import NamedTuple

from ostrom.core.arrays import Array, namespace, total
from ostrom.games.contribute_punish.rules import ContributePunishRules

NOBODY = -1
"""The target of a seat that punishes nobody."""


class Fund(NamedTuple):
    """What became of the fund in a round, for each game."""

    pot: Array
    grown: Array
    share: Array
    carry: Array
    """What is left over for the next round."""


def part_of(amounts: Array, fraction: Fraction) -> Array:
    """The whole tokens in a fraction of whole amounts."""
    return amounts * fraction.numerator // fraction.denominator


def share_fund(contributions: Array, carry: Array, rules: ContributePunishRules) -> Fund:
    """pot = carry-over + Σ contributions, grown = ⌊pot × multiplier⌋, share = ⌊grown / seats⌋; the rest is carried
    over."""
    seats = contributions.shape[0]
    pot = carry + total(contributions)
    grown = part_of(pot, rules.growth)
    share = grown // seats
    return Fund(pot, grown, share, carry=grown - seats * share)


class Settling(NamedTuple):
    """Where the settlement of a round's punishments stands. All but the last two are (seats, games)."""

    balances: Array
    shared: Array
    """What each seat held right after the fund was shared out."""
    lost: Array
    """What each seat lost to punishment in this round so far."""
    spend: Array
    """(games,) What the last punishment cost; 0 where it left none."""
    damage: Array
    """(games,) What it took from its target."""


def open_settlement(balances: Array) -> Settling:
    """Before the first punishment of a round."""
    xp = namespace(balances)
    nothing = xp.zeros_like(balances)
    return Settling(balances, balances, nothing, spend=nothing[0], damage=nothing[0])


def settle(settling: Settling, punisher: Array, target: Array, asked: Array, rules: ContributePunishRules) -> Settling:
    """Settle one punishment in each game: (games,) who punishes, whom (or `NOBODY`), and with how much. The target's
    loss is bounded; where the bound bites the spend shrinks to what the bound pays for, and the rest is never
    taken."""
    xp = namespace(settling.balances)
    seats = xp.reshape(xp.arange(settling.balances.shape[0], dtype=punisher.dtype), (-1, 1))
    punishes, suffers = seats == punisher, seats == target

    def of(who: Array, amounts: Array) -> Array:
        return total(xp.where(who, amounts, 0))

    lost = of(suffers, settling.lost)
    bound = xp.minimum(
        part_of(of(suffers, settling.balances), rules.fraction),
        xp.minimum(part_of(of(suffers, settling.shared), rules.fraction), rules.max_absolute + 0 * lost) - lost,
    )
    affordable = xp.minimum(asked, of(punishes, settling.balances))
    most = xp.maximum(bound, 0) // rules.ratio if rules.ratio else affordable
    spend = xp.where(target == NOBODY, 0, xp.minimum(affordable, most))
    damage = spend * rules.ratio
    taken = xp.where(suffers, damage, 0)
    return Settling(
        balances=settling.balances - xp.where(punishes, spend, 0) - taken,
        shared=settling.shared,
        lost=settling.lost + taken,
        spend=spend,
        damage=damage,
    )
