"""A record as a file: written whole or not at all, and refused with one line where it is not a whole record."""

import contextlib
import json
import math
import os
import stat

import pytest

import ostrom
from ostrom.core import InputError, RecordError
from ostrom.games.commons import CommonsRules
from ostrom.journal import GameRecord, check_writable, read_record, write_record
from ostrom.journal.record import record_text, with_tellings
from ostrom.version import VERSION


@pytest.fixture(scope="module")
def record():
    players = ["Justicier:2", "Parasite", "RandomPlayer", "AlwaysBetray"]
    return ostrom.record_of(ostrom.play(players, rules=CommonsRules(duration=6), seed=2**63 + 5, number=17))


@pytest.fixture
def written(tmp_path, record):
    path = tmp_path / "game.json"
    write_record(path, record)
    return path


def refusal(path, content):
    """Why a file with this content is no record: one line."""
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(RecordError) as caught:
        read_record(path)
    text = str(caught.value)
    assert str(path) in text
    assert "\n" not in text
    return text


def test_what_is_written_is_read_back(written, record):
    assert read_record(written) == with_tellings(record)
    assert ostrom.replay(read_record(written)).events == ostrom.replay(record).events


def test_a_record_with_the_series_of_an_earlier_ostrom_is_read(written, record):
    content = json.loads(written.read_text(encoding="utf-8"))
    written.write_text(json.dumps({**content, "series": {"capital": [[1.0, 2.0]]}}), encoding="utf-8")
    assert read_record(written) == with_tellings(record)


def test_writing_again_gives_the_same_bytes(tmp_path, written):
    again = tmp_path / "again.json"
    write_record(again, read_record(written))
    assert again.read_bytes() == written.read_bytes()


def test_the_record_holds_settings_seats_answers_events_and_arrays(written):
    data = json.loads(written.read_text(encoding="utf-8"))
    promised = {
        "format",
        "version",
        "ostrom",
        "game",
        "seed",
        "number",
        "rules",
        "seats",
        "answers",
        "events",
        "package",
        "game_version",
        "title",
        "scene",
        "opening",
        "told",
        "finals",
    }
    assert promised <= set(data)
    assert (data["format"], data["version"], data["ostrom"]) == ("ostrom-game", 2, VERSION)
    assert (data["package"], data["game_version"], data["title"]) == ("ostrom", "2", "The Commons")
    assert len(data["told"]) == len(data["events"])
    assert data["finals"] == data["events"][-1]["capitals"]
    assert (data["game"], data["seed"], data["number"]) == ("commons", 2**63 + 5, 17)
    assert data["rules"] == CommonsRules(duration=6).model_dump(mode="json")
    assert data["seats"][2] == {"seat": 2, "label": "P3", "player": "Parasite"}
    assert set(data["answers"][0]) == {"turn", "phase", "seat", "value", "provenance"}
    assert {"event", "version", "turn"} <= set(data["events"][0])


