"""The design of the games of a board: whether earlier results decided which players met or when the experiment ended,
and which games depend on each other. The design is read from the settings of the experiments. It determines the weights
of games and the bounds of figures. `estimand` describes in one line what the figures measure."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import log, sqrt
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.analysis.intervals import confidences, looks_at, stretch
from ostrom.core.estimates import CONFIDENCE, Floats, Whole
from ostrom.core.text import number_of

_ADAPTIVE: Final = "adaptive"
_WHOLE_SHARE: Final = 0.9
"""If the share of planned games that are finished is smaller than this, the experiment was stopped by hand or is still
running. The share is below 1 because completed experiments may have void games, which are not counted."""
EVEN_MEETINGS: Final = 2
"""A schedule is balanced if every pair met less than this many times as often as any other pair. It is also balanced if
the numbers of meetings differ by at most 2."""


@dataclass(frozen=True, slots=True)
class Design:
    """The way in which the games of a board were scheduled and ended, and its consequences for the computation of
    figures."""

    adaptive: bool = False
    """True if earlier results decided which players met."""
    cluster: str | None = None
    """The column of the table of games in which games that depend on each other have equal entries; None if there is no
    such column."""
    confidence: float = CONFIDENCE
    """The confidence of each verdict. It is raised so that the verdicts at all looks of a stopping rule hold
    together."""
    factor: float = 1.0
    """The factor by which the bounds of verdicts are widened if the end was neither planned nor set by a stopping
    rule."""
    stretch: float = 1.0
    """The factor by which intervals are lengthened so that they hold whenever the experiment ended."""
    said: str = ""
    """A sentence on how the end was chosen; empty if it was planned."""
    rules: str = ""
    """The rules of the games, by their differences from the game's defaults; empty if they are not known."""


FIXED: Final = Design()


def design_of(game: str, counts: Mapping[str, int], settings: Mapping[str, Mapping[str, Any]]) -> Design:
    """Return the design of the games of some experiments. `counts` gives each experiment's number of finished games of
    this kind."""
    own = [(count, settings.get(name, {})) for name, count in counts.items()]
    adaptive = any(values.get("schedule") == _ADAPTIVE for _, values in own)
    ends = [_end_of(game, count, values) for count, values in own]
    said = dict.fromkeys(end.said for end in ends if end.said)
    return Design(
        adaptive,
        None,
        min((end.confidence for end in ends), default=CONFIDENCE),
        max((end.factor for end in ends), default=1.0),
        max((end.stretch for end in ends), default=1.0),
        " ".join(said),
    )


def _end_of(game: str, count: int, settings: Mapping[str, Any]) -> Design:
    # Settings in journals of other programs may have other types. The plan of such an experiment is unknown.
    stages = settings.get("parts", [settings])
    parts = [part for part in stages if isinstance(part, Mapping)] if isinstance(stages, list) else []
    numbers = [part.get("games") for part in parts if part.get("game") == game]
    planned = sum(number for number in numbers if isinstance(number, int))
    if not planned or settings.get("fixed"):
        return FIXED
    if settings.get("until") is not None:
        looks = looks_at(planned)
        look = min(bisect_left(looks, count), len(looks) - 1)
        said = (
            f"The rule {settings['until']} could end the experiment early: intervals, tiers and sentences on who does "
            "most are valid nevertheless; intervals of medians are not corrected for the rule."
        )
        return Design(confidence=confidences(looks)[look], stretch=stretch(looks), said=said)
    why = None
    if settings.get("added"):
        why = "Players were added to the experiment"
    elif count < _WHOLE_SHARE * planned:
        why = f"{count:,} of {planned:,} planned games are finished"
    if why is None:
        return FIXED
    said = (
        f"{why}: intervals, tiers and sentences on who does most are valid at any number of games; intervals of "
        "medians are not corrected for this."
    )
    return Design(factor=anytime(), stretch=anytime(), said=said)


