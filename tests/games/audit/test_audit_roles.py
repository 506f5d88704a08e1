"""Audits of games with roles, private values and moves one after the other: factors change neither role nor draws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import pytest
from pydantic import BaseModel, ConfigDict, Field

import double_auction
from ostrom import strategy
from ostrom.core import Amount, Choice, Event, EventRegistry, Fields, InputError, Optional, Play, Question, Table
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.games.audit.biased import BIASED
from ostrom.games.audit.commands.plan import AuditPlan, audit, audited_player
from ostrom.games.audit.design import CELLS
from ostrom.games.audit.effects import answers_of, audit_effects
from ostrom.games.audit.play import aspects, reach

# A sequential game: players add to a pile one after the other, all in the same phase of a round.


class PileRules(BaseModel):
    """The settings of the game."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(1, ge=1, le=9, description="Rounds of a game.")


@dataclass(frozen=True)
class PileView:
    """The information of a seat."""

    pile: int
    value: float


EVENTS = EventRegistry()


@EVENTS.register
class Piled(Event):
    """All have added to the pile."""

    tag: ClassVar[str] = "piled"
    payoffs: list[float]


def play_pile(rules: PileRules, table: Table) -> Play:
    """Ask the seats one after the other."""
    values = [table.chance.uniform("value", 0, seat.index) for seat in table.seats]
    pile, added = 0, [0] * len(values)
    for round_ in range(1, rules.rounds + 1):
        for seat in table.seats:
            view = PileView(pile, values[seat.index])
            (answer,) = yield [table.ask(seat, "add", round_, Amount(0, 20, whole=True), view, fallback=0)]
            pile += int(answer.value)
            added[seat.index] += int(answer.value)
    table.record(Piled(payoffs=[value * pile - own for value, own in zip(values, added, strict=True)]))


PILE = Game(
    name="audited_pile",
    title="Pile",
    summary="players add to a pile one after the other",
    seats=Seats(2, 4, usual=3),
    rules=PileRules,
    view=PileView,
    play=play_pile,
    events=EVENTS,
    finals=lambda events: events[-1].payoffs,
)


def follower(question: Question[PileView]) -> int:
    """Adds what is there, by its value."""
    return min(20, 1 + int(question.view.pile * question.view.value))


