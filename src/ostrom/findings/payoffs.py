"""The verb `payoffs`: the mean payoff of each player, overall and, in two-player games, by seat and by opponent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from ostrom.analysis.selection import Selection, select_boards
from ostrom.analysis.standing import Payoffs, realised_payoffs
from ostrom.analysis.study import AnyStudy, NothingLeft, Study, studies_of, study_by_command
from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.settings import Display
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.journal_settings import JournalSettings
from ostrom.findings.ratings import left_out_lines
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal

Cells: TypeAlias = Mapping[tuple[str, int | None, str | None], Payoffs]
"""Payoffs by player, seat and opponent."""


_DEFAULTED: Final = number(
    "defaulted",
    "defaulted",
    meaning="The number of games in which a player's answer was replaced by the fallback",
    type=int,
)
PAYOFF_COLUMNS: Final = (
    Column("player", in_frame=False, type=str),
    Column("label", "player", wraps=True, type=str),
    number("games", "games", type=int),
    number(
        "payoff",
        "payoff",
        decimals(2),
        interval="beside",
        interval_heading="95 % interval",
        interval_separator=" … ",
        type=Estimate,
    ),
    _DEFAULTED,
)
"""The columns of every game's payoffs; those by seat and by opponent follow. They are fields of the API, too."""


class PayoffsSettings(JournalSettings):
    """Settings of payoffs."""

    game: Annotated[str | None, Display(form="GAME", positional=True)] = Field(
        None, description="The game; if omitted, all in the journal."
    )
    without_defaulted: bool = Field(False, description="Leave out games with a defaulted answer.")  # type: ignore[assignment]

    @property
    def selection(self) -> Selection:
        """The selection of games. Raises InputError if it is invalid."""
        excluded = "games" if self.without_defaulted else None
        return Selection.select(
            self.experiment, game=self.game, without_defaulted=excluded, rules=self.rules, pool=self.pool
        )


@verb("payoffs", keeps=False)
def payoffs(store: str | None, settings: PayoffsSettings, reporter: Reporter = SILENT) -> Finding:
    """Show what each player earned: overall and, in two-player games, by seat and by opponent."""
    with open_journal(store) as journal:
        return payoffs_of(journal, settings.selection, reporter)


def payoffs_of(journal: Journal, selection: Selection, reporter: Reporter = SILENT) -> Finding:
    """Return the payoffs of the selected games: of one game, or of all in the journal. Raises NothingLeft or InputError
    if there are none."""
    names = journal.names.known()
    tables = _selected_tables(journal, selection, reporter)
    rows = [row for each in tables for row in realised_payoffs(each)]
    parts = [_payoffs_for_programs(rows, names)]
    for each in tables:
        of_game = [row for row in rows if row.game == each.kind]
        lines = left_out_lines(each, names)
        parts.append(replace(payoffs_table(of_game, names.of), lines_above=lines))
    return Finding(
        verb="payoffs",
        title="Realised payoffs",
        facts={"left_out": {each.kind: each.left_out.as_record() for each in tables}},
        parts=parts,
        result=rows,
    )


def _selected_tables(journal: Journal, selection: Selection, reporter: Reporter) -> list[GameTables]:
    """Return the tables of each game that has any."""
    finished = sorted({row.game for row in journal.games(selection.experiment, FINISHED)})
    studies: list[AnyStudy] = [study for study in studies_of(finished, journal) if isinstance(study, Study)]
    if selection.game is not None:
        studies = [study_by_command(selection.game, studies)]
    tables: list[GameTables] = []
    nothing: NothingLeft | None = None
    for study in studies:
        try:
            of_game = selection.changed(game=study.command)
            tables.append(select_boards(journal, of_game, reporter.note, reporter.spell)[0].tables)
        except NothingLeft as error:
            nothing = error
    if not tables:
        raise nothing or InputError("there are no played games here; 'ostrom bench GAME' plays some")
    return tables


def _payoffs_for_programs(rows: Sequence[Payoffs], names: PlayerNames) -> Table:
    """Return a row for each player of each game, in all its games, by seat and by opponent."""
    columns = [Column(name) for name in ("game", "player", "seat", "against", "games", "defaulted", "payoff", "name")]
    records = [
        {**{column.name: getattr(row, column.name) for column in columns[:-1]}, "name": names.of(row.player)}
        for row in rows
    ]
    return Table("payoffs", columns, records, on_terminal=False)


def payoffs_table(payoffs: Sequence[Payoffs], name_of: Callable[[str], str]) -> Table:
    """Return the payoffs of one game, the highest first: a row for each player, with its mean payoff, by seat, and
    against each of the others."""
    cells: Cells = {(one.player, one.seat, one.against): one for one in payoffs}
    totals = [one for one in payoffs if one.seat is None and one.against is None]
    seats = sorted({one.seat for one in payoffs if one.seat is not None})
    opponents = sorted({one.against for one in payoffs if one.against is not None})
    columns = [
        *(column for column in PAYOFF_COLUMNS if column is not _DEFAULTED or any(one.defaulted for one in payoffs)),
        *(number(f"seat_{seat}", f"as seat {seat + 1}", decimals(2)) for seat in seats),
        *(
            number(f"against_{other}", f"vs {name_of(other)}", decimals(2), spare=1 + place)
            for place, other in enumerate(opponents)
        ),
    ]
    rows = [
        {
            "player": one.player,
            "label": name_of(one.player),
            "games": one.games,
            "defaulted": one.defaulted,
            "payoff": one.payoff,
            **{f"seat_{seat}": _payoff(cells, one.player, seat=seat) for seat in seats},
            **{f"against_{other}": _payoff(cells, one.player, against=other) for other in opponents},
        }
        for one in sorted(totals, key=_highest_first)
    ]
    game = payoffs[0].game
    return Table(f"payoffs_{game}", columns, rows, title=f"{game.replace('_', ' ')}: realised payoffs", in_json=False)


def _highest_first(one: Payoffs) -> tuple[float, str]:
    """Sort by payoff; players with the same payoff are sorted by name."""
    return -(one.payoff.value or 0.0), one.player


def _payoff(cells: Cells, player: str, *, seat: int | None = None, against: str | None = None) -> Estimate | None:
    cell = cells.get((player, seat, against))
    return None if cell is None else cell.payoff
