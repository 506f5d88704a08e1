"""Parts that the importers of bargains between people share: the files of a source, which are recognised by their
content, and the answers of two people who speak in turn."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ostrom.core import InputError, LoggedChance, Provenance
from ostrom.experiment import Match, make_rules, play_match
from ostrom.games.market.several_issues import SEVERAL_ISSUES
from ostrom.games.market.several_issues.play import MOVE, REJECT, SAY
from ostrom.players.base import ReplayContestant
from ostrom.players.people.seat import HUMAN

MAX_SEARCH_DEPTH: Final = 6
_SNIFFED_BYTES: Final = 100_000
USUAL_TURNS: Final = 100
USUAL_WORDS: Final = 200
"""The limits of imported games. The logs do not contain those of the sources. A game that is longer than these limits
has larger ones."""


def recognised_files(folder: Path, suffix: str, is_log: Callable[[str], bool], what: str) -> list[Path]:
    """Return the files of a folder and its subfolders whose beginning is that of a log, sorted by path. Raise
    `InputError` if there are none. `what` describes the files in messages."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {what}")
    files: list[Path] = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        visible = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        folders[:] = sorted(visible) if depth < MAX_SEARCH_DEPTH else []
        paths = (Path(place) / name for name in sorted(names) if name.endswith(suffix))
        files += [path for path in paths if path.is_file() and is_log(_beginning(path))]
    if not files:
        raise InputError(f"{folder} has no {suffix} file with {what}, neither in itself nor in its subfolders")
    return files


def _beginning(path: Path) -> str:
    """Return the beginning of a file, or an empty text if it is not readable."""
    try:
        with path.open("rb") as file:
            return file.read(_SNIFFED_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


@dataclass
class PersonTurns:
    """The turns of two people. A person who speaks out of turn is preceded by a silent turn of the other."""

    answers: dict[tuple[int, str, int], Any] = field(default_factory=dict)
    """The answers by turn, phase and seat."""
    turns: int = 0
    next_seat: int = 0
    longest: int = 0
    """The number of words of the longest message."""

    def add(self, seat: int, act: str, text: str = "", units: Mapping[str, int] | None = None) -> None:
        """Add the turn of a person."""
        if seat != self.next_seat:
            self._add(self.next_seat, SAY, "", {})
        self._add(seat, act, text, units or {})

    def _add(self, seat: int, act: str, text: str, units: Mapping[str, int]) -> None:
        self.turns += 1
        self.answers[self.turns, MOVE, seat] = {"act": act, "text": text, **units}
        self.longest = max(self.longest, len(text.split()))
        self.next_seat = seat if act == REJECT else 1 - seat


def replay_talk(
    talk: PersonTurns,
    settings: Mapping[str, Any],
    counts: Sequence[int],
    values: Sequence[Sequence[float]],
) -> Match:
    """Replay the bargain of two people about this pool, with these private values, under rules with these settings."""
    limits = {
        # A deal that is submitted in the last turn could not be accepted.
        "turns": max(USUAL_TURNS, talk.turns + 1),
        "message_words": max(USUAL_WORDS, talk.longest),
    }
    rules = make_rules(SEVERAL_ISSUES, {**settings, **limits})
    chance = LoggedChance({}, {"counts": list(counts), "values": [list(own) for own in values]})
    contestants = [ReplayContestant(HUMAN, talk.answers) for _ in range(2)]
    return play_match(SEVERAL_ISSUES, rules, contestants, chance, provenance=Provenance.IMPORTED)
