"""How motion starts and stops: functions from the unit interval to, roughly, itself."""

import math


def part(elapsed: float, begin: float, end: float) -> float:
    """How far `elapsed` has come from `begin` to `end`, held within 0 and 1."""
    if end <= begin:
        return 1.0 if elapsed >= end else 0.0
    return min(1.0, max(0.0, (elapsed - begin) / (end - begin)))


def smooth(x: float) -> float:
    """Starts and stops gently (cubic)."""
    return 4 * x**3 if x < 0.5 else 1 - (2 - 2 * x) ** 3 / 2


def settle(x: float) -> float:
    """Starts at full speed and comes to rest."""
    return 1 - (1 - x) ** 3


def gather(x: float) -> float:
    """Starts from rest and arrives at full speed."""
    return x**3


def pop(x: float) -> float:
    """Goes a little beyond its end and comes back."""
    back = 1.4
    return 1 + (back + 1) * (x - 1) ** 3 + back * (x - 1) ** 2


def shake(x: float) -> float:
    """Swings about 0 and dies out."""
    return math.sin(x * 6 * math.pi) * (1 - x) ** 2


def between(low: float, high: float, x: float) -> float:
    """The point that lies `x` of the way from low to high."""
    return low + (high - low) * x
