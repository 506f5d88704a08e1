"""The cap holds, however many calls are in flight and whatever they turn out to cost."""

import asyncio
import random

import pytest
from in_memory import Model, Runs, Same, fixture, honest, random_model

from ostrom.core import InputError, Usage
from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import Budget, Limits, Spent, check_prices
from ostrom.players.base import Request


def request(cost=0.01, tokens_in=100, tokens_out=50):
    return Request((), {}, tokens_in, tokens_out, cost)


def test_what_is_reserved_counts_until_it_is_settled():
    budget = Budget(0.025, None)
    first, second = budget.reserve(request()), budget.reserve(request())
    assert first == Spent(0.01, 150)
    assert not budget.fits(request())
    budget.settle(first, Spent(0.004, 50))
    assert budget.fits(request())
    budget.settle(second, Spent())
    assert budget.spent == Spent(0.004, 50)
    assert budget.reserved == Spent()


def test_a_cap_can_be_used_up_to_the_last_cent():
    budget = Budget(1.0, None, Spent(0.9, 0))
    for _ in range(10):
        assert budget.fits(request(0.01))
        budget.settle(budget.reserve(request(0.01)), Spent(0.01, 1))
    assert not budget.fits(request(0.01))
    assert budget.fits(request(0.0))


def test_tokens_have_a_cap_of_their_own():
    budget = Budget(None, 300, Spent(99.0, 100))
    assert budget.fits(request(5.0))
    budget.reserve(request(5.0))
    assert not budget.fits(request(0.0))


def test_a_budget_needs_prices():
    with pytest.raises(InputError, match="no price is known for cheap"):
        check_prices([Same(), Model("dear"), Model("cheap", priced=False)], Limits(budget=1))
    check_prices([Model("cheap", priced=False)], Limits(token_budget=1))
    check_prices([Model("dear"), Same()], Limits(budget=1))


def test_even_where_nobody_checked_a_call_without_price_does_not_go():
    model = Model("cheap", priced=False)
    with pytest.raises(InputError, match="no price"):
        Runs([fixture(model)], Limits(budget=1)).run()
    assert not model.sent


@pytest.mark.parametrize("seed", range(25))
def test_the_cap_holds_with_64_calls_in_flight(seed, monkeypatch):
    draw = random.Random(seed)
    cap, token_cap = draw.uniform(0.5, 3.0), draw.randint(20_000, 60_000)
    worst = draw.choice([0.001, 0.01, 0.1])
    model = Model(act=random_model(draw, worst), delay=0.0, most_cost=worst)
    limits = Limits(calls=64, per_provider=64, timeout=5, budget=cap, token_budget=token_cap)
    highest = []
    let_go = Dispatch._admit_next

    def watched(self):
        let_go(self)
        spent, reserved = self.budget.spent, self.budget.reserved
        highest.append((spent.dollars + reserved.dollars, spent.tokens + reserved.tokens))

    monkeypatch.setattr(Dispatch, "_admit_next", watched)
    runs = Runs([fixture(model, model, model, key=f"g{n}", turns=5) for n in range(100)], limits)
    outcome = runs.run()
    assert max(dollars for dollars, _ in highest) <= cap + 1e-9
    assert max(tokens for _, tokens in highest) <= token_cap
    calls = [call for ledger in runs.ledgers.values() for some in ledger.new_calls.values() for call in some]
    kept = sum((call.cost or 0.0) + call.reserved for call in calls)
    assert kept == pytest.approx(outcome.spent.dollars)
    assert kept <= cap + 1e-9
    tokens = sum(call.extra.get("reserved_tokens", 0) + (call.usage.tokens if call.usage else 0) for call in calls)
    assert tokens == outcome.spent.tokens <= token_cap
    assert runs.tally.dollars == pytest.approx(kept)
    assert runs.tally.in_flight == 0
    if outcome.stopped:
        assert outcome.stopped == "budget"
        assert kept + worst > cap or tokens + 150 > token_cap, "it stopped only because the next call might not fit"
    else:
        assert outcome.finished == 100


def test_a_spent_budget_stops_cleanly_and_more_budget_goes_on():
    model = Model()
    runs = Runs([fixture(model, model, key=f"g{n}") for n in range(10)], Limits(budget=0.10, games=3))
    outcome = runs.run()
    assert outcome.stopped == "budget"
    assert 0.09 < outcome.spent.dollars <= 0.10
    assert outcome.finished + outcome.unfinished < 10, "nobody begins a game when the budget is spent"
    again = runs.run(limits=Limits(budget=0.05), spent=outcome.spent)
    assert (again.stopped, again.spent) == ("budget", outcome.spent)
    rest = runs.run(limits=Limits(budget=1.0), spent=outcome.spent)
    assert (rest.stopped, rest.unfinished, rest.finished) == (None, 0, 10 - outcome.finished)
    assert len(model.sent) == len(set(model.sent)) == 60
    assert rest.spent.dollars == pytest.approx(60 * 0.004)


def test_a_run_with_no_budget_at_all_makes_no_call():
    model = Model()
    outcome = Runs([fixture(model)], Limits(budget=0)).run()
    assert (outcome.stopped, model.sent) == ("budget", [])


def test_a_large_call_is_not_overtaken_for_ever():
    times = {}

    def act(question, reference):
        times.setdefault(reference.split("/")[0], asyncio.get_running_loop().time())
        return honest(question, reference)

    small = Model("small", act=act, most_cost=0.01, cost=0.0)
    large = Model("large", act=act, most_cost=0.1, cost=0.0)
    games = [fixture(small, key=f"s{n}", turns=50) for n in range(8)] + [fixture(large, key="large", turns=1)]
    outcome = Runs(games, Limits(budget=0.1)).run()
    assert outcome.finished == 9
    assert times["large"] == 2.0, "it goes when those before it are back"


def test_a_model_that_charges_beyond_its_bound_is_stopped_and_says_why():
    """Only the calls that are out when it is found out can pass the cap."""
    greedy = Model("greedy", cost=0.5)
    other = Model("other", cost=0.004)
    games = [fixture(one, key=f"{one.name}{n}") for n in range(20) for one in (greedy, other)]
    outcome = Runs(games, Limits(budget=2.0, calls=4, per_provider=4)).run()
    assert "charged $0.5 for a call that may cost at most $0.01" in outcome.unavailable["greedy"]
    assert 1 <= len(greedy.sent) <= 4
    assert "other" not in outcome.unavailable
    assert outcome.spent.dollars == pytest.approx(len(greedy.sent) * 0.5 + len(other.sent) * 0.004)


def test_tokens_beyond_the_bound_likewise_but_only_under_a_cap():
    greedy = Model("greedy", usage=Usage(10_000, 1))
    outcome = Runs([fixture(greedy)], Limits(token_budget=10_000)).run()
    assert "charged 10,001 tokens for a call that may use at most 150" in outcome.unavailable["greedy"]
    free = Runs([fixture(greedy)], Limits()).run()
    assert (free.finished, free.unavailable) == (1, {})


def test_what_is_sent_is_in_the_ledger_before_it_leaves():
    """A kill at any moment finds every call that is out."""
    out = []

    def act(question, reference):
        out.append(dict(runs.ledgers["game-1"].out))
        return honest(question, reference)

    model = Model(act=act)
    runs = Runs([fixture(model, model)], flush=0.1)
    runs.run()
    assert len(out) == 6
    for sent in out:
        assert all(dollars == 0.01 and tokens == 150 for _, _, _, _, dollars, tokens in sent.values())
        assert 1 <= len(sent) <= 2
    assert runs.ledgers["game-1"].out == {}
