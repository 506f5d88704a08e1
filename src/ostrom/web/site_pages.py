"""The pages and file names of a published site. The site has a start page, and a page for each game, player and
experiment. Each of the latter redirects to the application and has the metadata for link previews."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ostrom.analysis.study import NothingLeft, Study, SubjectStudy
from ostrom.charts import render
from ostrom.charts.catalogue import catalogue_of, draw_picture, subject_charts
from ostrom.charts.palette import INK, PAPER, SOFT
from ostrom.charts.standings import RATINGS, ratings_frame
from ostrom.core import InputError
from ostrom.core.outlets import legible
from ostrom.core.text import number_of
from ostrom.web.api.ratings import standings
from ostrom.web.api.studies import Filters, choose, find_study
from ostrom.web.api.tables import score_subjects, select_subjects
from ostrom.web.service import Service

PAGE_FOLDERS: Final = ("compare", "method", "experiments", "games", "players", "subjects")
COMPARISON: Final = "comparison"
"""The folder of the comparison of two experiments."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""The security policy of pages. They may load only files of this site, from a server or from disk."""
_PREVIEW_WIDTH: Final = 1200
_PREVIEW_HEIGHT: Final = 630
_MAX_TEXT_CHARACTERS: Final = 200


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
    kind: str
    """The kind of games that the page's preview shows."""
    route: str
    """The address within the application to which the page redirects."""


def write_pages(
    folder: Path, service: Service, about: About, title: str, description: str | None, url: str | None
) -> None:
    """Write all pages and their preview images."""
    (folder / "previews").mkdir()
    for study in about.studies:
        (folder / "previews" / f"{slug(study['kind'])}.png").write_bytes(_preview(service, study, title))
    first = about.studies[0]["kind"] if about.studies else ""
    summary = description or _description(about)
    opening = _Head("index.html", title, summary, first, "")
    (folder / "index.html").write_text(_page(opening, title, url), encoding="utf-8")
    for head in _heads(about, title, summary, service.player_names().of):
        path = folder / head.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(_page(head, title, url), encoding="utf-8")


def _heads(about: About, title: str, summary: str, name_of: Callable[[str], str]) -> Iterator[_Head]:
    first = about.studies[0]["kind"] if about.studies else ""
    by_game = {study["kind"]: study for study in about.studies}
    yield _Head("messages.html", "Messages", f"What players said in {title}, to be searched.", first, "messages")
    for study in about.studies:
        kind, name = study["kind"], study["title"]
        route = f"?kind={quote(kind)}"
        leaders = _leaders(about.boards.get(kind, {}))
        yield _Head(f"compare/{slug(kind)}.html", name, leaders or summary, kind, f"compare{route}")
        what = "definitions, provenance and tables"
        yield _Head(f"method/{slug(kind)}.html", f"{name}: method", f"{title}: {what}.", kind, f"method{route}")
        folder, noun = ("subjects", "subject") if study["subjects"] else ("players", "player")
        for player in study["players"]:
            words = _standing(about.boards.get(kind, {}), player) or f"A {noun} of {name}."
            target = f"{folder}/{quote(player, '')}{route}"
            yield _Head(f"{folder}/{slug(player)}.html", name_of(player), words, kind, target)
    for experiment in about.experiments:
        words = (
            f"{number_of(experiment['finished'], 'game')} between {number_of(len(experiment['players']), 'player')}."
        )
        route = f"experiments/{quote(experiment['id'], '')}"
        yield _Head(
            f"experiments/{slug(experiment['id'])}.html", experiment["name"] or experiment["id"], words, first, route
        )
    for game in about.games:
        kind = game["command"] if game["command"] in by_game else first
        words = f"A replay: {', '.join(map(name_of, game['players']))}."
        route = f"games/{quote(game['id'], '')}"
        yield _Head(f"games/{slug(game['id'])}.html", f"{game['title']} {game['id']}", words, kind, route)


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


