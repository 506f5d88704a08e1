"""Stag hunt: together the stag, worth most; alone nothing; or the hare, worth less and safe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from ostrom.core import Event, Play, Table
from ostrom.core.effects import Matrix, Party, Telling
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, either
from ostrom.games.battery.played import Asked, Part, PlayedRules, all_choose, ask, end, played_game
from ostrom.games.battery.rules import Amounts, ChoiceList, Repetitions, Role, Shares, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("stag", "hare")


@dataclass(frozen=True, slots=True)
class StagFacts(Facts):
    """What the chooser knows. Whoever goes for the stag alone gets nothing."""

    stag: float
    """What each gets where both go for the stag."""
    hare: float
    """What the hare is worth, whatever the other does."""


def _matrix(
    hunters: tuple[Party, Party], stag: float, hare: float, row: int | None = None, column: int | None = None
) -> Matrix:
    """What both get, by what each hunts."""
    payoffs = (((stag, stag), (0, hare)), ((hare, 0), (hare, hare)))
    return Matrix(parties=hunters, rows=OPTIONS, columns=OPTIONS, payoffs=payoffs, row=row, column=column)


class StatedStagHunt(StatedRules, task="stag_hunt"):
    """Stag hunt, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("hunt", ChoiceList("hare", OPTIONS, "hare", "The same stag, other hares", ("stag",)))
    }
    quick: ClassVar[Mapping[str, Any]] = {"stags": [10, 1000], "repetitions": 2}

    stags: Amounts = (10.0, 100.0, 1000.0)
    """What both get who hunt the stag together, in dollars."""
    hares: Shares = (0.25, 0.5, 0.75)
    """What the hare is worth, as parts of the stag."""
    repetitions: Repetitions = 10

    def cells(self) -> list[Cell]:
        """Stag or hare, for every pair of what they are worth."""
        return [
            Cell("chooser", f"stag={stag:g} hare={share:g}", facts, OPTIONS, self.repetitions)
            for stag, share in product(self.stags, self.hares)
            for facts in [StagFacts(stag, round(share * stag, 10))]
        ]

    def form(self, item: ItemAnswered) -> Matrix:
        """The payoffs, and what the subject hunts."""
        hunters = parties("hunter", "hunter", asked=0)
        return _matrix(hunters, item.facts["stag"], item.facts["hare"], item.place(OPTIONS))


class Hunted(Event, tag="hunted"):
    """Both chose."""

    choices: list[str]
    """'stag' or 'hare', by seat."""


class StagHuntRules(PlayedRules, task="stag_hunt", moves=(Hunted,)):
    """Stag hunt, played: two seats choose at once."""

    series: ClassVar[Mapping[str, str]] = {"choices": "hunted.choices"}
    parts: ClassVar[tuple[Part, ...]] = (Part("chooser", "hunts", options=OPTIONS, fallback="hare"),)
    stag: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What each gets where both hunt the stag; who hunts it alone gets nothing."""
    hare: float = Field(50.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """What a hare is worth, whatever the other does."""

    @model_validator(mode="after")
    def _the_stag_is_worth_more(self) -> Self:
        if self.hare >= self.stag:
            raise ValueError("the hare must be worth less than the stag")
        return self

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """The stag or the hare."""
        return StagFacts(self.stag, self.hare), OPTIONS

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """The hare; the stag for two; nothing."""
        first, second = moves[0]
        stag = either((first == 0) & (second == 0), self.stag, 0.0)
        return [either(hunted == OPTIONS.index("hare"), self.hare, stag) for hunted in (first, second)]

    def key(self, seats: int) -> Number:
        """The hare in parts of the stag."""
        return self.hare / self.stag

    def form(self, seats: int, moves: Sequence[Hunted]) -> Matrix:
        """The payoffs, and what was chosen."""
        chosen = map(OPTIONS.index, moves[0].choices if moves else ())
        return _matrix(parties("hunter", "hunter"), self.stag, self.hare, *chosen)

    def tell(self, move: Hunted) -> Telling:
        """What both chose."""
        return all_choose("both choose", move.choices, lambda seat, choice: f" hunts the {choice}")


def play(rules: StagHuntRules, table: Table) -> Play:
    """Both choose at once. Who gives no legal answer hunts the hare, which neither helps nor harms the other."""
    facts, options = rules.asks("chooser", 2)
    chosen = yield [ask(rules, table, seat, "chooser", facts, options) for seat in table.seats]
    choices = [answer.value for answer in chosen]
    table.record(Hunted(choices=choices))
    end(table, rules.paid([[OPTIONS.index(choice) for choice in choices]]))


STATED = stated_game(StatedStagHunt, "a high payoff that needs both players, or a lower one that is safe")
PLAYED = played_game(
    StagHuntRules, "two choose at once between a safe payoff and a higher one that needs both", play, symmetric=True
)
