"""What a declaration of a score says, and what people do: the human values that scores are shown beside, each with its
source."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ostrom.analysis.study import Scale, Word
from ostrom.games.battery.scores.score import Sampled, Score


class Baseline(NamedTuple):
    """A human value as its source has it."""

    quantity: str
    value: str
    source: str


BASELINES: Final = (
    Baseline(
        "dictator, share given", "mean 28.35 %; 36.1 % give nothing; 16.7 % give half", "Engel 2011, 616 treatments"
    ),
    Baseline(
        "ultimatum offer; rejections", "40 %; 16 % of offers", "Oosterbeek, Sloof, van de Kuilen 2004, 75 results"
    ),
    Baseline("trust sent; returned", "50 %; 37 %", "Johnson, Mislin 2011, 162 replications"),
    Baseline("trust, original", "5.16 of 10 sent, 4.66 returned", "Berg, Dickhaut, McCabe 1995"),
    Baseline("beauty contest p = 2/3", "mean 36.7, median 33", "Nagel 1995"),
    Baseline("centipede, 6 nodes, take rate", ".01 .06 .21 .53 .73 .85", "McKelvey, Palfrey 1992"),
    Baseline(
        "traveller 2–100, R = 2 (experts)",
        "10 of 45 claim 100, 23 claim 95–99, 3 claim 2",
        "Becker, Carter, Naeve 2005",
    ),
    Baseline("public goods, first rounds", "40–60 %, then falling", "Ledyard 1995"),
    Baseline("with punishment, partners", "38 % → 85 %", "Fehr, Gächter 2000"),
    Baseline("with punishment, 16 cities", "29–90 %", "Herrmann, Thöni, Gächter 2008"),
    Baseline("annual discount rate", "0.33, so δ ≈ 0.75", "Matousek, Havranek, Irsova 2021"),
    Baseline("magnitude effect, 1 year", "15 → 60 (139 %), 250 → 350 (34 %), 3000 → 4000 (29 %)", "Thaler 1981"),
    Baseline("present bias β", "0.95–0.97", "Imai, Rutter, Camerer 2021"),
    Baseline(
        "Allais common consequence",
        "46.9 % standard violation, 33.3 % none, 19.8 % reverse",
        "Blavatskyy, Ortmann, Panchenko 2022",
    ),
    Baseline("loss aversion λ", "1.955", "Brown, Imai, Vieider, Camerer 2024"),
)
"""All human values, in the order of the battery's rules."""


class Human(NamedTuple):
    """A human value of one of our scores, in the score's own unit; a range where the source gives one."""

    source: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """How it was made, where a source does not have it as it stands."""

    @property
    def score(self) -> Score:
        """The value as a score."""
        return Score(self.value, self.low, self.high, "the source gives a range" if self.value is None else None)

    @property
    def cited(self) -> str:
        """The source, with the note on it."""
        return f"{self.source} ({self.note})" if self.note else self.source


Found = TypeVar("Found", bound=Sampled | Score | Word)


@dataclass(frozen=True)
class Declared(Scale, Generic[Found]):
    """A score: what it is, how it comes from a subject's answers, and what is known of people. It is called with a
    subject, like the function that it declares."""

    of: Callable[[Any], Found] = field(kw_only=True)
    human: Human | None = field(default=None, kw_only=True)

    def __call__(self, subject: Any) -> Found:
        """The score of a subject."""
        return self.of(subject)

    def score(self, subject: Any) -> Score | Word:
        """The same without its resamples."""
        found = self.of(subject)
        return found.score if isinstance(found, Sampled) else found


def score(
    name: str,
    title: str,
    decimals: int = 1,
    *,
    theme: str,
    unit: str = "",
    words: bool = False,
    human: Human | None = None,
) -> Callable[[Callable[[Any], Found]], Declared[Found]]:
    """Declare a function of a subject as a score. The first paragraph of its docstring is the score's definition."""

    def declared(of: Callable[[Any], Found]) -> Declared[Found]:
        definition = " ".join((of.__doc__ or "").partition("\n\n")[0].split())
        return Declared(name, title, theme, definition, decimals, words, unit, of=of, human=human)

    return declared
