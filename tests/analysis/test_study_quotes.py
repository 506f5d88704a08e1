"""The table of quotes: speaker, position and rating."""

import pytest
from readers import Library
from small_games import record, turn

FIRST = record(
    ["ada", "bob", "cyd"],
    turn([5, 5, 5], said=[(2, "Words are cheap."), (0, ""), (1, "I give 5.")]),
    turn([0, 5, 5], said=[(0, "I was silent, and you should have asked why.")]),
)
SECOND = record(["bob", "ada", "bob"], turn([1, 2, 3], said=[(0, "One."), (1, "Two."), (2, "Three.")]))


@pytest.fixture
def library(tmp_path):
    with Library(tmp_path) as made:
        made.one, made.two = made.played(FIRST, SECOND)
        (made.other,) = made.played(SECOND, name="elsewhere")
        yield made


def rows(table, *columns):
    return table.select(columns).rows()


def test_a_quote_names_its_speaker_round_and_game(library):
    from ostrom.games.judge.readings import quotes

    library.picks(library.one, {3: 9, 1: 4})
    table = quotes(library.journal)
    assert rows(table, "player", "rating", "text", "round", "seat", "game") == [
        ("ada", 9, "I was silent, and you should have asked why.", 2, 0, library.one),
        ("cyd", 4, "Words are cheap.", 1, 2, library.one),
    ]
    assert rows(table, "judge", "experiment", "reading", "line", "reason")[0] == (
        "judge",
        "punish-1",
        "quotes-3.1",
        3,
        "why",
    )


def test_quotes_are_listed_by_player_and_the_best_first(library):
    from ostrom.games.judge.readings import quotes

    library.picks(library.one, {2: 5})
    library.picks(library.two, {1: 2, 3: 8, 2: 1})
    library.picks(library.two, {3: 10}, judge="harsh")
    table = quotes(library.journal)
    assert rows(table, "player", "rating", "judge") == [
        ("ada", 1, "judge"),
        ("bob", 10, "harsh"),
        ("bob", 8, "judge"),
        ("bob", 5, "judge"),
        ("bob", 2, "judge"),
    ]


def test_only_the_quotes_of_one_experiment(library):
    from ostrom.games.judge.readings import quotes

    library.picks(library.one, {1: 1})
    library.picks(library.other, {1: 2})
    assert rows(quotes(library.journal, "elsewhere"), "game", "rating") == [(library.other, 2)]
    assert quotes(library.journal).height == 2


def test_without_readings_the_table_is_empty_and_has_its_columns(library):
    from ostrom.games.judge.readings import QUOTE_COLUMNS, quotes, unread

    assert quotes(library.journal).schema == QUOTE_COLUMNS
    assert unread(library.journal).height == 0


def test_portions_without_an_answer_are_counted_and_never_passed_off_as_dull(library):
    from ostrom.games.judge.readings import quotes, unread

    library.picks(library.one, {1: 7}, portion_lines=2, defaulted=(2,))
    library.picks(library.two, {}, portion_lines=2)
    assert quotes(library.journal).height == 1
    assert unread(library.journal).rows(named=True) == [{"judge": "judge", "games": 2, "portions": 4, "defaulted": 1}]


def test_a_line_of_which_the_judge_was_told_a_part_is_quoted_whole(library):
    from ostrom.games.judge.readings import quotes

    endless = "x" * 5000
    (game,) = library.played(record(["ada", "bob", "cyd"], turn([1, 2, 3], said=[(1, endless)])), name="long")
    library.picks(game, {1: 1})
    assert rows(quotes(library.journal), "player", "text") == [("bob", endless)]
