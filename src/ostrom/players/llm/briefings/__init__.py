"""What models are told in each game: one briefing a game, found by the game's name in records and loaded when a model
plays it."""

import importlib
from functools import cache

from ostrom.players.llm.briefings.base import Briefing
from ostrom.table import InputError

BRIEFINGS: dict[str, str] = {
    "commons": "ostrom.players.llm.briefings.commons:CommonsBriefing",
    "contribute_punish": "ostrom.players.llm.briefings.contribute_punish:ContributePunishBriefing",
    "quotes": "ostrom.players.llm.briefings.quotes:QuotesBriefing",
    "promises": "ostrom.players.llm.briefings.promises:PromisesBriefing",
    "audit": "ostrom.players.llm.briefings.audit:AuditBriefing",
}
"""Where the briefing of each game is, as 'module:class', by the game's name in records."""


@cache
def briefing_of(game: str) -> Briefing:
    """The briefing of a game."""
    if game not in BRIEFINGS:
        raise InputError(f"models cannot play {game}; they can play {', '.join(sorted(BRIEFINGS))}")
    module, _, name = BRIEFINGS[game].partition(":")
    briefing: Briefing = getattr(importlib.import_module(module), name)()
    return briefing


__all__ = ["BRIEFINGS", "Briefing", "briefing_of"]
