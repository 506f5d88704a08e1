"""The actions of a session's host. Every action is in the journal before the host is told that it was done."""

from ostrom.core import InputError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.participants import number_of_name
from ostrom.experiment.session.running import LiveSession
from ostrom.experiment.session.stepping import leave
from ostrom.experiment.session.table import LiveTable
from ostrom.experiment.session.tokens import new_token
from ostrom.players.roster import built_in_players

EXTENSION_S = 60.0
"""The seconds by which one click extends the time of a question."""
_ENDED = "the host ended the session"


class NotNow(InputError):
    """Raised if an action is not possible in the present state of the session."""


def participant_named(live: LiveSession, name: str | None) -> int:
    """Return the number of a participant. Raise NotNow if there is none with this name."""
    number = None if name is None else number_of_name(name)
    if number is None or number not in live.state.participants:
        raise NotNow("name a participant of the session, such as person-01")
    return number


def _tables(live: LiveSession, key: str | None) -> list[LiveTable]:
    """Return the table with this key, or all that are played now. Raise NotNow if the table is not played."""
    if key is None:
        return list(live.tables.values())
    if key not in live.tables:
        raise NotNow(f"the table {key[:100]!r} is not played now")
    return [live.tables[key]]


async def start(live: LiveSession) -> None:
    """Begin the games with the people in the lobby."""
    if live.state.started is not None or live.state.ended is not None:
        raise NotNow("the session has started already")
    if not live.state.in_lobby():
        raise NotNow("the lobby is still empty")
    await live.enter(e.Started(by="host"))


async def pause(live: LiveSession, table: str | None) -> None:
    """Stop all clocks, or those of a table."""
    if live.state.ended is not None:
        raise NotNow("the session is over")
    tables = _tables(live, table)
    stored = live.record(e.Paused(scope=table or "all"))
    for playing in tables:
        playing.pause()
    await stored


async def resume(live: LiveSession, table: str | None) -> None:
    """Let all clocks run again, or those of a table."""
    if table is not None and table not in live.state.tables:
        raise NotNow(f"there is no table {table[:100]!r}")
    stored = live.record(e.Resumed(scope=table or "all"))
    for key, playing in live.tables.items():
        if not (live.state.paused or live.state.tables[key].paused):
            playing.go_on()
    live.advance()
    await stored


async def extend(live: LiveSession, participant: str | None, table: str | None, seconds: float | None) -> None:
    """Give more time for open questions: of a participant, of a table, or of all."""
    more = EXTENSION_S if seconds is None else seconds
    number = None if participant is None else participant_named(live, participant)
    if number is not None:
        playing = live.table_of(live.state.participants[number])
        if playing is None:
            raise NotNow("this participant has no open question")
        seats = [playing.seats[number]]
    else:
        seats = [seat for playing in _tables(live, table) for seat in playing.seats.values()]
    stored = live.record(e.Extended(participant=number, key=table, seconds=more))
    for seat in seats:
        seat.extend(more)
    await stored


async def replace(live: LiveSession, participant: str | None, player: str | None) -> None:
    """Let a player decide in a participant's place."""
    number = participant_named(live, participant)
    person = live.state.participants[number]
    if not person.active or person.cohort is None:
        raise NotNow("only a person who plays can be replaced")
    names = replacing_players(live)
    if not player or player not in names:
        raise NotNow(f"name a player who can take the seat: {', '.join(names[:20])}")
    await live.replace(number, player, by_host=True)


async def notice(live: LiveSession, participant: str | None, text: str | None) -> None:
    """Show a notice to a participant, or to all."""
    line = " ".join((text or "").replace("\x00", "").encode("utf-8", "replace").decode().split())
    if not line:
        raise NotNow("a notice needs a text")
    number = None if participant is None else participant_named(live, participant)
    await live.record(e.Notice(participant=number, text=line))


async def release(live: LiveSession, participant: str | None) -> None:
    """Release a participant, with the payment for people who found no group."""
    person = live.state.participants[participant_named(live, participant)]
    if person.outcome is not None:
        raise NotNow("the session is over for this participant")
    await leave(live, person, "unmatched", by_host=True)


async def renew_link(live: LiveSession, participant: str | None) -> str:
    """Give a participant a new token, and return it. The old one becomes invalid."""
    number = participant_named(live, participant)
    token = new_token()
    await live.tokens.give(number, token)
    await live.record(e.LinkRenewed(participant=number))
    return token


async def end(live: LiveSession) -> None:
    """End the session for everybody. People keep what they have earned until now."""
    if live.state.ended is not None:
        raise NotNow("the session is over already")
    playing = list(live.tables.values())
    points = {table.plan.key: await live.points_now(table) for table in playing}
    entries: list[e.AnyEntry] = []
    for table in playing:
        key = table.plan.key
        if live.state.tables[key].ending is not None:
            continue
        people = {number: live.state.participants[number] for number in table.seats}
        active = {number: value for number, value in points[key].items() if people[number].active}
        entries.append(e.TableEnded(key=key, ending="void", game=table.game_id, points=active, reason=_ENDED))
        table.stop.request()
        live.tables.pop(key, None)
    await live.enter(*entries, e.Ended(by_host=True))


async def label_person(live: LiveSession, participant: str | None, text: str | None) -> None:
    """Enter whether a person or a model answered as a participant."""
    number = participant_named(live, participant)
    if text not in ("person", "model", "unknown"):
        raise NotNow("enter person, model or unknown")
    await live.record(e.PersonLabelled(participant=number, person=text))


def replacing_players(live: LiveSession) -> list[str]:
    """Return the names of players that can take a person's seat in some game of the session."""
    names: dict[str, None] = {}
    for game in live.file.games:
        names.update(dict.fromkeys([game.fill] if game.fill else []))
        names.update(dict.fromkeys(built_in_players(live.file.game_of(game).name)))
    return list(names)
