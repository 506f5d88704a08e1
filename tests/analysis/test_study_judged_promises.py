"""Promises in messages, by patterns and by judges, and whether they are kept."""

import math

import numpy as np
import pytest
from readers import Library
from small_games import record, tables, turn

from ostrom.analysis.agreement import kappa
from ostrom.analysis.measures import promises
from ostrom.core.promises import promise_in
from ostrom.games.contribute_punish.tables import tables_of
from ostrom.games.judge.readings import agreements, judged_messages, judged_promises

YES, NO = "I will contribute $10.", "Hello everybody."
"""What the pattern takes for a promise, and what not."""


def talk(*texts, gave=5):
    """A game of three seats in which these texts are said, three a round."""
    rounds = [texts[first : first + 3] for first in range(0, len(texts), 3)]
    return record(["ada", "bob", "cyd"], *(turn([gave] * 3, said=list(enumerate(said))) for said in rounds))


@pytest.fixture
def library(tmp_path):
    with Library(tmp_path) as made:
        yield made


def agreement(library):
    (result,) = agreements(tables_of(library.journal.records()), judged_messages(library.journal))
    return result


def test_kappa_of_the_textbook():
    # Cohen's κ for 20 yes/yes, 5, 10, 15 no/no: p = 0.7, e = 0.5·0.6 + 0.5·0.4 = 0.5, κ = 0.4.
    assert kappa(*(np.array([float(count)]) for count in (20, 5, 10, 15)))[0] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("counts", "value"),
    [((5, 0, 0, 5), 1.0), ((0, 5, 5, 0), -1.0), ((4, 4, 4, 4), 0.0), ((5, 0, 0, 0), None), ((0, 0, 0, 9), None)],
)
def test_kappa_at_its_ends_and_where_there_is_none(counts, value):
    result = kappa(*(np.array([float(count)]) for count in counts))[0]
    assert np.isnan(result) if value is None else result == pytest.approx(value)


def test_planted_agreement_comes_out(library):
    # In each of six games: pattern and judge yes/yes 2, yes/no 1, no/yes 1, no/no 2. p = 4/6, e = 1/2, κ = 1/3.
    texts = [YES, YES, YES + " Really.", NO + " (10)", NO, NO]
    games = library.played(*(talk(*texts) for _ in range(6)))
    says = {YES: 10, texts[2]: None, texts[3]: 10, NO: None}
    for game in games:
        library.judges(game, says.get)
    result = agreement(library)
    assert (result.both, result.pattern_only, result.judge_only, result.neither) == (12, 6, 6, 12)
    assert (result.games, result.messages, result.unjudged) == (6, 36, 0)
    assert result.agreement.value == pytest.approx(4 / 6)
    assert result.kappa.value == pytest.approx(1 / 3)
    # All games are alike, so that leaving one out changes nothing.
    assert result.kappa.low == pytest.approx(1 / 3)
    assert result.kappa.high == pytest.approx(1 / 3)
    assert (result.same_amount, result.amount_agreement.value) == (12, 1.0)


def test_the_interval_is_that_of_whole_games(library):
    # Ten games, all of one mind within: five agree everywhere, five nowhere. Messages alone would give ±0.09 or so.
    games = library.played(*(talk(*[YES, NO, NO] * 10) for _ in range(10)))
    for number, game in enumerate(games):
        right, wrong = {YES: 10, NO: None}, {YES: None, NO: 10}
        library.judges(game, (right if number % 2 else wrong).get)
    result = agreement(library)
    assert result.agreement.value == pytest.approx(0.5)
    # Without one game five ninths or four ninths agree: log odds of ± log 1.25, and t of nine degrees of freedom.
    reach = 2.2622 * math.sqrt(9 / 10 * 10 * math.log(1.25) ** 2)
    assert result.agreement.low == pytest.approx(1 / (1 + math.exp(reach)), abs=1e-4)
    assert result.agreement.high == pytest.approx(1 / (1 + math.exp(-reach)), abs=1e-4)


def test_lines_without_a_legal_answer_take_no_part_and_are_counted(library):
    (game, other) = library.played(talk(YES, NO, NO, YES, "Silence!", NO), talk(YES, NO, NO))
    says = {YES: 10, NO: None, "Silence!": "silent"}
    library.judges(game, says.get, defaulted=(2,))
    library.judges(other, says.get)
    result = agreement(library)
    assert (result.messages, result.unjudged) == (6, 3)
    assert (result.both, result.neither) == (2, 4)
    assert result.kappa.value == 1.0


def test_amounts_agree_where_everything_is_what_the_seat_holds(library):
    said = ["I'm going all in!", "All in with $20!", "I will contribute $7."]
    (game,) = library.played(talk(*said))
    library.judges(game, {said[0]: 20, said[1]: "all", said[2]: 8}.get)
    result = agreement(library)
    assert (result.both, result.same_amount) == (3, 2)
    assert result.amount_agreement.value == pytest.approx(2 / 3)
    assert result.amount_agreement.reason == "fewer than 6 games: no interval"
    assert (result.kappa.value, result.kappa.reason) == (None, "both say the same of all messages")


