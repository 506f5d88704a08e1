"""Search players' messages, and show whether their promises were kept. This module also lists the lines that judges
picked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.study import study_of_game
from ostrom.core.plugins import GAMES
from ostrom.core.promises import BROKEN, KEPT
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.messages import ContextLine, MessageMatch, MessageQuery, Order, terms_of
from ostrom.web.api.studies import Experiments, Name, Offset, Players
from ostrom.web.replies import Shape, reply, reply_of_ended, service_of
from ostrom.web.service import Service

PromiseFilter = Literal["any", "made", "kept", "broken", "none"]
_MAX_TEXT_CHARACTERS: Final = 10_000
"""The largest number of characters of a message that are returned. The page of the game shows the whole message."""
_MAX_NEARBY_CHARACTERS: Final = 300


class NearLine(Shape):
    """A message before or after another message."""

    event: int
    round: int
    seat: int
    player: str
    text: str
    """The beginning of the message."""


class MessageRow(Shape):
    """A message of a player."""

    kind: str
    """The name of the message's study, as the filter `kind` uses it."""
    game: str
    experiment: str
    key: str
    round: int
    order: int
    """The position of the message within the round, counted from 1."""
    seat: int
    player: str
    text: str
    pieces: list[str]
    """The text, split at the matches: every second piece is a match. The list is empty if the search has no words."""
    promised: float | None
    """The promised contribution; missing if nothing was promised or the amount is unknown."""
    contributed: float | None
    kept: bool | None
    """True if the promise was kept; missing if there was no promise."""
    event: int
    """The position of the message among the game's events, counted from 0. A link to the message opens the game at this
    event."""
    before: list[NearLine]
    """The messages before this one. Their number is at most the requested number."""
    after: list[NearLine]


class MessagePage(Shape):
    """Some of the messages."""

    messages: list[MessageRow]
    total: int
    offset: int
    promises: int
    """The number of messages with a promise."""
    kept: int
    broken: int
    ranked: int
    """The number of messages that were ranked by relevance. In very large journals, only the newest are ranked."""
    unread: int
    """The number of finished games without a summary. A search does not find their messages."""


@dataclass(frozen=True, slots=True)
class MessageSearch:
    """The parameters of a search in messages."""

    text: Annotated[
        str,
        Query(max_length=200, description='Words, in any order and by their stems, and phrases "in quotation marks".'),
    ] = ""
    experiments: Experiments = ()
    players: Players = ()
    round_: Annotated[int | None, Query(alias="round", ge=1, le=1_000_000, description="Only this round.")] = None
    game: Annotated[Name | None, Query(description="Only this game, by id or key.")] = None
    promise: Annotated[
        PromiseFilter,
        Query(
            description="Messages with a promise of a contribution, with a kept promise, with a broken promise, or "
            "without a promise."
        ),
    ] = "any"
    sort: Annotated[
        Order | None,
        Query(description="By default the best matches first, or in order of time without search words."),
    ] = None
    around: Annotated[int, Query(ge=0, le=5, description="Messages to show before and after each match.")] = 0
    offset: Offset = 0
    limit: Annotated[int, Query(ge=1, le=200)] = 50


def message_page(service: Service, search: MessageSearch) -> MessagePage:
    """Return one page of the messages that match a search."""
    terms = terms_of(search.text)
    unread = service.summarise_games()
    query = MessageQuery(
        terms=terms,
        experiments=search.experiments,
        game=search.game,
        players=search.players,
        turn=search.round_,
        labels=_LABELS.get(search.promise, ()),
        without=(KEPT, BROKEN) if search.promise == "none" else (),
        counted=(KEPT, BROKEN),
        order=search.sort or ("relevance" if terms else "oldest"),
        offset=search.offset,
        limit=search.limit,
        around=search.around,
    )
    now = service.message_counts.revision()
    result = service.journal.messages.find(query, service.message_counts.get(query.search, now))
    service.message_counts.put(now, query.search, result.counts)
    by_label = result.counts.by_label
    return MessagePage(
        messages=[_row(match) for match in result.matches],
        total=result.total,
        offset=search.offset,
        promises=by_label[KEPT] + by_label[BROKEN],
        kept=by_label[KEPT],
        broken=by_label[BROKEN],
        ranked=result.ranked,
        unread=unread,
    )


