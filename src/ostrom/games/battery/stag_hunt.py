"""Stag hunt: the stag pays most but needs both players, while the hare pays less and is safe. In the played game, a
missing or illegal answer counts as hunting the hare, which neither helps nor harms the other player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator
from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import FormParty, MatrixForm, Telling
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, either
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, describe_choices, played_game
from ostrom.games.battery.rules import Amounts, ChoiceList, Repetitions, Role, Shares, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("stag", "hare")


@dataclass(frozen=True, slots=True)
class StagFacts(Facts):
    """The facts in the question to the chooser. A player who hunts the stag alone gets nothing."""

    stag: float
    """Each player's payoff if both hunt the stag."""
    hare: float
    """The payoff of the hare, which does not depend on the other player."""


def _matrix(
    hunters: tuple[FormParty, FormParty], stag: float, hare: float, row: int | None = None, column: int | None = None
) -> MatrixForm:
    payoffs = (((stag, stag), (0, hare)), ((hare, 0), (hare, hare)))
    return MatrixForm(parties=hunters, rows=OPTIONS, columns=OPTIONS, payoffs=payoffs, row=row, column=column)


class StatedStagHunt(StatedRules, task="stag_hunt"):
    """Stag hunt, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("hunt", ChoiceList("hare", OPTIONS, "hare", "The same stag, other hares", ("stag",)))
    }
    quick: ClassVar[Mapping[str, Any]] = {"stags": [10, 1000], "repetitions": 2}

    stags: Amounts = (10.0, 100.0, 1000.0)
    """Each player's payoffs if both hunt the stag, in dollars."""
    hares: Shares = (0.25, 0.5, 0.75)
    """The worth of the hare, as shares of the stag."""
    repetitions: Repetitions = 10

    @override
    def cells(self) -> list[GridCell]:
        cells = []
        for stag, share in product(self.stags, self.hares):
            facts = StagFacts(stag, round(share * stag, 10))
            cells.append(GridCell("chooser", f"stag={stag:g} hare={share:g}", facts, OPTIONS, self.repetitions))
        return cells

    @override
    def form(self, item: ItemAnswered) -> MatrixForm:
        hunters = parties("hunter", "hunter", asked=0)
        return _matrix(hunters, item.facts["stag"], item.facts["hare"], item.place(OPTIONS))


class Hunted(Event, tag="hunted"):
    """Both players chose between stag and hare."""

    choices: list[str]
    """'stag' or 'hare', by seat."""


class StagHuntRules(PlayedRules, task="stag_hunt", moves=(Hunted,)):
    """Stag hunt, played: two seats choose at once."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("chooser", "hunts", options=OPTIONS, fallback="hare"),)
    stag: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """Each player's payoff if both hunt the stag. A player who hunts it alone gets nothing."""
    hare: float = Field(50.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """The payoff of a hare, which does not depend on the other player."""

    @model_validator(mode="after")
    def _the_stag_is_worth_more(self) -> Self:
        if self.hare >= self.stag:
            raise ValueError("the hare must be worth less than the stag")
        return self

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        return StagFacts(self.stag, self.hare), OPTIONS

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        return Hunted(choices=list(answers))

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        first, second = moves[0]
        stag = either((first == 0) & (second == 0), self.stag, 0.0)
        return [either(hunted == OPTIONS.index("hare"), self.hare, stag) for hunted in (first, second)]

    @override
    def key(self, seats: int) -> Number:
        return self.hare / self.stag

    @override
    def form(self, seats: int, moves: Sequence[Hunted]) -> MatrixForm:
        chosen = map(OPTIONS.index, moves[0].choices if moves else ())
        return _matrix(parties("hunter", "hunter"), self.stag, self.hare, *chosen)

    @override
    def tell(self, move: Hunted) -> Telling:
        return describe_choices("both choose", move.choices, lambda seat, choice: f" hunts the {choice}")


STATED = stated_game(StatedStagHunt, "a high payoff that needs both players, or a lower one that is safe")
PLAYED = played_game(StagHuntRules, "two choose at once between a safe payoff and a higher one that needs both")
