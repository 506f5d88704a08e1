"""Hostile texts in a journal, a record, a log, a table, a server's answer or a file's name are printed as plain text by
every command. A command that is not listed here fails the suite."""

import contextlib
import csv
import html.parser
import json
import os
import pty
import re
import subprocess
import sys
import threading
import xml.dom.minidom
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hostile import FORGED, TEXTS, journal, record_file
from test_sanitisers import steering

from ostrom.charts import render
from ostrom.cli.main import main, own_commands
from ostrom.core.entry_points import COMMANDS_GROUP, IMPORTERS_GROUP, declared

pytestmark = pytest.mark.slow

OSTROM = Path(sys.executable).parent / "ostrom"
OUTLETS: dict[str, list[str] | str] = {
    "demo": "plays built-in players alone, and writes into a folder of its own",
    "serve": "prints its address; what it serves is in test_pages.py",
    "tournament": "plays strategies, whose code the user named",
    "evolve": [
        "evolve --matrix {hostile}",
        "evolve --from {hostile}",
        "evolve --from punish-1",
        "evolve --players {hostile}",
    ],
    "solve": ["solve --matrix {hostile}", "solve --from {hostile}", "solve --players {hostile}"],
    "sweep": [
        "sweep --vary {hostile}=1",
        "sweep --vary alpha={hostile}",
        "sweep --vary alpha=0,1 --boundary {hostile}",
    ],
    "design": ["design --vary {hostile}", "design --vary alpha=0:1 --maximise {hostile}"],
    "respond": ["respond --against {hostile}", "respond --against policy:{hostile}.json", "respond -o {hostile}"],
    "new": "writes names that it has checked",
    "run": ["run --replay {record}", "run --replay {record} -v", "run --include {hostile}", "run --output {hostile}"],
    "bench": [
        "bench punish --include hostile:2 --include Cooperator --seats 3 --games 1 --seed 1",
        "bench --file {toml}",
    ],
    "resume": ["resume punish-3", "resume {hostile}"],
    "power": ["power punish", "power {hostile}"],
    "import": [
        *("import pgg-bench {logs}", "import econbench {logs}", "import repeatedgames {logs}"),
        *("import casino {logs}", "import dealornodeal {logs}"),
        *("import coopeval {logs}", "import lechmazur {logs}", "import inspect {logs}", "import records {record}"),
        *("import {hostile} {logs}", "import study {hostile} {logs}", "import study zhu-2025 {people}"),
        "import study {patterns} {people}",
    ],
    "status": ["status", "status --store {hostile}"],
    "ratings": [
        *("ratings punish", "ratings commons", "ratings --from {table}", "ratings --experiment {hostile}"),
        *("ratings --items {items}", "ratings --items {hostile}"),
    ],
    "pool": [
        "pool {hostile} --predictions independent",
        "pool {predicted} --predictions independent --between {hostile} x",
    ],
    "train-people": ["train-people {hostile} {people}", "train-people zhu-2025 {people}"],
    "forecast": ["forecast --study {hostile}", "forecast repeated --study {hostile}.json"],
    "fit": ["fit strategies {hostile}", "fit {hostile}", "fit conditional {predicted} --by {hostile}"],
    "report": ["report {hostile} -o {folder}"],
    "publish": ["publish {hostile} -o {folder}", "publish punish-1 --title {hostile} --url {hostile} -o {folder}"],
    "payoffs": ["payoffs", "payoffs {hostile}"],
    "hierarchy": ["hierarchy {hostile}", "hierarchy punish --factor {hostile}"],
    "show": ["show {record}", "show punish-1.1", "show punish-3.1", "show {hostile}"],
    "animate": ["animate {hostile} -o {folder}.gif"],
    "export": ["export punish-1.3 -o {folder}.json", "export {hostile} -o {folder}.json"],
    "list": ["list journal", "list experiments", "list bots", "list {hostile}", "list journal --experiment {hostile}"],
    "doctor": ["doctor"],
    "experiment": [
        "experiment rename {hostile} {hostile}",
        "experiment tag punish-1 x",
        "experiment delete {hostile}",
        "experiment add {hostile} --include {hostile}",
    ],
    "label": ["label", "label set {hostile} {hostile}", "label clear {hostile}"],
    "journal": ["journal check", "journal settle punish-3 --charged 1", "journal repair --store {hostile}"],
    "keys": ["keys", "keys forget {hostile} {hostile}", "keys allow {hostile} {hostile}"],
    "session": [
        "session list",
        "session check {hostile}",
        "session copy {hostile} -o {folder}.toml",
        "session export {hostile} -o {folder}",
        "session forget {hostile}",
        "session forget --due",
    ],
    "audit": ["audit {hostile}"],
    "write": ["write --llm {hostile} --game repeated", "write --llm openai:x --game {hostile}"],
    "forecasters": ["forecasters zhu-2025 {people}", "forecasters zhu-2025 {people} --llm {hostile}"],
    "quotes": ["quotes", "quotes --experiment {hostile}"],
    "scores": ["scores", "scores --subject {hostile}"],
    "collusion": ["collusion {hostile}"],
    "market": ["market --experiment {hostile}"],
}
"""How each command is made to print what others wrote; or why it prints none of it."""
CASES = [(line, line.split()[0]) for lines in OUTLETS.values() if isinstance(lines, list) for line in lines]


