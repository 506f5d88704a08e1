"""Ctrl-C once: calls in flight come in and are kept. Twice: at once. Either way the run goes on later."""

import signal
import time

import pytest
from system_lab import Lab, Played, calls_of, ended, experiment, played, sent_when

from provider_process import ProviderProcess, provider_process

pytestmark = pytest.mark.slow

BOTS = ("ash", "bay", "cob")


def prepared(lab: Lab, provider: ProviderProcess) -> None:
    for name in BOTS:
        lab.bot(name, provider.base_url)
    rules = {"punish": {"rounds": 2}}
    text = experiment(games=rules, include=BOTS, repetitions=6, seats=3, limits={"calls": 6, "per_provider": 6})
    (lab.folder / "experiment.toml").write_text(text)


def came_to(lab: Lab, status: int) -> dict[str, Played]:
    done = lab.run("resume")
    assert done.status == status, done
    with lab.journal() as journal:
        return played(journal)


def test_once_and_twice(lab: Lab) -> None:
    with provider_process("--models", ",".join(BOTS), "--delay", 0.4) as provider:
        prepared(lab, provider)
        process = lab.start("bench", "--file", "experiment.toml")
        assert sent_when(process, signal.SIGINT, lambda: provider.account()["in_flight"] >= 4)
        first = ended(process)
        account = provider.account()
        assert first.status == 1
        assert any("finishing the calls in flight" in line for line in first.complaints)
        assert "Resume with: ostrom resume punish-1" in first.complaints[-1]
        # All that was in flight was answered, and what was answered is kept.
        assert account["abandoned"] == 0
        assert account["answered"] == account["requests"] >= 4
        with lab.journal() as journal:
            kept = len(calls_of(journal))
        assert kept == account["requests"]

        process = lab.start("resume")
        assert sent_when(process, signal.SIGINT, lambda: provider.account()["requests"] >= kept + 4)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        second = ended(process)
        assert second.status not in (0, 2)
        assert "Traceback" not in second.err
        assert second.complaints[-1].startswith("ostrom: ")

    port = provider.base_url.rsplit(":", 1)[1].split("/")[0]
    with provider_process("--models", ",".join(BOTS), "--port", port):
        games = came_to(lab, 0)
    assert len(games) == 6
    assert {game.state for game in games.values()} == {"finished"}


def test_twice_at_once_ends_a_call_that_would_never_come_back(lab: Lab) -> None:
    with provider_process("--models", ",".join(BOTS), "--fault", "hang=1") as provider:
        prepared(lab, provider)
        process = lab.start("bench", "--file", "experiment.toml")
        assert sent_when(process, signal.SIGINT, lambda: provider.account()["in_flight"] >= 6)
        time.sleep(0.3)
        assert process.poll() is None, "it waits for what is in flight"
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert done.status not in (0, 2)
    assert "Traceback" not in done.err
    with lab.journal() as journal:
        assert calls_of(journal) == []
