"""Games that were played, as the library shows them: the final table, every event, the record, and the replay, which a
notebook shows in place."""

import html
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ostrom.charts.palette import dressed
from ostrom.core import Event
from ostrom.core.game import Game, figures_of, final_standings
from ostrom.core.listing import brief, frame_of, html_table
from ostrom.core.outlets import legible
from ostrom.core.questions import distinct_names
from ostrom.core.telling import transcript_lines
from ostrom.core.text import number_of
from ostrom.experiment.match import Match, record_of
from ostrom.journal.open import open_journal
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord, read_events, write_record
from ostrom.library.calls import calls_table, no_calls
from ostrom.web.pages import page_of, write_page

if TYPE_CHECKING:
    import polars as pl

HEIGHT: Final = 720
"""Pixels of a replay in a notebook."""


@dataclass(frozen=True)
class Replay:
    """A game in the viewer: a notebook shows it in place, with no server and no network."""

    record: GameRecord
    height: int = HEIGHT

    @property
    def page(self) -> str:
        """The whole page, as `ostrom export -o game.html` writes it."""
        return page_of(self.record)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file that opens in any browser."""
        write_page(path, self.record)

    def __repr__(self) -> str:
        return f"<Replay of {_said(self.record)}>"

    def _repr_html_(self) -> str:
        # Without the notebook's origin: a record is untrusted data.
        inside = html.escape(self.page, quote=True)
        frame = f'style="width:100%;height:{self.height}px;border:0" sandbox="allow-scripts"'
        return f'<iframe srcdoc="{inside}" title="replay" {frame}></iframe>'


def _said(record: GameRecord) -> str:
    seed = "" if record.seed is None else f", seed {record.seed}"
    return f"{record.game}{seed}: {brief(seat.player for seat in record.seats)}"


class _Shown(ABC):
    """What a game that was played shows, from its record."""

    @property
    @abstractmethod
    def record(self) -> GameRecord:
        """Everything about the game; `ostrom.write_record` writes it to a file."""

    def _named(self) -> GameRecord:
        """The record with what its players are called, for those who read it."""
        return dressed(self.record)

    def _read(self) -> tuple[Game, Any, Sequence[Event]]:
        return read_events(self.record)

    def _seated(self) -> Sequence[str]:
        return [seat.player for seat in self.record.seats]

    @property
    def standings(self) -> "pl.DataFrame":
        """The final table: a row for each seat, the best first."""
        return frame_of(self._standings())

    def to_frame(self) -> "pl.DataFrame":
        """The final table."""
        return self.standings

    def _standings(self) -> list[dict[str, Any]]:
        game, rules, events = self._read()
        return final_standings(game, rules, self._seated(), events)

    @property
    def story(self) -> str:
        """Every event in words, a line for each."""
        game, rules, events = self._read()
        names = [legible(name) for name in distinct_names(self._seated())]
        return "\n".join(legible(line) for lines in transcript_lines(game, rules, events, names) for line in lines)

    def replay(self, height: int = HEIGHT) -> Replay:
        """Return the game in the viewer, with this height in pixels in a notebook."""
        return Replay(self._named(), height)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file: a page that replays it where the name ends in .html, else its record."""
        record = self._named()
        write_page(path, record) if Path(path).suffix == ".html" else write_record(path, record)

    def _title(self) -> str:
        return _said(self.record)

    def __repr__(self) -> str:
        rows = (f"{row['label']} {row['name']} {_amount(row.get('final'))}" for row in self._standings())
        return f"<{self._title()}; {brief(rows, 900)}>"

    def _repr_html_(self) -> str:
        game, rules, events = self._read()
        rows = final_standings(game, rules, self._seated(), events)
        columns = [name for name in rows[0] if name != "seat"] if rows else []
        note = figures_of(game, rules, events).remark
        return html_table(self._title(), columns, ([row[name] for name in columns] for row in rows), len(rows), note)


def _amount(final: float | None) -> str:
    return "–" if final is None else f"{final:z,.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, repr=False)
class PlayedGame(_Shown, Match):
    """A game that `ostrom.play` played: its `names`, `decisions` and `events`, its final table and its replay."""

    id: str | None = None
    """What the journal calls it, where it is kept: a game with models is."""
    store: str | None = None

    @cached_property
    def record(self) -> GameRecord:
        """Everything about the game; `ostrom.write_record` writes it to a file."""
        return record_of(self)

    def _read(self) -> tuple[Game, Any, Sequence[Event]]:
        return self.game, self.rules, self.events

    def _seated(self) -> Sequence[str]:
        return self.names

    def _title(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{self.game.title}{seed}, {number_of(len(self.events), 'event')}"

    @property
    def calls(self) -> "pl.DataFrame":
        """The calls to models that it took; empty where none played."""
        if self.id is None:
            return no_calls()
        with open_journal(self.store) as journal:
            return calls_table(journal, game=self.id)


def played(match: Match, **kept: Any) -> PlayedGame:
    """A match as the library shows it."""
    return PlayedGame(**{one.name: getattr(match, one.name) for one in fields(Match)}, **kept)


@dataclass(frozen=True, repr=False)
class StoredGame(_Shown):
    """A game that a journal keeps."""

    row: GameRow
    store: str | None

    @property
    def id(self) -> str:
        """What the journal calls it, such as `punish-1.2`."""
        return self.row.id

    @property
    def players(self) -> tuple[str, ...]:
        """Who sat at each seat."""
        return self.row.players

    @property
    def state(self) -> str:
        """'playing', 'finished' or 'void'."""
        return self.row.state

    @cached_property
    def record(self) -> GameRecord:
        """Everything about the game; `ostrom.write_record` writes it to a file."""
        with open_journal(self.store) as journal:
            return journal.record(self.row.id)

    def _named(self) -> GameRecord:
        with open_journal(self.store) as journal:
            return dressed(self.record, journal.names.known())

    @property
    def calls(self) -> "pl.DataFrame":
        """The calls to models that it took, in the order of questions and attempts."""
        with open_journal(self.store) as journal:
            return calls_table(journal, game=self.row.id)

    def as_record(self) -> dict[str, Any]:
        """The game without what happened in it, as plain data."""
        row = self.row
        told = {"id": row.id, "experiment": row.experiment, "game": row.game, "state": row.state, "rounds": row.rounds}
        return {**told, "players": list(row.players), "finals": None if row.finals is None else list(row.finals)}

    def _title(self) -> str:
        return f"{self.row.id}: {self.row.game}, {self.row.state}"

    def __repr__(self) -> str:
        finals = self.row.finals or (None,) * len(self.row.players)
        seats = (f"{name} {_amount(final)}" for name, final in zip(self.row.players, finals, strict=True))
        return f"<{self._title()}; {brief(seats, 900)}>"
