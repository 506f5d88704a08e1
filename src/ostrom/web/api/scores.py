"""What families of tasks say about their subjects: a page of scores, and one subject's card."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.analysis.study import Scored, SubjectStudy
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast
from ostrom.core.estimates import Estimate
from ostrom.web.api.charts import CONFIG, Chart, card_chart
from ostrom.web.api.studies import Experiments, Kind, Offset, asked, family, scored
from ostrom.web.replies import Shape, Span, reply_of_ended
from ostrom.web.service import Service

PEOPLE: Final = "people"
"""What the row of people is called."""


class ScoreCell(Span):
    """A score of a subject."""

    name: str


class ScoreWord(Shape):
    """A score in a word; without one, the reason why."""

    name: str
    value: str | None
    reason: str | None


class ScoreRow(Shape):
    """A subject's scores."""

    subject: str
    label: str
    word: str | None
    """The subject's type, in words, where it has one."""
    scores: list[ScoreCell]
    words: list[ScoreWord]
    """The scores whose value is a word, such as a label."""


class ScoreColumn(Shape):
    """What a score is."""

    name: str
    title: str
    definition: str
    unit: str
    theme: str
    decimals: int


class ScoreTheme(Shape):
    """What some scores are about."""

    name: str
    title: str


class ScoreTable(Shape):
    """Scores of all subjects of a family of tasks."""

    kind: str
    columns: list[ScoreColumn]
    themes: list[ScoreTheme]
    """In their order."""
    rows: list[ScoreRow]
    people: ScoreRow
    """Published results of people, for comparison."""
    total: int
    """Subjects in all."""
    offset: int
    reason: str | None = None
    """Why there are no rows."""


class HeadlinePart(Shape):
    """A score that another is made of."""

    name: str
    top: float
    """Where its axis ends; it begins at 0."""
    note: str
    """What the figure counts, where its title does not say so."""


class Headline(Shape):
    """A score that a card begins with; it goes to 100."""

    name: str
    meaning: str
    parts: list[HeadlinePart]
    words: list[str]
    """Scores in words that belong to it."""
    labelled: bool
    """Whether the subject's label stands beside it."""


class SubjectCard(Shape):
    """What a family of tasks shows of a subject."""

    kind: str
    title: str
    """What the family is called."""
    row: ScoreRow
    people: ScoreRow
    """Published results of people, for comparison."""
    columns: list[ScoreColumn]
    themes: list[ScoreTheme]
    headlines: list[Headline]
    config: dict[str, Any]
    chart: Chart


def score_table(
    service: Service, kind: str | None, experiments: tuple[str, ...], offset: int, limit: int
) -> ScoreTable:
    """The scores of the subjects of a page, in the order of their names."""
    study = family(service, kind)
    found = asked(service, study, experiments)
    page = list(found.games)[offset : offset + limit]
    return ScoreTable(
        **_about(study),
        rows=[_row(scored(service, found, name), found.cast) for name in page],
        total=len(found.games),
        offset=offset,
        reason=None if found.games else study.nobody(service.journal.label),
    )


def subject_card(service: Service, kind: str | None, subject: str, experiments: tuple[str, ...]) -> SubjectCard:
    """One subject; one that did not answer raises `UnknownName`."""
    study = family(service, kind)
    found = asked(service, study, experiments)
    return SubjectCard(
        **_about(study),
        title=study.title,
        row=_row(scored(service, found, subject), found.cast),
        headlines=list(subject_charts(study).headlines),
        config=CONFIG,
        chart=card_chart(service, found, subject, "card"),
    )


def _about(study: SubjectStudy) -> dict[str, Any]:
    """What tables and cards of a family say of it. Of people, the source of every value stands in the place of a
    reason."""
    return {
        "kind": study.command,
        "columns": [replace(one, unit="word") if one.words else one for one in study.scales],
        "themes": [ScoreTheme(name=name, title=title) for name, title in study.themes.items()],
        "people": ScoreRow(subject=PEOPLE, label=PEOPLE, word=None, scores=_cells(study.reference()), words=[]),
    }


def _row(one: Scored, cast: Cast) -> ScoreRow:
    return ScoreRow(
        subject=one.subject,
        label=cast.label(one.subject),
        word=one.label,
        scores=_cells({**one.scores, **one.invalid}),
        words=[ScoreWord(name=name, value=word.value, reason=word.reason) for name, word in one.words.items()],
    )


def _cells(scores: Mapping[str, Estimate]) -> list[ScoreCell]:
    return [ScoreCell.model_validate({"name": name, **score.as_record()}) for name, score in scores.items()]


router = APIRouter(tags=["study"])


@router.get("/scores", response_model=ScoreTable)
async def scores(
    request: Request,
    kind: Kind = None,
    experiments: Experiments = (),
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
) -> Response:
    """The scores of some subjects, in the order of their names, with those of people for comparison. To score a subject
    takes a second; so there are few on a page."""
    return await reply_of_ended(request, score_table, kind, experiments, offset, limit, slow=True)


@router.get("/scores/{subject:path}", response_model=SubjectCard)
async def subject(
    request: Request, subject: Annotated[str, Path(max_length=200)], kind: Kind = None, experiments: Experiments = ()
) -> Response:
    """One subject: its scores, and its card."""
    return await reply_of_ended(request, subject_card, kind, subject, experiments, slow=True)
