"""Every reply of the API conforms to its OpenAPI document, for valid and invalid requests, against a real server with
an open seat."""

import json
from dataclasses import dataclass

import pytest
import requests
import schemathesis
from hypothesis import settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kept import HOSTILE, append, commons, opened, opening, punish, start_game
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import run_experiment
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.players.roster import seat_players
from ostrom.web.app import openapi_document
from serving import running

pytestmark = pytest.mark.slow

schema = schemathesis.openapi.from_dict(json.loads(openapi_document()))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


THERE = {
    "game": "punish-1.1",
    "experiment": "punish-1",
    "subject": "exponential",
    "name": "games",
}
"""What is there, by the name of the parameter that asks for it."""


@dataclass
class Lab:
    """A server with a bit of everything in its journal, and a person's seat."""

    address: str
    seat: str
    session: requests.Session


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with opened(f"sqlite:///{tmp_path_factory.mktemp('lab') / 'journal.db'}") as journal:
        talks = journal.new_experiment("talks", kind="punish")
        for number in range(3):
            journal.add_game(talks, punish(number, HOSTILE), key=f"p{number}")
        silence = journal.new_experiment("silence", kind="commons", planned=2)
        journal.add_game(silence, commons(), key="c0")
        record = commons(1)
        going = start_game(journal, silence, opening(record), key="c1")
        append(journal, going, record.answers[:9], record.events[:2])
        run_experiment(plan_battery(BatterySettings(subject=("exponential",), protocol="quick", seed=0)), journal)
        with running(journal) as server, requests.Session() as session:
            # Streams end as soon as they have begun, for who reads them to the end here.
            server.loop.call_soon_threadsafe(server.app.state.ending.set)
            hosted = server.call(server.host.start(table("human", "FreeRider", "Retaliator")))
            [seat] = hosted.room.seats.values()
            yield Lab(server.address, seat.token, session)


def table(*players):
    """A game of Contribute & Punish between these players."""
    game = GAMES.of_command("punish")
    part = Part(game, game.rules(), seat_players(game.name, players), len(players), 1, seed=1, fixed=True)
    return Experiment((part,), seconds=3600.0)


@schema.parametrize()
@settings(max_examples=12)
def test_every_answer_is_one_that_the_document_describes(case, lab):
    check(case, lab)
    # Once more with what is there, as nobody would guess it.
    real = {name: THERE[name] for name in case.path_parameters or {} if name in THERE}
    seat = {"Ostrom-Seat": lab.seat} if case.path.startswith("/api/seat") else {}
    game = (case.method, case.path) == ("POST", "/api/games") and isinstance(case.body, dict)
    if game:
        case.body = {**case.body, "game": "punish", "players": ["Cooperator", "FreeRider", "Retaliator"]}
    if real or seat or game:
        case.path_parameters.update(real)
        check(case, lab, **seat)


def check(case, lab, **headers):
    answer = case.call(base_url=lab.address, session=lab.session, headers=headers)
    case.validate_response(answer, checks=CHECKS)
