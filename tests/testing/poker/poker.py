"""A game of moves in turn with private cards, as an author writes it from the docs alone: poker of von Neumann.

The opener bets or checks, the caller calls or folds, and the cards of a hand are public only if they were compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import polars as pl
from pydantic import BaseModel, ConfigDict
from pydantic import Field as RuleField

from ostrom.analysis.measures import GAME, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, common_tables, events_of, extended, frame, players_of
from ostrom.core import Amount, Choice, Event, EventRegistry, Fields, Registry, Text, When
from ostrom.core.effects import Say, Set, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.scene import Card, Centre, Phase, Quantity, QuantityField, Scene
from ostrom.core.secrecy import PerSeat, PrivateTo
from ostrom.core.telling import simple
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import ChoiceField, NumberField, TextField
from ostrom.players.models.optional_fields import ConditionalField


class PokerRules(BaseModel):
    """The rules of poker with one bet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hands: int = RuleField(6, ge=1, le=200, description="Hands of a game.")
    ante: float = RuleField(1.0, gt=0, le=100, description="What each seat pays before a hand, in chips.")
    largest: float = RuleField(3.0, gt=0, le=1000, description="The largest bet, in chips.")


@dataclass(frozen=True)
class View:
    """What a seat may know when it is asked."""

    rules: PokerRules
    role: str
    hand: int
    card: float
    """The own card."""
    chips: float
    """The own chips won so far."""
    bet: float | None
    """The bet to be answered, for the caller."""
    said: str | None
    """What the opener said with the bet."""
    past: tuple[str, ...]
    """What both seats saw of the hands that are over."""


EVENTS = EventRegistry()


@EVENTS.register
class Dealt(Event, tag="dealt"):
    """Each seat sees its own card."""

    hand: int
    cards: Annotated[list[float], PerSeat()]


@EVENTS.register
class Said(Event, tag="message_said"):
    """The opener says something with its bet."""

    round: int
    seat: int
    text: str


@EVENTS.register
class Opened(Event, tag="opened"):
    """The opener bets or checks."""

    hand: int
    bet: float | None


@EVENTS.register
class Answered(Event, tag="answered"):
    """The caller calls or folds."""

    hand: int
    reply: str


@EVENTS.register
class Shown(Event, tag="shown"):
    """The hand is over; the cards are public if they were compared."""

    hand: int
    cards: Annotated[list[float], PrivateTo("seen_by")]
    seen_by: list[int | None]
    winner: int
    pot: float


@EVENTS.register
class Over(Event, tag="over"):
    """The last hand is over."""

    hand: int
    won: list[float]


def play(rules, table):
    opener, caller = table.seats
    won, past = [0.0, 0.0], ()
    for hand in range(1, rules.hands + 1):
        cards = [table.chance.uniform("card", hand, seat.index) for seat in table.seats]
        table.record(Dealt(hand=hand, cards=cards))
        first = View(rules, "opener", hand, cards[0], won[0], None, None, past)
        spec = Fields(
            {
                "act": Choice(("check", "bet")),
                "bet": When("act", "bet", Amount(0.0, rules.largest)),
                "words": Text(20),
            }
        )
        (move,) = yield [table.ask(opener, "open", hand, spec, first, fallback={"act": "check", "words": ""})]
        bet = move.value["bet"]
        if move.value["words"]:
            table.record(Said(round=hand, seat=0, text=move.value["words"]))
        table.record(Opened(hand=hand, bet=bet))
        reply = None
        if bet is not None:
            second = View(rules, "caller", hand, cards[1], won[1], bet, move.value["words"], past)
            (answer,) = yield [table.ask(caller, "answer", hand, Choice(("call", "fold")), second, fallback="fold")]
            reply = answer.value
            table.record(Answered(hand=hand, reply=reply))
        pot = rules.ante + (bet if reply == "call" else 0.0)
        winner = 0 if reply == "fold" or cards[0] >= cards[1] else 1
        won[winner] += pot
        won[1 - winner] -= pot
        seen_by = [None, 0, 1] if reply != "fold" else []
        table.record(Shown(hand=hand, cards=cards, seen_by=seen_by, winner=winner, pot=pot))
        told = "check" if bet is None else f"bet {bet:.2f}, {reply}"
        faces = f"; cards {cards[0]:.2f} and {cards[1]:.2f}" if reply != "fold" else ""
        past += (f"{told}{faces}; the {'opener' if winner == 0 else 'caller'} won {pot:.2f}",)
    table.record(Over(hand=rules.hands, won=won))


def finals(events: Sequence[Event]) -> list[float | None]:
    return [*events[-1].won]


def honest(question):
    """Bets its card times the largest bet above one half; calls with a card above one half."""
    view = question.view
    if question.phase == "open":
        if view.card > 0.5:
            return {"act": "bet", "bet": view.card * view.rules.largest, "words": "I have a good card."}
        return {"act": "check", "words": ""}
    return "call" if view.card > 0.5 else "fold"


