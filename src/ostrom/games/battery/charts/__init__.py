"""The charts of the battery, as reports and pages find them."""

from functools import partial
from typing import Final

from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import Board, GameCharts, Headline, HeadlinePart, SubjectCharts
from ostrom.games.battery.charts.boards import BOARDS, drawn_board
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.charts.data import TABLES
from ostrom.games.battery.charts.report import CARD, board_definition, facts, sentences, write_report

_HEADLINES: Final = (
    Headline(
        "rationality",
        "Patience and consistency under risk, half each. 100 means no discounting and no violation of "
        "expected utility.",
        (HeadlinePart("delta", 1, "worth of 1 a year later"), HeadlinePart("err_eu", 50, "% off; less is better")),
        ("discounting",),
    ),
    Headline(
        "social",
        "The mean of four: money given, low offers rejected, money entrusted, and money returned.",
        tuple(HeadlinePart(name, 100) for name in ("altruism", "fairness", "trust", "reciprocity")),
    ),
    Headline(
        "cooperation",
        "The mean of three: how often the stag is hunted, how much is contributed, and how often the player "
        "passes. Cooperative from 65, competitive below 40.",
        (
            HeadlinePart("stag", 100, "% stag"),
            HeadlinePart("contribution", 100, "% contributed"),
            HeadlinePart("pass", 100, "% passed"),
        ),
        ("depth",),
        labelled=True,
    ),
)

CHARTS: Final = SubjectCharts(
    boards=tuple(Board(one.name, one.heading, board_definition(one), partial(drawn_board, one)) for one in BOARDS),
    card=card,
    card_definition=CARD,
    headlines=_HEADLINES,
    tables=TABLES,
    facts=facts,
    sentences=sentences,
    write=write_report,
)
"""Of the stated tasks."""
PLAYED_CHARTS: Final[GameCharts[GameTables]] = GameCharts()
"""Of the games that are played."""
