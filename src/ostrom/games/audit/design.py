"""The ways to put a question in an audit: factors, their levels, and a balanced choice of combinations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.game import Situation
from ostrom.core.plugins import cached_until_registration
from ostrom.games.audit import Framing
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.prompting import variants_of

CELLS = 12
"""Ways to put the question in each situation: every level of a factor with 2, 3 or 4 levels occurs equally often."""
CURRENCIES = ("tokens", "dollars", "points", "francs")
SCALES = (1, 10, 100)
MONEY = ("dollars", "euros", "francs", "points")
"""What amounts of single items are counted in: what is owed, won or split there is money."""
LABELS = (("A", "B"), ("X", "Y"))
"""The pairs of labels that two options may bear."""
TREES = ("Elm", "Ash", "Larch", "Rowan", "Hazel", "Cedar", "Poplar", "Willow")
MOST_SEATS = len(TREES)
_WORDINGS = ("plain", "story", "terse")
_CANDIDATES = 200


@dataclass(frozen=True, slots=True)
class Factor:
    """Something about the question that may be varied."""

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to put the question of a situation."""

    levels: dict[str, str]
    places: tuple[int, ...]
    """Where everybody sits."""
    framing: Framing


def factors_of(game: str, seats: int) -> tuple[Factor, ...]:
    """What is varied about the questions of a game at a table of so many seats; what has but one level is not."""
    alone = seats == 1
    found = (
        Factor("wording", wordings(game)),
        Factor("labels", () if alone else ("P1", f"P{seats}", *TREES[:2])),
        Factor("order", ("as seated", "reversed", "turned")[: 3 if seats > 3 else seats - 1]),
        Factor("seat", () if alone else tuple(_positions(seats))),
        Factor("currency", CURRENCIES),
        Factor("scale", tuple(f"×{scale}" for scale in SCALES)),
    )
    return tuple(factor for factor in found if len(factor.levels) > 1)


@cached_until_registration
def wordings(game: str) -> tuple[str, ...]:
    """The wordings that the prompts of a game come in."""
    known = variants_of(briefing_of(game))
    return tuple(variant for variant in _WORDINGS if variant in known)


def ways(game: str, seats: int, situation: Situation, number: int, seed: int, *, alone: bool) -> list[Way]:
    """The ways in which the question of a situation is put, to a seat of a table or as an item that stands alone."""
    choices = situation.choices
    varied = _balanced_levels(item_factors(game, choices) if alone else factors_of(game, seats), number, seed)
    if alone:
        return [item_way_of(levels, choices) for levels in varied]
    return [way_of(levels, seats, situation.seat) for levels in varied]


def way_of(levels: dict[str, str], seats: int, asked: int) -> Way:
    """The framing that these levels stand for. Everybody's label goes with them to their place: the name, the place in
    the list and the order of the others are varied apart from each other."""
    others = [seat for seat in range(seats) if seat != asked]
    place = _positions(seats).get(levels.get("seat", ""), asked)
    seated = [*others[:place], asked, *others[place:]]
    places = tuple(seated.index(seat) for seat in range(seats))
    listed = [places[seat] for seat in _ordered(others, levels.get("order", ""))]
    labels = None
    if "labels" in levels:
        called = _names(levels["labels"], seats)
        # Name by name from the seat that is asked, so that the others change their names with it.
        labels = tuple(called[(seat - asked) % seats] for seat in seated)
    order = (*listed[:place], place, *listed[place:])
    return Way(levels, places, _framing(levels, CURRENCIES[0], labels=labels, order=order))


def item_factors(game: str, choices: Sequence[str]) -> tuple[Factor, ...]:
    """What is varied about single items. Where a number is asked there are no options to be put in order."""
    found = [Factor("wording", wordings(game))]
    if choices:
        found.append(Factor("order", tuple(f"{option} first" for option in choices)))
        found.append(Factor("labels", tuple(f"{choices[0]} as {label}" for pair in LABELS for label in pair)))
    return (*found, Factor("currency", MONEY), Factor("scale", tuple(f"×{scale}" for scale in SCALES)))


def item_way_of(levels: dict[str, str], choices: Sequence[str]) -> Way:
    """The framing that these levels stand for: which option is shown first, and which label each of them bears."""
    options = called = None
    if choices:
        first = levels.get("order", "").removesuffix(" first")
        options = tuple(sorted(choices, key=lambda option: option != first)) if first else tuple(choices)
        label = levels.get("labels", LABELS[0][0]).rpartition(" ")[2]
        pair = next(pair for pair in LABELS if label in pair)
        borne = dict(zip(choices, pair if label == pair[0] else pair[::-1], strict=True))
        called = tuple(borne[option] for option in options)
    return Way(levels, (0,), _framing(levels, MONEY[0], options=options, called=called))


def _framing(levels: dict[str, str], unit: str, **more: Any) -> Framing:
    scale = int(levels.get("scale", "×1").removeprefix("×"))
    return Framing(variant=levels.get("wording", "plain"), unit=levels.get("currency", unit), scale=scale, **more)


def _positions(seats: int) -> dict[str, int]:
    return {"first": 0, "middle": seats // 2, "last": seats - 1} if seats > 2 else {"first": 0, "last": seats - 1}


def _ordered(others: Sequence[int], order: str) -> list[int]:
    if order == "reversed":
        return list(reversed(others))
    return [*others[1:], *others[:1]] if order == "turned" else list(others)


def _names(first: str, seats: int) -> list[str]:
    names = TREES[:seats] if first in TREES else tuple(f"P{number}" for number in range(1, seats + 1))
    start = names.index(first)
    return [*names[start:], *names[:start]]


def _balanced_levels(factors: Sequence[Factor], situation: int, seed: int) -> list[dict[str, str]]:
    """For every cell of a situation the level of each factor, by name."""
    levels = balanced([len(factor.levels) for factor in factors], situation, seed)
    return [{factor.name: factor.levels[level] for factor, level in zip(factors, row, strict=True)} for row in levels.T]


def balanced(levels: Sequence[int], situation: int, seed: int) -> npt.NDArray[np.int64]:
    """(factors, cells) The level of every factor in every cell. Each occurs equally often; of many such choices, drawn
    at random, the one in which pairs of levels meet most evenly."""
    candidates = np.arange(_CANDIDATES, dtype=np.uint64)
    low, high = (np.uint64(word) for word in key_of(seed))
    drawn = []
    for factor, count in enumerate(levels):
        ranks = [uniform_rows((low, high), candidates, "design", situation, cell, factor) for cell in range(CELLS)]
        drawn.append(np.argsort(np.argsort(np.stack(ranks, axis=1), axis=1), axis=1) % count)
    uneven = np.zeros(_CANDIDATES)
    for one in range(len(levels)):
        for other in range(one):
            pairs = drawn[one] * levels[other] + drawn[other]
            met = (pairs[:, :, None] == np.arange(levels[one] * levels[other])).sum(axis=1)
            uneven += np.sum((met - CELLS / (levels[one] * levels[other])) ** 2, axis=1)
    best = int(np.argmin(uneven))
    return np.stack([each[best] for each in drawn]).astype(np.int64)