def test_a_promise_of_nothing_is_none(library):
    (game,) = library.played(talk("I will contribute $0.", NO, YES))
    library.judges(game, {"I will contribute $0.": 0, NO: None, YES: 10}.get)
    judged = judged_messages(library.journal)
    assert judged_promises(judged, "judge")["text"].to_list() == [YES]
    assert agreement(library).neither == 2


def test_judged_promises_have_the_shape_of_the_patterns(library):
    (game,) = library.played(talk(YES, "Everything I have.", NO))
    library.judges(game, {YES: 10, "Everything I have.": "all", NO: None}.get)
    result = judged_promises(judged_messages(library.journal), "judge")
    shape = promises(tables(talk(YES)).messages)
    assert result.schema == shape.schema
    assert result.select("seat", "player", "promised", "everything").rows() == [
        (0, "ada", 10, False),
        (1, "bob", None, True),
    ]


def test_judges_are_told_apart(library):
    (game,) = library.played(talk(YES, NO, NO))
    library.judges(game, {YES: 10, NO: None}.get, judge="one")
    library.judges(game, {YES: None, NO: None}.get, judge="two")
    result = agreements(tables_of(library.journal.records()), judged_messages(library.journal))
    assert [(one.judge, one.both, one.pattern_only) for one in result] == [("one", 1, 0), ("two", 0, 1)]
    assert result[0].as_record()["kappa"] == {"value": 1.0, "low": None, "high": None, "reason": result[0].kappa.reason}


def test_without_readings_there_is_nothing_to_agree(library):
    library.played(talk(YES, NO, NO))
    assert agreements(tables_of(library.journal.records()), judged_messages(library.journal)) == []


ALL = "all that the seat holds"


def promised(text):
    result = promise_in(text)
    return None if result is None else (ALL if result.amount is None else result.amount)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("I'll contribute $10.", 10),
        ("I’ll contribute $10 again this round.", 10),
        ("Let's keep cooperating. I will contribute 15 tokens!", 15),
        ("Let's cooperate, I'll contribute 8 again", 8),
        ("I'm putting in at least $12", 12),
        ("I'm in for another $5 and no punishment.", 5),
        ("I plan to contribute around $7, and I suggest you do too.", 7),
        ("I'll maintain my fair $15 contribution.", 15),
        ("I remain committed to full cooperation with a $10 contribution.", 10),
        ("I'll stick with $10.", 10),
        ("I'll contribute $10, punish free-riders and hope for the best.", 10),
        ("I will contribute $10 each round.", 10),
        ("I'll contribute my full $1,369 again.", 1369),
        ("I'll put in all $22 to rebuild trust.", 22),
        ("I'll continue contributing half my balance ($17).", 17),
        ("I'll contribute everything, all $40!", 40),
        ("contributing 15 tokens", 15),
        ("Contributing $10 again.", 10),
        ("Round 3: continuing with $10 contribution.", 10),
        ("all in with $55", 55),
        ("My contribution: $10", 10),
        ("I will give my full balance", ALL),
        ("I'll contribute everything", ALL),
        ("I'm going all in!", ALL),
        ("I'll put in all my tokens.", ALL),
        ("I'll contribute $0 now. I'll contribute $5 anyway.", 5),
    ],
)
def test_a_promise_states_the_speakers_own_amount(text, amount):
    assert promised(text) == amount


@pytest.mark.parametrize(
    "text",
    [
        "I'll contribute $10 if everyone does the same.",
        "Unless somebody defects, I'll contribute $10.",
        "I'll keep contributing $10 as long as you do.",
        "Let's all contribute $10!",
        "I suggest we all contribute $10.",
        "I propose $10 each.",
        "P2, contribute $10 or face punishment.",
        "Contribute $10 to avoid punishment.",
        "Contributing $10 ensures gains for all.",
        "How about contributing $6 this round?",
        "I contributed $10 and was punished.",
        "I've been contributing $10 while P2 gives nothing.",
        "I'll contribute $20 next round.",
        "I'll match contributions up to $10.",
        "I'll spend $5 to punish P2.",
        "I'll commit $5 to punish P2.",
        "I'll punish anyone contributing under $10.",
        "I will not contribute $10.",
        "I won't contribute my full balance.",
        "I'll contribute maybe $5.",
        "I'll contribute nearly my full balance.",
        "I'll contribute $5 more than P3.",
        "I'll contribute $0.",
        "I'll contribute generously.",
        "P3 will contribute $10.",
        "Everything depends on trust.",
        "",
    ],
)
def test_what_is_no_promise_of_ones_own_amount_is_left_out(text):
    assert promised(text) is None


def test_the_first_amount_of_a_message_counts():
    assert promised("I'll contribute $10. I'll contribute $20.") == 10


def test_promises_keep_the_place_of_their_message():
    said = [(1, "Hello!"), (0, "I'll contribute $3"), (2, "I'm giving everything")]
    made = tables(record(["a", "b", "c"], turn([3, 0, 0], said=said)))
    assert promises(made.messages).rows() == [
        ("g0", 1, 0, "a", "I'll contribute $3", 3, False),
        ("g0", 1, 2, "c", "I'm giving everything", None, True),
    ]
    assert promises(made.messages.clear()).height == 0
