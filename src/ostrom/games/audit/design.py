"""The framings of a question in an audit. This module defines the factors and their levels, selects a balanced set of
combinations, and writes the prompts in which they are shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.game import Situation
from ostrom.core.plugins import GAMES, cached_until_registration
from ostrom.games.audit import AuditFraming, AuditView
from ostrom.players.models.briefing import Briefing, briefing_of
from ostrom.players.models.fields import AnswerField
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text, variants_of

CELLS = 12
"""The number of framings in each situation. It is a multiple of 2, 3 and 4, so that each level of a factor with 2, 3 or
4 levels occurs equally often."""
CURRENCIES = ("tokens", "dollars", "points", "francs")
SCALES = (1, 10, 100)
MONEY = ("dollars", "euros", "francs", "points")
"""The currencies for items of the battery. Tokens are not among them, since amounts in these items are debts, prizes
or pots of money."""
LABELS = (("A", "B"), ("X", "Y"))
"""The pairs of labels for two options."""
LAYOUTS = ("1", "2")
TREES = ("Elm", "Ash", "Larch", "Rowan", "Hazel", "Cedar", "Poplar", "Willow")
MOST_SEATS = len(TREES)
_WORDINGS = ("plain", "story", "terse")
_CANDIDATES = 200


@dataclass(frozen=True, slots=True)
class VariedFactor:
    """A property of the question that may be varied."""

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionVariant:
    """One framing of the question of a situation."""

    levels: dict[str, str]
    places: tuple[int, ...]
    """The seat to which each player is moved."""
    framing: AuditFraming


def factors_of(game: str, seats: int, *, layout: bool = False) -> tuple[VariedFactor, ...]:
    """Return the factors of a game's questions at a table with this many seats. Factors with a single level are
    omitted. The layout of prompts is varied only if `layout`."""
    alone = seats == 1
    factors = (
        VariedFactor("wording", wordings(game)),
        VariedFactor("labels", () if alone else ("P1", f"P{seats}", *TREES[:2])),
        VariedFactor("order", ("as seated", "reversed", "turned")[: 3 if seats > 3 else seats - 1]),
        VariedFactor("seat", () if alone else tuple(_positions(_smallest_group(game, seats)))),
        VariedFactor("currency", CURRENCIES),
        VariedFactor("scale", tuple(f"×{scale}" for scale in SCALES)),
        VariedFactor("layout", LAYOUTS if layout else ()),
    )
    return tuple(factor for factor in factors if len(factor.levels) > 1)


@cached_until_registration
def wordings(game: str) -> tuple[str, ...]:
    """Return the wordings of a game's prompts."""
    variants = variants_of(briefing_of(game))
    return tuple(variant for variant in _WORDINGS if variant in variants)


def variants_of_question(
    game: str, seats: int, situation: Situation, number: int, seed: int, *, alone: bool, layout: bool = False
) -> list[QuestionVariant]:
    """Return the framings of a situation's question. If `alone`, the question is an item of the battery, and otherwise
    a question to a seat in a game."""
    choices = situation.choices
    factors = item_factors(game, choices, layout=layout) if alone else factors_of(game, seats, layout=layout)
    variants = []
    for cell in balanced([len(factor.levels) for factor in factors], number, seed).T:
        levels = {factor.name: factor.levels[level] for factor, level in zip(factors, cell, strict=True)}
        if alone:
            variants.append(item_variant(levels, choices))
        else:
            exchangeable = _exchangeable_seats(game, seats, situation.seat)
            variants.append(table_variant(levels, seats, situation.seat, exchangeable))
    return variants


def _smallest_group(game: str, seats: int) -> int:
    """Return the smallest number of seats that share a role, over all roles."""
    return min(Counter(GAMES[game].seat_groups(seats)).values())


def _exchangeable_seats(game: str, seats: int, asked: int) -> list[int]:
    """Return the seats that have the same role as the asked seat, including that seat."""
    groups = GAMES[game].seat_groups(seats)
    return [seat for seat in range(seats) if groups[seat] == groups[asked]]


def table_variant(
    levels: dict[str, str], seats: int, asked: int, exchangeable: Sequence[int] | None = None
) -> QuestionVariant:
    """Return the framing with these levels for a seat in a game. Players keep their labels when they change seats. So
    the label, the position in the list and the order of the others vary independently. Only players at `exchangeable`
    seats change seats. By default, all seats are exchangeable."""
    others = [seat for seat in range(seats) if seat != asked]
    own = list(range(seats)) if exchangeable is None else list(exchangeable)
    position = _positions(len(own)).get(levels.get("seat", ""), own.index(asked))
    neighbours = [seat for seat in own if seat != asked]
    moved = [*neighbours[:position], asked, *neighbours[position:]]
    seated = list(range(seats))
    for seat, player in zip(own, moved, strict=True):
        seated[seat] = player
    places = tuple(seated.index(seat) for seat in range(seats))
    place = places[asked]
    match levels.get("order"):
        case "reversed":
            others = others[::-1]
        case "turned":
            others = [*others[1:], *others[:1]]
    listed = [places[seat] for seat in others]
    labels = None
    if "labels" in levels:
        names = _names(levels["labels"], seats)
        # The names are rotated, beginning at the asked seat. So the names of the other seats change together with its
        # name.
        labels = tuple(names[(seat - asked) % seats] for seat in seated)
    order = (*listed[:place], place, *listed[place:])
    return QuestionVariant(levels, places, _framing(levels, CURRENCIES[0], labels=labels, order=order))


