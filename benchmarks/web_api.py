"""How soon `ostrom serve` answers, with fifty readers at once who wait for nothing but the answer: every GET route of
the API with varying parameters, over 580 imported games and an experiment of 100,000 events in one journal.

The peer, measured in the same run with the same readers, is a bare FastAPI application under uvicorn that answers with
constants of the same sizes. Before, every address is asked for once, of a server that was just started: the first and
the worst time of each route are those. Addresses with a random place in a long list are new whenever they are asked
for. Servers and readers share this machine."""

import argparse
import asyncio
import json
import platform
import random
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any
from urllib.parse import quote, urlencode

from rich.console import Console
from rich.table import Table
from served_journal import GAMES, POSTGRES, SUBJECTS, filled, served, store_at

STREAMS = ("/api/live", "/api/games/{game}/live", "/api/seat/live")
"""These never end, and are no calls that are answered."""
OTHERS = ("/api/seat",)
"""This wants the token of a seat."""

Address = Callable[[random.Random], str]


# The addresses.


@dataclass
class Known:
    """What is in the journal, as far as addresses name it."""

    experiments: list[str]
    games: dict[str, list[str]]
    """The ids of some games, by the game's name."""
    players: list[str]
    charts: dict[str, list[str]]
    tables: dict[str, list[dict[str, Any]]]


def addresses(known: Known) -> dict[str, tuple[list[str], Address | None]]:
    """For each route the addresses that readers come back to, and what makes a new one where there are many."""
    base = "/api"
    some = [game for games in known.games.values() for game in games]
    filters: list[dict[str, str]] = [
        {},
        {"messages": "on"},
        {"experiment": known.experiments[0]},
        {"player": known.players[0]},
    ]
    kinds = [*(("punish", one) for one in filters), ("commons", {}), ("commons", {"defaulted": "games"})]
    words = ("fair", "cooperate", "$10", "punish", "together", "P3", "trust", "all in")

    def at(path: str, **query: object) -> str:
        return f"{base}{path}?{urlencode(query)}" if query else f"{base}{path}"

    def table(chance: random.Random) -> str:
        kind = chance.choice(("punish", "commons"))
        one = chance.choice(known.tables[kind])
        return at(f"/tables/{one['name']}", kind=kind, offset=chance.randrange(one["rows"] + 1), limit=100)

    return {
        "/lab": ([at("/lab")], None),
        "/experiments": ([at("/experiments"), at("/experiments", limit=2)], None),
        "/experiments/{experiment}": ([at(f"/experiments/{one}") for one in known.experiments], None),
        "/experiments/{experiment}/seats": ([at(f"/experiments/{one}/seats") for one in known.experiments], None),
        "/games": (
            [at("/games"), at("/games", experiment=known.experiments[0], limit=50), at("/games", state="finished")],
            lambda chance: at("/games", offset=chance.randrange(GAMES), limit=50),
        ),
        "/games/{game}": ([at(f"/games/{one}") for one in some], None),
        "/games/{game}/course": ([at(f"/games/{one}/course") for one in some], None),
        "/games/{game}/record": ([at(f"/games/{one}/record") for one in some], None),
        "/games/{game}/events": (
            [at(f"/games/{one}/events") for one in some],
            lambda chance: at(f"/games/{chance.choice(some)}/events", first=chance.randrange(90), limit=100),
        ),
        "/studies": ([at("/studies")], None),
        "/ratings": ([at("/ratings", kind=kind, **query) for kind, query in kinds], None),
        "/charts": ([at("/charts", kind=kind, **query) for kind, query in [*kinds, ("battery", {})]], None),
        "/charts/{name}": (
            [at(f"/charts/{name}", kind=kind) for kind, names in known.charts.items() for name in names],
            None,
        ),
        "/tables": ([at("/tables", kind=kind, **query) for kind, query in kinds], None),
        "/tables/{name}": (
            [at(f"/tables/{one['name']}", kind=kind) for kind, all_ in known.tables.items() for one in all_],
            table,
        ),
        "/scores": ([at("/scores"), at("/scores", limit=2)], None),
        "/scores/{subject}": ([at(f"/scores/{quote(one)}") for one in SUBJECTS], None),
        "/payoffs": ([at("/payoffs"), *(at("/payoffs", experiment=one) for one in known.experiments[:2])], None),
        "/messages": (
            [at("/messages"), *(at("/messages", text=word) for word in words)],
            lambda chance: at(
                "/messages",
                text=chance.choice(words),
                promise=chance.choice(("any", "made", "kept", "broken")),
                offset=chance.randrange(200),
            ),
        ),
    }


