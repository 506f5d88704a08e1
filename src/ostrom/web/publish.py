"""A static site of some experiments. It has the pages of `ostrom serve`, with the replies of the API as files. The
experiments are first copied into a new journal, so that replies contain no other data."""

import asyncio
import base64
import gzip
import json
import math
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from fastapi import FastAPI
from pydantic import Field

from ostrom.analysis.highlights import summarise
from ostrom.analysis.selection import Selection, select_tables
from ostrom.charts.comparison import write_comparison
from ostrom.core.command import without_places
from ostrom.core.errors import InputError, field
from ostrom.core.finding import Finding
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.hosting import Host
from ostrom.journal.open import open_journal
from ostrom.journal.schema import PLAYING, SIMULATION
from ostrom.journal.sql import Journal
from ostrom.web.app import create_app
from ostrom.web.pages import VIEWER, built_file, pages_folder
from ostrom.web.service import Service
from ostrom.web.site_folder import MARKER, replace_site
from ostrom.web.site_pages import (
    COMPARISON,
    COURSES,
    About,
    file_of,
    holder,
    request_name,
    slug,
    write_pages,
)

Progress = Callable[[], None]
Answer = dict[str, Any]
_LIST_PAGE: Final = 200
_SUBJECT_PAGE: Final = 50
_MAX_CHARTED_BOARDS: Final = 12
"""The largest number of leaderboards with other rules for which charts are written. Further ones have no charts."""


class PublishedSite(NamedTuple):
    """A published site."""

    page: Path
    experiments: int
    games: int
    files: int
    size: int
    """The total size of all files in bytes."""


@dataclass(frozen=True)
class SiteRequest:
    """The contents and title of a site."""

    experiments: Sequence[str]
    title: str
    description: str | None = None
    url: str | None = None
    """The address at which the site will be published. Link previews need it."""
    compare: tuple[str, str] | None = None
    """The ids of two of the experiments, which are to be compared."""


class PublishSettings(Settings):
    """Settings of a published site."""

    experiments: Annotated[tuple[str, ...], Display(form="EXPERIMENT", positional=True)] = Field(
        (), description="The experiments to publish, by id or name."
    )
    compare: Annotated[tuple[str, str] | None, Display(form="A B")] = Field(
        None, description="Publish these two experiments and their comparison."
    )
    output: Annotated[Path, Display(form="SITE", short="o")] = Field(
        description="The folder to write; an earlier site there is replaced."
    )
    title: str | None = Field(None, description="The site's title; by default, the name of the first experiment.")
    description: str | None = Field(
        None, description="The text of link previews; by default, the number of games and the leader."
    )
    url: Annotated[str | None, Display(form="URL")] = Field(
        None, description="The site's future address, for the pictures of link previews."
    )


@verb("publish", keeps=False)
def publish(store: str | None, settings: PublishSettings, reporter: Reporter = SILENT) -> Finding:
    """Write experiments as a static site: leaderboards, charts, replays, messages, methods and tables."""
    if settings.url is not None:
        address = urlsplit(settings.url)
        if address.scheme not in ("http", "https") or not address.netloc:
            raise InputError(
                f"{field('url')} must be an address such as https://example.org/study, got {settings.url!r}"
            )
    named = (*settings.experiments, *(settings.compare or ()))
    if not named:
        raise InputError(f"name the experiments to publish, or two with {field('compare')}")
    with open_journal(store) as journal:
        ids = list(dict.fromkeys(map(journal.experiment_id, named)))
        pair = None
        if settings.compare is not None:
            pair = (journal.experiment_id(settings.compare[0]), journal.experiment_id(settings.compare[1]))
        names = {row.id: row.name for row in journal.experiments()}
        title = settings.title or names[ids[0]] or ids[0]
        request = SiteRequest(ids, title, settings.description, settings.url, pair)
        total = sum(row.state != PLAYING for name in ids for row in journal.games(name))
        with reporter.bar("games", total) as advance:
            site = write_site(journal, request, settings.output, advance)
    files = number_of(site.files, "file")
    return Finding(
        verb="publish",
        title=f"Site {site.page}",
        facts={**site._asdict(), "page": str(site.page)},
        parts=(),
        sentences=[f"{number_of(site.games, 'game')} in {files}, {site.size / 1e6:,.1f} MB: open {site.page}"],
        root="publish",
        result=site,
    )


