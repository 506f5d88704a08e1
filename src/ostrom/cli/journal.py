"""`ostrom journal`: whether a journal can be read, mending one that cannot, and what calls came to that never came
back."""

from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from ostrom.core.command import at_store
from ostrom.core.errors import InputError
from ostrom.core.text import number_of
from ostrom.journal.check import RowProblem
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import command_of, made_as
from ostrom.terminal.sheets import out, print_json

_SHOWN: Final = 20


def check(store: opt.Store = None, json: opt.Json = False) -> None:
    """Look for rows that keep the journal from being read; exit status 1 where there are any."""
    with open_journal(store) as journal:
        damaged, found = journal.check()
    if json:
        print_json({"journal": journal.label, "file": list(damaged), "problems": [_document(one) for one in found]})
    else:
        for line in damaged[:_SHOWN]:
            out.print(f"the file itself is damaged: {line}", markup=False, soft_wrap=True)
        _list(found)
        if not damaged and not found:
            out.print(f"The journal {journal.label} is sound.", markup=False)
        else:
            out.print(
                f"Mend it with: ostrom journal repair{at_store(printable_url(store))}", markup=False, soft_wrap=True
            )
    if damaged or found:
        raise typer.Exit(1)


def repair(store: opt.Store = None, json: opt.Json = False) -> None:
    """Mend rows that keep the journal from being read; a copy is kept first."""
    with open_journal(store) as journal:
        done = journal.repair()
    if json:
        kept = None if done.copy is None else str(done.copy)
        lists = {"mended": [_document(one) for one in done.problems], "left": [_document(one) for one in done.left]}
        print_json({"journal": journal.label, "copy": kept, **lists})
    elif done.copy is None:
        out.print(f"The journal {journal.label} is sound; nothing was changed.", markup=False)
    else:
        _list(done.problems)
        kept = "the journal as it was is" if journal.local else "the rows as they were are in"
        mended = number_of(len(done.problems), "thing")
        out.print(f"{mended} mended; {kept} {done.copy}", markup=False, soft_wrap=True)
        _list(done.left)
    if done.left:
        raise typer.Exit(1)


def settle(
    experiment: Annotated[str, typer.Argument(help="The experiment, by id or name.")],
    charged: Annotated[float, typer.Option(min=0, help="Dollars that they came to, all together.")],
    tokens: Annotated[int, typer.Option(min=0, help="Tokens that they used, all together.")] = 0,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Say what calls came to that were sent and never came back, in place of the most that they can have cost."""
    with open_journal(store) as journal:
        wanted = journal.experiment_id(experiment)
        with journal.claim(wanted):  # what is in flight right now is not lost
            before, after = journal.settle(wanted, charged, tokens)
    if json:
        print_json({"experiment": wanted, "calls": before.unsettled, "before": before.dollars, "after": after.dollars})
        return
    if not before.unsettled:
        out.print(f"{wanted} has no calls that were sent and did not come back.", markup=False)
        return
    calls = number_of(before.unsettled, "call")
    out.print(f"{calls} of {wanted} count ${after.dollars:,.4f} now, ${before.dollars:,.4f} before.", markup=False)


_ACTIONS: Final = {"check": check, "repair": repair, "settle": settle}


class Actions(TyperGroup):
    """What can be done with a journal."""

    def list_commands(self, ctx: Any) -> list[str]:
        """By name."""
        return list(_ACTIONS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name."""
        if cmd_name not in _ACTIONS:
            raise InputError(f"there is no 'ostrom journal {cmd_name}'; it must be one of {', '.join(_ACTIONS)}")
        return command_of(_ACTIONS[cmd_name], cmd_name)


@made_as(Actions)
def journal() -> None:
    """Check a journal, mend one that cannot be read, or settle calls that never came back."""


def _list(found: Any) -> None:
    for problem in found[:_SHOWN]:
        out.print(str(problem), markup=False, soft_wrap=True)
    if len(found) > _SHOWN:
        out.print(f"… and {len(found) - _SHOWN:,} more; --json has all of them", markup=False)


def _document(problem: RowProblem) -> dict[str, str]:
    return {"where": problem.where, "what": problem.what, "remedy": problem.remedy}
