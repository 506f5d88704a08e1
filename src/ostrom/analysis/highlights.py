"""What a game that is over is found by: who won, how it went, what was said, and what happened that is worth finding it
by. All of it follows from what the game declares: its finals, the quantity that they are, who leaves, and what became
of promises. It is computed once for a game and kept in the journal."""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

import polars as pl

from ostrom.analysis.study import Study, studies_of
from ostrom.analysis.tables import GameTables
from ostrom.core import OstromError, Provenance
from ostrom.core.effects import Leave, Set
from ostrom.journal.read import KeptGame
from ostrom.journal.record import GameRecord, with_tellings
from ostrom.journal.sql import Journal
from ostrom.journal.summaries import Lacking, SaidLine, Summary

HIGHLIGHTS: Final = {
    "broken_promise": "somebody broke a promise",
    "ruin": "at the end of a turn somebody held nothing any more",
    "exclusion": "somebody had to leave",
    "comeback": "a winner was last at half-time",
    "defaulted": "the game answered in a player's place",
    "unreadable": "its record cannot be read",
}
"""What games are found by, in words."""
POINTS: Final = 60
"""A picture beside a game's name has room for no more."""
_AT_ONCE: Final = 16
"""Games that are read together; between them a reader can be told to stop."""
_DECIMALS: Final = 9
"""Beyond, two finals differ by rounding error."""
_SHORTEST: Final = 4
"""Turns without which nobody comes back."""


def summarise(journal: Journal, seconds: float, check: Callable[[], None] = lambda: None) -> int:
    """Look at finished games that nobody has looked at, for about so long, and keep what was found; how many are left.
    In a journal that is only read nothing is kept. `check` is called between a few games, and may raise to end it."""
    if journal.only_read:
        return journal.summaries.count_lacking()
    until = time.monotonic() + seconds
    while lacking := journal.summaries.lacking(_AT_ONCE):
        check()
        journal.summaries.keep(summaries_of(journal, lacking))
        if time.monotonic() > until:
            return journal.summaries.count_lacking()
    return 0


def summaries_of(journal: Journal, lacking: Sequence[Lacking]) -> list[Summary]:
    """What is found in these games, which are of one kind. Of a game that cannot be read, that is what is found."""
    study = next(iter(studies_of([lacking[0].game], journal)), None)
    try:
        records = list(journal.ended.records([one.id for one in lacking]))
        return _found(study if isinstance(study, Study) else None, lacking, records)
    except (OstromError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError):
        if len(lacking) == 1:
            return [Summary(lacking[0].serial, (), None, ("unreadable",), (), None)]
        return [found for one in lacking for found in summaries_of(journal, [one])]


def _found(study: Study[Any] | None, lacking: Sequence[Lacking], records: Sequence[KeptGame]) -> list[Summary]:
    serials = {one.id: one.serial for one in lacking}
    said = {} if study is None else _said(study, records)
    better = "higher" if study is None else study.game.better
    return [_summary(serials[one.game], one.record, said.get(one.game, []), better) for one in records]


def _said(study: Study[Any], records: Sequence[KeptGame]) -> dict[str, list[SaidLine]]:
    """What was said in each game, with what became of its promises."""
    tables: GameTables = study.tables(records)
    rows = tables.messages
    if study.own is None or study.own.promises is None:
        outcome = (pl.lit(None, pl.Float64).alias("promised"), pl.lit(None, pl.Float64).alias("contributed"))
        rows = rows.with_columns(*outcome, pl.lit(None, pl.Boolean).alias("kept"))
    else:
        promised = study.own.promises(tables)
        rows = rows.join(promised, on=["game", "round", "seat"], how="left", maintain_order="left")
    columns = ("game", "event", "round", "order", "seat", "player", "text", "promised", "contributed", "kept")
    found: dict[str, list[SaidLine]] = {}
    for game, *line in rows.select(columns).iter_rows():
        found.setdefault(game, []).append(SaidLine(*line))
    return found


