"""What people do: the human values that scores are shown beside, each with its source."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Baseline:
    """A human value as its source has it."""

    quantity: str
    value: str
    source: str


BASELINES: tuple[Baseline, ...] = (
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


@dataclass(frozen=True, slots=True)
class Human:
    """A human value of one of our scores, in the score's own unit; a range where the source gives one."""

    value: float | None
    low: float | None
    high: float | None
    source: str
    note: str = ""
    """How it was made, where a source does not have it as it stands."""


HUMAN: Mapping[str, Human] = MappingProxyType(
    {
        "dictator": Human(28.35, None, None, "Engel 2011"),
        "offer": Human(40.0, None, None, "Oosterbeek, Sloof, van de Kuilen 2004"),
        "altruism": Human(
            68.35,
            None,
            None,
            "Engel 2011; Oosterbeek, Sloof, van de Kuilen 2004",
            "the score's formula on both means, (28.35 + 40) / 2 / 50",
        ),
        "trust": Human(50.0, None, None, "Johnson, Mislin 2011"),
        "reciprocity": Human(37.0, None, None, "Johnson, Mislin 2011"),
        "contribution": Human(None, 40.0, 60.0, "Ledyard 1995", "first rounds"),
        "pass": Human(
            100 * (1 - (0.01 + 0.21 + 0.73) / 3),
            None,
            None,
            "McKelvey, Palfrey 1992",
            "one less the take rates at nodes 1, 3 and 5, at other payoffs than here",
        ),
        "guess": Human(36.7, None, None, "Nagel 1995"),
        "delta": Human(0.75, None, None, "Matousek, Havranek, Irsova 2021", "from an annual rate of 0.33"),
        "beta": Human(None, 0.95, 0.97, "Imai, Rutter, Camerer 2021"),
        "loss_aversion": Human(1.955, None, None, "Brown, Imai, Vieider, Camerer 2024"),
    }
)
"""The human row: for each score that a source has a value of, by the score's name. Fairness has none: people's 16 % is
of the offers that were made, and the score is of all offers under half."""
