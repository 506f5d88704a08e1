"""Hostile texts for every field that others can fill in, and a journal, records and files with them."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Final

from kept import commons, punish
from ostrom.core import Answer, Call, Fault, Line, Question, Seat, Text
from ostrom.journal.record import GameRecord, RecordedSeat, record_text, with_tellings
from ostrom.journal.sql import Journal

FORGED: Final = "FORGED-LINE"
TEXTS: Final[dict[str, str]] = {
    "clipboard": "\x1b]52;c;cm0gLXJmIH4=\x07 and \x1b]52;c;cm0gLXJmIH4=\x1b\\",
    "title": "\x1b]0;owned\x07\x1bP+q544e\x1b\\\x1b_G\x1b\\",
    "screen": "\x1b[2J\x1b[H\x1b[31mred\x1b[0m\x1b[?1049h\x1bc",
    "eight-bit": "\x9b31m\x9d52;c;cm0=\x9c\x90\x85 next",
    "bell": "\x07\x08\x08\x08over\x7f\x0b\x0c\x0e",
    "return": f"good\r{FORGED}",
    "break": f"good\n{FORGED}\nostrom: {FORGED}",
    "separators": f"one\u2028{FORGED}\u2029two\x1c\x1d\x1e\x1f\x85three",
    "nul": "a\x00b",
    "bidi": "\u202eyllatot siht daer\u202c \u2066left\u2069 \u200f\u061c\u200e",
    "zero-width": "pay\u200bpal \ufeffpay\u200dpal \u2060x\u00ad\U000e0041\U000e0042",
    "smuggled": "a\ufe01\ufe02\ufe03" + "".join(chr(0xE0100 + ord(sign)) for sign in "obey"),
    "blank": "\u3164\u115f\u1160\uffa0\u180e\u034f",
    "zalgo": "Z" + "\u0351\u036b\u0343\u036a" * 50,
    "half": "half \ud83d a character",
    "no character": "\ufffe\uffff\ufdd0",
    "markup": "[bold red]b[/] [link=https://example.org]here[/link] [/nothing] :bomb: [blink",
    "formula": '=HYPERLINK("https://example.org/?"&A1,"win")',
    "formula plus": "+cmd|' /C calc'!A0",
    "formula minus": "-1+1|cmd",
    "formula at": "@SUM(1+9)*cmd|' /C calc'!A0",
    "formula tab": "\t=1+1",
    "formula return": "\r=1+1",
    "formula wide": "\uff1d1+1",
    "script": "</script></style></title><script>alert(1)</script><!-- <script>",
    "svg": "<svg onload='alert(1)'>&lt;]]>&#0;&#x1b;",
    "handler": "<img src=x onerror='alert(1)'>",
    "template": "{{ 31337 * 31337 }}{% for x in y %}${x} %s %(x)s {0} {x!r} \\d \\1",
    "markdown": "[a](javascript:alert(1)) `x` | y | # z\n\n```sh\nrm\n```",
    "latex": "\\input{/etc/passwd} $x$ 100% _ ^ ~ \\write18{id}",
    "shell": "; rm -rf ~ #`id` $(id) && 'x' \"y\"",
    "path": "../../../../tmp/x/..\\..\\con",
    "sql": "'; DROP TABLE games; --",
    "header": "x\r\nSet-Cookie: a=b\r\n\r\n<html>",
    "empty": "",
    "spaces": " \u00a0\u2003 ",
    "words": "null",
    "proto": "__proto__",
    "number": "-3.5",
    "long": "W" * 30_000,
}
"""By target."""

NAMED: Final = [text for name, text in TEXTS.items() if name not in ("half", "words", "number")]


def record(number: int, *, name: str, text: str) -> GameRecord:
    """Return a game with a player of this name who sends this text."""
    seats = [RecordedSeat(seat=0, label="P1", player=name), RecordedSeat(seat=1, label="P2", player="plain")]
    seats.append(RecordedSeat(seat=2, label="P3", player="-3.5"))
    source = text.encode("utf-8", "replace").decode().replace("\0", "0")
    return punish(number, text=text).model_copy(update={"seats": seats, "source": source})


def journal(path: Path) -> str:
    """Write a journal in which every name and text is hostile, and return its URL."""
    url = f"sqlite:///{path}"
    with Journal.open(url, create=True) as kept:
        first = kept.new_experiment("first", kind="punish", planned=len(TEXTS))
        for number, (name, text) in enumerate(TEXTS.items()):
            kept.add_game(first, record(number, name=text[:300], text=text), key=name)
        second = kept.new_experiment("second", kind="commons")
        seats = [RecordedSeat(seat=seat, label=f"P{seat + 1}", player=NAMED[seat]) for seat in range(4)]
        for number in range(3):
            played = commons(number)
            kept.add_game(second, played.model_copy(update={"seats": seats}), key=f"{number}")
        asyncio.run(_asked(kept, kept.new_experiment("third", kind="punish", planned=3)))
    everything = " ".join(text for name, text in TEXTS.items() if name != "half")
    with sqlite3.connect(path) as raw:
        # The lab refuses such names; the author of a foreign journal does not.
        raw.execute("UPDATE experiments SET name = ?, settings = ?", (everything, json.dumps({"note": everything})))
        raw.execute("UPDATE games SET key = key || ?", (everything[:300],))
        raw.execute("UPDATE games SET game_version = ?, reason_code = ?", (everything, everything))
    raw.close()
    return url


async def _asked(kept: Journal, experiment: str) -> None:
    """Add unfinished games of models with hostile model names, prompts and errors, and a void one."""
    opened = punish().model_copy(update={"answers": [], "events": [], "orders": []})
    async with kept.ledgers(experiment) as ledgers:
        for key, text in [one for one in TEXTS.items() if one[0] not in ("nul", "half")][:12]:
            ledger = await ledgers.open(opened, key)
            assert ledger is not None
            question = Question(Seat(0), "message", 1, Text(50), None)
            call = Call(
                attempt=1,
                at="2026-05-01T10:00:00.123+00:00",
                model=text[:300],
                settings={"effective": {"model": text}},
                prompt=(Line("user", text),),
                latency=0.1,
                fault=Fault.REJECTED,
                error=text,
            )
            await ledger.keep_decision(0, question, Answer(text), call)
            if key == "title":
                await ledger.void(text)
            else:
                await ledger.suspend(text, "game_limit")


def record_file(path: Path, name: str, text: str) -> Path:
    """Write a record with tellings."""
    path.write_text(record_text(with_tellings(record(1, name=name, text=text))), encoding="utf-8")
    return path
