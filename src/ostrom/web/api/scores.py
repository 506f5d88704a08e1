"""What families of tasks say about their subjects: a page of scores, and one subject's card."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from ostrom.analysis.pooling import Together
from ostrom.analysis.study import Scored, SubjectStudy
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast
from ostrom.core import UnknownName
from ostrom.core.estimates import Estimate
from ostrom.web.api.charts import CONFIG, Chart, card_chart
from ostrom.web.api.studies import Experiments, Kind, Offset, Pool
from ostrom.web.api.subjects import MOST_SCORED, all_scored, asked, family, scored
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
    sort: str | None = None
    """The score by which subjects stand in order; nothing where it is their names, or the order of the report."""
    left_out: list[str] = Field(default_factory=list)
    """Who is not among them, in sentences."""


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


@dataclass(frozen=True, slots=True)
class Page:
    """Which subjects are shown, and in which order."""

    offset: int
    limit: int
    sort: str | None = None
    ascending: bool = False


def score_table(
    service: Service, kind: str | None, experiments: tuple[str, ...], pool: tuple[Together, ...], page: Page
) -> ScoreTable:
    """The scores of the subjects of a page: in the order of the report, by a score, or, of very many, by name."""
    study = family(service, kind)
    found = asked(service, study, experiments, pool)
    if page.sort is not None and page.sort not in {one.name for one in study.scales if not one.words}:
        raise UnknownName("score", page.sort, [], catalogue="the columns of /api/scores list them")
    if len(found.games) > MOST_SCORED and page.sort is None:
        names = list(found.games)[page.offset : page.offset + page.limit]
        shown = [scored(service, found, name) for name in names]
    else:
        shown = _by_score(all_scored(service, found, ()), page)[page.offset : page.offset + page.limit]
    return ScoreTable(
        **_about(study),
        rows=[_row(one, found.cast) for one in shown],
        total=len(found.games),
        offset=page.offset,
        reason=None if found.games else study.no_answers(service.journal.label),
        sort=page.sort,
        left_out=list(found.left_out),
    )


def _by_score(rows: list[Scored], page: Page) -> list[Scored]:
    """In the order of a score, the highest first unless asked otherwise; who has none comes last either way."""
    if page.sort is None:
        return rows
    score, sign = page.sort, 1 if page.ascending else -1

    def place(one: Scored) -> tuple[bool, float]:
        found = one.scores.get(score) or one.invalid.get(score)
        value = None if found is None else found.value
        return value is None, sign * (value or 0.0)

    return sorted(rows, key=place)


def subject_card(service: Service, kind: str | None, subject: str, experiments: tuple[str, ...]) -> SubjectCard:
    """One subject; one that did not answer raises `UnknownName`."""
    study = family(service, kind)
    found = asked(service, study, experiments, ("people",))
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
    pool: Pool = (),
    sort: Annotated[
        str | None, Query(max_length=100, description="The score to sort by; else as a report does.")
    ] = None,
    order: Annotated[Literal["highest", "lowest"], Query(description="Which comes first.")] = "highest",
) -> Response:
    """The scores of some subjects, the best first, with those of people for comparison. To score a subject takes a
    second; so there are few on a page, and more than a hundred stand in the order of their names."""
    page = Page(offset, limit, sort, order == "lowest")
    return await reply_of_ended(request, score_table, kind, experiments, pool, page, slow=True)


@router.get("/scores/{subject:path}", response_model=SubjectCard)
async def subject(
    request: Request, subject: Annotated[str, Path(max_length=200)], kind: Kind = None, experiments: Experiments = ()
) -> Response:
    """One subject: its scores, and its card."""
    return await reply_of_ended(request, subject_card, kind, subject, experiments, slow=True)