def item_factors(game: str, choices: Sequence[str], *, layout: bool = False) -> tuple[VariedFactor, ...]:
    """Return the factors of items of the battery. The order of options is a factor only if the item has options. The
    layout of prompts is varied only if `layout`."""
    factors = [VariedFactor("wording", wordings(game))]
    if choices:
        factors.append(VariedFactor("order", tuple(f"{option} first" for option in choices)))
        factors.append(VariedFactor("labels", tuple(f"{choices[0]} as {label}" for pair in LABELS for label in pair)))
    factors += [VariedFactor("currency", MONEY), VariedFactor("scale", tuple(f"×{scale}" for scale in SCALES))]
    return (*factors, VariedFactor("layout", LAYOUTS)) if layout else tuple(factors)


def item_variant(levels: dict[str, str], choices: Sequence[str]) -> QuestionVariant:
    """Return the framing with these levels for an item. It includes the order and the labels of the item's options."""
    options = labels = None
    if choices:
        first = levels.get("order", "").removesuffix(" first")
        options = tuple(sorted(choices, key=lambda option: option != first)) if first else tuple(choices)
        label = levels.get("labels", LABELS[0][0]).rpartition(" ")[2]
        pair = next(pair for pair in LABELS if label in pair)
        label_of = dict(zip(choices, pair if label == pair[0] else pair[::-1], strict=True))
        labels = tuple(label_of[option] for option in options)
    return QuestionVariant(levels, (0,), _framing(levels, MONEY[0], options=options, called=labels))


def _framing(levels: dict[str, str], unit: str, **more: Any) -> AuditFraming:
    scale = int(levels.get("scale", "×1").removeprefix("×"))
    layout = int(levels["layout"]) if "layout" in levels else None
    wording = levels.get("wording", "plain")
    return AuditFraming(variant=wording, unit=levels.get("currency", unit), scale=scale, layout=layout, **more)


def _positions(seats: int) -> dict[str, int]:
    if seats < 2:
        return {}
    return {"first": 0, "middle": seats // 2, "last": seats - 1} if seats > 2 else {"first": 0, "last": seats - 1}


def _names(first: str, seats: int) -> list[str]:
    names = TREES[:seats] if first in TREES else tuple(f"P{number}" for number in range(1, seats + 1))
    start = names.index(first)
    return [*names[start:], *names[:start]]


def balanced(levels: Sequence[int], situation: int, seed: int) -> npt.NDArray[np.int64]:
    """(factors, cells) Return the level of every factor in every cell. Each level of a factor occurs equally often. Of
    many random designs, the one in which pairs of levels occur most evenly is chosen."""
    candidates = np.arange(_CANDIDATES, dtype=np.uint64)
    low, high = (np.uint64(word) for word in key_of(seed))
    designs = []
    for factor, count in enumerate(levels):
        ranks = [uniform_rows((low, high), candidates, "design", situation, cell, factor) for cell in range(CELLS)]
        designs.append(np.argsort(np.argsort(np.stack(ranks, axis=1), axis=1), axis=1) % count)
    uneven = np.zeros(_CANDIDATES)
    for first in range(len(levels)):
        for other in range(first):
            pairs = designs[first] * levels[other] + designs[other]
            counts = (pairs[:, :, None] == np.arange(levels[first] * levels[other])).sum(axis=1)
            uneven += np.sum((counts - CELLS / (levels[first] * levels[other])) ** 2, axis=1)
    best = int(np.argmin(uneven))
    return np.stack([design[best] for design in designs]).astype(np.int64)


class AuditBriefing(Briefing):
    """Writes prompts with the briefing of the audited game. Their framing is set by the audit and not by the player."""

    prompts = Path(__file__).parent / "prompts"

    @override
    def template(self, question: Question) -> str:
        return "question"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        inner, inner_question, inner_framing = _unwrap(question, framing)
        return {"text": rules_text(inner, inner_question, inner_framing, chance)}

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        inner, inner_question, inner_framing = _unwrap(question, framing)
        return {"text": question_text(inner, inner_question, inner_framing, chance)}

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        inner, inner_question, inner_framing = _unwrap(question, framing)
        return inner.past(inner_question, inner_framing, chance)

    @override
    def layout(self, question: Question, framing: Framing) -> int:
        view: AuditView = question.view
        return view.framing.layout or framing.layout

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        inner, inner_question, inner_framing = _unwrap(question, framing)
        return inner.form(inner_question, inner_framing, chance)

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        inner, inner_question, _ = _unwrap(question, Framing())
        return inner.decode(inner_question, values)


def _unwrap(question: Question, own: Framing) -> tuple[Briefing, Question, Framing]:
    view: AuditView = question.view
    chosen = view.framing
    layout = chosen.layout or own.layout
    framing = Framing(chosen.variant, chosen.unit, chosen.scale, chosen.labels, chosen.order, layout)
    return briefing_of(view.game), view.question, framing
