"""What the battery says about its subjects: a page of scores, and one subject's card."""

from typing import Final

from ostrom.charts.families import Cast
from ostrom.games.battery.scores.described import SCORES, Described
from ostrom.games.battery.scores.score import Score
from ostrom.games.battery.scores.table import PEOPLE, SubjectScores, human_record
from ostrom.web.queries.battery_charts import card_chart
from ostrom.web.queries.charts import CONFIG
from ostrom.web.queries.subjects import asked, scored
from ostrom.web.service import Service
from ostrom.web.shapes.study import ScoreCell, ScoreColumn, ScoreRow, ScoreTable, ScoreWord, SubjectCard

_UNITS: Final = {"delta": "a year", "err_eu": "% off", "err_ev": "% off"}


def score_table(service: Service, experiments: tuple[str, ...], offset: int, limit: int) -> ScoreTable:
    """The scores of the subjects of a page, in the order of their names."""
    found = asked(service, experiments)
    cast = found.cast
    page = list(found.games)[offset : offset + limit]
    reason = None
    if not found.games:
        reason = f"{service.journal.label} holds no such answers to the battery; 'ostrom bench battery' asks for some"
    return ScoreTable(
        columns=COLUMNS,
        rows=[_row(scored(service, found, name), cast) for name in page],
        people=_people(),
        total=len(found.games),
        offset=offset,
        reason=reason,
    )


def subject_card(service: Service, subject: str, experiments: tuple[str, ...]) -> SubjectCard:
    """One subject; one that did not answer raises `UnknownName`."""
    found = asked(service, experiments)
    one = scored(service, found, subject)
    chart = card_chart(service, found, subject, "card")
    return SubjectCard(row=_row(one, found.cast), people=_people(), columns=COLUMNS, config=CONFIG, chart=chart)


def _column(one: Described) -> ScoreColumn:
    return ScoreColumn(
        name=one.name,
        title=one.title,
        definition=one.definition,
        unit="word" if one.words else _UNITS.get(one.name, ""),
        theme=one.theme,
        decimals=one.decimals,
    )


COLUMNS: Final = [_column(one) for one in SCORES]


def _row(one: SubjectScores, cast: Cast) -> ScoreRow:
    return ScoreRow(
        subject=one.subject,
        label=cast.label(one.subject),
        word=one.words["label"].value,
        scores=[_cell(name, score) for name, score in {**one.scores, **one.invalid}.items()],
        words=[ScoreWord(name=name, value=word.value, reason=word.reason) for name, word in one.words.items()],
    )


def _people() -> ScoreRow:
    """The human row, with the source of every value in the place of a reason."""
    known = human_record()
    numbers = [one for one in SCORES if not one.words]
    return ScoreRow(
        subject=PEOPLE,
        label=PEOPLE,
        word=None,
        scores=[
            ScoreCell(
                name=one.name,
                value=known[one.name]["value"],
                low=known[one.name]["low"],
                high=known[one.name]["high"],
                reason=known[one.name]["source"] or known[one.name]["reason"],
            )
            for one in numbers
        ],
        words=[],
    )


def _cell(name: str, score: Score) -> ScoreCell:
    return ScoreCell(name=name, value=score.value, low=score.low, high=score.high, reason=score.reason)
