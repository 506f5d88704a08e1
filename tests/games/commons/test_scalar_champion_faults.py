"""Faults of users' champions: the error names champion, seat and turn, and nothing is clipped."""

import math
from decimal import Decimal

import numpy as np
import pytest

from ostrom.core import PlayerFault
from ostrom.games.commons.players import CHAMPIONS, Champion
from support import batch_of, end_of, ending_after, entry_of, play

RULES = ending_after(5)
COMPANY = ["AlwaysCoop", "AlwaysBetray", "Justicier"]


def in_a_single_game(broken, company=COMPANY, rules=RULES):
    return play(rules, company[0], broken, *company[1:])


def _cast_and_table(broken, company):
    names = list(dict.fromkeys(company))
    places = [1 + names.index(name) for name in company]
    return [entry_of(broken), *(CHAMPIONS[name] for name in names)], [places[0], 0, *places[1:]]


def in_a_batch(broken, company=COMPANY, rules=RULES):
    """The same table in every game: champions hold whole seats."""
    cast, table = _cast_and_table(broken, company)
    return batch_of(rules, cast, [table, table])


def in_a_mixed_batch(broken, company=COMPANY, rules=RULES):
    """Another table in the first game: champions hold rows."""
    cast, table = _cast_and_table(broken, company)
    return batch_of(rules, cast, [[1] * len(table), table])


everywhere = pytest.mark.parametrize("played", [in_a_single_game, in_a_batch, in_a_mixed_batch])


def champion(decide=lambda self, ctx: 0.5, **methods):
    """Return a champion of these methods."""
    return type("Broken", (Champion,), {"decide": decide, **methods})


def in_turn_three(wrong):
    """Return a champion that gives a legal contribution in the first two turns only."""
    return champion(lambda self, ctx: 0.5 if ctx.turn < 3 else wrong)


@everywhere
@pytest.mark.parametrize(
    "wrong",
    [1.7, -0.1, math.nan, math.inf, np.float64("nan"), "x", "0.5", None, [0.5], True, {"contribution": 0.5}],
    ids=repr,
)
def test_an_illegal_contribution_is_a_fault(played, wrong):
    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) broke the rules in turn 3: contribution: "):
        played(in_turn_three(wrong))


@everywhere
@pytest.mark.parametrize("error", [ValueError("not today"), KeyError("x"), ZeroDivisionError(), RuntimeError("a\nb")])
def test_what_it_raises_is_a_fault(played, error):
    def decide(self, ctx):
        if ctx.turn == 3:
            raise error
        return 1.0

    with pytest.raises(PlayerFault, match=rf"^Broken \(seat P2\) raised {type(error).__name__}.* in turn 3$") as caught:
        played(champion(decide))
    assert caught.value.__cause__ is error
    assert "\n" not in str(caught.value)


@everywhere
@pytest.mark.parametrize("factor", [1.001, -1.001, math.inf, math.nan])
def test_a_lobby_of_more_than_the_capital_is_a_fault(played, factor):
    broken = champion(lobby=lambda self, ctx: factor * ctx.capital if ctx.turn == 3 else 0.0)
    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) broke the rules in turn 3: lobby: "):
        played(broken)


@everywhere
def test_a_lobby_of_all_the_capital_is_allowed(played):
    played(champion(lobby=lambda self, ctx: ctx.capital if ctx.turn % 2 else -ctx.capital))


@everywhere
@pytest.mark.parametrize("vote", [1, 4, -1, "0", 0.0, True], ids=repr)
def test_a_vote_for_itself_or_for_no_seat_is_a_fault(played, vote):
    broken = champion(vote_exclusion=lambda self, ctx: vote if ctx.turn == 3 else None)
    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) broke the rules in turn 3: vote: "):
        played(broken)


@everywhere
def test_a_vote_for_a_seat_that_has_left_is_a_fault(played):
    # Seat 2 betrays, and two votes exclude it in turn 2; in turn 3 there is another vote against it.
    broken = champion(lambda self, ctx: 1.0, vote_exclusion=lambda self, ctx: 2 if ctx.turn >= 2 else None)
    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) broke the rules in turn 3: vote: 2 is not one of"):
        played(broken)


@everywhere
@pytest.mark.parametrize("method", ["lobby", "vote_exclusion"])
def test_what_the_other_methods_raise_is_a_fault_too(played, method):
    def fail(self, ctx):
        raise LookupError("gone")

    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) raised LookupError: gone in turn 1$"):
        played(champion(**{method: fail}))


@everywhere
def test_what_it_raises_when_it_sits_down_is_a_fault(played):
    def fail(self):
        raise OSError("no chair")

    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) raised OSError: no chair when it sat down$"):
        played(champion(__init__=fail))


@everywhere
def test_a_class_without_decide_is_a_fault(played):
    with pytest.raises(PlayerFault, match=r"^Broken \(seat P2\) raised TypeError: .*decide.* when it sat down$"):
        played(type("Broken", (Champion,), {}))


@pytest.mark.parametrize("number", [1, 0, np.float32(0.5), np.float64(0.25), np.int64(1), Decimal("0.5")], ids=repr)
def test_numbers_of_any_kind_are_none(number):
    match = in_a_single_game(in_turn_three(number))
    result = in_a_batch(in_turn_three(number))
    assert result.finals[:, 0].tolist() == end_of(match).capitals


@everywhere
def test_lobby_and_vote_are_not_asked_where_the_rules_have_none(played):
    def fail(self, ctx):
        raise AssertionError("asked")

    played(champion(lobby=fail, vote_exclusion=fail), rules=ending_after(5, lobbying=False, voting=False))


def test_a_fault_is_not_swallowed_by_the_game_after_it():
    with pytest.raises(PlayerFault):
        in_a_single_game(in_turn_three(None))
    assert end_of(in_a_single_game(in_turn_three(0.5))).turn == 5
