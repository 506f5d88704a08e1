"""Importing the output of `ostrom export` stores each game once, however often it is exported and imported."""

import json
from pathlib import Path

import pytest

import ostrom
from ostrom.core.text import digest_of
from ostrom.experiment.store import keep
from ostrom.importers import experiment_of, match_of
from ostrom.importers.records import EXPERIMENT, import_records
from ostrom.journal.record import GameRecord, RecordedNote
from ostrom.journal.sql import Journal

_GAMES = 3


@pytest.fixture
def journal(tmp_path: Path):
    with Journal.open(f"sqlite:///{tmp_path}/b.db", create=True) as opened:
        yield opened


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """The games of a journal, as it exports them."""
    store = tmp_path / "a.db"
    ostrom.bench(game="punish", games=_GAMES, rules={"rounds": 2}, seed=1, store=store, progress=False)
    with Journal.open(f"sqlite:///{store}") as one:
        return written(one, tmp_path / "games.jsonl")


def written(journal: Journal, path: Path) -> Path:
    """What `ostrom export` writes of all games of a journal."""
    lines = [journal.record(row.id).model_dump_json() for row in journal.games()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_journals_own_export_brings_nothing_new_but_notes(journal: Journal, exported: Path, tmp_path: Path) -> None:
    assert import_records([exported], journal).new == _GAMES
    (first, *_) = journal.games()
    assert first.source == "games.jsonl"
    journal.notes.add(first.id, 1, "here")
    again = written(journal, tmp_path / "again.jsonl")
    assert import_records([again, exported], journal).new == 0
    assert len(journal.games()) == _GAMES
    assert [note.text for note in journal.notes.all()] == ["here"]


def test_games_that_an_older_version_imported_are_known_again(journal: Journal, exported: Path, tmp_path: Path) -> None:
    experiment = experiment_of(journal, EXPERIMENT, {})
    for line in exported.read_text(encoding="utf-8").splitlines():
        match, record = match_of(exported, json.loads(line))
        keep(journal, experiment, match, _older_key(record), source=exported.name)
    assert import_records([exported, written(journal, tmp_path / "again.jsonl")], journal).new == 0
    assert len(journal.games()) == _GAMES


def _older_key(record: GameRecord) -> str:
    fields = {"game", "seed", "number", "source", "orders", "rules", "answers"}
    identity = {**record.model_dump(mode="json", include=fields), "seats": [seat.player for seat in record.seats]}
    return digest_of(json.dumps(identity, sort_keys=True))


def test_games_of_other_seeds_are_other_games(journal: Journal, exported: Path, tmp_path: Path) -> None:
    store = tmp_path / "c.db"
    ostrom.bench(game="punish", games=_GAMES, rules={"rounds": 2}, seed=2, store=store, progress=False)
    with Journal.open(f"sqlite:///{store}") as other:
        more = written(other, tmp_path / "more.jsonl")
    assert import_records([exported, more], journal).new == 2 * _GAMES


def test_a_note_that_stands_twice_in_a_record_is_taken_over_once(journal: Journal, exported: Path) -> None:
    import_records([exported], journal)
    (first, *_) = journal.games()
    note = RecordedNote(moment=1, at="", text="twice")
    assert journal.notes.merge(first.id, [note, note]) == 1
    assert [one.text for one in journal.notes.of(first.id)] == ["twice"]
