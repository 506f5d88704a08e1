"""The log format of PGG-Bench: one JSON object a line, told apart by `type`. Read here, judged elsewhere."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ostrom.core import RecordError

_NEEDED = {
    "public_message": ("round", "player_id", "message"),
    "contribution": ("round", "player_id", "contribution", "current_tokens"),
    "fund_distribution": (
        "round",
        "carry_in_fund",
        "pot_before_mult",
        "pot_after_mult",
        "share_per_player",
        "leftover_fund",
    ),
    "punishment": ("round", "punisher_id", "target_id", "punisher_spend", "target_damage", "balance_before_punishment"),
    "round_end": ("round", "balances"),
    "final": ("final_tokens",),
}


@dataclass(frozen=True)
class PggLog:
    """One game's log. Seats are numbered as the log lists its players; balances keyed by model name are told apart by
    it."""

    path: Path
    game_id: str
    settings: Mapping[str, Any]
    seats: Mapping[str, int]
    """Seat by player id."""
    models: tuple[str, ...]
    """The model at each seat; one model may hold several."""
    rows: tuple[Mapping[str, Any], ...]
    """All lines after the first."""

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """The lines of one type, in their order."""
        return [row for row in self.rows if row["type"] == kind]

    def by_seat(self, by_model: Mapping[str, Any]) -> list[int | None]:
        """Balances that the log keys by model name, for each seat. Where one model holds several seats the key cannot
        tell them apart, and nothing is known."""
        return [
            whole(by_model[model]) if self.models.count(model) == 1 and model in by_model else None
            for model in self.models
        ]


def whole(value: Any) -> int:
    """A number of tokens; logs write some of them as 5.0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise ValueError(f"{value!r} is not a whole number of tokens")
    return int(value)


def read_log(path: Path) -> PggLog:
    """Read a log; what is no whole log of a finished game is refused with the line and the reason."""
    rows: list[Mapping[str, Any]] = []
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path.name}: cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            rows.append(_row(path, number, line))
    if not rows or rows[0].get("type") != "init":
        raise RecordError(f"{path.name}: line 1: a log of PGG-Bench begins with a line of type 'init'")
    if rows[-1]["type"] != "final":
        raise RecordError(f"{path.name}: line {len(rows)}: the log is cut off; the last line must be of type 'final'")
    return _checked(path, rows)


def _row(path: Path, number: int, line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordError(f"{path.name}: line {number}: broken JSON: {error.msg}") from error
    if not isinstance(row, dict) or "type" not in row:
        raise RecordError(f"{path.name}: line {number}: not an event of PGG-Bench")
    missing = [name for name in _NEEDED.get(row["type"], ()) if name not in row]
    if missing:
        raise RecordError(f"{path.name}: line {number}: {row['type']} lacks {', '.join(missing)}")
    return row


def _checked(path: Path, rows: Sequence[Mapping[str, Any]]) -> PggLog:
    first, settings, players = rows[0], rows[0].get("settings"), rows[0].get("short_name_map")
    if not isinstance(settings, dict) or not isinstance(players, dict) or not players:
        raise RecordError(f"{path.name}: line 1: init lacks settings or short_name_map")
    try:
        models = tuple(str(player["model_name"]) for player in players.values())
    except (TypeError, KeyError):
        raise RecordError(f"{path.name}: line 1: a player of short_name_map has no model_name") from None
    log = PggLog(
        path=path,
        game_id=str(first.get("game_id", path.stem)),
        settings=settings,
        seats={player: seat for seat, player in enumerate(players)},
        models=models,
        rows=tuple(rows[1:]),
    )
    for row in log.rows:
        for name in ("player_id", "punisher_id", "target_id"):
            if name in row and row[name] not in log.seats:
                raise RecordError(f"{path.name}: round {row.get('round')}: {row['type']} names no player of the game")
    return log
