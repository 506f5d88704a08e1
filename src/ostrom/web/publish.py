"""A static site of some experiments: the pages of `ostrom serve`, with the answers of our own API as files. The
experiments are copied into a journal of their own first, so that nothing else of the journal can be in an answer."""

import asyncio
import base64
import gzip
import json
import math
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import FastAPI

from ostrom.analysis.highlights import summarise
from ostrom.core import InputError
from ostrom.experiment.hosting import Host
from ostrom.journal.schema import SIMULATION
from ostrom.journal.sql import Journal
from ostrom.version import VERSION
from ostrom.web.app import create_app
from ostrom.web.pages import VIEWER, built, pages_folder
from ostrom.web.service import Service
from ostrom.web.site_names import COURSES, file_of, holder, request_name, slug
from ostrom.web.site_pages import PAGE_FOLDERS, About, write_pages

Progress = Callable[[], None]
Answer = dict[str, Any]
MARKER: Final = "site.json"
"""Says that a folder holds a published site, and which."""
_OWN: Final = ("index.html", "messages.html", "site", "data", "tables", "previews", "icon.svg", *PAGE_FOLDERS, MARKER)
"""What a site holds at its top; whatever else lies there is somebody else's."""
_ASIDE: Final = ".being-published"
"""Where the next site is written until it is whole."""
_PAGE: Final = 200
_SUBJECTS: Final = 50
_BOARDS: Final = 12
"""So many boards by other rules have charts of their own; of further ones there is the leaderboard alone."""


class Published(NamedTuple):
    """What was written."""

    page: Path
    experiments: int
    games: int
    files: int
    size: int
    """Bytes of all files."""


@dataclass(frozen=True)
class Wanted:
    """What a site is to be."""

    experiments: Sequence[str]
    title: str
    description: str | None = None
    url: str | None = None
    """Where it will lie; previews of links need it."""