def test_every_command_and_importer_is_listed() -> None:
    """A new command says here how it is tried with hostile text."""
    brought = {name for name in declared(COMMANDS_GROUP) if "." not in name}
    assert set(OUTLETS) == set(own_commands()) | brought
    imports = {line.split()[1] for line in OUTLETS["import"] if "{hostile}" not in line}
    assert imports == set(declared(IMPORTERS_GROUP))


class Hostile(BaseHTTPRequestHandler):
    """A model server whose errors contain all hostile texts."""

    def do_GET(self) -> None:
        """List the model."""
        self._send(200, {"data": [{"id": "ash"}]})

    def do_POST(self) -> None:
        """Refuse with an error."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self._send(401, {"error": {"message": "".join(TEXTS.values()), "code": TEXTS["clipboard"]}})

    def _send(self, status: int, answer: object) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with everything that others may give to somebody."""
    folder = tmp_path_factory.mktemp("given")
    journal(folder / "journal.db")
    record_file(folder / "given.json", TEXTS["clipboard"], "".join(TEXTS.values()))
    logs = folder / "logs"
    logs.mkdir()
    (logs / "game_\x1b]52;c;eA==\x07.jsonl").write_text(f'{{"type": "{TEXTS["bidi"]}"}}\n')
    (logs / "a.jsonl").write_text(json.dumps({"type": "init", "settings": {}, "short_name_map": {TEXTS["break"]: 1}}))
    (logs / "\x1b]0;x\x07.json").write_text("{}")
    (logs / "b.json").write_text(json.dumps({"model": TEXTS["clipboard"], "labels": [1], "datasets": {"x": 1}}))
    _two_player_logs(logs)
    (folder / "plan.toml").write_text(f'name = "x"\n{json.dumps(TEXTS["clipboard"])} = 1\n')
    lines = [f'g{n},"{text.replace(chr(34), "")[:300]}",{n}' for n, text in enumerate([*TEXTS.values()][:14])]
    rows = [f"{line}\ng{n},plain,1" for n, line in enumerate(lines)]
    (folder / "table.csv").write_text("\n".join(["game,player,score", *rows]), encoding="utf-8", errors="replace")
    server = HTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (folder / "bots").mkdir()
    bot = {"model": "ash", "base_url": f"http://127.0.0.1:{server.server_port}/v1", "personality": TEXTS["title"]}
    (folder / "bots" / "hostile.json").write_text(json.dumps(bot))
    _people(folder)
    _item_scores(folder / "items.csv")
    _predicted_arms(folder / "predicted.csv")
    yield folder
    server.shutdown()
    server.server_close()


def _item_scores(path: Path) -> None:
    """Scores of models with hostile names on twelve items."""
    rows = [
        [text.replace("\0", ""), f"q{item}", (item + n) % 3]
        for n, text in enumerate(TEXTS.values())
        for item in range(12)
    ]
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file).writerows([["model", "item", "score"], *rows])


