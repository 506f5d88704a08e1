"""The battery's own forms of `bench`, `resume` and `list`."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Annotated, Any

import typer

from ostrom.core.chance import seed_or_random
from ostrom.core.text import number_of
from ostrom.experiment.plan import MAX_SECONDS, Experiment, experiment_of
from ostrom.games.battery.commands.plan import battery
from ostrom.games.battery.subjects import SUBJECTS
from ostrom.games.battery.tasks import TASKS
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.console import SeatPeople, finish, pages, ready
from ostrom.terminal.dry_run import print_estimate


@opt.with_limits()
@opt.with_people
def bench(
    context: typer.Context,
    subject: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|BOT|MODEL|human[:ID]", help="Who is asked; repeatable. A person is asked alone."),
    ] = None,
    protocol: Annotated[str, typer.Option(metavar="quick|full|FILE.toml", help="The set of questions.")] = "full",
    task: Annotated[list[str] | None, typer.Option(metavar="TASK", help="Only this task; repeatable.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the experiment.")] = None,
    dry_run: opt.DryRun = False,
    cluster: opt.Cluster = None,
    seed: opt.Seed = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Ask subjects the economic battery: time, risk, social preferences, strategic thinking."""
    planned = battery(subject or [], protocol=protocol, tasks=task or [], seed=seed_or_random(seed), name=name)
    planned = opt.limited(context, planned, instead="ask one with --subject BOT or --subject MODEL")
    planned = _with_people(context, planned)
    planned.check()
    if dry_run:
        print_estimate(planned, as_json=json)
        return
    if cluster is None:
        ready(planned)
    with _pages(context, planned) as seat_people, open_journal(store, create=True) as journal:
        finish(planned, journal, store, json=json, cluster=cluster, seat_people=seat_people, told=_answered)


def _with_people(context: typer.Context, planned: Experiment) -> Experiment:
    """Return the plan with the time that a person has: as the host says, else a day, since no one waits for it."""
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
    """Go on with an experiment of the battery, for `ostrom resume`."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    planned = opt.limited(context, replace(experiment_of(row.name, row.settings), title=row.kind))
    planned = _with_people(context, planned)
    store, json, cluster = (context.params[name] for name in ("store", "json", "cluster"))
    with _pages(context, planned, journal.seats.place(experiment)) as seat_people:
        finish(
            planned,
            journal,
            store,
            json=json,
            experiment=experiment,
            cluster=cluster,
            seat_people=seat_people,
            told=_answered,
        )


def _answered(planned: Experiment, kept: str, at: str) -> list[str]:
    subjects, tasks = number_of(planned.parts[0].games, "subject"), number_of(len(planned.parts), "task")
    return [
        f"{subjects} answered {tasks}, kept as {planned.called} ({kept}).",
        f"Next         ostrom scores --experiment {kept}{at}",
        f"             ostrom report --experiment {kept} -o report{at}",
    ]


def list_subjects() -> list[dict[str, Any]]:
    """The simulated subjects, for `ostrom list subjects`."""
    return [
        {
            "name": name,
            "parameters": [f"{each.name}={each.default:g}" for each in subject.parameters],
            "what": subject.description,
        }
        for name, subject in SUBJECTS.items()
    ]


def list_tasks() -> list[dict[str, Any]]:
    """The tasks, for `ostrom list tasks`."""
    return [
        {"name": task.name, "roles": list(task.roles), "played": task.played, "what": task.summary}
        for task in TASKS.values()
    ]