def _summary(serial: int, record: GameRecord, said: Sequence[SaidLine], better: str) -> Summary:
    told = with_tellings(record)  # of a game that is not installed nothing is told
    finals = list(told.finals or ())
    winners = winners_of(finals, better)
    happened = set()
    if any(line.kept is False for line in said):
        happened.add("broken_promise")
    if any(answer.provenance == Provenance.DEFAULTED for answer in record.answers):
        happened.add("defaulted")
    if any(isinstance(effect, Leave) for telling in told.told for effect in telling.effects):
        happened.add("exclusion")
    held = _held(told)
    if _ruined(held):
        happened.add("ruin")
    if _came_back(held, winners, better):
        happened.add("comeback")
    course = course_of(told)
    return Summary(
        serial=serial,
        winners=tuple((seat, record.seats[seat].player) for seat in winners),
        best=None if not winners else finals[winners[0]],
        highlights=tuple(name for name in HIGHLIGHTS if name in happened),
        course=tuple(binned(course)),
        course_mean=sum(course) / len(course) if course else None,
        said=said,
    )


def winners_of(finals: Sequence[float | None], better: str) -> list[int]:
    """The seats that ended best; those who tie share it."""
    rounded = {seat: round(final, _DECIMALS) for seat, final in enumerate(finals) if final is not None}
    best = (max if better == "higher" else min)(rounded.values(), default=None)
    return [seat for seat, final in rounded.items() if final == best]


def course_of(record: GameRecord) -> list[float]:
    """The last value in each turn of the quantity that the scene names for a list; empty where it names none."""
    quantity = None if record.scene is None else record.scene.course
    by_turn: dict[int, float] = {}
    for telling in record.told:
        for effect in telling.sets:
            value = effect.values.get(quantity or "")
            if isinstance(value, int | float):
                by_turn[telling.turn] = float(value)
    return [by_turn[turn] for turn in sorted(by_turn)]


def binned(values: Sequence[float]) -> Iterable[float]:
    """The values, or the means of as many stretches as there may be points."""
    if len(values) <= POINTS:
        return values
    bounds = [len(values) * place // POINTS for place in range(POINTS + 1)]
    return (sum(values[low:high]) / (high - low) for low, high in pairwise(bounds))


def _held(record: GameRecord) -> list[list[float | None]]:
    """What each seat held, of the quantity that counts in the end: before the first turn, and at the end of each."""
    quantity = None if record.scene is None else record.scene.final
    if quantity is None:
        return []
    now: list[float | None] = [None] * len(record.seats)
    by_turn: dict[int, list[float | None]] = {}
    opening = record.opening.sets if record.opening is not None else []
    for turn, effects in ((0, opening), *((telling.turn, telling.sets) for telling in record.told)):
        for effect in effects:
            if quantity in effect.values:
                _set(now, effect, quantity)
                by_turn[turn] = list(now)
    return [by_turn[turn] for turn in sorted(by_turn)]


def _set(now: list[float | None], effect: Set, quantity: str) -> None:
    value = effect.values[quantity]
    if isinstance(value, tuple):
        now[: len(value)] = value[: len(now)]
    elif effect.seat is not None and effect.seat < len(now):
        now[effect.seat] = value


def _ruined(held: Sequence[Sequence[float | None]]) -> bool:
    """Whether somebody who held something holds nothing at the end of a later turn."""
    rich: set[int] = set()
    for amounts in held:
        for seat, amount in enumerate(amounts):
            if amount is not None and amount > 0:
                rich.add(seat)
            elif amount is not None and seat in rich:
                return True
    return False


def _came_back(held: Sequence[Sequence[float | None]], winners: Sequence[int], better: str) -> bool:
    """Whether a winner was last when half of the turns were over, and others were not."""
    if len(held) < _SHORTEST:
        return False
    amounts = {seat: amount for seat, amount in enumerate(held[len(held) // 2]) if amount is not None}
    if len(set(amounts.values())) < 2:
        return False
    worst = (min if better == "higher" else max)(amounts.values())
    return any(amounts.get(seat) == worst for seat in winners)
