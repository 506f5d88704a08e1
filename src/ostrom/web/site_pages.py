"""The pages and file names of a published site. The site has a start page, and a page for each game, player and
experiment. Each of the latter redirects to the application and has the metadata for link previews."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ostrom.analysis.study import NothingLeft
from ostrom.charts.card import Card, card_png
from ostrom.core import InputError
from ostrom.core.text import number_of
from ostrom.journal.schema import SIMULATION
from ostrom.web.api.charts import catalogue
from ostrom.web.api.studies import Filters
from ostrom.web.cards import board_card, chart_card, finding_card, game_card, player_card, simulation_card
from ostrom.web.link_tags import LinkFacts, link_tags, shorten
from ostrom.web.service import Service

PAGE_FOLDERS: Final = ("compare", "method", "experiments", "games", "players", "subjects", "charts", "findings")
COMPARISON: Final = "comparison"
"""The folder of the comparison of two experiments."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""The security policy of pages. They may load only files of this site, from a server or from disk."""


@dataclass(frozen=True)
class About:
    """The contents of a site, in the form in which the API describes them."""

    experiments: Sequence[Mapping[str, Any]]
    games: Sequence[Mapping[str, Any]]
    studies: Sequence[Mapping[str, Any]]
    boards: Mapping[str, Mapping[str, Any]]
    """The leaderboard or the scores of each kind of game, by the name of the kind of game."""


class _Head(NamedTuple):
    """The metadata of a page."""

    path: str
    """The path of the page within the site."""
    title: str
    description: str
    picture: str
    """The path of the card within the site; empty if there is none."""
    route: str
    """The address within the application to which the page redirects."""
    card: Callable[[Service], Card] | None = None
    """The page's own card."""
    words: str = ""
    """The card in words."""


def write_pages(
    folder: Path, service: Service, about: About, title: str, description: str | None, url: str | None
) -> None:
    """Write all pages. Their cards are written if the site's address is known, since link previews need it."""
    base = None if url is None else url.rstrip("/")
    (folder / "previews").mkdir()
    for study in about.studies:
        (folder / "previews" / f"{slug(study['kind'])}.png").write_bytes(_preview(service, study, title))
    first = about.studies[0]["kind"] if about.studies else ""
    summary = description or _description(about)
    opening = _Head("index.html", title, summary, _preview_of(first), "")
    (folder / "index.html").write_text(_page(opening, title, base), encoding="utf-8")
    embedded = _document(shorten(title), [], _application(" data-embedded"))
    (folder / "embed.html").write_text(embedded, encoding="utf-8")
    heads = _heads(about, title, summary, service.player_names().of)
    for head in heads if base is None else chain(heads, _shared_heads(service, about)):
        shown = head if base is None or head.card is None else _write_card(folder, service, head)
        path = folder / head.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(_page(shown, title, base), encoding="utf-8")


def _write_card(folder: Path, service: Service, head: _Head) -> _Head:
    """Write the card of a page; return the page's metadata with it. Without a card, the page keeps the leaderboard."""
    assert head.card is not None
    try:
        card = head.card(service)
    except InputError:
        return head
    path = folder / "cards" / f"{head.path.removesuffix('.html')}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(card_png(card))
    picture = path.relative_to(folder).as_posix()
    title = head.title if card.sentences and not card.rows else card.heading
    description = card.text or head.description
    return head._replace(picture=picture, title=title, description=description, words=f"{card.heading}. {card.text}")


def _preview_of(kind: str) -> str:
    """Return the card of the leaderboard of a kind of game, within the site."""
    return f"previews/{slug(kind)}.png" if kind else ""


def _shared_heads(service: Service, about: About) -> Iterator[_Head]:
    """Yield a page to share for each chart and each finding."""
    for study in about.studies:
        filters, route = Filters(study["kind"]), f"compare?kind={quote(study['kind'])}"
        report = catalogue(service, filters)
        boards = [chart for section in report.sections for chart in section.charts if section.anchor != "cards"]
        for chart in boards:
            yield _Head(
                f"charts/{slug(study['kind'])}-{slug(chart.name)}.html",
                chart.heading,
                chart.definition,
                _preview_of(study["kind"]),
                f"{route}&to={quote(f'chart-{chart.name}', '')}",
                partial(chart_card, name=chart.name, filters=filters),
            )
        for number, finding in enumerate(report.findings):
            yield _Head(
                f"findings/{slug(study['kind'])}-{number}.html",
                finding,
                study["title"],
                _preview_of(study["kind"]),
                route,
                partial(finding_card, number=number, filters=filters),
            )


def _heads(about: About, title: str, summary: str, name_of: Callable[[str], str]) -> Iterator[_Head]:
    first = about.studies[0]["kind"] if about.studies else ""
    by_game = {study["kind"]: study for study in about.studies}
    yield _Head(
        "messages.html", "Messages", f"What players said in {title}, to be searched.", _preview_of(first), "messages"
    )
    for study in about.studies:
        kind, name = study["kind"], study["title"]
        route = f"?kind={quote(kind)}"
        leaders = _leaders(about.boards.get(kind, {}))
        yield _Head(f"compare/{slug(kind)}.html", name, leaders or summary, _preview_of(kind), f"compare{route}")
        what = "definitions, provenance and tables"
        yield _Head(
            f"method/{slug(kind)}.html", f"{name}: method", f"{title}: {what}.", _preview_of(kind), f"method{route}"
        )
        folder, noun = ("subjects", "subject") if study["subjects"] else ("players", "player")
        for player in study["players"]:
            words = _standing(about.boards.get(kind, {}), player) or f"A {noun} of {name}."
            target = f"{folder}/{quote(player, '')}{route}"
            own = partial(player_card, player=player, filters=Filters(kind))
            yield _Head(f"{folder}/{slug(player)}.html", name_of(player), words, _preview_of(kind), target, own)
    for experiment in about.experiments:
        words = (
            f"{number_of(experiment['finished'], 'game')} between {number_of(len(experiment['players']), 'player')}."
        )
        route = f"experiments/{quote(experiment['id'], '')}"
        name = experiment["name"] or experiment["id"]
        card = partial(simulation_card, experiment=experiment["id"]) if experiment["kind"] == SIMULATION else None
        yield _Head(f"experiments/{slug(experiment['id'])}.html", name, words, _preview_of(first), route, card)
    for game in about.games:
        kind = game["command"] if game["command"] in by_game else first
        words = f"A replay: {', '.join(map(name_of, game['players']))}."
        route = f"games/{quote(game['id'], '')}"
        replay = partial(game_card, name=game["id"])
        yield _Head(
            f"games/{slug(game['id'])}.html", f"{game['title']} {game['id']}", words, _preview_of(kind), route, replay
        )


