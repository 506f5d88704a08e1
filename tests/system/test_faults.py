"""Whatever a provider does, the experiment finishes, every fault is counted as what it was, and nothing is decided in a
model's place without a mark."""

from collections import Counter
from itertools import groupby
from typing import Any

import pytest
from system_lab import Lab, experiment

from ostrom.core import Call, Fault, Provenance, QuestionKey
from ostrom.journal.sql import Journal
from ostrom.testing.provider import FAULTS, FINAL, HARMLESS, every_fault
from provider_process import ProviderProcess, provider_process

pytestmark = pytest.mark.slow

SEEN = {
    "429": "rate_limited",
    "429_bare": "rate_limited",
    "500": "server_error",
    "503": "server_error",
    "400": "rejected",
    "401": "denied",
    "404": "denied",
    "drop": "dropped",
    "hang": "timeout",
    "trickle": "timeout",
    "empty": "empty",
    "half_json": "malformed",
    "long": "malformed",
    "illegal": "illegal",
    "nan": "illegal",
    "wrong_seat": "illegal",
    "refusal": "refused",
    "filtered": "refused",
    "length": "cut_off",
}
"""What our side calls each fault of the provider's."""
TRANSPORT = {fault.value for fault in Fault if fault.of_transport}
REPLY = {fault.value for fault in Fault if fault.of_reply}
NEVER_ENDING = ("hang", "trickle")
RECOVERABLE = sorted(set(FAULTS) - FINAL)


def prepared(lab: Lab, provider: ProviderProcess, games: int, **limits: Any) -> None:
    """Two bots in each answer form that matters here, and a file with both games."""
    for name, form in {"ash": "native", "bay": "tags", "cob": "tool"}.items():
        lab.bot(name, provider.base_url, form=form)
    text = experiment(
        games={"punish": {"rounds": 2}, "commons": {"turns": 3}},
        include=["ash", "bay", "cob"],
        repetitions=games // 2,
        seats=3,
        limits={"calls": 32, "per_provider": 32, "pause_at_defaults": 1, **limits},
    )
    (lab.folder / "experiment.toml").write_text(text)


def options(*shares: str) -> list[object]:
    return ["--models", "ash,bay,cob", "--retry-after", 0.1, *(part for one in shares for part in ("--fault", one))]


def check_counts(lab: Lab, provider: ProviderProcess) -> dict[str, Any]:
    """What `ostrom status` counts is what the provider did."""
    told, account = lab.status(), provider.account()
    assert account["bad_requests"] == account["abandoned"] == account["in_flight"] == 0
    injected: Counter[str] = Counter()
    for name, count in account["faults"].items():
        if name not in HARMLESS:
            injected[SEEN[name]] += count
    assert told["calls"]["faults"] == injected
    assert told["calls"]["calls"] == account["requests"]
    for model, counted in told["models"].items():
        theirs = account["models"][model.partition("@")[0]]
        assert counted["calls"] == theirs["requests"]
        assert sum(counted["faults"].values()) == theirs["requests"] - theirs["answered"]
    with lab.journal() as journal:
        check_marks(journal, told)
    return told


def check_marks(journal: Journal, told: dict[str, Any]) -> None:
    """Every question without a legal reply is marked as defaulted, every repaired one as repaired, and the counts of
    what was done about faults follow from the calls themselves."""
    retries = reasked = defaulted = 0
    for game in journal.games():
        answers = {(a.turn, a.phase, a.seat): a for a in journal.record(game.id).answers}
        asked: dict[QuestionKey, list[Call]] = {
            key: [call for _, call in calls] for key, calls in groupby(journal.calls(game.id), key=lambda one: one[0])
        }
        assert set(asked) == set(answers)
        for key, calls in asked.items():
            faults = [call.fault for call in calls]
            followed = [fault for fault in faults[:-1] if fault is not None]
            assert len(followed) == len(faults) - 1, "nothing follows a legal reply"
            retries += sum(fault.of_transport for fault in followed)
            reasked += sum(fault.of_reply for fault in followed)
            if faults[-1] is not None:
                expected = Provenance.DEFAULTED
                defaulted += 1
                assert answers[key].fault is faults[-1]
            else:
                expected = Provenance.REPAIRED if any(f.of_reply for f in followed) else Provenance.ANSWERED
            assert answers[key].provenance is expected, (game.key, key, faults)
            assert [call.attempt for call in calls] == list(range(1, len(calls) + 1))
    assert (told["calls"]["retries"], told["calls"]["reasked"]) == (retries, reasked)
    assert told["calls"]["defaulted"] == told["defaulted"] == defaulted


