"""An experiment on the workers of a Dask cluster. Games are handed out a few at a time; every worker writes them into
the one journal in PostgreSQL, decision by decision, so that a worker that dies loses nothing: the worker that takes its
games over goes on where it was."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ostrom.core import Fault, InputError
from ostrom.core.errors import field
from ostrom.core.plugins import files, load_file
from ostrom.experiment.accounts import DefaultedShare, Used
from ostrom.experiment.limits import Allowance, Limits
from ostrom.experiment.plan import Experiment, experiment_of
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import check_models, conduct, used_by_player
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.engine import locate, without_password
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.sim.cluster import connected

_SHARES = 4
"""Shares for each thread of the cluster: enough that all are busy to the end, few enough that games go side by side."""
_LOOK = 0.5
"""Seconds between two looks at whether the run is to stop."""


def check_cluster(planned: Experiment, url: str, address: str) -> None:
    """Refuse, before anything is written, a journal that workers cannot share, a cluster that is not there, and models
    that a worker cannot ask."""
    if locate(url).file is not None:
        raise InputError(
            f"{field('cluster')} needs a journal that every worker can reach: {field('store', 'postgresql://…')}"
        )
    with connected(address) as client:
        # Keys, servers and the journal's password are looked for where the games are played.
        models, limits = list(planned.models.values()), planned.limits or Limits()
        wrong = client.submit(_wrong_with, without_password(url), models, limits, pure=False).result()
        if wrong is not None:
            raise InputError(f"on a worker: {wrong}")


def _wrong_with(url: str, models: Sequence[Contestant], limits: Limits) -> str | None:
    """What keeps models from being asked and games from being kept; runs on a worker."""
    try:
        check_models(models, limits)
        Journal.open(url).close()
    except InputError as error:
        password = (
            "; a worker takes the password from its own PGPASSWORD or ~/.pgpass" if "password" in str(error) else ""
        )
        return f"{error}{password}"
    return None


def run_on_cluster(
    planned: Experiment, journal: Journal, url: str, experiment: str, address: str, progress: Callable[[int], None]
) -> Outcome:
    """Play the games of an experiment that are not finished on the workers behind a Dask scheduler. Every worker reads
    keys from an environment of its own. The budget and players' limits are handed out in parts that together never pass
    them."""
    limits = planned.limits or Limits()
    with connected(address) as client, journal.claim(experiment):
        journal.new_run(experiment, {"limits": limits.model_dump(mode="json"), "cluster": len(client.nthreads())})
        over = {row.key for row in journal.games(experiment) if row.state in ("finished", "void")}
        keys = [fixture.key for fixture in planned.fixtures() if fixture.key not in over]
        return _Coordinator(client, journal, url, experiment, limits, progress, list(planned.models)).run(keys)


@dataclass(frozen=True)
class _Out:
    """A share that a worker holds, and what went with it of the budget and of players' limits."""

    share: list[str]
    dollars: float
    tokens: int
    players: Mapping[str, Allowance]
    alone: bool


