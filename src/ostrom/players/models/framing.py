"""Framings. A framing determines the wording of questions, the unit and scale of amounts, and the labels of seats. The
fields of an answer convert the answer back to the game's own units. This module also sanitises texts of players for
prompts."""

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

NO_SEAT = "nobody"
"""The answer with which a player chooses none of the seats."""
SEAT_FIRST = 1
"""The layout of prompts in which the text for a particular seat is at the place where it is easiest to read."""
SHARED_FIRST = 2
"""The layout of prompts with a beginning that caches can share between seats. First come the rules, then the public
past, and last the text for a particular seat."""
DECIMALS = 2
"""The number of decimals of amounts that are not whole."""
_LABEL = re.compile(r"[\w][\w .'-]{0,31}")


def plain(number: Number, digits: int = 12) -> str:
    """Return a number in the usual notation, without exponent or trailing zeros, with at most `digits` significant
    digits."""
    if isinstance(number, int) or not math.isfinite(number):
        return str(number)
    text = format(Decimal(f"{number:.{digits}g}"), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def truncated(value: float) -> float:
    """Return a number truncated to two decimals. Apart from rounding errors, a stated amount then never exceeds the
    real amount."""
    steps = 10**DECIMALS
    return float(math.trunc(round(value * steps, 6)) / steps)


@dataclass(frozen=True, slots=True)
class Framing:
    """A way to present the questions of a game."""

    variant: str = "plain"
    """The wording: the folder of the templates."""
    unit: str = "tokens"
    """The unit of amounts, in the plural."""
    scale: int = 1
    """The factor by which amounts in prompts are multiplied. Amounts in answers are divided by it."""
    labels: tuple[str, ...] | None = None
    """The labels of seats, by index. The default is the game's own labels."""
    order: tuple[int, ...] | None = None
    """The order in which seats are listed. The default is the order of their indexes."""
    layout: int = SEAT_FIRST
    """The order of the parts of a prompt: `SEAT_FIRST` or `SHARED_FIRST`."""
    decimal: str = "."
    """The decimal sign of amounts in texts for people. Models read and write points."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", self.variant):
            raise InputError(f"{self.variant!r} is not a wording; it must be one of the folders of the game's prompts")
        if self.layout not in (SEAT_FIRST, SHARED_FIRST):
            raise InputError(f"the layout must be {SEAT_FIRST} or {SHARED_FIRST}, got {self.layout!r}")
        if not re.fullmatch(r"[^\W\d_][^\W_]*( [^\W\d_][^\W_]*)*", self.unit):
            raise InputError(f"{self.unit!r} is not a unit; it must be a plural noun, such as tokens or francs")
        if isinstance(self.scale, bool) or not isinstance(self.scale, int) or not 1 <= self.scale <= 1_000_000:
            raise InputError(f"the scale must be a whole number from 1 to 1,000,000, got {self.scale!r}")
        for label in self.labels or ():
            if not _LABEL.fullmatch(label) or label.casefold() == NO_SEAT:
                raise InputError(f"invalid seat label {label!r}: it must be a short name other than {NO_SEAT!r}")
        if self.labels is not None and len({label.casefold() for label in self.labels}) != len(self.labels):
            raise InputError(f"the labels must all differ, got {', '.join(self.labels)}")
        if self.order is not None and sorted(self.order) != list(range(len(self.order))):
            raise InputError(f"{self.order} is not an order of seats; it must list each index from 0 once")

    def amount(self, value: Number) -> Number:
        """Return an amount as prompts state it. It is multiplied by the scale, and truncated to two decimals if it is
        not whole."""
        scaled = value * self.scale
        return scaled if isinstance(scaled, int) else truncated(scaled)

    def figure(self, value: Number) -> str:
        """Return an amount as prompts state it, without its unit."""
        return plain(self.amount(value)).replace(".", self.decimal)

    def money(self, value: Number) -> str:
        """Return an amount with its unit: '20 tokens', '1 token'."""
        figure = self.figure(value)
        return f"{figure} {self.one if figure in ('1', '-1') else self.unit}"

    @property
    def one(self) -> str:
        """The unit in the singular. Templates use this name."""
        return self.unit[:-1] if self.unit.endswith("s") else self.unit

    @property
    def whole(self) -> str:
        """The description of amounts that cannot be divided further, such as 'whole tokens' or 'multiples of 10
        francs'."""
        return f"whole {self.unit}" if self.scale == 1 else f"multiples of {self.scale} {self.unit}"

    def seats_called(self, default: Sequence[str]) -> tuple[str, ...]:
        """Return the label of each seat, by index. If the framing has no labels, return the game's own."""
        if self.labels is None:
            return tuple(default)
        if len(self.labels) != len(default):
            raise InputError(f"{len(self.labels)} labels for {len(default)} seats; there must be one for each seat")
        return self.labels

    def listed(self, count: int) -> tuple[int, ...]:
        """Return the indexes of `count` seats in the order in which they are listed."""
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
"""Pseudonyms. None contains the name of a champion, a player, a bot or a model."""
DRAWS = "pseudonyms"
"""The purpose of the random draw of pseudonyms."""


def pseudonyms(chance: Chance, count: int) -> tuple[str, ...]:
    """Return a name for each of `count` seats, by index. If there are more seats than names, names get numbers."""
    return _cached_draw(chance, count) if isinstance(chance, GameChance) else _draw(chance, count)


def _draw(chance: Chance, count: int) -> tuple[str, ...]:
    rounds = -(-count // len(NAMES))
    pool = [name if again == 1 else f"{name} {again}" for again in range(1, rounds + 1) for name in NAMES]
    order = chance.order(seats(len(pool)), DRAWS, 0)
    return tuple(pool[place.index] for place in order[:count])


_cached_draw = lru_cache(maxsize=4096)(_draw)


CHARACTERS_PER_WORD = 12
"""The number of characters that are allowed for each word. In all languages, words are usually much shorter."""
_HARMLESS = str.maketrans({"<": "‹", ">": "›", "{": "(", "}": ")", "`": "'"})
_SPACES = re.compile(r"\s+")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of invisible characters: control characters, direction marks, zero-width characters and lone
surrogates."""


def most_characters(words: int) -> int:
    """Return the largest number of characters of a text with this number of words."""
    return CHARACTERS_PER_WORD * words


def first_words(text: str, words: int) -> str:
    """Return the beginning of a text, up to this number of words and its largest number of characters."""
    return Text(words).shortened(text[: 4 * most_characters(words)])[: most_characters(words)].strip()


def quoted(text: str, words: int) -> str:
    """Return the text on one line between quotation marks. Quotation marks that could end the quotation are removed
    from the text."""
    return json.dumps(harmless(text, words), ensure_ascii=False)


@lru_cache(maxsize=8192)
def harmless(text: str, words: int) -> str:
    """Return the text on one line. Characters of tags, objects, templates and fences are replaced by similar ones.
    Invisible characters are removed. A text that is too long is cut and ends in an ellipsis."""
    cut = first_words(text, words)
    visible = "".join(
        " " if character.isspace() else character for character in cut if character.isspace() or _shows(character)
    )
    line = _SPACES.sub(" ", unicodedata.normalize("NFKC", visible)).translate(_HARMLESS).strip()
    # The line is cut once more, since normalisation can expand a character to several words.
    line = first_words(line, words)
    more = "…" if cut != text.strip() else ""
    return line + more


def _shows(character: str) -> bool:
    return unicodedata.category(character) not in _HIDDEN
