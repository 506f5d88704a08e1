"""Games are found by who won, by what happened, and by words; a list is sorted by any column, and a game knows its
neighbours in it. All of that in either database, without decoding an event when it is asked."""

import math
import re

import pytest

from battery_played import battery_records
from kept import commons, opened, opening, punish, start_game
from ostrom.analysis import highlights
from ostrom.analysis.highlights import HIGHLIGHTS, summarise
from ostrom.core import InputError
from ostrom.journal.game_lists import GameFilters
from ostrom.journal.messages import MessageQuery, terms_of
from ostrom.journal.record import with_tellings
from ostrom.journal.schema import message_texts, messages, summaries
from ostrom.journal.summaries import SaidLine, Summary, forget


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        first = journal.new_experiment("talks", kind="punish")
        for number in range(3):
            journal.add_game(first, punish(number, text=f"number {number} of three"), key=f"p{number}")
        second = journal.new_experiment("silence", kind="commons")
        journal.add_game(second, commons(), key="c0")
        start_game(journal, second, opening(commons(1)), key="c1")
        assert summarise(journal, math.inf) == 0
        yield journal


def ids(journal, order="begun", down=True, **wanted):
    page = journal.pages.games(GameFilters(**wanted), order=order, down=down)
    assert page.total == len(page.games)
    return [row.id for row in page.games]


def test_what_was_found_comes_along(journal):
    page = journal.pages.games()
    by_id = dict(zip((row.id for row in page.games), page.summaries, strict=True))
    assert by_id["commons-2.2"] is None  # it is being played
    row = next(row for row in page.games if row.id == "commons-2.1")
    found = by_id["commons-2.1"]
    finals = with_tellings(journal.record("commons-2.1")).finals
    assert found.best == max(finals)
    assert found.winners == tuple(seat for seat, final in enumerate(finals) if final == found.best)
    assert len(found.course) == row.rounds
    assert all("defaulted" in found.highlights for game, found in by_id.items() if game.startswith("punish"))


def test_games_are_found_by_winner_outcome_and_highlight(journal):
    page = journal.pages.games(GameFilters(game="commons", state="finished"))
    winner = page.games[0].players[page.summaries[0].winners[0]]
    assert "commons-2.1" in ids(journal, winner=winner)
    assert ids(journal, winner="nobody") == []
    assert ids(journal, winner="") == []  # no name, which is none of those who won
    assert ids(journal, outcome="playing") == ["commons-2.2"]
    assert len(ids(journal, outcome="finished")) == 4
    won, shared = ids(journal, outcome="won"), ids(journal, outcome="shared")
    assert sorted(won + shared) == sorted(ids(journal, outcome="finished"))
    assert ids(journal, highlights=("defaulted",)) == ["punish-1.3", "punish-1.2", "punish-1.1"]
    assert ids(journal, highlights=("defaulted", "exclusion")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("silence", ["commons-2.2", "commons-2.1"]),
        ("PARASITE commons", ["commons-2.2", "commons-2.1"]),
        ("p1", ["punish-1.2"]),
        ("label", []),
        ("%", []),
        ("'", []),
        ("\x00", ["commons-2.2", "commons-2.1", "punish-1.3", "punish-1.2", "punish-1.1"]),
    ],
)
def test_games_are_found_by_words(journal, text, found):
    assert ids(journal, text=text) == found


def test_words_are_found_in_any_alphabet_and_in_what_players_are_called(journal):
    journal.rename("silence", "ÄPFEL Straße")
    for text in ("äpfel", "ÄPFEL", "straße", "STRASSE"):
        assert ids(journal, text=text) == ["commons-2.2", "commons-2.1"]
    journal.names.give("Parasite", "Ζωή")
    assert ids(journal, text="ζωή") == ["commons-2.2", "commons-2.1"]
    seats = [seat.model_copy(update={"player": "claude-opus-4-5-20251101"}) for seat in punish().seats]
    journal.add_game(journal.experiment_id("talks"), punish(9).model_copy(update={"seats": seats}), key="known")
    assert ids(journal, text="opus 4.5") == ["punish-1.4"]  # as it is shown