def bluffer(question, draws):
    """Bets the most with high and low cards; calls with a card above two thirds."""
    view = question.view
    if question.phase == "open":
        if view.card > 0.7 or view.card < 0.1:
            return {"act": "bet", "bet": view.rules.largest, "words": "Fold!"}
        return {"act": "check", "words": ""}
    return "call" if view.card > 2 / 3 else "fold"


STRATEGIES = [honest, bluffer]


def tell(event):
    match event.tag:
        case "dealt":
            shown = (Set(values={"card": tuple(event.cards)}), Set(values={"bet": None}))
            return Telling(turn=event.hand, phase="open", text=(sentence("Cards are dealt"),), effects=shown)
        case "message_said":
            return Telling(turn=event.round, phase="open", effects=(Say(seat=event.seat, text=event.text),))
        case "opened":
            words = sentence(0, " checks" if event.bet is None else f" bets {event.bet:.2f}")
            return Telling(turn=event.hand, phase="open", title=words, effects=(Set(values={"bet": event.bet}),))
        case "answered":
            return Telling(turn=event.hand, phase="answer", title=sentence(1, f" {event.reply}s"))
        case "shown":
            return Telling(turn=event.hand, phase="answer", text=(sentence(event.winner, f" wins {event.pot:.2f}"),))
        case "over":
            return Telling(
                turn=event.hand,
                phase="end",
                title=sentence("the end"),
                effects=(Set(values={"won": tuple(event.won)}),),
            )


SCENE = simple(
    Scene(
        layout="table",
        title="Poker",
        clock="hand",
        final="won",
        roles=("opener", "caller"),
        quantities={
            "won": Quantity(title="Won", unit="chips"),
            "card": Quantity(title="Card", digits=2, low=0, high=1),
            "bet": Quantity(title="Bet", of="table", unit="chips", digits=2),
        },
        phases=(Phase(name="open", title="Open"), Phase(name="answer", title="Answer")),
        card=Card(quantity="won", notes=(QuantityField(quantity="card", title="card"),)),
        centre=Centre(quantity="bet", title="Bet"),
        standing=(QuantityField(quantity="won"),),
    ),
    tell,
)


class PokerBriefing(Briefing):
    """Poker in words."""

    prompts = Path(__file__).parent / "prompts"
    unit = "chips"

    def rules_context(self, question, framing, chance):
        return {"rules": question.view.rules}

    def past(self, question, framing, chance):
        return [f"Hand {number}: {text}." for number, text in enumerate(question.view.past, 1)]

    def context(self, question, framing, chance):
        label = self.labels(question, framing, chance, 2)[question.seat.index]
        return {"view": question.view, "me": label, "history": self.past(question, framing, chance)}

    def form(self, question, framing, chance):
        if question.phase == "open":
            most = question.view.rules.largest
            return [
                ChoiceField("act", (("check", "check"), ("bet", "bet"))),
                ConditionalField(NumberField("bet", 0, most, scale=framing.scale), "act", (("bet", "bet"),)),
                TextField("words", 20),
            ]
        return [ChoiceField("answer", tuple((option, option) for option in question.spec.options))]


HANDS = {"game": pl.String, "seat": pl.Int64, "player": pl.String, "bluffed": pl.Int64, "bet": pl.Float64}


@dataclass(frozen=True)
class PokerTables(GameTables):
    """The common tables, and one of openings."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"openings": "seat", **GameTables.ACTORS}

    openings: pl.DataFrame


def tables_of(records):
    rows = []

    def add(game, record):
        card, opener = 0.0, players_of(game, record)[0]
        for tag, event in events_of(record, EVENTS):
            if tag == "dealt":
                card = event["cards"][0]
            elif tag == "opened" and event["bet"] is not None:
                rows.append((game, 0, opener, int(card < 0.5), event["bet"]))

    common = common_tables(POKER, records, add)
    return extended(common, PokerTables, openings=frame(rows, HANDS))


def bluffs(tables):
    """Bluffs: the share of the player's bets with a card below one half."""
    return ratio_of(tables, tables.openings, ("player",), "bluffed", share=True)


def mean_bet(tables):
    """Mean bet: the mean bet of a game."""
    return ratio_of(tables, tables.openings, GAME, "bet")


OWN = Registry("measure of poker")
enter(OWN, Resampling(bluffs), "Bluffs", "share", ("player",))
enter(OWN, Resampling(mean_bet), "Mean bet", "chips", GAME)
MEASURES = GameMeasures(OWN, tables_of, {"openings": "A row for each bet: who opened, whether it was a bluff."})


POKER = Game(
    name="poker",
    title="Poker",
    summary="a bet on a card that the other seat does not see",
    clock="hand",
    unit="chips",
    seats=Seats(2, 2, usual=2),
    roles=lambda seats: ("opener", "caller"),
    rules=PokerRules,
    view=View,
    play=play,
    events=EVENTS,
    finals=finals,
    aim="payoff",
    api=2,
    scene=f"{__name__}:SCENE",
    players=f"{__name__}:STRATEGIES",
    measures=f"{__name__}:MEASURES",
    briefing=f"{__name__}:PokerBriefing",
)
