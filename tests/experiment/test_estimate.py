"""What a schedule will come to is told without a call, and is near what it comes to."""

import json
from dataclasses import dataclass, replace

import pytest
from in_memory import Model, Runs, Same, Seated, fixture

from ostrom.core import Amount, Choice, Fields, GameChance, Line, Question, Seat, Several, Text, Usage
from ostrom.core.plugins import GAMES
from ostrom.experiment.estimate import calls_within_budget, describe_rooms, estimate, neutral
from ostrom.experiment.limits import Limits, Spent
from ostrom.players.base import Request


@dataclass
class Growing(Model):
    """Its prompts grow with the turns; a dollar for a thousand tokens in, four for a thousand out."""

    def sit(self, seat, chance):
        return GrowingSeat(self)

    def price(self, usage):
        return (usage.input_tokens + 4 * usage.output_tokens) / 1000


class GrowingSeat(Seated):
    def compose(self, question, past):
        text = "word " * 80 * question.turn
        cost = self.model.price(Usage(len(text), 200)) if self.endpoint.priced else 0.0
        return Request((Line("user", text),), {}, len(text), 200, cost, question)

    async def send(self, request, reference):
        raise AssertionError("a dry run sends nothing")


def test_calls_tokens_and_cost_of_a_schedule():
    one, other, same = Growing("one"), Growing("other"), Same()
    games = [fixture(one if n % 4 else other, same, one, key=f"g{n}", turns=3) for n in range(100)]
    told = estimate(games, typical_output=150)
    assert (told.games, told.sampled) == (100, 20)
    assert told.models["one"].calls == pytest.approx(3 * 175)
    assert told.models["other"].calls == pytest.approx(3 * 25)
    assert told.total.calls == pytest.approx(600)
    # Three turns of 400, 800 and 1,200 characters: 600 tokens, and 450 back.
    assert told.models["other"].input_tokens == pytest.approx(25 * 600)
    assert told.models["other"].output_tokens == pytest.approx(25 * 450)
    assert told.models["other"].dollars == pytest.approx(25 * (0.6 + 4 * 0.45))
    assert told.total.most_tokens == pytest.approx(200 * (2400 + 600))
    assert told.total.most_dollars == pytest.approx(200 * (2.4 + 2.4))
    assert told.total.dollars == pytest.approx(200 * 2.4)
    assert told.total.tokens < told.total.most_tokens
    assert not one.sent


def test_input_that_an_earlier_prompt_began_with_can_be_cached():
    class Cached(Growing):
        def sit(self, seat, chance):
            return LongSeat(self)

        def price(self, usage):
            return (usage.input_tokens - 0.9 * usage.cache_read_tokens + 0.25 * usage.cache_write_tokens) / 1000

    class LongSeat(GrowingSeat):
        def compose(self, question, past):
            return replace(super().compose(question, past), prompt=(Line("user", "word " * 1024 * question.turn),))

    # Prompts of 1,280, 2,560 and 3,840 tokens. In the first game each is the beginning of the next, in the second game
    # every prompt is known.
    usage = estimate([fixture(Cached(), key=f"g{n}", turns=3) for n in range(2)]).total
    assert usage.input_tokens == 2 * 7680
    assert usage.cached_tokens == 1280 + 2560 + 7680
    assert usage.cached_share == 0.75
    assert usage.dollars == pytest.approx(15.36)
    assert usage.cached_dollars == pytest.approx(0.1 * 11.52 + 1.25 * 3.84)


def test_short_prompts_are_not_cached():
    usage = estimate([fixture(Growing(), key=f"g{n}", turns=3) for n in range(2)]).total
    assert (usage.cached_tokens, usage.cached_dollars) == (0, usage.dollars)


def test_a_reply_is_never_longer_than_the_model_may_write():
    told = estimate([fixture(Growing(), turns=1)], typical_output=1000)
    assert told.models["model"].output_tokens == 200


def test_without_a_price_no_cost_is_told():
    told = estimate([fixture(Growing("free", priced=False), Growing("dear"), turns=1)])
    assert told.models["free"].dollars is None
    assert told.models["dear"].dollars
    assert (told.total.dollars, told.total.most_dollars) == (None, None)
    assert told.total.tokens > 0


def test_everybody_is_in_the_sample_however_late_they_come():
    games = [fixture(Model(f"m{n}"), key=f"g{n}", turns=2) for n in range(30)]
    told = estimate(iter(games), sample=5)
    assert told.sampled == 30
    assert {model.calls for model in told.models.values()} == {2.0}


def test_every_call_is_charged_by_itself_so_that_a_price_may_rise_with_the_length_of_a_prompt():
    class Tiered(Growing):
        def price(self, usage):
            return super().price(usage) * (2 if usage.input_tokens > 150 else 1)

    told = estimate([fixture(Tiered(), turns=3)], typical_output=150)
    # Prompts of 100, 200 and 300 tokens, the longer two at twice the price.
    assert told.total.dollars == pytest.approx(0.1 + 0.6 + 2 * (0.2 + 0.6) + 2 * (0.3 + 0.6))


def test_it_is_what_the_run_comes_to_where_the_assumptions_hold():
    model = Model(usage=Usage(1, 50))
    games = [fixture(model, Same(), key=f"g{n}", turns=4) for n in range(30)]
    told = estimate(games)
    runs = Runs(games, Limits())
    runs.run()
    assert told.total.calls == pytest.approx(runs.tally.calls)
    assert told.models["model"].output_tokens == pytest.approx(50 * runs.tally.calls)


@pytest.mark.parametrize("name", ["commons", "contribute_punish"])
def test_real_games_come_to_their_end(name):
    game = GAMES[name]
    one = replace(fixture(*[Model() for _ in range(4)]), game=game, rules=game.rules(), chance=GameChance(3))
    told = estimate([one])
    assert told.total.calls > 4


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        (Amount(0, 1), 0.5),
        (Amount(0, 5, whole=True), 2),
        (Amount(-3, 3), 0.0),
        (Choice((None, 1, 2)), None),
        (Choice(("a", "b")), "a"),
        (Text(6), "word word word"),
        (Fields({"x": Amount(0, 2), "y": Choice((3,))}), {"x": 1.0, "y": 3}),
        (Several(Amount(0, 2), 2, 5), [1.0, 1.0]),
        (Amount(0.5, 1.5, whole=True), 1),
        (Amount(0.6, 1.3, whole=True), "the fallback"),
    ],
)
def test_a_neutral_answer_is_legal(spec, answer):
    question = Question(Seat(0), "phase", 1, spec, None, fallback=1)
    assert neutral(question) == (1 if answer == "the fallback" else answer)
    json.dumps(neutral(question))


def test_a_budget_says_how_many_calls_it_allows_at_once():
    games = [fixture(Growing("one"), Same(), key=f"g{n}", turns=3) for n in range(3)]
    assert calls_within_budget(games, Limits()) == {}
    # The first prompt has 400 characters, so a call may come to 600 tokens and to 0.4 + 0.8 dollars.
    assert calls_within_budget(games, Limits(token_budget=3000))["one"].calls == 5
    assert calls_within_budget(games, Limits(token_budget=3000), Spent(0.0, 1800))["one"].calls == 2
    assert calls_within_budget(games, Limits(budget=2.5))["one"].calls == 2
    assert calls_within_budget(games, Limits(budget=1.0))["one"].calls == 0
    assert calls_within_budget(games, Limits(budget=1000.0, calls=4))["one"].calls == 4
    (sentence,) = describe_rooms(calls_within_budget(games, Limits(budget=2.5)))
    assert sentence.endswith("until its answer is in; 2 can run at once.")
