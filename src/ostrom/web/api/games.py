"""Games of the journal: lists of games, and one game with its course, its events and its record."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from ostrom.analysis.highlights import HIGHLIGHTS, binned, course_of, winners_of
from ostrom.analysis.study import SubjectStudy, study_of_game
from ostrom.analysis.titles import headline_of, title_of_game
from ostrom.charts.palette import seat_colours, with_names_and_colours
from ostrom.core.errors import UnknownName
from ostrom.core.game import Game as AnyGame
from ostrom.core.plugins import GAMES
from ostrom.journal.game_lists import GameFilters, GameOrder, ListedSummary, Outcome
from ostrom.journal.names import PlayerNames
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord, record_text, with_tellings
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal
from ostrom.web.replies import Shape, address_of, reply, send_body, service_of
from ostrom.web.service import Service

GameState = Literal["playing", "finished", "void"]
Highlight = Literal["broken_promise", "ruin", "exclusion", "comeback", "defaulted", "unreadable"]


class GameItem(Shape):
    """A game without its events."""

    id: str
    experiment: str
    key: str
    game: str
    """The name of the game in records."""
    command: str
    """The name of the game on the command line."""
    title: str
    players: list[str]
    """The player of each seat."""
    state: GameState
    rounds: int | None
    source: str | None
    reason: str | None
    """The reason why the game is void or suspended."""


class ListedGame(GameItem):
    """A game in a list, with its outcome."""

    winners: list[int]
    """The winning seats; empty while the game is being played or has no summary."""
    best: float | None
    """The final result of the winning seats."""
    highlights: list[Highlight]
    """The notable moments of the game."""
    instrument: bool
    """True for the record of a judge or an audit, which is no game."""
    headline: str
    """The title of the game in one sentence, computed from its events; empty while the game is being played or has no
    summary."""
    drama: float | None
    """The drama score of the game; null if it has no summary."""
    reasons: list[str]
    """The reasons for the drama score, the strongest first."""
    course: list[float] | None
    """The course of the game, as in a `GameCourse`; missing if the game has no summary yet."""


class GameHead(GameItem):
    """A game with its rules and the number of its events so far."""

    clock: str
    """The unit in which the game's time is counted: round, turn or question. It is empty if the game is not
    installed."""
    rules: dict[str, Any]
    labels: list[str]
    """The label of each seat: P1, P2, …"""
    names: list[str]
    """The display name of the player in each seat."""
    colours: list[str]
    """The colour of the player in each seat."""
    seed: str | None
    """The seed as text, because a browser's numbers cannot represent every seed. It is null until all games of the
    experiment are over."""
    events: int
    calls: int
    """The number of calls of models in the game."""
    headline: str
    """The title of the game in one sentence, computed from its events; empty while the game is being played."""
    subject: str | None
    """The subject that answers, if the game is a task of the battery."""


class GameListing(Shape):
    """Some of the games."""

    games: list[ListedGame]
    total: int
    offset: int
    unread: int
    """The number of finished games without a summary. Filters and orders by outcome leave these games out."""


class AdjacentGames(Shape):
    """The games before and after one in a list."""

    number: int
    """The position of the game in the list, from 1; 0 if the game is not in the list."""
    total: int
    before: str | None
    after: str | None


class GameCourse(Shape):
    """The course of a game, for a small line chart."""

    cooperation: list[float]
    """For each round or turn, the quantity that the game's scene declares as cooperation. In a long game, each value is
    the mean of several rounds or turns."""
    finals: list[float | None]
    """The final result of each seat, null for a seat without one. The list is empty while no results are known."""
    winners: list[int]
    """The winning seats."""


class EventListing(Shape):
    """Some events of a game, in order."""

    events: list[dict[str, Any]]
    told: list[dict[str, Any]]
    """The descriptions of the events for readers (tellings), as in a record; empty if the game is not installed."""
    first: int
    """The position of the first of these events, counted from 0."""
    total: int
    state: GameState


@dataclass(frozen=True, slots=True)
class GameQuery:
    """The filters and order of a list of games."""

    experiment: Annotated[str | None, Query(max_length=200, description="The experiment's id or name.")] = None
    player: Annotated[str | None, Query(max_length=200, description="A player at one of its seats.")] = None
    winner: Annotated[str | None, Query(max_length=200, description="A winner, alone or tied.")] = None
    state: GameState | None = None
    outcome: Annotated[
        Outcome | None,
        Query(description="Finished, with one winner, with a tie, void, or not over."),
    ] = None
    highlight: Annotated[
        tuple[Highlight, ...],
        Query(max_length=6, description="Notable moments; a game must have all of them."),
    ] = ()
    game: Annotated[
        str | None, Query(max_length=200, description="The game, named as on the command line or in records.")
    ] = None
    text: Annotated[
        str,
        Query(
            max_length=200,
            description="Words in the names of its players, in its id, key, source or reason, or in the name of "
            "its experiment.",
        ),
    ] = ""
    instruments: Annotated[
        bool,
        Query(description="Whether to list the records of judges and audits if neither experiment nor game is named."),
    ] = False
    sort: Annotated[GameOrder, Query(description="The value by which the list is sorted.")] = "begun"
    direction: Annotated[Literal["down", "up"], Query(description="Descending or ascending.")] = "down"

    def filters(self, journal: Journal) -> GameFilters:
        """Return the filters for the journal; raise `UnknownName` for an unknown game."""
        return GameFilters(
            experiment=self.experiment,
            state=self.state,
            game=None if self.game is None else _recorded_name(journal, self.game),
            player=self.player,
            winner=self.winner,
            outcome=self.outcome,
            highlights=self.highlight,
            text=self.text,
            without=() if self.experiment or self.game or self.instruments else _instruments(),
        )


def _instruments() -> tuple[str, ...]:
    """Return the names of the instruments of the laboratory. Their records are listed only on request."""
    return tuple(name for name, game in GAMES.items() if game.instrument)


def _recorded_name(journal: Journal, game: str) -> str:
    """Return a game's name in records. If the game is not installed, its name is looked up among the games of the
    journal."""
    if game in GAMES:
        return game
    try:
        return GAMES.of_command(game).name
    except UnknownName:
        for name in journal.pages.kinds():
            if game in (name, command_of(name)):
                return name
        raise


def game_page(service: Service, query: GameQuery, offset: int, limit: int) -> GameListing:
    """Return some of the games."""
    unread = service.summarise_games()
    filters, down = query.filters(service.journal), query.direction == "down"
    page = service.journal.pages.games(filters, order=query.sort, down=down, offset=offset, limit=limit)
    names = service.player_names()
    items = [_listed_game(row, about, names) for row, about in zip(page.games, page.summaries, strict=True)]
    return GameListing(games=items, total=page.total, offset=offset, unread=unread)


def adjacent_games(service: Service, name: str, query: GameQuery) -> AdjacentGames:
    """Return the games before and after this game in a list."""
    game = service.journal.game_id(name)
    filters, down = query.filters(service.journal), query.direction == "down"
    adjacent = service.journal.pages.neighbours(game, filters, query.sort, down)
    if adjacent is None:
        return AdjacentGames(number=0, total=0, before=None, after=None)
    return AdjacentGames.model_validate(adjacent)


def _listed_game(row: GameRow, summary: ListedSummary | None, names: PlayerNames) -> ListedGame:
    is_instrument = row.game in _instruments()
    if summary is None:
        nothing: dict[str, Any] = {"winners": [], "best": None, "highlights": [], "course": None}
        return ListedGame(**_item(row), **nothing, headline="", drama=None, reasons=[], instrument=is_instrument)
    highlights = cast(list[Highlight], [name for name in summary.highlights if name in HIGHLIGHTS])
    outcome = {"winners": list(summary.winners), "best": summary.best, "course": list(summary.course)}
    title: dict[str, Any] = {"headline": headline_of(summary.title, row.players, names), "drama": summary.drama}
    title |= {"reasons": list(summary.reasons), "instrument": is_instrument}
    return ListedGame(**_item(row), **outcome, **title, highlights=highlights)


def game_head(service: Service, name: str) -> GameHead:
    """Return one game, by its id or its key, without its events."""
    head = service.journal.pages.game(name)
    game: AnyGame | None = GAMES.get(head.row.game)
    has_card = game is not None and isinstance(study_of_game(game), SubjectStudy)
    player_names = service.player_names()
    return GameHead(
        **_item(head.row),
        clock="" if game is None else game.clock,
        rules=head.rules,
        labels=list(head.labels),
        names=[player_names.of(player) for player in head.row.players],
        colours=seat_colours(head.row.game, head.row.players, player_names),
        seed=None if head.seed is None else str(head.seed),
        events=head.events,
        calls=head.calls,
        headline=_headline(service, name) if head.row.state == FINISHED else "",
        subject=head.row.players[0] if has_card and head.row.players else None,
    )


def _headline(service: Service, name: str) -> str:
    record = with_tellings(service.journal.pages.shown(name))
    players = [seat.player for seat in record.seats]
    return headline_of(title_of_game(record).text, players, service.player_names())


def event_page(service: Service, name: str, first: int, limit: int) -> EventListing:
    """Return some events of a game with their descriptions for readers."""
    page = service.journal.pages.events(name, first, limit)
    tellings = [telling.model_dump() for telling in service.narrators.tell(name, first, page)]
    state = cast(GameState, page.state)
    return EventListing(events=page.events, told=tellings, first=first, total=page.total, state=state)


def title_of(name: str) -> str:
    """Return the display name of a game, by its name in records."""
    game: AnyGame | None = GAMES.get(name)
    return name.replace("_", " ").capitalize() if game is None else game.title


def command_of(name: str) -> str:
    """Return the command of a game, by its name in records; the default command if the game is not installed."""
    game: AnyGame | None = GAMES.get(name)
    return name.replace("_", "-") if game is None else game.command


def _item(row: GameRow) -> dict[str, Any]:
    fields = ("id", "experiment", "key", "game", "players", "state", "rounds", "source", "reason")
    names = {"command": command_of(row.game), "title": title_of(row.game)}
    return {**{name: getattr(row, name) for name in fields}, **names}


def game_course(service: Service, name: str) -> GameCourse:
    """Return the course of a game, by its id or its key; it is empty if the game is not installed."""
    record = with_tellings(service.journal.pages.shown(name))
    if record.scene is None:
        return GameCourse(cooperation=[], finals=[], winners=[])
    # The list is empty until a seat has a final result. A seat without a result keeps its position in the list, since
    # winners refer to positions.
    finals = list(record.finals or ()) if any(final is not None for final in record.finals or ()) else []
    return GameCourse(
        cooperation=list(binned(course_of(record))),
        finals=finals,
        winners=winners_of(finals, record.scene.better),
    )


router = APIRouter(tags=["games"])

Game = Annotated[str, Path(max_length=200, description="The game's id or key.")]
First = Annotated[int, Query(ge=0, le=10**9, description="The position of the first event, from 0.")]
Offset = Annotated[int, Query(ge=0, le=10**9, description="The number of entries to skip.")]
Limit = Annotated[int, Query(ge=1, le=200, description="The maximum number of entries.")]


@router.get("/games", response_model=GameListing)
async def games(
    request: Request, query: Annotated[GameQuery, Depends()], offset: Offset = 0, limit: Limit = 50
) -> Response:
    """Return a list of games, by default the newest first."""
    return await reply(request, game_page, query, offset, limit)


@router.get("/games/{of}/beside", response_model=AdjacentGames)
async def beside(request: Request, of: Game, query: Annotated[GameQuery, Depends()]) -> Response:
    """Return the games before and after this game in the list with the same parameters."""
    return await reply(request, adjacent_games, of, query)


@router.get("/games/{game}", response_model=GameHead)
async def game(request: Request, game: Game) -> Response:
    """Return one game without its events."""
    return await reply(request, game_head, game)


@router.get("/games/{game}/course", response_model=GameCourse)
async def course(request: Request, game: Game) -> Response:
    """Return the course of a game: cooperation by rounds or turns, and the final results."""
    return await reply(request, game_course, game)


@router.get("/games/{game}/record", response_model=GameRecord)
async def record(request: Request, game: Game) -> Response:
    """Return the record of a game in the form that `ostrom export` writes. While the game is being played, the record
    has the events so far and no answers."""
    service, name = service_of(request), address_of(request.scope)

    def make() -> bytes:
        record = with_names_and_colours(service.journal.pages.shown(game), service.player_names())
        return record_text(with_tellings(record)).encode()

    # A record may be large, so it is always computed in a thread.
    return send_body(request, await service.answers.answer(name, make))


@router.get("/games/{game}/events", response_model=EventListing)
async def events(
    request: Request,
    game: Game,
    first: First = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="The maximum number of entries.")] = 200,
) -> Response:
    """Return the events of a game in order."""
    return await reply(request, event_page, game, first, limit)
