"""`ostrom resume`: goes on with an experiment that was stopped, and plays nothing twice."""

from typing import Annotated

import typer

from ostrom.cli import options as opt


def resume(
    experiment: Annotated[
        str | None, typer.Argument(help="Which one, by id or name; else the only unfinished.")
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Go on with an experiment that was stopped; what is decided stays, and only the missing games are played."""
    from ostrom.cli.bench import finish
    from ostrom.cli.store import open_journal
    from ostrom.lab.experiments import experiment_of
    from ostrom.table import InputError

    with open_journal(store) as journal:
        rows = journal.experiments()
        if experiment is None:
            unfinished = [row for row in rows if row.state == "unfinished"]
            if len(unfinished) != 1:
                named = ", ".join(row.id for row in unfinished) or "none"
                raise InputError(f"name the experiment to go on with; unfinished: {named}")
            wanted = unfinished[0].id
        else:
            wanted = journal.experiment_id(experiment)
        row = next(row for row in rows if row.id == wanted)
        planned = experiment_of(row.name, row.settings)
        finish(planned, journal, store, json=json, experiment=wanted)
