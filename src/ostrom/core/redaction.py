"""Removal of keys from texts. Keys are the values of environment variables whose names are those of keys, the key of a
call, and texts that have the format of a key. Keys that are encoded in base64 or have escaped characters are also
removed."""

import html
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final

PLACEHOLDER: Final = "[key]"
_VARIABLE_SUFFIXES: Final = (
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIALS",
    "KEY_ID",
    "_PAT",
)
MIN_SECRET_CHARACTERS: Final = 6
"""The length of the shortest value that is removed. Shorter values may be ordinary words, such as 'none' or 'test'."""
_SHAPES: Final = re.compile(
    r"(?i)\bbearer\s+[^\s\"',}]+|\b(?:sk|gsk|xai|hf|rk|pk|ghp|gho|ghs|github_pat)[-_][\w-]{8,}|\bAIza[\w-]{20,}"
)
_ESCAPE: Final = re.compile(
    r"\\{1,4}(?:u([0-9a-f]{4})|([^u\\]))|%([0-9a-f]{2})|&#(?:x0{0,4}([0-9a-f]{1,4})|0{0,4}([0-9]{1,5}));"
    r"|&(quot|amp|lt|gt|apos);",
    re.IGNORECASE,
)
"""An escaped character in JSON (possibly escaped several times), a URL or HTML."""
_MAX_ESCAPE_LEVELS: Final = 3
_BASE64_OFFSETS: Final = 3
"""The number of positions at which a value can begin within a group of three bytes, which base64 encodes together."""


def secrets_of_environment() -> set[str]:
    """Return the values of environment variables that have names of keys, except short values."""
    return {
        value
        for name, value in os.environ.items()
        if name.upper().endswith(_VARIABLE_SUFFIXES) and len(value) >= MIN_SECRET_CHARACTERS
    }


class Redactor:
    """Removes keys from texts: those of the environment, and those in `also`."""

    def __init__(self, also: Iterable[str | None] = ()) -> None:
        secrets = secrets_of_environment() | {value for value in also if value}
        # The longest key comes first, since a key may begin with another key.
        self._values = sorted(secrets, key=len, reverse=True)
        self._forms = [form for value in self._values for form in _forms(value)]
        self._spaced = any(len(value.split()) != 1 for value in self._values)
        # Only words of at least this length are searched for, since such long words are rare in most texts.
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
                text = text.replace(form, PLACEHOLDER)
            words = text
        # Unescaping and searching the text take linear time, so this check comes before the pattern of escapes.
        if _ESCAPE.search(words) is not None and self._any_in(words):
            self._escaped = self._escaped or re.compile("|".join(map(_escaped_pattern, self._values)))
            text = self._escaped.sub(PLACEHOLDER, text)
        return text

    def _any_in(self, text: str) -> bool:
        # A key may contain an escape sequence, so key and text are both unescaped.
        unescaped = _unescape(text)
        return any(_unescape(value) in unescaped for value in self._values)

    def shaped(self, text: str) -> str:
        """Return the text with every key, and every text that has the format of a key, replaced. Use this only for
        texts that may differ from the original."""
        return _SHAPES.sub(PLACEHOLDER, self(text))

    def data(self, value: Any) -> Any:
        """Return plain data with every key replaced, both in names and in values."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {self.data(name): self.data(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(part) for part in value]
        return value


def _forms(value: str) -> list[str]:
    """Return the spellings of a value: unchanged, in base64 and in hexadecimal."""
    content = value.encode("utf-8", "surrogateescape")
    forms = [value, content.hex(), content.hex().upper()]
    if len(content) >= MIN_SECRET_CHARACTERS:
        for before in range(_BASE64_OFFSETS):
            encoded = b64encode(bytes(before) + content).decode().rstrip("=")
            # The characters at both ends of the encoded key also depend on neighbouring bytes.
            inner = encoded[(before * 8 + 5) // 6 : (before + len(content)) * 8 // 6]
            forms += [inner, inner.replace("+", "-").replace("/", "_")]
    return list(dict.fromkeys(forms))


def _unescape(text: str) -> str:
    for _ in range(_MAX_ESCAPE_LEVELS):
        before, text = text, _ESCAPE.sub(_unescape_match, text)
        if text == before:
            break
    return text


def _unescape_match(match: re.Match[str]) -> str:
    json_code, character, url_code, html_code, decimal, name = match.groups()
    if character is not None:
        return str(character)
    if name is not None:
        return html.unescape(f"&{name.lower()};")
    return chr(int(decimal) if decimal else int(json_code or url_code or html_code, 16))


def _escaped_pattern(value: str) -> str:
    return "".join(_character_pattern(character) for character in value)


def _character_pattern(character: str) -> str:
    code = ord(character)
    quoted = "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
    entities = f"|{html.escape(character)}" if html.escape(character) != character else ""
    entities += "|&apos;" if character == "'" else ""
    escapes = rf"\\{{1,4}}u{code:04x}|{quoted}|&#0{{0,4}}{code};|&#x0{{0,4}}{code:x};{entities}"
    return rf"(?:\\{{0,4}}{re.escape(character)}|(?i:{escapes}))"
