"""Texts with no key in them. What counts as a key: the values of environment variables that are named like one, the key
of a call, and whatever is shaped like one; also where it is written in another way, as base64 or with escapes."""

import html
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final

STAND_IN: Final = "[key]"
"""What stands in a key's place."""
_NAMES: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS", "KEY_ID", "_PAT")
SHORTEST: Final = 6
"""Shorter values are words such as 'none' and 'test', which a text may hold for other reasons."""
_SHAPES: Final = re.compile(
    r"(?i)\bbearer\s+[^\s\"',}]+|\b(?:sk|gsk|xai|hf|rk|pk|ghp|gho|ghs|github_pat)[-_][\w-]{8,}|\bAIza[\w-]{20,}"
)
_ESCAPE: Final = re.compile(
    r"\\{1,4}(?:u([0-9a-f]{4})|([^u\\]))|%([0-9a-f]{2})|&#(?:x0{0,4}([0-9a-f]{1,4})|0{0,4}([0-9]{1,5}));"
    r"|&(quot|amp|lt|gt|apos);",
    re.IGNORECASE,
)
"""A character as JSON, also within JSON, an address or HTML may write it."""
_WITHIN: Final = 3
"""Escapes that may stand within each other."""
_PARTS: Final = 3
"""Places at which a value can begin within the three bytes that four characters of base64 stand for."""


def secrets_of_environment() -> set[str]:
    """The values of the variables that are named like a key, but for short ones."""
    return {value for name, value in os.environ.items() if name.upper().endswith(_NAMES) and len(value) >= SHORTEST}


class Redactor:
    """Takes keys out of texts: those of the environment as it is now, and `also`, whatever they are called."""

    def __init__(self, also: Iterable[str | None] = ()) -> None:
        named = {value for value in also if value}
        # The longest first, so that a key which begins with another is taken out whole.
        self._values = sorted(secrets_of_environment() | named, key=len, reverse=True)
        self._forms = [form for value in self._values for form in _forms(value)]
        self._spaced = any(len(value.split()) != 1 for value in self._values)
        # A key is a long word, of which most texts have none or few: only these are searched.
        self._shortest = min(map(len, self._forms), default=0)
        self._escaped: re.Pattern[str] | None = None

    def __call__(self, text: str) -> str:
        """The text with every key replaced."""
        long = [word for word in text.split() if len(word) >= self._shortest]
        if not self._values or not (long or self._spaced):
            return text
        words = text if self._spaced else " ".join(long)
        if any(form in words for form in self._forms):
            for form in self._forms:
                text = text.replace(form, STAND_IN)
            words = text
        # Looked for in the text without escapes first: that takes a time in proportion to its length.
        if _ESCAPE.search(words) is not None and self._any_in(words):
            self._escaped = self._escaped or re.compile("|".join(map(_escaped, self._values)))
            text = self._escaped.sub(STAND_IN, text)
        return text

    def _any_in(self, text: str) -> bool:
        # What looks like an escape may be the key's own: it is undone in both.
        bare = _bare(text)
        return any(_bare(value) in bare for value in self._values)

    def shaped(self, text: str) -> str:
        """The same, and whatever is shaped like a key replaced: for texts in which nothing else is lost by that."""
        return _SHAPES.sub(STAND_IN, self(text))

    def data(self, value: Any) -> Any:
        """Plain data with every key replaced, in names as in values."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {self.data(name): self.data(each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(each) for each in value]
        return value


def _forms(value: str) -> list[str]:
    """A value as it is, in base64 and in hexadecimal digits."""
    content = value.encode("utf-8", "surrogateescape")
    forms = [value, content.hex(), content.hex().upper()]
    if len(content) >= SHORTEST:
        for before in range(_PARTS):
            whole = b64encode(bytes(before) + content).decode().rstrip("=")
            # The characters at both ends also stand for what is beside the value.
            kept = whole[(before * 8 + 5) // 6 : (before + len(content)) * 8 // 6]
            forms += [kept, kept.replace("+", "-").replace("/", "_")]
    return list(dict.fromkeys(forms))


def _bare(text: str) -> str:
    """The text with no escape left, nor one within another."""
    for _ in range(_WITHIN):
        before, text = text, _ESCAPE.sub(_unescaped, text)
        if text == before:
            break
    return text


def _unescaped(found: re.Match[str]) -> str:
    of_json, itself, of_address, of_html, decimal, name = found.groups()
    if itself is not None:
        return str(itself)
    if name is not None:
        return html.unescape(f"&{name.lower()};")
    return chr(int(decimal) if decimal else int(of_json or of_address or of_html, 16))


def _escaped(value: str) -> str:
    """A pattern of a value in which any character may be written with an escape."""
    return "".join(_character(each) for each in value)


def _character(each: str) -> str:
    code = ord(each)
    quoted = "".join(f"%{byte:02x}" for byte in each.encode("utf-8", "surrogateescape"))
    named = f"|{html.escape(each)}" if html.escape(each) != each else ""
    named += "|&apos;" if each == "'" else ""
    ways = rf"\\{{1,4}}u{code:04x}|{quoted}|&#0{{0,4}}{code};|&#x0{{0,4}}{code:x};{named}"
    return rf"(?:\\{{0,4}}{re.escape(each)}|(?i:{ways}))"
