"""A battery that is killed, or that has spent its budget, goes on where it was: nothing is asked twice."""

import random
import signal
from collections import Counter
from pathlib import Path

import pytest
from system_lab import Lab, calls_of, ended, played, sent_when, visited, visits

from fork_server import ForkServer
from ostrom.core import Provenance
from ostrom.experiment import replay
from provider_process import provider_process

PROTOCOL = """
[time]
later = [100]
delays = [6, 12]
fronts = [0]
bisections = 3
askings = 1
retest = 0
reversals = 0
dominance = 1
triples = 0

[ultimatum]
pots = [100]
offers = [0.1, 0.5]
repetitions = 2
responses = 2

[traveller]
scales = [0.1, 1]
other_bonuses = []
repetitions = 2
"""
BOTS = ("ash", "bay")
ASK = ("bench", "battery", "--subject", "ash", "--subject", "bay", "--protocol", "small.toml", "--seed", 3)
CALLS = 2
FAULTS = ("--fault", "half_json=0.1", "--fault", "refusal=0.05", "--fault", "illegal=0.05")


def prepared(folder: Path, base_url: str, server: ForkServer, **fields: object) -> Lab:
    folder.mkdir(exist_ok=True)
    lab = Lab(folder, f"sqlite:///{folder}/journal.db", server=server)
    for name in BOTS:
        lab.bot(name, base_url, **fields)
    (folder / "small.toml").write_text(PROTOCOL)
    return lab


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path, fork_server: ForkServer) -> None:
    log = tmp_path / "log.jsonl"
    options = ("--models", ",".join(BOTS), "--delay", 0.04, "--draw-by", "reference", "--log", log, "--seed", 5)
    with provider_process(*options, *FAULTS) as provider:
        calm = prepared(tmp_path / "calm", provider.base_url, fork_server)
        calm.must(*ASK, "--calls", 8)
        with calm.journal() as journal:
            expected = played(journal)
        skip = visited(log)

        lab = prepared(tmp_path / "killed", provider.base_url, fork_server)
        draw, kills = random.Random(2), 2
        for kill in range(kills):
            goal = visited(log) + draw.randrange(6, 14)
            process = lab.start(*ASK, "--calls", CALLS) if kill == 0 else lab.start("resume")
            assert sent_when(process, signal.SIGKILL, lambda goal=goal: visited(log) >= goal)
            ended(process)
        lab.must("resume")
        mine = Counter(visit["id"] for visit in visits(log)[skip:])
        before = {visit["id"]: visit["digest"] for visit in visits(log)[:skip]}
    with lab.journal() as journal:
        assert played(journal) == expected
        records = [journal.record(game.id) for game in journal.games()]
    # Only what was in flight at a kill was asked again, and in the same words: on its way, or back and not yet stored.
    assert set(mine) == set(before)
    assert sum(mine.values()) - len(mine) <= kills * 2 * CALLS
    assert all(before[visit["id"]] == visit["digest"] for visit in visits(log))
    assert len(records) == 6
    missing = 0
    for record in records:
        replay(record)
        items = {event["number"]: event for event in record.events if event["event"] == "item_answered"}
        for answer in record.answers:
            event = items[answer.turn]
            if answer.provenance is Provenance.DEFAULTED:
                missing += 1
                assert (answer.value, event["answer"]) == (None, None)
                assert event["fault"] is not None
            else:
                assert event["answer"] == answer.value is not None
    assert missing > 0


def test_a_budget_stops_it_and_more_lets_it_go_on(tmp_path: Path, fork_server: ForkServer) -> None:
    with provider_process("--models", ",".join(BOTS)) as provider:
        price = {"input": 3.0, "output": 15.0}
        lab = prepared(tmp_path / "lab", provider.base_url, fork_server, price=price, max_tokens=100)
        budget = 0.006
        done = lab.run(*ASK, "--budget", budget)
        assert done.status == 1
        assert "the budget is spent" in done.complaints[-1]
        assert "ostrom resume battery-1 --budget MORE" in done.complaints[-1]
        first, asked = lab.status(), provider.account()["requests"]
        assert 0 < first["calls"]["cost"] <= budget
        assert first["calls"]["calls"] == asked
        lab.must("resume", "--budget", 10)
        last, account = lab.status(), provider.account()
    assert (last["state"], last["games"]) == ("finished", 6)
    assert last["calls"]["calls"] == account["requests"] == account["answered"]
    with lab.journal() as journal:
        keys = [(game, key, call.attempt) for game, key, call in calls_of(journal)]
        decided = sum(len(journal.record(game.id).answers) for game in journal.games())
    assert len(set(keys)) == len(keys) == account["requests"]
    assert decided == len({key[:2] for key in keys})
