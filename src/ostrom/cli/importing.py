"""`ostrom import`: others' logs and results. Games are replayed through our rules, answers are kept as recorded."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.cli.output import Sheet
    from ostrom.importers.econbench import EconbenchReport
    from ostrom.journal.sql import Journal

_HELP = "Import others' logs and results; games are replayed through our own rules first."

app = typer.Typer(help=_HELP, no_args_is_help=True)


@app.callback(help=_HELP)
def sources() -> None:
    """The sources that can be imported."""


@app.command("pgg-bench")
def pgg_bench(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the game_….jsonl files.")],
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the games of PGG-Bench; importing again changes nothing."""
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.importers.pgg_bench import import_logs, logs_in
    from ostrom.journal.engine import store_url
    from ostrom.journal.sql import Journal

    files = logs_in(folder)
    with Journal.open(store_url(store), create=True) as journal, games_bar("logs", len(files)) as (progress, task):
        report = import_logs(files, journal, progress=lambda: progress.advance(task))
    if json:
        print_json(report.as_record())
    else:
        kept = f"{report.replayed_exactly:,} of {report.games:,} games replayed exactly, {report.new:,} of them new"
        out.print(f"{kept}; {len(report.mismatches):,} do not agree, {len(report.unreadable):,} files cannot be read.")
        for mismatch in report.mismatches:
            out.print(f"  {mismatch.file}, round {mismatch.round}: {mismatch.what}", markup=False)
        for reason in report.unreadable:
            out.print(f"  {reason}", markup=False)
    if report.mismatches or report.unreadable:
        raise typer.Exit(1)


@app.command("econbench")
def econbench(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the result files (….json).")],
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the results of EconBench as answers of subjects, and compare our scores with the published ones; importing
    again changes nothing."""
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.importers.econbench import import_results, read_results, results_in
    from ostrom.journal.engine import store_url
    from ostrom.journal.sql import Journal

    files = results_in(folder)
    with games_bar("files", len(files)) as (progress, task):
        results = read_results(files, progress=lambda: progress.advance(task))
    with Journal.open(store_url(store), create=True) as journal:
        report = import_results(results, journal)
        compared = _compared(journal, report)
    if json:
        print_json({**report.as_record(), "compared": compared})
    else:
        out.print(
            f"{report.tasks:,} tasks of {len(report.subjects):,} subjects, {report.new:,} of them new: "
            f"{report.answers:,} answers, {report.points:,} indifference points."
        )
        for subject, count in report.unread.items():
            what = "answers are counted by the source, though the replies that it keeps do not say them"
            out.print(f"  {subject}: {count:,} {what}", markup=False)
        for name in report.ignored:
            out.print(f"  {name}: of no structure that is known", markup=False)
        for reason in report.unreadable:
            out.print(f"  {reason}", markup=False)
        if compared:
            out.print(_comparison(compared))
    if report.unreadable:
        raise typer.Exit(1)


def _compared(journal: "Journal", report: "EconbenchReport") -> list[dict[str, Any]]:
    """Our score beside every published one that has the same definition, or what passes for it."""
    from ostrom.games.battery.scores.rationality import risk_scores, time_scores
    from ostrom.games.battery.scores.social import social_scores
    from ostrom.games.battery.tables import events_by_subject

    rows: list[dict[str, Any]] = []
    for subject, tasks in events_by_subject(journal.records("econbench")).items():
        published = report.published.get(subject)
        if not published:
            continue
        social = social_scores(tasks)
        ours = {name: getattr(social, name).value for name in published if hasattr(social, name)}
        if "time" in tasks:
            time = time_scores(tasks["time"])
            ours |= {"delta": time.delta.value, "penalty": time.magnitude.penalty.value}
        if "risk" in tasks:
            ours["err_ev"] = risk_scores(tasks["risk"]).errors.expected_value.value
        rows += [
            {"subject": subject, "score": name, "published": value, "ours": ours.get(name)}
            for name, value in published.items()
        ]
    return rows


def _comparison(compared: list[dict[str, Any]]) -> "Sheet":
    from ostrom.cli.output import Column, Sheet

    columns = [Column("subject"), Column("score"), Column("published", number=True), Column("ours", number=True)]
    rows: list[Sequence[str]] = [
        (row["subject"], row["score"], f"{row['published']:.4f}", "–" if row["ours"] is None else f"{row['ours']:.4f}")
        for row in compared
    ]
    caption = "Published fairness is the mean offer ÷ 50; ours is the share of offers under half that are rejected."
    return Sheet("Published and recomputed scores", columns, rows, caption)
