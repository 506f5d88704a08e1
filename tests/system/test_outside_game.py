"""A game from outside has everything: in an environment that holds the wheel of Ostrom and that of ostrom-harvest and
no source tree, it is run, benched with a model, killed and resumed, played in a tournament, rated, reported, filmed,
audited, exported and served; and its record opens where the package is not installed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from system_lab import PATIENCE, Done, ended, sent_when

from at_seats import call, sit
from fork_server import ForkServer
from ostrom.testing.provider import Provider

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MODEL = "m1"
TABLE = ("--include", "Steward", "--include", "Tester", "--include", MODEL, "--seats", "3", "--rounds", "3")


@dataclass(frozen=True)
class Outside:
    """An environment with the two wheels, and a folder to work in."""

    bin: Path
    folder: Path
    server: ForkServer | None = None
    """Copies of a process of this environment, where many commands are to be run."""

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start a command of the environment."""
        return subprocess.Popen(
            [str(self.bin / arguments[0]), *arguments[1:]],
            cwd=self.folder,
            env=self._surroundings(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ostrom(self, *arguments: str) -> str:
        """What a command that has to succeed prints."""
        done = (
            ended(self.start("ostrom", *arguments))
            if self.server is None
            else Done(*self.server.run(arguments, self.folder, self._surroundings()))
        )
        assert done.status == 0, (arguments, done.err)
        assert "Traceback" not in done.err
        return done.out

    @staticmethod
    def _surroundings() -> dict[str, str]:
        dropped = ("PYTHONPATH", "OSTROM_STORE", "OSTROM_PLUGINS", "OSTROM_BOTS", "FORCE_COLOR")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        return kept | {"COLUMNS": "120", "PYTHONUTF8": "1"}


def wheel_of(project: Path, wheels: Path) -> Path:
    """Build a project's wheel, with no network."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "-w", str(wheels), str(project)], check=True, capture_output=True)
    return max(wheels.glob("*.whl"), key=lambda path: path.stat().st_mtime)


def environment(folder: Path, *wheels: Path) -> Path:
    """An environment with these wheels and the libraries of this one; its folder of commands."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    libraries = [entry for entry in sys.path if entry.endswith("site-packages")]
    # Behind the wheels on the path; what is installed for development there is no part of it, since files that name
    # source trees are read in an environment's own folder only.
    (packages / "libraries.pth").write_text("\n".join(libraries) + "\n")
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "-q", "--no-compile"]
    subprocess.run([*install, "--no-deps", "--no-index", *map(str, wheels)], check=True, capture_output=True)
    return folder / "bin"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("wheels")
    example = tmp_path_factory.mktemp("example") / "ostrom-harvest"
    shutil.copytree(ROOT / "examples" / "ostrom-harvest", example, ignore=shutil.ignore_patterns("__pycache__"))
    return wheel_of(ROOT, folder), wheel_of(example, folder)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider(models=(MODEL,), delay=0.02) as found:
        yield found


@pytest.fixture(scope="module")
def outside(
    wheels: tuple[Path, Path], provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Outside]:
    folder = tmp_path_factory.mktemp("outside")
    commands = environment(folder / "env", *wheels)
    (folder / "bots").mkdir()
    (folder / "bots" / f"{MODEL}.json").write_text(json.dumps({"model": MODEL, "base_url": provider.base_url}))
    with ForkServer(commands / "python") as server:
        yield Outside(commands, folder, server)


@pytest.fixture(scope="module")
def benched(outside: Outside) -> Outside:
    """The environment with a journal of three games at which a model sits."""
    outside.ostrom("bench", "harvest", *TABLE, "--games", "3", "--seed", "5")
    return outside


def test_both_packages_come_from_their_wheels(outside: Outside) -> None:
    code = "import ostrom, ostrom_harvest; print(ostrom.__file__); print(ostrom_harvest.__file__)"
    printed = ended(outside.start("python", "-c", code)).out.split()
    assert all(Path(path).is_relative_to(outside.bin.parent) for path in printed), printed
    assert ended(outside.start("ostrom", "list", "games")).out == outside.ostrom("list", "games")
    assert "ostrom-harvest" in outside.ostrom("doctor")
    assert "a stock that regrows" in outside.ostrom("list", "games")
    assert "The rate of logistic growth" in outside.ostrom("list", "rules", "harvest")


def test_the_wheel_has_the_licences_of_what_is_in_its_pages(outside: Outside) -> None:
    (licenses,) = outside.bin.parent.glob("lib/python*/site-packages/ostrom-[0-9]*.dist-info/licenses")
    for name in ("LICENSE", "THIRD_PARTY_NOTICES.txt"):
        assert (licenses / name).read_bytes() == (ROOT / name).read_bytes()


def test_run(outside: Outside) -> None:
    told = outside.ostrom("run", "harvest", "--seed", "3", "--rounds", "2", "--include", "Steward:2", "-v")
    assert "the quota is 25.00 tonnes" in told
    assert "the stock grows to 62.50" in told
    assert "tonnes" in told
    document = outside.ostrom("run", "harvest", "--seed", "3", "--include", "Steward:2", "--json")
    assert "93.75" in document  # twelve rounds: 50 at first, then 12.5 each, for two
    assert outside.ostrom("run", "harvest", "--help").count("--regrowth") == 1
    assert "--alpha" not in outside.ostrom("run", "harvest", "--help")


def test_bench_with_a_model(benched: Outside, provider: Provider) -> None:
    assert provider.account()["requests"] > 0
    listed = benched.ostrom("status")
    assert MODEL in listed
    shown = benched.ostrom("show", "harvest-1.1")
    assert "proposes" in shown
    assert "takes" in shown


def test_resume_after_kill_minus_nine(outside: Outside, provider: Provider) -> None:
    store = f"sqlite:///{outside.folder}/killed.db"
    before = provider.account()["requests"]
    command = ("bench", "harvest", *TABLE, "--games", "6", "--seed", "9", "--store", store)
    process = outside.start("ostrom", *command)
    assert sent_when(process, signal.SIGKILL, lambda: provider.account()["requests"] > before + 10)
    ended(process)
    assert json.loads(outside.ostrom("status", "--json", "--store", store))["status"][0]["state"] != "finished"
    outside.ostrom("resume", "--store", store)
    (status,) = json.loads(outside.ostrom("status", "--json", "--store", store))["status"]
    assert status["state"] == "finished"
    undisturbed = f"sqlite:///{outside.folder}/undisturbed.db"
    outside.ostrom(*command[:-1], undisturbed)
    for number in (1, 6):
        told = [outside.ostrom("show", f"harvest-1.{number}", "--store", one) for one in (store, undisturbed)]
        assert told[0] == told[1]


def test_tournament(outside: Outside) -> None:
    command = (
        "tournament",
        "harvest",
        "--games",
        "20",
        "--seed",
        "1",
        "--workers",
        "1",
        "--exclude",
        "Greedy",
        "--json",
    )
    document = json.loads(outside.ostrom(*command))
    names = {standing["name"] for standing in document["standings"]}
    assert names == {"Steward", "QuotaFollower", "Reciprocator", "Tester", "LastRoundRaider", "RandomHarvester"}


def test_ratings(benched: Outside) -> None:
    told = benched.ostrom("ratings")
    assert all(name in told for name in ("Steward", "Tester", MODEL))
    assert "tonnes" in told


def test_report(benched: Outside) -> None:
    benched.ostrom("report", "-o", "report")
    page = (benched.folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "Over-usage" in page
    assert "Survival time" in page
    assert (benched.folder / "report" / "charts" / "stock_by_round.svg").read_text().startswith("<svg")
    assert (benched.folder / "report" / "tables" / "over_usage.csv").is_file()


def test_animate(benched: Outside) -> None:
    benched.ostrom("animate", "harvest-1.1", "-o", "film.gif", "--speed", "10")
    assert (benched.folder / "film.gif").read_bytes().startswith(b"GIF8")


def test_audit(benched: Outside) -> None:
    told = benched.ostrom("audit", "harvest", "--model", MODEL, "--seats", "3", "--situations", "2", "--seed", "1")
    assert all(factor in told for factor in ("wording", "currency", "seat"))


def test_export(benched: Outside) -> None:
    benched.ostrom("export", "harvest-1.1", "-o", "game.html")
    page = (benched.folder / "game.html").read_text(encoding="utf-8")
    assert "would grow back" in page
    benched.ostrom("export", "harvest-1.1", "-o", "game.json")
    record = json.loads((benched.folder / "game.json").read_text(encoding="utf-8"))
    assert (record["version"], record["package"], record["title"]) == (2, "ostrom-harvest", "Harvest")
    assert record["scene"]["layout"] == "table"
    assert len(record["told"]) == len(record["events"])
    benched.ostrom("export", "-o", "tables")
    assert (benched.folder / "tables" / "harvests.parquet").is_file()


@pytest.fixture(scope="module")
def address(benched: Outside) -> Iterator[str]:
    process = benched.start("ostrom", "serve", "--port", "0")
    assert process.stdout is not None
    line = process.stdout.readline()
    yield next(word for word in line.split() if word.startswith("http")).rstrip("/")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err


def got(address: str, path: str) -> Any:
    with urllib.request.urlopen(f"{address}/api{path}", timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def test_serve_replay_messages_compare(address: str, benched: Outside) -> None:
    record = got(address, "/games/harvest-1.1/record")
    assert record["scene"]["title"] == "Harvest"
    assert record["finals"] is not None
    said = got(address, "/messages?experiment=harvest-1")["messages"]
    assert any("the stock will last" in one["text"] for one in said)
    ratings = got(address, "/ratings?game=harvest")
    assert MODEL in json.dumps(ratings)
    charts = got(address, "/charts?game=harvest")
    assert "stock_by_round" in json.dumps(charts)


def test_serve_a_seat_for_a_person(address: str, benched: Outside) -> None:
    body = {"game": "harvest", "players": ["human", "Steward", "Tester"], "seed": 11, "rules": {"rounds": 1}}
    status, game = call(address, "/games", body=body)
    assert status == 201, game
    (seat,) = game["seats"]
    assert sit(address, seat["token"])["state"] == "over"
    until = time.monotonic() + PATIENCE
    while got(address, f"/experiments/{game['experiment']}")["state"] != "finished":
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_record_opens_where_the_package_is_not_installed(
    benched: Outside, wheels: tuple[Path, Path], tmp_path: Path
) -> None:
    benched.ostrom("export", "harvest-1.1", "-o", "carried.json")
    shutil.copy(benched.folder / "carried.json", tmp_path)
    shutil.copy(benched.folder / "ostrom.db", tmp_path)
    bare = Outside(environment(tmp_path / "env", wheels[0]), tmp_path)
    assert ended(bare.start("python", "-c", "import ostrom_harvest")).status != 0
    bare.ostrom("export", "carried.json", "-o", "carried.html")
    assert "would grow back" in (tmp_path / "carried.html").read_text(encoding="utf-8")
    bare.ostrom("animate", "carried.json", "-o", "carried.gif", "--speed", "10")
    assert (tmp_path / "carried.gif").read_bytes().startswith(b"GIF8")
