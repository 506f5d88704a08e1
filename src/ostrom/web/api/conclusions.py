"""Conclusions about players in sentences: for pages of findings, and for the page of each player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl
from fastapi import APIRouter, Request, Response
from typing_extensions import override

from ostrom.analysis.conclusions import Conclusion, conclusions_of, leading, traits_of
from ostrom.analysis.study import NothingLeft, SubjectStudy, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts.conclusion_texts import METHOD, conclusion_sentence
from ostrom.web.api.ratings import LazyMeasures
from ostrom.web.api.studies import AnyFilters, Filters, SelectedGames, choose, find_study
from ostrom.web.computing import ComputeTask
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

_MAX_LEADING = 3
"""The number of players about whom a page of findings states conclusions."""
_MAX_OF_PLAYER = 3
"""The number of sentences on the page of a player."""


class ConclusionItem(Shape):
    """A conclusion about a player as a sentence."""

    player: str
    label: str
    colour: str
    text: str
    measures: list[str]
    """The measures that the sentence states."""
    games: list[str]
    """For each measure, the game that shows it most clearly."""


class ConclusionListing(Shape):
    """The conclusions about the players of some games. All of them hold together."""

    method: str
    """The explanation of the conclusions; empty if there are none."""
    leading: list[ConclusionItem]
    """The clearest conclusions, with at most two traits for each of three players."""
    players: list[ConclusionItem]
    """At most three sentences for each player, the clearest first."""


@dataclass(frozen=True)
class ConclusionsTask(ComputeTask):
    """Draws the conclusions about players."""

    measured: Mapping[str, pl.DataFrame]

    @override
    def run(self, of: GameTables) -> list[Conclusion]:
        return conclusions_of(study_of(of), of, self.measured)


def conclusion_listing(service: Service, filters: Filters) -> ConclusionListing:
    """Return the conclusions about the players of the selected games."""
    study = find_study(service, filters.kind)
    nothing = ConclusionListing(method="", leading=[], players=[])
    if isinstance(study, SubjectStudy):
        return nothing
    try:
        selection = choose(service, filters)
    except NothingLeft:
        return nothing
    measures = LazyMeasures(service, selection)
    task = ConclusionsTask({trait.measure: measures[trait.measure] for trait in traits_of(selection.study)})
    conclusions: list[Conclusion] = service.computing.compute(task, selection.key, selection.tables)
    if not conclusions:
        return nothing
    by_player: dict[str, list[Conclusion]] = {}
    for one in conclusions:
        by_player.setdefault(one.player, []).append(one)
    return ConclusionListing(
        method=METHOD,
        leading=[_item(own, selection) for own in leading(conclusions, _MAX_LEADING)],
        players=[_item([one], selection) for own in by_player.values() for one in own[:_MAX_OF_PLAYER]],
    )


def _item(own: Sequence[Conclusion], selection: SelectedGames) -> ConclusionItem:
    player = own[0].player
    label = selection.cast.label(player)
    return ConclusionItem(
        player=player,
        label=label,
        colour=selection.cast.faces[player].colour,
        text=conclusion_sentence(own, selection.study, label),
        measures=[one.measure for one in own],
        games=[one.example for one in own],
    )


router = APIRouter(tags=["conclusions"])


@router.get("/conclusions", response_model=ConclusionListing)
async def conclusions(request: Request, filters: AnyFilters) -> Response:
    """Return what players do more or less than the other players at their tables, in sentences that hold together."""
    return await reply_of_ended(request, conclusion_listing, filters, slow=filters.slow)
