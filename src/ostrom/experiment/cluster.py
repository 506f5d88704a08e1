"""An experiment on the workers of a Dask cluster. Games are distributed in small shares. Every worker stores its games
decision by decision in one PostgreSQL journal. If a worker dies, another worker can therefore continue its games."""

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
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.sim.plan import connected

_SHARES_PER_THREAD = 4
"""The number of shares for each thread. It is large enough to keep all threads busy until the end, and small enough
that the games of a share are played concurrently."""
_POLL_INTERVAL_S = 0.5
"""Seconds between two checks of the stop event."""


def check_cluster(planned: Experiment, url: str, address: str) -> None:
    """Raise InputError if workers cannot share the journal, if the cluster is unreachable, or if a worker cannot ask
    the models."""
    if locate(url).file is not None:
        raise InputError(
            f"{field('cluster')} needs a journal that every worker can reach: {field('store', 'postgresql://…')}"
        )
    with connected(address) as client:
        # Workers read keys, servers and the journal's password from their own environment.
        models, limits = list(planned.models.values()), planned.limits or Limits()
        if limits.batch:
            raise InputError(f"the workers of a cluster send single calls; leave out {field('batch')}")
        if limits.reuse is not None:
            raise InputError(f"the workers of a cluster cannot reuse replies; leave out {field('reuse')}")
        open_journal(url, create=True).close()  # Workers open the journal, so it must exist.
        problem = client.submit(_problem_on_worker, without_password(url), models, limits, pure=False).result()
        if problem is not None:
            raise InputError(f"on a worker: {problem}")


def _problem_on_worker(url: str, models: Sequence[Contestant], limits: Limits) -> str | None:
    """Return the reason why a worker cannot ask the models or open the journal. Return None if it can."""
    try:
        check_models(models, limits)
        Journal.open(url).close()
    except InputError as error:
        hint = "; a worker takes the password from its own PGPASSWORD or ~/.pgpass"
        return f"{error}{hint if 'password' in str(error) else ''}"
    return None


def run_on_cluster(
    planned: Experiment, journal: Journal, url: str, experiment: str, address: str, progress: Callable[[int], None]
) -> Outcome:
    """Play the unfinished games of an experiment on the workers of a Dask scheduler, which read keys from their own
    environment. The budget and the limits of players are divided into parts whose sum never exceeds them."""
    limits = planned.limits or Limits()
    with connected(address) as client, journal.claim(experiment):
        journal.new_run(experiment, {"limits": limits.model_dump(mode="json"), "cluster": len(client.nthreads())})
        over = {row.key for row in journal.games(experiment) if row.state in ("finished", "void")}
        keys = [fixture.key for fixture in planned.fixtures() if fixture.key not in over]
        return _Coordinator(client, journal, url, experiment, limits, progress, list(planned.models)).run(keys)


@dataclass(frozen=True)
class _Assignment:
    """A share of games on a worker, with its parts of the budget and of players' limits."""

    share: list[str]
    dollars: float
    tokens: int
    players: Mapping[str, Allowance]
    alone: bool


