"""What the report of each game is made of: its charts, its leaderboard, its words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import polars as pl

from ostrom.analysis import kinds
from ostrom.analysis.kinds import AnyTables, Kind
from ostrom.analysis.played import Played
from ostrom.charts.catalogue import SECTIONS, Picture, Section
from ostrom.charts.families import Cast
from ostrom.charts.standings import PUNISH_BESIDE, Beside, Standing
from ostrom.charts.words import RANK, TOKENS, Unit, share
from ostrom.games.commons import charts as commons_summary
from ostrom.games.commons.charts import CAPITAL, COMMONS_SECTIONS, SYNERGY
from ostrom.games.contribute_punish import summary

GameTables = TypeVar("GameTables", bound=Played)

RATING_DEFINITION: Final = (
    "Multi-pass TrueSkill: every pass rates all games in a random order from scratch, by rank at the game's end, tied "
    "balances being draws; μ and σ are medians over the passes. Only differences of μ mean something. Nobody "
    "in a tier can be told apart, by these games, from the tier's first."
)
SHARES: Final = (
    "Beside it, as shares of a player's answers: defaulted, those that the game gave in its place, and repaired, those "
    "that were legal only after a refusal; – where it is not known, as of games read from others' logs."
)


@dataclass(frozen=True)
class Edition(Generic[GameTables]):
    """The report of one game."""

    kind: Kind[GameTables]
    heading: str
    """What the page is called where no experiment is named."""
    rating: str
    """What the ratings are."""
    sections: tuple[Section, ...]
    beside: tuple[Beside, ...]
    """What stands beside the ratings in the leaderboard."""
    tidy: tuple[str, ...]
    """The tables of the games themselves."""
    compared: Mapping[str, Unit]
    """What a comparison of two experiments shows, and in which unit."""
    facts: Callable[[GameTables], str]
    sentences: Callable[[GameTables, Sequence[Standing], Mapping[str, pl.DataFrame], Cast], list[str]]

    @property
    def pictures(self) -> dict[str, Picture]:
        """Every chart by its name, in the order of the page."""
        return {picture.name: picture for section in self.sections for picture in section.pictures}


PUNISH: Final = Edition(
    kind=kinds.PUNISH,
    heading="Contribute & Punish",
    rating=RATING_DEFINITION,
    sections=SECTIONS,
    beside=PUNISH_BESIDE,
    tidy=("games", "seats", "rounds", "punishments", "messages"),
    compared={
        "aggregate_contribution_by_round": share("of all tokens, contributed"),
        "contribution_percent_pooled": share("of all tokens held, contributed"),
        "aggregate_punishment_by_round": share("of all tokens, spent on punishing"),
        "punishment_spent_percent": share("of the balance, spent"),
        "retaliation_rate": share("of punishments suffered, answered"),
        "mean_final": TOKENS,
    },
    facts=summary.facts,
    sentences=summary.sentences,
)
COMMONS: Final = Edition(
    kind=kinds.COMMONS,
    heading="The Commons",
    rating=RATING_DEFINITION.replace("tied balances", "equal capitals"),
    sections=COMMONS_SECTIONS,
    beside=(
        Beside("mean_capital", "mean final capital", CAPITAL),
        Beside("mean_rank", "mean rank", RANK),
        Beside("contribution", "gives", share("", 0)),
        Beside("lobbying", "spends on lobbying", share("")),
        Beside("exclusion_rate", "voted out", share("", 0)),
    ),
    tidy=("games", "seats", "turns", "economy"),
    compared={
        "cooperation_by_turn": share("of the endowment, contributed"),
        "synergy_by_turn": SYNERGY,
        "contribution": share("of the endowment, contributed"),
        "lobbying": share("of capital, spent on lobbying", 2),
        "votes_cast": share("of votes used"),
        "exclusion_rate": share("of seats, voted out"),
        "mean_capital": CAPITAL,
    },
    facts=commons_summary.facts,
    sentences=commons_summary.sentences,
)
EDITIONS: Final[Mapping[str, Edition[Any]]] = {one.kind.command: one for one in (PUNISH, COMMONS)}


def rating_note(passes: int, draw_probability: float) -> str:
    """How some ratings were made."""
    return f"Here: {passes} passes, draw probability {draw_probability:g}."


def rating_definition(edition: Edition[Any], note: str = "") -> str:
    """What the leaderboard of a report shows; `note` says how its ratings were made."""
    return " ".join(part for part in (edition.rating, note, SHARES) if part)


def edition_of(tables: AnyTables) -> Edition[Any]:
    """The report that these tables make."""
    return EDITIONS[kinds.kind_of(tables).command]
