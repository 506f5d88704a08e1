"""`ostrom show`: a game as readable text. What models wrote is printed as it is, and never reaches the terminal as
anything but text."""

from collections.abc import Sequence

from pydantic import BaseModel
from rich.text import Text

from ostrom.cli.games import GameName, find_record
from ostrom.core import Event
from ostrom.core.game import Game
from ostrom.core.questions import told_apart
from ostrom.core.telling import lines_told
from ostrom.experiment import options as opt
from ostrom.experiment.terminal import harmless, out
from ostrom.journal.record import read_events


def show(game: GameName, store: opt.Store = None) -> None:
    """Tell a game in words, from its record or from the journal."""
    record = find_record(game, store)
    out.print(Text(harmless(_title(record.game, record.seed, record.number, record.source))), soft_wrap=True)
    out.print()
    game_, rules, events = read_events(record)
    print_story(game_, rules, events, [seat.player for seat in record.seats])


def print_story(game: Game, rules: BaseModel, events: Sequence[Event], players: Sequence[str]) -> None:
    """Every event of a game in words."""
    # Made harmless before they are told, so that names of any kind still line up.
    names = [harmless(name) for name in told_apart(players)]
    for lines in lines_told(game, rules, events, names):
        for line in lines:
            # A `Text` is printed as it is: no markup, no emoji codes, no highlighting.
            out.print(Text(_printable(harmless(line), out.encoding)), soft_wrap=True)


def _title(game: str, seed: int | None, number: int, source: str | None) -> str:
    origin = "" if source is None else f", from {source}"
    return f"{game}{origin}" if seed is None else f"{game}, seed {seed}, game {number}{origin}"


def _printable(text: str, encoding: str) -> str:
    """The text in signs that the terminal's encoding has."""
    return text.encode(encoding, "backslashreplace").decode(encoding)
