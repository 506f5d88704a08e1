"""Keys stay where they are: what is shown or kept of an error holds none."""

import os
import re

MOST_CHARACTERS = 500
_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_SHORTEST = 6
_SHAPES = re.compile(r"(?i)\bbearer\s+[^\s\"',}]+|\b(?:sk|gsk|xai|hf|rk|pk)[-_][\w-]{8,}|\bAIza[\w-]{20,}")


def one_line(text: str, most: int = MOST_CHARACTERS, *, also: str | None = None) -> str:
    """A text in one line of bounded length, with the values of key-like environment variables, `also`, and whatever
    looks like a key taken out."""
    known = {value for name, value in os.environ.items() if name.upper().endswith(_NAMES) and len(value) >= _SHORTEST}
    if also:
        known.add(also)
    # The longest first, so that a key which begins with another is taken out whole. Taken out before the text is
    # shortened: half a key is still too much of one.
    for value in sorted(known, key=len, reverse=True):
        text = text.replace(value, "[key]")
    text = " ".join(_SHAPES.sub("[key]", text).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
