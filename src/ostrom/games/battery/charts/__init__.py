"""The charts of the battery for reports and pages."""

from functools import partial
from typing import Final

from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import GameCharts, HeadlineComponent, HeadlineScore, SubjectBoard, SubjectCharts
from ostrom.games.battery.charts.boards import BOARDS, draw_board
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.charts.data import TABLES
from ostrom.games.battery.charts.report import CARD, board_definition, facts, sentences, write_report

_HEADLINES: Final = (
    HeadlineScore(
        "rationality",
        "Patience and consistency under risk, half each. 100 means no discounting and no violation of "
        "expected utility.",
        (
            HeadlineComponent("delta", 1, "worth of 1 a year later"),
            HeadlineComponent("err_eu", 50, "% off; less is better"),
        ),
        ("discounting",),
    ),
    HeadlineScore(
        "social",
        "The mean of four: money given, low offers rejected, money entrusted, and money returned.",
        tuple(HeadlineComponent(name, 100) for name in ("altruism", "fairness", "trust", "reciprocity")),
    ),
    HeadlineScore(
        "cooperation",
        "The mean of three: how often the stag is hunted, how much is contributed, and how often the player "
        "passes. Cooperative from 65, competitive below 40.",
        (
            HeadlineComponent("stag", 100, "% stag"),
            HeadlineComponent("contribution", 100, "% contributed"),
            HeadlineComponent("pass", 100, "% passed"),
        ),
        ("depth",),
        labelled=True,
    ),
)

CHARTS: Final = SubjectCharts(
    boards=tuple(
        SubjectBoard(one.name, one.heading, board_definition(one), partial(draw_board, one)) for one in BOARDS
    ),
    card=card,
    card_definition=CARD,
    headlines=_HEADLINES,
    tables=TABLES,
    facts=facts,
    sentences=sentences,
    write=write_report,
)
"""The charts of the stated tasks."""
PLAYED_CHARTS: Final[GameCharts[GameTables]] = GameCharts()
"""The charts of the played games."""
