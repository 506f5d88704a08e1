"""`ostrom resume`: goes on with an experiment that was stopped, and plays nothing twice."""

from typing import Annotated

import typer

from ostrom.cli import options as opt


def resume(
    context: typer.Context,
    experiment: Annotated[
        str | None, typer.Argument(help="Which one, by id or name; else the only unfinished.")
    ] = None,
    attempts: opt.Attempts = None,
    retries: opt.Retries = None,
    calls: opt.Calls = None,
    per_provider: opt.PerProvider = None,
    at_once: opt.AtOnce = None,
    timeout: opt.Timeout = None,
    patience: opt.Patience = None,
    budget: opt.Budget = None,
    token_budget: opt.TokenBudget = None,
    players: opt.Players = None,
    cluster: opt.Cluster = None,
    seconds: opt.Seconds = None,
    wait: opt.Wait = None,
    host: opt.SeatHost = None,
    port: opt.SeatPort = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Go on with an experiment that was stopped; what is decided stays, and only what is missing is asked for."""
    from dataclasses import replace

    from ostrom.cli.hosting import Place
    from ostrom.cli.store import open_journal
    from ostrom.core import InputError
    from ostrom.experiment.console import at_store, finish
    from ostrom.experiment.plan import experiment_of
    from ostrom.games.judge.promises import PROMISES

    opt.load_players(players)
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
        if "audit" in row.settings:
            from ostrom.cli.audit import go_on

            go_on(context, journal, wanted, store, json=json)
            return
        if "judge" in row.settings:
            promises = " --promises" if row.kind == PROMISES.command else ""
            raise InputError(
                f"{wanted} holds what a judge read; go on with: ostrom quotes{promises} --judge JUDGE{at_store(store)}"
            )
        planned = replace(experiment_of(row.name, row.settings), title=row.kind)
        if planned.models:
            planned = replace(planned, limits=opt.limits(context, before=planned.limits))
        else:
            opt.no_limits(context)
        if not planned.people:
            opt.no_people(context)
        if seconds is not None:
            planned = replace(planned, seconds=seconds)
        if wait is not None:
            planned = replace(planned, wait=wait)
        place = Place(host, port, quiet=json)
        finish(planned, journal, store, json=json, experiment=wanted, cluster=cluster, place=place)