@lru_cache
def anytime(confidence: float = CONFIDENCE) -> float:
    """Return the factor by which an interval is lengthened so that it holds even if results are looked at after every
    game. Of all such intervals, it is the shortest at the present number of games (the normal mixture's confidence
    sequence; Robbins, Annals of Mathematical Statistics 41, 1970; Waudby-Smith et al., Annals of Statistics 52, 2024).
    The factor is smaller at a higher confidence."""
    from scipy.special import ndtri

    error = 1 - confidence
    mixed = -2 * log(error) + log(1 - 2 * log(error))
    return sqrt(2 * (mixed + 1) / mixed * log(sqrt(mixed + 1) / error)) / float(ndtri(1 - error / 2))


# Meetings of players.

_RAKES: Final = 50
"""The number of iterations of raking; with two seats, one iteration is exact."""
_RAKED: Final = 1e-6


def raked(others: Sequence[Whole]) -> Floats:
    """Return a weight for each game of a player, computed from the co-players in each game. The weights give all
    co-players the same total weight (iterative proportional fitting; Deming and Stephan 1940). The mean weight is 1."""
    seats = np.asarray([len(row) for row in others])
    game = np.repeat(np.arange(len(others)), seats)
    weight = np.ones(len(others))
    if not len(game):
        return weight
    _, other = np.unique(np.concatenate(others), return_inverse=True)
    for _ in range(_RAKES):
        total = np.bincount(other, weights=weight[game])
        factor = np.log(total.mean() / total)
        if np.abs(factor).max() < _RAKED:
            break
        weight *= np.exp(np.bincount(game, weights=factor[other], minlength=len(weight)) / np.maximum(seats, 1))
    return np.asarray(weight / weight.mean())


def weights_of(seats: pl.DataFrame) -> pl.DataFrame:
    """Return the weight of each player in each of its games, as a table with the columns game, player and weight. With
    these weights, a player meets every other player equally often."""
    numbers = {name: number for number, name in enumerate(sorted(set(seats["player"])))}
    tables = seats.group_by("game", maintain_order=True).agg(pl.col("player").unique())
    games: dict[str, list[tuple[str, Whole]]] = {}
    for game, players in tables.iter_rows():
        for player in players:
            others = np.asarray([numbers[other] for other in players if other != player], dtype=np.int64)
            games.setdefault(player, []).append((game, others))
    rows = [
        (game, player, float(weight))
        for player, own in games.items()
        for (game, _), weight in zip(own, raked([others for _, others in own]), strict=True)
    ]
    return pl.DataFrame(rows, {"game": pl.String, "player": pl.String, "weight": pl.Float64}, orient="row")


def estimand(seatings: Sequence[Sequence[str]], design: Design = FIXED, game: str = "") -> str:
    """Return one line on what the figures of these games measure. It names the players, the games, their rules, and the
    way in which players meet. `seatings` has the players of each game."""
    players = {player for seated in seatings for player in seated}
    sizes = sorted({len(seated) for seated in seatings})
    seats = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}" if sizes else "no"
    played = number_of(len(seatings), "game") + (f" of {game}" if game else "")
    about = f"{number_of(len(players), 'player')} in {played} with {seats} {'seat' if seats == '1' else 'seats'}"
    rules = f"; rules: {design.rules}" if design.rules else ""
    return f"About: {about}; opponents {schedule_of(seatings, design)}{rules}."


def schedule_of(seatings: Sequence[Sequence[str]], design: Design = FIXED) -> str:
    """Return a description of the way in which players met."""
    if design.adaptive:
        return (
            "chosen by earlier results; means are weighted to balanced opponents, and so are strengths unless they "
            "explain the results of all pairs (p of their fit is 0.1 or more)"
        )
    players = sorted({player for seated in seatings for player in seated})
    met = dict.fromkeys(combinations(players, 2), 0)
    for seated in seatings:
        for pair in combinations(sorted(set(seated)), 2):
            met[pair] += 1
    least, most = min(met.values(), default=0), max(met.values(), default=0)
    if least and (most < EVEN_MEETINGS * least or most - least <= EVEN_MEETINGS):
        return "balanced"
    apart = sum(count == 0 for count in met.values())
    never = f", {apart} of {number_of(len(met), 'pair')} never met" if apart else ""
    return f"as scheduled, not balanced{never}"
