"""The journal a page at a time, in either database: what is asked for, how much there is in all, and nothing that is
still secret."""

import pytest
from sqlalchemy import event

from kept import HOSTILE, append, commons, finish, opened, opening, punish, start_game
from ostrom.core import InputError, UnknownName
from ostrom.journal.game_lists import GameFilters
from ostrom.journal.record import RecordedSeat


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


def of(*players):
    """A game in which these players sit."""
    seats = [RecordedSeat(seat=seat, label=f"P{seat + 1}", player=name) for seat, name in enumerate(players)]
    return punish().model_copy(update={"seats": seats})


def test_games_come_newest_first_with_their_number_in_all(journal):
    experiment = journal.new_experiment("one", kind="test")
    for number in range(5):
        journal.add_game(experiment, punish(number), key=f"k{number}")
    page = journal.pages.games(offset=1, limit=2)
    assert ([row.key for row in page.games], page.total) == (["k3", "k2"], 5)
    assert page.games == journal.games()[3:1:-1]
    assert journal.pages.games(offset=5) == ([], 5, [])


@pytest.mark.parametrize(
    "name", ["Anna", "anna", "An", 'An"na', "An\\na", "%", "_", "Zoë", "漢字", HOSTILE, '","player":"x']
)
def test_a_player_is_found_by_the_whole_name_whatever_it_holds(journal, name):
    others = ["Bertha", "Annabel", "ANNA", 'x","player":"Anna', "player", "Anno"]
    experiment = journal.new_experiment("one", kind="test")
    journal.add_game(experiment, of(*others, name), key="with")
    journal.add_game(experiment, of(*others), key="without")
    assert [row.key for row in journal.pages.games(GameFilters(player=name)).games] == ["with"]
    assert journal.pages.games(GameFilters(player=f"{name}!")) == ([], 0, [])


def test_games_are_found_by_experiment_state_and_kind_together(journal):
    one, two = (journal.new_experiment(name, kind="test") for name in ("one", "two"))
    journal.add_game(one, punish(), key="a")
    journal.add_game(two, commons(), key="b")
    start_game(journal, two, opening(punish()), key="c")
    found = journal.pages.games(GameFilters(experiment="two", state="playing", game="contribute_punish"))
    assert ([row.key for row in found.games], found.total) == (["c"], 1)
    assert [row.key for row in journal.pages.games(GameFilters(game="contribute_punish")).games] == ["c", "a"]
    assert journal.pages.games(GameFilters(experiment="one", state="playing")).total == 0
    with pytest.raises(UnknownName, match="there is no experiment called 'three'"):
        journal.pages.games(GameFilters(experiment="three"))


def test_a_game_has_its_header_and_the_number_of_its_events(journal):
    record = commons()
    game = start_game(journal, journal.new_experiment("one", kind="test"), opening(record), key="k")
    before = journal.pages.game("k")
    append(journal, game, record.answers, record.events)
    after = journal.pages.game(game)
    assert (before.events, after.events) == (0, len(record.events))
    # The game is under way, so that its seed is a secret.
    assert (after.row, after.rules, after.seed) == (journal.games()[0], record.rules, None)
    assert after.labels == ("P1", "P2", "P3", "P4")


def test_events_are_read_by_their_place(journal):
    record = punish(0, HOSTILE)
    journal.add_game(journal.new_experiment("one", kind="test"), punish(1), key="other")
    journal.add_game("test-1", record, key="k")
    for first, limit in ((0, 3), (3, 2), (6, 100), (8, 5), (1000, 5)):
        page = journal.pages.events("k", first, limit)
        assert page == (record.events[first : first + limit], len(record.events), "finished")


def test_of_a_game_under_way_no_answer_is_shown(journal):
    record = commons()
    game = start_game(journal, journal.new_experiment("one", kind="test"), opening(record), key="k")
    append(journal, game, record.answers[:9], record.events[:2])
    shown = journal.pages.shown(game)
    assert (shown.answers, shown.events) == ([], record.events[:2])
    append(journal, game, record.answers[9:], record.events[2:])
    finish(journal, game)
    assert journal.pages.shown("k") == record == journal.record(game)


def test_who_sat_down_in_an_experiment_is_told_once(journal):
    one, two = (journal.new_experiment(name, kind="test") for name in ("one", "two"))
    journal.add_game(one, of("Zoë", "Anna", "Anna"), key="a")
    journal.add_game(one, of("Anna", "Zoë", HOSTILE), key="b")
    assert journal.pages.seated() == {one: tuple(sorted({"Zoë", "Anna", HOSTILE}))}
    journal.add_game(two, of("Bertha"), key="a")
    assert journal.pages.seated()[two] == ("Bertha",)


def test_experiments_are_counted_once_and_anew_when_something_happens(journal):
    seen = []

    def look():
        assert journal.pages.experiments() == journal.pages.experiments() == journal.experiments()
        seen.append(journal.pages.experiments())

    look()
    experiment = journal.new_experiment("one", kind="test")
    look()
    journal.add_game(experiment, punish(), key="a")
    look()
    record = commons()
    game = start_game(journal, experiment, opening(record), key="b")
    look()
    append(journal, game, record.answers[:9], record.events[:2])
    look()
    append(journal, game, record.answers[9:], record.events[2:])
    finish(journal, game)
    look()
    journal.new_run(experiment)
    look()
    journal.add_game(journal.new_experiment("two", kind="test"), punish(1), key="a")
    look()
    assert len({str(rows) for rows in seen}) == len(seen)


def test_a_game_that_is_not_there_is_no_page(journal):
    journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
    for read in (journal.pages.game, journal.pages.shown, lambda name: journal.pages.events(name, 0, 5)):
        with pytest.raises(InputError, match="there is no game in the journal called 'nothing'"):
            read("nothing")


def test_a_page_is_one_statement(journal):
    experiment = journal.new_experiment("one", kind="test")
    journal.add_game(experiment, punish(), key="k")
    asked = []
    event.listen(journal._database.engine, "before_cursor_execute", lambda *about: asked.append(about[2]))
    pages = {
        "games": lambda: journal.pages.games(GameFilters(player="A", state="finished"), limit=5),
        "game": lambda: journal.pages.game("k"),
        "events": lambda: journal.pages.events(f"{experiment}.1", 2, 3),
        "revision": journal.revision,
        "stage": journal.ended.stage,
    }
    told = {}
    for name, read in pages.items():
        asked.clear()
        read()
        told[name] = sum(not one.startswith("BEGIN") for one in asked)
    assert told == dict.fromkeys(pages, 1)


def test_around_one_statement_a_server_is_told_of_no_transaction(new_database):
    with opened(new_database()) as journal:
        for looking, status in ((journal._database.glancing, "IDLE"), (journal._database.reading, "INTRANS")):
            with looking() as connection:
                connection.exec_driver_sql("SELECT 1")
                assert connection.connection.driver_connection.info.transaction_status.name == status


def test_an_id_goes_before_the_keys_of_other_games(journal):
    experiment = journal.new_experiment("one", kind="test")
    journal.add_game(experiment, punish(0), key="a")
    journal.add_game(experiment, punish(1), key=f"{experiment}.1")
    journal.add_game(journal.new_experiment("two", kind="test"), punish(2), key="a")
    assert journal.pages.game(f"{experiment}.1").row.key == "a"
    assert journal.pages.events(f"{experiment}.1", 0, 100).events == punish(0).events
    for read in (journal.pages.game, lambda name: journal.pages.events(name, 0, 5)):
        with pytest.raises(InputError, match=r"2 games have the key 'a'; name one by its id: test-1\.1, test-2\.1"):
            read("a")
