"""The audit: one question out of a game of its own, put to a single seat in one of many ways."""

from ostrom.games.audit.events import EVENTS
from ostrom.games.audit.play import play
from ostrom.games.audit.rules import AuditRules, Framing, Step
from ostrom.games.audit.transcript import series, tell
from ostrom.games.audit.view import AuditView
from ostrom.games.registry import GAMES, Game

AUDIT = Game(
    name="audit",
    command="audit",
    summary="one question of another game, put in one of many ways: does the answer depend on how it is asked?",
    fewest_seats=1,
    most_seats=1,
    rules=AuditRules,
    play=play,
    events=EVENTS,
    tell=tell,
    series=series,
    instrument=True,
)
GAMES.add(AUDIT.name, AUDIT)

__all__ = ["AUDIT", "AuditRules", "AuditView", "Framing", "Step"]
