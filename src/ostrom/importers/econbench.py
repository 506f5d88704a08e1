"""Imports the results of EconBench as recorded answers of subjects. If the files have trials, every trial is imported.
Otherwise only the indifference points are imported. Nothing is replayed, since EconBench's questions differ from
Ostrom's. The answers are marked as imported."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.core import InputError, Provenance, RecordError, Seat
from ostrom.core.outlets import legible
from ostrom.experiment import make_rules
from ostrom.games.battery.items import TaskEnded
from ostrom.games.battery.scores.rationality import BatterySubject
from ostrom.games.battery.scores.table import DEFINITIONS
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.tables import events_by_subject
from ostrom.importers import UNEXPECTED, Name, experiment_of, files_in, unreadable
from ostrom.importers.econbench_files import TaskFile, read_file
from ostrom.journal.open import open_journal
from ostrom.journal.record import GameRecord, RecordedAnswer, RecordedSeat, origin_of, rules_of
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, out, print_json
from ostrom.version import VERSION

EXPERIMENT = "econbench"


@dataclass
class EconbenchReport:
    """The result of an import from EconBench."""

    subjects: list[str] = field(default_factory=list)
    tasks: int = 0
    """The number of tasks that were read. A task of two subjects counts twice."""
    new: int = 0
    """The number of tasks that were not in the journal before."""
    answers: int = 0
    points: int = 0
    """The number of indifference points."""
    unread: dict[str, int] = field(default_factory=dict)
    """By subject: the number of answers that the files count although the stored replies do not contain them."""
    published: dict[str, dict[str, float]] = field(default_factory=dict)
    """By subject: the published scores."""
    ignored: list[str] = field(default_factory=list)
    """Files of unknown structure."""
    unreadable: list[str] = field(default_factory=list)
    """Unreadable files, each with the reason."""


def results_in(folder: Path) -> list[Path]:
    """Return the result files of a folder, sorted by name."""
    return files_in(folder, ".json", "the result files of EconBench")


def read_results(
    files: list[Path], progress: Callable[[], None] = lambda: None
) -> tuple[list[TaskFile], EconbenchReport]:
    """Read result files one by one; raise `InputError` if none is usable."""
    tasks: list[TaskFile] = []
    report = EconbenchReport()
    for path in files:
        try:
            content = read_file(path)
        except RecordError as error:
            report.unreadable.append(str(error))
        else:
            if isinstance(content, dict):
                report.published.setdefault(content["model"], {}).update(published_scores(content))
            elif content:
                tasks += content
            else:
                report.ignored.append(path.name)
        progress()
    if not tasks:
        folder = files[0].parent if files else Path()
        first = f" ({report.unreadable[0]})" if report.unreadable else ""
        raise InputError(f"{folder} has no usable result file of EconBench{first}; name the right folder")
    return tasks, report


def import_results(
    tasks: list[TaskFile], report: EconbenchReport, journal: Journal, *, name: str = EXPERIMENT
) -> EconbenchReport:
    """Store results in the experiment of this name; tasks that it already has are not changed."""
    settings = {"source": "results of EconBench", "published": report.published}
    experiment = experiment_of(journal, name, settings)
    for file in tasks:
        try:
            game, record = TASKS[file.task].game, record_of_file(file)
            origin = origin_of(game, rules_of(game, record.rules), len(record.seats))
        except (RecordError, *UNEXPECTED) as error:
            report.unreadable.append(unreadable(Path(file.source), error))
            continue
        report.new += journal.add_game(experiment, record, key=f"{file.task}/{file.model}", origin=origin)
        report.tasks += 1
        report.answers += len(file.items)
        report.points += len(file.sequences)
        if file.unread:
            report.unread[file.model] = report.unread.get(file.model, 0) + file.unread
    report.subjects = sorted({file.model for file in tasks})
    return report


def record_of_file(file: TaskFile) -> GameRecord:
    """Return the record of one task of one model. Settings that Ostrom's rules do not allow are replaced by the
    defaults."""
    game = TASKS[file.task].game
    try:
        rules = make_rules(game, file.settings)
    except InputError:
        rules = game.rules()
    valid = sum(item.answer is not None for item in file.items)
    faults = {"malformed": len(file.items) - valid} if valid < len(file.items) else {}
    ended = TaskEnded(task=file.task, items=len(file.items), valid=valid, faults=faults)
    events = [*file.items, *file.sequences, ended]
    return GameRecord(
        ostrom=VERSION,
        game=game.name,
        seed=None,
        number=0,
        source=file.source,
        rules=rules.model_dump(mode="json"),
        seats=[RecordedSeat(seat=0, label=Seat(0).label, player=file.model)],
        answers=[
            RecordedAnswer(turn=item.number, phase=item.role, seat=0, value=item.answer, provenance=Provenance.IMPORTED)
            for item in file.items
            if item.answer is not None
        ],
        events=[event.as_record() for event in events],
    )


_PUBLISHED = {
    "delta": ("patience", "discount_factor"),
    "err_ev": ("risk", "error_rate"),
    "penalty_published": ("penalties", "magnitude_effect"),
    "dictator": ("altruism", "mean_offer"),
    "altruism": ("altruism", "score"),
    "offer": ("fairness", "mean_offer"),
    "fairness": ("fairness", "score"),
    "minimum_acceptable": ("responder", "mao"),
    "social": ("pro_social_score",),
}
"""For each of Ostrom's scores, its path in the files of published scores."""


