"""`ostrom journal` checks a journal, repairs it, and sets the cost of calls without a response."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

import typer

from ostrom.core.command import at_store
from ostrom.core.text import number_of
from ostrom.journal.check import RowProblem
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal, repair_journal
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import ActionGroup, made_as
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import out, print_json

_MAX_LISTED_PROBLEMS: Final = 20


def check(store: opt.Store = None, json: opt.Json = False) -> None:
    """List rows that make the journal unreadable; the exit status is 1 if there are any."""
    with open_journal(store) as journal, games_bar("rows", None, unit="") as advance:
        damage, problems = journal.check(advance)
    if json:
        documents = [_document(problem) for problem in problems]
        print_json({"journal": journal.label, "file": list(damage), "problems": documents})
    else:
        for line in damage[:_MAX_LISTED_PROBLEMS]:
            out.print(f"the file itself is damaged: {line}", markup=False, soft_wrap=True)
        _print_problems(problems)
        if not damage and not problems:
            out.print(f"The journal {journal.label} is sound.", markup=False)
        else:
            out.print(
                f"Mend it with: ostrom journal repair{at_store(printable_url(store))}", markup=False, soft_wrap=True
            )
    if damage or problems:
        raise typer.Exit(1)


def repair(store: opt.Store = None, json: opt.Json = False) -> None:
    """Copy the journal, and then repair the rows that make it unreadable."""
    journal, repaired = repair_journal(store)
    if json:
        copy = None if repaired.copy is None else str(repaired.copy)
        mended = [_document(problem) for problem in repaired.problems]
        left = [_document(problem) for problem in repaired.left]
        print_json({"journal": journal.label, "copy": copy, "mended": mended, "left": left})
    elif repaired.copy is None:
        out.print(f"The journal {journal.label} is sound; nothing was changed.", markup=False)
    else:
        _print_problems(repaired.problems)
        original = "the original journal is" if journal.local else "the original rows are in"
        number = number_of(len(repaired.problems), "thing")
        out.print(f"{number} mended; {original} {repaired.copy}", markup=False, soft_wrap=True)
        _print_problems(repaired.left)
    if repaired.left:
        raise typer.Exit(1)


def settle(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="The experiment, by id or name.")],
    charged: Annotated[float, typer.Option(min=0, help="Total cost of these calls in dollars.")],
    tokens: Annotated[int, typer.Option(min=0, help="Total number of tokens of these calls.")] = 0,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Set the cost of calls that were sent without a response. Until then, they count with their maximum cost."""
    with open_journal(store) as journal:
        experiment_id = journal.experiment_id(experiment)
        with journal.claim(experiment_id):  # The calls of a running experiment may still get a response.
            before, after = journal.settle(experiment_id, charged, tokens)
    if json:
        print_json(
            {"experiment": experiment_id, "calls": before.unsettled, "before": before.dollars, "after": after.dollars}
        )
        return
    if not before.unsettled:
        out.print(f"{experiment_id} has no calls that were sent without a response.", markup=False)
        return
    calls = number_of(before.unsettled, "call")
    out.print(
        f"{calls} of {experiment_id} now count as ${after.dollars:,.4f}; before, they counted as "
        f"${before.dollars:,.4f}.",
        markup=False,
    )


class JournalActions(ActionGroup):
    """Commands that check and correct a journal."""

    title = "journal"
    actions: ClassVar = {"check": check, "repair": repair, "settle": settle}


@made_as(JournalActions)
def journal() -> None:
    """Check a journal, repair it, or settle the cost of calls without a response."""


def _print_problems(problems: Sequence[RowProblem]) -> None:
    for problem in problems[:_MAX_LISTED_PROBLEMS]:
        out.print(str(problem), markup=False, soft_wrap=True)
    if len(problems) > _MAX_LISTED_PROBLEMS:
        out.print(f"… and {len(problems) - _MAX_LISTED_PROBLEMS:,} more; --json has all of them", markup=False)


def _document(problem: RowProblem) -> dict[str, str]:
    return {"where": problem.where, "what": problem.what, "remedy": problem.remedy}
