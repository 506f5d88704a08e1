"""The tasks of the battery that have two or more roles, played between seats for what they pay. Seat 0 has the first
role."""

from ostrom.games.battery.played.beauty_contest import BEAUTY_CONTEST
from ostrom.games.battery.played.centipede import CENTIPEDE
from ostrom.games.battery.played.dictator import DICTATOR
from ostrom.games.battery.played.matching_pennies import MATCHING_PENNIES
from ostrom.games.battery.played.public_goods import PUBLIC_GOODS
from ostrom.games.battery.played.stag_hunt import STAG_HUNT
from ostrom.games.battery.played.traveller import TRAVELLER
from ostrom.games.battery.played.trust import TRUST
from ostrom.games.battery.played.ultimatum import ULTIMATUM
from ostrom.games.battery.played.view import PlayedView

PLAYED = (
    DICTATOR,
    ULTIMATUM,
    TRUST,
    STAG_HUNT,
    CENTIPEDE,
    TRAVELLER,
    PUBLIC_GOODS,
    BEAUTY_CONTEST,
    MATCHING_PENNIES,
)
"""All of them."""


__all__ = [
    "BEAUTY_CONTEST",
    "CENTIPEDE",
    "DICTATOR",
    "MATCHING_PENNIES",
    "PLAYED",
    "PUBLIC_GOODS",
    "STAG_HUNT",
    "TRAVELLER",
    "TRUST",
    "ULTIMATUM",
    "PlayedView",
]
