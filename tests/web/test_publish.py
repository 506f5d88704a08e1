"""A published site: names and contents of its files, excluded data, and accepted folders."""

import base64
import gzip
import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kept import commons, punish
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.core.command import without_places
from ostrom.journal.sql import Journal
from ostrom.web.publish import SiteRequest, write_site
from ostrom.web.site_pages import digest, file_of, holder, request_name, slug

SCRIPT = re.compile(r'ostrom\("([0-9a-f]{16})","([A-Za-z0-9+/=]+)"\);\n')
HOSTILE = '</script><img src=x onerror="alert(1)">'
SECRET = "sk-live-0123456789abcdef"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A journal of which one experiment is to be published, and one is not."""
    url = f"sqlite:///{tmp_path_factory.mktemp('publish') / 'secret-place.db'}"
    made = {"made": {"command": "ostrom bench --store sqlite:////home/ada/x.db --bots /home/ada/bots"}, "note": SECRET}
    with Journal.open(url, create=True) as journal:
        shown = journal.new_experiment("shown", kind="punish", settings=made)
        for number in range(3):
            journal.add_game(shown, punish(number, text=HOSTILE), key=str(number))
        other = punish(3)
        seats = [seat.model_copy(update={"player": f"stranger {seat.seat}"}) for seat in other.seats]
        rules = {**other.rules, "ratio": 2}
        journal.add_game(shown, other.model_copy(update={"seats": seats, "rules": rules}), key="other rules")
        journal.names.give("model/1", "The Second")
        hidden = journal.new_experiment("withheld", kind="commons")
        journal.add_game(hidden, commons(), key="unheard-of")
        journal.names.give("Parasite", "nobody here")
    return url


@pytest.fixture(scope="module")
def site(store: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with Journal.open(store) as journal:
        made = write_site(journal, SiteRequest(["shown"], "A <study>", url="https://example.org/study/"), folder)
    assert (made.experiments, made.games) == (1, 4)
    assert made.files == sum(path.is_file() for path in folder.rglob("*"))
    return folder


def answers(path: Path) -> dict[str, str]:
    """The data that a script of a site provides to its pages."""
    result = SCRIPT.fullmatch(path.read_text(encoding="ascii"))
    assert result is not None
    assert result[1] == path.stem
    read: dict[str, str] = json.loads(gzip.decompress(base64.b64decode(result[2])))
    return read


def test_files_are_called_as_the_pages_look_for_them() -> None:
    """frontend/src/site/names.test.ts has the same values."""
    assert digest("a") == "af63dc4c8601ec8c"
    assert digest("ü 漢 \ud83d") == "420d789fb36a43db"
    assert request_name("/scores/a/b", [("kind", "x y"), ("experiment", "2"), ("experiment", "1")]) == (
        "/scores/a/b\nexperiment=1\nexperiment=2\nkind=x y"
    )
    assert [holder(f"/games{tail}") for tail in ("/p.1/record", "/p.1/course", "")] == [
        "/games/p.1",
        "/courses",
        "/games",
    ]
    assert [slug(name) for name in ("gpt-4.5", "Tit for Tat", "../../x")] == [
        "gpt-4.5",
        "tit-for-tat-a3248006",
        "x-0e455557",
    ]


@pytest.mark.slow
def test_every_answer_is_packed_and_is_the_one_of_the_application(site: Path, store: str) -> None:
    read = {name: text for path in (site / "data").rglob("*.js") for name, text in answers(path).items()}
    game = "/games/punish-1.1"
    assert json.loads(read[game])["id"] == "punish-1.1"
    assert answers(site / file_of(game)).keys() == {game, f"{game}/record", f"{game}/citation"}
    assert HOSTILE in [one["text"] for one in json.loads(read["/messages"])["messages"]]
    printed = CliRunner().invoke(app, ["ratings", "punish", "--store", store, "--json"])
    board = json.loads(read["/ratings\nkind=punish"])
    assert [(row["player"], row["mu"]) for row in board["rows"]] == [
        (row["name"], row["mu"]) for row in json.loads(printed.stdout)["ratings"]
    ]
    assert json.loads(read["/lab"])["starts"] is False


@pytest.mark.slow
def test_nothing_leaves_but_the_experiment_that_is_published(site: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in site.rglob("*") if path.suffix in (".html", ".csv", ".json")]
    texts += [text for path in (site / "data").rglob("*.js") for text in answers(path).values()]
    for word in ("withheld", "unheard-of", "nobody here", "secret-place", "/home/ada", SECRET):
        assert not [text for text in texts if word in text], word
    assert any("--bots bots" in text for text in texts)


@pytest.mark.parametrize("player", ["model/1", "stranger 2"])
def test_every_player_has_a_profile_by_whatever_rules(site: Path, player: str) -> None:
    request = request_name(f"/players/{player}", [("kind", "punish")])
    assert player in json.loads(answers(site / file_of(holder(request)))[request])["player"]


def test_players_have_their_names_on_every_page(site: Path) -> None:
    read = {name: text for path in (site / "data").rglob("*.js") for name, text in answers(path).items()}
    names = {one["player"]: one["name"] for one in json.loads(read["/names"])["players"]}
    models = {player: name for player, name in names.items() if player.startswith("model/")}
    assert models == {"model/0": "model/0", "model/1": "The Second", "model/2": "model/2"}
    assert json.loads(read["/games/punish-1.1/record"])["seats"][1]["name"] == "The Second"
    pages = [path.read_text(encoding="utf-8") for path in (site / "players").glob("*.html")]
    assert sum("<title>The Second" in page for page in pages) == 1
    page = (site / "games" / "punish-1.1.html").read_text(encoding="utf-8")
    assert all(f"{name}: " in page for name in ("model/0", "The Second", "model/2"))


def test_pages_say_what_they_are_about_and_hold_no_script_of_others(site: Path) -> None:
    first = (site / "index.html").read_text(encoding="utf-8")
    assert "<title>A &lt;study&gt;</title>" in first
    assert 'property="og:image" content="https://example.org/study/previews/punish.png"' in first
    assert first.count("<script") == 1
    game = (site / "games" / "punish-1.1.html").read_text(encoding="utf-8")
    assert 'content="0; url=../index.html#/games/punish-1.1"' in game
    assert 'property="og:url" content="https://example.org/study/games/punish-1.1.html"' in game
    assert (site / "previews" / "punish.png").read_bytes().startswith(b"\x89PNG")
    assert 'property="og:image" content="https://example.org/study/cards/games/punish-1.1.png"' in game
    assert 'name="twitter:image" content="https://example.org/study/cards/games/punish-1.1.png"' in game
    pages = [page for folder in ("games", "players", "charts", "findings") for page in (site / folder).glob("*.html")]
    for page in pages:
        card = site / "cards" / page.relative_to(site).with_suffix(".png")
        assert card.read_bytes().startswith(b"\x89PNG"), page
        assert f"/cards/{card.relative_to(site / 'cards')}" in page.read_text(encoding="utf-8")
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<img" not in text
        assert text.count("<script") == (page.name in ("index.html", "embed.html"))
        assert 'name="description"' in text or page.name == "embed.html"


@pytest.mark.slow
def test_an_earlier_site_goes_and_what_is_somebody_elses_stays(store: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "data").mkdir(parents=True)
    for name in ("CNAME", "index.html", "data/stale.js"):
        (folder / name).write_text("before")
    command = ["publish", "withheld", "-o", str(folder), "--store", store, "--json"]
    with Journal.open(store) as journal, pytest.raises(InputError, match=r"has index\.html, which is not part of a"):
        write_site(journal, SiteRequest(["withheld"], "Withheld"), folder)
    assert (folder / "index.html").read_text() == "before"
    (folder / "index.html").unlink()
    shutil.rmtree(folder / "data")
    with Journal.open(store) as journal:
        write_site(journal, SiteRequest(["shown"], "Shown"), folder)
    (folder / ".being-published").mkdir()  # by one that was killed
    (folder / ".being-published" / "half.js").write_text("half")
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["publish"]["games"] == 1
    assert not list((folder / "games").glob("*shown*"))
    assert not (folder / ".being-published").exists()
    assert (folder / "CNAME").read_text() == "before"


def test_a_command_tells_no_place_of_somebodys_machine() -> None:
    assert without_places("ostrom run --store=postgresql://u@h/d -o ../x/y.json --plugin ~/g.py punish --seed 4") == (
        "ostrom run '--store=…' -o y.json --plugin g.py punish --seed 4"
    )
    assert without_places("ostrom 'run") == "ostrom"


@pytest.mark.slow
def test_a_site_has_the_comparison_of_two_experiments(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'j.db'}"
    with Journal.open(store, create=True) as journal:
        for name in ("with messages", "without"):
            experiment = journal.new_experiment(name, kind="punish")
            for number in range(3):
                journal.add_game(experiment, punish(number), key=str(number))
    folder = tmp_path / "site"
    words = ["publish", "--compare", "with messages", "without", "-o", str(folder), "--store", store]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    lab = json.loads(answers(folder / file_of("/lab"))["/lab"])
    assert lab["comparison"]["title"] == "with messages and without"
    page = (folder / lab["comparison"]["page"]).read_text(encoding="utf-8")
    assert "with messages against without" in page
    assert str(tmp_path) not in page
    marker = json.loads((folder / "site.json").read_text())
    assert any(name.startswith("comparison/") for name in marker["files"])
    experiments = json.loads(answers(folder / file_of("/experiments"))["/experiments"])["experiments"]
    assert len(experiments) == 2
    nothing = CliRunner().invoke(app, ["publish", "-o", str(folder), "--store", store])
    assert isinstance(nothing.exception, InputError)
    assert "compare" in str(nothing.exception)
