"""The assignment of participants to treatments: at random, and balanced by the treatments' shares, whether people come
one by one or are assigned together."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from ostrom.core.chance import GameChance
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import Treatment
from ostrom.experiment.session.file_rules import people_of
from ostrom.experiment.session.matching import shuffled

_ONE_BY_ONE: Final = "session treatment"
_TOGETHER: Final = "session treatments"


def next_treatment(treatments: Sequence[Treatment], counts: Mapping[str, int], *, seed: int, number: int) -> str:
    """Return the treatment of the next person. `counts` has the number of people in each treatment, and `number` is the
    number of the participant, on which the draw depends.

    With equal shares, the numbers of people differ by at most one at any time if no person leaves. With other shares,
    each number differs by less than one from its share of all (Tijdeman's rule).
    """
    shares = _shares(treatments)
    if len(shares) == 1:
        return next(iter(shares))
    total = sum(counts.get(name, 0) for name in shares) + 1
    slack = Fraction(1, 2 * len(shares) - 2)
    deficits = {name: share * total - counts.get(name, 0) for name, share in shares.items()}
    waits = {
        name: (1 - slack - deficit) / shares[name] for name, deficit in deficits.items() if deficit >= slack
    }  # The time until a treatment would fall behind its share by too much.
    first = min(waits.values())
    ties = [name for name, wait in waits.items() if wait == first]
    chance = GameChance(seed)
    return min(ties, key=lambda name: (chance.uniform(_ONE_BY_ONE, number, list(shares).index(name)), name))


def assign_together(participants: Collection[int], file: SessionFile, *, seed: int) -> dict[int, str]:
    """Return the treatment of each participant, at random. As many people as possible are in whole groups, and the
    groups are divided by the treatments' shares. The rest, who do not make a group, are divided by the shares too."""
    shares = _shares(file.treatments)
    sizes = {treatment.name: block_size(file, treatment) for treatment in file.treatments}
    order = shuffled(participants, seed, _TOGETHER, 0)
    counts = Counter[str]()
    treatments: list[str] = []
    while len(treatments) < len(order):
        left = len(order) - len(treatments)
        fitting = [name for name in shares if sizes[name] <= left] or list(shares)
        behind = {name: shares[name] * (len(treatments) + sizes[name]) - counts[name] for name in fitting}
        name = max(fitting, key=lambda name: (behind[name], -list(shares).index(name)))
        added = min(sizes[name], left)
        counts[name] += added
        treatments += [name] * added
    return dict(zip(order, treatments, strict=True))


def block_size(file: SessionFile, treatment: Treatment) -> int:
    """Return the number of people by which the people of a treatment must be divisible, so that no group of any game
    lacks people. Games whose empty seats are filled do not count."""
    sizes = [people_of(game, treatment) for game in file.games if not game.fill]
    return lcm(*(size for size in sizes if size > 0))


class Admission(NamedTuple):
    """The people who play, and those who find no group."""

    members: list[int]
    left: list[int]


def admit(arrived: Sequence[int], file: SessionFile, treatment: Treatment) -> Admission:
    """Divide the people of a treatment, in the order of their arrival, into those who play and those who find no
    group. The first to arrive play."""
    size = block_size(file, treatment)
    count = len(arrived) // size * size
    return Admission(list(arrived[:count]), list(arrived[count:]))


def _shares(treatments: Sequence[Treatment]) -> dict[str, Fraction]:
    shares = {treatment.name: Fraction(treatment.share).limit_denominator(10**6) for treatment in treatments}
    total = sum(shares.values())
    return {name: share / total for name, share in shares.items()}
