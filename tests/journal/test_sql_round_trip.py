"""What the journal is given, it gives back: games of either kind, in SQLite and in PostgreSQL."""

import json

import pytest

import ostrom
from kept import HOSTILE, commons, opened, punish
from ostrom.core import InputError, Provenance, RecordError, UnknownName


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


@pytest.mark.parametrize("make", [commons, punish])
def test_a_game_comes_back_equal(journal, make):
    record = make(17)
    experiment = journal.new_experiment("one", kind="test")
    assert journal.add_game(experiment, record, key="k")
    [kept] = journal.records()
    assert kept.record == record
    assert journal.record(kept.game) == record
    assert json.dumps(kept.record.model_dump()) == json.dumps(record.model_dump())


def test_a_game_that_was_kept_replays_by_the_rules(journal):
    journal.add_game(journal.new_experiment("one", kind="test"), commons(), key="k")
    match = ostrom.replay(journal.record("test-1.1"))
    assert [event.as_record() for event in match.events] == commons().events


def test_whatever_a_model_writes_is_kept_to_the_letter(journal):
    journal.add_game(journal.new_experiment("one", kind="test"), punish(text=HOSTILE), key="k")
    assert journal.record("test-1.1") == punish(text=HOSTILE)


@pytest.mark.parametrize("value", [0.1 + 0.2, 1.0, 1, 5e-324, 1.7976931348623157e308, 2**70, True, None, [], {"a": {}}])
def test_a_value_keeps_its_type_and_its_last_bit(journal, value):
    record = punish()
    answers = [record.answers[0].model_copy(update={"value": value}), *record.answers[1:]]
    journal.add_game(
        journal.new_experiment("one", kind="test"), record.model_copy(update={"answers": answers}), key="k"
    )
    found = journal.record("test-1.1").answers[0].value
    assert (found, type(found)) == (value, type(value))


def test_a_game_of_the_same_key_changes_nothing(journal):
    experiment = journal.new_experiment("one", kind="test")
    assert journal.add_game(experiment, punish(1), key="k")
    before = journal.revision()
    assert not journal.add_game(experiment, punish(2), key="k")
    assert journal.revision() == before
    assert [kept.record for kept in journal.records()] == [punish(1)]
    other = journal.new_experiment("two", kind="test")
    assert journal.add_game(other, punish(2), key="k")


def test_every_write_raises_the_revision(journal):
    seen = [journal.revision()]
    experiment = journal.new_experiment("one", kind="test")
    for number in range(3):
        seen.append(journal.revision())
        journal.add_game(experiment, punish(number), key=str(number))
    seen.append(journal.revision())
    assert seen == sorted(set(seen))
    list(journal.records())
    assert journal.revision() == seen[-1]


def test_experiments_say_how_far_they_are(journal):
    empty, full = (
        journal.new_experiment(name, kind="punish", settings={"seed": 2**64, "names": ["ü"]}, planned=2)
        for name in ("to come", "done")
    )
    imported = journal.new_experiment("logs", kind="import")
    for number in range(2):
        journal.add_game(full, punish(number), key=str(number))
    journal.add_game(imported, punish(), key="0")
    rows = {row.id: row for row in journal.experiments()}
    assert list(rows) == [empty, full, imported] == ["punish-1", "punish-2", "import-3"]
    assert [(row.state, row.games, row.planned) for row in rows.values()] == [
        *(("unfinished", 0, 2), ("finished", 2, 2), ("open", 1, None)),
    ]
    assert rows[empty].settings == {"seed": 2**64, "names": ["ü"]}
    assert (rows[full].answers, rows[full].events, rows[empty].answers) == (18, 16, 0)
    assert rows[imported].provenance == {
        Provenance.ANSWERED: 2,
        Provenance.REPAIRED: 3,
        Provenance.DEFAULTED: 1,
        Provenance.IMPORTED: 3,
    }


def test_games_are_listed_by_experiment(journal):
    first, second = (journal.new_experiment(name, kind="test") for name in ("one", "two"))
    journal.add_game(second, commons(), key="a")
    journal.add_game(first, punish(5), key="b")
    assert [row.id for row in journal.games()] == ["test-2.1", "test-1.1"]
    [row] = journal.games(first)
    assert (row.id, row.experiment, row.key, row.game) == ("test-1.1", first, "b", "contribute_punish")
    assert (row.players, row.rounds, row.state) == (("model/0", "model/1", "model/2"), 1, "finished")
    assert row.source == "game_5.jsonl"
    assert journal.games("two")[0].rounds == 4
    assert [kept[:2] for kept in journal.records(second)] == [("test-2.1", second)]


