"""The audit: one question out of a game of its own, put to a single seat in one of many ways."""

from ostrom.core.game import Game, Seats
from ostrom.games.audit.play import play
from ostrom.games.audit.rules import EVENTS, AuditRules, AuditView, Framing, series

AUDIT = Game(
    name="audit",
    title="Audit",
    summary="one question of another game, put in one of many ways: does the answer depend on how it is asked?",
    seats=Seats(1, 1),
    rules=AuditRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.audit.rules:PRESENTATION",
    series=series,
    instrument=True,
    clock="question",
    view=AuditView,
    briefing="ostrom.games.audit.briefing:AuditBriefing",
)

__all__ = ["AUDIT", "AuditRules", "AuditView", "Framing"]
