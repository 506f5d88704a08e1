"""What keeps a journal from being read is found and mended, with a copy kept; what is sound stays as it is."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from journal_ledgers import question
from sqlalchemy import create_engine
from stored_journals import make

from kept import opened, punish
from ostrom.core import InputError
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import experiment_of
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct
from ostrom.journal.engine import locate
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.spending import SentCalls
from ostrom.journal.sql import Journal


@pytest.fixture
def old(store):
    """A journal with games of players and models, brought to the present schema."""
    make("schema_8_models", store)
    with opened(store):
        pass
    return store


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    file = tmp_path_factory.mktemp("template") / "journal.db"
    make("schema_8_models", f"sqlite:///{file}")
    with opened(f"sqlite:///{file}"):
        pass
    return file


@pytest.fixture
def file(template, tmp_path):
    """The same in a file, quickly."""
    shutil.copy(template, tmp_path / "journal.db")
    return f"sqlite:///{tmp_path / 'journal.db'}"


def change(url, *statements):
    engine = create_engine(locate(url).url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def everything(journal):
    """All that commands and pages read."""
    rows = journal.experiments()
    found = [journal.spending(row.id) for row in rows], journal.spending_by_game(), list(journal.records())
    for game in journal.games():
        journal.record(game.id), journal.calls(game.id)
    return rows, found


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch, tmp_path):
    """Where `repair` keeps rows of a server's database."""
    monkeypatch.chdir(tmp_path)


def test_a_sound_journal_is_left_alone(old):
    with opened(old) as journal:
        before = journal.revision()
        assert journal.check() == ((), []) or journal.check() == ([], [])
        assert journal.repair() == ((), None, ())
        assert journal.revision() == before