def _page(head: _Head, site: str, url: str | None) -> str:
    """Return a page. The start page is the application, and all others redirect to it."""
    opening = not head.route
    up = "" if "/" not in head.path else "../"
    title, description = _shorten(head.title), _shorten(head.description)
    full = title if opening else f"{title} · {_shorten(site)}"
    base = None if url is None else url.rstrip("/")
    picture = f"previews/{slug(head.kind)}.png" if head.kind else ""
    facts = {
        "og:type": "website",
        "og:site_name": _shorten(site),
        "og:title": full,
        "og:description": description,
        "og:url": None if base is None else f"{base}/{'' if opening else head.path}",
        "og:image": (f"{up}{picture}" if base is None else f"{base}/{picture}") if picture else None,
        "og:image:width": str(_PREVIEW_WIDTH) if picture else None,
        "og:image:height": str(_PREVIEW_HEIGHT) if picture else None,
        "og:image:alt": f"Leaderboard of {_shorten(site)}" if picture else None,
    }
    lines = [f'<meta property="{name}" content="{escape(text)}">' for name, text in facts.items() if text]
    target = escape(f"{up}index.html#/{head.route}")
    body = (
        '<link rel="stylesheet" href="site/pages.css">\n</head>\n<body>\n<div id="app"></div>\n'
        "<noscript>These pages are drawn by a script of this site; allow it to see them. "
        'The tables are in the folder <a href="tables/">tables</a>.</noscript>\n'
        '<script src="site/pages.js"></script>\n</body>'
        if opening
        else f'<meta http-equiv="refresh" content="0; url={target}">\n</head>\n'
        f'<body>\n<p><a href="{target}">{escape(title)}</a></p>\n</body>'
    )
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">',
            f'<title>{escape(full)}</title>\n<meta name="description" content="{escape(description)}">',
            *lines,
            '<meta name="twitter:card" content="summary_large_image">',
            f'<link rel="icon" href="{up}icon.svg" type="image/svg+xml">',
            body,
            "</html>\n",
        ]
    )


def _shorten(text: str) -> str:
    return legible(" ".join(text.split()), most=_MAX_TEXT_CHARACTERS)


def _preview(service: Service, study: Mapping[str, Any], title: str) -> bytes:
    """Return an image of the leaderboard for link previews."""
    try:
        chart = _chart(service, study["kind"])
    except (NothingLeft, InputError):
        chart = ""
    inside = f'<svg x="60" y="120" width="1080" height="470" {chart.partition("<svg ")[2]}' if chart else ""
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_PREVIEW_WIDTH}" height="{_PREVIEW_HEIGHT}" '
        f'viewBox="0 0 {_PREVIEW_WIDTH} {_PREVIEW_HEIGHT}">'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        f'<text x="60" y="78" font-family="Liberation Sans" font-size="40" font-weight="bold" fill="{INK}">'
        f"{escape(_shorten(title)[:44])}</text>"
        f'<text x="1140" y="78" text-anchor="end" font-family="Liberation Sans" font-size="24" fill="{SOFT}">'
        f"{escape(_shorten(study['title'])[:30])}</text>{inside}</svg>"
    )
    return render.png(frame, scale=1)


def _chart(service: Service, kind: str) -> str:
    study = find_study(service, kind)
    if isinstance(study, SubjectStudy):
        selection = select_subjects(service, study, ())
        board = subject_charts(study).boards[0]
        return _without_size(render.svg(board.draw(score_subjects(service, selection, ()), selection.cast)))
    assert isinstance(study, Study)
    games = choose(service, Filters(kind))
    picture = catalogue_of(study).pictures[RATINGS]
    return _without_size(render.svg(draw_picture(picture, ratings_frame(standings(service, games)), games.cast)))


def _without_size(picture: str) -> str:
    """Return an SVG without its own width and height, so that its frame determines its size."""
    opening, _, rest = picture.partition(">")
    attributes = " ".join(part for part in opening.split(" ") if not part.startswith(("width=", "height=")))
    return f"{attributes}>{rest}"


# The following functions give the names of a site's files. frontend/src/site/names.ts has the same functions for
# reading the files.
_OFFSET: Final = 0xCBF29CE484222325
_PRIME: Final = 0x100000001B3
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_GAME: Final = re.compile(r"/games/([^\n]*?)(/record|/course)?", re.DOTALL)
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
