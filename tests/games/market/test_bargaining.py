"""Bargaining: its contract, early ends, the quotes of its own strategies, statements of value, and its measures."""

from typing import Any

import pytest

from marketplace import moves, play, register_bargaining
from ostrom.core import Fault, Question
from ostrom.experiment import record_of, replay
from ostrom.experiment.match import play as play_named
from ostrom.games.market.bargaining import BargainingRules
from ostrom.games.market.bargaining.measures import MEASURES, BargainingTables, tables_of
from ostrom.games.market.bargaining.players import STRATEGIES, ConcessionTitForTat, FairSplit, Stubborn
from ostrom.games.market.double_auction.players import TruthfulTrader
from ostrom.games.market.statements import stated_value
from ostrom.players.base import NoAnswer
from ostrom.testing import check_game

PAIR = BargainingRules(rounds=4, given="80;20", messages="none")


@pytest.mark.parametrize("study", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "rules",
    [
        BargainingRules(rounds=3),
        BargainingRules(rounds=3, tick=0, values="mixed", talk="at-once", abort_after=2, unreadable="private-value"),
    ],
    ids=["usual", "aborts"],
)
def test_the_game_keeps_the_contract(rules: BargainingRules, study: bool) -> None:
    check_game(register_bargaining(), rules=[rules], study=study)


# Early ends.


def silent_in(*rounds: int) -> Any:
    """A player without a legal quote in these rounds."""

    def answer(question: Question) -> object:
        if question.phase != "quote":
            return ""
        if question.turn in rounds:
            raise NoAnswer(Fault.MALFORMED, "no price")
        return 50

    return answer


@pytest.mark.parametrize(
    ("rounds", "abort_after", "last"), [((2, 3), 2, 3), ((2, 4), 2, 5), ((2, 3, 4), 0, 5), ((1,), 1, 1)]
)
def test_a_game_ends_after_rounds_in_a_row_without_a_legal_quote(
    rounds: tuple[int, ...], abort_after: int, last: int
) -> None:
    rules = BargainingRules(rounds=5, given="80;20", abort_after=abort_after)
    match = play(rules, silent_in(*rounds), TruthfulTrader)
    assert match.events[-1].round == last
    aborted = [event for event in match.events if event.tag == "bargaining_aborted"]
    assert [(event.round, event.seat) for event in aborted] == ([(last, 0)] if last < 5 else [])
    trades = last - len([one for one in rounds if one <= last])
    assert sum(match.events[-1].payoffs) == 60 * trades
    assert replay(record_of(match)).events == match.events


def test_a_seat_that_passes_has_answered() -> None:
    rules = BargainingRules(rounds=4, given="80;20", abort_after=1)
    match = play(rules, [None] * 4, TruthfulTrader)
    assert match.events[-1].round == 4


def test_a_missing_quote_can_count_as_the_private_value() -> None:
    rules = BargainingRules(rounds=2, given="80;20", unreadable="private-value")
    match = play(rules, silent_in(1, 2), TruthfulTrader)
    assert [event.quotes for event in match.events if event.tag == "market_cleared"] == [[80, 20], [80, 20]]


# Strategies.


def test_fair_converges_to_an_equal_division() -> None:
    match = play(PAIR, FairSplit, FairSplit)
    # Buyer: (80 + 40) / 2 = 60; seller: (20 + 60) / 2 = 40; then each meets the middle of its value and the other's.
    assert (moves(match, 0), moves(match, 1)) == ([60, 60, 60, 60], [40, 40, 40, 40])
    assert match.events[-1].payoffs == [120, 120]


def test_fair_estimates_by_the_most_generous_quote_and_avoids_a_loss() -> None:
    assert moves(play(PAIR, FairSplit, [90, 50, 60, 30])) == [60, 80, 65, 65]
    assert moves(play(PAIR, [10, 50, 40, 70], FairSplit), 1) == [40, 20, 35, 35]


def test_stubborn_repeats_its_claim() -> None:
    assert moves(play(PAIR, Stubborn, [50, 0, 100, 20])) == [40] * 4
    match = play_named(["Truthful", "Stubborn:claim=0.25"], game=register_bargaining(), rules=PAIR)
    assert moves(match, 1) == [40] * 4


def test_tit_for_tat_concedes_what_the_other_conceded() -> None:
    assert moves(play(PAIR, ConcessionTitForTat, [90, 80, 85, 40])) == [40, 45, 55, 50]
    assert moves(play(PAIR, [10, 20, 15, 60], ConcessionTitForTat), 1) == [60, 55, 45, 50]


def test_two_who_play_tit_for_tat_meet() -> None:
    match = play(BargainingRules(rounds=6, given="80;20", messages="none"), ConcessionTitForTat, ConcessionTitForTat)
    assert moves(match) == [40, 45, 50, 55, 60, 65]
    assert moves(match, 1) == [60, 55, 50, 45, 40, 35]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_plays_both_roles_when_only_prices_are_known(name: str) -> None:
    rules = BargainingRules(rounds=5, disclosure="prices")
    for players in ([name, "Truthful"], ["Truthful", name]):
        match = play_named(players, game=register_bargaining(), rules=rules, seed=3)
        assert play_named(players, game=register_bargaining(), rules=rules, seed=3).events == match.events
        seat = players.index(name)
        offsets = [(1 - 2 * seat) * (match.events[0].values[seat] - quote) for quote in moves(match, seat)]
        assert min(offsets) >= 0, "no strategy of the game quotes at a loss"


