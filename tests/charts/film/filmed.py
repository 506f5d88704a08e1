"""Records small enough to follow by hand, and text that no picture and no terminal should trust."""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import ostrom.experiment as lab
from ostrom.core import Event
from ostrom.games.commons import CommonsRules
from ostrom.games.contribute_punish.events import (
    FundShared,
    PunishContributed,
    Punished,
    PunishEnded,
    PunishMessageSaid,
    RoundEnded,
)
from ostrom.journal.record import GameRecord, RecordedSeat

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))
from rewrite import TABLES, play

GAMES = list(TABLES)

HOSTILE = {
    "control": "a\x00b\x07c\x08\x7f\x9b31m\r\n\td",
    "escapes": "\x1b[2J\x1b[31mred\x1b]0;title\x07\x1bP+q\x1b\\",
    "direction": "\u202egnp.exe\u202c \u2066inner\u2069 \u200f\u200e\ufeff",
    "one word": "W" * 100_000,
    "emoji": "😊🚀👩‍👩‍👧‍👦🇫🇷 1️⃣",
    "scripts": "合作 Привет مرحبا ñandú Ångström ﬁn 𝕏",
    "marks": "Z" + "\u0301" * 5000,
    "surrogate": "half \ud83d of it",
    "markup": "[bold red]not bold[/] :smile: [link=file:///]x[/link]",
    "blank": "\u2003 \u200b \n",
}


def seats(*players: str) -> list[RecordedSeat]:
    return [RecordedSeat(seat=index, label=f"P{index + 1}", player=name) for index, name in enumerate(players)]


def of_events(events: list[Event], *players: str, game: str = "contribute_punish", **rules: Any) -> GameRecord:
    """A record that holds what pictures and text are made of, and nothing else."""
    return GameRecord(
        ostrom="0",
        game=game,
        seed=None,
        number=0,
        rules=rules,
        seats=seats(*players),
        answers=[],
        events=[event.as_record() for event in events],
    )


def round_of(number: int, start: list[int], contributions: list[int], carry: int, texts: list[str]) -> list[Event]:
    """A round without punishments, at the multiplier 1.6."""
    pot = carry + sum(contributions)
    grown = pot * 8 // 5
    share = grown // len(start)
    left = grown - share * len(start)
    balances = [held - given + share for held, given in zip(start, contributions, strict=True)]
    fund = {"carry_in": carry, "pot": pot, "grown": grown, "share": share, "carry_out": left, "balances": balances}
    said: list[Event] = [PunishMessageSaid(round=number, seat=seat, text=text) for seat, text in enumerate(texts)]
    return [
        *said,
        PunishContributed(round=number, start=start, contributions=contributions),
        FundShared(round=number, **fund),  # type: ignore[arg-type]
    ]


def two_rounds(text: str = "I give all.", names: tuple[str, str, str] = ("Ann", "Bob", "Cid")) -> GameRecord:
    """15, 15 and 20 tokens in the fund of the rules' worked example, a punishment, and a second round."""
    first = round_of(1, [15, 15, 20], [5, 3, 5], 0, [text, "", "No."])
    struck = Punished(round=1, punisher=0, target=2, asked=4, spend=3, damage=9)
    after = [13, 18, 12]
    second = round_of(2, after, [13, 0, 12], 2, [text])
    assert isinstance(second[-1], FundShared)
    final = second[-1].balances
    return of_events(
        [
            *first,
            struck,
            RoundEnded(round=1, balances=after, carry=2),
            *second,
            RoundEnded(round=2, balances=final, carry=second[-1].carry_out),
            PunishEnded(round=2, balances=final, winners=[final.index(max(final))]),
        ],
        *names,
        rounds=2,
        start=15,
    )


def commons(turns: int = 6, *players: str) -> GameRecord:
    """A game of the Commons; half its seats give nothing, so that votes fall and the weather turns."""
    table = players or ("AlwaysCoop", "Justicier:2", "Parasite", "AlwaysBetray:2")
    return lab.record_of(lab.play(table, rules=CommonsRules(turns=turns), seed=4))


@cache
def record_of(game: str) -> GameRecord:
    """The game that its golden transcript tells."""
    return lab.record_of(play(game))
