"""What an application serves: a journal, what was computed from it, and the games that are played in this process."""

from dataclasses import dataclass, field
from typing import Final

from fastapi.concurrency import run_in_threadpool

from ostrom.experiment.hosting import Host
from ostrom.journal.sql import Journal
from ostrom.web.desk import Desk
from ostrom.web.findings import Findings
from ostrom.web.narrators import Narrators
from ostrom.web.queries.feed import Feed
from ostrom.web.revision import Revision
from ostrom.web.shapes.games import EventPage
from ostrom.web.shelf import Shelf, bodies, things

_MOST_BYTES: Final = 128 * 2**20
_MOST_NAMES: Final = 1000
_HANDS: Final = 8
_MOST_MOMENTS: Final = 200


@dataclass(frozen=True)
class Service:
    """One for each application."""

    journal: Journal
    host: Host
    """Plays games in this process: those that people sit at, and those that are started from a page."""
    laboratory: bool = True
    """Whether the journal is shown at all. Where people only take their seats it is not: they would see who sits
    beside them."""
    token: str | None = None
    """What a request must carry to see the journal, on a server that others can reach. A seat has its own."""
    address: str | None = None
    """Where others in the network find these pages; missing where this machine alone does."""
    revision: Revision = field(init=False)
    desk: Desk = field(init=False)
    """Where answers are made that the journal alone decides; they stay until it changes."""
    names: Shelf[str] = field(init=False)
    """The ids of experiments by what readers call them."""
    moments: Shelf[EventPage] = field(init=False)
    """What live games told last: many readers have seen the same, and wait for the same."""
    findings: Findings = field(init=False)
    """What was found out about games that are over; games that are being played do not disturb it."""
    narrators: Narrators = field(init=False)
    """Tell what happens in games as it happens."""
    feed: Feed = field(init=False)
    """Tells when the journal has changed, whoever writes it."""

    def __post_init__(self) -> None:
        revision = Revision(self.journal)
        object.__setattr__(self, "revision", revision)
        object.__setattr__(self, "desk", Desk(bodies(revision.now, _MOST_BYTES), _HANDS, revision))
        object.__setattr__(self, "names", things(revision.now, _MOST_NAMES))
        object.__setattr__(self, "findings", Findings(self.journal, revision))
        object.__setattr__(self, "narrators", Narrators(self.journal))
        object.__setattr__(self, "moments", things(revision.now, _MOST_MOMENTS))
        # The same number as the shelves go by: who is told of a change finds what has changed.
        object.__setattr__(self, "feed", Feed(revision.now))

    @property
    def starts(self) -> bool:
        """Whether games can be started here."""
        return self.laboratory and not self.journal.only_read

    async def experiment_id(self, name: str) -> str:
        """The id of the experiment that is meant by an id or a name."""
        # The journal is asked in a thread, or not at all.
        found = self.names.found(name, await self.revision.soon())
        if found is None:
            found = await run_in_threadpool(self.names.made, name, lambda: self.journal.experiment_id(name))
        return found
