"""What people do: the human values that scores are shown beside, each with its source.

What every score of the battery is: its title, how its figures are written, and its definition. Tables, reports and
pages list scores in this order."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ostrom.analysis.study import Scale


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


THEMES: Final = {
    "rationality": "Rationality",
    "social": "Social preferences",
    "cooperation": "Cooperation and depth",
    "further": "Further measures",
}

SCORES: Final = (
    Scale(
        "rationality",
        "Rationality",
        "rationality",
        "0.5·S_time + 0.5·S_risk − penalty, between 0 and 100; S_time = 100·δ, S_risk = 100 − Err_EU.",
    ),
    Scale(
        "rationality_published",
        "Rationality, as published",
        "rationality",
        "The same with Err_EV in place of Err_EU, as EconBench has it: it punishes consistent risk aversion.",
    ),
    Scale(
        "delta",
        "Patience δ",
        "rationality",
        "The annual discount factor: least squares of δ^years on indifference ratios at front-end delay 0, from 0.01 "
        "to 1.",
        3,
        unit="a year",
    ),
    Scale(
        "err_eu",
        "Err_EU",
        "rationality",
        "100·mean|q − q̂(m)| at the m for which it is least: 0 for every maximiser of expected utility, whatever the "
        "risk attitude.",
        2,
        unit="% off",
    ),
    Scale(
        "err_ev",
        "Err_EV",
        "rationality",
        "100·mean|q − q_EV|: the published error, against expected value.",
        2,
        unit="% off",
    ),
    Scale(
        "penalty",
        "Penalty",
        "rationality",
        "For the magnitude effect: 5·min(1, Δ/0.10), Δ the greatest less the least δ of an amount, if a test of the "
        "likelihood ratio rejects equal δ at 5 %; else 0.",
    ),
    Scale(
        "discounting",
        "Discounting",
        "rationality",
        "The theory with the least BIC over all binary choices.",
        words=True,
    ),
    Scale("delta_likelihood", "δ by likelihood", "rationality", "Exponential discounting by maximum likelihood.", 3),
    Scale("beta", "Present bias β", "rationality", "β of quasi-hyperbolic discounting by maximum likelihood.", 3),
    Scale("delta_quasi", "δ beside β", "rationality", "δ of quasi-hyperbolic discounting by maximum likelihood.", 3),
    Scale("k", "Hyperbolic k", "rationality", "k of hyperbolic discounting by maximum likelihood, a year.", 3),
    Scale(
        "m",
        "Utility of 500",
        "rationality",
        "m of u = (0, m, 1) by maximum likelihood: 0.5 is risk neutral, more is averse.",
        3,
    ),
    Scale(
        "social",
        "Social",
        "social",
        "Mean of altruism, fairness, trust and reciprocity; of the first two where the trust game was not asked.",
    ),
    Scale("altruism", "Altruism", "social", "Mean of dictator and ultimatum offers in percent, over 50, at most 100."),
    Scale("fairness", "Fairness", "social", "Percent of offers under half that are rejected, offers of 0 included."),
    Scale(
        "fairness_positive",
        "Fairness, offers above 0",
        "social",
        "The same without offers of 0, which cost nothing to refuse.",
    ),
    Scale("trust", "Trust", "social", "Mean percent of the endowment sent."),
    Scale(
        "reciprocity",
        "Reciprocity",
        "social",
        "Mean percent of what was received that is returned; cells with nothing sent are left out.",
    ),
    Scale("dictator", "Dictator", "social", "Mean percent of the pot given."),
    Scale("offer", "Ultimatum offer", "social", "Mean percent of the pot offered."),
    Scale(
        "minimum_acceptable",
        "Minimum acceptable offer",
        "social",
        "The least offer, in percent, whose isotonic acceptance is a half or more.",
        0,
    ),
    Scale("cooperation", "Cooperation", "cooperation", "Mean of stag, contribution and pass, missing ones left out."),
    Scale(
        "label",
        "Strategy",
        "cooperation",
        "By cooperation: from 65 cooperative, from 40 mixed, else competitive.",
        words=True,
    ),
    Scale("stag", "Stag hunt", "cooperation", "Percent of choices of the stag."),
    Scale("contribution", "Public good", "cooperation", "Mean percent of the endowment contributed, one shot."),
    Scale("pass", "Centipede", "cooperation", "Percent of passes at nodes 1, 3 and 5."),
    Scale("claim", "Traveller's claim", "cooperation", "Mean claim on the scale from 2 to 100, bonus 2."),
    Scale("guess", "Beauty contest", "cooperation", "Mean guess, p = 2/3."),
    Scale(
        "depth",
        "Depth",
        "cooperation",
        "Nagel's level in whose neighbourhood 50·p^(n ± ¼) most guesses lie.",
        words=True,
    ),
    Scale(
        "depth_published",
        "Depth, as published",
        "cooperation",
        "By the mean guess: up to 22 high, up to 33 level 1, else level 0.",
        words=True,
    ),
    Scale("heads", "Heads", "cooperation", "Percent of heads in matching pennies; 50 cannot be exploited."),
    Scale(
        "ccei",
        "Consistency of demand",
        "further",
        "Afriat's efficiency over the budgets: 1 where no choice contradicts another (GARP).",
        3,
    ),
    Scale("loss_aversion", "Loss aversion λ", "further", "How many times a loss counts, value being linear.", 2),
    Scale(
        "ambiguity",
        "Ambiguity aversion",
        "further",
        "One half less the known chance that is as good as an unknown one.",
        3,
    ),
    Scale(
        "claim_by_bonus",
        "Claim by bonus",
        "further",
        "Slope of the claim on the bonus, both on the scale to 100; theory: negative.",
        2,
    ),
    Scale(
        "stag_by_hare",
        "Stag by hare",
        "further",
        "Slope of the percent of stags on the hare's worth in parts of the stag's; theory: negative.",
    ),
    Scale(
        "contribution_by_multiplier",
        "Contribution by multiplier",
        "further",
        "Slope of the percent contributed on the multiplier; theory: positive.",
    ),
)
DESCRIBED: Final = {one.name: one for one in SCORES}
