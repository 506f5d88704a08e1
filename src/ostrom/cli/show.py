"""`ostrom show`: a game as readable text. What models wrote is printed as it is, and never reaches the terminal as
anything but text."""

from collections.abc import Sequence

from rich.text import Text

from ostrom.charts.film.record_events import events_of
from ostrom.cli.games import GameName, find_record
from ostrom.core import Event
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.seats import told_apart
from ostrom.experiment import options as opt
from ostrom.experiment.terminal import harmless, out


def show(game: GameName, store: opt.Store = None) -> None:
    """Tell a game in words, from its record or from the journal."""
    record = find_record(game, store)
    out.print(Text(harmless(_title(record.game, record.seed, record.number, record.source))), soft_wrap=True)
    out.print()
    print_story(GAMES[record.game], events_of(record), [seat.player for seat in record.seats])


def print_story(game: Game, events: Sequence[Event], players: Sequence[str]) -> None:
    """Every event of a game in words."""
    # Made harmless before they are told, so that names of any kind still line up.
    names = [harmless(name) for name in told_apart(players)]
    for event in events:
        for line in game.tell(event, names):
            # A `Text` is printed as it is: no markup, no emoji codes, no highlighting.
            out.print(Text(_printable(harmless(line), out.encoding)), soft_wrap=True)


def _title(game: str, seed: int | None, number: int, source: str | None) -> str:
    origin = "" if source is None else f", from {source}"
    return f"{game}{origin}" if seed is None else f"{game}, seed {seed}, game {number}{origin}"


def _printable(text: str, encoding: str) -> str:
    """The text in signs that the terminal's encoding has."""
    return text.encode(encoding, "backslashreplace").decode(encoding)
