"""Games of the journal: a page of them, one of them, how it went, what happened in it."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from ostrom.analysis.highlights import HIGHLIGHTS, binned, course_of, winners_of
from ostrom.analysis.study import SubjectStudy, study_of_game
from ostrom.charts.palette import built_in_of, colour_of, dressed
from ostrom.core.errors import UnknownName
from ostrom.core.game import Game as AnyGame
from ostrom.core.plugins import GAMES
from ostrom.journal.game_lists import GameFilters, GameOrder, ListedSummary, Outcome
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord, record_text, with_tellings
from ostrom.journal.sql import Journal
from ostrom.web.replies import Shape, address_of, reply, sent, service_of
from ostrom.web.service import Service

GameState = Literal["playing", "finished", "void"]
Highlight = Literal["broken_promise", "ruin", "exclusion", "comeback", "defaulted", "unreadable"]


class GameItem(Shape):
    """A game without what happened in it."""

    id: str
    experiment: str
    key: str
    game: str
    """What records call it."""
    command: str
    """What the command line calls it."""
    title: str
    players: list[str]
    """By seat."""
    state: GameState
    rounds: int | None
    source: str | None
    reason: str | None
    """Why it is void, or does not go on for now."""


class ListedGame(GameItem):
    """A game in a list, with what was found in it."""

    winners: list[int]
    """The seats that ended best; empty while the game goes on, or where nobody has looked yet."""
    best: float | None
    """What they ended with."""
    highlights: list[Highlight]
    """What it is worth finding by."""
    course: list[float] | None
    """How it went, as of a `GameCourse`; missing where nobody has looked yet."""


class GameHead(GameItem):
    """A game with its rules and the number of its events so far."""

    clock: str
    """What its time is counted in: round, turn or question; empty where the game is not installed."""
    rules: dict[str, Any]
    labels: list[str]
    """By seat: P1, P2, …"""
    names: list[str]
    """By seat: what its player is called."""
    colours: list[str]
    """By seat: the colour of its player."""
    seed: str | None
    """As text: a browser's numbers do not hold every seed."""
    events: int
    calls: int
    """How many calls of models it took."""
    subject: str | None
    """Of a task of the battery, the subject whose card belongs to it."""


class GamePage(Shape):
    """Some of the games."""

    games: list[ListedGame]
    total: int
    offset: int
    unread: int
    """Finished games at which nobody has looked yet: filters and orders by what was found do not know them."""


class Beside(Shape):
    """The games before and after one in a list."""

    number: int
    """Its place, counted from 1; 0 where the list does not hold it."""
    total: int
    before: str | None
    after: str | None


class GameCourse(Shape):
    """How a game went, in a line."""

    cooperation: list[float]
    """By round or turn, the quantity that the game's scene names for this; of a long game, means of several turns."""
    finals: list[float | None]
    """By seat, what each held in the end, nothing of one who has none; empty while unknown."""
    winners: list[int]
    """Their seats."""


class EventPage(Shape):
    """Some of what happened in a game, in order."""

    events: list[dict[str, Any]]
    told: list[dict[str, Any]]
    """How each of them is told, as in a record; empty where its game is not installed."""
    first: int
    """The place of the first of them, counted from 0."""
    total: int
    state: GameState


@dataclass(frozen=True, slots=True)
class GameQuery:
    """Which games, and in which order; what is not given does not matter."""

    experiment: Annotated[str | None, Query(max_length=200, description="By its id or its name.")] = None
    player: Annotated[str | None, Query(max_length=200, description="A player at one of its seats.")] = None
    winner: Annotated[str | None, Query(max_length=200, description="A player that ended best, or tied for it.")] = None
    state: GameState | None = None
    outcome: Annotated[
        Outcome | None,
        Query(description="Finished, with one winner, with several who share it, void, or not over."),
    ] = None
    highlight: Annotated[
        tuple[Highlight, ...],
        Query(max_length=6, description="What happened in it; given several times, all of it."),
    ] = ()
    game: Annotated[
        str | None, Query(max_length=200, description="The game, named as on the command line or in records.")
    ] = None
    text: Annotated[
        str,
        Query(
            max_length=200,
            description="Words in the names of its players, in its id, key, source or reason, or in its experiment's.",
        ),
    ] = ""
    sort: Annotated[GameOrder, Query(description="What the list is sorted by.")] = "begun"
    direction: Annotated[Literal["down", "up"], Query(description="From the highest down, or from the lowest up.")] = (
        "down"
    )

    def filters(self, journal: Journal) -> GameFilters:
        """As the journal takes them."""
        return GameFilters(
            experiment=self.experiment,
            state=self.state,
            game=None if self.game is None else _recorded_name(journal, self.game),
            player=self.player,
            winner=self.winner,
            outcome=self.outcome,
            highlights=self.highlight,
            text=self.text,
        )


def _recorded_name(journal: Journal, game: str) -> str:
    """What records call the game of this name. One that is not installed is known by the games of the journal."""
    if game in GAMES:
        return game
    try:
        return GAMES.of_command(game).name
    except UnknownName:
        for name in journal.pages.kinds():
            if game in (name, command_of(name)):
                return name
        raise


def game_page(service: Service, query: GameQuery, offset: int, limit: int) -> GamePage:
    """Some of the games."""
    unread = service.look_at_games()
    filters, down = query.filters(service.journal), query.direction == "down"
    found = service.journal.pages.games(filters, order=query.sort, down=down, offset=offset, limit=limit)
    items = [_listed(row, about) for row, about in zip(found.games, found.summaries, strict=True)]
    return GamePage(games=items, total=found.total, offset=offset, unread=unread)


