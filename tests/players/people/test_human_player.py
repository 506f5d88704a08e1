"""A person is told what a model at that seat would be told, is held to the same checks, and can sit down at every game
that can be played."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ostrom.core import Answer, GameChance, InputError, Provenance, Question, Seat, Table, Usage, seats
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.experiment.hosting import Host, Hosted
from ostrom.experiment.match import replay
from ostrom.journal.sql import Journal
from ostrom.players.base import Reply
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.connection import connect
from ostrom.players.models.framing import Framing
from ostrom.players.models.player import ModelPlayer
from ostrom.players.people import HumanContestant, Room
from ostrom.players.people.player import HumanPlayer
from ostrom.players.people.seat import HumanSeat
from ostrom.players.roster import contestant_of, description, seat_players
from people import PUNISHERS, answer_to, game_with, sit_through

PLAYABLE = [game for game in GAMES.values() if not game.instrument]


def played(journal: Journal, game: Game) -> Hosted:
    """A short game of nobody but people."""
    rules = {"commons": {"turns": 3}, "contribute_punish": {"rounds": 2}}.get(game.name, {})
    count = game.seats.largest(3)

    async def play() -> Hosted:
        host = Host(journal)
        hosted = await host.start(game_with(["human"] * count, game.command, **rules))
        await asyncio.gather(*(sit_through(seat) for seat in hosted.room.seats.values()))
        await hosted.wait()
        return hosted

    return asyncio.run(play())


@pytest.mark.parametrize("game", PLAYABLE, ids=lambda game: game.command)
def test_people_can_play_every_game_by_its_forms_alone(game: Game, tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        hosted = played(journal, game)
        (row,) = journal.games(hosted.experiment)
        assert row.state == "finished"
        record = journal.record(row.id)
        assert {answer.provenance for answer in record.answers} == {Provenance.ANSWERED}
        replay(record)
        for seat in hosted.room.seats.values():
            assert seat.ending is not None
            result = seat.ending.result
            assert result is not None
            assert sorted(one.seat for one in result.standings) == [one.seat for one in record.seats]
            assert result.story
            own = [answer for answer in record.answers if answer.seat == seat.index]
            assert len(seat.decided) == len(own)
            assert seat.rules or not own or briefing_of(game.name).game not in ("commons", "contribute_punish")


@pytest.mark.parametrize("game", ["commons", "contribute_punish", "trust"])
def test_a_person_is_told_what_a_model_at_that_seat_would_be_told(game: str) -> None:
    """Both are asked through the same game, and answer the same; only the form of the answer may differ."""
    kind, chance = GAMES[game], GameChance(3, 0)
    count = {"commons": 4, "contribute_punish": 5, "trust": 2}[game]
    room = Room(range(count), 60.0)
    people = [HumanContestant(game, room).sit(seat, chance) for seat in seats(count)]
    bot = Bot(name="model", model="test", base_url="http://127.0.0.1:9/v1", form="prompted", price=None)
    models = [ModelPlayer(bot, connect(bot), briefing_of(game), Framing(), chance) for _ in range(count)]
    rules = kind.rules(**{"commons": {"turns": 4}, "contribute_punish": {"rounds": 3}}.get(game, {}))
    flow = kind.play(rules, Table(seats(count), chance))
    moment, compared = next(flow), 0
    try:
        while True:
            answers: list[Answer] = []
            for question in moment:
                person, model = people[question.seat.index], models[question.seat.index]
                told, request = person.compose(question, []), model.compose(question, [])
                opened = told.payload
                assert told.prompt[:-1] == request.prompt[:-1]
                assert request.prompt[-1].text.startswith(f"{opened.text}\n\n")
                assert told.prompt[-1].text == "\n".join([f"{opened.text}\n\nAnswer with:", *opened.form])
                assert opened.earlier == tuple(line for line in told.prompt[:-1] if line.role != "system")
                value = _value_of(person, question, answer_to(opened.schema))
                answers.append(value)
                compared += 1
            for question, answer in zip(moment, answers, strict=True):
                for player in (people[question.seat.index], models[question.seat.index]):
                    player.remember(question, [], answer)
            moment = flow.send(answers)
    except StopIteration:
        pass
    assert compared >= 1


def test_what_a_person_did_is_told_in_words() -> None:
    kind, chance = GAMES["contribute_punish"], GameChance(3, 0)
    person = HumanContestant(kind.name, Room([0], 60.0)).sit(Seat(0), chance)
    flow = kind.play(kind.rules(messages=False), Table(seats(5), chance))
    moment, told = next(flow), []
    for values in (
        [{"contribution": 7}, {"reasoning": "why not", "contribution": 7}],
        [{"target": "nobody", "spend": 0}, {"target": "P4", "spend": 2}],
    ):
        opened = person.compose(moment[0], []).payload
        told += [opened.words(value) for value in values]
        moment = flow.send([Answer(one.fallback, Provenance.DEFAULTED) for one in moment])
    assert told == [
        "Round 1, contribution: 7",
        "Round 1, contribution: 7",
        "Round 1, punishment: nobody",
        "Round 1, punishment: P4, spend 2",
    ]


def _value_of(person: HumanPlayer, question: Question, values: dict[str, Any]) -> Answer:
    return person.read(question, Reply(json.dumps(values), Usage(), 0.0, None, {}))


def test_the_rules_that_a_person_sees_from_the_start_are_those_of_the_first_question(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        hosted = played(journal, GAMES["contribute_punish"])
        (row,) = journal.games(hosted.experiment)
        for (_turn, _phase, index), call in journal.calls(row.id):
            system, *_ = call.prompt
            assert (system.role, system.text) == ("system", hosted.room.seats[index].rules)


def test_in_the_commons_a_person_has_the_conversation_and_the_pseudonyms_of_a_model(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        hosted = played(journal, GAMES["commons"])
        seat = hosted.room.seats[0]
        assert seat.label in seat.rules
        assert seat.label != Seat(0).label
        (row,) = journal.games(hosted.experiment)
        prompts = [call.prompt for (_, _, index), call in journal.calls(row.id) if index == 0]
        assert [len(prompt) for prompt in prompts] == [2, 4, 6]


def test_a_person_is_kept_under_a_name_that_comes_back() -> None:
    (person,) = seat_players("contribute_punish", ["human"])
    assert description(person) == person.name == "human"
    assert contestant_of("contribute_punish", "human") == person
    assert [one.name for one in seat_players("commons", ["human:2", "Pavlov"])] == ["human", "human", "Pavlov"]
    assert "human" not in [one.name for one in seat_players("contribute_punish")]
    known = HumanContestant("stated_dictator", person="p01")
    assert known.name == "human:p01"
    assert contestant_of("stated_dictator", description(known)) == known


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.instrument], ids=lambda game: game.command)
def test_nobody_sits_down_at_an_instrument(game: Game) -> None:
    with pytest.raises(InputError, match="people cannot play here"):
        seat_players(game.name, ["human"])


def test_without_a_host_a_person_has_no_seat() -> None:
    with pytest.raises(InputError, match="ostrom run GAME --include human"):
        HumanContestant("commons").sit(Seat(0), GameChance(0, 0))


def test_what_a_person_says_is_cut_like_what_a_model_says(tmp_path: Path) -> None:
    async def talkative(seat: HumanSeat) -> None:
        while seat.ending is None:
            if (opened := seat.question) is None:
                await seat.changed(seat.version)
                continue
            values = answer_to(opened.schema)
            await seat.answer(opened.id, {"message": "word " * 500} if "message" in values else values)

    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:

        async def play() -> str:
            hosted = await Host(journal).start(game_with(["human", *PUNISHERS], rounds=1))
            await talkative(hosted.room.seats[0])
            await hosted.wait()
            return hosted.experiment

        experiment = asyncio.run(play())
        (row,) = journal.games(experiment)
        said = next(
            answer for answer in journal.record(row.id).answers if (answer.phase, answer.seat) == ("message", 0)
        )
        assert said.cut
        assert len(said.value.split()) == 50
