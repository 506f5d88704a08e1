"""Labels at the ends of lines, pushed apart until none covers another."""

from collections.abc import Sequence


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places as near to the wanted ones as they can be, in the same order, at least `gap` apart and within
    `low` … `high`; where so many do not fit, the bounds give way rather than the gap.

    Least squares under order constraints: with place i written as q_i + i·gap, q must not fall, and the best
    non-falling q is the isotonic regression of the wanted places, found by pooling neighbours that violate it (Ayer and
    others 1955)."""
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    pools: list[tuple[float, int]] = []
    for place, index in enumerate(order):
        mean, size = wanted[index] - place * gap, 1
        while pools and pools[-1][0] > mean:
            other, others = pools.pop()
            mean = (mean * size + other * others) / (size + others)
            size += others
        pools.append((mean, size))
    flat = [mean for mean, size in pools for _ in range(size)]
    # The bounds in the same coordinates: the first place is at least `low`, the last at most `high`.
    top = high - (len(wanted) - 1) * gap
    if top < low:
        low = top = (low + top) / 2
    places = [0.0] * len(wanted)
    for place, index in enumerate(order):
        places[index] = min(max(flat[place], low), top) + place * gap
    return places
