"""The calls to models as a table: what was asked, what came back, how long it took and what it cost."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from ostrom.core import Call, QuestionKey
from ostrom.core.listing import frame_of
from ostrom.journal.sql import Journal

if TYPE_CHECKING:
    import polars as pl

_WORDS = ("game", "player", "model", "at", "phase", "prompt", "reply", "finish_reason", "fault", "error")
_NUMBERS = ("latency", "cost")


def calls_table(
    journal: Journal,
    *,
    experiment: str | None = None,
    game: str | None = None,
    only: Collection[str] | None = None,
) -> "pl.DataFrame":
    """A row for each call, in the order of games, questions and attempts: of one game, of an experiment, or all; of
    these, the games whose ids are in `only`. `latency` is in seconds, `cost` in dollars; `prompt` is the whole
    conversation that was sent."""
    return frame_of(_rows(journal, experiment, game, only), _schema())


def no_calls() -> "pl.DataFrame":
    """The same where no model was asked."""
    return frame_of((), _schema())


def _rows(
    journal: Journal, experiment: str | None, game: str | None, only: Collection[str] | None
) -> Iterator[dict[str, Any]]:
    asked = {game} if game is not None else set(journal.spending_by_game(experiment))
    for row in journal.games(experiment):
        if row.id in asked and (only is None or row.id in only):
            for question, call in journal.calls(row.id):
                yield _row(row.id, row.players, question, call)


def _row(game: str, players: tuple[str, ...], question: QuestionKey, call: Call) -> dict[str, Any]:
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


def _schema() -> dict[str, Any]:
    kinds: dict[str, Any] = dict.fromkeys(_WORDS, str) | dict.fromkeys(_NUMBERS, float)
    order = _row("", ("",), (0, "", 0), Call(attempt=1, at="", model="", settings={}, prompt=()))
    return {name: kinds.get(name, int) for name in order}
