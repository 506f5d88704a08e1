"""What cannot be is told in one line, with status 2, before any game starts and before anything is written."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from system_lab import Lab

from ostrom.testing.provider import Provider

REST = ("--include", "Parasite:3", "--games", 1)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider(models=("ash",)) as provider:
        yield provider


def refused(lab: Lab, *arguments: object) -> str:
    """The one line that the command says; nothing is in the journal and nobody was asked."""
    done = lab.run(*arguments)
    assert (done.status, done.out) == (2, ""), done
    assert len(done.complaints) == 1, done.err
    assert done.complaints[0].startswith("ostrom: ")
    if (lab.folder / "journal.db").exists():
        with lab.journal() as journal:
            assert journal.experiments() == []
    return done.complaints[0]


def test_a_missing_key(lab: Lab) -> None:
    assert "OPENAI_API_KEY" in refused(lab, "bench", "commons", "--llm", "openai:gpt-5-mini", *REST)
    lab.bot("mine", None, model="openai:gpt-5-mini", key_env="NOT_THERE_KEY")
    assert "NOT_THERE_KEY" in refused(lab, "bench", "commons", "--include", "mine", *REST)


def test_an_unknown_provider(lab: Lab) -> None:
    assert "opnai" in refused(lab, "run", "--llm", "opnai:gpt-5-mini", "--include", "Parasite:3")


def test_a_server_that_is_not_there(lab: Lab) -> None:
    lab.bot("far", "http://127.0.0.1:9/v1")
    assert "http://127.0.0.1:9/v1" in refused(lab, "bench", "commons", "--include", "far", *REST)


def test_a_server_without_the_model(lab: Lab, provider: Provider) -> None:
    lab.bot("elm", provider.base_url)
    assert "it has ash" in refused(lab, "bench", "commons", "--include", "elm", *REST)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"model": "openai:gpt-5-mini", "mood": "good"}', "unknown field 'mood'"),
        ('{"model": ', "is not a JSON file"),
        ('["openai:gpt-5-mini"]', "must hold one JSON object"),
        ('{"temperature": 1}', '"model" is missing'),
        ('{"model": "openai:gpt-5-mini", "temperature": 3}', "temperature"),
    ],
)
def test_a_broken_bot_file(text: str, told: str, lab: Lab) -> None:
    (lab.folder / "bots").mkdir()
    (lab.folder / "bots" / "mine.json").write_text(text)
    assert told in refused(lab, "bench", "commons", "--include", "mine", *REST)


def test_an_unknown_bot(lab: Lab) -> None:
    assert "neighbour" in refused(lab, "bench", "commons", "--include", "neighbor", *REST)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("games = [", "is not valid TOML"),
        ("repetitions = 2\n", "games"),
        ('[[games]]\ngame = "chess"\n', "chess"),
        ('[[games]]\ngame = "punish"\nseeats = 3\n', "seeats"),
        ('[[games]]\ngame = "punish"\n[games.rules]\nrounds = 0\n', "rounds"),
        ('include = ["nobody-of-this-name"]\n[[games]]\ngame = "punish"\n', "nobody-of-this-name"),
        ('[[games]]\ngame = "punish"\n[[bots]]\nname = "a"\nmodel = "b"\nmood = "c"\n', "mood"),
        ('[[games]]\ngame = "punish"\n[limits]\nbudget = -1\n', "budget"),
    ],
)
def test_a_broken_experiment_file(text: str, told: str, lab: Lab) -> None:
    (lab.folder / "experiment.toml").write_text(text)
    line = refused(lab, "bench", "--file", "experiment.toml")
    assert "experiment.toml" in line
    assert told in line


def test_a_budget_without_a_price(lab: Lab, provider: Provider) -> None:
    lab.bot("ash", provider.base_url)
    assert "price" in refused(lab, "bench", "commons", "--include", "ash", *REST, "--budget", 1)


def test_a_cluster_without_a_journal_that_workers_reach(lab: Lab, provider: Provider) -> None:
    lab.bot("ash", provider.base_url)
    cluster = ("--cluster", "tcp://127.0.0.1:9")
    assert "postgresql" in refused(lab, "bench", "commons", "--include", "ash", *REST, *cluster)


def test_nobody_was_asked(provider: Provider) -> None:
    assert provider.account()["requests"] == 0


def test_a_dry_run_writes_nothing(lab: Lab, provider: Provider, tmp_path: Path) -> None:
    lab.bot("ash", provider.base_url, price={"input": 1, "output": 1})
    done = lab.must("bench", "commons", "--include", "ash:2", "--games", 2, "--turns", 3, "--dry-run", "--json")
    assert json.loads(done.out)
    assert not (tmp_path / "journal.db").exists()
