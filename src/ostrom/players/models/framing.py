"""How a question is put: in which words, in which currency and size of amounts, and what seats are called; and text
that somebody else wrote, made fit to stand in a prompt. The framing is undone before an answer is validated."""

import json
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

from ostrom.core import Chance, GameChance, InputError, Text, seats

Number: TypeAlias = "int | float"

NOBODY = "nobody"
"""What is said where no seat is meant."""
DECIMALS = 2
"""How many decimals an amount is told with where it need not be whole."""
_LABEL = re.compile(r"[\w][\w .'-]{0,31}")


def plain(number: Number, digits: int = 12) -> str:
    """A number as people write it: no exponent, no trailing zeros, and no more than so many digits that count."""
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return str(number)
    text = format(Decimal(f"{number:.{digits}g}"), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def truncated(value: float) -> float:
    """A number without what is beyond two decimals: nobody is told to hold more than it does. A rounding error
    does not count."""
    steps = 10**DECIMALS
    return float(math.trunc(round(value * steps, 6)) / steps)


@dataclass(frozen=True, slots=True)
class Framing:
    """One way to put the questions of a game."""

    variant: str = "plain"
    """The wording: the folder that the templates are taken from."""
    unit: str = "tokens"
    """What amounts are counted in, in the plural."""
    scale: int = 1
    """What every amount is multiplied by when it is told; answers are divided by it."""
    labels: tuple[str, ...] | None = None
    """What the seats are called, by index; by default the game's own way."""
    order: tuple[int, ...] | None = None
    """The order in which seats are listed; by default that of their indexes."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", self.variant):
            raise InputError(f"{self.variant!r} is not a wording; it must be one of the folders of the game's prompts")
        if not re.fullmatch(r"[^\W\d_][^\W_]*( [^\W\d_][^\W_]*)*", self.unit):
            raise InputError(f"{self.unit!r} is not a unit; it must be a plural noun, such as tokens or francs")
        if isinstance(self.scale, bool) or not isinstance(self.scale, int) or not 1 <= self.scale <= 1_000_000:
            raise InputError(f"the scale must be a whole number from 1 to 1,000,000, got {self.scale!r}")
        for label in self.labels or ():
            if not _LABEL.fullmatch(label) or label.casefold() == NOBODY:
                raise InputError(f"{label!r} cannot be a seat's label; it must be a short name other than {NOBODY!r}")
        if self.labels is not None and len({label.casefold() for label in self.labels}) != len(self.labels):
            raise InputError(f"the labels must all differ, got {', '.join(self.labels)}")
        if self.order is not None and sorted(self.order) != list(range(len(self.order))):
            raise InputError(f"{self.order} is not an order of seats; it must list each index from 0 once")

    def amount(self, value: Number) -> Number:
        """An amount as it is told: scaled, and without what is beyond two decimals where it is not whole."""
        scaled = value * self.scale
        return scaled if isinstance(scaled, int) else truncated(scaled)

    def figure(self, value: Number) -> str:
        """An amount as it is told, without its unit."""
        return plain(self.amount(value))

    def money(self, value: Number) -> str:
        """An amount with its unit: '20 tokens', '1 token'."""
        told = self.figure(value)
        return f"{told} {self.one if told in ('1', '-1') else self.unit}"

    @property
    def one(self) -> str:
        return self.unit[:-1] if self.unit.endswith("s") else self.unit

    @property
    def whole(self) -> str:
        """What amounts are that cannot be split: 'whole tokens', or 'multiples of 10 francs'."""
        return f"whole {self.unit}" if self.scale == 1 else f"multiples of {self.scale} {self.unit}"

    def seats_called(self, default: Sequence[str]) -> tuple[str, ...]:
        """What each seat is called, by index: the framing's labels, or else the game's own."""
        if self.labels is None:
            return tuple(default)
        if len(self.labels) != len(default):
            raise InputError(f"{len(self.labels)} labels for {len(default)} seats; there must be one for each seat")
        return self.labels

    def listed(self, count: int) -> tuple[int, ...]:
        """The indexes of `count` seats in the order in which they are listed."""
        if self.order is None:
            return tuple(range(count))
        if len(self.order) != count:
            raise InputError(f"an order of {len(self.order)} for {count} seats; it must list each seat once")
        return self.order


NAMES = (
    *("Acacia", "Alder", "Almond", "Poppy", "Ash", "Aspen", "Bamboo", "Beech"),
    *("Birch", "Bramble", "Briar", "Cedar", "Cherry", "Chestnut", "Clover", "Cypress"),
    *("Dogwood", "Elder", "Elm", "Fennel", "Fern", "Fig", "Fir", "Hawthorn"),
    *("Hazel", "Heather", "Hemlock", "Hickory", "Holly", "Hornbeam", "Ivy", "Jasmine"),
    *("Juniper", "Larch", "Laurel", "Lavender", "Lilac", "Linden", "Lotus", "Magnolia"),
    *("Mallow", "Maple", "Peony", "Mulberry", "Myrtle", "Nettle", "Oak", "Olive"),
    *("Primrose", "Pear", "Pine", "Plane", "Poplar", "Quince", "Reed", "Rowan"),
    *("Rush", "Saffron", "Sorrel", "Spruce", "Tamarisk", "Thistle", "Thyme", "Walnut"),
    *("Willow", "Yarrow", "Yew", "Zinnia"),
)
"""None of them is, or holds, the name of a champion, a player, a bot or a model."""
PURPOSE = "pseudonyms"
"""The purpose of the draw."""


def pseudonyms(chance: Chance, count: int) -> tuple[str, ...]:
    """A name for each of `count` seats, by index. Where there are more seats than names, they go on with numbers."""
    return _drawn(chance, count) if isinstance(chance, GameChance) else _draw(chance, count)


def _draw(chance: Chance, count: int) -> tuple[str, ...]:
    rounds = -(-count // len(NAMES))
    pool = [name if again == 1 else f"{name} {again}" for again in range(1, rounds + 1) for name in NAMES]
    order = chance.order(seats(len(pool)), PURPOSE, 0)
    return tuple(pool[place.index] for place in order[:count])


_drawn = lru_cache(maxsize=4096)(_draw)


CHARACTERS_PER_WORD = 12
"""How many characters a text may have for each word that it may have: well above what words take in any language."""
_HARMLESS = str.maketrans({"<": "‹", ">": "›", "{": "(", "}": ")", "`": "'"})
_SPACES = re.compile(r"\s+")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Kinds of characters that show nothing: controls, marks of direction and of width zero, halves of pairs."""


def most_characters(words: int) -> int:
    """The characters that a text of so many words may have."""
    return CHARACTERS_PER_WORD * words


def first_words(text: str, words: int) -> str:
    """The first words of a text, as many as are allowed, and no more characters than that."""
    return Text(words).shortened(text[: 4 * most_characters(words)])[: most_characters(words)].strip()


def quoted(text: str, words: int) -> str:
    """The text on one line between quotation marks that it cannot close."""
    return json.dumps(harmless(text, words), ensure_ascii=False)


@lru_cache(maxsize=8192)
def harmless(text: str, words: int) -> str:
    """The text on one line. Signs that build tags, objects, templates and fences are replaced by their likes, what
    shows nothing is left out, and what is too long is cut with an ellipsis."""
    cut = first_words(text, words)
    visible = "".join(" " if sign.isspace() else sign for sign in cut if sign.isspace() or _shows(sign))
    line = _SPACES.sub(" ", unicodedata.normalize("NFKC", visible)).translate(_HARMLESS).strip()
    line = first_words(line, words)  # once more: one sign can stand for several words, spelt out
    more = "…" if cut != text.strip() else ""
    return line + more


def _shows(sign: str) -> bool:
    return unicodedata.category(sign) not in _HIDDEN
