"""Renders findings for people and programs: sheets that fit the terminal, or one JSON document."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from typing_extensions import override

from ostrom.core.finding import Column, Finding, Row, Table
from ostrom.core.verb import Reporter
from ostrom.terminal import sheets
from ostrom.terminal.progress import games_bar
from ostrom.terminal.settings import as_option
from ostrom.terminal.sheets import Sheet, err, out, print_json


class TerminalReporter(Reporter):
    """Prints notes and progress on standard error."""

    def __init__(self, scratch: Path | None = None) -> None:
        self.scratch = scratch

    @override
    def note(self, text: str) -> None:
        err.print(text)

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
        out.print(line)
    tables = [table for table in finding.parts if table.on_terminal]
    for place, table in enumerate(tables):
        if place or finding.lines:
            out.print()
        for line in table.lines_above:
            out.print(line)
        if table.columns:
            _print_table(table)
    blocks = len(finding.lines) + len(tables)
    for place, sentence in enumerate(finding.sentences):
        out.print(f"\n{sentence}" if blocks or place else sentence, soft_wrap=True)
