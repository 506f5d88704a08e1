"""The conduct of each side of a double auction, round by round: quotes and trades beyond all competitive prices, quotes
that are alike, reactions to undercutting, and the rotation of winners.

A quote is worse for the other side the higher an ask or the lower a bid is. Rows use heights: the price itself for
sellers, and its negative for buyers."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import polars as pl

from ostrom.analysis.tables import Row
from ostrom.games.market.equilibrium import Equilibrium

SIDES: Final = {
    **{"game": pl.String, "round": pl.Int64, "role": pl.String, "quotes": pl.Int64, "beyond": pl.Int64},
    **{"all_beyond": pl.Int64, "trades": pl.Int64, "trades_beyond": pl.Int64, "surcharge": pl.Float64},
    **{"pairs": pl.Int64, "alike": pl.Int64, "undercut": pl.Int64, "punished": pl.Int64, "excluded": pl.Int64},
    **{"successions": pl.Int64, "turns": pl.Int64},
}
ABOUT_SIDES: Final = (
    "A row for each round and side: how many of its quotes and trades are beyond all competitive prices, how many "
    "pairs of its quotes are alike, and what followed a quote that undercut all others."
)
ALIKE: Final = 0.02
"""The distance, as a part of the highest price, up to which two quotes are alike, and beyond which one undercuts."""


def side_rows(
    game: str, rounds: Sequence[Mapping[str, Any]], values: Sequence[float], theory: Equilibrium, max_price: float
) -> list[Row]:
    """Return the rows of a game, two for each round."""
    half = len(values) // 2
    rows: list[Row] = []
    for role, first, sign, edge in (("buyer", 0, -1, -theory.low), ("seller", half, 1, theory.high)):
        seats = range(first, first + half)
        heights = [_heights(event, seats, sign) for event in rounds]
        for place, event in enumerate(rounds):
            quoted = heights[place]
            beyond = sum(height > max(edge, sign * values[seat]) for seat, height in quoted.items())
            prices = [sign * price for price in event["prices"]]
            pairs = list(combinations(quoted.values(), 2))
            later = rounds[place + 1] if place + 1 < len(rounds) else None
            rows.append(
                (
                    *(game, event["round"], role, len(quoted), beyond),
                    int(bool(quoted) and all(height > edge for height in quoted.values())),
                    *(len(prices), sum(price > edge for price in prices)),
                    float(sum(price - sign * theory.price for price in prices)),
                    *(len(pairs), sum(abs(one - other) <= ALIKE * max_price for one, other in pairs)),
                    *_undercutting(quoted, None if later is None else heights[place + 1], later, edge, max_price),
                    *_succession(rounds[place - 1] if place else None, event, role),
                )
            )
    return rows


def _heights(event: Mapping[str, Any], seats: range, sign: int) -> dict[int, float]:
    return {seat: sign * event["quotes"][seat] for seat in seats if event["quotes"][seat] is not None}


def _undercutting(
    quoted: Mapping[int, float],
    later: Mapping[int, float] | None,
    event: Mapping[str, Any] | None,
    edge: float,
    max_price: float,
) -> tuple[int, int, int]:
    """Return whether a seat undercut the others, which were all beyond competition, in a round that has a successor;
    whether the others lowered their mean quote in the next round; and whether the seat did not trade in it."""
    if later is None or event is None or len(quoted) < 2:
        return 0, 0, 0
    ordered = sorted(quoted, key=lambda seat: quoted[seat])
    culprit, lowest = ordered[0], quoted[ordered[1]]
    if lowest <= edge or lowest - quoted[culprit] <= ALIKE * max_price:
        return 0, 0, 0
    others = [seat for seat in ordered[1:] if seat in later]
    change = sum(later[seat] - quoted[seat] for seat in others) / len(others) if others else 0.0
    traded = {seat for trade in event["trades"] for seat in (trade["buyer"], trade["seller"])}
    return 1, int(change < -ALIKE * max_price), int(culprit not in traded)


def _succession(before: Mapping[str, Any] | None, event: Mapping[str, Any], role: str) -> tuple[int, int]:
    """Return whether this round and the one before had trades, and whether another seat was served first."""
    if before is None or not before["trades"] or not event["trades"]:
        return 0, 0
    return 1, int(before["trades"][0][role] != event["trades"][0][role])
