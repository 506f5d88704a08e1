"""What models are told in each game: one briefing a game, found by the game's name in records and loaded when a model
plays it."""

import importlib
from functools import cache

from ostrom.players.llm.briefings.base import Briefing, ConversationalBriefing
from ostrom.table import InputError

BRIEFINGS: dict[str, str] = {
    "commons": "ostrom.players.llm.briefings.commons:CommonsBriefing",
    "contribute_punish": "ostrom.players.llm.briefings.contribute_punish:ContributePunishBriefing",
    "quotes": "ostrom.players.llm.briefings.quotes:QuotesBriefing",
    "promises": "ostrom.players.llm.briefings.promises:PromisesBriefing",
    "audit": "ostrom.players.llm.briefings.audit:AuditBriefing",
    "stated_time": "ostrom.players.llm.briefings.battery_tasks:TimeBriefing",
    "stated_risk": "ostrom.players.llm.briefings.battery_tasks:RiskBriefing",
    "stated_dictator": "ostrom.players.llm.briefings.battery_tasks:DictatorBriefing",
    "stated_ultimatum": "ostrom.players.llm.briefings.battery_tasks:UltimatumBriefing",
    "stated_trust": "ostrom.players.llm.briefings.battery_tasks:TrustBriefing",
    "stated_stag_hunt": "ostrom.players.llm.briefings.battery_tasks:StagHuntBriefing",
    "stated_public_goods": "ostrom.players.llm.briefings.battery_tasks:PublicGoodsBriefing",
    "stated_centipede": "ostrom.players.llm.briefings.battery_tasks:CentipedeBriefing",
    "stated_traveller": "ostrom.players.llm.briefings.battery_tasks:TravellerBriefing",
    "stated_beauty_contest": "ostrom.players.llm.briefings.battery_tasks:BeautyContestBriefing",
    "stated_matching_pennies": "ostrom.players.llm.briefings.battery_tasks:MatchingPenniesBriefing",
    "stated_garp": "ostrom.players.llm.briefings.battery_tasks:GarpBriefing",
    "stated_loss": "ostrom.players.llm.briefings.battery_tasks:LossBriefing",
    "stated_ambiguity": "ostrom.players.llm.briefings.battery_tasks:AmbiguityBriefing",
    "dictator": "ostrom.players.llm.briefings.battery_tasks:DictatorBriefing",
    "ultimatum": "ostrom.players.llm.briefings.battery_tasks:UltimatumBriefing",
    "trust": "ostrom.players.llm.briefings.battery_tasks:TrustBriefing",
    "stag_hunt": "ostrom.players.llm.briefings.battery_tasks:StagHuntBriefing",
    "public_goods": "ostrom.players.llm.briefings.battery_tasks:PublicGoodsBriefing",
    "centipede": "ostrom.players.llm.briefings.battery_tasks:CentipedeBriefing",
    "traveller": "ostrom.players.llm.briefings.battery_tasks:TravellerBriefing",
    "beauty_contest": "ostrom.players.llm.briefings.battery_tasks:BeautyContestBriefing",
    "matching_pennies": "ostrom.players.llm.briefings.battery_tasks:MatchingPenniesBriefing",
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


__all__ = ["BRIEFINGS", "Briefing", "ConversationalBriefing", "briefing_of"]
