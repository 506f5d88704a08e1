"""Commands for the data of sessions: `ostrom session export` and `ostrom session forget`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ostrom.core import InputError
from ostrom.core.outlets import complain
from ostrom.core.text import number_of, one_line
from ostrom.experiment.session.forgetting import due_sessions, forget_session
from ostrom.findings.session_export import SessionFormat, export_session
from ostrom.journal.open import open_journal
from ostrom.journal.sessions import StoredSession
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.sheets import out, print_json


def export_data(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The session, by id or name.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new or empty folder.")],
    format_: Annotated[
        SessionFormat,
        typer.Option(
            "--format",
            help="Tidy tables, oTree's wide or long shape, or transcripts with a line for each participant.",
        ),
    ] = SessionFormat.tidy,
    personal: Annotated[
        bool,
        typer.Option("--personal", help="Include labels, panel ids, free texts and the messages of the lobby."),
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Write the data of a session to a folder."""
    with open_journal(store) as journal:
        counts = export_session(journal, name, format_, output, personal=personal)
    if json:
        print_json({"folder": str(output), "files": counts, "personal": personal})
        return
    unit = "line" if format_ is SessionFormat.psych_201 else "row"
    for file, count in counts.items():
        out.print(f"{output / file}: {number_of(count, unit)}", markup=False, soft_wrap=True)
    if personal:
        complain("these files have personal data; keep and delete them as you have promised the participants")


def forget(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The session, by id or name.")] = None,
    *,
    due: Annotated[
        bool, typer.Option("--due", help="All sessions whose retention_days are over, counted from their last entry.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Delete the personal data of a session: labels, panel ids, free texts, and all messages. Decisions, points and
    payments remain, and an entry says what was deleted."""
    if due == (name is not None):
        raise InputError("name a session, or use --due for all whose time is over; not both")
    with open_journal(store) as journal:
        chosen = due_sessions(journal) if name is None else [journal.sessions.find(name)]
        if chosen and not yes:
            _ask(chosen)
        results = [_forget(journal, session, quiet=json) for session in chosen]
    if json:
        print_json({"forgotten": results})
    elif not results:
        out.print("No session is due.")


def _ask(chosen: Sequence[StoredSession]) -> None:
    """Ask whether personal data are to be deleted; without a terminal, raise InputError."""
    listed = ", ".join(f"{session.id} ({session.name})" for session in chosen)
    if not sys.stdin.isatty():
        raise InputError(f"the personal data of {listed} would be deleted for good; add --yes to confirm")
    typer.confirm(f"Delete the personal data of {one_line(listed)} for good?", abort=True)


def _forget(journal: Journal, session: StoredSession, *, quiet: bool) -> dict[str, object]:
    erased = forget_session(journal, session.id)
    if not quiet:
        counts = ", ".join(f"{count} {kind}" for kind, count in erased.counts.items()) or "nothing was there"
        out.print(f"{session.id} ({session.name}): personal data deleted: {counts}", markup=False, soft_wrap=True)
    if erased.incomplete is not None:
        complain(erased.incomplete)
    for copy in journal.copies():
        complain(f"the copy {copy} still has the data; delete it if you do not need it")
    return {"id": session.id, "name": session.name, "deleted": erased.counts, "incomplete": erased.incomplete}