class _Coordinator:
    """Hands out shares of games and money, and takes them back."""

    def __init__(
        self,
        client: Any,
        journal: Journal,
        url: str,
        experiment: str,
        limits: Limits,
        progress: Callable[[int], None],
        models: Sequence[str],
    ) -> None:
        self._client = client
        self._journal = journal
        self._task = (without_password(url), experiment)  # what is handed out stands in logs and on dashboards
        self._limits = limits
        self._models = models
        self._progress = progress
        self._threads = max(1, sum(client.nthreads().values()))
        self._outcome = Outcome()
        self._out: dict[Any, _Out] = {}
        self._late: list[list[str]] = []
        """Shares for which a player's part held not one call: each is handed out once more, alone, with all that is
        left."""
        self._defaulted = DefaultedShare(limits.pause_at_defaults)

    def run(self, keys: list[str]) -> Outcome:
        """Play all shares, and those that ran out of their part of the budget again while there is any left."""
        from distributed import Event, as_completed

        stop = Event(f"ostrom-stop-{self._task[1]}", client=self._client)
        stop.clear()
        size = max(1, len(keys) // (_SHARES * self._threads))
        waiting = [keys[first : first + size] for first in range(0, len(keys), size)]
        coming = as_completed([], loop=self._client.loop)  # this client is not the default
        try:
            while ((waiting or self._late) and self._outcome.stopped is None) or self._out:
                while waiting and len(self._out) < self._threads and self._outcome.stopped is None:
                    coming.add(self._handed_out(waiting.pop(0)))
                if not self._out:
                    coming.add(self._handed_out(self._late.pop(0), alone=True))
                waiting += self._taken_back(next(coming))
                if self._outcome.pausing is not None:
                    stop.set()
        except KeyboardInterrupt:
            stop.set()
            for future in as_completed(list(self._out), loop=self._client.loop):
                self._taken_back(future)
            self._outcome.stopped = "interrupted"
        over = ("finished", "void")
        done = sum(row.state in over for row in self._journal.games(self._task[1]) if row.key in set(keys))
        self._outcome.unfinished = len(keys) - done
        if not self._outcome.unfinished:  # then nothing was stopped
            self._outcome.stopped = self._outcome.pausing = None
        return self._outcome

    def _handed_out(self, share: list[str], *, alone: bool = False) -> Any:
        """A share on its way to a worker, with an even part of the calls and of the money that is free.

        Its budget counts what these games have spent so far, so that a worker that takes them over from a dead one is
        held to the same sum."""
        url, experiment = self._task
        whole, mine = self._journal.spending(experiment), self._journal.spending(experiment, share)
        idle = 1 if alone else self._threads - len(self._out)
        part: dict[str, Any] = {
            "calls": max(1, self._limits.calls // self._threads),
            "per_provider": max(1, self._limits.per_provider // self._threads),
        }
        dollars, tokens = 0.0, 0
        if self._limits.budget is not None:
            held = sum(out.dollars for out in self._out.values())
            dollars = max(0.0, self._limits.budget - whole.dollars - held) / idle
            part["budget"] = mine.dollars + dollars
        if self._limits.token_budget is not None:
            tokens_held = sum(out.tokens for out in self._out.values())
            tokens = max(0, self._limits.token_budget - whole.tokens - tokens_held) // idle
            part["token_budget"] = mine.tokens + tokens
        limits = self._limits.model_copy(update=part)
        plugins = [str(file) for file in files()]
        more, parts = self._parts(share, idle)
        plain = {name: one.model_dump() for name, one in parts.items()}
        future = self._client.submit(
            play_share, url, experiment, share, limits.model_dump(), plugins, plain, pure=False
        )
        self._out[future] = _Out(share, dollars, tokens, more, alone)
        return future

    def _parts(self, share: list[str], idle: int) -> tuple[dict[str, Allowance], dict[str, Allowance]]:
        """For each player with limits an even part of what is free; and the same with what it has used up in these
        games, as a worker counts it."""
        if not self._limits.per_player:
            return {}, {}
        whole, mine = (used_by_player(self._journal, self._task[1], self._limits, keys) for keys in (None, share))
        more, parts = {}, {}
        for name in self._models:
            limit = self._limits.of_player(name)
            held = [out.players[name] for out in self._out.values() if name in out.players]
            spare = {
                what: max(0, most - _amounts(whole.get(name))[what] - sum(getattr(one, what) or 0 for one in held))
                for what, most in limit.model_dump(exclude_none=True).items()
            }
            even = {what: left // idle if isinstance(left, int) else left / idle for what, left in spare.items()}
            more[name] = Allowance(**even)
            parts[name] = Allowance(**{what: part + _amounts(mine.get(name))[what] for what, part in even.items()})
        return more, parts

    def _taken_back(self, future: Any) -> list[list[str]]:
        """Count what became of a share; what is to be played again."""
        from distributed import KilledWorker

        out = self._out.pop(future)
        share = out.share
        try:
            told: Mapping[str, Any] = future.result()
        except KilledWorker as error:
            raise InputError("several workers died on the same games; see the workers' logs") from error
        self._outcome.finished += told["finished"]
        self._outcome.void += told["void"]
        self._outcome.unavailable.update(told["unavailable"])
        self._outcome.faulted.update(told["faulted"])
        self._progress(told["finished"] + told["void"])
        self._note_answers(told["last_answers"])
        mine = set(told["exhausted"].values())
        self._outcome.reached |= {
            why: option for why, option in told["reached"].items() if out.alone or why not in mine
        }
        if told["stopped"] in ("interrupted", "defaults") and self._outcome.stopped is None:
            self._outcome.stopped, self._outcome.pausing = told["stopped"], told["pausing"]
        if told["stopped"] == "budget":
            # Once more, with what others give back; if no worker is left to give any back, the budget is spent.
            if told["calls"] or self._out:
                return [share]
            self._outcome.stopped = "budget"
        elif mine and not out.alone:
            # A player's part is used up; there may be more of it.
            if told["calls"]:
                return [share]
            self._late.append(share)
        return []

    def _note_answers(self, answers: Mapping[str, Sequence[Fault | None]]) -> None:
        """Look at what became of questions over all workers: a share may have too few of them to tell."""
        for player, faults in answers.items():
            for fault in faults:
                why = self._defaulted.note(player, fault, answered=fault is None)
                if why is not None and self._outcome.stopped is None:
                    self._outcome.stopped, self._outcome.pausing = "defaults", why


def play_share(
    url: str,
    experiment: str,
    keys: list[str],
    limits: Mapping[str, Any],
    plugins: Sequence[str] = (),
    parts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play some games of an experiment; runs on a worker, which finds the files of plugins at the same paths."""
    from distributed import Event, worker_client

    for file in plugins:
        load_file(file)
    tally, stop = Tally(), StopSignal()

    async def main(journal: Journal, planned: Experiment) -> Outcome:
        async def look() -> None:
            while not await asyncio.to_thread(told.is_set):
                await asyncio.sleep(_LOOK)
            stop.request()

        looking = asyncio.create_task(look())
        fixtures = [fixture for fixture in planned.fixtures() if fixture.key in wanted]
        try:
            mine = {name: Allowance.model_validate(part) for name, part in (parts or {}).items()}
            how = Conduct(Limits.model_validate(limits), tally, stop, parts=mine)
            return await conduct(fixtures, journal, experiment, how, share=keys)
        finally:
            looking.cancel()

    wanted = set(keys)
    with worker_client(separate_thread=False) as client, Journal.open(url) as journal:
        told = Event(f"ostrom-stop-{experiment}", client=client)
        outcome = asyncio.run(main(journal, _planned(url, experiment, os.getpid())))
    reported = ("finished", "void", "unavailable", "faulted", "stopped", "reached", "exhausted", "pausing")
    answers = {player: list(faults) for player, faults in outcome.last_answers.items()}
    return {**{name: getattr(outcome, name) for name in reported}, "calls": tally.calls, "last_answers": answers}


@lru_cache(maxsize=8)
def _planned(url: str, experiment: str, _process: int) -> Experiment:
    with Journal.open(url) as journal:
        row = next(row for row in journal.experiments() if row.id == experiment)
    return experiment_of(row.name, row.settings)


def _amounts(used: Used | None) -> dict[str, float]:
    """What was used up, by the names of limits."""
    used = used or Used()
    return {"calls": used.calls, "tokens": used.tokens, "budget": used.dollars, "seconds": used.seconds}