def test_a_game_without_a_scene_in_a_journal_without_texts_is_sound(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        journal.add_game(journal.new_experiment("one", kind="test"), punish(), key="k")
        change(f"sqlite:///{tmp_path / 'journal.db'}", "UPDATE games SET scene = NULL", "DELETE FROM texts")
        assert list(journal.check()[1]) == []


ANYWHERE = {
    "tokens of 2**63-1": "UPDATE calls SET input_tokens = 9223372036854775807 WHERE place = 0",
    "negative tokens": "UPDATE calls SET output_tokens = -5 WHERE place = 0",
    "a cost beyond all": "UPDATE calls SET cost = 1e200 WHERE place = 0",
    "a negative cost": "UPDATE calls SET cost = -1 WHERE place = 0",
    "half an event": "UPDATE events SET payload = '{\"a\": [1' WHERE number = 2",
    "an event that is a list": "UPDATE events SET payload = '[]' WHERE number = 1",
    "an unknown provenance": "UPDATE answers SET provenance = 'dreamt' WHERE number = 3",
    "an unknown fault": "UPDATE calls SET fault = 'boredom' WHERE place = 0",
    "half a value": "UPDATE answers SET value = '[1' WHERE number = 3",
    "finals that are words": "UPDATE games SET finals = '[\"a\"]' WHERE finals IS NOT NULL",
    "finals of other seats": "UPDATE games SET finals = '[1]' WHERE finals IS NOT NULL",
    "tallies of something else": "UPDATE games SET tallies = '[1, 2]' WHERE tallies IS NOT NULL",
    "tallies that are none": "UPDATE games SET tallies = 'x' WHERE tallies IS NOT NULL",
    "seats that are none": "UPDATE games SET seats = '7'",
    "seats without players": "UPDATE games SET seats = '[{}]'",
    "an unknown state": "UPDATE games SET state = 'asleep'",
    "settings that are none": "UPDATE experiments SET settings = '5'",
    "a run's settings": "UPDATE runs SET settings = 'x'",
    "a text that is none": "UPDATE texts SET text = 'x'",
    "texts that are gone": "DELETE FROM texts",
    "a prompt that is none": "UPDATE calls SET prompt = '{}'",
    "extra that is none": "UPDATE calls SET extra = '['",
    "a reply that is none": "UPDATE calls SET reply = 'x'",
    "NaN in JSON": "UPDATE events SET payload = '{\"a\": NaN}' WHERE number = 1",
    "deep nesting": f"UPDATE calls SET extra = '{'[' * 100_000}' WHERE place = 0",
}


def check_mended(url):
    with opened(url) as journal:
        _, found = journal.check()
        assert found
        assert all("\n" not in str(one) for one in found)
        done = journal.repair()
        assert done.left == []
        assert done.copy is not None
        assert done.copy.exists()
        assert list(journal.check()[1]) == []
        everything(journal)


@pytest.mark.parametrize("what", ANYWHERE)
def test_what_is_damaged_is_found_and_mended_and_a_copy_kept(what, file):
    change(file, ANYWHERE[what])
    check_mended(file)


@pytest.mark.long
@pytest.mark.parametrize("what", ANYWHERE)
def test_the_same_in_either_database(what, old, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    change(old, ANYWHERE[what])
    check_mended(old)


def test_many_things_at_once_in_either_database(old, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    change(old, *(ANYWHERE[what] for what in ANYWHERE if "gone" not in what))
    check_mended(old)


LOOSE = {
    "words in place of tokens": "UPDATE calls SET input_tokens = 'many'",
    "a number with 31 digits": "UPDATE calls SET input_tokens = 1000000000000000000000000000000",
    "infinite cost": "UPDATE calls SET cost = 9e999",
    "bytes in place of text": "UPDATE calls SET model = x'00ff'",
    "text that is not UTF-8": "UPDATE answers SET value = CAST(x'22ff22' AS TEXT) WHERE number = 1",
    "a name that is not UTF-8": "UPDATE experiments SET name = CAST(x'ff' AS TEXT)",
    "words in place of a turn": "UPDATE answers SET turn = 'first' WHERE number = 2",
    "a revision that is none": "UPDATE meta SET revision = 'x'",
    "rows of no game": "UPDATE events SET game = 99 WHERE game = 1",
}


@pytest.mark.parametrize("what", LOOSE)
def test_what_only_sqlite_takes_is_mended_too(what, file, tmp_path):
    change(file, LOOSE[what])
    with opened(file) as journal:
        assert journal.check()[1]
        assert journal.repair().left == []
        everything(journal)
    with opened(f"sqlite:///{tmp_path / 'journal.damaged.db'}") as copy:
        assert copy.check()[1], "it is kept as it was"


def test_one_figure_no_longer_ruins_a_journal_and_what_is_spent_does_not_become_less(old):
    with opened(old) as journal:
        before = journal.spending("punish-3")
    change(old, "UPDATE calls SET input_tokens = 9223372036854775807, cost = 9e12 WHERE place = 0")
    with opened(old) as journal:
        journal.repair()
        after = journal.spending("punish-3")
        assert after.dollars >= before.dollars
        assert after.tokens >= before.tokens
        [mended] = [one for _, one in journal.calls("punish-3.1") if "repaired" in one.extra]
        assert "9223372036854775807" in json.dumps(mended.extra)
        assert (mended.usage, mended.cost) == (None, None)


@pytest.mark.slow
def test_events_are_made_again_from_the_decisions(old):
    with opened(old) as journal:
        before = journal.record("punish-1.1")
    change(old, "UPDATE events SET payload = '{' WHERE number = 2 AND game = 1")
    with opened(old) as journal:
        journal.repair()
        row: ExperimentRow = journal.experiments()[0]
        assert (row.state, row.playing) == ("unfinished", 1)
        planned = experiment_of(row.name, row.settings)
        asyncio.run(conduct(planned.fixtures(), journal, row.id, Conduct(Limits())))
        assert journal.record("punish-1.1") == before


def test_lost_calls_are_settled(old):
    async def lose(journal):
        async with journal.ledgers("punish-4") as ledgers:
            game = next(game for game in journal.games("punish-4") if game.state == "playing")
            head = journal.record(game.id).model_copy(update={"answers": [], "events": []})
            ledger = await ledgers.open(head, game.key)
            for _ in range(3):
                await ledger.keep_sent(90, question(90), 1, "now", "m", 0.5, 100)

    with opened(old) as journal:
        asyncio.run(lose(journal))
        assert journal.spending("punish-4").out == SentCalls(3, 1.5, 300, 3)
        assert journal.settle("punish-4", 0.2, 50) == (SentCalls(3, 1.5, 300, 3), SentCalls(3, 0.2, 50, 0))
        assert journal.settle("punish-4", 9.0)[1] == SentCalls(3, 0.2, 50, 0), "said once"


def test_a_file_that_cannot_be_written_is_not_mended(file, tmp_path):
    Path(tmp_path / "journal.db").chmod(0o400)
    with Journal.open(file) as journal:
        if not journal.only_read:
            pytest.skip("whoever runs this may write anything")
        with pytest.raises(InputError, match="cannot be written"):
            journal.repair()