def _people(folder: Path) -> None:
    """People in the form of Psych-201 whose names and texts are hostile, and a pattern file that reads none of them."""
    (folder / "people").mkdir()
    lines = [
        {"text": f"{text}\nYou press <<{text}>>.", "experiment": text, "participant": text} for text in TEXTS.values()
    ]
    content = "\n".join(json.dumps(line) for line in lines)
    (folder / "people" / "prompts.jsonl").write_text(content, encoding="utf-8")
    words = {name: json.dumps(TEXTS["clipboard"]) for name in ("title", "source", "terms")}
    settings = "\n".join(f"{name} = {word}" for name, word in words.items())
    pattern = "[[decisions]]\nline = 'You choose <<(?P<choice>.)>>'"
    (folder / "patterns.toml").write_text(f'name = "x"\nfile = "prompts.jsonl"\n{settings}\n{pattern}\n')


def _predicted_arms(path: Path) -> None:
    """Outcomes and predictions of arms and people with hostile names."""
    rows = [[text.replace("\0", ""), n, n + 1] for n, text in enumerate(TEXTS.values())]
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file).writerows([["arm", "outcome", "prediction"], *rows])


def _two_player_logs(logs: Path) -> None:
    """A game and a match whose every text is hostile."""
    cells = [f"{cell}_{seat}" for cell in ("r1_c1", "r1_c2", "r2_c1", "r2_c2") for seat in ("p1", "p2")]
    (logs / "144_games_info.csv").write_text(f"game_number;{';'.join(cells)}\n1;{';'.join('12343412')}\n")
    told = ["game_number", "round", "player1", "player2", "answer1", "answer2", "points1", "points2"]
    told += ["total1", "total2", "choice_option1", "choice_option2"]
    with (logs / "game_\x1b]0;x\x07.csv").open("w", newline="", errors="replace") as file:
        lines = csv.writer(file)
        lines.writerow(told)
        for text in TEXTS.values():
            text = text.replace("\0", "")
            lines.writerow([1, 1, text, "plain", text, "F", 1, 2, 1, 2, "F", "J"])
    for name, text in TEXTS.items():
        place = logs / f"repetition_\x1b[31m{name}_prisoners_dilemma"
        place.mkdir()
        players = [{"llm": {"model": text}, "type": "IO"}] * 2
        profile = {"players": players, "payoffs": [[[7, 7]]]}
        (place / "matchup_payoffs.json").write_text(json.dumps({"profile": [profile]}))


def words(line: str, place: Path, text: str) -> list[str]:
    """The arguments of a case, with this text in place of what a user was made to copy."""
    files = {
        "record": "given.json",
        "logs": "logs",
        "table": "table.csv",
        "toml": "plan.toml",
        "folder": "made",
    }
    files |= {"people": "people", "patterns": "patterns.toml"}
    files |= {"items": "items.csv", "predicted": "predicted.csv"}
    paths = {name: str(place / file) for name, file in files.items()}
    return [word.format(**paths, hostile=text.replace("\0", "")) for word in line.split()]


