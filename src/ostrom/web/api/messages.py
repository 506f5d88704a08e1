"""What was said, found by its words, with what became of its promises; and the lines that judges picked."""

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

Promised = Literal["any", "made", "kept", "broken", "none"]
_LONGEST: Final = 10_000
"""Characters of a message that a page shows; the game's own page has all of it."""
_AROUND: Final = 300
"""Characters of a line beside a find."""


class NearLine(Shape):
    """A line that was said before or after."""

    event: int
    round: int
    seat: int
    player: str
    text: str
    """Its beginning."""


class MessageRow(Shape):
    """Something that was said."""

    kind: str
    """The study of its game."""
    game: str
    experiment: str
    key: str
    round: int
    order: int
    """Its place within the round, from 1."""
    seat: int
    player: str
    text: str
    pieces: list[str]
    """The text cut at what was looked for: every second piece is a find. Empty where no words were looked for."""
    promised: float | None
    """What it promises to contribute; missing where nothing was promised or it is unknown."""
    contributed: float | None
    kept: bool | None
    """Whether it was kept; missing where nothing was promised."""
    event: int
    """Its place among the game's events, from 0: the moment that a link to it opens."""
    before: list[NearLine]
    """What was said before it, as many lines as were asked for."""
    after: list[NearLine]


class MessagePage(Shape):
    """Some of what was said."""

    messages: list[MessageRow]
    total: int
    offset: int
    promises: int
    """How many of them promise something."""
    kept: int
    broken: int
    ranked: int
    """Among how many, the newest, the best were looked for: fewer than there are where there are very many."""
    unread: int
    """Finished games whose messages nobody has read yet; what was said in them is not found."""


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for; what is not given does not matter."""

    text: Annotated[
        str,
        Query(max_length=200, description='Words, in any order and by their stems, and phrases "in quotation marks".'),
    ] = ""
    experiments: Experiments = ()
    players: Players = ()
    round_: Annotated[int | None, Query(alias="round", ge=1, le=1_000_000, description="Only this round.")] = None
    game: Annotated[Name | None, Query(description="Only this game, by id or key.")] = None
    promise: Annotated[
        Promised,
        Query(
            description="Messages with a promise of a contribution, with one that was kept or broken, or without one."
        ),
    ] = "any"
    sort: Annotated[
        Order | None,
        Query(description="By default the best finds first where words are looked for, else as they were said."),
    ] = None
    around: Annotated[int, Query(ge=0, le=5, description="Lines before and after each find.")] = 0
    offset: Offset = 0
    limit: Annotated[int, Query(ge=1, le=200)] = 50


def message_page(service: Service, search: Search) -> MessagePage:
    """Some of the messages that are looked for."""
    terms = terms_of(search.text)
    unread = service.look_at_games()
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
        messages=[_row(one) for one in result.matches],
        total=result.total,
        offset=search.offset,
        promises=by_label[KEPT] + by_label[BROKEN],
        kept=by_label[KEPT],
        broken=by_label[BROKEN],
        ranked=result.ranked,
        unread=unread,
    )


def _row(one: MessageMatch) -> MessageRow:
    return MessageRow(
        kind=_study(one.kind),
        **{name: getattr(one, name) for name in _COPIED},
        round=one.turn,
        order=one.place,
        text=_cut(one.text, _LONGEST),
        pieces=_cut_pieces(one.pieces),
        promised=one.details.get("promised"),
        contributed=one.details.get("contributed"),
        kept=one.label == KEPT if one.label in (KEPT, BROKEN) else None,
        before=[_near(line) for line in one.before],
        after=[_near(line) for line in one.after],
    )


_COPIED: Final = ("game", "experiment", "key", "seat", "player", "event")
_LABELS: Final[Mapping[Promised, tuple[str, ...]]] = {"made": (KEPT, BROKEN), "kept": (KEPT,), "broken": (BROKEN,)}
"""The labels of the messages that each filter admits."""


def _study(name: str) -> str:
    """The study of the game that records call so; one that is not installed is called as its records call it."""
    study = study_of_game(GAMES[name]) if name in GAMES else None
    return name.replace("_", "-") if study is None else study.command


def _near(line: ContextLine) -> NearLine:
    text = _cut(line.text, _AROUND)
    return NearLine(event=line.event, round=line.turn, seat=line.seat, player=line.player, text=text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _cut_pieces(pieces: tuple[str, ...]) -> list[str]:
    """As much of the pieces as a page shows."""
    made: list[str] = []
    left = _LONGEST
    for piece in pieces:
        if len(piece) > left:
            return [*made, f"{piece[:left]}…"]
        made.append(piece)
        left -= len(piece)
    return made


class QuoteRow(Shape):
    """A line that a judge picked."""

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
    """Its place among the game's events, from 0, where it is known."""


class QuoteJudge(Shape):
    """A judge, and how much it has read."""

    judge: str
    games: int
    portions: int
    defaulted: int
    """Questions to which it gave no legal answer."""


class QuotePage(Shape):
    """Some of the lines that judges picked."""

    lines: list[QuoteRow]
    total: int
    offset: int
    judges: list[QuoteJudge]
    players: list[str]
    """Who has said any of them."""


def quote_page(service: Service, players: tuple[str, ...], judge: str | None, offset: int, limit: int) -> QuotePage:
    """Some of the lines that judges picked, the highest ratings first."""
    rows: list[QuoteRow] = []
    judges: list[QuoteJudge] = []
    for game in GAMES.values():
        if game.picks is not None:
            picked, read = game.part("picks")(service.journal)
            rows += map(_quote, picked.to_dicts())
            judges += [QuoteJudge(**one) for one in read.to_dicts()]
    settings = service.journal.ended.settings()
    rows = [row for row in rows if settings.get(row.experiment, {}).get(ARCHIVED) is not True]
    chosen = [row for row in rows if (not players or row.player in players) and judge in (None, row.judge)]
    chosen.sort(key=lambda row: -row.rating)
    return QuotePage(
        lines=[_with_moment(service, row) for row in chosen[offset : offset + limit]],
        total=len(chosen),
        offset=offset,
        judges=judges,
        players=sorted({row.player for row in rows}),
    )


def _quote(row: dict[str, Any]) -> QuoteRow:
    copied = {name: row[name] for name in QuoteRow.model_fields if name in row}
    return QuoteRow(**{**copied, "text": _cut(row["text"], _LONGEST)}, event=None)


def _with_moment(service: Service, row: QuoteRow) -> QuoteRow:
    return row.model_copy(update={"event": service.journal.messages.moment(row.game, row.round, row.seat)})


router = APIRouter(tags=["study"])


@router.get("/messages", response_model=MessagePage)
async def messages(request: Request, search: Annotated[Search, Depends()]) -> Response:
    """Messages of finished games: those that hold all of the words, the best finds first, or as they were said; with
    what became of their promises."""
    return await reply(request, message_page, search)


@router.get("/quotes", response_model=QuotePage)
async def quotes(
    request: Request,
    players: Players = (),
    judge: Annotated[str | None, Query(max_length=500, description="Only what this judge picked.")] = None,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """The lines that judges picked as the most striking, the highest ratings first, with the judges' reasons."""
    # Where games are still to be looked at the moments of some lines are not known, and the answer is not kept.
    if await run_in_threadpool(service_of(request).look_at_games):
        return await reply(request, quote_page, players, judge, offset, limit)
    return await reply_of_ended(request, quote_page, players, judge, offset, limit, slow=True)