def test_the_file_has_the_permissions_of_any_new_file(tmp_path, written):
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(written.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.parametrize("broken", ["os.replace", "os.chmod", "pathlib.Path.write_text"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(written, record, monkeypatch, broken):
    before = written.read_bytes()

    def fail(*_arguments, **_settings):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(broken, fail)
        with pytest.raises(InputError, match="cannot be written: No space left on device"):
            write_record(written, record.model_copy(update={"number": 18}))
    assert written.read_bytes() == before
    assert list(written.parent.iterdir()) == [written]


def test_a_number_that_json_does_not_know_is_not_written(written, record):
    before = written.read_bytes()
    with pytest.raises((ValueError, InputError)):
        write_record(written, record.model_copy(update={"rules": {"alpha": math.nan}}))
    assert written.read_bytes() == before
    assert list(written.parent.iterdir()) == [written]


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path, written, record):
    link = tmp_path / "latest.json"
    link.symlink_to(written)
    write_record(link, record.model_copy(update={"number": 18}))
    assert link.is_symlink()
    assert read_record(written).number == 18


def test_what_is_no_plain_file_is_never_replaced(tmp_path, record):
    # A device such as the one that swallows everything would be lost to the whole machine.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with contextlib.suppress(InputError):
            write_record(pipe, record)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(reader)


@pytest.mark.parametrize("place", ["missing/game.json", "plain/game.json", ".", "x" * 300])
def test_a_path_that_cannot_be_written_is_refused_in_one_line(tmp_path, record, place):
    (tmp_path / "plain").touch()
    path = tmp_path / place
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_record(path, record)
    assert "\n" not in str(caught.value)
    assert [found.name for found in tmp_path.iterdir()] == ["plain"]


@pytest.mark.parametrize("place", ["plain/game.json", "."])
def test_a_path_that_cannot_be_written_is_known_before_the_game(tmp_path, place):
    (tmp_path / "plain").touch()
    with pytest.raises(InputError, match="cannot be written"):
        check_writable(tmp_path / place)
    check_writable(tmp_path / "new.json")
    check_writable(tmp_path / "missing" / "game.json")
    check_writable(tmp_path / "plain")


@pytest.mark.parametrize("share", [0.001, 0.01, 0.2, 0.5, 0.9, 0.99, 0.9999])
def test_a_record_that_is_cut_off_is_refused(written, share):
    whole = written.read_bytes().rstrip()
    refusal(written, whole[: max(1, int(share * len(whole)))])


def test_a_record_without_its_last_sign_is_cut_off(written):
    assert "cut off" in refusal(written, written.read_bytes().rstrip()[:-1])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"   \n",
        b"hello",
        b"\x89PNG\r\n\x1a\n\x00\xff\xfe",
        b"\x00" * 50,
        b"[1, 2]",
        b"null",
        b"3",
        b"{}",
        b'{"a": 1}',
    ],
)
def test_what_is_no_record_is_refused(tmp_path, content):
    refusal(tmp_path / "other", content)


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"format": "ostrom-game", "seed": ' + b"1" * 5000 + b"}"])
def test_json_beyond_what_can_be_read_is_refused(tmp_path, content):
    refusal(tmp_path / "deep", content)


@pytest.mark.parametrize("version", [0, 3, 9, "1", None, 1.5])
def test_another_version_is_refused_and_named(written, version):
    data = json.loads(written.read_text(encoding="utf-8"))
    assert f"version {version!r}" in refusal(written, data | {"version": version})


@pytest.mark.parametrize("name", ["seed", "rules", "seats", "answers", "events", "game", "format", "version"])
def test_a_record_without_a_part_is_refused(written, name):
    data = json.loads(written.read_text(encoding="utf-8"))
    del data[name]
    refusal(written, data)


@pytest.mark.parametrize(
    "change", [{"format": "other-game"}, {"more": 1}, {"seed": "many"}, {"seats": [{"seat": 0}]}, {"answers": 3}]
)
def test_a_record_of_another_shape_is_refused(written, change):
    refusal(written, json.loads(written.read_text(encoding="utf-8")) | change)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read_record(tmp_path / "none.json")
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        read_record(tmp_path)


def test_a_record_is_frozen(record):
    assert isinstance(record, GameRecord)
    with pytest.raises(ValueError, match="frozen"):
        record.seed = 3


def test_a_record_without_tellings_is_read_and_written_with_them(tmp_path, record):
    file = tmp_path / "first.json"
    file.write_text(record_text(record), encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8"))["scene"] is None
    assert read_record(file) == record
    write_record(tmp_path / "second.json", read_record(file))
    assert read_record(tmp_path / "second.json") == with_tellings(record)


def test_a_record_of_a_game_that_is_not_installed_keeps_what_it_tells(tmp_path, record):
    foreign = with_tellings(record).model_copy(update={"game": "nim", "package": "ostrom-nim"})
    write_record(tmp_path / "nim.json", foreign)
    back = read_record(tmp_path / "nim.json")
    assert (back.scene, back.told) == (foreign.scene, foreign.told)
    with pytest.raises(RecordError, match="'nim', which is not installed; install the package ostrom-nim"):
        ostrom.replay(back)


def test_a_record_of_a_game_that_is_not_installed_gets_no_scene(record):
    foreign = with_tellings(record.model_copy(update={"game": "nim"}))
    assert (foreign.version, foreign.scene, foreign.told, foreign.events) == (2, None, [], record.events)


def test_tellings_and_events_are_as_many(written):
    data = json.loads(written.read_text(encoding="utf-8"))
    assert "one telling for each event" in refusal(written, data | {"told": data["told"][1:]})
