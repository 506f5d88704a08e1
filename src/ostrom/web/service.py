"""The service behind the application. It has a journal, the results that are computed from the journal, and the games
that this process plays."""

import asyncio
import math
import time
from collections import OrderedDict
from threading import Lock
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.highlights import summarise
from ostrom.core import JournalError, OstromError
from ostrom.core.effects import Telling
from ostrom.core.plugins import GAMES
from ostrom.experiment.hosting import Host
from ostrom.journal.messages import MessageCounts
from ostrom.journal.names import PlayerNames
from ostrom.journal.pages import EventSlice
from ostrom.journal.record import Narrator, rules_of
from ostrom.journal.sql import Journal
from ostrom.players.people import digest_of
from ostrom.web.cache import AnswerCache, Cache, StudyCache
from ostrom.web.computing import Computing, InProcess
from ostrom.web.guesses import Guesses
from ostrom.web.revision import Feed, Revision
from ostrom.web.runs import ExperimentRuns, Run
from ostrom.web.session_desk import SessionDesk
from ostrom.web.session_runs import SessionRuns
from ostrom.web.simulation_runs import SimulationRuns

_LINKS_INTERVAL_S: Final = 0.25
"""The smallest number of seconds between two reads of the links in the journal. It applies even if there are many wrong
links."""
_SUMMARY_TIME_S: Final = 0.7
"""The largest number of seconds by which a reply may be delayed to summarise games that have ended. Further games are
summarised in the background."""
_MAX_NARRATORS: Final = 50
"""The largest number of games that can be followed at the same time without describing each game again from its
start."""


class Narrators:
    """The narrators of the games that were last read. A narrator describes events, and the description of an event
    depends on all earlier events. A narrator therefore keeps its position in the game, so that it needs to read only
    the events of the next page."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._narrators: OrderedDict[tuple[str, str], Narrator] = OrderedDict()
        self._lock = Lock()

    def tell(self, game: str, first: int, page: EventSlice) -> list[Telling]:
        """Return the descriptions of a page of events of a game, starting at position `first`; the list is empty if the
        game is not installed. When a game is over, it is described again with its secrets."""
        head = self._journal.pages.game(game)
        if head.row.game not in GAMES:
            return []
        kind, key = GAMES[head.row.game], (head.row.id, page.state)
        with self._lock:
            narrator = self._narrators.pop(key, None)
        if narrator is None or narrator.count != first:
            narrator = Narrator(kind, rules_of(kind, head.rules), len(head.labels))
            before = self._journal.pages.events(head.row.id, 0, first).events if first else []
            narrator.tell([kind.events.decode(event) for event in before])
        tellings = narrator.tell([kind.events.decode(event) for event in page.events])
        with self._lock:
            self._narrators[key] = narrator
            while len(self._narrators) > _MAX_NARRATORS:
                self._narrators.popitem(last=False)
        return tellings


class KnownLinks:
    """The links in the journal. They include the links of games that were in progress when their host ended."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, str] = {}
        self._read_at = -math.inf
        """The time at which the last read began."""
        self._reading = asyncio.Lock()
        self.reopening: Final = asyncio.Lock()
        """A lock that is held while a game is resumed. If several people return, only one request resumes the game."""

    async def experiment(self, token: str) -> str | None:
        """Return the experiment to which a link's seat belongs, or None if the link is unknown. Before a link counts as
        unknown, the journal is read again; requests that arrive together share one read."""
        digest = digest_of(token)
        if digest not in self._known:
            await self._read_after(time.monotonic())
        return self._known.get(digest)

    async def _read_after(self, moment: float) -> None:
        """Read the links, unless another request has begun to read them after this moment."""
        async with self._reading:
            if self._read_at > moment:
                return
            await asyncio.sleep(self._read_at + _LINKS_INTERVAL_S - time.monotonic())
            began = time.monotonic()
            self._known = await run_in_threadpool(self._journal.seats.experiments)
            self._read_at = began


