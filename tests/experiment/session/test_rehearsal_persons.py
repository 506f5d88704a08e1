"""Simulated people fill in forms of every kind with values that the rules accept."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ostrom.experiment.hosting import Host
from ostrom.experiment.session.rehearsal.forms import form_of, words_on
from ostrom.experiment.session.rehearsal.persons import PageForm, SimulatedPerson, smallest_values
from ostrom.journal.sql import Journal
from ostrom.players.models.framing import NO_SEAT
from ostrom.players.people.seat import HumanSeat
from people import game_with

NUMBER = {"name": "q1", "text": "<p>How <b>many</b>?</p>", "type": "number", "choices": [], "state": "open"}
CHOICE = {"name": "q2", "text": "Which?", "type": "choice", "choices": ["a", "b"], "state": "right"}
BOUNDS = {"minimum": None, "maximum": None, "feedback": None}


def quiz(*questions: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "quiz", "questions": [question | BOUNDS for question in questions], "attempts_left": 2}


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize(
    ("game", "players"),
    [("punish", 4), ("contributions", 4), ("double-auction", 4), ("beauty-contest", 3), ("ultimatum", 2)],
)
def test_values_of_simulated_people_are_accepted(tmp_path: Path, game: str, players: int, seed: str) -> None:
    accepted: list[str] = []

    async def sit(seat: HumanSeat) -> None:
        person = SimulatedPerson(f"{seed} {seat.index}")
        while seat.ending is None:
            opened = seat.question
            if opened is None:
                await seat.changed(seat.version)
                continue
            values = await person.values(PageForm("game", opened.text, opened.schema))
            await seat.answer(opened.id, values)  # raises NotAccepted if the rules reject it
            accepted.append(opened.id)

    async def play(journal: Journal) -> None:
        hosted = await Host(journal).start(game_with(["human"] * players, game=game))
        await asyncio.gather(*map(sit, hosted.room.seats.values()))
        await hosted.wait()

    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        asyncio.run(play(journal))
    assert accepted


def test_right_answers_are_used_only_in_the_quiz_and_only_if_known() -> None:
    form = form_of(quiz(NUMBER))
    assert form is not None
    knowing, ignorant = SimulatedPerson("x", {"q1": 32.0}, knows=1.0), SimulatedPerson("x", {"q1": 1e6}, knows=0.0)
    assert asyncio.run(knowing.values(form)) == {"q1": 32.0}
    assert asyncio.run(ignorant.values(form))["q1"] <= 100


def test_a_quiz_asks_only_what_is_open_and_words_are_counted_without_tags() -> None:
    form = form_of(quiz(NUMBER, CHOICE))
    assert form is not None
    assert list(form.schema["properties"]) == ["q1"]
    assert words_on(quiz(NUMBER, CHOICE)) == 4
    assert form_of({"kind": "lobby"}) is None


def test_the_smallest_values_leave_out_targets() -> None:
    schema = {
        "properties": {
            "target": {"type": "string", "enum": [NO_SEAT, "P1"]},
            "spend": {"type": "integer", "minimum": 0, "maximum": 5},
            "offer": {"anyOf": [{"type": "number", "minimum": 2, "maximum": 9}, {"type": "null"}]},
        },
        "required": ["target", "spend", "offer"],
    }
    assert smallest_values(schema) == {"target": NO_SEAT, "spend": 0, "offer": 2}