def published_scores(content: dict[str, Any]) -> dict[str, float]:
    """Return the scores in a file of published scores, under Ostrom's names of the scores."""
    scores: dict[str, float] = {}
    for name, path in _PUBLISHED.items():
        value: Any = content["metrics"]
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            scores[name] = float(value)
    return scores


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the result files (….json).")],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the results of EconBench as answers of subjects, and compare our scores with the published ones; importing
    again changes nothing."""
    files = results_in(folder)
    with games_bar("files", len(files)) as advance:
        results = read_results(files, progress=advance)
    with open_journal(store, create=True) as journal:
        report = import_results(*results, journal, name=name)
        comparison = _compare(journal, name, report)
    if json:
        print_json({**asdict(report), "compared": comparison})
    else:
        out.print(
            f"{report.tasks:,} tasks of {len(report.subjects):,} subjects, {report.new:,} of them new: "
            f"{report.answers:,} answers, {report.points:,} indifference points."
        )
        for subject, count in report.unread.items():
            what = "answers are counted by the source but not found in its stored replies"
            out.print(legible(f"  {subject}: {count:,} {what}"))
        for name in report.ignored:
            out.print(legible(f"  {name}: unknown structure"))
        for reason in report.unreadable:
            out.print(legible(f"  {reason}"))
        if comparison:
            out.print(_comparison_sheet(comparison))
    if report.unreadable:
        raise typer.Exit(1)


def _compare(journal: Journal, name: str, report: EconbenchReport) -> list[dict[str, Any]]:
    """Return each published score together with the score of Ostrom that has the same or a similar definition."""
    rows: list[dict[str, Any]] = []
    for subject, tasks in events_by_subject(journal.records(name)).items():
        answers = BatterySubject(subject, tasks)
        for score, value in report.published.get(subject, {}).items():
            ours = DEFINITIONS[score].score(answers).value
            rows.append({"subject": subject, "score": score, "published": value, "ours": ours})
    return rows


def _comparison_sheet(comparison: list[dict[str, Any]]) -> Sheet:
    columns = [Column("subject"), Column("score"), Column("published", number=True), Column("ours", number=True)]
    rows: list[Sequence[str]] = [
        (row["subject"], row["score"], f"{row['published']:.4f}", "–" if row["ours"] is None else f"{row['ours']:.4f}")
        for row in comparison
    ]
    caption = "Published fairness is the mean offer ÷ 50; ours is the share of offers under half that are rejected."
    return Sheet("Published and recomputed scores", columns, rows, caption)
