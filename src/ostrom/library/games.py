"""Games in the library. A game has its final table, its events, its record, its calls to models, and a replay, which a
notebook can show."""

import html
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from ostrom.charts.palette import with_names_and_colours
from ostrom.core import Call, Event, QuestionKey
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
from ostrom.journal.sql import Journal
from ostrom.web.pages import page_of, write_page

if TYPE_CHECKING:
    import polars as pl

HEIGHT: Final = 720
"""The height of a replay in a notebook, in pixels."""


@dataclass(frozen=True)
class Replay:
    """A game in the viewer. A notebook shows the viewer in its output, without a server."""

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
        return f"<Replay of {_description(self.record)}>"

    def _repr_html_(self) -> str:
        # The sandbox has an origin different from the notebook's, since a record is untrusted data.
        page = html.escape(self.page, quote=True)
        frame = f'style="width:100%;height:{self.height}px;border:0" sandbox="allow-scripts"'
        return f'<iframe srcdoc="{page}" title="replay" {frame}></iframe>'


def _description(record: GameRecord) -> str:
    seed = "" if record.seed is None else f", seed {record.seed}"
    return f"{record.game}{seed}: {brief(seat.player for seat in record.seats)}"


class _GameView(ABC):
    """The contents of a finished game."""

    @property
    @abstractmethod
    def record(self) -> GameRecord:
        """Everything about the game; `ostrom.write_record` writes it to a file."""

    def _named(self) -> GameRecord:
        """Return the record with the display names of players."""
        return with_names_and_colours(self.record)

    def _read(self) -> tuple[Game, Any, Sequence[Event]]:
        return read_events(self.record)

    def _players(self) -> Sequence[str]:
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
        return final_standings(game, rules, self._players(), events)

    @property
    def story(self) -> str:
        """Every event in words, one line per event."""
        game, rules, events = self._read()
        names = [legible(name) for name in distinct_names(self._players())]
        return "\n".join(legible(line) for lines in transcript_lines(game, rules, events, names) for line in lines)

    def replay(self, height: int = HEIGHT) -> Replay:
        """Return the game in the viewer. In a notebook, the viewer has this height in pixels."""
        return Replay(self._named(), height)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file. A file whose name ends in .html is a page that replays the game. Any other file is
        the record."""
        record = self._named()
        write_page(path, record) if Path(path).suffix == ".html" else write_record(path, record)

    def _title(self) -> str:
        return _description(self.record)

    def __repr__(self) -> str:
        rows = (f"{row['label']} {row['name']} {_amount(row.get('final'))}" for row in self._standings())
        return f"<{self._title()}; {brief(rows, 900)}>"

    def _repr_html_(self) -> str:
        game, rules, events = self._read()
        rows = final_standings(game, rules, self._players(), events)
        columns = [name for name in rows[0] if name != "seat"] if rows else []
        note = figures_of(game, rules, events).remark
        return html_table(self._title(), columns, ([row[name] for name in columns] for row in rows), len(rows), note)


def _amount(final: float | None) -> str:
    return "–" if final is None else f"{final:z,.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, repr=False)
class PlayedGame(_GameView, Match):
    """A game of `ostrom.play`: its `names`, `decisions` and `events`, its final table and its replay."""

    id: str | None = None
    """The id of the game in the journal, or None if the game is not stored. Games with models are stored."""
    store: str | None = None

    @cached_property
    @override
    def record(self) -> GameRecord:
        """Everything about the game; `ostrom.write_record` writes it to a file."""
        return record_of(self)

    def _read(self) -> tuple[Game, Any, Sequence[Event]]:
        return self.game, self.rules, self.events

    def _players(self) -> Sequence[str]:
        return self.names

    def _title(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{self.game.title}{seed}, {number_of(len(self.events), 'event')}"

    @property
    def calls(self) -> "pl.DataFrame":
        """The calls to models in this game. The table is empty if no model played."""
        if self.id is None:
            return frame_of((), _call_schema())
        with open_journal(self.store) as journal:
            return calls_table(journal, game=self.id)


def played(match: Match, **place: Any) -> PlayedGame:
    """Return a match as a game of the library, with its id and its journal if it was stored."""
    return PlayedGame(**{attribute.name: getattr(match, attribute.name) for attribute in fields(Match)}, **place)


@dataclass(frozen=True, repr=False)
class StoredGame(_GameView):
    """A game of a journal."""

    row: GameRow
    store: str | None

    @property
    def id(self) -> str:
        """Its id in the journal, such as `punish-1.2`."""
        return self.row.id

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat."""
        return self.row.players

    @property
    def state(self) -> str:
        """'playing', 'finished' or 'void'."""
        return self.row.state

    @cached_property
    @override
    def record(self) -> GameRecord:
        """Everything about the game, read from the journal."""
        with open_journal(self.store) as journal:
            return journal.record(self.row.id, public=True)

    def _named(self) -> GameRecord:
        with open_journal(self.store) as journal:
            return with_names_and_colours(self.record, journal.names.known())

    @property
    def calls(self) -> "pl.DataFrame":
        """Its calls to models, in the order of questions and attempts."""
        with open_journal(self.store) as journal:
            return calls_table(journal, game=self.row.id)

    def as_record(self) -> dict[str, Any]:
        """Return the game without its events, as plain data."""
        row = self.row
        record = {name: getattr(row, name) for name in ("id", "experiment", "game", "state", "rounds")}
        return {**record, "players": list(row.players), "finals": None if row.finals is None else list(row.finals)}

    def _title(self) -> str:
        return f"{self.row.id}: {self.row.game}, {self.row.state}"

    def __repr__(self) -> str:
        finals = self.row.finals or (None,) * len(self.row.players)
        seats = (f"{name} {_amount(final)}" for name, final in zip(self.row.players, finals, strict=True))
        return f"<{self._title()}; {brief(seats, 900)}>"