def games_beside(service: Service, name: str, query: GameQuery) -> Beside:
    """The games before and after one in a list."""
    game = service.journal.game_id(name)
    found = service.journal.pages.neighbours(
        game, query.filters(service.journal), query.sort, query.direction == "down"
    )
    if found is None:
        return Beside(number=0, total=0, before=None, after=None)
    return Beside(number=found.number, total=found.total, before=found.before, after=found.after)


def _listed(row: GameRow, found: ListedSummary | None) -> ListedGame:
    if found is None:
        return ListedGame(**_item(row), winners=[], best=None, highlights=[], course=None)
    highlights = cast(list[Highlight], [name for name in found.highlights if name in HIGHLIGHTS])
    about = {"winners": list(found.winners), "best": found.best, "course": list(found.course)}
    return ListedGame(**_item(row), **about, highlights=highlights)


def game_head(service: Service, name: str) -> GameHead:
    """One game, by its id or its key, without what happened in it."""
    found = service.journal.pages.game(name)
    game: AnyGame | None = GAMES.get(found.row.game)
    scored = game is not None and isinstance(study_of_game(game), SubjectStudy)
    called, built_in = service.player_names(), built_in_of(found.row.game)
    names = [called.of(player) for player in found.row.players]
    return GameHead(
        **_item(found.row),
        clock="" if game is None else game.clock,
        rules=found.rules,
        labels=list(found.labels),
        names=names,
        colours=[colour_of(player, name, built_in) for player, name in zip(found.row.players, names, strict=True)],
        seed=None if found.seed is None else str(found.seed),
        events=found.events,
        calls=found.calls,
        subject=found.row.players[0] if scored and found.row.players else None,
    )


def event_page(service: Service, name: str, first: int, limit: int) -> EventPage:
    """Some of what happened in a game, and how it is told."""
    found = service.journal.pages.events(name, first, limit)
    tellings = [telling.model_dump() for telling in service.narrators.tell(name, first, found.events)]
    state = cast(GameState, found.state)
    return EventPage(events=found.events, told=tellings, first=first, total=found.total, state=state)


def title_of(name: str) -> str:
    """What people call the game that records call so."""
    known: AnyGame | None = GAMES.get(name)
    return name.replace("_", " ").capitalize() if known is None else known.title


def command_of(name: str) -> str:
    """What the command line calls the game that records call so; of one that is not installed, what it would by
    default."""
    known: AnyGame | None = GAMES.get(name)
    return name.replace("_", "-") if known is None else known.command


def _item(row: GameRow) -> dict[str, Any]:
    copied = ("id", "experiment", "key", "game", "players", "state", "rounds", "source", "reason")
    named = {"command": command_of(row.game), "title": title_of(row.game)}
    return {**{name: getattr(row, name) for name in copied}, **named}


def game_course(service: Service, name: str) -> GameCourse:
    """The course of a game, by its id or its key; empty where its game is not installed."""
    record = with_tellings(service.journal.pages.shown(name))
    if record.scene is None:
        return GameCourse(cooperation=[], finals=[], winners=[])
    # Of no seat, until somebody has one; a seat without one keeps its place, by which winners are named.
    finals = list(record.finals or ()) if any(final is not None for final in record.finals or ()) else []
    return GameCourse(
        cooperation=list(binned(course_of(record))),
        finals=finals,
        winners=winners_of(finals, record.scene.better),
    )


router = APIRouter(tags=["games"])

Game = Annotated[str, Path(max_length=200, description="By its id or its key.")]
First = Annotated[int, Query(ge=0, le=10**9, description="The place of the first event, counted from 0.")]
Offset = Annotated[int, Query(ge=0, le=10**9, description="How many to skip.")]
Limit = Annotated[int, Query(ge=1, le=200, description="How many to return at most.")]


@router.get("/games", response_model=GamePage)
async def games(
    request: Request, query: Annotated[GameQuery, Depends()], offset: Offset = 0, limit: Limit = 50
) -> Response:
    """Games, the newest first unless another order is asked for."""
    return await reply(request, game_page, query, offset, limit)


@router.get("/games/{of}/beside", response_model=Beside)
async def beside(request: Request, of: Game, query: Annotated[GameQuery, Depends()]) -> Response:
    """The games before and after one in the list that the same parameters give."""
    return await reply(request, games_beside, of, query)


@router.get("/games/{game}", response_model=GameHead)
async def game(request: Request, game: Game) -> Response:
    """One game, without what happened in it."""
    return await reply(request, game_head, game)


@router.get("/games/{game}/course", response_model=GameCourse)
async def course(request: Request, game: Game) -> Response:
    """How a game went, in a line: cooperation over its rounds or turns, and what everybody ended with."""
    return await reply(request, game_course, game)


@router.get("/games/{game}/record", response_model=GameRecord)
async def record(request: Request, game: Game) -> Response:
    """A game's record, as `ostrom export` writes it. While the game is being played: its events so far, and no
    answers."""
    service, name = service_of(request), address_of(request.scope)

    def make() -> bytes:
        record = dressed(service.journal.pages.shown(game), service.player_names())
        return record_text(with_tellings(record)).encode()

    # Of whatever size, so never made on the spot.
    return sent(request, await service.answers.answer(name, make))


@router.get("/games/{game}/events", response_model=EventPage)
async def events(
    request: Request,
    game: Game,
    first: First = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many to return at most.")] = 200,
) -> Response:
    """What happened in a game, in order."""
    return await reply(request, event_page, game, first, limit)