class _Coordinator:
    """Distributes shares of games and of the budget, and collects the results."""

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
        self._task = (without_password(url), experiment)  # Tasks appear in logs and dashboards.
        self._limits = limits
        self._models = models
        self._progress = progress
        self._threads = max(1, sum(client.nthreads().values()))
        self._outcome = Outcome()
        self._assignments: dict[Any, _Assignment] = {}
        self._postponed: list[list[str]] = []
        """Shares whose part of the budget is too small for a single call. Each is assigned once more when no other
        share is running, with the whole remaining budget."""
        self._defaulted = DefaultedShare(limits.pause_at_defaults)

    def run(self, keys: list[str]) -> Outcome:
        """Play all shares. Shares that used up their part of the budget are repeated while any budget remains."""
        from distributed import Event, as_completed

        stop = Event(f"ostrom-stop-{self._task[1]}", client=self._client)
        stop.clear()
        size = max(1, len(keys) // (_SHARES_PER_THREAD * self._threads))
        waiting = [keys[first : first + size] for first in range(0, len(keys), size)]
        completed = as_completed([], loop=self._client.loop)  # This client is not the default client.
        try:
            while ((waiting or self._postponed) and self._outcome.stopped is None) or self._assignments:
                while waiting and len(self._assignments) < self._threads and self._outcome.stopped is None:
                    completed.add(self._assign(waiting.pop(0)))
                if not self._assignments:
                    completed.add(self._assign(self._postponed.pop(0), alone=True))
                waiting += self._collect(next(completed))
                if self._outcome.pausing is not None:
                    stop.set()
        except KeyboardInterrupt:
            stop.set()
            for future in as_completed(list(self._assignments), loop=self._client.loop):
                self._collect(future)
            self._outcome.stopped = "interrupted"
        over = ("finished", "void")
        done = sum(row.state in over for row in self._journal.games(self._task[1]) if row.key in set(keys))
        self._outcome.unfinished = len(keys) - done
        if not self._outcome.unfinished:
            self._outcome.stopped = self._outcome.pausing = None
        return self._outcome

    def _assign(self, share: list[str], *, alone: bool = False) -> Any:
        """Submit a share with an even part of the calls and of the unassigned budget; return its future.

        The part includes the amounts that these games have already spent. So a worker that continues the games of a
        dead worker has the same limit."""
        url, experiment = self._task
        total, in_share = self._journal.spending(experiment), self._journal.spending(experiment, share)
        idle = 1 if alone else self._threads - len(self._assignments)
        part: dict[str, Any] = {
            "calls": max(1, self._limits.calls // self._threads),
            "per_provider": max(1, self._limits.per_provider // self._threads),
        }
        dollars, tokens = 0.0, 0
        if self._limits.budget is not None:
            assigned = sum(assignment.dollars for assignment in self._assignments.values())
            dollars = max(0.0, self._limits.budget - total.dollars - assigned) / idle
            part["budget"] = in_share.dollars + dollars
        if self._limits.token_budget is not None:
            assigned_tokens = sum(assignment.tokens for assignment in self._assignments.values())
            tokens = max(0, self._limits.token_budget - total.tokens - assigned_tokens) // idle
            part["token_budget"] = in_share.tokens + tokens
        limits = self._limits.model_copy(update=part)
        plugins = [str(file) for file in files()]
        new_parts, parts = self._player_parts(share, idle)
        part_settings = {name: allowance.model_dump() for name, allowance in parts.items()}
        future = self._client.submit(
            play_share, url, experiment, share, limits.model_dump(), plugins, part_settings, pure=False
        )
        self._assignments[future] = _Assignment(share, dollars, tokens, new_parts, alone)
        return future

    def _player_parts(self, share: list[str], idle: int) -> tuple[dict[str, Allowance], dict[str, Allowance]]:
        """Return, for each player, an even part of its unassigned limits. Also return this part plus the amounts that
        the player has used in these games, because a worker counts these amounts too."""
        if not self._limits.per_player:
            return {}, {}
        total = used_by_player(self._journal, self._task[1], self._limits)
        in_share = used_by_player(self._journal, self._task[1], self._limits, share)
        new_parts, parts = {}, {}
        for name in self._models:
            assigned = [entry.players[name] for entry in self._assignments.values() if name in entry.players]
            part = {}
            for resource, limit in self._limits.of_player(name).model_dump(exclude_none=True).items():
                used = _amounts(total.get(name))[resource]
                in_use = sum(getattr(allowance, resource) or 0 for allowance in assigned)
                free = max(0, limit - used - in_use)
                part[resource] = free // idle if isinstance(free, int) else free / idle
            used_in_share = _amounts(in_share.get(name))
            new_parts[name] = Allowance(**part)
            parts[name] = Allowance(**{resource: value + used_in_share[resource] for resource, value in part.items()})
        return new_parts, parts

    def _collect(self, future: Any) -> list[list[str]]:
        """Add the result of a share to the outcome. Return the shares that must be played again."""
        from distributed import KilledWorker

        assignment = self._assignments.pop(future)
        share = assignment.share
        try:
            result: Mapping[str, Any] = future.result()
        except KilledWorker as error:
            raise InputError("several workers died on the same games; see the workers' logs") from error
        self._outcome.finished += result["finished"]
        self._outcome.void += result["void"]
        self._outcome.unavailable.update(result["unavailable"])
        self._outcome.faulted.update(result["faulted"])
        self._progress(result["finished"] + result["void"])
        self._note_answers(result["last_answers"])
        player_reasons = set(result["exhausted"].values())
        for reason, setting in result["reached"].items():
            if assignment.alone or reason not in player_reasons:
                self._outcome.reached[reason] = setting
        if result["stopped"] in ("interrupted", "defaults") and self._outcome.stopped is None:
            self._outcome.stopped, self._outcome.pausing = result["stopped"], result["pausing"]
        if result["stopped"] == "budget":
            # Repeat the share with the budget that other shares have not used. If there is no other share, the whole
            # budget is spent.
            if result["calls"] or self._assignments:
                return [share]
            self._outcome.stopped = "budget"
        elif player_reasons and not assignment.alone:
            # The player's part of the limit is used up, but other parts of the limit may be left.
            if result["calls"]:
                return [share]
            self._postponed.append(share)
        return []

    def _note_answers(self, answers: Mapping[str, Sequence[Fault | None]]) -> None:
        """Count defaulted answers over all workers, since a single share may have too few answers."""
        for player, faults in answers.items():
            for fault in faults:
                reason = self._defaulted.note(player, fault, answered=fault is None)
                if reason is not None and self._outcome.stopped is None:
                    self._outcome.stopped, self._outcome.pausing = "defaults", reason


def play_share(
    url: str,
    experiment: str,
    keys: list[str],
    limits: Mapping[str, Any],
    plugins: Sequence[str] = (),
    parts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play some games of an experiment on a worker, which must have plugin files at the same paths."""
    from distributed import Event, worker_client

    for file in plugins:
        load_file(file)
    tally, stop = Tally(), StopSignal()

    async def main(journal: Journal, planned: Experiment) -> Outcome:
        async def poll() -> None:
            while not await asyncio.to_thread(stop_event.is_set):
                await asyncio.sleep(_POLL_INTERVAL_S)
            stop.request()

        polling = asyncio.create_task(poll())
        fixtures = [fixture for fixture in planned.fixtures() if fixture.key in key_set]
        try:
            allowances = {name: Allowance.model_validate(part) for name, part in (parts or {}).items()}
            how = Conduct(Limits.model_validate(limits), tally, stop, parts=allowances)
            return await conduct(fixtures, journal, experiment, how, share=keys)
        finally:
            polling.cancel()

    key_set = set(keys)
    with worker_client(separate_thread=False) as client, Journal.open(url) as journal:
        stop_event = Event(f"ostrom-stop-{experiment}", client=client)
        outcome = asyncio.run(main(journal, _planned(url, experiment, os.getpid())))
    fields = ("finished", "void", "unavailable", "faulted", "stopped", "reached", "exhausted", "pausing")
    answers = {player: list(faults) for player, faults in outcome.last_answers.items()}
    return {**{name: getattr(outcome, name) for name in fields}, "calls": tally.calls, "last_answers": answers}


@lru_cache(maxsize=8)
def _planned(url: str, experiment: str, _process: int) -> Experiment:
    with Journal.open(url) as journal:
        row = next(row for row in journal.experiments() if row.id == experiment)
    return experiment_of(row.name, row.settings)


def _amounts(used: Used | None) -> dict[str, float]:
    """Return used amounts as a dictionary by the names of limits."""
    used = used or Used()
    return {"calls": used.calls, "tokens": used.tokens, "budget": used.dollars, "seconds": used.seconds}
