"""Which tables belong to which game."""

from typing import Any

from ostrom.cli.output import Sheet
from ostrom.experiment import Match
from ostrom.games.battery import terminal as battery_tables
from ostrom.games.commons import COMMONS
from ostrom.games.commons import terminal as commons_tables
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.contribute_punish import terminal as punish_tables

_OF = {COMMONS.name: commons_tables, CONTRIBUTE_PUNISH.name: punish_tables}


def game_sheet(match: Match) -> Sheet:
    """A finished game for people."""
    sheet: Sheet = _OF.get(match.game.name, battery_tables).game_sheet(match)
    return sheet


def game_document(match: Match, *, events: bool = False) -> dict[str, Any]:
    """A finished game for programs."""
    end = match.events[-1].model_dump()
    document: dict[str, Any] = {
        "game": match.game.command,
        "seed": match.seed,
        "number": match.number,
        "turns": end.get("turn", end.get("round")),
        "rules": match.rules.model_dump(mode="json"),
        "standings": _OF.get(match.game.name, battery_tables).final_standings(match),
    }
    if events:
        document["events"] = [event.as_record() for event in match.events]
    return document
