"""`ostrom import`: others' logs, replayed through our rules."""

from pathlib import Path
from typing import Annotated

import typer

from ostrom.cli import options as opt

app = typer.Typer(help="Import others' logs; every game is replayed through our own rules first.", no_args_is_help=True)


@app.callback()
def sources() -> None:
    """Import others' logs; every game is replayed through our own rules first."""


@app.command("pgg-bench")
def pgg_bench(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the game_….jsonl files.")],
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the games of PGG-Bench; importing again changes nothing."""
    from ostrom.cli.output import games_bar, out, print_json
    from ostrom.importers.pgg_bench import import_logs, logs_in
    from ostrom.journal.location import store_url
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