def write_site(
    journal: Journal, request: SiteRequest, folder: Path, progress: Progress = lambda: None
) -> PublishedSite:
    """Write the site of these experiments into a folder atomically; raise `InputError` if there is nothing to
    publish."""
    pages_folder()
    built_file("site/pages.js")
    with replace_site(folder, request.title) as new_folder, tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "published.db"
        with Journal.open(f"sqlite:///{path}", create=True, label=request.title) as copy:
            games = journal.copy_to(copy, request.experiments)
            if not games and all(row.kind != SIMULATION for row in copy.experiments()):
                raise InputError("none of the games is over; there is nothing to publish")
            summarise(copy, math.inf)
            site = _Site(Service(copy, Host(copy), plays=False), new_folder, progress)
            comparison = None if request.compare is None else _compare(copy, request.compare, new_folder / COMPARISON)
            about = asyncio.run(site.write(comparison))
            write_pages(new_folder, site.service, about, request.title, request.description, request.url)
        files = [path for path in new_folder.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
    marker_size = (folder / MARKER).stat().st_size
    return PublishedSite(folder / "index.html", len(request.experiments), games, len(files) + 1, size + marker_size)


def _compare(copy: Journal, pair: tuple[str, str], folder: Path) -> dict[str, str]:
    """Write the comparison of two experiments of a site; return its title and address."""
    folder.mkdir()
    names = {row.id: row.name or row.id for row in copy.experiments()}
    titles = (names[pair[0]], names[pair[1]])
    sides = [select_tables(copy, Selection.select(name), SILENT.note) for name in pair]
    provenance = [replace(entry, command=without_places(entry.command or "") or None) for _, entry in sides]
    (a, _), (b, _) = sides
    written = write_comparison(a, b, folder, pair=titles, provenance=provenance, names=copy.names.known())
    return {"title": " and ".join(titles), "page": f"{COMPARISON}/{written.page.name}"}


class _Site:
    """Writes a site. It sends the requests that the pages make to the application, and stores the replies."""

    def __init__(self, service: Service, folder: Path, progress: Progress) -> None:
        self.service, self._folder, self._progress = service, folder, progress
        self._app = create_app(service, hosts=None)

    async def write(self, comparison: Answer | None = None) -> About:
        """Write all files except the pages. Return the contents of the site, from which the pages are made."""
        shutil.copytree(pages_folder() / "site", self._folder / "site")
        shutil.copy(pages_folder() / "icon.svg", self._folder / "icon.svg")
        self._write_answers("/viewer", {"/viewer": built_file(VIEWER).read_text(encoding="utf-8")})
        lab = {**json.loads(await self._text("/lab")), "comparison": comparison}
        self._write_answers("/lab", {"/lab": json.dumps(lab)})
        await self._store("/names")
        experiments = await self._list("/experiments", "experiments")
        for experiment in experiments:
            await self._store(f"/experiments/{experiment['id']}")
            await self._store(f"/experiments/{experiment['id']}/citation")
            if experiment["kind"] == SIMULATION and not experiment["finished"]:
                await self._simulation(f"/experiments/{experiment['id']}")
        games = (await self._store_list("/games", "games", [], _LIST_PAGE, [("instruments", "true")]))["games"]
        await self._games([game["id"] for game in games])
        await self._list("/messages", "messages")
        await self._list("/quotes", "lines")
        studies = (await self._store("/studies"))["studies"]
        boards = {study["kind"]: await self._study(study) for study in studies}
        return About(experiments, games, studies, boards)

    async def _simulation(self, path: str) -> None:
        """Write the results of a simulation. Its games are left out, since only a server can play them when they are
        opened."""
        detail = {**json.loads(await self._text(f"{path}/simulation")), "openings": 0}
        self._write_answers(f"{path}/simulation", {f"{path}/simulation": json.dumps(detail)})
        for chart in detail["charts"]:
            await self._store(f"{path}/charts/{chart['name']}")

    async def _games(self, ids: Sequence[str]) -> None:
        courses = {}
        for game in ids:
            path = f"/games/{game}"
            parts = (path, f"{path}/record", f"{path}/citation")
            self._write_answers(path, {address: await self._text(address) for address in parts})
            courses[f"{path}/course"] = await self._text(f"{path}/course")
            self._progress()
        self._write_answers(COURSES, courses)

    async def _study(self, study: Answer) -> Answer:
        """Write the results of a study: for all its games, for each experiment, and for games with other rules. Return
        the leaderboard or the scores of the study."""
        kind = study["kind"]
        scopes: list[list[tuple[str, str]]] = [
            [],
            *([("experiment", experiment["id"])] for experiment in study["experiments"]),
        ]
        first: Answer = {}
        for scope in scopes:
            query = [("kind", kind), *scope]
            # Every player has a page, including people, and players who occur only on boards with other rules.
            others = () if scope else study["players"]
            if study["subjects"]:
                board = await self._subjects(query, scope, others)
            else:
                board = await self._board(query, charts=True)
                for player in others:
                    await self._store(f"/players/{player}", query)
            first = first or board
            # A leaderboard with other rules has a link back to this leaderboard, which is identified by its rules.
            other_rules = [other["rules"] for other in board.get("others", ())]
            for place, rules in enumerate([board["rules"], *other_rules] if other_rules else ()):
                await self._board([*query, ("rules", rules)], charts=place < _MAX_CHARTED_BOARDS)
                if study["pairs"]:
                    await self._store("/payoffs", [*query, ("rules", rules)])
            if study["pairs"]:
                await self._store("/payoffs", query)
        method = await self._store("/method", [("kind", kind)])
        for table in method["tables"]:
            for ending in ("csv", "parquet"):
                content = await self._bytes(f"/tables/{table['name']}/file", [("kind", kind), ("format", ending)])
                _write(self._folder / "tables" / slug(kind) / f"{table['name']}.{ending}", content)
        return first

    async def _board(self, query: list[tuple[str, str]], *, charts: bool) -> Answer:
        board = await self._store("/ratings", query)
        await self._store("/conclusions", query)
        await self._store("/citation", query)
        await self._charts(query, charts=charts)
        return board

    async def _charts(self, query: list[tuple[str, str]], *, charts: bool) -> None:
        catalogue = json.loads(await self._text("/charts", query))
        if not charts:
            catalogue["sections"] = []
        name = request_name("/charts", query)
        self._write_answers(name, {name: json.dumps(catalogue)})
        for section in catalogue["sections"]:
            for chart in section["charts"]:
                await self._store(f"/charts/{chart['name']}", query)

    async def _subjects(
        self, query: list[tuple[str, str]], scope: list[tuple[str, str]], others: Iterable[str]
    ) -> Answer:
        scores = await self._store_list("/scores", "rows", query, _SUBJECT_PAGE)
        for subject in dict.fromkeys([*(row["subject"] for row in scores["rows"]), *others]):
            for parameters in (query, scope):  # Links to a card may or may not name its family.
                await self._store(f"/scores/{subject}", parameters)
        await self._store("/citation", query)
        await self._charts(query, charts=True)
        return scores

    async def _list(self, path: str, name: str) -> list[Answer]:
        entries: list[Answer] = (await self._store_list(path, name, [], _LIST_PAGE))[name]
        return entries

    async def _store_list(
        self, path: str, name: str, query: list[tuple[str, str]], limit: int, more: Sequence[tuple[str, str]] = ()
    ) -> Answer:
        """Write a complete list as one reply and return it. The pages of the site search this list and divide it into
        pages themselves. The requests have `more` parameters, which are not part of the name of the reply."""
        complete: Answer = {}
        for place in count(0, limit):
            parameters = [*query, *more, ("offset", str(place)), ("limit", str(limit))]
            page = json.loads(await self._text(path, parameters))
            complete = {**complete, name: [*complete[name], *page[name]]} if complete else page
            if place + limit >= page["total"]:
                break
        request = request_name(path, query)
        self._write_answers(request, {request: json.dumps(complete)})
        return complete

    async def _store(self, path: str, query: Sequence[tuple[str, str]] = ()) -> Answer:
        """Write a reply unchanged and return it."""
        text, request = await self._text(path, query), request_name(path, query)
        self._write_answers(holder(request), {request: text})
        answer: Answer = json.loads(text)
        return answer

    def _write_answers(self, name: str, answers: dict[str, str]) -> None:
        """Write replies as a script. They are encoded, so that their contents cannot be executed."""
        packed = base64.b64encode(gzip.compress(json.dumps(answers).encode(), mtime=0)).decode()
        path = self._folder / file_of(name)
        _write(path, f'ostrom("{path.stem}","{packed}");\n'.encode())

    async def _text(self, path: str, query: Sequence[tuple[str, str]] = ()) -> str:
        return (await self._bytes(path, query)).decode()

    async def _bytes(self, path: str, query: Sequence[tuple[str, str]] = ()) -> bytes:
        return await _request(self._app, f"/api{path}", query)


async def _request(app: FastAPI, path: str, query: Sequence[tuple[str, str]]) -> bytes:
    """Return the application's reply to a request; raise `InputError` if it is refused."""
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
