"""Sanitisers for untrusted text, one for each place that shows it. Names, messages, errors and files come from models,
players and servers, and may contain any characters. Stored text stays unchanged. Before text is shown, everything that
its place would interpret is neutralised: control sequences in a terminal, characters that are invalid XML in a picture,
formulas in a spreadsheet, the end tag in a script. JSON for programs is plain ASCII, so it needs no sanitiser."""

import re
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO

LONGEST: Final = 10_000
"""The largest number of characters of one text that a terminal shows."""

_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_MARKS: Final = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_STEERING: Final = (
    # Unicode categories Cc, Cf, Cs, Zl and Zp: control, format, surrogate and separator characters.
    "\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    # Invisible characters of other categories, and code points that are not characters.
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufdd0-\ufdef\ufffe\uffff"
)
_SELECTOR: Final = re.compile(f"[{_SELECTORS}]")
_UNSAFE: Final = re.compile(f"[{_STEERING}{_SELECTORS}]|(?<=[{_MARKS}]{{4}})[{_MARKS}]")


def legible(text: str, *, lines: bool = False, most: int = LONGEST) -> str:
    """Return the text in a form that is safe for a terminal or a picture. Control, invisible and bidirectional
    characters are spelled out, a tab becomes a space, and very long text is cut. Line breaks are kept if `lines` is
    true."""
    result = text[:most]
    if not (result.isascii() and result.isprintable()):
        result = _UNSAFE.sub(lambda match: _spelled(match, lines), result)
    if len(text) <= most and len(result) <= most:
        return result
    return f"{result[: most - 40]}… ({len(text):,} characters in all)"


def _spelled(match: re.Match[str], lines: bool) -> str:
    character, place, text = match[0], match.start(), match.string
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if character == "\n" and lines:
        return character
    if character == "\t":
        return " "
    if character in _JOINERS and _wide(before, also="\ufe0f") and _wide(after):
        return character  # It joins letters or emoji.
    if _SELECTOR.match(character) and (_wide(before) or before in tuple("0123456789#*")):
        return character  # It selects a form of the character before it.
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _wide(character: str, also: str = "") -> bool:
    """Return whether a character is an emoji or not Latin. Only such characters may be joined to others or followed by
    a variant selector."""
    return character > "\xff" and (character == also or not _UNSAFE.match(character))


FORMULA: Final = r"^\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
NUMBER: Final = r"^[+-]?(?:[0-9]+(?:[.,][0-9]+)*\.?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?%?$"
"""A pattern of numbers. A spreadsheet evaluates a text that matches FORMULA but not NUMBER. The patterns are in Rust's
syntax, for Polars."""
_FORMULA: Final = re.compile(FORMULA.replace(r"\x{", r"\u").replace("}", ""))
_NUMBER: Final = re.compile(NUMBER)


def for_spreadsheet(text: str) -> str:
    """Return a text that no spreadsheet evaluates as a formula; numbers are unchanged."""
    cell = legible(text, lines=True, most=sys.maxsize)
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.match(cell) else cell


_ESCAPED: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def in_script(document: str) -> str:
    """Return an equivalent JSON document that is safe within a script element."""
    return document.translate(_ESCAPED)


def make_legible(value: Any) -> Any:
    """Return plain data with every text, keys included, made legible."""
    if isinstance(value, str):
        return legible(value, lines=True, most=sys.maxsize)
    if isinstance(value, dict):
        return {make_legible(name): make_legible(part) for name, part in value.items()}
    return [make_legible(part) for part in value] if isinstance(value, list | tuple) else value


class TerminalStream:
    """Standard output or error that makes all text legible, including warnings, log lines and tracebacks. Rich
    bypasses it by writing to `rich_proxied_file`, so our console makes texts legible before it passes them to Rich."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write the text, made legible."""
        self.rich_proxied_file.write(legible(text, lines=True, most=sys.maxsize))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the lines in order."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


_MAX_COMPLAINT_CHARACTERS: Final = 2_000


def complain(text: str) -> None:
    """Print an error in one line on standard error."""
    print(f"ostrom: {legible(' '.join(text.split()), most=_MAX_COMPLAINT_CHARACTERS)}", file=sys.stderr, flush=True)
