"""What is asked of the journal for a page, in one statement each: a statement sees one moment by itself, and to a
database server each is a trip. They are put together once, as that takes as long as carrying them out."""

from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Select, Text, and_, bindparam, case, func, or_, select, true

from ostrom.journal.overview import headers, short_headers
from ostrom.journal.schema import events, games

_NAME: Final[BindParameter[str]] = bindparam("name", type_=Text)


@cache
def games_by(filters: frozenset[str], dialect: str) -> Select[Any]:
    """Some of the games that these filters choose, the newest first, each beside the `total`; past the last game there
    is the total alone. Filters are columns of a game by their names, and `seats`: a text that stands in them."""
    # LIKE would take capitals and small letters for the same.
    place = func.strpos if dialect == "postgresql" else func.instr
    which = [games.c[name] == bindparam(name) for name in sorted(filters - {"seats"})]
    if "seats" in filters:
        which.append(place(games.c.seats, bindparam("seats", type_=Text)) > 0)
    counted = select(func.count().label("total")).select_from(games).where(*which).subquery()
    chosen = short_headers().add_columns(games.c.serial).where(*which).order_by(games.c.serial.desc())
    page = chosen.offset(bindparam("offset")).limit(bindparam("limit")).subquery()
    both = select(counted.c.total, page).select_from(counted.outerjoin(page, true()))
    return both.order_by(page.c.serial.desc())


def _named(wanted: Select[Any]) -> Select[Any]:
    """The games that may be meant by a name, each with how much has happened in it: the one with this id before those
    with this key, and no more of them than tell whether it is one alone."""
    # Events are numbered without a gap, so that the last one tells how many there are.
    last = select(func.max(events.c.number)).where(events.c.game == games.c.serial).scalar_subquery()
    by_key = case((games.c.id == _NAME, 0), else_=1).label("by_key")
    wanted = wanted.add_columns(func.coalesce(last + 1, 0).label("happened"), by_key)
    return wanted.where(or_(games.c.id == _NAME, games.c.key == _NAME)).order_by(by_key, games.c.serial).limit(2)


def _with_events() -> Select[Any]:
    head = _named(select(games.c.id, games.c.serial, games.c.state)).subquery()
    place = events.c.number
    told = and_(events.c.game == head.c.serial, place >= bindparam("first"), place < bindparam("end"))
    columns = (events.c[name] for name in ("number", "tag", "version", "payload"))
    heads = (head.c[name] for name in ("id", "state", "happened"))
    return select(*heads, *columns).select_from(head.outerjoin(events, told)).order_by(head.c.by_key, place)


GAME: Final = _named(headers())
"""The headers of the games that may be meant by a `name`."""
GAME_EVENTS: Final = _with_events()
"""The same with the events from the place `first` up to the place `end`; where there are none, a row without one."""
