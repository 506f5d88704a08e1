"""A model over HTTP, a simulated subject and a scripted person play every game together, in every role."""

import asyncio
from itertools import permutations

import pytest

from battery_played import PLAYED
from ostrom.core import Fault, GameChance, Provenance, Table, seats
from ostrom.core.plugins import GAMES
from ostrom.experiment import replay
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import check_models, conduct
from ostrom.experiment.watch import Tally
from ostrom.games.battery.subjects import subject_of
from ostrom.journal.sql import Journal
from ostrom.players.base import NoAnswer
from ostrom.players.models.bots import Bot
from ostrom.players.roster import ModelContestant
from ostrom.testing import ScriptedPerson
from ostrom.testing.provider import Provider

TYPED = {
    "giver": ["25"],
    "proposer": ["40.5"],
    "responder": ["accept"],
    "sender": ["60"],
    "returner": ["30"],
    "chooser": ["stag"],
    "mover": ["pass", "take"],
    "claimant": ["97"],
    "contributor": ["12.5"],
    "guesser": ["33"],
}
TYPED_ELSEWHERE = {"matching_pennies": {"chooser": ["heads"]}}
SUBJECT = "fehr-schmidt"
FORMS = ("native", "tags")


def person(game):
    return ScriptedPerson(game, TYPED | TYPED_ELSEWHERE.get(game, {}))


@pytest.fixture(scope="module")
def provider():
    with Provider(models=("ash",)) as served:
        yield served


def tables_of(game, model):
    """Return tables at which each of the three has every role with the others."""
    everybody = [model, subject_of(SUBJECT), person(game.name)]
    return list(permutations(everybody, 2 if game.seats.most == 2 else 3))


@pytest.mark.parametrize("form", FORMS)
def test_model_subject_and_person_play_every_game_in_every_role(form, provider, tmp_path):
    bot = Bot(name="ash", model="ash", base_url=provider.base_url, form=form)
    fixtures = []
    for game in PLAYED:
        for number, table in enumerate(tables_of(game, ModelContestant(bot, game.name))):
            fixtures.append(Fixture(f"{game.name}-{number}", game, game.rules(), list(table), GameChance(1, number)))
    check_models([fixtures[0].contestants[0]], Limits())
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        experiment = journal.new_experiment("everybody", kind="mixed", settings={})
        outcome = asyncio.run(conduct(fixtures, journal, experiment, Conduct(Limits(), Tally())))
        assert (outcome.faulted, outcome.unavailable) == ({}, {})
        games = {game.key: (game.state, journal.record(game.id)) for game in journal.games()}
    assert set(games) == {fixture.key for fixture in fixtures}
    acted = {game.name: set() for game in PLAYED}
    for state, record in games.values():
        assert state == "finished"
        replay(record)
        (end,) = (event for event in record.events if event["event"] == "game_ended")
        assert len(end["payoffs"]) == len(record.seats)
        for answer in record.answers:
            # No answer was defaulted or asked for twice.
            assert answer.provenance is Provenance.ANSWERED
            acted[record.game].add((record.seats[answer.seat].player, answer.phase))
    roles = {game.name: {phase for _, phase in found} for game, found in zip(PLAYED, acted.values(), strict=True)}
    for game in PLAYED:
        everybody = {(player, role) for player in ("ash", SUBJECT, "Person") for role in roles[game.name]}
        assert acted[game.name] == everybody, game.name


def asked(game, **settings):
    kind = GAMES[game]
    return next(kind.play(kind.rules(**settings), Table(seats(kind.seats.fewest), GameChance(3))))[0]


def typist(game, phase, *lines, **more):
    return ScriptedPerson(game, {phase: lines}, **more).sit(seats(1)[0], GameChance(3))


def test_typed_answers_are_parsed_like_those_of_models():
    question = asked("dictator")
    seat = typist("dictator", "giver", "half of it", "1000", " 12.50 ")
    assert seat.answer(question) == 12.5
    assert "is not a number in plain digits" in seat.rejections[0]
    assert "it must be a number from 0 to 100" in seat.rejections[1]


def test_an_option_is_typed_by_its_label_or_its_name():
    question = asked("stag_hunt")
    label = question.view.label_of("hare")
    assert typist("stag_hunt", "chooser", label.lower()).answer(question) == "hare"
    assert typist("stag_hunt", "chooser", "hare").answer(question) == "hare"


@pytest.mark.parametrize(("line", "fault"), [("a lot", Fault.MALFORMED), ("101", Fault.ILLEGAL)])
def test_a_person_who_types_nothing_legal_has_no_answer(line, fault):
    with pytest.raises(NoAnswer) as silence:
        typist("dictator", "giver", line).answer(asked("dictator"))
    assert silence.value.fault is fault


def test_items_are_answered_by_a_person_too():
    question = asked("stated_loss")
    assert typist("stated_loss", "chooser", "reject").answer(question) == "reject"
