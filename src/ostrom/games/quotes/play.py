"""The generator of a reading for quotes: one question a portion of lines."""

from ostrom.games.quotes.events import LinePicked, PortionRead
from ostrom.games.quotes.rules import QuotesRules
from ostrom.games.quotes.view import QuotesView
from ostrom.games.spoken import portions
from ostrom.table import Amount, Choice, Fields, Play, Several, Table, Text

PHASE = "pick"


def play(rules: QuotesRules, table: Table) -> Play:
    """Read every portion, and record the lines that are picked. A judge without a legal answer has picked nothing."""
    (judge,) = table.seats
    read = portions(rules.lines, rules.portion_lines, rules.portion_words)
    for turn, lines in enumerate(read, start=1):
        view = QuotesView(rules, turn, len(read), lines)
        (picked,) = yield [table.ask(judge, PHASE, turn, _spec(view), view, fallback=[])]
        said = {line.number: line for line in lines}
        for pick in picked.value:
            line = said[pick["line"]]
            table.record(
                LinePicked(
                    turn=turn,
                    line=line.number,
                    round=line.round,
                    label=line.label,
                    rating=pick["rating"],
                    reason=pick["reason"],
                )
            )
        table.record(PortionRead(turn=turn, first=lines[0].number, last=lines[-1].number, picked=len(picked.value)))


def _spec(view: QuotesView) -> Several:
    pick = Fields(
        {
            "line": Choice(tuple(line.number for line in view.lines)),
            "rating": Amount(0, view.rules.best, whole=True),
            "reason": Text(view.rules.reason_words),
        }
    )
    return Several(pick, fewest=0, most=view.picks, distinct="line")
