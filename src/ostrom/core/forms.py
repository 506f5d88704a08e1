"""Forms: what the question layout draws. A form is the whole state of its drawing, so that whoever draws one needs
nothing that came before; what is not known yet is `None`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Number: TypeAlias = int | Annotated[float, Field(allow_inf_nan=False)]
Pair: TypeAlias = tuple[Number, Number]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Party(_Part):
    """Somebody in a form: a seat, or, without one, somebody whom a subject is asked to think of."""

    seat: int | None = Field(None, ge=0)
    role: str


class ChoiceMade(_Part):
    """Options as they were shown, by what they mean, with their labels, and the one that was chosen."""

    options: tuple[str, ...]
    labels: tuple[str, ...]
    answer: str | None = None


class Split(_Part):
    """A pot divided between two; who divides it may need the other's consent."""

    form: Literal["split"] = "split"
    parties: tuple[Party, Party]
    pot: Number
    offer: Number | None = None
    """What the second one gets."""
    consent: bool = False
    accepted: bool | None = None


class Flow(_Part):
    """Money sent, grown on its way, and sent back."""

    form: Literal["flow"] = "flow"
    parties: tuple[Party, Party]
    endowment: Number
    multiplier: Number
    sent: Number | None = None
    received: Number | None = None
    returned: Number | None = None


class Matrix(_Part):
    """Two who choose at once; `payoffs[row][column]` are what the first and the second get."""

    form: Literal["matrix"] = "matrix"
    parties: tuple[Party, Party]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    payoffs: tuple[tuple[Pair, ...], ...]
    row: int | None = None
    column: int | None = None


class Tree(_Part):
    """Take or pass, node by node; a node holds what the first and the second get if it is taken there."""

    form: Literal["tree"] = "tree"
    parties: tuple[Party, Party]
    nodes: tuple[Pair, ...]
    end: Pair
    moves: tuple[Literal["take", "pass"], ...] = ()
    asked: int | None = None
    """The only node that was asked, counted from 1; earlier ones count as passed."""


class Pin(_Part):
    """A number that somebody named."""

    party: Party
    value: Number | None = None
    best: bool = False


class Rule(_Part):
    """A value that is marked on a line."""

    title: str
    value: Number
    main: bool = False


class NumberLine(_Part):
    """Numbers on a line: pins with flags where they are few, dots that stand on each other where they are many."""

    form: Literal["line"] = "line"
    low: Number
    high: Number
    verb: str
    """What a party does: 'claims', 'names'."""
    pins: tuple[Pin, ...]
    rules: tuple[Rule, ...] = ()
    verdict: str = ""
    """What comes of it, or will."""


class Fund(_Part):
    """A common fund: what everyone pays in and keeps, how it grows, and what comes back to everyone alike."""

    form: Literal["fund"] = "fund"
    parties: tuple[Party, ...]
    players: int
    endowment: Number
    multiplier: Number
    contributions: tuple[Number, ...] | None = None
    fund: Number | None = None
    share: Number | None = None


class Payment(_Part):
    """An amount on a day, counted from today."""

    option: str
    amount: Number
    days: Number


class Dates(_Part):
    """Dated amounts to choose between, the earliest first."""

    form: Literal["dates"] = "dates"
    payments: tuple[Payment, ...]
    choice: ChoiceMade


class Lottery(_Part):
    """One option: the chance of each outcome, `None` where nobody knows them."""

    option: str
    title: str
    chances: tuple[Number, ...] | None


class Lotteries(_Part):
    """Lotteries and urns over the same outcomes, the worst outcome first."""

    form: Literal["lotteries"] = "lotteries"
    outcomes: tuple[Number, ...]
    lotteries: tuple[Lottery, ...]
    choice: ChoiceMade
    worth: bool = False
    """Whether expected values stand below."""


class Gamble(_Part):
    """An even chance of a gain and of a loss (a positive amount), or nothing."""

    form: Literal["gamble"] = "gamble"
    gain: Number
    loss: Number
    choice: ChoiceMade


class Budget(_Part):
    """An income spent on two goods; `bought` is the amount of the first."""

    form: Literal["budget"] = "budget"
    income: Number
    prices: Pair
    bought: Number | None = None


Form: TypeAlias = Annotated[
    Split | Flow | Matrix | Tree | NumberLine | Fund | Dates | Lotteries | Gamble | Budget, Field(discriminator="form")
]
