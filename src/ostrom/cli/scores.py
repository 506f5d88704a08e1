"""`ostrom scores`: what the battery says about every subject, beside what is known of people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.games.battery.scores.table import SubjectScores

Experiment = Annotated[
    str | None, typer.Option(metavar="EXPERIMENT", help="Only the answers of this one, by id or name.")
]
OfSubject = Annotated[
    list[str] | None, typer.Option("--subject", metavar="SUBJECT", help="Only this subject; may be given again.")
]


def scores(
    experiment: Experiment = None,
    subject: OfSubject = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Score the subjects of the battery: rationality, social preferences, cooperation and depth."""
    from ostrom.cli.output import out, print_json
    from ostrom.games.battery.score_sheets import score_sheets
    from ostrom.games.battery.scores.table import human_record

    found = subjects_of_store(store, experiment, subject or ())
    if json:
        print_json({"scores": [*(one.as_record() for one in found), human_record()]})
        return
    for place, (sheet, notes) in enumerate(score_sheets(found)):
        if place:
            out.print()
        out.print(sheet)
        for note in notes:
            out.print(note, markup=False, style="dim", soft_wrap=False)


def subjects_of_store(store: str | None, experiment: str | None, subjects: Sequence[str] = ()) -> "list[SubjectScores]":
    """The subjects that answered stated tasks in the journal, scored; at least one."""
    from ostrom.cli.store import open_journal
    from ostrom.cli.studied import check_installed

    check_installed()
    from ostrom.games.battery.study import BATTERY

    with open_journal(store) as journal:
        where = f"the journal {journal.label}" if experiment is None else f"the experiment {experiment}"
        return BATTERY.scored(journal.records(experiment), where, subjects)  # type: ignore[return-value]
