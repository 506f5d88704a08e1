"""What an application serves: a journal, what was computed from it, and the games that are played in this process."""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
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
from ostrom.journal.record import Narrator, rules_of
from ostrom.journal.sql import Journal
from ostrom.players.people.room import digest_of
from ostrom.web.cache import AnswerCache, Cache, StudyCache
from ostrom.web.computing import Computing, Here
from ostrom.web.guesses import Guesses
from ostrom.web.revision import Feed, Revision
from ostrom.web.runs import Runs

_LINKS_FRESH: Final = 2.0
"""Seconds for which what links there are is taken as known."""
_LOOKED: Final = 0.7
"""Seconds for which an answer may be held up by looking at games that ended since; the rest is done beside it."""
_MOST_NARRATORS: Final = 50
"""So many games are followed at once without being told again from the beginning."""


class Narrators:
    """A narrator for each game that was read last. A game's tellings depend on all that happened before, so a narrator
    stays where its readers are, and a page of events costs its own events only."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._narrators: OrderedDict[str, Narrator] = OrderedDict()
        self._lock = Lock()

    def tell(self, game: str, first: int, events: Sequence[Mapping[str, Any]]) -> list[Telling]:
        """How these events of a game are told, of which the first has the place `first`; nothing where the game is not
        installed."""
        head = self._journal.pages.game(game)
        if head.row.game not in GAMES:
            return []
        kind = GAMES[head.row.game]
        with self._lock:
            narrator = self._narrators.pop(head.row.id, None)
        if narrator is None or narrator.count != first:
            narrator = Narrator(kind, rules_of(kind, head.rules), len(head.labels))
            before = self._journal.pages.events(head.row.id, 0, first).events if first else []
            narrator.tell([kind.events.decode(event) for event in before])
        tellings = narrator.tell([kind.events.decode(event) for event in events])
        with self._lock:
            self._narrators[head.row.id] = narrator
            while len(self._narrators) > _MOST_NARRATORS:
                self._narrators.popitem(last=False)
        return tellings


class KnownLinks:
    """The links that the journal knows, whoever handed them out: of games that were under way when their host ended."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, str] = {}
        self._read = -math.inf
        self.reopening: Final = asyncio.Lock()
        """Held by who goes on with a game: of several who come back at once, one does."""

    async def experiment(self, token: str) -> str | None:
        """The experiment at which a link has a seat. The journal is asked every few seconds at the most, however many
        wrong links come."""
        digest, now = digest_of(token), time.monotonic()
        if digest not in self._known and now - self._read > _LINKS_FRESH:
            self._read = now
            self._known = await run_in_threadpool(self._journal.seats.experiments)
        return self._known.get(digest)


class Service:
    """What one application serves. Where people only take their seats there is no `laboratory`: the journal is not
    shown at all, as they would see who sits beside them."""

    def __init__(
        self,
        journal: Journal,
        host: Host,
        laboratory: bool = True,
        token: str | None = None,
        address: str | None = None,
        plays: bool = True,
        runs: Runs | None = None,
        computing: Computing | None = None,
    ) -> None:
        self.journal, self.host, self.laboratory = journal, host, laboratory
        self._plays = plays
        self.runs = runs
        """What steers experiments from the pages; missing where the server was not started for it."""
        self.computing: Final[Computing] = computing or Here()
        """Who computes ratings and measures."""
        self.token = token
        """What a request must carry to see the journal, on a server that others can reach. A seat has its own."""
        self.address = address
        """Where others in the network find these pages; missing where only this machine reaches them."""
        self.revision: Final = Revision(journal)
        self.answers: Final = AnswerCache(self.revision, threads=8)
        """Answers that the journal alone decides; they stay until it changes."""
        self.names: Final = Cache[str](self.revision.now, 1000)
        """The ids of experiments by what readers call them."""
        self.message_counts: Final = Cache[MessageCounts](self.revision.now, 5000)
        """How many messages a search finds: who turns its pages waits for no count."""
        self.event_pages: Final = Cache[Any](self.revision.now, 200)
        """What live games told last: many readers have seen the same, and wait for the same."""
        self.studies: Final = StudyCache(journal, self.revision)
        """What was computed from games that are over; games that are being played do not disturb it."""
        self._looking: Final = Lock()
        self._all_looked_at: int | None = None
        """The revision at which no game was left to look at."""
        self._player_names: Final = Cache[PlayerNames](self.revision.now, 1)
        self._damage: Final = Cache[list[str | None]](self.revision.now, 1)
        self.narrators: Final = Narrators(journal)
        self.links: Final = KnownLinks(journal)
        self.guesses: Final = Guesses()
        """Wrong tokens of seats."""
        # The same number as the caches go by: who is told of a change finds what has changed.
        self.feed: Final = Feed(self.revision.now)

    def end(self) -> None:
        """Compute nothing more: the server stops."""
        self.studies.end()
        self.computing.close()

    def look_at_games(self, seconds: float = _LOOKED) -> int:
        """Find out what happened in games that have ended, for about so long; how many are left. Where somebody else is
        at it, nobody waits."""
        now = self.revision.now()
        if now == self._all_looked_at:
            return 0
        if self.journal.only_read or not self._looking.acquire(blocking=False):
            return self.journal.summaries.count_unsummarised()
        try:
            left = summarise(self.journal, seconds, self.studies.check)
            if left == 0:
                self._all_looked_at = now
            return left
        except JournalError:  # somebody else writes for long; it is done another time
            return self.journal.summaries.count_unsummarised()
        finally:
            self._looking.release()

    def damage(self) -> str | None:
        """What is wrong with the journal, in one line, if anything; looked for once for each revision."""
        try:
            return self._damage.get_or_make("", lambda: [self.journal.damage()])[0]
        except OstromError as error:
            return str(error)

    def player_names(self) -> PlayerNames:
        """What players are called; read once for each revision."""
        return self._player_names.get_or_make("", self.journal.names.known)

    @property
    def starts(self) -> bool:
        """Whether games can be started from its pages."""
        return self.laboratory and self._plays and not self.journal.only_read

    async def experiment_id(self, name: str) -> str:
        """The id of the experiment that is meant by an id or a name."""
        # The journal is asked in a thread, or not at all.
        found = self.names.get(name, await self.revision.soon())
        if found is None:
            found = await run_in_threadpool(self.names.get_or_make, name, lambda: self.journal.experiment_id(name))
        return found
