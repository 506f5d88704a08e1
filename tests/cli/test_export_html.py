"""`ostrom export GAME -o game.html`: the viewer with a game inside, made without a server's packages."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import answer, document

import kept
import ostrom
from kept import opened, punish
from ostrom.charts.palette import with_names_and_colours
from ostrom.journal import read_record, write_record
from ostrom.journal.record import record_text, with_tellings
from ostrom.web.pages import built_file, page_of

VIEWER = """<!doctype html><title>A viewer</title>
<script id="game" type="application/json">null</script>
<script type="module">console.log("no game ends here: &amp;")</script>
"""
HOSTILE = '</script><script>alert(1)</script><!--&lt;\u2028"\\u003c'
_ELEMENT = r"<{0}\b([^>]*)>(.*?)</{0}>"


@pytest.fixture
def viewer(tmp_path, monkeypatch):
    """A built viewer, as small as can be."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "viewer.html").write_text(VIEWER, encoding="utf-8")
    monkeypatch.setenv("OSTROM_PAGES", str(folder))
    return folder


@pytest.fixture
def filled(store):
    with opened(store) as journal:
        experiment = journal.new_experiment("two games", kind="punish", planned=2)
        for number in range(2):
            journal.add_game(experiment, punish(number), key=f"p{number}")
    return store


def game_in(page):
    """The record that a page holds, as a browser reads it: an element ends at the first end tag."""
    return json.loads(re.search(r'<script id="game" type="application/json">(.*?)</script>', page, re.DOTALL).group(1))


@pytest.mark.parametrize("name", ["punish-1.2", "p1"])
def test_a_page_holds_the_game_of_the_journal(viewer, filled, tmp_path, name):
    page, record = tmp_path / "game.html", tmp_path / "game.json"
    assert document("export", name, "--store", filled, "-o", page) == {
        "export": [{"file": str(page), "format": "html", "games": 1}]
    }
    answer("export", name, "--store", filled, "-o", record)
    assert game_in(page.read_text(encoding="utf-8")) == json.loads(record.read_text(encoding="utf-8"))


def test_a_page_of_a_records_file_needs_no_journal(viewer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_record("game.json", punish(3))
    answer("export", "game.json", "-o", "game.html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert game_in(page) == json.loads(record_text(with_names_and_colours(read_record("game.json"))))
    assert not (tmp_path / "ostrom.db").exists()


def test_without_a_game_the_page_is_the_viewer_itself(viewer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "drop a record on it" in answer("export", "-o", "viewer.html")
    assert (tmp_path / "viewer.html").read_text(encoding="utf-8") == VIEWER
    assert not (tmp_path / "ostrom.db").exists()


def test_no_text_in_a_record_leaves_its_place_in_the_page(viewer):
    record = punish(0, kept.HOSTILE)
    events = [{**record.events[0], "text": HOSTILE}, *record.events[1:]]
    seats = [seat.model_copy(update={"player": HOSTILE}) for seat in record.seats]
    record = record.model_copy(update={"events": events, "seats": seats, "source": HOSTILE})
    page = page_of(record)
    assert page.count("<") == VIEWER.count("<")
    assert page.count(">") == VIEWER.count(">")
    assert game_in(page) == json.loads(
        json.dumps(with_tellings(with_names_and_colours(record)).model_dump(mode="json"))
    )
    assert page.split('type="module"')[1] == VIEWER.split('type="module"')[1]


def test_the_policy_of_the_built_viewer_allows_its_script_and_style_by_hash_and_nothing_else():
    page = page_of(ostrom.record_of(ostrom.play(game="punish", seed=1)))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    allowed = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert allowed.pop("script-src") == hash_of(page, "script")
    assert allowed.pop("style-src") == hash_of(page, "style")
    assert allowed == {
        **{"default-src": "'none'", "img-src": "data:"},
        **{"base-uri": "'none'", "form-action": "'none'"},
    }
    head = built_file("viewer.html").read_text(encoding="utf-8").partition("<title>")[0]
    assert head.count("Content-Security-Policy") == 1, "the policy stands before everything that it is for"
    assert not re.search(r'<[^>]+\s(src|href)="(?!data:)', page), "a page from disk fetches nothing"


def hash_of(page, element):
    [(_, text)] = [
        (attributes, text)
        for attributes, text in re.findall(_ELEMENT.format(element), page, re.DOTALL)
        if "application/json" not in attributes
    ]
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_viewer_stays_small():
    assert built_file("viewer.html").stat().st_size < 700_000


@pytest.mark.slow
def test_a_page_is_made_without_the_packages_of_a_server(viewer, tmp_path):
    write_record(tmp_path / "game.json", punish(0))
    program = (
        "import sys\n"
        "for name in ('fastapi', 'starlette', 'uvicorn'): sys.modules[name] = None\n"
        "from ostrom.cli.main import main\n"
        "sys.argv = ['ostrom', 'export', 'game.json', '-o', 'game.html']\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "game.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("punish-1", "-o", "game.html"), "a page can hold only one of the 2 games; name one, such as punish-1.1"),
        (("missing.json", "-o", "game.html"), "missing.json cannot be read: No such file or directory"),
        (("punish-1.1", "-o", "/dev/null/game.html"), "cannot be written"),
        (("punish-1.1", "-o", "game.htm"), "unknown format .htm; use .json, .html, .jsonl or a folder"),
    ],
)
def test_what_is_no_page(viewer, filled, tmp_path, monkeypatch, complaint, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert said in complaint("export", *arguments, "--store", filled)
    assert not list(tmp_path.glob("*.htm*"))


def test_what_is_no_record_makes_no_page(viewer, tmp_path, monkeypatch, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.json").write_text('{"format": "notes"}', encoding="utf-8")
    assert "notes.json is not a game's record" in complaint("export", "notes.json", "-o", "game.html")


def test_where_the_viewer_is_not_built_one_line_says_how_to_build_it(viewer, filled, tmp_path, complaint):
    (viewer / "viewer.html").unlink()
    said = complaint("export", "punish-1.1", "-o", tmp_path / "game.html", "--store", filled)
    assert "the pages are not built; in a checkout, run: make pages" in said
    (viewer / "viewer.html").write_text("<title>A viewer of long ago</title>", encoding="utf-8")
    said = complaint("export", "punish-1.1", "-o", tmp_path / "game.html", "--store", filled)
    assert "the built viewer belongs to another version" in said
    assert not (tmp_path / "game.html").exists()


def test_a_page_that_was_exported_is_read_back_as_the_record_that_it_holds(viewer, tmp_path):
    file = tmp_path / "again.json"
    file.write_text(json.dumps(game_in(page_of(punish(5)))), encoding="utf-8")
    assert read_record(file) == with_names_and_colours(with_tellings(punish(5)))


def test_a_file_without_tellings_is_converted_for_the_viewer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bare.json").write_text(record_text(punish(5)), encoding="utf-8")
    answer("export", "bare.json", "-o", "game.json")
    assert read_record("game.json") == with_names_and_colours(with_tellings(punish(5)))
