"""Over the catalogue of what providers do, no planted secret is found in any request to an unconfirmed host, any file,
journal, page or record, any answer of the server, or any output: not as it is, and not in its usual encodings."""

import json
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from planted import ODD_KEY, OTHER_KEY, PLAIN_KEY, PLANTED, READERS_TOKEN, STORE_PASSWORD, Search
from sqlalchemy import create_engine, text
from stranger import Stranger, answer, stranger
from system_lab import Done, Lab, experiment

from at_seats import OSTROM, answer_next, links_in, some_pages
from ostrom.testing.provider import CATALOGUE
from provider_process import ProviderProcess, provider_process

pytestmark = pytest.mark.slow

SAMPLE = [
    *[name for name in CATALOGUE if "key" in name][::5],
    "redirect_host",
    "failed_with_usage",
    "footer",
    "key_json",
]
LIMITS = {"calls": 64, "per_provider": 64, "timeout": 1.0, "patience": 0.5, "retries": 1, "attempts": 2}


class Watched:
    """A lab in which everything that is said is searched."""

    def __init__(self, lab: Lab, search: Search) -> None:
        self.lab, self.search = lab, search

    def __call__(self, *arguments: object, status: Sequence[int] = (0,), stored: bool = True) -> Done:
        done = self.lab.run(*arguments, stored=stored, pictures=False)
        self.search.look(f"the output of {arguments}", done.out + done.err)
        assert "Traceback" not in done.err, (arguments, done.err[-2_000:])
        assert done.status in status, (arguments, done)
        return done


@pytest.fixture
def elsewhere() -> Iterator[Stranger]:
    """Where every request goes that is for no host of this machine; and a stranger of its own, too."""
    with stranger(answer(b"{}")) as found:
        yield found


@pytest.fixture
def watched(lab: Lab, elsewhere: Stranger) -> Watched:
    proxy = f"http://{elsewhere.place}"
    lab.environment |= PLANTED | {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "NO_PROXY": "127.0.0.1"}
    return Watched(lab, Search(PLANTED))


def bots(lab: Lab, base_url: str, names: Sequence[str]) -> list[str]:
    """A bot for each scenario; those that tell a key back have one for each of two keys."""
    made = []
    for number, name in enumerate(names):
        both = "key" in name
        for variable in ("PLAIN_ENTRY", "ODD_ENTRY") if both else (("PLAIN_ENTRY", "ODD_ENTRY")[number % 2],):
            bot = f"{name}-{variable[:3].lower()}"
            lab.bot(
                bot,
                base_url,
                model=name,
                key_env=variable,
                form="tags",
                max_tokens=100,
                price={"input": 3, "output": 15},
            )
            made.append(bot)
    return made


def play(watched: Watched, provider: ProviderProcess, names: Sequence[str]) -> None:
    """The games, until every model was asked."""
    lab = watched.lab
    included = bots(lab, provider.base_url, names)
    for variable in ("PLAIN_ENTRY", "ODD_ENTRY"):
        watched("keys", "allow", variable, provider.base_url, stored=False)
    rules = {"punish": {"rounds": 1, "messages": False}}
    games = len(included) // 3 + 1
    (lab.folder / "experiment.toml").write_text(
        experiment(games=rules, include=included, repetitions=games, seats=3, limits=LIMITS)
    )
    watched("bench", "--file", "experiment.toml", status=(0, 1))
    missing = set(names) - set(provider.account()["models"])
    for bot in (bot for bot in included if bot.rpartition("-")[0] in missing):
        # Its game was left because of another model, before it was asked anything.
        few = ("--seats", 3, "--games", 1, "--rule", "rounds=1", "--rule", "messages=false", "--timeout", 1)
        watched("bench", "punish", "--include", f"{bot}:3", *few, "--patience", 0.5, "--retries", 1, status=(0, 1))
    assert set(names) <= set(provider.account()["models"])


