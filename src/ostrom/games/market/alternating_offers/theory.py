"""Solutions of bargaining by alternating offers, as pure array functions. Amounts are in points of the round in which
they are received; pairs are indexed by seat."""

from typing import Any, NamedTuple

from ostrom.core.arrays import Array, namespace
from ostrom.games.market.alternating_offers.rules import OPEN, AlternatingOffersRules

SLACK = 1e-9
"""The part of the pie by which an amount may fall short of what is acceptable, because of rounding."""


class Thresholds(NamedTuple):
    """The equilibrium of one round."""

    least: tuple[Any, Any]
    """The smallest amount that each seat accepts if the other one proposes."""
    after: tuple[Any, Any]
    """The amount that rejecting is worth to each seat."""


def on_tick(amount: Array, rules: AlternatingOffersRules) -> Array:
    """Return the smallest legal offer of at least this amount."""
    if rules.tick == 0:
        return amount
    return namespace(amount).ceil(amount - SLACK * rules.pie)


def stationary(rules: AlternatingOffersRules, outside: tuple[Array, Array]) -> Thresholds:
    """Return the equilibrium without a last round, in which the strategies are the same in all rounds of a proposer.

    Without outside options and breakdown, the first proposer gets (1 − δ₂) / (1 − δ₁·δ₂) of the pie. A seat that may
    quit accepts nothing less than its outside option. If neither delay nor breakdown costs anything, every division is
    an equilibrium; this function then returns equal gains over the outside options. Sources: Rubinstein (1982),
    "Perfect equilibrium in a bargaining model", Econometrica 50(1), 97–109; with a risk of breakdown and outside
    options, Binmore, Rubinstein and Wolinsky (1986), "The Nash bargaining solution in economic modelling", RAND Journal
    of Economics 17(2), 176–188, and Shaked and Sutton (1984), "Involuntary unemployment as a perfect equilibrium in a
    bargaining model", Econometrica 52(6), 1351–1364."""
    xp = namespace(outside[0])
    keeps = [(1 - rules.breakdown) * delta for delta in rules.deltas]
    fixed = [rules.breakdown * option for option in outside]
    product = keeps[0] * keeps[1] + 0.0 * outside[0]
    free = product >= 1.0
    split = nash(rules.pie, outside)
    shares = []
    for seat in (0, 1):
        other = 1 - seat
        start = rules.pie - fixed[other] - keeps[other] * (rules.pie - fixed[seat])
        share = start / xp.where(free, 1.0, 1.0 - product)
        if rules.quits:
            # A seat that may quit gets at least its outside option, and its own part is then limited by the other's.
            share = xp.maximum(share, rules.pie - fixed[other] - keeps[other] * (rules.pie - outside[seat]))
            share = xp.minimum(share, rules.pie - outside[other])
        shares.append(xp.where(free, split[seat], xp.clip(share, 0.0, rules.pie)))
    after = [fixed[seat] + keeps[seat] * shares[seat] for seat in (0, 1)]
    return Thresholds((_least(after[0], outside[0], rules), _least(after[1], outside[1], rules)), (after[0], after[1]))


def _least(after: Array, outside: Array, rules: AlternatingOffersRules) -> Array:
    """Return the smallest acceptable amount of a seat to which rejecting is worth `after`."""
    xp = namespace(after)
    return xp.clip(xp.maximum(after, outside) if rules.quits else after, 0.0, rules.pie)


def backward(rules: AlternatingOffersRules, outside: tuple[Array, Array], round_: Any) -> Thresholds:
    """Return the equilibrium of a round if the last round is part of the game, by backward induction: the smallest
    amount that a responder accepts is what rejecting is worth to it. Source: Ståhl (1972), Bargaining Theory."""
    xp = namespace(outside[0])
    least = found_least = [_least(option, option, rules) for option in outside]
    after = found_after = list(outside)
    for number in range(rules.rounds - 1, 0, -1):
        # The equilibrium payoffs of the next round, in which this seat proposes.
        next_proposer = number % 2
        keeper, responder = next_proposer, 1 - next_proposer
        given = on_tick(least[responder], rules)
        worth = list(outside)
        # A proposer that would keep too little makes an offer that is rejected. The responder may then quit.
        leaves = rules.quits & (outside[responder] > after[responder] + SLACK * rules.pie)
        waits = xp.where(leaves, outside[keeper], after[keeper])
        worth[keeper] = xp.maximum(rules.pie - given, waits)
        worth[responder] = xp.where(rules.pie - given >= waits, given, least[responder])
        after = [
            rules.breakdown * option + (1 - rules.breakdown) * delta * value
            for option, delta, value in zip(outside, rules.deltas, worth, strict=True)
        ]
        least = [_least(value, option, rules) for value, option in zip(after, outside, strict=True)]
        now = round_ == number
        found_least = [xp.where(now, new, old) for new, old in zip(least, found_least, strict=True)]
        found_after = [xp.where(now, new, old) for new, old in zip(after, found_after, strict=True)]
    return Thresholds((found_least[0], found_least[1]), (found_after[0], found_after[1]))


def thresholds(rules: AlternatingOffersRules, outside: tuple[Array, Array], round_: Any) -> Thresholds:
    """Return the equilibrium of a round."""
    return stationary(rules, outside) if rules.horizon == OPEN else backward(rules, outside, round_)


def nash(pie: Any, threats: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the Nash bargaining solution: each seat gets its threat and half of the rest. Source: Nash (1950), "The
    bargaining problem", Econometrica 18(2), 155–162."""
    gain = (pie - threats[0] - threats[1]) / 2
    return threats[0] + gain, threats[1] + gain
