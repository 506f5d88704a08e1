"""A budget holds, however many calls are in flight, and a run goes on with more of it."""

from random import Random
from typing import Any

import pytest
from system_lab import Lab, calls_of, experiment

from provider_process import provider_process

pytestmark = pytest.mark.slow

PRICE = {"input": 3.0, "output": 15.0}
BOTS = ("ash", "bay", "cob", "dot")


def prepared(lab: Lab, base_url: str, games: int, **limits: Any) -> None:
    for name in BOTS:
        lab.bot(name, base_url, price=PRICE, max_tokens=200)
    text = experiment(
        games={"punish": {"rounds": 2}},
        include=BOTS,
        repetitions=games,
        seats=4,
        limits={"calls": 64, "per_provider": 64, **limits},
    )
    (lab.folder / "experiment.toml").write_text(text)


def cost(input_tokens: int, output_tokens: int) -> float:
    return (input_tokens * PRICE["input"] + output_tokens * PRICE["output"]) / 1e6


def told_by_replies(lab: Lab) -> float:
    """What the provider's own numbers come to: its usage, as it stands in every reply, times the price."""
    with lab.journal() as journal:
        used = [call.usage for _, _, call in calls_of(journal) if call.usage is not None]
    return sum(cost(usage.input_tokens, usage.output_tokens) for usage in used)


def check_budget(lab: Lab, budget: float, seed: int) -> None:
    with provider_process("--models", ",".join(BOTS), "--delay", 0.05, "--jitter", 0.9, "--seed", seed) as provider:
        prepared(lab, provider.base_url, games=16)
        done = lab.run("bench", "--file", "experiment.toml", "--budget", budget)
        first, account = lab.status(), provider.account()
        assert done.status == 1, done
        assert "the budget is spent" in done.complaints[-1]
        assert "ostrom resume punish-1 --budget MORE" in done.complaints[-1]
        # Every request that was answered is in the journal with what it cost: none was cut off.
        assert account["answered"] == account["requests"] == first["calls"]["calls"]
        assert first["calls"]["reserved"] == 0
        assert first["calls"]["cost"] == pytest.approx(told_by_replies(lab))
        assert first["calls"]["cost"] <= budget
        # It is not held by asking for next to nothing: with so many calls in flight, most of it is used.
        assert first["calls"]["cost"] > 0.5 * budget
        assert account["peak"] > 8
        again = lab.run("resume", "--budget", budget)
        # A smaller call than the one that did not fit may still go; the cap is that of the whole experiment.
        assert again.status == 1
        assert first["calls"]["cost"] <= lab.status()["calls"]["cost"] <= budget
        lab.must("resume", "--budget", 100)
        last, account = lab.status(), provider.account()
    assert (last["state"], last["games"]) == ("finished", 16)
    assert account["answered"] == account["requests"] == last["calls"]["calls"]
    assert last["calls"]["cost"] == pytest.approx(told_by_replies(lab))


def test_the_cap_holds(lab: Lab) -> None:
    check_budget(lab, budget=0.6, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_the_cap_holds_twenty_times(seed: int, lab: Lab) -> None:
    check_budget(lab, budget=round(Random(seed).uniform(0.45, 0.85), 2), seed=seed)


def test_tokens_of_calls_that_never_came_back_count(lab: Lab) -> None:
    """Nobody knows what a call that timed out has used; the most that it can be is counted, in this run and in the
    next."""
    most = 60_000
    shares = ["--fault", "hang=0.25"]
    with provider_process("--models", ",".join(BOTS), "--seed", 4, *shares) as provider:
        prepared(lab, provider.base_url, games=8, timeout=0.5, token_budget=most, retries=20)
        runs: list[dict[str, Any]] = []
        for _ in range(3):
            done = lab.run("bench", "--file", "experiment.toml") if not runs else lab.run("resume")
            assert done.status == 1
            assert "the budget is spent" in done.complaints[-1]
            runs.append(lab.status()["calls"])
            with lab.journal() as journal:
                assert journal.spending("punish-1").tokens <= most
        account = provider.account()
    assert account["faults"]["hang"] == runs[-1]["faults"]["timeout"] > 0
    with lab.journal() as journal:
        calls = calls_of(journal)
        known = sum(call.usage.tokens for _, _, call in calls if call.usage is not None)
        unknown = sum(call.extra["reserved_tokens"] for _, _, call in calls if call.usage is None)
        spent = journal.spending("punish-1").tokens
    assert unknown > 0
    assert known + unknown == spent <= most
