"""`ostrom show` and `ostrom animate`, as a user calls them."""

import json
import re
import subprocess
import sys
import unicodedata

import imageio_ffmpeg
import pytest
from commandline import ostrom

from charts.film.filmed import HOSTILE, commons, two_rounds
from ostrom.journal.record import write_record
from ostrom.journal.sql import Journal

STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")


def steering(text):
    """What in a text could steer a terminal."""
    return {sign for sign in text if unicodedata.category(sign) in STEERING} - {"\n", "\u200c", "\u200d"}


@pytest.fixture(scope="module")
def punish(tmp_path_factory):
    path = tmp_path_factory.mktemp("punish") / "game.json"
    write_record(path, two_rounds())
    return path


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A journal with two games, and their ids."""
    url = f"sqlite:///{tmp_path_factory.mktemp('journal') / 'ostrom.db'}"
    with Journal.open(url, create=True) as opened:
        experiment = opened.new_experiment("films", kind="punish")
        opened.add_game(experiment, two_rounds(), key="first")
        opened.add_game(experiment, commons(2), key="second")
        return url, [row.id for row in opened.games()]


def complaint(*arguments, **environment):
    """The one line that says what is wrong."""
    result = ostrom(*arguments, **environment)
    assert (result.returncode, result.stdout) == (2, ""), result
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_show_tells_a_game_of_contribute_and_punish(punish):
    result = ostrom("show", punish)
    assert (result.returncode, result.stderr) == (0, "")
    assert "I give all." in result.stdout
    assert "takes 9 from Cid" in result.stdout
    assert "Bob wins with 32" in result.stdout


def test_show_names_the_player_of_each_seat_and_has_a_json_document(punish):
    text = ostrom("show", punish).stdout
    assert "Seats: P1 Ann, P2 Bob, P3 Cid" in text
    document = json.loads(ostrom("show", punish, "--json").stdout)
    assert next((row["label"], row["name"]) for row in document["standings"]) == ("P2", "Bob")
    assert document["events"]


def test_show_tells_a_game_of_the_commons(tmp_path):
    write_record(tmp_path / "game.json", commons())
    result = ostrom("show", tmp_path / "game.json")
    assert (result.returncode, result.stderr) == (0, "")
    assert "turn 6: pot" in result.stdout
    assert "seed 4" in result.stdout
    assert "end after turn 6" in result.stdout


@pytest.mark.slow
def test_show_and_animate_find_a_game_of_the_journal(journal, tmp_path):
    url, (first, second) = journal
    assert "Bob wins" in ostrom("show", first, "--store", url).stdout
    assert "end after turn 2" in ostrom("show", second, OSTROM_STORE=url).stdout
    result = ostrom("animate", second, "--store", url, "-o", tmp_path / "game.mp4", "--speed", "30")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "game.mp4").is_file()


def test_the_beginning_of_an_id_is_enough_where_it_is_unique(journal):
    url, (first, second) = journal
    apart = next(length for length in range(1, len(first) + 1) if not second.startswith(first[:length]))
    assert "Bob wins" in ostrom("show", first[:apart], "--store", url).stdout
    if apart > 1:
        assert "2 games begin with" in complaint("show", first[: apart - 1], "--store", url)


def test_a_game_that_is_not_there_is_told(journal, tmp_path):
    url, _ = journal
    assert "there is no game" in complaint("show", "zzzz", "--store", url)
    assert "there is no game" in complaint("show", "", "--store", url)
    assert "there is no file" in complaint("show", tmp_path / "nothing.json")
    assert complaint("show", "x" * 5000, "--store", url)
    assert complaint("show", "zzzz", "--store", f"sqlite:///{tmp_path / 'none.db'}")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_record_is_told(tmp_path):
    (tmp_path / "game.json").write_text("{}")
    assert "not a game's record" in complaint("show", tmp_path / "game.json")
    assert "not a game's record" in complaint("animate", tmp_path / "game.json", "-o", tmp_path / "game.mp4")


@pytest.mark.slow
def test_hostile_words_and_names_reach_the_terminal_as_text(tmp_path):
    whole = " ".join(text for name, text in HOSTILE.items() if name not in ("surrogate", "one word"))
    write_record(tmp_path / "game.json", two_rounds(whole, (HOSTILE["escapes"], HOSTILE["markup"], "C\u202e\x1b[5m")))
    result = ostrom("show", tmp_path / "game.json", FORCE_COLOR="1", TERM="xterm-256color")
    assert result.returncode == 0
    # Rich's own sequences for the final table, in bold; names and words have none.
    assert steering(re.sub(r"\x1b\[[0-2]m", "", result.stdout)) == set()
    assert "\\x1b[31mred" in result.stdout
    assert "\\u202e" in result.stdout
    assert "[bold red]not bold[/] :smile:" in result.stdout


@pytest.mark.slow
def test_a_terminal_of_another_encoding_shows_what_it_can(tmp_path):
    write_record(tmp_path / "game.json", two_rounds("合作 ok"))
    result = ostrom("show", tmp_path / "game.json", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert result.returncode == 0
    assert "\\u5408\\u4f5c ok" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["mp4", "gif"])
def test_animate_writes_a_film(punish, tmp_path, ending):
    path = tmp_path / f"game.{ending}"
    result = ostrom("animate", punish, "--output", path, "--speed", "15", "--vertical")
    assert (result.returncode, result.stderr) == (0, "")
    assert str(path) in result.stdout.replace("\n", "")
    assert imageio_ffmpeg.count_frames_and_secs(str(path))[0] > 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "game.avi"), ".mp4 or .gif"),
        (("-o", "/dev/null/all/game.mp4"), "cannot be written"),
        (
            ("-o", "game.mp4", "--rounds", "eight"),
            "--rounds must be a round or a range, such as 8 or 8-10, got 'eight'",
        ),
        (("-o", "game.mp4", "--rounds", "8-10"), "the game has no rounds 8-10; its last is 2"),
        (("-o", "game.mp4", "--speed", "0"), "speed"),
        (("-o", "game.mp4", "--words-per-minute", "1"), "words per minute"),
        (("-o", "game.mp4", "--font", "no-such-font.ttf"), "font"),
        ((), "--output"),
    ],
)
def test_animate_says_what_cannot_be(punish, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert said in complaint("animate", punish, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_help_names_both_and_reads_no_picture_library():
    text = ostrom("--help").stdout
    assert "animate" in text
    assert "show" in text
    heavy = "{'PIL', 'imageio_ffmpeg', 'ostrom.charts'} & set(sys.modules)"
    code = f"import sys, ostrom.cli.main; print({heavy})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "set()\n"