def ask_strangers(watched: Watched, elsewhere: Stranger, *, thorough: bool) -> list[Path]:
    """Bots that would send a key to somebody else, in a header or an address; the files that hold one themselves."""
    lab = watched.lab
    lab.bot("other", elsewhere.base_url, key_env="GITHUB_TOKEN")
    lab.bot("plain", elsewhere.base_url, key_env="PLAIN_ENTRY")
    for name, url in (
        ("path", f"{elsewhere.base_url}/{OTHER_KEY}"),
        ("query", f"{elsewhere.base_url}?key={OTHER_KEY}"),
        ("user", elsewhere.base_url.replace("//", f"//me:{OTHER_KEY}@")),
    ):
        lab.bot(name, url)
    for name in ("other", "plain", "path", "query", "user") if thorough else ("other", "query"):
        watched("bench", "punish", "--include", f"{name}:3", "--seats", 3, "--games", 1, status=(2,))
    watched("doctor", "--json", stored=False, status=(0, 1))
    watched("list", "bots", stored=False, status=(0, 2))
    assert elsewhere.heard() == b"", "a server that nobody has confirmed was asked"
    # The trap works: without a key the request is made, and the stranger hears it, as it hears of hosts elsewhere.
    lab.bot("keyless", "http://elsewhere.invalid/v1")
    short = ("--seats", 3, "--games", 1, "--rule", "rounds=1", "--retries", 0, "--attempts", 1)
    watched("bench", "punish", "--include", "keyless:3", *short, status=(0, 1))
    assert b"elsewhere.invalid" in elsewhere.heard()
    return [lab.folder / "bots" / f"{name}.json" for name in ("path", "query", "user")]


def read(watched: Watched) -> None:
    """What most users look at."""
    folder = written(watched)
    watched("status", "--json")
    watched("show", "punish-1.1")
    watched("export", "punish-1.1", "-o", folder / "1.html")
    watched("export", "-o", folder / "all.jsonl")
    assert (folder / "1.html").stat().st_size > 10_000


def written(watched: Watched) -> Path:
    folder = watched.lab.folder / "written"
    folder.mkdir(exist_ok=True)
    return folder


def read_all(watched: Watched) -> None:
    """Every command that shows what is kept, and every form in which it is written."""
    folder = written(watched)
    watched("resume", "punish-1", status=(0, 1))
    for line in ("status", "list experiments", "list journal", "journal check", "payoffs", "quotes --json"):
        watched(*line.split(), status=(0, 1, 2))
    for game in json.loads(watched("list", "journal", "--json").out)["journal"][::5]:
        watched("show", game["id"])
        for ending in ("json", "html"):
            watched("export", game["id"], "-o", folder / f"{game['id']}.{ending}")
    watched("export", "-o", folder / "tables", status=(0, 2))
    watched("report", "punish", "-o", folder / "report", status=(0, 1, 2))


def fail_to_reach(watched: Watched) -> None:
    """Journals of a server that is not there, with a password in the address."""
    quoted = STORE_PASSWORD.replace("/", "%2F").replace("@", "%40").replace(":", "%3A").replace("+", "%2B")
    watched.lab.environment["OSTROM_STORE_WAIT"] = "0.1"
    for url in (f"postgresql://lab:{quoted}@127.0.0.1:9/none", f"postgresql://127.0.0.1:9/none?password={quoted}"):
        watched("status", "--store", url, stored=False, status=(2,))
        few = ("--include", "Cooperator:3", "--games", 1, "--seats", 3)
        watched("bench", "punish", *few, "--store", url, stored=False, status=(1, 2))


