"""`ostrom resume`: goes on with an experiment that was stopped, and plays nothing twice."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Annotated

import typer

from ostrom.cli.run import pages
from ostrom.core import InputError
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.experiment import options as opt
from ostrom.experiment.console import finish
from ostrom.experiment.options import open_journal
from ostrom.experiment.plan import experiment_of
from ostrom.experiment.store import check_versions


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
    accept_version: Annotated[
        bool, typer.Option("--accept-version", help="Go on although the game's version changed since it was begun.")
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Go on with an experiment that was stopped; what is decided stays, and only what is missing is asked for."""
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
        if not accept_version:
            check_versions(journal, wanted)
        row = next(row for row in rows if row.id == wanted)
        if (own := f"resume.{row.kind}") in declared(COMMANDS_GROUP):
            load(COMMANDS_GROUP, own)(context, journal, wanted)
            return
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
        with pages(context) if planned.people else nullcontext() as seat_people:
            finish(planned, journal, store, json=json, experiment=wanted, cluster=cluster, seat_people=seat_people)
