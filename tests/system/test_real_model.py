"""A real model sits at the table: SmolLM2-135M over real HTTP, by a JSON schema and by tags under a grammar. What it
chooses means nothing; that every decision of it can be accounted for does."""

import json
from typing import Any

import pytest
from system_lab import Lab, calls_of

from local_model import LocalModel
from ostrom.core import Provenance
from ostrom.experiment import replay

pytestmark = pytest.mark.slow

FORMS: dict[str, dict[str, Any]] = {"smol-native": {"form": "native"}, "smol-tags": {"form": "tags", "grammar": True}}
BUILT_IN = ("Cooperator", "FreeRider", "Retaliator")


def prepared(lab: Lab, local_model: LocalModel, max_tokens: int, **fields: Any) -> None:
    for name, form in FORMS.items():
        settings = {"model": local_model.name, "variant": "terse", "max_tokens": max_tokens, **form, **fields}
        lab.bot(name, local_model.base_url, temperature=0.0, **settings)


def seats(*names: str) -> list[str]:
    return [part for name in names for part in ("--include", name)]


def check_accounted_for(lab: Lab, *, models: int) -> list[dict[str, Any]]:
    """Every decision of a model has its calls, and its provenance is what these say; the game agrees with the rules."""
    with lab.journal() as journal:
        for game in journal.games():
            assert game.state == "finished"
            record = journal.record(game.id)
            replay(record)
            players = {seat.seat: seat.player for seat in record.seats}
            assert sum(player in FORMS for player in players.values()) == models
            calls: dict[Any, list[Any]] = {}
            for key, call in journal.calls(game.id):
                calls.setdefault(key, []).append(call)
            for answer in record.answers:
                mine = calls.pop((answer.turn, answer.phase, answer.seat), [])
                if players[answer.seat] not in FORMS:
                    assert (mine, answer.provenance) == ([], Provenance.ANSWERED)
                    continue
                assert mine
                assert all(call.prompt and call.latency > 0 for call in mine)
                assert all(call.usage is not None and call.usage.tokens > 0 for call in mine if call.reply is not None)
                legal, refused = mine[-1].fault is None, len(mine) > 1
                assert answer.provenance == (("repaired" if refused else "answered") if legal else "defaulted"), (
                    answer,
                    [call.fault for call in mine],
                )
            assert not calls
    told: list[dict[str, Any]] = json.loads(lab.must("status", "--json").out)["status"]
    return told


# A form for each game: to read a prompt takes the model seconds. The long form has both forms in either game.
def test_a_round_and_a_turn(local_model: LocalModel, lab: Lab) -> None:
    prepared(lab, local_model, max_tokens=200)
    limits = ("--attempts", 2, "--calls", 1, "--seed", 1)
    native, tags = FORMS
    one_round = ("--games", 1, "--rule", "rounds=1", "--no-messages")
    lab.must("bench", "punish", *seats(native, *BUILT_IN, "RandomGiver"), *one_round, *limits)
    lab.must("run", "commons", *seats(tags, "Pavlov"), "--turns", 1, "--no-voting", *limits)
    told = check_accounted_for(lab, models=1)
    assert [experiment["state"] for experiment in told] == ["finished", "finished"]
    with lab.journal() as journal:
        assert [game.rounds for game in journal.games()] == [1, 1]
        taken = {call.settings["requested"]["form"] for _, _, call in calls_of(journal) if call.fault is None}
    assert taken == {"native", "tags"}


@pytest.mark.long
@pytest.mark.parametrize("form", list(FORMS))
def test_a_whole_game_of_punish(form: str, local_model: LocalModel, lab: Lab) -> None:
    prepared(lab, local_model, max_tokens=120)
    lab.must("bench", "punish", *seats(f"{form}:2", *BUILT_IN), "--games", 1, "--seed", 2, "--pause-at-defaults", 1)
    (told,) = check_accounted_for(lab, models=2)
    assert told["state"] == "finished"
    print(form, told["provenance"], told["calls"])


@pytest.mark.long
@pytest.mark.parametrize("form", list(FORMS))
def test_a_whole_game_of_the_commons(form: str, local_model: LocalModel, lab: Lab) -> None:
    prepared(lab, local_model, max_tokens=120)
    lab.must(
        "bench", "commons", *seats(f"{form}:2"), "--games", 1, "--duration", 20, "--seed", 2, "--pause-at-defaults", 1
    )
    (told,) = check_accounted_for(lab, models=2)
    assert told["state"] == "finished"
    print(form, told["provenance"], told["calls"])
