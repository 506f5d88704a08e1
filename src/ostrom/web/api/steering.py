"""Benchmarks that are started from a page, with an estimate before and a budget that must be set; and runs that are
paused, stopped, resumed and given a higher budget. Refused on a server that was not started with `--steer`. What runs
is the command line's own code, in a process of its own (`ostrom.web.runs`)."""

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
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import missing_extra
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.text import clean
from ostrom.experiment.estimate import ModelEstimate, estimate, rooms
from ostrom.experiment.limits import Limits, limits_of
from ostrom.experiment.plan import Experiment, benchmark, experiment_of
from ostrom.experiment.store import check_models, check_versions, enter
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import bot_files, load_bot
from ostrom.players.models.keys import PROVIDERS
from ostrom.players.people.seat import person_named
from ostrom.players.roster import built_in_players, seat_models, seat_players
from ostrom.web.replies import UNREADABLE, Problem, Shape, refusals, service_of
from ostrom.web.runs import Runs, RunState
from ostrom.web.service import Service

_OFF: Final = "experiments are not steered from these pages; start the server with: ostrom serve --steer"
_NO_BUDGET: Final = "set a budget: the dollars that the experiment may cost in all, or the tokens that it may use"
_MOST_GAMES: Final = 10_000
_MOST_PLAYERS: Final = 100
_MOST_NAMES: Final = 200

Value = TypeVar("Value")


class BotChoice(Shape):
    """A bot that can be seated by its name."""

    name: str
    model: str


class Choices(Shape):
    """Whom a benchmark can seat beside a game's own players."""

    bots: list[BotChoice]
    providers: list[str]
    """Providers whose key this server has, by name."""


class StartBenchmark(Shape):
    """A benchmark to be estimated or started."""

    game: str = Field(max_length=_MOST_NAMES)
    """Its command."""
    players: list[str] = Field([], max_length=_MOST_PLAYERS)
    """Strategies and bots by name; NAME:n seats one several times."""
    models: list[str] = Field([], max_length=_MOST_PLAYERS)
    """Models without a personality, as in openai:gpt-5-mini."""
    games: int = Field(20, ge=1, le=_MOST_GAMES)
    """How many; in games with two roles, how often each ordered pair meets."""
    seats: int | None = None
    seed: int | None = None
    rules: dict[str, Any] = Field({})
    name: str | None = None
    budget: float | None = Field(None, gt=0, le=1e9)
    """Dollars that it may cost in all; where models play, this or the tokens must be set."""
    token_budget: int | None = Field(None, gt=0, le=10**15)
    calls: int | None = Field(None, ge=1, le=4096)
    """Calls in flight at once."""


class EstimateRow(Shape):
    """What one model would take."""

    model: str
    calls: float
    tokens: float
    dollars: float | None
    """Missing where no price is known."""
    most_tokens: float
    """With prompts and replies at their bounds."""
    most_dollars: float | None


class BenchmarkEstimate(Shape):
    """What a benchmark would take. Nobody was asked for it."""

    games: int
    sampled: int
    """How many of them were played with made-up answers."""
    models: list[EstimateRow]
    total: EstimateRow
    notes: list[str]
    """How many calls the budget allows at once, in words."""


class BenchmarkStarted(Shape):
    """An experiment that is being run."""

    experiment: str
    name: str


class RunAsked(Shape):
    """A run that was asked to do something."""

    experiment: str
    state: RunState


class Budget(Shape):
    """What an experiment may use in all, what it has used included; what is not given stays as it was."""

    budget: float | None = Field(None, gt=0, le=1e9)
    """Dollars."""
    token_budget: int | None = Field(None, gt=0, le=10**15)


def runs_of(request: Request) -> Runs:
    """The runs of a server that steers."""
    runs = service_of(request).runs
    if runs is None:
        raise HTTPException(403, _OFF)
    return runs


def planned_benchmark(asked: StartBenchmark, *, spends: bool) -> Experiment:
    """The experiment that was asked for; what `spends` must have a budget."""
    game = GAMES.of_command(asked.game)
    known, bots = built_in_players(game.name), bot_files()
    for name in asked.players:
        if person_named(name) is not None:
            raise InputError("people take a seat in single games; a benchmark has none for them")
        # Neither the path of a file nor a family that reads one: a page names what is known here.
        if (head := name.partition(":")[0]) not in known and head not in bots:
            raise InputError(f"{clean(name[:_MOST_NAMES])!r} is neither a player of {game.command} nor a bot here")
    seated = [*(seat_players(game.name, asked.players) if asked.players else []), *seat_models(game.name, asked.models)]
    rules = make_rules(game, asked.rules)
    planned = benchmark(game, seated, rules, asked.games, asked.seats, seed_or_random(asked.seed))
    planned = replace(planned, name=asked.name or None)
    planned.check()
    caps = {name: getattr(asked, name) for name in ("budget", "token_budget", "calls")}
    given = {name: value for name, value in caps.items() if value is not None}
    if not planned.models:
        if given:
            raise InputError("a budget and other limits are for models, and none plays")
        return planned
    if spends and asked.budget is None and asked.token_budget is None:
        raise InputError(_NO_BUDGET)
    return replace(planned, limits=limits_of(given))