def test_every_fault_together(lab: Lab) -> None:
    shares = [f"{name}={share}" for name, share in every_fault(0.3).items()]
    with provider_process(*options(*shares), "--cycle", "--seed", 3) as provider:
        # A reply that is late on a busy machine would count as a fault that the provider did not make.
        prepared(lab, provider, games=4, timeout=8.0)
        lab.must("bench", "--file", "experiment.toml")
        told = check_counts(lab, provider)
        account = provider.account()
    assert (told["games"], told["state"]) == (4, "finished")
    assert sum(account["faults"].values()) >= 0.29 * account["requests"]
    assert told["defaulted"] > 0


def test_a_model_that_always_fails_leaves_the_others_alone(lab: Lab) -> None:
    with provider_process(*options(), "--fault-model", "cob=500:1") as provider:
        for name in ("ash", "bay", "cob"):
            lab.bot(name, provider.base_url)
        port = provider.base_url.rsplit(":", 1)[1].split("/")[0]
        seats = [part for name in ("ash:2", "bay:2", "cob") for part in ("--include", name)]
        rules = ["--rule", "rounds=1", "--no-messages"]
        done = lab.run("bench", "punish", *seats, *rules, "--games", 6, "--seats", 3, "--seed", 4, "--patience", 0)
        assert done.status == 1, done
        told = lab.status()
    planned, failed, stopped = done.complaints
    assert planned.startswith("6 games of punish")
    assert "cob@" in failed
    assert "Resume with: ostrom resume punish-1" in stopped
    with lab.journal() as journal:
        states = {game.state for game in journal.games() if "cob" not in game.players}
        assert states == {"finished"}
        assert told["games"] == sum("cob" not in game.players for game in journal.games()) > 0
    assert told["defaulted"] == 0
    with provider_process("--models", "ash,bay,cob", "--port", port):
        lab.must("resume")
        told = lab.status()
    assert (told["state"], told["games"], told["defaulted"]) == ("finished", 6, 0)


@pytest.mark.long
@pytest.mark.parametrize("fault", ["all", *RECOVERABLE])
def test_forty_games_with_faults(fault: str, lab: Lab) -> None:
    with provider_process(*options(f"{fault}=0.3"), "--seed", 7) as provider:
        # Long enough that no honest reply is late on a busy machine: what times out is what never comes.
        prepared(lab, provider, games=40, timeout=8.0 if fault in ("all", *NEVER_ENDING) else 60.0)
        lab.must("bench", "--file", "experiment.toml")
        told = check_counts(lab, provider)
    assert (told["games"], told["state"]) == (40, "finished")


@pytest.mark.long
def test_a_model_that_always_fails_among_forty_games(lab: Lab) -> None:
    with provider_process(*options(), "--fault-model", "cob=hang:1") as provider:
        for name in ("ash", "bay", "cob"):
            lab.bot(name, provider.base_url)
        seats = [part for name in ("ash:2", "bay:2", "cob") for part in ("--include", name)]
        done = lab.run("bench", "punish", *seats, "--seats", 3, "--games", 40, "--timeout", 1, "--patience", 10)
        assert done.status == 1
        with lab.journal() as journal:
            games = journal.games()
            assert {game.state for game in games if "cob" not in game.players} == {"finished"}
            assert not any(game.state == "finished" for game in games if "cob" in game.players)