# Statements of value.

PLANTED = [
    ("My cost is 40.", "seller", 40),
    ("Let's meet at 60; my valuation remains 90, so hurry.", "buyer", 90),
    ("Given my cost of $16, I ask 30.", "seller", 16),
    ("That is well below my 94 valuation.", "buyer", 94),
    ("I value the unit at 69 and bid 60.", "buyer", 69),
    ("It’s worth 55 to me.", "buyer", 55),
    ("Each unit costs me 12.", "seller", 12),
    ("I have a cost of 89. And you?", "seller", 89),
    ("Cost 9. Ask 22 again.", "seller", 9),
    ("76 is my strict break-even point.", "buyer", 76),
    ("30 is impossible; my actual break-even cost is 50.", "seller", 50),
    ("My cost is 1,200.", "seller", 1200),
    ("My cost is **31**.", "seller", 31),
    ("My value: 60. My value: 70.", "buyer", 60),
]
NOT_PLANTED = [
    ("I bid 40.", "buyer"),
    ("My limit is 60, and I can't go above 60.", "buyer"),
    ("My cost is above 40.", "seller"),
    ("My cost is about 40.", "seller"),
    ("My cost is 40-45.", "seller"),
    ("My costs are in the 40s.", "seller"),
    ("If my cost is 40, you gain 20.", "seller"),
    ("My cost isn't 40.", "seller"),
    ("Your cost is 40 and your valuation is 90.", "seller"),
    ("Your cost is 40.", "buyer"),
    ('You said "my cost is 40".', "seller"),
    ("18 profit for me, 4 for you.", "seller"),
    ("My cost gives me a 40% margin.", "seller"),
    ("My valuation is 90.", "seller"),
    ("My cost is high: bid 90.", "seller"),
]


@pytest.mark.parametrize(("text", "role", "value"), PLANTED)
def test_a_statement_of_value_is_found(text: str, role: str, value: float) -> None:
    assert stated_value(text, role) == value


@pytest.mark.parametrize(("text", "role"), NOT_PLANTED)
def test_other_messages_are_no_statements_of_value(text: str, role: str) -> None:
    assert stated_value(text, role) is None


# Measures.


def writes(quotes: list[Any], said: list[str]) -> Any:
    """A player with written quotes and messages."""
    return lambda question: (quotes if question.phase == "quote" else said)[question.turn - 1]


@pytest.fixture(scope="module")
def tables() -> BargainingTables:
    """Two games of four rounds: in one the seats trade in rounds 2, 3 and 4, in the other never."""
    rules = BargainingRules(rounds=4, given="80;20")
    buyer = writes([30, 50, 60, 60], ["My value is 60.", "", "My value is 80.", "I bid 60."])
    seller = writes([50, 50, 50, 60], ["My cost is 45.", "ok", "", ""])
    lost = writes([99, 99, 99, 99], ["", "", "", ""])
    matches = [play(rules, buyer, seller), play(rules, buyer, lost)]
    return tables_of((str(number), "e", record_of(match)) for number, match in enumerate(matches))


def figures(tables: BargainingTables, name: str) -> dict[Any, float]:
    """The values of a measure by its row."""
    measure = MEASURES.measures[name]
    rows = measure.function(tables).to_dicts()
    return {tuple(row[column] for column in measure.by): row["value"] for row in rows}


def test_agreement_and_its_time(tables: BargainingTables) -> None:
    assert figures(tables, "agreement") == {("all games",): 3 / 8}
    assert list(figures(tables, "agreement_by_round").values()) == [0, 0.5, 0.5, 0.5]
    assert figures(tables, "rounds_to_agreement") == {("all games",): 2}
    assert figures(tables, "never_agreed") == {("all games",): 0.5}


def test_the_division_of_the_surplus(tables: BargainingTables) -> None:
    # Prices 50, 55 and 60: the buyer gains 30 + 25 + 20, the seller 30 + 35 + 40.
    division = {role: value for (_, role), value in figures(tables, "division_by_role").items() if value is not None}
    assert division == {"buyer": pytest.approx(75 / 180), "seller": pytest.approx(105 / 180)}


def test_statements_are_compared_with_private_values(tables: BargainingTables) -> None:
    rows = tables.statements.select("round", "role", "stated", "false", "advantage").rows()
    first = [row for row, game in zip(rows, tables.statements["game"], strict=True) if game == "0"]
    assert sorted(first) == [
        (1, "buyer", 60, True, 20),
        (1, "seller", 45, True, 25),
        (3, "buyer", 80, False, 0),
    ]
    assert tables.messages.height == 8
    assert tables.statements.height == 5
