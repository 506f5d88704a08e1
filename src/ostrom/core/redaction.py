"""Remove keys from texts: the values of environment variables with names of keys, the key of a call, and anything
shaped like a key, also in base64 or with escapes."""

import html
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final

STAND_IN: Final = "[key]"
"""The replacement of a key."""
_NAMES: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS", "KEY_ID", "_PAT")
MIN_SECRET_CHARACTERS: Final = 6
"""Shorter values are words such as 'none' and 'test', which a text may contain for other reasons."""
_SHAPES: Final = re.compile(
    r"(?i)\bbearer\s+[^\s\"',}]+|\b(?:sk|gsk|xai|hf|rk|pk|ghp|gho|ghs|github_pat)[-_][\w-]{8,}|\bAIza[\w-]{20,}"
)
_ESCAPE: Final = re.compile(
    r"\\{1,4}(?:u([0-9a-f]{4})|([^u\\]))|%([0-9a-f]{2})|&#(?:x0{0,4}([0-9a-f]{1,4})|0{0,4}([0-9]{1,5}));"
    r"|&(quot|amp|lt|gt|apos);",
    re.IGNORECASE,
)
"""A character as JSON, also nested, a URL or HTML may write it."""
_MAX_NESTING: Final = 3
"""Levels of nested escapes."""
_BASE64_OFFSETS: Final = 3
"""Offsets at which a value can begin within the three bytes of four characters of base64."""


def secrets_of_environment() -> set[str]:
    """Return the values of the variables with names of keys, except short ones."""
    return {
        value
        for name, value in os.environ.items()
        if name.upper().endswith(_NAMES) and len(value) >= MIN_SECRET_CHARACTERS
    }


class Redactor:
    """Removes keys from texts: those of the present environment, and `also`."""

    def __init__(self, also: Iterable[str | None] = ()) -> None:
        given_values = {value for value in also if value}
        # The longest first, so that a key that begins with another is removed whole.
        self._values = sorted(secrets_of_environment() | given_values, key=len, reverse=True)
        self._forms = [form for value in self._values for form in _forms(value)]
        self._spaced = any(len(value.split()) != 1 for value in self._values)
        # Keys are long words, which are rare in most texts, so only long words are searched.
        self._shortest = min(map(len, self._forms), default=0)
        self._escaped: re.Pattern[str] | None = None

    def __call__(self, text: str) -> str:
        """Return the text with every key replaced."""
        long = [word for word in text.split() if len(word) >= self._shortest]
        if not self._values or not (long or self._spaced):
            return text
        words = text if self._spaced else " ".join(long)
        if any(form in words for form in self._forms):
            for form in self._forms:
                text = text.replace(form, STAND_IN)
            words = text
        # The text without escapes is searched first, in linear time.
        if _ESCAPE.search(words) is not None and self._any_in(words):
            self._escaped = self._escaped or re.compile("|".join(map(_escaped, self._values)))
            text = self._escaped.sub(STAND_IN, text)
        return text

    def _any_in(self, text: str) -> bool:
        # A key may contain what looks like an escape, so both are unescaped.
        bare = _bare(text)
        return any(_bare(value) in bare for value in self._values)

    def shaped(self, text: str) -> str:
        """Return the text with every key, and everything shaped like one, replaced: for texts that lose nothing by
        that."""
        return _SHAPES.sub(STAND_IN, self(text))

    def data(self, value: Any) -> Any:
        """Return plain data with every key replaced, in names and values."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {self.data(name): self.data(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(part) for part in value]
        return value


def _forms(value: str) -> list[str]:
    """Return a value as it is, in base64 and in hexadecimal."""
    content = value.encode("utf-8", "surrogateescape")
    forms = [value, content.hex(), content.hex().upper()]
    if len(content) >= MIN_SECRET_CHARACTERS:
        for before in range(_BASE64_OFFSETS):
            encoded = b64encode(bytes(before) + content).decode().rstrip("=")
            # The characters at both ends also encode neighbouring bytes.
            inner = encoded[(before * 8 + 5) // 6 : (before + len(content)) * 8 // 6]
            forms += [inner, inner.replace("+", "-").replace("/", "_")]
    return list(dict.fromkeys(forms))


def _bare(text: str) -> str:
    """Return the text without escapes, nested ones included."""
    for _ in range(_MAX_NESTING):
        before, text = text, _ESCAPE.sub(_unescaped, text)
        if text == before:
            break
    return text


def _unescaped(match: re.Match[str]) -> str:
    of_json, itself, of_address, of_html, decimal, name = match.groups()
    if itself is not None:
        return str(itself)
    if name is not None:
        return html.unescape(f"&{name.lower()};")
    return chr(int(decimal) if decimal else int(of_json or of_address or of_html, 16))


def _escaped(value: str) -> str:
    """Return a pattern of a value in which any character may be escaped."""
    return "".join(_character(character) for character in value)


def _character(character: str) -> str:
    code = ord(character)
    quoted = "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
    entities = f"|{html.escape(character)}" if html.escape(character) != character else ""
    entities += "|&apos;" if character == "'" else ""
    escapes = rf"\\{{1,4}}u{code:04x}|{quoted}|&#0{{0,4}}{code};|&#x0{{0,4}}{code:x};{entities}"
    return rf"(?:\\{{0,4}}{re.escape(character)}|(?i:{escapes}))"
