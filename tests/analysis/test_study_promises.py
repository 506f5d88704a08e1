"""What counts as a promise, and what does not."""

import pytest
from small_games import record, tables, turn

from ostrom.analysis.measures import promises
from ostrom.core.promises import promise_in

ALL = "all that the seat holds"


def promised(text):
    found = promise_in(text)
    return None if found is None else (ALL if found.amount is None else found.amount)


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