@pytest.fixture
def said(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Everything that a command prints, which is never a traceback."""

    def run(*arguments: str) -> str:
        monkeypatch.chdir(place)
        monkeypatch.setenv("OSTROM_STORE", f"sqlite:///{place / 'journal.db'}")
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "config"))
        monkeypatch.setattr(sys, "argv", ["ostrom", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err, shown.err[-2_000:]
        assert ended.value.code in (None, 0, 1, 2)
        if ended.value.code == 2:
            assert len(shown.err.split("\n")) == 2, shown.err[:2_000]
        return shown.out + shown.err

    return run


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "svg", lambda chart, source="": "")
    monkeypatch.setattr(render, "png", lambda picture: b"")
    monkeypatch.setattr(render, "javascript", lambda: "")


def harmless(shown: str) -> None:
    assert steering(shown, "\n") == set()
    assert not [line for line in shown.split("\n") if line.startswith((FORGED, f"ostrom: {FORGED}"))]
    assert max(map(len, shown.split("\n"))) <= 12_000


@pytest.mark.parametrize(("line", "command"), CASES, ids=[line for line, _ in CASES])
@pytest.mark.usefixtures("without_pictures")
def test_nothing_that_others_wrote_steers_the_terminal(
    line: str, command: str, place: Path, said: Callable[..., str]
) -> None:
    everything = "".join(TEXTS.values()).replace("\ud83d", "")[:3_000] if "{hostile}" in line else ""
    harmless(said(*words(line, place, everything)))


@pytest.mark.long
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.usefixtures("without_pictures")
def test_nor_does_any_one_of_the_texts(name: str, place: Path, said: Callable[..., str]) -> None:
    for line, _ in CASES:
        if "{hostile}" in line:
            harmless(said(*words(line, place, TEXTS[name].encode("utf-8", "replace").decode())))


def test_a_report_of_hostile_names_is_drawn_and_its_tables_hold_no_formula(
    place: Path, said: Callable[..., str]
) -> None:
    said("report", "commons", "-o", str(place / "drawn"))
    pictures = sorted((place / "drawn" / "charts").glob("*.svg"))
    assert len(pictures) > 10
    for picture in pictures:
        xml.dom.minidom.parseString(picture.read_bytes())
    page = (place / "drawn" / "report.html").read_text(encoding="utf-8")
    assert steering(page.partition('<script type="module">')[0], "\n") == set()
    assert scripts(page) == 3
    checked = 0
    for table in (place / "drawn" / "tables").glob("*.csv"):
        with table.open(newline="", encoding="utf-8") as file:
            for cell in (cell for row in csv.reader(file) for cell in row):
                checked += 1
                assert steering(cell, "\n") == set()
                assert cell.lstrip()[:1] not in tuple("=@+-") or re.fullmatch(r"[-+\d.e]+", cell), cell
    assert checked > 100


def test_the_tables_of_messages_hold_no_formula_and_parquet_holds_every_text(
    place: Path, said: Callable[..., str], without_pictures: None
) -> None:
    import polars as pl

    harmless(said("report", "punish", "-o", str(place / "punish")))
    csv_text = (place / "punish" / "tables" / "messages.csv").read_text(encoding="utf-8")
    kept = pl.read_parquet(place / "punish" / "tables" / "messages.parquet")
    assert TEXTS["formula"] in kept["text"].to_list()
    assert TEXTS["clipboard"] in kept["text"].to_list()
    assert "'=HYPERLINK" in csv_text
    assert not re.search(r'(^|,)"?=HYPERLINK', csv_text, re.MULTILINE)


def scripts(page: str) -> int:
    """How many script elements a browser would see."""
    found: list[str] = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            found.append(tag)

    Reader().feed(page)
    return found.count("script")


def test_json_for_programs_is_exact(place: Path, said: Callable[..., str]) -> None:
    shown = said("ratings", "punish", "--json")
    assert shown.isascii()
    names = {one["name"] for one in json.loads(shown)["ratings"]}
    assert {text[:300] for name, text in TEXTS.items() if name != "half"} <= names


def test_a_real_terminal_gets_no_sequence_of_others_from_a_run(place: Path) -> None:
    """On a terminal Rich draws with sequences of its own; those of a server's error are not among them."""
    shown = in_a_terminal(place, "bench punish --include hostile:2 --include Cooperator --seats 3 --games 1 --seed 2")
    assert "unavailable" in shown
    unhurt(shown)


@pytest.mark.long
@pytest.mark.parametrize(("line", "command"), CASES, ids=[line for line, _ in CASES])
def test_a_real_terminal_gets_no_sequence_of_others(line: str, command: str, place: Path) -> None:
    unhurt(in_a_terminal(place, *words(line, place, TEXTS["screen"])))


def unhurt(shown: str) -> None:
    sequences = "\x1b] \x1bP \x1b_ \x1bc \x1b[2J \x1b[?1049h \x1b[31mred \x07 \x9b \u202e"
    assert not [sequence for sequence in sequences.split(" ") if sequence in shown]
    assert steering(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown), "\r\n") == set()


def in_a_terminal(place: Path, *arguments: str) -> str:
    """What a terminal is sent by a command in a process of its own."""
    given = arguments[0].split() if len(arguments) == 1 else list(arguments)
    terminal, other = pty.openpty()
    environment = {**os.environ, "OSTROM_STORE": f"sqlite:///{place / 'terminal.db'}", "TERM": "xterm-256color"}
    environment["XDG_CONFIG_HOME"] = str(place / "config")
    if not (place / "terminal.db").exists():
        journal(place / "terminal.db")
    process = subprocess.Popen([OSTROM, *given], stdout=other, stderr=other, stdin=other, cwd=place, env=environment)
    os.close(other)
    shown = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while piece := os.read(terminal, 65_536):
            shown += piece
    process.wait()
    os.close(terminal)
    return shown.decode("utf-8", "replace")