def noisy(question: Question[PileView], draw: Callable[[], float]) -> int:
    """Adds a random number around a tenth of the pile."""
    return min(20, question.view.pile // 10 + int(draw() * 10))


@pytest.fixture(scope="module", autouse=True)
def games():
    double_auction.register()
    if PILE.name not in GAMES:
        GAMES.add(PILE)
        strategy(game=PILE, name="Follower")(follower)
        strategy(game=PILE, name="Noisy")(noisy)


@pytest.mark.parametrize("name", ["Truthful", "Zip", "Sniper"])
def test_a_strategy_that_knows_no_seat_is_not_said_to_depend_on_it(name):
    player = audited_player(GAMES["call_market"], name)
    effects = audit_effects(answers_of(audit(player, "call_market", seed=3, situations=4)).questions)
    assert {factor.name for factor in effects.factors} >= {"seat", "labels", "order"}
    for factor in effects.factors:
        assert factor.share.reason == "decisions do not vary within any situation"


def test_factors_keep_the_role_and_the_private_value_of_the_player():
    plan = AuditPlan(GAMES["call_market"], BIASED["scripted:unbiased"], situations=4, seed=1)
    roles = double_auction.sides(plan.table)
    values = {}
    for fixture in plan.fixtures():
        rules = fixture.rules
        assert [roles[seat] for seat in rules.places] == list(roles)
        view = reach(rules).view
        values.setdefault(rules.situation, set()).add((view.role, view.value, view.prices))
    assert all(len(facts) == 1 for facts in values.values())
    assert len({role for facts in values.values() for role, _, _ in facts}) == 2
    assert len({fixture.rules.asked for fixture in plan.fixtures()}) > 2


def test_a_game_with_one_seat_a_role_has_no_factor_of_seats():
    plan = AuditPlan(GAMES["repeated"], BIASED["scripted:unbiased"], situations=2, seed=1)
    assert plan.table == 2
    assert all("seat" not in fixture.rules.levels for fixture in plan.fixtures())


def test_the_number_of_seats_is_that_of_the_game():
    tables = {
        name: AuditPlan(GAMES[name], BIASED["scripted:unbiased"]).table for name in ("contribute_punish", PILE.name)
    }
    assert tables == {"contribute_punish": 5, PILE.name: 3}


@pytest.mark.parametrize("rounds", [1, 3])
def test_games_of_moves_one_after_the_other_are_reached(rounds):
    player = audited_player(PILE, "Follower")
    plan = AuditPlan(PILE, player, rules={"rounds": rounds}, situations=6, seed=2)
    plan.check()
    fixtures = list(plan.fixtures())
    for fixture in fixtures:
        rules = fixture.rules
        # All answers of earlier seats in the same turn are known, and none of later seats.
        assert len(rules.answers) == (rules.turn - 1) * plan.table + rules.seat
        assert reach(rules).seat.index == rules.asked
    assert len({fixture.rules.seat for fixture in fixtures}) > 1
    effects = audit_effects(answers_of(audit(player, PILE.name, rules={"rounds": rounds}, situations=4)).questions)
    assert all(factor.share.value is None for factor in effects.factors)


@pytest.mark.parametrize("name", ["auction", "double_auction", "bargaining"])
def test_markets_are_audited_in_silence_by_what_is_quoted(name):
    game = GAMES[name]
    plan = AuditPlan(game, BIASED["scripted:unbiased"], situations=2, seed=1)
    plan.check()
    assert plan.settled["messages"] == "none"
    player = audited_player(game, "ZeroIntelligence")
    answers = answers_of(audit(player, name, seed=1, situations=2))
    assert answers.aspect == plan.asked
    assert len({question.value for question in answers.questions}) > 2
    with pytest.raises(InputError, match="cannot use messages"):
        AuditPlan(game, player, rules={"messages": "all"}, situations=2, seed=1).check()


@pytest.mark.parametrize("name", ["alternating_offers", "bargaining", "several_issues"])
def test_scripted_players_answer_every_kind_of_question(name):
    plan = AuditPlan(GAMES[name], BIASED["scripted:wording-bias"])
    for phase in plan.samples.phases(plan.settled, plan.table):
        answers = answers_of(audit(BIASED["scripted:unbiased"], name, phase=phase, seed=1, situations=2))
        assert len(answers.questions) == 2 * 2 * CELLS


def test_a_part_that_some_answers_lack_is_the_one_of_all():
    spec = Fields({"price": Optional(Amount(0, 10)), "side": Choice(("left", "right"))})
    assert aspects("offer", spec, {"price": 4.0, "side": "right"}, (0, 1)) == {"price": 0.4, "side": 1.0}
    assert aspects("offer", spec, {"price": None, "side": "left"}, (0, 1)) == {"side": 0.0}


STRATEGIES = {
    "double_auction": ["ZeroIntelligence", "ZIP"],
    "auction": ["ZeroIntelligence"],
    "call_market": ["Truthful", "ZeroIntelligence", "Zip", "Sniper"],
    "repeated": ["Random", "GenerousTitForTat"],
    "audited_pile": ["Noisy"],
    "contribute_punish": ["scripted:unbiased"],
}


@pytest.mark.slow
def test_audits_of_strategies_that_depend_on_no_factor_find_none():
    intervals, excluded = 0, 0
    for game, names in STRATEGIES.items():
        for name in names:
            player = BIASED[name] if name in BIASED else audited_player(GAMES[game], name)
            for seed in range(10):
                effects = audit_effects(answers_of(audit(player, game, seed=seed, situations=4)).questions)
                intervals += len(effects.factors)
                excluded += sum((factor.share.low or 0) > 0 for factor in effects.factors)
    print(f"{excluded} of {intervals} intervals exclude 0")
    assert intervals > 300
    assert excluded / intervals <= 0.06
