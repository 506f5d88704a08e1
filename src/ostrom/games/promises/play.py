"""The generator of a reading for promises: one question a round, or several where much was said."""

from itertools import groupby
from operator import attrgetter

from ostrom.games.promises.events import LineJudged, LinesUnjudged
from ostrom.games.promises.rules import PromisesRules
from ostrom.games.promises.specs import ALL, VerdictsSpec
from ostrom.games.promises.view import PromisesView
from ostrom.games.spoken import SpokenLine, portions
from ostrom.table import Play, Table

PHASE = "judge"


def play(rules: PromisesRules, table: Table) -> Play:
    """Read every round, and record what the judge says of each line."""
    (judge,) = table.seats
    for turn, lines in enumerate(portions_of(rules), start=1):
        view = PromisesView(rules, turn, lines[0].round, lines)
        spec = VerdictsSpec(tuple(line.number for line in lines))
        (judged,) = yield [table.ask(judge, PHASE, turn, spec, view, fallback=[])]
        if not judged.value:
            first, last = lines[0].number, lines[-1].number
            table.record(LinesUnjudged(turn=turn, round=view.round, first=first, last=last))
        for line, verdict in zip(lines, judged.value, strict=False):
            promise = verdict["promise"]
            table.record(
                LineJudged(
                    turn=turn,
                    line=line.number,
                    round=line.round,
                    label=line.label,
                    promise=promise is not None,
                    tokens=None if promise == ALL else promise,
                )
            )


def portions_of(rules: PromisesRules) -> list[tuple[SpokenLine, ...]]:
    """The lines of each question: never of two rounds at once."""
    rounds = [tuple(lines) for _, lines in groupby(rules.lines, key=attrgetter("round"))]
    return [part for lines in rounds for part in portions(lines, rules.portion_lines, rules.portion_words)]