@contextmanager
def served(watched: Watched, *arguments: object) -> Iterator["subprocess.Popen[str]"]:
    """A server under way; what it says is searched at its end, but for the links that it is there to print."""
    lab = watched.lab
    environment = lab._surroundings() | {"OSTROM_PAGES": str(some_pages(lab.folder))}
    process = subprocess.Popen(
        [OSTROM, *map(str, arguments), "--store", lab.store, "--port", "0"],
        cwd=lab.folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
        watched.search.look(f"the output of {arguments[0]}", out + err, but=("a seat's link",))
        assert "Traceback" not in err
        assert process.returncode in (0, 1, 130, -signal.SIGINT), err


def crawl(watched: Watched) -> int:
    """Every address of the API that can be read, with the ids that are there; how many there were."""
    with served(watched, "serve") as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        watched.search.look("the first line of serve", first)
        address = next(word for word in first.split() if word.startswith("http")).rstrip("/")
        known = {"experiment": "punish-1", "name": "seats"}
        games = [game["id"] for game in json.loads(ask(address, "/api/games?limit=200")[1])["games"]]
        done = 0

        def filled(path: str, game: str) -> str:
            return re.sub(r"{(\w+)}", lambda part: {**known, "game": game}.get(part[1], "x"), path)

        for path, methods in json.loads(ask(address, "/api/openapi.json")[1])["paths"].items():
            if "get" in methods and not path.endswith("/live"):
                for game in games if "{game}" in path else games[:1]:
                    heads, body = ask(address, filled(path, game))
                    watched.search.look(f"GET {path} of {game}", heads + body)
                    done += 1
        return done


def ask(address: str, path: str) -> tuple[bytes, bytes]:
    request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {READERS_TOKEN}"})
    try:
        with urllib.request.urlopen(request, timeout=600) as reply:
            return str(reply.headers).encode(), reply.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return str(refusal.headers).encode(), refusal.read()


def sit_with_a_model(watched: Watched, included: str) -> None:
    """A person beside a model of the catalogue: the seat's link is told to whoever hosts, and kept nowhere."""
    table = ("--include", "human", "--include", included, "--include", "Cooperator")
    few = ("--rule", "rounds=1", "--rule", "messages=false", "--timeout", 1, "--retries", 0, "--seconds", 60)
    with served(watched, "run", "punish", "--seed", 3, *table, *few) as process:
        assert process.stdout is not None
        ((address, token),) = links_in(process.stdout, 1)
        watched.search.also("a seat's link", token)
        answer_next(address, token)


def look_into_the_journal(search: Search, url: str) -> None:
    """Every row of every table, as text."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    listing = (
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        if engine.dialect.name == "sqlite"
        else "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    )
    with engine.connect() as connection:
        for (table,) in connection.execute(text(listing)).all():
            for row in connection.execute(text(f'SELECT * FROM "{table}"')):
                raw = b"\0".join(
                    one if isinstance(one, bytes) else str(one).encode("utf-8", "surrogatepass") for one in row
                )
                search.look(f"a row of {table}", raw)
    engine.dispose()


def check_secrecy(watched: Watched, elsewhere: Stranger, names: Sequence[str], *, thorough: bool) -> Search:
    search = watched.search
    with provider_process("--catalogue", "--trickle", 0.05, "--keep") as provider:
        play(watched, provider, names)
        if thorough:
            sit_with_a_model(watched, "key_json-pla")
        prompts = urllib.request.urlopen(provider.base_url.removesuffix("/v1") + "/_prompts").read()
        search.look("the prompts", prompts)
        if thorough:
            read_all(watched)
    own = ask_strangers(watched, elsewhere, thorough=thorough)
    read(watched)
    if thorough:
        fail_to_reach(watched)
        assert crawl(watched) > 15
    search.look("what a stranger heard", elsewhere.heard())
    look_into_the_journal(search, watched.lab.store)
    search.folder(watched.lab.folder, but=tuple(own))
    assert not search.found, f"{len(search.found)} found:\n" + "\n".join(search.found[:40])
    return search


def test_a_sample_of_the_catalogue_gives_no_secret_away(watched: Watched, elsewhere: Stranger) -> None:
    check_secrecy(watched, elsewhere, SAMPLE, thorough=False)


@pytest.mark.long
def test_the_whole_catalogue_gives_no_secret_away(
    watched: Watched, elsewhere: Stranger, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    watched.lab.store = store.replace("lab@", f"lab:{STORE_PASSWORD.replace('/', '%2F').replace('@', '%40')}@")
    search = check_secrecy(watched, elsewhere, list(CATALOGUE), thorough=True)
    with capsys.disabled():
        print(f"\n{len(CATALOGUE)} scenarios, {search.places:,} places and {search.bytes:,} bytes looked through")


@pytest.mark.parametrize("way", ["itself", "quoted", "base64 1", "JSON", "HTML", "hexadecimal"])
def test_the_search_would_find_it(way: str, tmp_path: Path) -> None:
    from planted import forms_of

    search = Search({"odd": ODD_KEY, "plain": PLAIN_KEY})
    (tmp_path / "leak").write_bytes(b"..." + forms_of(ODD_KEY)[way] + b"...")
    search.folder(tmp_path)
    assert any(line.startswith(f"odd ({way})") for line in search.found)
