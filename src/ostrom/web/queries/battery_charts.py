"""The charts of the battery's report: three leaderboards, and a card for every subject."""

from typing import Final

from ostrom.charts import render
from ostrom.games.battery.charts.boards import BOARDS, board_chart
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.charts.data import scores_frame
from ostrom.games.battery.charts.report import CARD, HEADING, board_definition
from ostrom.games.battery.charts.words import facts, sentences
from ostrom.games.battery.scores.table import human_scores
from ostrom.web.queries.charts import made_catalogue, made_chart, unknown_chart
from ostrom.web.queries.filters import Filters
from ostrom.web.queries.subjects import Asked, all_scored, asked, scored
from ostrom.web.service import Service
from ostrom.web.shapes.study import Chart, ChartCatalogue, ChartEntry, ChartSection

_BOARD: Final = "board_"
_CARD: Final = "card_"
_FEW: Final = 24
"""As many subjects are scored for the sentences of the catalogue; more of them would keep its reader waiting."""


def battery_catalogue(service: Service, filters: Filters) -> ChartCatalogue:
    """The leaderboards, and the cards of the subjects that are shown, numbered by name."""
    found = asked(service, filters.experiments)
    shown = _shown(found, filters)
    if not shown:
        return made_catalogue(filters, HEADING, _nobody(service, found), [], [])
    boards = [
        ChartEntry(name=f"{_BOARD}{one.name}", heading=one.heading, definition=board_definition(one), notes="")
        for one in BOARDS
    ]
    cast = found.cast
    cards = [
        ChartEntry(name=f"{_CARD}{number}", heading=cast.label(name), definition=CARD, notes="")
        for number, name in shown.items()
    ]
    sections = [
        ChartSection(anchor="boards", title="Leaderboards", charts=boards),
        ChartSection(anchor="cards", title="Subject by subject", charts=cards),
    ]
    if len(shown) > _FEW:
        return made_catalogue(filters, HEADING, f"{len(shown):,} subjects", [], sections)
    rows = all_scored(service, found, list(shown.values()))
    return made_catalogue(filters, HEADING, facts(rows), sentences(rows, cast), sections)


def battery_chart(service: Service, name: str, filters: Filters) -> Chart:
    """A leaderboard of the subjects that are shown, or the card of one."""
    found = asked(service, filters.experiments)
    for board in BOARDS:
        if name == f"{_BOARD}{board.name}":
            rows = all_scored(service, found, filters.players) if _shown(found, filters) else []
            drawing = board_chart(board, scores_frame(rows), human_scores(), found.cast)
            reason = None if rows else _nobody(service, found)
            embedded = render.embedded(drawing)
            return made_chart(name, board.heading, embedded, board_definition(board), reason=reason)
    for number, subject in _shown(found, filters).items():
        if name == f"{_CARD}{number}":
            return card_chart(service, found, subject, name)
    raise unknown_chart(name)


def card_chart(service: Service, found: Asked, subject: str, name: str) -> Chart:
    """The card of a subject."""
    label = found.cast.label(subject)
    return made_chart(name, label, render.embedded(card(scored(service, found, subject), label)), CARD)


def _shown(found: Asked, filters: Filters) -> dict[int, str]:
    """The subjects to show, each with its number among all."""
    numbered = enumerate(found.games, start=1)
    return {number: name for number, name in numbered if not filters.players or name in filters.players}


def _nobody(service: Service, found: Asked) -> str:
    if found.games:
        return "none of the subjects to be shown answered here"
    return f"{service.journal.label} holds no such answers to the battery; 'ostrom bench battery' asks for some"
