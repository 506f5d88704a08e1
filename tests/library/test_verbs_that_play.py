"""Verbs that play games of a journal, called from Python: in a running event loop, and when they end early."""

import asyncio
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ostrom
from analysis.small_games import record, turn
from ostrom.core import InputError
from ostrom.journal.sql import Journal
from ostrom.library.running import RunIncomplete, RunWarning
from ostrom.testing.provider import Provider

AUDIT = {"game": "punish", "situations": 2, "repeats": 2, "seed": 3}
LINES = [(0, "One."), (1, "Two."), (2, "Three.")]


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[str]:
    with Provider(models=("gamma",)) as provider:
        file = tmp_path / "gamma.json"
        file.write_text(json.dumps({"model": "gamma", "base_url": provider.base_url, "form": "native"}))
        yield str(file)


@pytest.fixture
def messages(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/messages.db"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("games", kind="punish")
        journal.add_game(experiment, record(["ada", "bob", "cyd"], turn([1, 2, 3], said=LINES)), key="0")
    return url


def in_running_loop(function: Any, **arguments: Any) -> Any:
    """Call a function from a coroutine, as a cell of a notebook does."""

    async def main() -> Any:
        return function(**arguments)

    return asyncio.run(main())


@pytest.mark.slow
def test_an_audit_that_ends_early_raises_and_is_continued(tmp_path: Path, bot: str) -> None:
    store = tmp_path / "audit.db"
    with pytest.raises(RunIncomplete, match=r"the budget is spent.*Continue with experiment='audit-1'"):
        in_running_loop(ostrom.audit, model=bot, limits={"token_budget": 1}, store=store, **AUDIT)
    with warnings.catch_warnings(action="error"):
        finding = in_running_loop(ostrom.audit, experiment="audit-1", limits={"token_budget": 10**9}, store=store)
    assert finding.facts["experiment"] == "audit-1"
    assert finding.facts["model"] == "gamma"


def test_an_audit_of_a_scripted_player_needs_no_loop(tmp_path: Path) -> None:
    finding = ostrom.audit(model="scripted:unbiased", store=tmp_path / "audit.db", **AUDIT)
    assert finding.facts["model"] == "scripted:unbiased"


def test_a_judge_that_ends_early_warns_and_continues(messages: str, bot: str) -> None:
    with pytest.warns(RunWarning, match=r"the budget is spent.* 0 readings are finished\. Run the same again"):
        finding = in_running_loop(ostrom.quotes, judge=bot, limits={"token_budget": 1}, store=messages)
    assert finding.result.height == 0
    with warnings.catch_warnings(action="error"):
        finding = in_running_loop(ostrom.quotes, judge=bot, store=messages)
    assert finding.result["judge"].to_list() == ["gamma"]


def test_an_unknown_backend_is_an_error_of_the_input() -> None:
    with pytest.raises(InputError, match=r"backend must be one of 'numpy', 'compiled' or 'jax', got 'nope'"):
        ostrom.tournament(["AllC", "AllD"], game="repeated", backend="nope")
