"""Warming up: what the first readers of a leaderboard or a chart would wait for is computed before they come. It is
done by a thread of its own, one thing after the other, and ends with the server."""

import threading
from collections.abc import Callable
from typing import Any, Final

from ostrom.analysis.study import NothingLeft, Study
from ostrom.core import OstromError
from ostrom.web.library import FINISHED
from ostrom.web.queries.filters import Chosen, Filters, choose
from ostrom.web.queries.messages import all_messages
from ostrom.web.queries.ratings import Measured, standings
from ostrom.web.queries.studies import speaks, studies_here
from ostrom.web.service import Service

_MOST_GAMES: Final = 2000
"""Finished games of a kind that are read before anybody asks; of more, whoever wants to know waits."""


class Warming:
    """Warms up a service, until it is told to stop."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._over = threading.Event()
        # A daemon: nobody needs to wait for what nobody has asked for.
        self._thread = threading.Thread(target=self._work, name="warming up", daemon=True)

    def begin(self) -> None:
        """Begin, unless the journal is not shown at all."""
        if self._service.laboratory:
            self._thread.start()

    def end(self) -> None:
        """Begin nothing more."""
        self._over.set()

    def _work(self) -> None:
        try:
            # What every page of a kind begins with before anything that only some of them show.
            here = [study for study in studies_here(self._service) if isinstance(study, Study)]
            games = [chosen for study in here if (chosen := self._games(study)) is not None]
            for chosen in games:
                self._each(standings, self._service, chosen)
            for chosen in games:
                measured = Measured(self._service, chosen)
                for name in measured:
                    self._each(measured.__getitem__, name)
                if speaks(self._service, chosen.study):
                    self._each(all_messages, self._service)
        except OstromError:
            pass  # whoever asks for it is told why it cannot be

    def _games(self, study: Study[Any]) -> Chosen | None:
        """All finished games of a kind, read; none where they are too many."""
        rows = self._service.findings.library.rows(study)
        if self._over.is_set() or sum(row.state == FINISHED for row in rows) > _MOST_GAMES:
            return None
        try:
            return choose(self._service, Filters(study.command))
        except NothingLeft:
            return None

    def _each(self, make: Callable[..., object], *of: object) -> None:
        if not self._over.is_set():
            make(*of)
