"""A person's seat, and the links of all seats of a game, in the shapes of the API."""

from ostrom.experiment.hosting import Hosted
from ostrom.players.people.seat import HumanSeat, OpenQuestion, Result
from ostrom.web.queries.games import title_of
from ostrom.web.shapes.games import SeatDoing, SeatLink
from ostrom.web.shapes.seats import AskedNow, EarlierLine, SeatResult, SeatStanding, SeatState


def seat_state(hosted: Hosted, seat: HumanSeat) -> SeatState:
    """The seat as the person who holds its link may see it: nothing of any other seat before the game is over."""
    part = hosted.planned.parts[0]
    ending = seat.ending
    return SeatState(
        state=seat.state,
        version=seat.version,
        game=part.game.command,
        clock=part.game.clock,
        title=title_of(part.game.name),
        label=seat.label,
        seats=part.seats,
        rules=seat.rules,
        question=None if seat.question is None else _asked(seat, seat.question),
        decided=seat.decided,
        missed=seat.missed,
        result=None if ending is None or ending.result is None else _result(seat, ending.result),
        reason=None if ending is None else ending.reason,
    )


def seat_links(seats: list[HumanSeat]) -> list[SeatLink]:
    """The links of people, for who hosts the game."""
    return [
        SeatLink(seat=seat.index, label=seat.label, token=seat.token, state=_doing(seat), missed=seat.missed)
        for seat in seats
    ]


def _doing(seat: HumanSeat) -> SeatDoing:
    """What the person at a seat does, as far as a host may know."""
    if seat.ending is not None:
        return seat.ending.state
    if not seat.presence.opened:
        return "unopened"
    if not seat.presence.here:
        return "away"
    if seat.question is not None:
        return "thinking"
    return "answered" if seat.decided else "here"


def _asked(seat: HumanSeat, question: OpenQuestion) -> AskedNow:
    turn, phase, _ = question.key
    return AskedNow(
        id=question.id,
        turn=turn,
        phase=phase,
        text=question.text,
        earlier=[EarlierLine(you=line.role == "assistant", text=line.text) for line in question.earlier],
        form=list(question.form),
        answer=dict(question.schema),
        limit=seat.seconds,
        left=seat.left(),
        refused=seat.refused,
    )


def _result(seat: HumanSeat, result: Result) -> SeatResult:
    return SeatResult(
        unit=result.unit,
        standings=[
            SeatStanding(
                seat=one.seat,
                label=one.label,
                player=one.player,
                final=one.final,
                rank=one.rank,
                you=one.seat == seat.index,
            )
            for one in result.standings
        ],
        story=list(result.story),
    )