def test_words_in_the_names_of_very_many_players(journal, monkeypatch):
    monkeypatch.setattr("ostrom.journal.game_lists._MAX_SINGLE_NAMES", 1)
    monkeypatch.setattr("ostrom.journal.game_lists._MAX_CHAIN", 2)
    with_models = ["punish-1.3", "punish-1.2", "punish-1.1"]
    assert ids(journal, text="model") == with_models
    journal.names.give("Parasite", "Model Worm")
    assert ids(journal, text="model") == ["commons-2.2", "commons-2.1", *with_models]
    assert ids(journal, text="player") == ["commons-2.2", "commons-2.1"]  # RandomPlayer


def test_what_is_archived_is_listed_where_it_is_asked_for_alone(journal):
    journal.archive("talks")
    assert ids(journal) == ["commons-2.2", "commons-2.1"]
    assert len(ids(journal, experiment="talks")) == 3
    assert journal.messages.find(MessageQuery()).total == 0
    assert journal.messages.find(MessageQuery(terms_of("number"))).total == 0
    assert journal.messages.find(MessageQuery(terms_of("number"), experiments=("talks",))).total == 6
    assert journal.messages.find(MessageQuery(game="punish-1.1")).total > 0


@pytest.mark.parametrize("order", ["begun", "players", "winner", "best", "course", "rounds", "state"])
def test_a_list_is_sorted_by_any_column_and_what_has_no_value_comes_last(journal, order):
    down, up = ids(journal, order), ids(journal, order, down=False)
    assert sorted(down) == sorted(up)
    if order in ("winner", "best", "course", "rounds"):
        assert down[-1] == up[-1] == "commons-2.2"
    page = journal.pages.games(order="best", down=False)
    known = [found.best for found in page.summaries if found is not None]
    assert known == sorted(known)


def test_games_that_nobody_won_come_last_by_winner_either_way(journal):
    asked = journal.new_experiment("asked", kind="battery")
    journal.add_game(asked, battery_records(("selfish",), ("dictator",))[0], key="asked")
    assert summarise(journal, math.inf) == 0
    for down in (True, False):
        assert sorted(ids(journal, "winner", down)[-2:]) == ["battery-3.1", "commons-2.2"]


def test_a_game_knows_its_neighbours_in_a_list(journal):
    order = ids(journal, "best", experiment="talks")
    beside = journal.pages.neighbours(order[1], GameFilters(experiment="talks"), "best", True)
    assert beside == (2, 3, order[0], order[2])
    assert journal.pages.neighbours("commons-2.1", GameFilters(experiment="talks"), "best", True) is None


def test_a_game_is_looked_at_once(journal, monkeypatch):
    monkeypatch.setattr(highlights, "summaries_of", pytest.fail)
    assert summarise(journal, math.inf) == 0
    journal.pages.games(GameFilters(highlights=("ruin",)), order="course")


def test_a_game_that_cannot_be_read_says_so_and_holds_up_no_other(journal, monkeypatch):
    for number in range(2):
        journal.add_game("punish-1", punish(5 + number), key=f"late{number}")

    def read(names):
        if "punish-1.4" in names:
            raise InputError("cannot be read")
        return found(names)

    found = journal.ended.records
    monkeypatch.setattr(journal.ended, "records", read)
    assert summarise(journal, math.inf) == 0
    assert ids(journal, highlights=("unreadable",)) == ["punish-1.4"]


def test_every_highlight_has_a_meaning():
    assert all(words and name.islower() for name, words in HIGHLIGHTS.items())


def test_words_phrases_and_stems_are_found_in_either_database(journal):
    def total(typed):
        return journal.messages.find(MessageQuery(terms_of(typed), order="relevance")).total

    assert total("three NUMBERS") == 6
    assert total('"number 1"') == 2
    assert total('"1 number"') == 0
    assert total("all in of") == 0
    assert total("of") == 6  # no word is too common to be looked for
    [one, *_] = journal.messages.find(MessageQuery(terms_of("numbering 2"), order="relevance", around=1)).matches
    assert one.pieces == ("", "number", " ", "2", " of three")
    assert len(one.before) + len(one.after) == 1


