"""Bargaining over several issues: two seats with private values divide a pool of goods, with free talk."""

from ostrom.core.game import Game, Seats
from ostrom.games.market.several_issues.events import EVENTS, dealt, finals
from ostrom.games.market.several_issues.play import OpenDeal, PastMove, SeveralIssuesView, play
from ostrom.games.market.several_issues.rules import SeveralIssuesRules, issue_roles

SEVERAL_ISSUES = Game(
    name="several_issues",
    title="Several issues",
    summary="two seats with private values divide several goods, with free talk",
    seats=Seats(2, 2, usual=2),
    rules=SeveralIssuesRules,
    play=play,
    events=EVENTS,
    view=SeveralIssuesView,
    clock="turn",
    unit="points",
    finals=finals,
    dealt=dealt,
    roles=issue_roles,
    aim="payoff",
    players="ostrom.games.market.several_issues.players:STRATEGIES",
    briefing="ostrom.games.market.several_issues.briefing:SeveralIssuesBriefing",
    scene="ostrom.games.market.several_issues.scene:PRESENTATION",
    standings="ostrom.games.market.several_issues.events:figures",
    measures="ostrom.games.market.several_issues.measures:MEASURES",
)

__all__ = ["SEVERAL_ISSUES", "OpenDeal", "PastMove", "SeveralIssuesRules", "SeveralIssuesView"]
