"""The commands `bench battery`, `resume` for experiments of the battery, `list subjects` and `list tasks`."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import typer

from ostrom.core.text import number_of
from ostrom.experiment.plan import MAX_SECONDS, Experiment, experiment_of
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.games.battery.subjects import SUBJECTS
from ostrom.games.battery.tasks import TASKS
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.console import SeatPeople, finish, pages, ready
from ostrom.terminal.dry_run import print_estimate
from ostrom.terminal.settings import read_settings, with_settings


@opt.with_limits()
@opt.with_people
@with_settings(BatterySettings)
def bench(
    context: typer.Context,
    dry_run: opt.DryRun = False,
    cluster: opt.Cluster = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Ask subjects the economic battery: time, risk, social preferences, strategic thinking."""
    planned = plan_battery(read_settings(context, BatterySettings))
    planned = opt.limited(context, planned, instead="ask one with --subject BOT or --subject MODEL")
    planned = _with_people(context, planned)
    planned.check()
    if dry_run:
        print_estimate(planned, as_json=json)
        return
    if cluster is None:
        ready(planned)
    with _pages(context, planned) as seat_people, open_journal(store, create=True) as journal:
        finish(planned, journal, store, json=json, cluster=cluster, seat_people=seat_people, describe_end=_next_steps)


def _with_people(context: typer.Context, planned: Experiment) -> Experiment:
    """Return the plan with the time limits of a person: those of the options, of the plan, or the maximum, because no
    other player waits for the answers."""
    if not planned.people:
        opt.no_people(context)
        return planned
    seconds, wait = context.params["seconds"], context.params["wait"]
    return replace(
        planned,
        seconds=(planned.seconds or MAX_SECONDS) if seconds is None else seconds,
        wait=(planned.wait or MAX_SECONDS) if wait is None else wait,
    )


def _pages(
    context: typer.Context, planned: Experiment, before: str | None = None
) -> AbstractContextManager[SeatPeople | None]:
    return pages(context, before) if planned.people else nullcontext()


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Continue an experiment of the battery, for `ostrom resume`."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    planned = opt.limited(context, replace(experiment_of(row.name, row.settings), title=row.kind))
    planned = _with_people(context, planned)
    with _pages(context, planned, journal.seats.place(experiment)) as seat_people:
        finish(
            planned,
            journal,
            context.params["store"],
            json=context.params["json"],
            experiment=experiment,
            cluster=context.params["cluster"],
            seat_people=seat_people,
            describe_end=_next_steps,
        )


def _next_steps(planned: Experiment, experiment: str, at: str) -> list[str]:
    subjects = number_of(planned.parts[0].games, "subject")
    tasks = number_of(len(planned.parts), "task")
    return [
        f"{subjects} answered {tasks}, kept as {planned.called} ({experiment}).",
        f"Next         ostrom scores --experiment {experiment}{at}",
        f"             ostrom report --experiment {experiment} -o report{at}",
    ]


def list_subjects() -> list[dict[str, Any]]:
    """Return the simulated subjects, for `ostrom list subjects`."""
    return [
        {
            "name": name,
            "parameters": [f"{parameter.name}={parameter.default:g}" for parameter in subject.parameters],
            "what": subject.description,
        }
        for name, subject in SUBJECTS.items()
    ]


def list_tasks() -> list[dict[str, Any]]:
    """Return the tasks, for `ostrom list tasks`."""
    return [
        {"name": task.name, "roles": list(task.roles), "played": task.played, "what": task.summary}
        for task in TASKS.values()
    ]
