"""What families of tasks say about their subjects: a page of scores, and one subject's card."""

from collections.abc import Mapping
from typing import Final

from ostrom.analysis.study import Scale, Scored, SubjectStudy
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast
from ostrom.core.estimates import Estimate
from ostrom.web.queries.charts import CONFIG, card_chart
from ostrom.web.queries.subjects import asked, family, scored
from ostrom.web.service import Service
from ostrom.web.shapes.study import (
    Headline,
    HeadlinePart,
    ScoreCell,
    ScoreColumn,
    ScoreRow,
    ScoreTable,
    ScoreTheme,
    ScoreWord,
    SubjectCard,
)

PEOPLE: Final = "people"
"""What the row of people is called."""


def score_table(
    service: Service, kind: str | None, experiments: tuple[str, ...], offset: int, limit: int
) -> ScoreTable:
    """The scores of the subjects of a page, in the order of their names."""
    study = family(service, kind)
    found = asked(service, study, experiments)
    page = list(found.games)[offset : offset + limit]
    return ScoreTable(
        kind=study.command,
        columns=_columns(study),
        themes=_themes(study),
        rows=[_row(scored(service, found, name), found.cast) for name in page],
        people=_people(study),
        total=len(found.games),
        offset=offset,
        reason=None if found.games else study.nobody(service.journal.label),
    )


def subject_card(service: Service, kind: str | None, subject: str, experiments: tuple[str, ...]) -> SubjectCard:
    """One subject; one that did not answer raises `UnknownName`."""
    study = family(service, kind)
    found = asked(service, study, experiments)
    one = scored(service, found, subject)
    return SubjectCard(
        kind=study.command,
        title=study.title,
        row=_row(one, found.cast),
        people=_people(study),
        columns=_columns(study),
        themes=_themes(study),
        headlines=[
            Headline(
                name=headline.name,
                meaning=headline.meaning,
                parts=[HeadlinePart(name=part.name, top=part.top, note=part.note) for part in headline.parts],
                words=list(headline.words),
                labelled=headline.labelled,
            )
            for headline in subject_charts(study).headlines
        ],
        config=CONFIG,
        chart=card_chart(service, found, subject, "card"),
    )


def _columns(study: SubjectStudy) -> list[ScoreColumn]:
    return [_column(one) for one in study.scales]


def _column(one: Scale) -> ScoreColumn:
    return ScoreColumn(
        name=one.name,
        title=one.title,
        definition=one.definition,
        unit="word" if one.words else one.unit,
        theme=one.theme,
        decimals=one.decimals,
    )


def _themes(study: SubjectStudy) -> list[ScoreTheme]:
    return [ScoreTheme(name=name, title=title) for name, title in study.themes.items()]


def _row(one: Scored, cast: Cast) -> ScoreRow:
    return ScoreRow(
        subject=one.subject,
        label=cast.label(one.subject),
        word=one.label,
        scores=_cells({**one.scores, **one.invalid}),
        words=[ScoreWord(name=name, value=word.value, reason=word.reason) for name, word in one.words.items()],
    )


def _people(study: SubjectStudy) -> ScoreRow:
    """What is known of people, with the source of every value in the place of a reason."""
    return ScoreRow(subject=PEOPLE, label=PEOPLE, word=None, scores=_cells(study.reference()), words=[])


def _cells(scores: Mapping[str, Estimate]) -> list[ScoreCell]:
    return [
        ScoreCell(name=name, value=score.value, low=score.low, high=score.high, reason=score.reason)
        for name, score in scores.items()
    ]
