"""Replies that are taken over from another journal: the same moves without a call, and a call where anything that was
sent differs."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import ostrom
from ostrom.core import InputError
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import experiment_of
from ostrom.journal.sql import Journal
from ostrom.library.running import RunWarning
from ostrom.players.models.bots import Price
from ostrom.testing.provider import Provider

PLAN = {"game": "punish", "games": 2, "rules": {"rounds": 1}, "seats": 3, "seed": 5, "name": "study"}
BOT: dict[str, Any] = {"model": "alpha", "temperature": 0.0, "price": Price(input=1.0, output=2.0)}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    # Invalid replies are replies too: a second run must meet them again.
    with Provider(models=("alpha", "beta"), faults={"illegal": 0.2}, seed=3) as served:
        yield served


def bench(provider: Provider, store: Path, limits: dict[str, Any] | None = None, **bot: Any) -> None:
    fields = {**BOT, "base_url": provider.base_url, **bot}
    player = ostrom.Bot(name="alpha", **fields)
    ostrom.bench([player, "Cooperator", "Retaliator"], store=store, limits=limits, progress=False, **PLAN)


@pytest.fixture(scope="module")
def source(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("source") / "source.db"
    bench(provider, store)
    return store


def asked(provider: Provider) -> int:
    return int(provider.account()["requests"])


def moves(store: Path) -> Sequence[Any]:
    with Journal.open(str(store)) as journal:
        return [[answer.value for answer in record.answers] for _, _, record in journal.records()]


def spending(store: Path, experiment: str = "study") -> Any:
    with Journal.open(str(store)) as journal:
        return journal.spending(experiment)


def provenances(store: Path) -> dict[str, int]:
    with sqlite3.connect(store) as connection:
        rows = connection.execute("SELECT provenance, count(*) FROM answers GROUP BY provenance")
        return dict(rows.fetchall())


def first_calls(store: Path) -> list[Any]:
    """The questions that the model answered."""
    with sqlite3.connect(store) as connection:
        return connection.execute("SELECT game, place FROM calls WHERE fault IS NULL").fetchall()


def test_a_second_run_makes_no_call_and_the_same_moves(provider: Provider, source: Path, tmp_path: Path) -> None:
    store, before = tmp_path / "second.db", asked(provider)
    # A budget of nothing holds, since a reused answer is not spent.
    bench(provider, store, {"reuse": str(source), "budget": 0, "token_budget": 0, "player_calls": 0})
    assert asked(provider) == before
    assert moves(store) == moves(source)
    first, second = spending(source), spending(store)
    assert (second.calls, second.dollars, second.tokens) == (0, 0.0, 0)
    assert second.reused == first.calls > len(first_calls(source)), "invalid replies are taken over too"
    assert second.saved == pytest.approx(first.cost)
    assert provenances(store)["reused"] == len(first_calls(source))


CHANGES: dict[str, dict[str, Any]] = {
    "prompt": {"personality": "You are fair."},
    "model": {"model": "beta"},
    "a setting": {"max_tokens": 4000},
    "layout": {"layout": 1},
    "form": {"form": "tags"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_call_is_made_where_anything_differs(change: str, provider: Provider, source: Path, tmp_path: Path) -> None:
    before = asked(provider)
    bench(provider, tmp_path / "other.db", {"reuse": str(source)}, **CHANGES[change])
    assert spending(tmp_path / "other.db").reused == 0
    assert asked(provider) > before


def test_another_schema_of_the_answer_is_asked_again(provider: Provider, source: Path, tmp_path: Path) -> None:
    """The prompt is the same, but the provider was asked to enforce another form."""
    copy = tmp_path / "copy.db"
    copy.write_bytes(source.read_bytes())
    with sqlite3.connect(copy) as connection:
        rows = connection.execute("SELECT digest, text FROM texts WHERE text LIKE '%schema%'").fetchall()
        for digest, text in rows:
            settings = json.loads(json.loads(text))
            settings["requested"]["schema"] = "0" * 16
            connection.execute("UPDATE texts SET text = ? WHERE digest = ?", (json.dumps(json.dumps(settings)), digest))
    assert rows
    bench(provider, tmp_path / "other.db", {"reuse": str(copy)})
    assert spending(tmp_path / "other.db").reused == 0


@pytest.mark.parametrize("temperature", [0.3, None])
def test_random_draws_are_taken_over_only_if_the_user_says_so(
    temperature: float | None, provider: Provider, tmp_path: Path
) -> None:
    source = tmp_path / "source.db"
    bench(provider, source, temperature=temperature)
    with pytest.raises(InputError, match="temperature of alpha"):
        bench(provider, tmp_path / "second.db", {"reuse": str(source)}, temperature=temperature)
    assert not (tmp_path / "second.db").exists()
    before = asked(provider)
    sampled = {"reuse": str(source), "reuse_sampled": True}
    bench(provider, tmp_path / "second.db", sampled, temperature=temperature)
    assert asked(provider) == before
    assert moves(tmp_path / "second.db") == moves(source)


def test_a_resumed_run_takes_each_answer_over_once(provider: Provider, source: Path, tmp_path: Path) -> None:
    half, store = tmp_path / "half.db", tmp_path / "resumed.db"
    half.write_bytes(source.read_bytes())
    with sqlite3.connect(half) as connection:
        connection.execute("DELETE FROM calls WHERE game = 2 AND place > 3")
    before = asked(provider)
    with pytest.warns(RunWarning, match="budget"):
        bench(provider, store, {"reuse": str(half), "token_budget": 0})
    first = spending(store).reused
    assert 0 < first < spending(source).calls
    ostrom.open(store)["study"].resume(limits={"reuse": str(source), "token_budget": 0})
    assert asked(provider) == before
    assert moves(store) == moves(source)
    with Journal.open(str(store)) as journal:
        assert len(journal.replies.taken_over("study")) == journal.spending("study").reused == spending(source).calls


def test_an_experiment_of_the_same_journal_can_be_the_source(provider: Provider, source: Path, tmp_path: Path) -> None:
    store = tmp_path / "both.db"
    store.write_bytes(source.read_bytes())
    before = asked(provider)
    bench(provider, store, {"reuse": str(store)})
    bench(provider, store, {"reuse": str(store)})
    assert asked(provider) == before
    with Journal.open(str(store)) as journal:
        first, second, third = (row.id for row in journal.experiments())
        assert journal.replies.taken_over(second) == journal.replies.taken_over(third)
        calls = journal.spending(first).calls
        assert journal.replies.sources_among(second, first) == calls
        assert journal.replies.sources_among(first, second) == 0
        index = list(journal.replies.index(["alpha@" + provider.base_url.split("/")[2]]))
        assert len(index) == calls, "an answer and its copies count once"
        assert len(list(journal.replies.index(["alpha@" + provider.base_url.split("/")[2]], first))) == calls


@pytest.mark.slow
def test_a_comparison_with_the_source_says_that_the_two_are_not_independent(
    provider: Provider, source: Path, tmp_path: Path
) -> None:
    store = tmp_path / "both.db"
    store.write_bytes(source.read_bytes())
    bench(provider, store, {"reuse": str(store)})
    with Journal.open(str(store)) as journal:
        pair = tuple(row.id for row in journal.experiments())
    page = ostrom.report(store=store, compare=pair, output=tmp_path / "report")
    assert "not independent" in page.lines[0]
    assert f"{pair[1]} were taken over from {pair[0]}" in page.lines[0]


def test_the_source_is_named_by_commands_only(provider: Provider, source: Path, tmp_path: Path) -> None:
    """A stranger's file or experiment could name a journal of this user."""
    store = tmp_path / "second.db"
    bench(provider, store, {"reuse": str(source)})
    with Journal.open(str(store)) as journal:
        settings = journal.settings("study")
        assert "reuse" not in settings["limits"]
        assert journal.runs("study")[0].settings["reuse"] == str(source)
    forged = {**settings, "limits": {**settings["limits"], "reuse": "postgresql://elsewhere/x", "reuse_sampled": True}}
    limits = experiment_of("study", forged).limits
    assert limits is not None
    assert (limits.reuse, limits.reuse_sampled) == (None, False)
    file = tmp_path / "experiment.toml"
    file.write_text('include = ["Cooperator:3"]\n[[games]]\ngame = "punish"\n[limits]\nreuse = "old.db"\n')
    with pytest.raises(InputError, match="not in a file"):
        ostrom.bench(file=file, store=tmp_path / "third.db")


def test_an_option_without_the_journal_is_refused(provider: Provider, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="reuse_sampled"):
        bench(provider, tmp_path / "second.db", {"reuse_sampled": True})
    assert Limits(reuse="a.db").model_dump().keys().isdisjoint({"reuse", "reuse_sampled"})
