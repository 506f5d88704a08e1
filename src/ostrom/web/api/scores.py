"""Scores of subjects in a family of tasks. This module has a table of the scores of all subjects, and the card of one
subject."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from ostrom.analysis.pooling import PoolOption
from ostrom.analysis.study import Scored, SubjectStudy
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast
from ostrom.core import UnknownName
from ostrom.core.estimates import Estimate
from ostrom.web.api.charts import CONFIG, Chart, card_chart
from ostrom.web.api.studies import Experiments, Kind, Offset, Pool
from ostrom.web.api.tables import MAX_SCORED_SUBJECTS, find_family, score_subject, score_subjects, select_subjects
from ostrom.web.replies import Shape, Span, reply_of_ended
from ostrom.web.service import Service

PEOPLE: Final = "people"
"""The name of the row with published results of people."""


class ScoreCell(Span):
    """A score of a subject."""

    name: str


class ScoreWord(Shape):
    """A score whose value is a word, or the reason why it has no value."""

    name: str
    value: str | None
    reason: str | None


class ScoreRow(Shape):
    """A subject's scores."""

    subject: str
    label: str
    word: str | None
    """The type of the subject in words, if it has one."""
    scores: list[ScoreCell]
    words: list[ScoreWord]
    """The scores whose value is a word, such as a label."""


class ScoreColumn(Shape):
    """The description of a score."""

    name: str
    title: str
    definition: str
    unit: str
    theme: str
    decimals: int


class ScoreTheme(Shape):
    """A theme of scores."""

    name: str
    title: str


class ScoreTable(Shape):
    """Scores of all subjects of a family of tasks."""

    kind: str
    columns: list[ScoreColumn]
    themes: list[ScoreTheme]
    """The themes in the order in which they are displayed."""
    rows: list[ScoreRow]
    people: ScoreRow
    """Published results of people, for comparison."""
    total: int
    """The number of all subjects."""
    offset: int
    reason: str | None = None
    """The reason why there are no rows."""
    sort: str | None = None
    """The score by which subjects are sorted. It is missing if they are sorted by name or in the order of the
    report."""
    left_out: list[str] = Field(default_factory=list)
    """The excluded subjects, described in sentences."""


class CardHeadlinePart(Shape):
    """A component of a headline score."""

    name: str
    top: float
    """The upper end of the axis on which the component is shown. The axis starts at 0."""
    note: str
    """The unit of the figure, if its title does not name it."""


class CardHeadline(Shape):
    """A main score at the top of a card, from 0 to 100."""

    name: str
    meaning: str
    parts: list[CardHeadlinePart]
    words: list[str]
    """The scores that are words and belong to this main score."""
    labelled: bool
    """True if the subject's label is shown together with this score."""


class SubjectCard(Shape):
    """The results of a subject in a family of tasks."""

    kind: str
    title: str
    """The name of the family."""
    row: ScoreRow
    people: ScoreRow
    """Published results of people, for comparison."""
    columns: list[ScoreColumn]
    themes: list[ScoreTheme]
    headlines: list[CardHeadline]
    config: dict[str, Any]
    chart: Chart


@dataclass(frozen=True, slots=True)
class ScorePage:
    """The position and the order of a page of scores."""

    offset: int
    limit: int
    sort: str | None = None
    ascending: bool = False


def score_table(
    service: Service, kind: str | None, experiments: tuple[str, ...], pool: tuple[PoolOption, ...], page: ScorePage
) -> ScoreTable:
    """Return a page of scores. The subjects are in the order of the report or sorted by a score. If there are too many
    subjects for this, they are sorted by name."""
    study = find_family(service, kind)
    selection = select_subjects(service, study, experiments, pool)
    if page.sort is not None and page.sort not in {scale.name for scale in study.scales if not scale.words}:
        raise UnknownName("score", page.sort, [], catalogue="the columns of /api/scores list them")
    if len(selection.games) > MAX_SCORED_SUBJECTS and page.sort is None:
        names = list(selection.games)[page.offset : page.offset + page.limit]
        rows = [score_subject(service, selection, name) for name in names]
    else:
        rows = _by_score(score_subjects(service, selection, ()), page)[page.offset : page.offset + page.limit]
    return ScoreTable(
        **_about(study),
        rows=[_row(row, selection.cast) for row in rows],
        total=len(selection.games),
        offset=page.offset,
        reason=None if selection.games else study.no_answers(service.journal.label),
        sort=page.sort,
        left_out=list(selection.left_out),
    )


def _by_score(rows: list[Scored], page: ScorePage) -> list[Scored]:
    """Return the rows sorted by a score, by default from the highest. Subjects without a value come last."""
    if page.sort is None:
        return rows
    score, sign = page.sort, 1 if page.ascending else -1

    def sort_key(subject: Scored) -> tuple[bool, float]:
        cell = subject.scores.get(score) or subject.invalid.get(score)
        value = None if cell is None else cell.value
        return value is None, sign * (value or 0.0)

    return sorted(rows, key=sort_key)


def subject_card(service: Service, kind: str | None, subject: str, experiments: tuple[str, ...]) -> SubjectCard:
    """Return one subject's card; raise `UnknownName` if it has no answers."""
    study = find_family(service, kind)
    selection = select_subjects(service, study, experiments, ("people",))
    return SubjectCard(
        **_about(study),
        title=study.title,
        row=_row(score_subject(service, selection, subject), selection.cast),
        headlines=list(subject_charts(study).headlines),
        config=CONFIG,
        chart=card_chart(service, selection, subject, "card"),
    )


def _about(study: SubjectStudy) -> dict[str, Any]:
    """Return the fields that tables and cards of a family share. The scores of people are from the literature; the
    field `reason` has their source."""
    return {
        "kind": study.command,
        "columns": [replace(scale, unit="word") if scale.words else scale for scale in study.scales],
        "themes": [ScoreTheme(name=name, title=title) for name, title in study.themes.items()],
        "people": ScoreRow(subject=PEOPLE, label=PEOPLE, word=None, scores=_cells(study.reference()), words=[]),
    }


def _row(scored: Scored, cast: Cast) -> ScoreRow:
    return ScoreRow(
        subject=scored.subject,
        label=cast.label(scored.subject),
        word=scored.label,
        scores=_cells({**scored.scores, **scored.invalid}),
        words=[ScoreWord(name=name, value=word.value, reason=word.reason) for name, word in scored.words.items()],
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
        str | None, Query(max_length=100, description="The score to sort by; by default as in a report.")
    ] = None,
    order: Annotated[Literal["highest", "lowest"], Query(description="The direction of sorting.")] = "highest",
) -> Response:
    """Return the scores of some subjects, the best first, with those of people for comparison. Computing the scores of
    a subject takes about a second. Therefore pages are small, and more than a hundred subjects are sorted by name."""
    page = ScorePage(offset, limit, sort, order == "lowest")
    return await reply_of_ended(request, score_table, kind, experiments, pool, page, slow=True)


@router.get("/scores/{subject:path}", response_model=SubjectCard)
async def subject(
    request: Request, subject: Annotated[str, Path(max_length=200)], kind: Kind = None, experiments: Experiments = ()
) -> Response:
    """Return one subject: its scores, and its card."""
    return await reply_of_ended(request, subject_card, kind, subject, experiments, slow=True)
