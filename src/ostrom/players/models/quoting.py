"""Text that somebody else wrote, made fit to stand in a prompt: one line between quotation marks that it cannot close,
bounded in words and in characters. It stays readable, and is nothing but data."""

import json
import re
import unicodedata
from functools import lru_cache

from ostrom.core import Text

CHARACTERS_PER_WORD = 12
"""How many characters a text may have for each word that it may have: well above what words take in any language."""
_HARMLESS = str.maketrans({"<": "‹", ">": "›", "{": "(", "}": ")", "`": "'"})
_SPACES = re.compile(r"\s+")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Kinds of characters that show nothing: controls, marks of direction and of width zero, halves of pairs."""


def most_characters(words: int) -> int:
    """The characters that a text of so many words may have."""
    return CHARACTERS_PER_WORD * words


def shortened(text: str, words: int) -> str:
    """The first words of a text, as many as are allowed, and no more characters than that."""
    return Text(words).shortened(text[: 4 * most_characters(words)])[: most_characters(words)].strip()


def quoted(text: str, words: int) -> str:
    """The text on one line between quotation marks that it cannot close."""
    return json.dumps(harmless(text, words), ensure_ascii=False)


@lru_cache(maxsize=8192)
def harmless(text: str, words: int) -> str:
    """The text on one line. Signs that build tags, objects, templates and fences are replaced by their likes, what
    shows nothing is left out, and what is too long is cut with an ellipsis."""
    cut = shortened(text, words)
    visible = "".join(" " if sign.isspace() else sign for sign in cut if sign.isspace() or _shows(sign))
    line = _SPACES.sub(" ", unicodedata.normalize("NFKC", visible)).translate(_HARMLESS).strip()
    line = shortened(line, words)  # once more: one sign can stand for several words, spelt out
    more = "…" if cut != text.strip() else ""
    return line + more


def _shows(sign: str) -> bool:
    return unicodedata.category(sign) not in _HIDDEN
