"""Quotes: a judge reads what was said in another game and picks the most striking lines. A game with one seat, so that
its questions are asked, kept and paid for like those of any other."""

from ostrom.games.quotes.events import EVENTS
from ostrom.games.quotes.play import play
from ostrom.games.quotes.rules import QuotesRules
from ostrom.games.quotes.transcript import series, tell
from ostrom.games.quotes.view import QuotesView
from ostrom.games.registry import GAMES, Game

QUOTES = Game(
    name="quotes",
    command="quotes",
    summary="a judge reads what was said in another game and picks its most striking lines",
    fewest_seats=1,
    most_seats=1,
    rules=QuotesRules,
    play=play,
    events=EVENTS,
    tell=tell,
    series=series,
    instrument=True,
)
GAMES.add(QUOTES.name, QUOTES)

__all__ = ["QUOTES", "QuotesRules", "QuotesView"]