def publish(journal: Journal, wanted: Wanted, folder: Path, progress: Progress = lambda: None) -> Published:
    """Write the site of these experiments into a folder: as a whole, or not at all."""
    pages_folder()
    built("site/pages.js")
    with _whole(folder) as aside, tempfile.TemporaryDirectory() as held:
        path = Path(held) / "published.db"
        with Journal.open(f"sqlite:///{path}", create=True, label=wanted.title) as copy:
            games = journal.copy_to(copy, wanted.experiments)
            if not games and all(row.kind != SIMULATION for row in copy.experiments()):
                raise InputError("none of the games is over; there is nothing to publish")
            summarise(copy, math.inf)
            site = _Site(Service(copy, Host(copy), plays=False), aside, progress)
            about = asyncio.run(site.write())
            write_pages(aside, site.service, about, wanted.title, wanted.description, wanted.url)
        made = {"ostrom": VERSION, "made": datetime.now(UTC).isoformat(timespec="seconds"), "title": wanted.title}
        (aside / MARKER).write_text(json.dumps({**made, "games": games}) + "\n", encoding="utf-8")
        files = [path for path in aside.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
    return Published(folder / "index.html", len(wanted.experiments), games, len(files), size)


class _Site:
    """A site that is being written: what its pages will ask for, asked of the application now."""

    def __init__(self, service: Service, folder: Path, progress: Progress) -> None:
        self.service, self._folder, self._progress = service, folder, progress
        self._app = create_app(service, hosts=None)

    async def write(self) -> About:
        """Write everything but the pages; what they are about."""
        shutil.copytree(pages_folder() / "site", self._folder / "site")
        shutil.copy(pages_folder() / "icon.svg", self._folder / "icon.svg")
        self._hold("/viewer", {"/viewer": built(VIEWER).read_text(encoding="utf-8")})
        await self._keep("/lab")
        await self._keep("/names")
        experiments = await self._list("/experiments", "experiments")
        for one in experiments:
            await self._keep(f"/experiments/{one['id']}")
            if one["kind"] == SIMULATION and not one["finished"]:
                await self._simulation(f"/experiments/{one['id']}")
        games = await self._list("/games", "games")
        await self._games([one["id"] for one in games])
        await self._list("/messages", "messages")
        await self._list("/quotes", "lines")
        studies = (await self._keep("/studies"))["studies"]
        boards = {one["kind"]: await self._study(one) for one in studies}
        return About(experiments, games, studies, boards)

    async def _simulation(self, path: str) -> None:
        """Write what a simulation found. Its games are played when they are opened, which no site can."""
        found = {**json.loads(await self._text(f"{path}/simulation")), "openings": 0}
        self._hold(f"{path}/simulation", {f"{path}/simulation": json.dumps(found)})
        for chart in found["charts"]:
            await self._keep(f"{path}/charts/{chart['name']}")

    async def _games(self, ids: Sequence[str]) -> None:
        courses = {}
        for game in ids:
            path = f"/games/{game}"
            self._hold(path, {each: await self._text(each) for each in (path, f"{path}/record")})
            courses[f"{path}/course"] = await self._text(f"{path}/course")
            self._progress()
        self._hold(COURSES, courses)

    async def _study(self, study: Answer) -> Answer:
        """Write what a study shows: of all its games, of each experiment, and of games by other rules. Its leaderboard
        comes back, or its scores."""
        kind = study["kind"]
        scopes: list[list[tuple[str, str]]] = [[], *([("experiment", one["id"])] for one in study["experiments"])]
        first: Answer = {}
        for scope in scopes:
            query = [("kind", kind), *scope]
            # Everybody has a page, also who is on a board by other rules alone, or on none since it is a person.
            others = () if scope else study["players"]
            if study["subjects"]:
                found = await self._subjects(query, scope, others)
            else:
                found = await self._board(query, charts=True)
                for player in others:
                    await self._keep(f"/players/{player}", query)
            first = first or found
            # A board by other rules leads back to this one by its rules.
            other_rules = [one["rules"] for one in found.get("others", ())]
            for place, rules in enumerate([found["rules"], *other_rules] if other_rules else ()):
                await self._board([*query, ("rules", rules)], charts=place < _BOARDS)
                if study["pairs"]:
                    await self._keep("/payoffs", [*query, ("rules", rules)])
            if study["pairs"]:
                await self._keep("/payoffs", query)
        method = await self._keep("/method", [("kind", kind)])
        for table in method["tables"]:
            for ending in ("csv", "parquet"):
                content = await self._bytes(f"/tables/{table['name']}/file", [("kind", kind), ("format", ending)])
                _write(self._folder / "tables" / slug(kind) / f"{table['name']}.{ending}", content)
        return first

    async def _board(self, query: list[tuple[str, str]], *, charts: bool) -> Answer:
        board = await self._keep("/ratings", query)
        await self._charts(query, charts=charts)
        return board

    async def _charts(self, query: list[tuple[str, str]], *, charts: bool) -> None:
        catalogue = json.loads(await self._text("/charts", query))
        if not charts:
            catalogue["sections"] = []
        name = request_name("/charts", query)
        self._hold(name, {name: json.dumps(catalogue)})
        for section in catalogue["sections"]:
            for chart in section["charts"]:
                await self._keep(f"/charts/{chart['name']}", query)

    async def _subjects(
        self, query: list[tuple[str, str]], scope: list[tuple[str, str]], others: Iterable[str]
    ) -> Answer:
        scores = await self._whole_list("/scores", "rows", query, _SUBJECTS)
        for subject in dict.fromkeys([*(row["subject"] for row in scores["rows"]), *others]):
            for asked in (query, scope):  # links to a card may name its family or not
                await self._keep(f"/scores/{subject}", asked)
        await self._charts(query, charts=True)
        return scores

    async def _list(self, path: str, name: str) -> list[Answer]:
        found: list[Answer] = (await self._whole_list(path, name, [], _PAGE))[name]
        return found

    async def _whole_list(self, path: str, name: str, query: list[tuple[str, str]], limit: int) -> Answer:
        """Write a list as one answer, and give it back: pages of a site search and turn over by themselves."""
        whole: Answer = {}
        for place in count(0, limit):
            asked = [*query, ("offset", str(place)), ("limit", str(limit))]
            page = json.loads(await self._text(path, asked))
            whole = {**whole, name: [*whole[name], *page[name]]} if whole else page
            if place + limit >= page["total"]:
                break
        request = request_name(path, query)
        self._hold(request, {request: json.dumps(whole)})
        return whole

    async def _keep(self, path: str, query: Sequence[tuple[str, str]] = ()) -> Answer:
        """Write an answer as it is, and give it back."""
        text, request = await self._text(path, query), request_name(path, query)
        self._hold(holder(request), {request: text})
        found: Answer = json.loads(text)
        return found

    def _hold(self, held: str, answers: dict[str, str]) -> None:
        """Write answers as a script: packed, so that nothing in them is one."""
        packed = base64.b64encode(gzip.compress(json.dumps(answers).encode(), mtime=0)).decode()
        path = self._folder / file_of(held)
        _write(path, f'ostrom("{path.stem}","{packed}");\n'.encode())

    async def _text(self, path: str, query: Sequence[tuple[str, str]] = ()) -> str:
        return (await self._bytes(path, query)).decode()

    async def _bytes(self, path: str, query: Sequence[tuple[str, str]] = ()) -> bytes:
        return await _asked(self._app, f"/api{path}", query)


async def _asked(app: FastAPI, path: str, query: Sequence[tuple[str, str]]) -> bytes:
    """What the application answers to a request; a refusal is raised."""
    status, parts = 0, []
    scope = {
        **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http"},
        **{"path": path, "raw_path": quote(path).encode(), "query_string": urlencode(query).encode()},
        **{"root_path": "", "headers": [(b"host", b"localhost")], "client": None, "server": ("localhost", 80)},
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    body = b"".join(parts)
    if status != 200:
        raise InputError(f"{path} cannot be published: {json.loads(body)['detail']}")
    return body


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    """An empty folder to write a site into, which takes its place at the end. An earlier site goes, with all its files,
    and so does what a run that was killed has left; what else lies there stays, and a folder in which something else
    bears a name of ours is refused."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder")
    if not (folder / MARKER).is_file():
        taken = [name for name in _OWN if (folder / name).exists()]
        if taken:
            raise InputError(f"{folder} holds {taken[0]}, which is not of a published site; name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / _ASIDE
        _remove(aside)  # of one that was killed
        aside.mkdir()
        try:
            yield aside
            for name in _OWN:
                _remove(folder / name)
            for made in aside.iterdir():
                made.replace(folder / made.name)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise InputError(f"the site cannot be written to {folder}: {error.strerror or error}") from error


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