def test_ids_names_and_keys_are_understood(journal):
    experiment = journal.new_experiment("one", kind="test")
    journal.add_game(experiment, punish(), key="17412")
    assert journal.experiment_id("one") == journal.experiment_id("test-1") == experiment
    assert journal.game_id("17412") == journal.game_id("test-1.1") == "test-1.1"
    with pytest.raises(UnknownName, match=r"did you mean test-1\?"):
        journal.games("test1")
    with pytest.raises(UnknownName, match=r"did you mean test-1\.1"):
        journal.record("test-1.7")
    second = journal.new_experiment("one", kind="test")
    journal.add_game(second, punish(), key="17412")
    with pytest.raises(InputError, match="test-1, test-2"):
        journal.experiment_id("one")
    with pytest.raises(InputError, match=r"test-1\.1, test-2\.1"):
        journal.game_id("17412")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"rules": {"alpha": float("nan")}}, InputError),
        ({"events": [{"event": "x"}]}, RecordError),
        ({"events": [{"event": "x", "version": 1, "value": float("inf")}]}, InputError),
        ({"game": "a\x00b"}, InputError),
        ({"source": "\udcff.jsonl"}, InputError),
    ],
)
def test_what_cannot_be_kept_leaves_no_trace(journal, change, error):
    experiment = journal.new_experiment("one", kind="test")
    before = journal.revision()
    with pytest.raises(error, match=r"cannot be stored") as caught:
        journal.add_game(experiment, punish().model_copy(update=change), key="k")
    assert "\n" not in str(caught.value)
    assert (journal.games(), journal.revision()) == ([], before)


@pytest.mark.parametrize(("name", "kind"), [("", "test"), (" ", "test"), ("a\x00", "test"), ("a", "T"), ("a", "")])
def test_an_experiment_needs_a_name_and_a_kind(journal, name, kind):
    with pytest.raises(InputError):
        journal.new_experiment(name, kind=kind)
    assert journal.experiments() == []


@pytest.mark.parametrize(
    "name", ["", "\n", "two\nlines", "a\tb", "\x1b[31mred", "a\x7f", "a\x85b", "a\u2028b", "\ud83d"]
)
def test_a_name_is_one_line_of_text(journal, name):
    before = journal.revision()
    with pytest.raises(InputError) as told:
        journal.new_experiment(name, kind="test")
    assert str(told.value).isprintable()
    assert (journal.experiments(), journal.revision()) == ([], before)


@pytest.mark.parametrize("name", ["two words", "naïve", "漢字", "🂡 – 50 %", "[b]", "👩\u200d🔬"])
def test_a_name_in_any_language_will_do(journal, name):
    assert journal.new_experiment(name, kind="test") == journal.experiment_id(name)


def test_a_name_is_not_the_id_of_another_experiment(journal):
    journal.new_experiment("one", kind="test")
    before = journal.revision()
    with pytest.raises(
        InputError, match="'test-1' is not a valid name of an experiment: it is the id of another experiment"
    ):
        journal.new_experiment("test-1", kind="other")
    assert journal.revision() == before
    assert journal.new_experiment("one", kind="test") == "test-2"


def test_an_id_does_not_take_the_name_of_another_experiment(journal):
    first = journal.new_experiment("test-2", kind="test")
    second = journal.new_experiment("precious", kind="test")
    assert (first, second) == ("test-1", "test-3")
    assert journal.experiment_id("test-2") == first


def test_what_is_not_there_leads_to_the_list_of_what_is(journal):
    with pytest.raises(
        UnknownName, match=r"no experiment called 'x'; 'ostrom list experiments' shows every experiment$"
    ):
        journal.games("x")
    with pytest.raises(UnknownName, match=r"called 'x'; 'ostrom list journal' shows every game$"):
        journal.record("x")


def test_a_game_needs_its_experiment(journal):
    with pytest.raises(InputError, match="no experiment 'test-9'"):
        journal.add_game("test-9", punish(), key="k")
