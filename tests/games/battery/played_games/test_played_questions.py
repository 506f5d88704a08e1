"""The questions of all played games: seats, order, views, legal answers and fallbacks."""

from collections import Counter
from dataclasses import asdict

import pytest
from pydantic import ValidationError

from battery_played import PLAYED
from ostrom.core import Answer, GameChance, IllegalAnswer, InputError, Provenance, Table, seats
from ostrom.core.plugins import GAMES
from ostrom.core.telling import transcript_lines
from ostrom.games.battery.played import PlayedView
from ostrom.games.battery.stated import TASKS

SEATS = {"public_goods": 4, "beauty_contest": 4}
ROLES = {
    "dictator": [["giver"]],
    "ultimatum": [["proposer"], ["responder"]],
    "trust": [["sender"], ["returner"]],
    "stag_hunt": [["chooser"] * 2],
    "centipede": [["mover"]] * 6,
    "traveller": [["claimant"] * 2],
    "public_goods": [["contributor"] * 4],
    "beauty_contest": [["guesser"] * 4],
    "matching_pennies": [["chooser"] * 2],
}
"""The moments of each game, by the roles that are asked in it."""
FALLBACKS = {
    "giver": 0,
    "proposer": 0,
    "responder": "reject",
    "sender": 0,
    "returner": 0,
    "mover": "pass",
    "claimant": 2,
    "contributor": 0,
    "guesser": 50,
}
ANSWERS = {"sender": 10}
"""Answers that lead to every later question."""


def moments_of(game, seed=1, answer=None, **settings):
    """Return the steps of a game in which every seat gives the fallback, or `answer` by role, and its events."""
    table = Table(seats(SEATS.get(game.name, 2)), GameChance(seed))
    flow = game.play(game.rules(**settings), table)
    moments = [next(flow)]
    try:
        while True:
            given = [(answer or {}).get(question.phase, question.fallback) for question in moments[-1]]
            moments.append(flow.send([Answer(value, Provenance.DEFAULTED) for value in given]))
    except StopIteration:
        return moments, table.events


def questions_of(game, seed=1, answer=None):
    return [question for moment in moments_of(game, seed, answer)[0] for question in moment]


@pytest.fixture(params=PLAYED, ids=lambda game: game.name)
def game(request):
    return request.param


def test_every_task_with_several_roles_is_played_under_its_own_name():
    assert sorted(one.name for one in PLAYED) == sorted(task.name for task in TASKS.values() if task.played)
    assert all(GAMES[one.name] is one and one.command == one.name.replace("_", "-") for one in PLAYED)


def test_seats_are_asked_in_the_order_of_their_roles(game):
    moments, _ = moments_of(game, answer=ANSWERS)
    assert [[question.phase for question in moment] for moment in moments] == ROLES[game.name]
    keys = [question.key for moment in moments for question in moment]
    assert len(set(keys)) == len(keys)
    assert moments[0][0].seat.index == 0


def test_a_view_has_the_facts_and_options_of_the_items(game):
    task = TASKS[game.name]
    items = next(task.game.play(task.game.rules(), Table(seats(1), GameChance(1))))
    facts = {item.phase: type(item.view.facts) for item in items}
    options = {item.phase: set(item.view.options) for item in items}
    for question in questions_of(game, answer=ANSWERS):
        view = question.view
        assert isinstance(view, PlayedView)
        assert (view.task, view.role, view.seat) == (game.name, question.phase, question.seat.index)
        assert type(view.facts) is facts[view.role]
        assert set(view.options) == options[view.role]
        assert sorted(view.labels) == ["A", "B"][: len(view.options)]
        record = view.as_record()
        assert (record["role"], record["facts"]) == (view.role, asdict(view.facts))
        assert record["options"] == {view.label_of(option): option for option in view.options}


def test_the_fallback_is_legal_and_as_declared(game):
    choice = {"stag_hunt": "hare", "matching_pennies": "heads"}.get(game.name)
    for question in questions_of(game):
        assert question.fallback == question.spec.validate(question.fallback)
        assert question.fallback == FALLBACKS.get(question.phase, choice)


def test_illegal_moves_are_refused(game):
    for question in questions_of(game, answer=ANSWERS):
        for raw in (-1, 1e9, "maybe", None, True, float("nan")):
            with pytest.raises(IllegalAnswer):
                question.spec.validate(raw)


def test_events_come_back_from_their_records_and_are_told(game):
    _, events = moments_of(game, answer=ANSWERS)
    assert [game.events.decode(event.as_record()) for event in events] == events
    assert {event.tag for event in events} == set(game.events)
    names = [f"seat {seat}" for seat in range(SEATS.get(game.name, 2))]
    lines = [line for told in transcript_lines(game, game.rules(), events, names) for line in told]
    assert lines
    assert all(name in "\n".join(lines) for name in names)
    with pytest.raises(TypeError, match="not an event of"):
        list(transcript_lines(game, game.rules(), [object()], names))


def test_tables_of_a_wrong_size_are_refused(game):
    with pytest.raises(InputError, match="needs at least 2 players"):
        game.check_seats(1)
    with pytest.raises(InputError, match="seats at most"):
        game.check_seats(game.seats.most + 1)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("dictator", {"pot": 0}),
        ("ultimatum", {"pot": float("inf")}),
        ("trust", {"multiplier": -1}),
        ("stag_hunt", {"stag": 10, "hare": 10}),
        ("centipede", {"scale": 0}),
        ("centipede", {"payoffs": []}),
        ("traveller", {"low": 100}),
        ("traveller", {"step": float("nan")}),
        ("public_goods", {"endowment": -5}),
        ("beauty_contest", {"low": 10, "high": 10}),
        ("beauty_contest", {"low": 0.5}),
        ("matching_pennies", {"prize": "much"}),
    ],
)
def test_rules_that_make_no_game_are_refused(name, settings):
    with pytest.raises(ValidationError):
        GAMES[name].rules(**settings)


def test_unknown_settings_are_refused(game):
    with pytest.raises(ValidationError, match="extra"):
        game.rules(colour="red")


@pytest.mark.parametrize("name", ["ultimatum", "stag_hunt", "centipede", "matching_pennies"])
def test_options_are_shown_in_both_orders_and_under_both_labels_alike(name):
    ways = Counter()
    for seed in range(200):
        views = [question.view for question in questions_of(GAMES[name], seed) if question.view.options]
        ways.update((view.options[0], view.labels[0]) for view in views)
    total = sum(ways.values())
    assert len(ways) == 4
    assert all(abs(count - total / 4) < 4 * (total * 3 / 16) ** 0.5 for count in ways.values())


def test_the_same_seed_shows_the_same(game):
    assert moments_of(game, 5)[0] == moments_of(game, 5)[0]
