"""Starting benchmarks from a page, with an estimate of the cost and a required budget. This module also pauses, stops
and resumes runs, and raises their budget. The server must have been started with `--steer`. A run executes the code of
the command line in a separate process (`ostrom.web.runs`)."""

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeVar

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from ostrom.core import InputError
from ostrom.core.entry_points import missing_extra
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.settings import field_like
from ostrom.core.text import clean
from ostrom.experiment.estimate import ModelEstimate, calls_within_budget, describe_rooms, estimate
from ostrom.experiment.limits import Limits, limits_of
from ostrom.experiment.plan import Experiment, experiment_of
from ostrom.experiment.store import check_models, check_versions, enter
from ostrom.findings.bench import BenchSettings, plan_benchmark
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import bot_files, load_bot
from ostrom.players.models.keys import PROVIDERS
from ostrom.players.people import person_named
from ostrom.players.roster import built_in_players, seat_models, seat_players
from ostrom.terminal.settings import option_name
from ostrom.web.replies import UNREADABLE, Refusal, Shape, refusals, service_of
from ostrom.web.runs import ExperimentRuns, RunState
from ostrom.web.service import Service

_NO_STEERING: Final = "experiments are not steered from these pages; start the server with: ostrom serve --steer"
_NO_BUDGET: Final = "set a budget: the dollars that the experiment may cost in all, or the tokens that it may use"
_MAX_GAMES: Final = 10_000
_MAX_PLAYERS: Final = 100
_MAX_NAME_LENGTH: Final = 200
MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest whole number that a browser represents exactly."""

Value = TypeVar("Value")


class BotChoice(Shape):
    """A bot that can be chosen by its name."""

    name: str
    model: str


class BenchmarkChoices(Shape):
    """The bots and providers available for a benchmark."""

    bots: list[BotChoice]
    providers: list[str]
    """The names of the providers for which this server has a key."""
    settings: dict[str, Any]
    """The JSON schema of a benchmark's settings, with the defaults and bounds of the dialog's fields."""


class StartBenchmark(Shape):
    """A benchmark to estimate or to start."""

    game: str = Field(max_length=_MAX_NAME_LENGTH)
    """The command of the game."""
    players: list[str] = Field([], max_length=_MAX_PLAYERS)
    """The strategies and bots, by name. NAME:n adds one of them n times."""
    models: list[str] = Field([], max_length=_MAX_PLAYERS)
    """Models without a personality, such as openai:gpt-5-mini."""
    games: int = field_like(BenchSettings, "games", 20, ge=1, le=_MAX_GAMES)
    seats: int | None = field_like(BenchSettings, "seats", None)
    seed: int | None = field_like(BenchSettings, "seed", None, ge=0, le=MAX_SAFE_INTEGER)
    rules: dict[str, Any] = Field({})
    name: str | None = field_like(BenchSettings, "name", None)
    budget: float | None = field_like(Limits, "budget", None, gt=0)
    token_budget: int | None = field_like(Limits, "token_budget", None, gt=0)
    calls: int | None = field_like(Limits, "calls", None)

    @property
    def settings(self) -> BenchSettings:
        """Return the settings of the benchmark."""
        return BenchSettings.of(self.model_dump(include=set(BenchSettings.model_fields), exclude_none=True))

    @property
    def limits(self) -> dict[str, Any]:
        """Return the limits that the request sets."""
        return self.model_dump(include={"budget", "token_budget", "calls"}, exclude_none=True)


class EstimateRow(Shape):
    """The estimated usage of one model."""

    model: str
    calls: float
    tokens: float
    dollars: float | None
    """The cost in dollars; missing if the price is unknown."""
    most_tokens: float
    """The number of tokens if all prompts and replies have their maximum length."""
    most_dollars: float | None


class BenchmarkEstimate(Shape):
    """The estimated usage of a benchmark. It is computed without calling a model."""

    games: int
    sampled: int
    """The number of sampled games. They were played with invented answers."""
    models: list[EstimateRow]
    total: EstimateRow
    notes: list[str]
    """Sentences on the number of concurrent calls that the budget allows."""


class BenchmarkStart(Shape):
    """An experiment that is being run."""

    experiment: str
    name: str


class RunStatus(Shape):
    """The state of a run after a request."""

    experiment: str
    state: RunState


class BudgetLimits(Shape):
    """The total budget of an experiment, including the amounts already used. A limit that is missing is not changed."""

    budget: float | None = field_like(Limits, "budget", None, gt=0)
    token_budget: int | None = field_like(Limits, "token_budget", None, gt=0)


def runs_of(request: Request) -> ExperimentRuns:
    """Return the runs of a server with `--steer`. Raise `HTTPException` if the server was started without it."""
    runs = service_of(request).runs
    if runs is None:
        raise HTTPException(403, _NO_STEERING)
    return runs


def plan_request(request: StartBenchmark, *, spends: bool) -> Experiment:
    """Return the plan of a benchmark. Raise `InputError` if it is invalid. If `spends`, also raise it if there is no
    budget."""
    game = GAMES.of_command(request.game)
    built_in, bots = built_in_players(game.name), bot_files()
    for name in request.players:
        if person_named(name) is not None:
            raise InputError("people can play in single games only, not in benchmarks")
        # A request may name only known players. It must not name a path, or a family of players that reads a file.
        if (head := name.partition(":")[0]) not in built_in and head not in bots:
            raise InputError(f"{clean(name[:_MAX_NAME_LENGTH])!r} is neither a player of {game.command} nor a bot here")
    players = [
        *(seat_players(game.name, request.players) if request.players else []),
        *seat_models(game.name, request.models),
    ]
    plan = plan_benchmark(game, players, make_rules(game, request.rules), request.settings)
    plan.check()
    if not plan.models:
        if request.limits:
            raise InputError("a budget and other limits apply to models only, and this benchmark has none")
        return plan
    if spends and request.budget is None and request.token_budget is None:
        raise InputError(_NO_BUDGET)
    return replace(plan, limits=limits_of(request.limits))


def command_for(plan: Experiment, request: StartBenchmark) -> str:
    """Return the command line that runs the same benchmark."""
    (part,) = plan.parts
    words = ["ostrom", "bench", part.game.command, "--games", str(request.games), "--seed", str(part.seed)]
    words += [] if request.seats is None else ["--seats", str(request.seats)]
    words += [word for name in request.players for word in ("--include", name)]
    words += [word for name in request.models for word in ("--llm", name)]
    words += [word for name, value in request.rules.items() for word in ("--rule", f"{name}={value}")]
    for name, value in request.limits.items():
        words += [option_name(name), f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)


def estimate_cost(request: StartBenchmark) -> BenchmarkEstimate:
    """Return the estimated calls, tokens and dollars of a benchmark."""
    plan = plan_request(request, spends=False)
    if not plan.models:
        nothing = _row("all", ModelEstimate())
        return BenchmarkEstimate(games=plan.games, sampled=0, models=[], total=nothing, notes=[])
    costs = estimate(plan.fixtures())
    notes = describe_rooms(calls_within_budget(plan.fixtures(), plan.limits or Limits()))
    return BenchmarkEstimate(
        games=costs.games,
        sampled=costs.sampled,
        models=[_row(model, cost) for model, cost in costs.models.items()],
        total=_row("all", costs.total),
        notes=notes,
    )


def _row(model: str, usage: ModelEstimate) -> EstimateRow:
    names = ("calls", "tokens", "dollars", "most_tokens", "most_dollars")
    return EstimateRow(model=model, **{name: getattr(usage, name) for name in names})


def store_benchmark(service: Service, request: StartBenchmark) -> BenchmarkStart:
    """Store a benchmark in the journal. Raise `InputError` if it needs something that is missing, such as a key."""
    plan = plan_request(request, spends=True)
    if plan.models:
        # Keys and hosts can be confirmed only by their owner in a terminal, not on a page.
        check_models(list(plan.models.values()), plan.limits or Limits())
    experiment = enter(plan, service.journal, command_for(plan, request))
    return BenchmarkStart(experiment=experiment, name=plan.called)


def budget_of(journal: Journal, row: ExperimentRow) -> BudgetLimits:
    """Return the budget of an experiment, from its last run or from its plan."""
    runs = journal.runs(row.id) if row.runs else []
    stored = [run.settings.get("limits") for run in reversed(runs)] + [row.settings.get("limits")]
    limits: Mapping[str, Any] = next((entry for entry in stored if isinstance(entry, Mapping)), {})
    dollars, tokens = limits.get("budget"), limits.get("token_budget")
    return BudgetLimits(
        budget=float(dollars) if isinstance(dollars, int | float) and 0 < dollars <= 1e9 else None,
        token_budget=tokens if isinstance(tokens, int) and 0 < tokens <= 10**15 else None,
    )


def plan_of(row: ExperimentRow) -> Experiment | None:
    """Return the plan of a benchmark. Return None for other experiments, which have commands of their own."""
    with suppress(InputError):
        return replace(experiment_of(row.name, row.settings), title=row.kind)
    return None


def options_for(service: Service, experiment: str, limits: BudgetLimits, *, raised: bool = False) -> list[str]:
    """Return the options for resuming an experiment. Raise `InputError` if models play without a budget."""
    row = next(row for row in service.journal.experiments() if row.id == experiment)
    plan = plan_of(row)
    if plan is not None and not plan.models:
        if limits != BudgetLimits():
            raise InputError(f"a budget applies to models only, and {experiment} has none")
        return []
    if row.state == "finished":
        raise InputError(f"{experiment} is finished; there is nothing to resume")
    check_versions(service.journal, experiment)
    before = budget_of(service.journal, row)
    _check_not_lowered(experiment, before, limits, raised=raised)
    changes = limits.model_dump(exclude_none=True)
    budget = before.model_copy(update=changes)
    if budget == BudgetLimits():
        raise InputError(_NO_BUDGET)
    if plan is not None:
        check_models(list(plan.models.values()), limits_of(changes, defaults=plan.limits))
    dollars = [] if budget.budget is None else ["--budget", repr(budget.budget)]
    return dollars + ([] if budget.token_budget is None else ["--token-budget", str(budget.token_budget)])


def _check_not_lowered(experiment: str, before: BudgetLimits, limits: BudgetLimits, *, raised: bool) -> None:
    if raised and limits == BudgetLimits():
        raise InputError(_NO_BUDGET)
    for name, unit in (("budget", "${:,.4f}"), ("token_budget", "{:,} tokens")):
        old, new = getattr(before, name), getattr(limits, name)
        if old is not None and new is not None and new < old:
            raise InputError(f"{experiment} may use {unit.format(old)}; a budget can be raised, not lowered")


async def in_thread(function: Callable[..., Value], *args: Any, **options: Any) -> Value:
    """Call a function in a thread and return its result. If an extra is missing, raise an error that says so in one
    line."""
    try:
        return await asyncio.to_thread(function, *args, **options)
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error


def check_free(journal: Journal, experiment: str) -> None:
    """Raise `Taken` if another process runs the experiment."""
    with journal.claim(experiment):
        pass


router = APIRouter(
    tags=["steering"],
    responses=refusals({403: "The server does not steer, or the request comes from another site.", **UNREADABLE}),
)
_RUN_RESPONSES: Final = {
    404: {"model": Refusal},
    **refusals({409: "It is being run elsewhere, or is not being run here."}),
}


@router.get("/choices")
async def choices(request: Request) -> BenchmarkChoices:
    """Return the bots and providers that are available for a benchmark."""
    runs_of(request)
    return await asyncio.to_thread(_choices)


def _choices() -> BenchmarkChoices:
    bots = []
    for name in sorted(bot_files()):
        with suppress(InputError):  # A file that is not readable is left out; `ostrom doctor` names it.
            bots.append(BotChoice(name=name, model=load_bot(name).model))
    providers = [
        name for name, (variables, _) in PROVIDERS.items() if any(os.environ.get(variable) for variable in variables)
    ]
    return BenchmarkChoices(bots=bots, providers=providers, settings=StartBenchmark.model_json_schema())


@router.post("/benchmarks/estimate")
async def estimate_benchmark(request: Request, benchmark: StartBenchmark) -> BenchmarkEstimate:
    """Estimate the usage of a benchmark without calling a model."""
    runs_of(request)
    return await in_thread(estimate_cost, benchmark)


@router.post("/benchmarks", status_code=201)
async def start_benchmark(request: Request, benchmark: StartBenchmark) -> BenchmarkStart:
    """Start a benchmark between strategies, bots and models. If models play, it needs a budget."""
    runs, service = runs_of(request), service_of(request)
    started = await in_thread(store_benchmark, service, benchmark)
    await runs.start(started.experiment)
    return started


@router.post("/experiments/{experiment}/pause", responses=_RUN_RESPONSES)
async def pause(request: Request, experiment: str) -> RunStatus:
    """Pause a run. It makes no more calls, and the replies to calls in flight are stored."""
    runs, id_ = await _running(request, experiment)
    runs.pause(id_)
    return _run_status(runs, id_)


@router.post("/experiments/{experiment}/stop", responses=_RUN_RESPONSES)
async def stop(request: Request, experiment: str) -> RunStatus:
    """Stop a run at once. Calls in flight are abandoned and count with their maximum cost."""
    runs, id_ = await _running(request, experiment)
    runs.stop(id_)
    return _run_status(runs, id_)


@router.post("/experiments/{experiment}/budget", responses=_RUN_RESPONSES)
async def raise_budget(request: Request, experiment: str, limits: BudgetLimits) -> RunStatus:
    """Raise the budget of a run. The run pauses, and continues with the new budget when the calls in flight have
    ended."""
    _, id_ = await _running(request, experiment)
    options = await in_thread(options_for, service_of(request), id_, limits, raised=True)
    runs, _ = await _running(request, id_)  # The run may have ended meanwhile.
    runs.start_again(id_, options)
    return _run_status(runs, id_)


def _run_status(runs: ExperimentRuns, experiment: str) -> RunStatus:
    run = runs.of(experiment)
    return RunStatus(experiment=experiment, state="ended" if run is None else run.state)


async def _running(request: Request, experiment: str) -> tuple[ExperimentRuns, str]:
    """Return the runs of the server and the id of an experiment; raise `HTTPException` if the experiment is not
    running."""
    runs, id_ = runs_of(request), await service_of(request).experiment_id(experiment)
    if id_ not in runs.running():
        raise HTTPException(409, f"{clean(id_[:_MAX_NAME_LENGTH])} is not being run here; resume it first")
    return runs, id_
