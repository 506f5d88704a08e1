"""The pages of a published site: the one that opens it, and one for each game, player and experiment that leads there
and says in its head, to whoever shows a preview of a link, what it is about."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ostrom.analysis.study import NothingLeft, Study, SubjectStudy
from ostrom.charts import render
from ostrom.charts.catalogue import catalogue_of, draw_picture, subject_charts
from ostrom.charts.standings import RATINGS, ratings_frame
from ostrom.core import InputError
from ostrom.core.outlets import legible
from ostrom.core.text import number_of
from ostrom.web.api.ratings import standings
from ostrom.web.api.studies import Filters, choose, study_meant
from ostrom.web.api.subjects import all_scored, asked
from ostrom.web.service import Service
from ostrom.web.site_names import slug

PAGE_FOLDERS: Final = ("compare", "method", "experiments", "games", "players", "subjects")
_POLICY: Final = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
"""What a page may load: files of this site, from a server or from disk."""
_WIDE, _HIGH = 1200, 630
"""The size of a preview that all who show one take."""
_LONGEST: Final = 200


@dataclass(frozen=True)
class About:
    """What a site holds, as the API has it."""

    experiments: Sequence[Mapping[str, Any]]
    games: Sequence[Mapping[str, Any]]
    studies: Sequence[Mapping[str, Any]]
    boards: Mapping[str, Mapping[str, Any]]
    """By kind: the leaderboard, or the scores."""


class _Head(NamedTuple):
    """What a page says of itself."""

    path: str
    """Within the site."""
    title: str
    description: str
    kind: str
    """The study whose picture it shows."""
    route: str
    """The address within the pages that it leads to."""


def write_pages(
    folder: Path, service: Service, about: About, title: str, description: str | None, url: str | None
) -> None:
    """Write all pages and their preview pictures."""
    (folder / "previews").mkdir()
    for study in about.studies:
        (folder / "previews" / f"{slug(study['kind'])}.png").write_bytes(_preview(service, study, title))
    first = about.studies[0]["kind"] if about.studies else ""
    said = description or _description(about)
    opening = _Head("index.html", title, said, first, "")
    (folder / "index.html").write_text(_page(opening, title, url), encoding="utf-8")
    for head in _heads(about, title, said, service.player_names().of):
        path = folder / head.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(_page(head, title, url), encoding="utf-8")


def _heads(about: About, title: str, said: str, name_of: Callable[[str], str]) -> Iterator[_Head]:
    first = about.studies[0]["kind"] if about.studies else ""
    by_game = {study["kind"]: study for study in about.studies}
    yield _Head("messages.html", "Messages", f"What players said in {title}, to be searched.", first, "messages")
    for study in about.studies:
        kind, name = study["kind"], study["title"]
        route = f"?kind={quote(kind)}"
        leaders = _leaders(about.boards.get(kind, {}))
        yield _Head(f"compare/{slug(kind)}.html", name, leaders or said, kind, f"compare{route}")
        what = "definitions, provenance and tables"
        yield _Head(f"method/{slug(kind)}.html", f"{name}: method", f"{title}: {what}.", kind, f"method{route}")
        folder, noun = ("subjects", "subject") if study["subjects"] else ("players", "player")
        for player in study["players"]:
            words = _standing(about.boards.get(kind, {}), player) or f"A {noun} of {name}."
            way = f"{folder}/{quote(player, '')}{route}"
            yield _Head(f"{folder}/{slug(player)}.html", name_of(player), words, kind, way)
    for one in about.experiments:
        words = f"{number_of(one['finished'], 'game')} between {number_of(len(one['players']), 'player')}."
        route = f"experiments/{quote(one['id'], '')}"
        yield _Head(f"experiments/{slug(one['id'])}.html", one["name"] or one["id"], words, first, route)
    for game in about.games:
        kind = game["command"] if game["command"] in by_game else first
        words = f"A replay: {', '.join(map(name_of, game['players']))}."
        route = f"games/{quote(game['id'], '')}"
        yield _Head(f"games/{slug(game['id'])}.html", f"{game['title']} {game['id']}", words, kind, route)


def _description(about: About) -> str:
    kinds = ", ".join(f"{number_of(one['games'], 'game')} of {one['title']}" for one in about.studies)
    leaders = _leaders(about.boards.get(about.studies[0]["kind"], {})) if about.studies else ""
    return (
        f"{kinds or number_of(len(about.games), 'game')}, with leaderboard, charts and every replay. {leaders}".strip()
    )


def _leaders(board: Mapping[str, Any]) -> str:
    """Who shares the first tier; nothing where nobody is rated."""
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
    """A page. The first is the application; every other one sends its reader there."""
    opening = not head.route
    up = "" if "/" not in head.path else "../"
    title, description = _shown(head.title), _shown(head.description)
    full = title if opening else f"{title} · {_shown(site)}"
    base = None if url is None else url.rstrip("/")
    picture = f"previews/{slug(head.kind)}.png" if head.kind else ""
    facts = {
        "og:type": "website",
        "og:site_name": _shown(site),
        "og:title": full,
        "og:description": description,
        "og:url": None if base is None else f"{base}/{'' if opening else head.path}",
        "og:image": (f"{up}{picture}" if base is None else f"{base}/{picture}") if picture else None,
        "og:image:width": str(_WIDE) if picture else None,
        "og:image:height": str(_HIGH) if picture else None,
        "og:image:alt": f"Leaderboard of {_shown(site)}" if picture else None,
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


def _shown(text: str) -> str:
    return legible(" ".join(text.split()), most=_LONGEST)


def _preview(service: Service, study: Mapping[str, Any], title: str) -> bytes:
    """The leaderboard as a picture for links: the chart within a frame of the size that previews have."""
    try:
        chart = _chart(service, study["kind"])
    except (NothingLeft, InputError):
        chart = ""
    inside = f'<svg x="60" y="120" width="1080" height="470" {chart.partition("<svg ")[2]}' if chart else ""
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}">'
        f'<rect width="100%" height="100%" fill="{render.PAPER}"/>'
        f'<text x="60" y="78" font-family="Liberation Sans" font-size="40" font-weight="bold" fill="{render.INK}">'
        f"{escape(_shown(title)[:44])}</text>"
        f'<text x="1140" y="78" text-anchor="end" font-family="Liberation Sans" font-size="24" fill="{render.SOFT}">'
        f"{escape(_shown(study['title'])[:30])}</text>{inside}</svg>"
    )
    return render.png(frame, scale=1)


def _chart(service: Service, kind: str) -> str:
    study = study_meant(service, kind)
    if isinstance(study, SubjectStudy):
        found = asked(service, study, ())
        board = subject_charts(study).boards[0]
        return _sized(render.svg(board.draw(all_scored(service, found, ()), found.cast)))
    assert isinstance(study, Study)
    chosen = choose(service, Filters(kind))
    picture = catalogue_of(study).pictures[RATINGS]
    return _sized(render.svg(draw_picture(picture, ratings_frame(standings(service, chosen)), chosen.cast)))


def _sized(picture: str) -> str:
    """An SVG without a width and a height of its own, so that its frame gives them."""
    opening, _, rest = picture.partition(">")
    kept = " ".join(part for part in opening.split(" ") if not part.startswith(("width=", "height=")))
    return f"{kept}>{rest}"
