"""What tests of the journal share: games to keep, and processes that keep them."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ostrom
from ostrom.core import Amount, Answer, Provenance, Question, Seat
from ostrom.core.plugins import GAMES
from ostrom.games.commons import CommonsRules
from ostrom.games.contribute_punish import ContributePunishRules
from ostrom.games.contribute_punish.events import (
    FundShared,
    PunishContributed,
    Punished,
    PunishEnded,
    PunishMessageSaid,
    RoundEnded,
)
from ostrom.journal.ledger import Ledger, Ledgers
from ostrom.journal.record import (
    GameRecord,
    Origin,
    RecordedAnswer,
    RecordedOrder,
    RecordedSeat,
    record_text,
    with_tellings,
)
from ostrom.journal.sql import Journal

HOSTILE = 'a "quote", a NUL \x00, half a character \ud83d, ü, 漢字, 🂡, \\u0041, \n, DROP TABLE games; --'


def commons(number: int = 0, turns: int = 4) -> GameRecord:
    """A game of the Commons, with votes, lobbying and numbers of many digits."""
    players = ["Justicier:2", "Parasite", "RandomPlayer"]
    return ostrom.record_of(ostrom.play(players, rules=CommonsRules(turns=turns), seed=2**64 - 1, number=number))


def punish(number: int = 0, text: str = "all in with $20") -> GameRecord:
    """One round of Contribute & Punish as an importer would bring it: no seed, orders of its own, a source."""
    events = [
        *(PunishMessageSaid(round=1, seat=seat, text=text if seat else "") for seat in (2, 0, 1)),
        PunishContributed(round=1, start=[20, 20, 20], contributions=[5, 3, number % 20]),
        FundShared(round=1, carry_in=0, pot=8, grown=12, share=4, carry_out=0, balances=[19, 21, 24 - number % 20]),
        Punished(round=1, punisher=0, target=1, asked=4, spend=3, damage=9),
        RoundEnded(round=1, balances=[16, 12, 24], carry=0),
        PunishEnded(round=1, balances=[16, 12, 24], winners=[2]),
    ]
    given: list[tuple[str, int, Any, Provenance]] = [
        *(("message", seat, text if seat else "", Provenance.IMPORTED) for seat in (2, 0, 1)),
        *(("contribution", seat, value, Provenance.REPAIRED) for seat, value in enumerate((5, 3, number % 20))),
        ("punishment", 0, {"target": 1, "spend": 4}, Provenance.ANSWERED),
        ("punishment", 1, {"target": None, "spend": 0}, Provenance.DEFAULTED),
        ("punishment", 2, {"target": None, "spend": 0}, Provenance.ANSWERED),
    ]
    told = [event.as_record() for event in events]
    return GameRecord(
        ostrom="0.1.0",
        game="contribute_punish",
        seed=None,
        number=number,
        orders=[RecordedOrder(purpose="speaking", turn=1, seats=[2, 0, 1])],
        source=f"game_{number}.jsonl",
        rules=ContributePunishRules(rounds=1).model_dump(mode="json"),
        seats=[RecordedSeat(seat=seat, label=f"P{seat + 1}", player=f"model/{seat}") for seat in range(3)],
        answers=[
            RecordedAnswer(turn=1, phase=phase, seat=seat, value=value, provenance=provenance)
            for phase, seat, value, provenance in given
        ],
        events=told,
    )


def told_in(record: GameRecord) -> list[dict[str, Any]]:
    """How its events are told, as JSON has it."""
    tellings: list[dict[str, Any]] = json.loads(record_text(with_tellings(record)))["told"]
    return tellings


def opening(record: GameRecord) -> GameRecord:
    """The record of the same game before anything has happened."""
    return record.model_copy(update={"answers": [], "events": []})


def opened(url: str) -> Journal:
    return Journal.open(url, create=True)


def start_game(journal: Journal, experiment: str, record: GameRecord, *, key: str, origin: Origin | None = None) -> str:
    """Begin a game, as a run does; its id."""

    async def play() -> str:
        async with journal.ledgers(experiment) as ledgers:
            ledger = await ledgers.open(record, key, origin)
            assert ledger is not None
            return ledger.id

    return _run(play())


def suspend_game(journal: Journal, experiment: str, record: GameRecord, reason: str) -> None:
    """Begin a game that does not go on for this reason."""

    async def play() -> None:
        async with journal.ledgers(experiment) as ledgers:
            ledger = await ledgers.open(opening(record), "0")
            assert ledger is not None
            await ledger.suspend(reason, "model_unavailable")

    _run(play())


def append(
    journal: Journal, game: str, answers: Sequence[RecordedAnswer] = (), events: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Keep what is decided and what happens in a game that was begun, as a run that goes on with it does."""

    async def play() -> None:
        async with journal.ledgers(game.rpartition(".")[0]) as ledgers:
            ledger = await _ledger(journal, ledgers, game)
            for place, one in enumerate(answers, len(ledger.decisions)):
                question = Question(Seat(one.seat), one.phase, one.turn, Amount(0, 20), None)
                answer = Answer(one.value, one.provenance, one.cut, one.fault)
                await ledger.keep_decision(place, question, answer)
            decode = GAMES[journal.pages.game(game).row.game].events.decode
            await ledger.keep_events(ledger.events, [decode(event) for event in events])

    _run(play())


def finish(journal: Journal, game: str, finals: Sequence[float | None] | None = None) -> None:
    """Say that a game is over."""

    async def play() -> None:
        async with journal.ledgers(game.rpartition(".")[0]) as ledgers:
            await (await _ledger(journal, ledgers, game)).finish(finals)

    _run(play())


async def _ledger(journal: Journal, ledgers: Ledgers, game: str) -> Ledger:
    ledger = await ledgers.open(opening(journal.record(game)), journal.pages.game(game).row.key)
    assert ledger is not None, f"{game} is over"
    return ledger


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a thread: a test may have an event loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def started(code: str, *arguments: str) -> "subprocess.Popen[str]":
    """Another process that runs this code, with the helpers of this file in reach."""
    helpers = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom kept import *"
    return subprocess.Popen(
        [sys.executable, "-c", f"{helpers}\n{code}", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
