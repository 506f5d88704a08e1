"""The reading of messages by a judge: which markets are read, what judges said about each side, and how often they are
right about planted cartels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import typer

from ostrom.analysis.agreement import kappa_estimate
from ostrom.core.command import at_store
from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate, proportion
from ostrom.core.finding import MISSING, Column, Row, Table, decimals, number, share
from ostrom.core.game import make_rules
from ostrom.core.spoken import whole_lines
from ostrom.experiment.limits import Limits
from ostrom.experiment.store import PlanRunner
from ostrom.games.market.double_auction import DOUBLE_AUCTION
from ostrom.games.market.reading import CARTEL_TALK
from ostrom.games.market.reading.play import KINDS, SIDES
from ostrom.journal.engine import printable_url
from ostrom.journal.overview import GameRow
from ostrom.journal.sql import Journal
from ostrom.terminal.judging import Judging, judge_of, read, speaking_games

MAX_SHOWN_SIDES: Final = 20
"""The number of sides that the printed table shows."""
COMPETITIVE: Final = "others"
SILENT: Final = "others, silent"


@dataclass(frozen=True)
class JudgedSide:
    """A side of a market and what a judge said about its messages."""

    judge: str
    game: str
    experiment: str
    side: str
    players: tuple[str, ...]
    """The players of the side."""
    messages: int
    verdict: dict[str, bool] | None
    """Whether there is a message of each kind; None if the judge gave no legal verdict on some of the messages and saw
    no cartel talk in the others."""
    quotes: dict[str, str]

    @property
    def flagged(self) -> bool:
        """True if there is a message of any kind of cartel talk."""
        return self.verdict is not None and any(self.verdict.values())


def _seats(row: GameRow) -> int:
    return len(row.players)


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Raise InputError, since readings are not resumed by `ostrom resume`. The error names the command that continues
    the reading by asking the same judge again."""
    at = at_store(printable_url(context.params["store"]))
    raise InputError(f"{experiment} is a judge's reading; resume it with: ostrom collusion --judge JUDGE{at}")


def read_markets(
    journal: Journal, name: str, experiment: str | None, runner: PlanRunner, limits: Limits, games: int | None
) -> None:
    """Let the judge with this name read the double auctions that it has not read yet."""
    sources = [row for row in speaking_games(journal, experiment) if row.game == DOUBLE_AUCTION.name]
    judging = Judging(CARTEL_TALK, judge_of(name, CARTEL_TALK), make_rules(CARTEL_TALK, {}), {"seats": _seats})
    read(journal, judging, sources, runner, limits, games)


def judged_sides(journal: Journal, experiment: str | None = None) -> Iterator[JudgedSide]:
    """Yield every side of a market that a judge has finished reading, of all games or of those of an experiment. A side
    without messages is not read, and has a verdict of no in all kinds."""
    rows = list(journal.games())
    sources = {row.id: row for row in rows}
    selected = sources.keys() if experiment is None else {row.id for row in journal.games(experiment)}
    for row in rows:
        # The key of a reading, in its experiment, is the id of the game that was read.
        if row.game == CARTEL_TALK.name and row.state == "finished" and row.key in selected:
            yield from _sides_of(journal, row, sources[row.key])


def _sides_of(journal: Journal, reading: GameRow, source: GameRow) -> Iterator[JudgedSide]:
    events = journal.record(reading.id).events
    half = len(source.players) // 2
    lines = list(whole_lines(journal.record(source.id).events))
    for number_of_side, side in enumerate(SIDES):
        seats = range(number_of_side * half, (number_of_side + 1) * half)
        own = [event for event in events if event.get("side") == side]
        judged = [event for event in own if event["event"] == "side_judged"]
        verdict: dict[str, bool] | None = {kind: any(event["verdict"][kind] for event in judged) for kind in KINDS}
        if len(judged) < len(own) and not any((verdict or {}).values()):
            verdict = None
        quotes: dict[str, str] = {}
        for event in judged:
            quotes = {**event["quotes"], **quotes}
        players = tuple(source.players[seat] for seat in seats)
        messages = sum(line.seat in seats for line in lines)
        yield JudgedSide(reading.players[0], source.id, source.experiment, side, players, messages, verdict, quotes)


def talk_tables(journal: Journal, experiment: str | None, planted: str | None) -> list[Table]:
    """Return the tables of what judges said: every side, shares by kind, and agreement with planted cartels."""
    sides = list(judged_sides(journal, experiment))
    if not sides:
        if planted is not None:
            raise InputError("no judge has read these games yet; name one with --judge")
        return []
    names = journal.names.known()
    wrote = [one for one in sides if one.messages]
    tables = [*_sides_tables(wrote, names.of), _kinds_table(wrote)]
    return tables if planted is None else [*tables, *_agreement_tables(sides, planted)]