def _description(about: About) -> str:
    kinds = ", ".join(f"{number_of(study['games'], 'game')} of {study['title']}" for study in about.studies)
    leaders = _leaders(about.boards.get(about.studies[0]["kind"], {})) if about.studies else ""
    return (
        f"{kinds or number_of(len(about.games), 'game')}, with leaderboard, charts and every replay. {leaders}".strip()
    )


def _leaders(board: Mapping[str, Any]) -> str:
    """Return the names of the players in the first tier; none if there are no ratings."""
    rows = [row for row in board.get("rows", ()) if row.get("tier") == 1]
    if not rows:
        return ""
    names = ", ".join(row["label"] for row in rows[:4])
    return f"First tier: {names}{' and others' if len(rows) > 4 else ''}."


def _standing(board: Mapping[str, Any], player: str) -> str:
    for row in board.get("rows", ()):
        if row.get("player") == player and "place" in row:
            tier = "" if row["tier"] is None else f", tier {row['tier']}"
            return f"Place {row['place']} of {len(board['rows'])}{tier}, over {number_of(row['games'], 'game')}."
    return ""


def _page(head: _Head, site: str, base: str | None) -> str:
    """Return a page. The start page is the application, and all others redirect to it."""
    opening = not head.route
    up = "" if "/" not in head.path else "../"
    title = shorten(head.title)
    full = title if opening else f"{title} · {shorten(site)}"
    image = head.picture and base and f"{base}/{head.picture}"
    address = base and f"{base}/{'' if opening else head.path}"
    facts = LinkFacts(site, full, head.description, address, image or None, head.words or f"Leaderboard of {site}")
    target = escape(f"{up}index.html#/{head.route}")
    redirect = (
        f'<meta http-equiv="refresh" content="0; url={target}">\n</head>\n'
        f'<body>\n<p><a href="{target}">{escape(title)}</a></p>\n</body>'
    )
    body = _application() if opening else redirect
    lines = [f'<meta name="description" content="{escape(shorten(head.description))}">', *link_tags(facts)]
    return _document(full, lines, f'<link rel="icon" href="{up}icon.svg" type="image/svg+xml">\n{body}')


def _application(embedded: str = "") -> str:
    """Return the rest of a page that is the application, or only a replay or a chart for frames of other sites."""
    return (
        f'<link rel="stylesheet" href="site/pages.css">\n</head>\n<body>\n<div id="app"{embedded}></div>\n'
        "<noscript>These pages are drawn by a script of this site; allow it to see them. "
        'The tables are in the folder <a href="tables/">tables</a>.</noscript>\n'
        '<script src="site/pages.js"></script>\n</body>'
    )


def _document(title: str, head: Sequence[str], rest: str) -> str:
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">',
            f"<title>{escape(title)}</title>",
            *head,
            rest,
            "</html>\n",
        ]
    )


def _preview(service: Service, study: Mapping[str, Any], title: str) -> bytes:
    """Return the card of a site: its leaderboard."""
    try:
        card = board_card(service, study["kind"])
    except (NothingLeft, InputError):
        card = Card(study["title"], title)
    return card_png(replace(card, kicker=study["title"], heading=title))


# The following functions give the names of a site's files. frontend/src/site/names.ts has the same functions for
# reading the files.
_OFFSET: Final = 0xCBF29CE484222325
_PRIME: Final = 0x100000001B3
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_GAME: Final = re.compile(r"/games/([^\n]*?)(/record|/course|/citation)?", re.DOTALL)
COURSES: Final = "/courses"

Query = Iterable[tuple[str, str]]


def digest(text: str) -> str:
    """Return the 64-bit FNV-1a hash of a text as 16 hexadecimal digits."""
    value = _OFFSET
    # Half of a character is replaced by U+FFFD, as browsers do.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    for byte in whole.encode():
        value = (value ^ byte) * _PRIME & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def request_name(path: str, query: Query = ()) -> str:
    """Return the name of a request: its path and its sorted parameters, one per line, without encoding."""
    return "\n".join([path, *sorted(f"{name}={value}" for name, value in query)])


def holder(request: str) -> str:
    """Return the request after which the file with the reply to this request is named. Replies that are read together
    are in one file."""
    game = _GAME.fullmatch(request)
    if game is None:
        return request
    return COURSES if game[2] == "/course" else f"/games/{game[1]}"


def file_of(holder_name: str) -> str:
    """Return the file in which the reply to such a request is stored, within the site."""
    return f"data/{holder_name.partition(chr(10))[0].split('/')[1]}/{digest(holder_name)}.js"


def slug(name: str) -> str:
    """Return a readable form of a name for use in an address. Different names have different forms."""
    if _PLAIN.fullmatch(name):
        return name
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{words or 'n'}-{digest(name)[:8]}"
