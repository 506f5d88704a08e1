"""Cards as pictures, and the pages to share. Such a page has the tags of its card, and opens the page of the game,
player, chart or finding. If the server needs a token, the pages to share say nothing, since anyone can read them."""

from collections.abc import Callable
from html import escape
from typing import Annotated, Any, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Path, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from ostrom.charts.card import Card, card_png
from ostrom.core.errors import InputError
from ostrom.web.api.games import Game
from ostrom.web.api.studies import AnyFilters, Filters
from ostrom.web.cards import chart_card, finding_card, game_card, player_card, simulation_card
from ostrom.web.link_tags import LinkFacts, link_tags, shorten
from ostrom.web.replies import address_of, service_of
from ostrom.web.service import Service

router = APIRouter(prefix="/cards", tags=["cards"])
pages = APIRouter(prefix="/share", include_in_schema=False)

_PNG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"image/png": {}}, "description": "The card."}}
Player = Annotated[str, Path(max_length=200)]
Chart = Annotated[str, Path(max_length=100)]
Number = Annotated[int, Path(ge=0, le=10**6)]
Experiment = Annotated[str, Path(max_length=200)]


async def _picture(request: Request, make: Callable[[Service], Card], *, ended: bool = True) -> Response:
    """Reply with a card as a PNG file. It is drawn once for each revision."""
    service = service_of(request)
    answers = service.studies.answers if ended else service.answers
    # The name differs from that of a reply, since cached replies are sent as JSON.
    body = await answers.answer(f"{address_of(request.scope)} card", lambda: card_png(make(service)))
    headers = {"ETag": body.tag, "Cache-Control": "no-cache"}
    if body.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body.plain, media_type="image/png", headers=headers)


@router.get("/games/{game}", response_class=Response, responses=_PNG)
async def card_of_game(request: Request, game: Game) -> Response:
    """Return the card of a game: its end, the results of its players and their course."""
    return await _picture(request, lambda service: game_card(service, game), ended=False)


@router.get("/players/{player:path}", response_class=Response, responses=_PNG)
async def card_of_player(request: Request, player: Player, filters: AnyFilters) -> Response:
    """Return the card of a player or a subject."""
    return await _picture(request, lambda service: player_card(service, player, filters))


@router.get("/charts/{name}", response_class=Response, responses=_PNG)
async def card_of_chart(request: Request, name: Chart, filters: AnyFilters) -> Response:
    """Return the card of a chart of the report."""
    return await _picture(request, lambda service: chart_card(service, name, filters))


@router.get("/findings/{number}", response_class=Response, responses=_PNG)
async def card_of_finding(request: Request, number: Number, filters: AnyFilters) -> Response:
    """Return the card of a finding, by its number from 0 among the findings of the report."""
    return await _picture(request, lambda service: finding_card(service, number, filters))


@router.get("/experiments/{experiment}", response_class=Response, responses=_PNG)
async def card_of_simulation(request: Request, experiment: Experiment) -> Response:
    """Return the card of a simulation."""
    return await _picture(request, lambda service: simulation_card(service, experiment))


@pages.get("/games/{game}")
async def share_game(request: Request, game: Game) -> Response:
    """Return the page to share for a game."""
    return await _page(request, f"games/{quote(game, '')}", lambda service: game_card(service, game))


@pages.get("/players/{player:path}")
async def share_player(request: Request, player: Player, filters: AnyFilters) -> Response:
    """Return the page to share for a player."""
    route = f"players/{quote(player, '')}{_query(filters)}"
    return await _page(request, route, lambda service: player_card(service, player, filters))


@pages.get("/subjects/{player:path}")
async def share_subject(request: Request, player: Player, filters: AnyFilters) -> Response:
    """Return the page to share for a subject."""
    route = f"subjects/{quote(player, '')}{_query(filters)}"
    return await _page(request, route, lambda service: player_card(service, player, filters), "players")


@pages.get("/charts/{name}")
async def share_chart(request: Request, name: Chart, filters: AnyFilters) -> Response:
    """Return the page to share for a chart."""
    route = f"compare{_query(filters, to=f'chart-{name}')}"
    return await _page(request, route, lambda service: chart_card(service, name, filters))


@pages.get("/findings/{number}")
async def share_finding(request: Request, number: Number, filters: AnyFilters) -> Response:
    """Return the page to share for a finding."""
    return await _page(request, f"compare{_query(filters)}", lambda service: finding_card(service, number, filters))


@pages.get("/experiments/{experiment}")
async def share_simulation(request: Request, experiment: Experiment) -> Response:
    """Return the page to share for a simulation."""
    route = f"experiments/{quote(experiment, '')}"
    return await _page(request, route, lambda service: simulation_card(service, experiment))


def _query(filters: Filters, **more: str) -> str:
    kind = {} if filters.kind is None else {"kind": filters.kind}
    parameters = {**kind, **more}
    return f"?{urlencode(parameters)}" if parameters else ""


async def _page(request: Request, route: str, make: Callable[[Service], Card], folder: str | None = None) -> Response:
    """Return a page that opens `route`, with the tags of its card if the server needs no token."""
    service, tags, title = service_of(request), list[str](), "Ostrom"
    if service.token is None:
        try:
            card = await run_in_threadpool(make, service)
        except InputError:
            pass  # The page that is opened says what is missing.
        else:
            title = shorten(card.heading)
            tags = link_tags(_facts(request, card, folder))
    target = escape(f"/#/{route}")
    lines = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        *tags,
        f'<meta http-equiv="refresh" content="0; url={target}">\n</head>',
        f'<body>\n<p><a href="{target}">{escape(title)}</a></p>\n</body>\n</html>\n',
    ]
    return HTMLResponse("\n".join(lines), headers={"Cache-Control": "no-cache"})


def _facts(request: Request, card: Card, folder: str | None) -> LinkFacts:
    base = f"{request.url.scheme}://{request.headers.get('host', '')}"
    _, _, kind, name = request.url.path.split("/", 3)
    query = f"?{request.url.query}" if request.url.query else ""
    image = f"{base}/api/cards/{folder or kind}/{quote(name)}{query}"
    title = card.heading if not card.sentences or card.rows else f"{card.heading}: {card.sentences[0]}"
    return LinkFacts("Ostrom", title, card.text or card.kicker, str(request.url), image, f"{card.heading}. {card.text}")