def command_for(planned: Experiment, asked: StartBenchmark) -> str:
    """The command line that plays the same."""
    (part,) = planned.parts
    words = ["ostrom", "bench", part.game.command, "--games", str(asked.games), "--seed", str(part.seed)]
    words += [] if asked.seats is None else ["--seats", str(asked.seats)]
    words += [word for name in asked.players for word in ("--include", name)]
    words += [word for name in asked.models for word in ("--llm", name)]
    words += [word for name, value in asked.rules.items() for word in ("--rule", f"{name}={value}")]
    for name in ("budget", "token_budget", "calls"):
        if (value := getattr(asked, name)) is not None:
            words += [f"--{name.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)


def estimated(asked: StartBenchmark) -> BenchmarkEstimate:
    """What a benchmark would take: calls, tokens, dollars."""
    planned = planned_benchmark(asked, spends=False)
    if not planned.models:
        nothing = _row("all", ModelEstimate())
        return BenchmarkEstimate(games=planned.games, sampled=0, models=[], total=nothing, notes=[])
    found = estimate(planned.fixtures())
    notes = [f"{room.said(model)}." for model, room in rooms(planned.fixtures(), planned.limits or Limits()).items()]
    return BenchmarkEstimate(
        games=found.games,
        sampled=found.sampled,
        models=[_row(model, one) for model, one in found.models.items()],
        total=_row("all", found.total),
        notes=[f"{note[0].upper()}{note[1:]}" for note in notes],
    )


def _row(model: str, found: ModelEstimate) -> EstimateRow:
    names = ("calls", "tokens", "dollars", "most_tokens", "most_dollars")
    return EstimateRow(model=model, **{name: getattr(found, name) for name in names})


def entered(service: Service, asked: StartBenchmark) -> BenchmarkStarted:
    """Write a benchmark into the journal, once all is known to be there that it needs."""
    planned = planned_benchmark(asked, spends=True)
    if planned.models:
        # Keys and hosts are confirmed in a terminal, by the one who owns them; nobody can do it from a page.
        check_models(list(planned.models.values()), planned.limits or Limits())
    kept = enter(planned, service.journal, command_for(planned, asked))
    return BenchmarkStarted(experiment=kept, name=planned.called)


def budget_of(journal: Journal, row: ExperimentRow) -> Budget:
    """What an experiment may use, as its last run or its plan says."""
    runs = journal.runs(row.id) if row.runs else []
    told = [run.settings.get("limits") for run in reversed(runs)] + [row.settings.get("limits")]
    limits: Mapping[str, Any] = next((one for one in told if isinstance(one, Mapping)), {})
    dollars, tokens = limits.get("budget"), limits.get("token_budget")
    return Budget(
        budget=float(dollars) if isinstance(dollars, int | float) and 0 < dollars <= 1e9 else None,
        token_budget=tokens if isinstance(tokens, int) and 0 < tokens <= 10**15 else None,
    )


def plan_of(row: ExperimentRow) -> Experiment | None:
    """The plan of a benchmark; None of another kind of experiment, whose own command goes on with it."""
    with suppress(InputError):
        return replace(experiment_of(row.name, row.settings), title=row.kind)
    return None


def options_for(service: Service, experiment: str, asked: Budget, *, raised: bool = False) -> list[str]:
    """With which options an experiment goes on; refused where models play and nothing bounds what they cost."""
    row = next(row for row in service.journal.experiments() if row.id == experiment)
    planned = plan_of(row)
    if planned is not None and not planned.models:
        if asked != Budget():
            raise InputError(f"a budget is for models, and none plays in {experiment}")
        return []
    if row.state == "finished":
        raise InputError(f"{experiment} is finished; there is nothing to resume")
    check_versions(service.journal, experiment)
    before = budget_of(service.journal, row)
    _check_raised(experiment, before, asked, raised=raised)
    told = asked.model_dump(exclude_none=True)
    budget = before.model_copy(update=told)
    if budget == Budget():
        raise InputError(_NO_BUDGET)
    if planned is not None:
        check_models(list(planned.models.values()), limits_of(told, before=planned.limits))
    dollars = [] if budget.budget is None else ["--budget", repr(budget.budget)]
    return dollars + ([] if budget.token_budget is None else ["--token-budget", str(budget.token_budget)])


def _check_raised(experiment: str, before: Budget, asked: Budget, *, raised: bool) -> None:
    if raised and asked == Budget():
        raise InputError(_NO_BUDGET)
    for name, unit in (("budget", "${:,.4f}"), ("token_budget", "{:,} tokens")):
        old, new = getattr(before, name), getattr(asked, name)
        if old is not None and new is not None and new < old:
            raise InputError(f"{experiment} may use {unit.format(old)}; a budget can be raised, not lowered")


async def in_thread(make: Callable[..., Value], *given: Any, **named: Any) -> Value:
    """What a function gives that reads files or asks servers; where an extra is missing, one line says which."""
    try:
        return await asyncio.to_thread(make, *given, **named)
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error


def free(journal: Journal, experiment: str) -> None:
    """Refuse an experiment that another process runs."""
    with journal.claim(experiment):
        pass


router = APIRouter(
    tags=["steering"],
    responses=refusals({403: "The server does not steer, or the request comes from another site.", **UNREADABLE}),
)
_ONE: Final = {404: {"model": Problem}, **refusals({409: "It is being run elsewhere, or is not being run here."})}


@router.get("/choices")
async def choices(request: Request) -> Choices:
    """Whom a benchmark can seat beside a game's own players."""
    runs_of(request)
    return await asyncio.to_thread(_choices)


def _choices() -> Choices:
    bots = []
    for name in sorted(bot_files()):
        with suppress(InputError):  # a file that cannot be read seats nobody; `ostrom doctor` names it
            bots.append(BotChoice(name=name, model=load_bot(name).model))
    there = [name for name, (variables, _) in PROVIDERS.items() if any(os.environ.get(one) for one in variables)]
    return Choices(bots=bots, providers=there)


@router.post("/benchmarks/estimate")
async def estimate_benchmark(request: Request, asked: StartBenchmark) -> BenchmarkEstimate:
    """Estimate what a benchmark would take; no model is asked."""
    runs_of(request)
    return await in_thread(estimated, asked)


@router.post("/benchmarks", status_code=201)
async def start_benchmark(request: Request, asked: StartBenchmark) -> BenchmarkStarted:
    """Start a benchmark between strategies, bots and models. Where models play, it must have a budget."""
    runs, service = runs_of(request), service_of(request)
    started = await in_thread(entered, service, asked)
    await runs.start(started.experiment)
    return started


@router.post("/experiments/{experiment}/pause", responses=_ONE)
async def pause(request: Request, experiment: str) -> RunAsked:
    """Let no more calls of a run go; those in flight come in and are kept."""
    runs, wanted = runs_of(request), await service_of(request).experiment_id(experiment)
    _check_running(runs, wanted)
    runs.pause(wanted)
    return _asked(runs, wanted)


@router.post("/experiments/{experiment}/stop", responses=_ONE)
async def stop(request: Request, experiment: str) -> RunAsked:
    """End a run at once. Calls in flight are given up, and count with the most that they can cost."""
    runs, wanted = runs_of(request), await service_of(request).experiment_id(experiment)
    _check_running(runs, wanted)
    runs.stop(wanted)
    return _asked(runs, wanted)


@router.post("/experiments/{experiment}/budget", responses=_ONE)
async def raise_budget(request: Request, experiment: str, asked: Budget) -> RunAsked:
    """Raise the budget of a run: it pauses, and goes on with the new one as soon as the calls in flight are in."""
    service, runs = service_of(request), runs_of(request)
    wanted = await service.experiment_id(experiment)
    _check_running(runs, wanted)
    options = await in_thread(options_for, service, wanted, asked, raised=True)
    _check_running(runs, wanted)
    runs.start_again(wanted, options)
    return _asked(runs, wanted)


def _asked(runs: Runs, experiment: str) -> RunAsked:
    run = runs.of(experiment)
    return RunAsked(experiment=experiment, state="ended" if run is None else run.state)


def _check_running(runs: Runs, experiment: str) -> None:
    if experiment not in runs.running():
        raise HTTPException(409, f"{clean(experiment[:_MOST_NAMES])} is not being run here; resume it first")
