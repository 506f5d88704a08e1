"""Text of others on its way out, one function for each outlet. Names, messages, errors and files come from models,
players, servers and strangers, and hold anything; what is stored stays exact, and each outlet takes out what it would
obey: a terminal control sequences, a picture characters that XML lacks, a spreadsheet formulas, a script its own end.
JSON for programs needs none of this: it is written in plain ASCII."""

import re
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO

LONGEST: Final = 10_000
"""Characters of one text that a terminal shows; a name of a million would push everything else out of sight."""

_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_MARKS: Final = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_STEERING: Final = (
    # Categories Cc, Cf, Cs, Zl and Zp of Unicode: controls, marks of direction, what is invisible, half characters.
    "\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    # What is invisible without being of these categories, and what is no character at all.
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufdd0-\ufdef\ufffe\uffff"
)
_SELECTOR: Final = re.compile(f"[{_SELECTORS}]")
_FOUND: Final = re.compile(f"[{_STEERING}{_SELECTORS}]|(?<=[{_MARKS}]{{4}})[{_MARKS}]")


def legible(text: str, *, lines: bool = False, most: int = LONGEST) -> str:
    """The text for a terminal or a picture: what could steer it, or hide or turn around what stands there, is spelled
    out, a tab is a space, and what is longer than any reader wants is cut. Line breaks stay where `lines` are ours."""
    made = text[:most]
    if not (made.isascii() and made.isprintable()):
        made = _FOUND.sub(lambda found: _spelled(found, lines), made)
    if len(text) <= most and len(made) <= most:
        return made
    return f"{made[: most - 40]}… ({len(text):,} characters in all)"


def _spelled(found: re.Match[str], lines: bool) -> str:
    sign, place, text = found[0], found.start(), found.string
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if sign == "\n" and lines:
        return sign
    if sign == "\t":
        return " "
    if sign in _JOINERS and _wide(before, also="\ufe0f") and _wide(after):
        return sign  # words and emoji are written with it
    if _SELECTOR.match(sign) and (_wide(before) or before in tuple("0123456789#*")):
        return sign  # chooses between two forms of the sign before it
    return sign.encode("unicode_escape", "surrogatepass").decode("ascii")


def _wide(sign: str, also: str = "") -> bool:
    """Whether it is a sign of a script, or an emoji, that joiners and selectors have a meaning for."""
    return sign > "\xff" and (sign == also or not _FOUND.match(sign))


FORMULA: Final = r"^\s*[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
NUMBER: Final = r"^[+-]?(?:[0-9]+(?:[.,][0-9]+)*\.?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?%?$"
"""What a spreadsheet calculates, unless it is a mere number; as Rust writes it, for Polars."""
_FORMULA: Final = re.compile(FORMULA.replace(r"\x{", r"\u").replace("}", ""))
_A_NUMBER: Final = re.compile(NUMBER)


def for_spreadsheet(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula; numbers stay what they are."""
    cell = legible(text, lines=True, most=sys.maxsize)
    return f"'{cell}" if _FORMULA.match(cell) and not _A_NUMBER.match(cell) else cell


_ESCAPED: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def in_script(document: str) -> str:
    """A JSON document within a page: the same document, and nothing in it can end the element that it lies in."""
    return document.translate(_ESCAPED)


def strings_made(value: Any) -> Any:
    """A document of plain data with every text, keys too, made legible."""
    if isinstance(value, str):
        return legible(value, lines=True, most=sys.maxsize)
    if isinstance(value, dict):
        return {strings_made(name): strings_made(one) for name, one in value.items()}
    return [strings_made(one) for one in value] if isinstance(value, list | tuple) else value


class TerminalStream:
    """Standard output or standard error, through which only legible text passes, whoever writes it: a command, a
    library's warning, a log line, a traceback. Rich, whose own sequences are meant, gets at the stream behind it by
    the name that it asks for, and our console makes its texts legible first."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Write the text, made legible."""
        self.rich_proxied_file.write(legible(text, lines=True, most=sys.maxsize))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write them one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


_COMPLAINT: Final = 2_000


def complain(text: str) -> None:
    """One line on standard error, whatever the text holds, with the command's name before it."""
    print(f"ostrom: {legible(' '.join(text.split()), most=_COMPLAINT)}", file=sys.stderr, flush=True)
