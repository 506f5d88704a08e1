"""Two seats take turns: the mover takes the larger part of what lies there, which ends the game, or passes, and it
grows."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Choice, Event, EventRegistry, Play, Table
from ostrom.core.effects import Choose, Telling, Tree, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.centipede import END, OPTIONS, PAYOFFS, CentipedeFacts, Piles, piles_tree
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented
from ostrom.games.battery.played.view import PlayedView, choosing

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class CentipedeRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    payoffs: tuple[Piles, ...] = Field(PAYOFFS, min_length=1, max_length=1000)
    """For every node what its mover gets by taking there, and what the other gets."""
    end: Piles = END
    """After the last pass: what seat 0 gets, and what seat 1 gets."""
    scale: float = Field(1.0, gt=0, le=100_000, allow_inf_nan=False)
    """What every payoff is multiplied by."""

    def scaled(self, piles: Piles) -> Piles:
        """Two payoffs as they are paid."""
        return round(piles[0] * self.scale, 9), round(piles[1] * self.scale, 9)


@EVENTS.register
class Moved(Event):
    """A seat took or passed."""

    tag: ClassVar[str] = "moved"

    node: int
    """Counted from 1."""
    seat: int
    move: Literal["take", "pass"]


def play(rules: CentipedeRules, table: Table) -> Play:
    """Seat 0 moves at the odd nodes, seat 1 at the even ones. Who gives no legal answer takes nothing: it passes."""
    payoffs, last = tuple(rules.scaled(piles) for piles in rules.payoffs), rules.scaled(rules.end)
    for node, (taken, left) in enumerate(payoffs, start=1):
        mover = table.seats[(node - 1) % 2]
        facts = CentipedeFacts(node, payoffs, last, rules.scale)
        view = choosing("centipede", "mover", mover, facts, OPTIONS, table.chance, node)
        (moved,) = yield [table.ask(mover, view.role, node, Choice(OPTIONS), view, fallback="pass")]
        table.record(Moved(node=node, seat=mover.index, move=moved.value))
        if moved.value == "take":
            end(table, [taken, left] if mover.index == 0 else [left, taken])
            return
    end(table, last)


class CentipedeTeller(PlayedTeller[CentipedeRules]):
    """Who takes where."""

    moves: tuple[Literal["take", "pass"], ...] = ()

    def form(self) -> Tree:
        """The nodes, and the way that was gone."""
        nodes = tuple(self.rules.scaled(piles) for piles in self.rules.payoffs)
        return piles_tree(parties("moves first", "moves second"), nodes, self.rules.scaled(self.rules.end), self.moves)

    def move(self, event: Event) -> Telling:
        """What the mover did."""
        if not isinstance(event, Moved):
            raise foreign(event, "the centipede game")
        self.moves = (*self.moves, event.move)
        words = sentence(f"node {event.node}: ", event.seat, " takes" if event.move == "take" else " passes")
        return Telling(text=(words,), effects=(Choose(seat=event.seat, value=event.move),))


PRESENTATION = presented("Centipede", CentipedeTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The moves by node, and the payoffs."""
    return {
        "moves": [event.move for event in events if isinstance(event, Moved)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


CENTIPEDE = Game(
    name="centipede",
    title="Centipede",
    summary="two take turns: take the larger part, which ends the game, or pass, and it grows",
    seats=Seats(2, 2, usual=2),
    rules=CentipedeRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.centipede:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:CentipedeBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