# The readers.


class Reader:
    """One connection that stays open. It does as little as a client can, or readers would wait for each other here and
    not for the server."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> "Reader":
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._out.close()

    async def get(self, address: str) -> tuple[int, bytes]:
        """The status and the body as it came, packed where the server packs."""
        self._out.write(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        head = await self._in.readuntil(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
        if length is None:
            raise RuntimeError(f"{address} has an answer without a length")
        return int(head[9:12]), await self._in.readexactly(int(length[1]))


@dataclass
class Times:
    """How long the answers of each route took, in seconds, and how large they were."""

    by_route: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sizes: list[int] = field(default_factory=list)


async def read_all(port: int, routes: dict[str, tuple[list[str], Address | None]]) -> Times:
    """Every address once, one after the other."""
    times = Times()
    async with Reader(port) as reader:
        for route, (fixed, _) in routes.items():
            for address in fixed:
                await _timed(reader, route, address, times)
    return times


async def read_for(
    port: int, routes: dict[str, tuple[list[str], Address | None]], readers: int, seconds: float
) -> Times:
    """So many readers at once, each of whom goes round all routes for as long."""
    times = Times()

    async def one(number: int) -> None:
        chance = random.Random(number)
        until = time.perf_counter() + seconds
        async with Reader(port) as reader:
            while time.perf_counter() < until:
                for route in chance.sample(list(routes), len(routes)):
                    fixed, new = routes[route]
                    address = new(chance) if new is not None and chance.random() < 0.5 else chance.choice(fixed)
                    await _timed(reader, route, address, times)

    await asyncio.gather(*(one(number) for number in range(readers)))
    return times


async def _timed(reader: Reader, route: str, address: str, times: Times) -> None:
    started = time.perf_counter()
    status, body = await reader.get(address)
    times.by_route[route].append(time.perf_counter() - started)
    times.sizes.append(len(body))
    if status != 200:
        raise RuntimeError(f"{address} was answered with {status}: {body[:200]!r}")


# The servers.


def peer(port: int) -> None:
    """Serve constants with nothing but FastAPI and uvicorn, as the lab is served."""
    import uvicorn
    from fastapi import FastAPI, Response

    app = FastAPI()

    @app.get("/constant/{size}")
    async def constant(size: int) -> Response:
        return Response(b"x" * size, media_type="application/json")

    uvicorn.run(app, port=port, log_config=None, access_log=False)


async def known_of(port: int) -> Known:
    """What the server says that it has."""

    async def get(address: str) -> Any:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        writer.write(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        whole = await reader.read()
        writer.close()
        return json.loads(whole.partition(b"\r\n\r\n")[2])

    paths = [path for path, verbs in (await get("/api/openapi.json"))["paths"].items() if "get" in verbs]
    listed = (await get("/api/experiments"))["experiments"]
    games = {one: (await get(f"/api/games?game={one}&limit=12"))["games"] for one in ("contribute_punish", "commons")}
    studies = (await get("/api/studies"))["studies"]
    charts, tables = {}, {}
    for study in studies:
        kind = study["kind"]
        sections = (await get(f"/api/charts?kind={kind}"))["sections"]
        charts[kind] = [chart["name"] for section in sections for chart in section["charts"]]
        tables[kind] = (await get(f"/api/tables?kind={kind}"))["tables"]
    known = Known(
        experiments=[one["id"] for one in listed],
        games={name: [row["id"] for row in rows] for name, rows in games.items()},
        players=studies[0]["players"],
        charts=charts,
        tables=tables,
    )
    covered = {re.sub(r"\{\w+\}", "{}", f"/api{route}") for route in addresses(known)}
    missing = [path for path in paths if path not in STREAMS + OTHERS and re.sub(r"\{\w+\}", "{}", path) not in covered]
    if missing:
        raise RuntimeError(f"nobody reads {', '.join(missing)}")
    return known


# What is measured.


def percentile(times: list[float], share: float) -> float:
    """So many of the times are shorter."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def measure(readers: int, seconds: float, store: str | None) -> dict[str, Any]:
    """Everything, as one document; the journal is made in the store, or found there."""
    with store_at(store) as url:
        contents = filled(url)
        ostrom = [sys.executable, "-m", "ostrom", "serve", "--store", url, "--port"]
        with served(ostrom) as port:
            # What there is must be asked for to name it; a server that was just started then gives the cold times.
            known = asyncio.run(known_of(port))
        routes = addresses(known)
        with served(ostrom) as port:
            cold = asyncio.run(read_all(port, routes))
            ours = asyncio.run(read_for(port, routes, readers, seconds))
        sizes = ours.sizes
        constants: dict[str, tuple[list[str], Address | None]] = {
            "constant": ([f"/constant/{size}" for size in random.Random(1).choices(sizes, k=500)], None)
        }
        with served([sys.executable, __file__, "--peer"]) as port:
            asyncio.run(read_for(port, constants, readers, min(seconds, 2)))
            theirs = asyncio.run(read_for(port, constants, readers, seconds))
    rows = {
        route: {
            "calls": len(times),
            "p50_ms": 1000 * percentile(times, 0.5),
            "p95_ms": 1000 * percentile(times, 0.95),
            "p99_ms": 1000 * percentile(times, 0.99),
            "cold_first_ms": 1000 * cold.by_route[route][0],
            "cold_worst_ms": 1000 * max(cold.by_route[route]),
        }
        for route, times in ours.by_route.items()
    }
    every = [time for times in ours.by_route.values() for time in times]
    constant = theirs.by_route["constant"]
    return {
        "store": url.partition(":")[0],
        **contents,
        "readers": readers,
        "seconds": seconds,
        "routes": rows,
        "worst_p95_ms": max(row["p95_ms"] for row in rows.values()),
        "calls_a_second": len(every) / seconds,
        "p50_ms": 1000 * percentile(every, 0.5),
        "p95_ms": 1000 * percentile(every, 0.95),
        "peer_calls_a_second": len(constant) / seconds,
        "peer_p50_ms": 1000 * percentile(constant, 0.5),
        "peer_p95_ms": 1000 * percentile(constant, 0.95),
        "times_the_peer": percentile(every, 0.95) / percentile(constant, 0.95),
        "median_bytes": statistics.median(sizes),
        "fastapi": version("fastapi"),
        "uvicorn": version("uvicorn"),
        "python": platform.python_version(),
    }


