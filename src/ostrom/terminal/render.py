"""Renders findings for people and programs: sheets that fit the terminal, or one JSON document."""

import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from typing_extensions import override

from ostrom.core.command import at_store
from ostrom.core.entry_points import named_files_as_plugins
from ostrom.core.finding import Column, Finding, Row, Table
from ostrom.core.outlets import legible
from ostrom.core.verb import Reporter
from ostrom.journal.engine import printable_url
from ostrom.terminal import sheets
from ostrom.terminal.progress import games_bar
from ostrom.terminal.settings import as_option, option_name
from ostrom.terminal.sheets import Sheet, err, out, print_json

SHORT_OPTIONS: Final = {"output": "-o"}
"""Short options in commands that are printed for the user."""


class TerminalReporter(Reporter):
    """Prints notes and progress on standard error."""

    def __init__(self, scratch: Path | None = None) -> None:
        self.scratch = scratch

    @override
    def note(self, text: str) -> None:
        # In a file or a pipe, a message stays one line.
        err.print(text, soft_wrap=not err.is_terminal)

    @override
    def spell(self, name: str, value: str | None) -> str:
        return as_option(name, value)

    @override
    def bar(self, title: str, total: int | None, unit: str = "games") -> AbstractContextManager[Callable[..., None]]:
        return games_bar(title, total, unit)


def sheet_of(table: Table) -> Sheet:
    """Return a table as a sheet for the terminal."""
    columns: list[sheets.Column] = []
    cells: list[Callable[[Row], str]] = []
    for column in table.columns:
        if column.heading is None:
            continue
        columns.append(sheets.Column(column.heading, column.number, column.spare, column.wraps, lines=column.multiline))
        cells.append(column.text)
        if column.interval == "beside":
            columns.append(_interval_column(column))
            cells.append(column.interval_text)
    rows = [[cell(row) for cell in cells] for row in table.rows]
    return Sheet(table.title, columns, rows, caption=table.caption, best=table.best)


def _interval_column(column: Column) -> sheets.Column:
    return sheets.Column(column.interval_heading, True, column.interval_spare)


def _print_table(table: Table) -> None:
    sheet, notes = sheet_of(table), table.notes
    if table.explain is not None:
        headings = {sheet.columns[index].heading for index in sheet.visible_columns(out.width)}
        visible = [column.name for column in table.columns if column.heading in headings]
        sheet.caption, notes = table.explain(visible)
    out.print(sheet)
    for note in notes:
        out.print(note, style="dim")


def show(finding: Finding, *, json: bool = False) -> None:
    """Print a finding: its lines, tables and sentences, or one JSON document."""
    if json:
        print_json(finding.as_record())
        return
    for line in finding.lines:
        out.print(line, soft_wrap=bool(finding.transcript))
    if finding.transcript and finding.lines:
        out.print()
    for line in finding.transcript:
        # Characters that the terminal's encoding lacks are escaped.
        text = legible(line).encode(out.encoding, "backslashreplace").decode(out.encoding)
        out.print(text, soft_wrap=True)
    tables = [table for table in finding.parts if table.on_terminal]
    for place, table in enumerate(tables):
        if place or finding.lines or finding.transcript:
            out.print()
        for line in table.lines_above:
            out.print(line)
        if table.columns:
            _print_table(table)
    blocks = len(finding.lines) + len(tables)
    for place, sentence in enumerate(finding.sentences):
        out.print(f"\n{sentence}" if blocks or place else sentence)


def print_next_steps(finding: Finding, store: str | None) -> None:
    """Print the commands that continue from a finding, one per line."""
    for place, step in enumerate(finding.next_steps):
        words = ["ostrom", step.verb, *map(shlex.quote, step.arguments)]
        for name, value in step.settings.items():
            words += [SHORT_OPTIONS.get(name) or option_name(name), shlex.quote(value)]
        head = "" if place else "Next"
        files = named_files_as_plugins()
        out.print(f"{head:<13}{' '.join(words)}{files}{at_store(printable_url(store))}", soft_wrap=True)
