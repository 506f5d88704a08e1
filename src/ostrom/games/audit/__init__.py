"""The audit. It asks one question of another game many times, always of a single seat and in many framings."""

from ostrom.core.game import Game, Seats
from ostrom.games.audit.play import EVENTS, AuditFraming, AuditRules, AuditView, play

AUDIT = Game(
    name="audit",
    title="Audit",
    summary="one question of another game, put in one of many ways: does the answer depend on how it is asked?",
    seats=Seats(1, 1),
    rules=AuditRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.audit.play:PRESENTATION",
    instrument=True,
    clock="question",
    view=AuditView,
    briefing="ostrom.games.audit.design:AuditBriefing",
)

__all__ = ["AUDIT", "AuditFraming", "AuditRules", "AuditView"]