def show(document: dict[str, Any]) -> None:
    """The document as a table."""
    table = Table(
        title=f"{document['readers']} readers for {document['seconds']:g} s: {document['games']:,} games, "
        f"{document['events']:,} events in {document['store']}"
    )
    for heading in ("route", "calls", "p50 ms", "p95 ms", "p99 ms", "first", "worst"):
        table.add_column(heading, justify="left" if heading == "route" else "right")
    for route, row in sorted(document["routes"].items(), key=lambda item: -item[1]["p95_ms"]):
        figures = (row[name] for name in ("p50_ms", "p95_ms", "p99_ms", "cold_first_ms", "cold_worst_ms"))
        table.add_row(route, f"{row['calls']:,}", *(f"{figure:,.0f}" for figure in figures))
    console = Console()
    console.print(table)
    console.print(
        f"All calls: p50 {document['p50_ms']:.0f} ms, p95 {document['p95_ms']:.0f} ms, "
        f"{document['calls_a_second']:,.0f} a second. Constants of the same sizes from a bare FastAPI application: "
        f"p50 {document['peer_p50_ms']:.0f} ms, p95 {document['peer_p95_ms']:.0f} ms, "
        f"{document['peer_calls_a_second']:,.0f} a second; {document['times_the_peer']:.2f} times its p95.",
        highlight=False,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON in place of the table")
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument(
        "--store",
        metavar="URL",
        help=f"keep the journal here, and take it from here the next time; '{POSTGRES}' is a PostgreSQL server for "
        "this run alone. An SQLite file for this run alone, unless another one is given.",
    )
    parser.add_argument("--peer", type=int, metavar="PORT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer is not None:
        peer(options.peer)
        return
    document = measure(options.readers, options.seconds, options.store)
    if options.json:
        print(json.dumps(document))
    else:
        show(document)


if __name__ == "__main__":
    main()
