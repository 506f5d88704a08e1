"""The registry of subjects; every subject in every task and role."""

import pickle

import pytest

from ostrom.core import GameChance, InputError, Seat, UnknownName
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.items import ItemAnswered, TaskEnded
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import SUBJECTS, is_subject, subject_of
from ostrom.players.roster import choose, contestants_of, default_names, opponents_of, seat_players, strategies_of

SILENT = ("refuser", "malformed")
QUICK = load_protocol("quick")


def asked(name, task, seed=1):
    match = play_match(TASKS[task].game, QUICK[task], [subject_of(name)], GameChance(seed, 0))
    return [event for event in match.events if isinstance(event, ItemAnswered | TaskEnded)]


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_answers_every_item_of_every_task_and_the_same_again(name):
    for task in TASKS:
        events = asked(name, task)
        valid = events[-1].valid
        assert valid == (0 if name in SILENT else events[-1].items), task
        assert asked(name, task) == events


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_plays_every_role(name):
    for task in TASKS.values():
        if task.played:
            game = GAMES[task.name]
            table = [subject_of(name)] * max(game.seats.fewest, 2)
            match = play_match(game, game.rules(), table, GameChance(1, 0))
            assert len(match.events[-1].payoffs) == len(table)


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_is_described_and_can_be_pickled(name):
    theory = SUBJECTS[name]
    assert 10 < len(theory.description) < 160
    for parameter in theory.parameters:
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.meaning
    assert pickle.loads(pickle.dumps(subject_of(name))) == subject_of(name)
    assert not hasattr(subject_of(name).sit(Seat(0), GameChance(1)), "compose")


def test_a_name_lists_the_parameters_that_were_set():
    assert subject_of("exponential").name == "exponential"
    assert subject_of(" exponential: noise=0.030, delta=.9 ").name == "exponential:delta=0.9,noise=0.03"
    assert subject_of("exponential:delta=0.7").make().delta == 0.7
    assert is_subject("level-k:k=2")
    assert not is_subject("gpt-5")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exponentail", "did you mean exponential"),
        ("", "there is no subject called ''"),
        ("exponential:dleta=0.9", "no parameter 'dleta'; did you mean delta"),
        ("exponential:zzz=1", "it has delta and noise"),
        ("exponential:delta=1.5", "delta must be a number from 0.01 to 1"),
        ("exponential:delta=nan", "out of range"),
        ("exponential:delta=much", "'much' is not a number"),
        ("exponential:0.9", "write it as in exponential:delta=0.9"),
        ("exponential:", "is not a setting"),
        ("exponential:delta=0.9,delta=0.8", "set twice"),
        ("random:noise=1", "random has no parameters"),
    ],
)
def test_the_error_of_a_wrong_name_is_one_line(text, reason):
    with pytest.raises(InputError, match=reason.replace(".", r"\.")) as error:
        subject_of(text)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, UnknownName) == (text in ("exponentail", ""))


def test_subjects_without_preferences_follow_position_label_or_chance():
    shown = {name: [e for e in asked(name, "stag_hunt") if isinstance(e, ItemAnswered)] for name in SUBJECTS}
    assert all(event.answer == event.options[0] for event in shown["always-first"])
    assert all(event.labels[event.options.index(event.answer)] == "A" for event in shown["always-a"])
    assert {event.answer for event in shown["constant"]} == {"hare"}
    assert {event.answer for event in shown["random"]} == {"stag", "hare"}
    assert {event.fault for event in shown["refuser"]} == {"refused"}
    assert {event.fault for event in shown["malformed"]} == {"malformed"}


PLAYED_BY_SUBJECTS = [game for game in GAMES.values() if game.part("players") is SUBJECTS]


@pytest.mark.parametrize("game", PLAYED_BY_SUBJECTS, ids=lambda game: game.name)
def test_subjects_that_give_no_answers_play_only_where_they_are_named(game):
    tables = (
        choose(game=game.name),
        seat_players(game.name),
        strategies_of(game, None),
        contestants_of(game, None),
        opponents_of(game, None, others=len(SUBJECTS)),
    )
    for table in tables:
        assert {entry.name for entry in table} == set(SUBJECTS) - set(SILENT) == set(default_names(game.name))
    assert [entry.name for entry in choose(SILENT, game=game.name)] == list(SILENT)
    with pytest.raises(InputError, match="refuser plays only if it is named with"):
        choose(exclude=["refuser"], game=game.name)