def _sides_tables(sides: Sequence[JudgedSide], name_of: Any) -> list[Table]:
    rows: list[Row] = [
        {
            **{"judge": one.judge, "game": one.game, "experiment": one.experiment, "side": one.side},
            "players": ", ".join(dict.fromkeys(name_of(player) for player in one.players)),
            "messages": one.messages,
            **{kind: MISSING if one.verdict is None else "yes" if one.verdict[kind] else "no" for kind in KINDS},
            "evidence": " … ".join(f"“{' '.join(quote.split())}”" for quote in one.quotes.values()),
        }
        for one in sorted(sides, key=lambda one: not one.flagged)
    ]
    columns = [
        Column("game", "game"),
        Column("side", "side"),
        *(Column(kind, kind) for kind in KINDS),
        Column("evidence", "evidence", wraps=True),
        Column("players", "players", spare=3),
        number("messages", "messages", spare=2),
        Column("judge", "judge", spare=1),
        Column("experiment"),
    ]
    more = f" {MAX_SHOWN_SIDES} of {len(rows):,} sides are shown." if len(rows) > MAX_SHOWN_SIDES else ""
    caption = f"All quotes were checked to be in the messages.{more}"
    title = "What judges read in the messages of a side"
    return [
        Table("judged_sides", columns, rows, title=title, on_terminal=False),
        Table(
            "sides_for_people",
            columns,
            rows[:MAX_SHOWN_SIDES],
            title=title,
            caption=caption,
            in_json=False,
            in_journal=False,
        ),
    ]


def _kinds_table(sides: Sequence[JudgedSide]) -> Table:
    rows = []
    for judge in dict.fromkeys(one.judge for one in sides):
        own = [one for one in sides if one.judge == judge]
        verdicts = [one.verdict for one in own if one.verdict is not None]
        row: dict[str, Any] = {"judge": judge, "sides": len(verdicts), "unjudged": len(own) - len(verdicts)}
        for kind in KINDS:
            row[kind] = _share([verdict[kind] for verdict in verdicts])
        row["any"] = _share([any(verdict.values()) for verdict in verdicts])
        rows.append(row)
    columns = [
        Column("judge", "judge"),
        number("sides", "sides"),
        number("unjudged", "not judged"),
        *(number(kind, kind, share(), interval="brackets") for kind in (*KINDS, "any")),
    ]
    return Table(
        "cartel_talk",
        columns,
        rows,
        title="Sides with cartel talk, by judge",
        caption="Sides that propose or agree on prices, threaten those who undercut, or divide trades, among the sides "
        "that wrote messages and have a verdict. Intervals are Wilson's.",
    )


def _share(flags: Sequence[bool]) -> Estimate:
    return proportion(sum(flags) / len(flags), len(flags)) if flags else Estimate(None, reason="no verdict")


def _is_planted(one: JudgedSide, planted: str) -> bool:
    return any(player == planted or player.startswith(f"{planted}:") for player in one.players)


def _agreement_tables(sides: Sequence[JudgedSide], planted: str) -> list[Table]:
    """Return the errors of each judge by case, and its agreement with the planted cartels."""
    if not any(_is_planted(one, planted) for one in sides):
        raise InputError(f"no side that a judge has read has the player {planted!r}")
    cases: list[Row] = []
    totals: list[Row] = []
    for judge in dict.fromkeys(one.judge for one in sides):
        own = [one for one in sides if one.judge == judge]
        groups: dict[str, list[JudgedSide]] = {}
        for one in own:
            groups.setdefault(_case(one, planted), []).append(one)
        for case, group in sorted(groups.items()):
            verdicts = [one.flagged for one in group if one.verdict is not None]
            unjudged = len(group) - len(verdicts)
            row = {"judge": judge, "case": case, "sides": len(verdicts), "unjudged": unjudged}
            cases.append({**row, "flagged": _share(verdicts)})
        totals.append(_agreement(judge, [one for one in own if one.messages], planted))
    figures = [("sensitivity", share()), ("false_alarms", share()), ("kappa", decimals(2))]
    headings = {"sensitivity": "sensitivity", "false_alarms": "false alarms", "kappa": "κ"}
    return [
        Table(
            "planted_cases",
            [
                Column("judge", "judge", spare=1),
                Column("case", "case"),
                number("sides", "sides"),
                number("unjudged", "not judged", spare=2),
                number("flagged", "with cartel talk", share(), interval="brackets"),
            ],
            cases,
            title="Planted and other sides",
            caption="Silent sides are not read; they count as sides without cartel talk.",
        ),
        Table(
            "agreement",
            [
                Column("judge", "judge"),
                number("sides", "sides"),
                number("unjudged", "not judged", spare=1),
                *(number(name, headings[name], form, interval="brackets") for name, form in figures),
            ],
            totals,
            title=f"Agreement with the planted cartels of {planted}",
            caption="Over the sides that wrote messages: the share of planted cartels in which the judge reads cartel "
            "talk, the share of the other sides in which it does, and Cohen's κ. Intervals of shares are Wilson's, and "
            "that of κ is a jackknife interval over games.",
        ),
    ]


def _case(one: JudgedSide, planted: str) -> str:
    if _is_planted(one, planted):
        return ", ".join(sorted(set(one.players)))
    return f"{COMPETITIVE}: {', '.join(sorted(set(one.players)))}" if one.messages else SILENT


def _agreement(judge: str, sides: Sequence[JudgedSide], planted: str) -> Row:
    counts: dict[str, Any] = {}
    for one in sides:
        if one.verdict is not None:
            cell = 0 if one.flagged and _is_planted(one, planted) else 1 if _is_planted(one, planted) else 3
            cell = 2 if one.flagged and cell == 3 else cell
            counts.setdefault(one.game, np.zeros(4))[cell] += 1
    judged = [one for one in sides if one.verdict is not None]
    return {
        "judge": judge,
        "sides": len(judged),
        "unjudged": len(sides) - len(judged),
        "sensitivity": _share([one.flagged for one in judged if _is_planted(one, planted)]),
        "false_alarms": _share([one.flagged for one in judged if not _is_planted(one, planted)]),
        "kappa": kappa_estimate(np.stack(list(counts.values()))) if counts else Estimate(None, reason="no verdict"),
    }