def _row(match: MessageMatch) -> MessageRow:
    return MessageRow(
        kind=_study(match.kind),
        **{name: getattr(match, name) for name in _MESSAGE_FIELDS},
        round=match.turn,
        order=match.place,
        text=_cut(match.text, _MAX_TEXT_CHARACTERS),
        pieces=_cut_pieces(match.pieces),
        promised=match.details.get("promised"),
        contributed=match.details.get("contributed"),
        kept=match.label == KEPT if match.label in (KEPT, BROKEN) else None,
        before=[_near(line) for line in match.before],
        after=[_near(line) for line in match.after],
    )


_MESSAGE_FIELDS: Final = ("game", "experiment", "key", "seat", "player", "event")
_LABELS: Final[Mapping[PromiseFilter, tuple[str, ...]]] = {
    "made": (KEPT, BROKEN),
    "kept": (KEPT,),
    "broken": (BROKEN,),
}
"""The labels of the messages that each filter selects."""


def _study(name: str) -> str:
    """Return the study of a game, by its name in records. If the game is not installed, return its name in records."""
    study = study_of_game(GAMES[name]) if name in GAMES else None
    return name.replace("_", "-") if study is None else study.command


def _near(line: ContextLine) -> NearLine:
    text = _cut(line.text, _MAX_NEARBY_CHARACTERS)
    return NearLine(event=line.event, round=line.turn, seat=line.seat, player=line.player, text=text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _cut_pieces(pieces: tuple[str, ...]) -> list[str]:
    result: list[str] = []
    remaining = _MAX_TEXT_CHARACTERS
    for piece in pieces:
        if len(piece) > remaining:
            return [*result, f"{piece[:remaining]}…"]
        result.append(piece)
        remaining -= len(piece)
    return result


class QuoteRow(Shape):
    """A line of a player that a judge picked."""

    player: str
    rating: int
    text: str
    reason: str
    judge: str
    game: str
    experiment: str
    round: int
    seat: int
    event: int | None
    """The index of the line's message among the game's events, counted from 0; missing if it is unknown."""


class QuoteJudge(Shape):
    """A judge, and the number of games and questions that it answered."""

    judge: str
    games: int
    portions: int
    defaulted: int
    """The number of questions without a legal answer."""


class QuotePage(Shape):
    """Some of the lines that judges picked."""

    lines: list[QuoteRow]
    total: int
    offset: int
    judges: list[QuoteJudge]
    players: list[str]
    """The players of these lines."""


def quote_page(service: Service, players: tuple[str, ...], judge: str | None, offset: int, limit: int) -> QuotePage:
    """Return some of the lines that judges picked, the highest ratings first."""
    rows: list[QuoteRow] = []
    judges: list[QuoteJudge] = []
    for game in GAMES.values():
        if game.picks is not None:
            lines, judge_counts = game.part("picks")(service.journal)
            rows += map(_quote, lines.to_dicts())
            judges += [QuoteJudge(**judge) for judge in judge_counts.to_dicts()]
    settings = service.journal.ended.settings()
    rows = [row for row in rows if settings.get(row.experiment, {}).get(ARCHIVED) is not True]
    selection = [row for row in rows if (not players or row.player in players) and judge in (None, row.judge)]
    selection.sort(key=lambda row: -row.rating)
    return QuotePage(
        lines=[_with_moment(service, row) for row in selection[offset : offset + limit]],
        total=len(selection),
        offset=offset,
        judges=judges,
        players=sorted({row.player for row in rows}),
    )


def _quote(row: dict[str, Any]) -> QuoteRow:
    fields = {name: row[name] for name in QuoteRow.model_fields if name in row}
    return QuoteRow(**{**fields, "text": _cut(row["text"], _MAX_TEXT_CHARACTERS)}, event=None)


def _with_moment(service: Service, row: QuoteRow) -> QuoteRow:
    return row.model_copy(update={"event": service.journal.messages.moment(row.game, row.round, row.seat)})


router = APIRouter(tags=["study"])


@router.get("/messages", response_model=MessagePage)
async def messages(request: Request, search: Annotated[MessageSearch, Depends()]) -> Response:
    """Return messages of finished games that contain all search words, with the outcome of their promises. The best
    matches come first, or the messages are in order of time."""
    return await reply(request, message_page, search)


@router.get("/quotes", response_model=QuotePage)
async def quotes(
    request: Request,
    players: Players = (),
    judge: Annotated[str | None, Query(max_length=500, description="Only lines that this judge picked.")] = None,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """Return the lines that judges found most striking, the highest ratings first, with the judges' reasons."""
    # Until all games are summarised, the positions of some lines are unknown, and the reply is not cached.
    if await run_in_threadpool(service_of(request).summarise_games):
        return await reply(request, quote_page, players, judge, offset, limit)
    return await reply_of_ended(request, quote_page, players, judge, offset, limit, slow=True)
