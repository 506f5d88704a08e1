"""Readers' notes: left at moments of games, changed and taken away, exported with the game and imported again."""

import json

import pytest
from typer.testing import CliRunner

from kept import HOSTILE, commons, opened, punish
from ostrom.cli.main import app
from ostrom.core import InputError, UnknownName
from ostrom.journal import read_record
from ostrom.journal.record import LONGEST_NOTE, MOST_NOTES, RecordedNote


@pytest.fixture
def journal(store):
    """A journal with a game of each kind."""
    with opened(store) as journal:
        one = journal.new_experiment("one", kind="commons")
        journal.add_game(one, commons(turns=2), key="c")
        journal.add_game(one, punish(), key="p")
        yield journal


def command(*words, status=0):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == status, done.output
    return done.stdout


def test_a_note_is_left_changed_and_taken_away(journal):
    before = journal.revision()
    journal.notes.add("c", 2, f"  {HOSTILE}  ")
    (mark, note) = journal.notes.add("c", 0, "")
    assert (mark.moment, mark.text, note.moment, note.text) == (0, "", 2, HOSTILE.strip())
    assert journal.revision() == before + 2
    assert [one.text for one in journal.notes.edit("c", note.serial, "again")] == ["", "again"]
    assert [one.moment for one in journal.notes.delete("c", mark.serial)] == [2]
    assert [(one.game, one.text) for one in journal.notes.all("one")] == [("commons-1.1", "again")]
    assert not any(journal.check())


def test_a_note_belongs_to_its_game_and_to_a_moment_of_it(journal):
    (note,) = journal.notes.add("c", 1, "here")
    for change in (lambda: journal.notes.edit("p", note.serial, "x"), lambda: journal.notes.delete("p", note.serial)):
        with pytest.raises(UnknownName, match="no note"):
            change()
    happened = len(commons(turns=2).events)
    journal.notes.add("c", happened, "the end")
    with pytest.raises(InputError, match=f"has {happened} events"):
        journal.notes.add("c", happened + 1, "")
    with pytest.raises(InputError, match="characters at most"):
        journal.notes.add("c", 0, "x" * (LONGEST_NOTE + 1))


def test_a_game_has_so_many_notes_at_most(journal):
    journal.notes.merge("c", [RecordedNote(moment=0, at="", text=str(number)) for number in range(MOST_NOTES)])
    with pytest.raises(InputError, match="at most"):
        journal.notes.add("c", 0, "one more")


def test_notes_go_with_their_experiment(journal):
    journal.notes.add("c", 1, "here")
    journal.delete("one")
    assert journal.notes.all() == []


def test_notes_travel_with_a_record_and_come_in_again(journal, store, tmp_path):
    journal.notes.add("c", 2, HOSTILE)
    journal.notes.add("c", 1, "")
    assert "notes" not in journal.record("p").model_dump()
    both, single = tmp_path / "games.jsonl", tmp_path / "game.json"
    command("export", "one", "-o", str(both), "--store", store)
    command("export", "c", "-o", str(single), "--store", store)
    assert [(note.moment, note.text) for note in read_record(single).notes] == [(1, ""), (2, HOSTILE.strip())]
    other = f"sqlite:///{tmp_path / 'other.db'}"
    # The second game was never played by our rules, and is refused as such.
    done = json.loads(command("import", "records", str(single), "--store", other, "--json"))
    assert (done["games"], done["replayed_exactly"], done["new"]) == (1, 1, 1)
    rows = json.loads(command("list", "notes", "--store", other, "--json"))["notes"]
    assert [(row["moment"], row["text"]) for row in rows] == [(1, ""), (2, HOSTILE.strip())]
    journal.notes.add("c", 3, "later")
    command("export", "c", "-o", str(single), "--store", store)
    assert json.loads(command("import", "records", str(single), "--store", other, "--json"))["new"] == 0
    assert "later" in command("list", "notes", "--experiment", "records", "--store", other)
    assert len(json.loads(command("list", "notes", "--store", other, "--json"))["notes"]) == 3


def test_what_is_no_file_of_records_is_said_in_one_line(tmp_path, store):
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"format": "ostrom-game"}\nnothing\n', encoding="utf-8")
    said = command("import", "records", str(broken), str(tmp_path / "none.json"), "--store", store, status=1)
    assert "broken.jsonl, line 1" in said
    assert "broken.jsonl, line 2: not a record" in said.replace("\n", "")
    assert "none.json cannot be read" in said.replace("\n", "")