# Calls to models.

_CALL_TEXTS = ("game", "player", "model", "at", "phase", "prompt", "reply", "finish_reason", "fault", "error")
_CALL_NUMBERS = ("latency", "cost")


def calls_table(
    journal: Journal,
    *,
    experiment: str | None = None,
    game: str | None = None,
    only: Collection[str] | None = None,
) -> "pl.DataFrame":
    """Return a row for each call to a model, in the order of games, questions and attempts. The calls are those of a
    game, of an experiment, or of all games. If `only` is given, they are those of the games with these ids. `latency`
    is in seconds, and `cost` is in dollars. `prompt` is the whole conversation that was sent."""
    return frame_of(_call_rows(journal, experiment, game, only), _call_schema())


def _call_rows(
    journal: Journal, experiment: str | None, game: str | None, only: Collection[str] | None
) -> Iterator[dict[str, Any]]:
    games = {game} if game is not None else set(journal.spending_by_game(experiment))
    for row in journal.games(experiment):
        if row.id in games and (only is None or row.id in only):
            for question, call in journal.calls(row.id):
                yield _call_row(row.id, row.players, question, call)


def _call_row(game: str, players: tuple[str, ...], question: QuestionKey, call: Call) -> dict[str, Any]:
    turn, phase, seat = question
    usage = call.usage
    return {
        "game": game,
        "player": players[seat],
        "model": call.model,
        "at": call.at,
        "turn": turn,
        "phase": phase,
        "seat": seat,
        "attempt": call.attempt,
        "prompt": "\n\n".join(f"[{line.role}] {line.text}" for line in call.prompt),
        "reply": call.reply,
        "latency": call.latency,
        "input_tokens": None if usage is None else usage.input_tokens,
        "output_tokens": None if usage is None else usage.output_tokens,
        "cost": call.cost,
        "finish_reason": call.finish_reason,
        "fault": None if call.fault is None else call.fault.value,
        "error": call.error,
    }


def _call_schema() -> dict[str, Any]:
    kinds: dict[str, Any] = dict.fromkeys(_CALL_TEXTS, str) | dict.fromkeys(_CALL_NUMBERS, float)
    order = _call_row("", ("",), (0, "", 0), Call(attempt=1, at="", model="", settings={}, prompt=()))
    return {name: kinds.get(name, int) for name in order}