@pytest.mark.parametrize("order", ["relevance", "newest", "oldest"])
def test_few_finds_and_many_are_ordered_and_counted_alike(journal, monkeypatch, order):
    """Few are counted and shown in one look, and many in two."""
    some = {"experiments": ("talks",)}, {"players": ("b",)}, {"turn": 1}, {"without": COUNTED}, {"labels": ("broken",)}
    queries = [
        MessageQuery(terms_of("number"), order=order, offset=offset, limit=2, **one)
        for one in some
        for offset in (0, 1)
    ]
    few = [journal.messages.find(query) for query in queries]
    assert few[0].total == 6
    monkeypatch.setattr("ostrom.journal.messages._few", lambda *_: None)
    assert [journal.messages.find(query) for query in queries] == few


SAID = [
    # Who said it, what, and whether it was kept; names that begin alike, are of no letters, or are words of FTS5.
    ("b", "I give twenty", True),
    ("b", "twenty was broken", False),
    ("b c", "I give twenty, kept or not", None),
    ("b c", "twenty again", True),
    ("—", "twenty of twenty", False),
    ("NOT", "b gives twenty", None),
    ('b" OR text : "twenty', "I give all", True),
]


LABELS = {True: "kept", False: "broken", None: ""}
COUNTED = ("kept", "broken")
FILTERS = {
    None: {},
    "made": {"labels": COUNTED},
    "kept": {"labels": ("kept",)},
    "broken": {"labels": ("broken",)},
    "none": {"without": COUNTED},
}


@pytest.mark.parametrize("promise", list(FILTERS))
def test_labels_and_players_are_found_as_by_looking_at_every_message(journal, promise):
    lines = [
        SaidLine(place, 1, place + 1, 0, *said, LABELS[kept], {"place": place} if kept else None)
        for place, (*said, kept) in enumerate(SAID)
    ]
    with journal._database.writing() as connection:
        for number in (1, 2, 3):
            forget(connection, [number])
    journal.summaries.keep([Summary(1, (), None, (), (), None, lines)])
    asked = {None: (True, False, None), "made": (True, False), "kept": (True,), "broken": (False,), "none": (None,)}
    unknown = "\U0001e900"  # a letter that not every index knows
    typed_words = ("twenty", "give twenty", "kept", "broken", '"b c"', "b", "not", unknown, f"{unknown} twenty")
    for players in ((), *((name,) for name, _, _ in SAID), ("b", "—"), ("nobody",)):
        for typed in typed_words:
            words = {word.strip('"') for word in typed.split()} - {unknown}
            expected = [
                (text, kept)
                for player, text, kept in SAID
                if kept in asked[promise] and (not players or player in players)
                if words and words <= {word.removesuffix("s") for word in re.findall(r"\w+", text.lower())}
            ]
            if typed == '"b c"':
                expected = []  # a name is no word of the message
            query = MessageQuery(terms_of(typed), players=players, **FILTERS[promise], counted=COUNTED, limit=9)
            found = journal.messages.find(query)
            told = [(one.text, None if one.label == "" else one.label == "kept") for one in found.matches]
            assert all(one.details == ({"place": one.event} if one.label == "kept" else {}) for one in found.matches)
            case = (typed, players, promise)
            if unknown in typed:
                assert told in ([], expected), case
                continue
            assert told == expected, case
            promises = [kept for _, kept in expected if kept is not None]
            counts = {"kept": sum(promises), "broken": len(promises) - sum(promises)}
            assert found.counts == (len(expected), counts), case


def test_deleting_an_experiment_leaves_nothing_of_its_messages(journal):
    journal.delete("talks")
    assert journal.messages.find(MessageQuery(terms_of("number"))).total == 0
    with journal._database.reading() as connection:
        left = [connection.execute(table.select()).all() for table in (messages, message_texts)]
        assert left == [[], []]
        assert len(connection.execute(summaries.select()).all()) == 1
    assert not any(journal.check())
