"""Experiments in batches: the answers of single calls, results that come while no process runs, faults of the batch
API, the deadline, and the budget."""

import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from system_lab import Lab, ended, sent_when

from fork_server import ForkServer
from ostrom.testing.provider import Provider

_SEATS = ("--include", "ash", "--include", "bay", "--include", "cob", "--seats", 3)
BENCH = ("bench", "punish", *_SEATS, "--rounds", 1, "--games", 2, "--seed", 3)


def lab_with(folder: Path, provider: Provider, server: ForkServer, **price: float) -> Lab:
    folder.mkdir()
    lab = Lab(folder, f"sqlite:///{folder}/journal.db", server=server)
    for name in ("ash", "bay", "cob"):
        lab.bot(name, provider.base_url, price={"input": 1, "output": 1, **price}, max_tokens=200)
    return lab


def decisions(lab: Lab) -> list[object]:
    with lab.journal() as journal:
        return [[answer.value for answer in record.answers] for _, _, record in journal.records()]


def charged(provider: Provider) -> float:
    """Dollars by the provider's account."""
    bill = provider.account()["charged"]
    return float(bill["input_tokens"] + bill["output_tokens"]) / 1_000_000


@dataclass(frozen=True)
class Single:
    """The experiment in single calls."""

    decisions: list[object]
    cost: float
    charged: int


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory, fork_server: ForkServer) -> Single:
    with Provider(seed=2) as provider:
        lab = lab_with(tmp_path_factory.mktemp("single") / "lab", provider, fork_server)
        lab.must(*BENCH)
        account = provider.account()
        assert account["batched"]["calls"] == 0
        return Single(decisions(lab), lab.status()["calls"]["cost"], account["charged"]["calls"])


def test_batches_give_the_answers_of_single_calls_for_half_the_price(
    tmp_path: Path, fork_server: ForkServer, single: Single
) -> None:
    with Provider(seed=2) as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server, batch=0.5)
        lab.must(*BENCH, "--batch")
        assert decisions(lab) == single.decisions
        assert lab.status()["calls"]["cost"] == pytest.approx(single.cost / 2)
        account = provider.account()
        assert account["batched"]["calls"] == account["charged"]["calls"] == single.charged


@pytest.mark.slow
def test_faults_of_the_batch_api_change_no_answer_and_cost_nothing_twice(
    tmp_path: Path, fork_server: ForkServer, single: Single
) -> None:
    results = {"duplicated": 0.2, "results_500": 0.1, "results_cut": 0.1}
    faults = {"expired": 0.3, "create_lost": 0.2, "poll_500": 0.2, **results}
    with Provider(batch_faults=faults, seed=2) as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server)
        lab.must(*BENCH, "--batch")
        assert decisions(lab) == single.decisions
        # The provider charged each decision once, and perhaps each result that was not readable.
        dropped = lab.status()["calls"]["faults"].get("dropped", 0)
        assert single.charged <= provider.account()["charged"]["calls"] <= single.charged + dropped


@pytest.mark.slow
def test_results_are_collected_that_came_while_no_process_ran(tmp_path: Path, fork_server: ForkServer) -> None:
    with Provider(batch_delay=3.0) as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server)
        process = lab.start(*BENCH, "--batch")
        # The first to move are different players, thus two batches.
        assert sent_when(process, signal.SIGKILL, lambda: sum(provider.account()["batches"].values()) == 2)
        ended(process)
        assert [batch["calls"] for batch in lab.status()["batches"]] == [1, 1]
        told = " ".join(lab.must("status").out.split())
        assert f"ostrom resume punish-1 --store {lab.store} collects the results of its batches." in told
        while "in_progress" in provider.account()["batches"]:
            time.sleep(0.1)
        lab.must("resume", "--no-batch")
        assert lab.status()["state"] == "finished"
        assert lab.status()["batches"] == []
        account = provider.account()
        assert account["batched"]["calls"] == 2
        assert account["charged"]["calls"] == lab.status()["calls"]["calls"]


@pytest.mark.slow
def test_after_the_deadline_the_rest_is_asked_call_by_call(tmp_path: Path, fork_server: ForkServer) -> None:
    with Provider(batch_delay=3600.0) as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server)
        lab.must(*BENCH, "--batch", "--deadline", 0.5 / 3600)
        assert set(provider.account()["batches"]) == {"cancelled"}
        assert provider.account()["batched"]["calls"] == 0
        assert lab.status()["state"] == "finished"


def test_a_budget_holds_by_the_account_of_the_provider(tmp_path: Path, fork_server: ForkServer) -> None:
    with Provider() as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server)
        done = lab.run(*BENCH, "--batch", "--budget", 0.01)  # All calls cost 0.014.
        assert done.status == 1
        assert 0 < charged(provider) <= 0.01


def test_options_of_batches_are_refused_where_they_have_no_meaning(tmp_path: Path, fork_server: ForkServer) -> None:
    with Provider() as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server)
        assert "for --batch" in lab.run(*BENCH, "--deadline", 1).err
        assert "does not apply to batches" in lab.run(*BENCH, "--batch", "--game-seconds", 600).err
        assert provider.account()["requests"] == 0


@pytest.mark.slow
def test_results_that_cannot_be_read_count_although_their_batch_expired(
    tmp_path: Path, fork_server: ForkServer
) -> None:
    with Provider(batch_faults={"expired": 1.0, "results_cut": 1.0}) as provider:
        lab = lab_with(tmp_path / "lab", provider, fork_server)
        lab.run(*BENCH, "--batch", "--retries", 1)
        assert provider.account()["batched"]["calls"] > 0
        calls = lab.status()["calls"]
        assert calls["faults"]["dropped"] >= provider.account()["batched"]["calls"]
        assert calls["cost"] + calls["reserved"] >= charged(provider)
