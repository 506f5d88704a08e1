"""What can be compared: every game that there are finished games of, and what they can be filtered by."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pydantic import TypeAdapter

from ostrom.analysis.kinds import PUNISH, Kind
from ostrom.charts.editions import EDITIONS
from ostrom.games.battery.charts.report import HEADING
from ostrom.journal.overview import GameRow
from ostrom.web.library import FINISHED
from ostrom.web.queries.payoffs import played_rows
from ostrom.web.service import Service
from ostrom.web.shapes.study import AnyKind, Studies, StudyExperiment, StudyItem

_KIND: Final[TypeAdapter[AnyKind]] = TypeAdapter(AnyKind)


def studies(service: Service) -> Studies:
    """All studies for which there is at least one finished game, those of played games first."""
    names = service.journal.ended.experiments()
    found = []
    for edition in EDITIONS.values():
        rows = [row for row in service.findings.library.rows(edition.kind) if row.state == FINISHED]
        found.append(_item(edition.kind.command, edition.heading, rows, names, mixed=_mixed(service, edition.kind)))
    battery = [*service.findings.library.questionnaires(), *played_rows(service)]
    found.append(_item("battery", HEADING, battery, names))
    return Studies(studies=[one for one in found if one.games])


def _item(kind: str, title: str, rows: Sequence[GameRow], names: dict[str, str], *, mixed: bool = False) -> StudyItem:
    games = Counter(row.experiment for row in rows)
    return StudyItem(
        kind=_KIND.validate_python(kind),
        title=title,
        games=len(rows),
        experiments=[StudyExperiment(id=one, name=names[one], games=games[one]) for one in names if one in games],
        players=sorted({player for row in rows for player in row.players}),
        messages=mixed,
    )


def _mixed(service: Service, kind: Kind[Any]) -> bool:
    """Whether some games have messages and others have none; only in Contribute & Punish may anybody speak."""
    if kind is not PUNISH:
        return False
    return service.findings.volume(kind).tables.games["messages"].n_unique() > 1