class Service:
    """The state of one application. If `laboratory` is false, the server has only people's seats. It then does not show
    the journal, since the journal would reveal the other players."""

    def __init__(
        self,
        journal: Journal,
        host: Host,
        laboratory: bool = True,
        token: str | None = None,
        address: str | None = None,
        plays: bool = True,
        runs: ExperimentRuns | None = None,
        game_runs: ExperimentRuns | None = None,
        computing: Computing | None = None,
        desk: SessionDesk | None = None,
        session_runs: SessionRuns | None = None,
    ) -> None:
        self.journal, self.host, self.laboratory = journal, host, laboratory
        self._plays = plays
        self.desk = desk
        """The sessions that this server runs; None on a server without sessions."""
        self.session_runs = session_runs
        """The sessions started from the pages; None on a server without `--steer`."""
        self.runs = runs
        """The runs started from the pages; None on a server without `--steer`."""
        self.simulation_runs: Final = None if runs is None else SimulationRuns.beside(runs)
        """The simulations started from the pages; None on a server without `--steer`."""
        self.game_runs = game_runs
        """The runs of games without people and models; None if this process plays them."""
        self.computing: Final[Computing] = computing or InProcess()
        self.token = token
        """The token that requests need on a server that other machines can reach. Seats have their own tokens."""
        self.address = address
        """The address of the pages in the network; None if only this machine can reach them."""
        self.revision: Final = Revision(journal)
        self.answers: Final = AnswerCache(self.revision, threads=8)
        """Replies that depend only on the journal. They are valid until the journal changes."""
        self.names: Final = Cache[str](self.revision.now, 1000)
        self.message_counts: Final = Cache[MessageCounts](self.revision.now, 5000)
        """The numbers of messages that searches matched. They are cached, so that the further pages of a search need
        not count again."""
        self.event_pages: Final = Cache[Any](self.revision.now, 200)
        """The latest events of games in progress, which their readers share."""
        self.studies: Final = StudyCache(journal, self.revision)
        self._summary_lock: Final = Lock()
        self._summarised_revision: int | None = None
        """The revision at which all ended games had summaries."""
        self._player_names: Final = Cache[PlayerNames](self.revision.now, 1)
        self._damage: Final = Cache[list[str | None]](self.revision.now, 1)
        self.narrators: Final = Narrators(journal)
        self.links: Final = KnownLinks(journal)
        self.guesses: Final = Guesses()
        """Counts wrong tokens of seats."""
        # The caches use the same number, so that a client that is notified gets the changed data.
        self.feed: Final = Feed(self.revision.now)

    def running(self) -> list[str]:
        """Return the ids of the experiments that this server plays or that it runs in processes."""
        return [*self.host.running(), *(id_ for runs in self._all_runs() for id_ in runs.running())]

    def run_of(self, experiment: str) -> Run | None:
        """Return the current or last process of an experiment. Return None if this server has started none."""
        return next((run for runs in self._all_runs() if (run := runs.of(experiment)) is not None), None)

    def _all_runs(self) -> list[ExperimentRuns]:
        return [runs for runs in (self.runs, self.game_runs) if runs is not None]

    def end(self) -> None:
        """Start no further computations, because the server stops."""
        self.studies.end()
        self.computing.close()

    def summarise_games(self, seconds: float = _SUMMARY_TIME_S) -> int:
        """Summarise games that have ended, for about this number of seconds. Return the number of games that are left.
        If another thread is summarising, do not wait for it."""
        now = self.revision.now()
        if now == self._summarised_revision:
            return 0
        if self.journal.only_read or not self._summary_lock.acquire(blocking=False):
            return self.journal.summaries.count_unsummarised()
        try:
            left = summarise(self.journal, seconds, self.studies.check)
            if left == 0:
                self._summarised_revision = now
            return left
        except JournalError:  # Another process is writing. The remaining games are summarised later.
            return self.journal.summaries.count_unsummarised()
        finally:
            self._summary_lock.release()

    def damage(self) -> str | None:
        """Return a description of damage to the journal in one line, or None if there is no damage. The journal is
        checked once per revision."""
        try:
            return self._damage.get_or_make("", lambda: [self.journal.damage()])[0]
        except OstromError as error:
            return str(error)

    def player_names(self) -> PlayerNames:
        """Return the display names of players. They are read once per revision."""
        return self._player_names.get_or_make("", self.journal.names.known)

    @property
    def starts(self) -> bool:
        """True if games can be started from the pages."""
        return self.laboratory and self._plays and not self.journal.only_read

    async def experiment_id(self, name: str) -> str:
        """Return the id of an experiment that is given by id or name. Raise `UnknownName` if there is none."""
        # The journal is only read in a thread.
        id_ = self.names.get(name, await self.revision.soon())
        if id_ is None:
            id_ = await run_in_threadpool(self.names.get_or_make, name, lambda: self.journal.experiment_id(name))
        return id_
