"""Who does most: named only where the games tell that player apart from every other."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import SEED, Ratio, weights
from ostrom.analysis.studentised import Part, Whole, studentised
from ostrom.core.estimates import CONFIDENCE

_BEYOND: Final = (1 + CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Lead:
    """The player with the highest figure, or the lowest, among those whose figure has an interval."""

    player: str
    rivals: tuple[str, ...]
    """Those from whom it is not told apart; nobody, where it leads."""
    compared: int
    """How many players are compared, itself among them."""
    players: int
    """How many there are; the others have too few games."""


def lead_of(figure: Ratio, *, highest: bool = True) -> Lead | None:
    """Who leads by a figure of players; nothing where fewer than two can be compared."""
    found = figure.resampled()
    usable = np.flatnonzero([reason is None for reason in found.reasons])
    if len(usable) < 2:
        return None
    first = int(usable[np.argmax(found.value[usable] if highest else -found.value[usable])])
    others = usable[usable != first]
    _, part = figure.sums()
    names = found.keys["player"].to_list()
    beyond = told_apart(part, first, others, highest=highest)
    rivals = tuple(names[other] for other, told in zip(others, beyond, strict=True) if not told)
    return Lead(names[first], rivals, len(usable), len(names))


def told_apart(part: Part, first: int, others: Whole, *, highest: bool) -> npt.NDArray[np.bool_]:
    """Whether the first is told apart from each of the others, for all of them together. Its difference to each is
    studentised, and holds where it is beyond what the greatest of them reaches in 97.5 % of the resamples (Dunnett
    1955, with the first, whoever it is, as the control; Hsu 1981): so of players who are all equal one is named in at
    most 5 % of cases."""
    top, bottom = part
    same = np.full(len(others), first)
    pair = [(top[:, same], bottom[:, same]), (top[:, others], bottom[:, others])]
    found = studentised(pair if highest else pair[::-1], np.zeros_like(others), weights(len(top)), SEED)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = found.value / found.error
    greatest = np.max(np.where(np.isnan(found.draws), -np.inf, found.draws), axis=1)
    return np.asarray(size > np.quantile(greatest, _BEYOND, method="higher"))
