"""Cooperation and depth of reasoning: the shares of stags, contributions and passes, mean claims and guesses, and a
label for cooperation.

Comparative statics test whether behaviour responds to incentives as theory predicts. Such a response is harder to
memorise than a level of behaviour. Each comparative static is a least-squares slope over answers, and its error is that
of the repetitions within conditions."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from ostrom.analysis.study import Word
from ostrom.core.estimates import CONFIDENCE, proportion
from ostrom.games.battery.scores.answers import SCORE, STATICS, Facts, RoleAnswers, role_answers
from ostrom.games.battery.scores.rationality import BatterySubject, word
from ostrom.games.battery.scores.reading import differ_from_coin, reject_coin
from ostrom.games.battery.scores.score import NO_STRATEGY, Code, Human, SampledScore, Score, combine, no_score, score

LEVELS = 4
"""Nagel's levels, from 0 to 3."""
_GUESSES = 101
"""The number of evenly spaced guesses by which the probability that a random guess falls in a level's neighbourhood is
computed."""
DEEPEST = "equilibrium"
"""The name of the depth of a guess of 0, which is the limit of reasoning. Such a guess is deeper than any level."""
LOW, HIGH = 2.0, 100.0
"""The scale on which claims are reported."""
COOPERATIVE, MIXED = 65.0, 40.0
"""The least mean of stag, contribution and pass, in percent, for the labels 'cooperative' and 'mixed', respectively."""
_RETURN = "first rounds, at a marginal return of 0.3 and more; here it is 0.1 to 0.2"
_cooperation = partial(score, theme="cooperation", bounds=(0.0, 100.0))
_further = partial(score, theme="further")


@_cooperation("cooperation", "Cooperation")
def cooperation(subject: BatterySubject) -> SampledScore:
    """Mean of the percentages of stags, contributions and passes. A missing percentage is left out."""
    parts = [("stag", stag(subject)), ("contribution", contribution(subject)), ("pass", passes(subject))]
    available = [(name, part) for name, part in parts if part.score.code != Code.NOT_ASKED]
    return combine(available or parts, lambda *scores: np.mean(scores, axis=0))


@_cooperation("label", "Strategy", words=True)
def label(subject: BatterySubject) -> Word:
    """Label for the cooperation score: cooperative from 65, mixed from 40, and otherwise competitive.

    A subject has no label if it follows habit or chance in time or risk, if it refuses to answer, or if its choices may
    be those of a coin."""
    score = cooperation(subject).score
    if score.value is None:
        return word(None, score)
    for task, scores in (("time", subject.time), ("risk", subject.risk)):
        if scores is not None and scores.fault is not None and scores.fault.code in NO_STRATEGY:
            return Word(None, f"{task}: {scores.fault.reason}", scores.fault.code)
    choices = [(hunter(subject), "stag"), (mover(subject), "pass")]
    asked = [(answers, option) for answers, option in choices if answers.fault is None]
    if contribution(subject).score.value is None and not differ_from_coin(asked):
        return Word(None, "its choices do not differ from those of a coin", Code.UNDECIDED)
    return Word(label_of(score.value))


def label_of(cooperation: float) -> Literal["cooperative", "mixed", "competitive"]:
    """Return the label for a mean of stag, contribution and pass."""
    return "cooperative" if cooperation >= COOPERATIVE else "mixed" if cooperation >= MIXED else "competitive"


@_cooperation("stag", "Stag hunt")
def stag(subject: BatterySubject) -> SampledScore:
    """Percentage of choices of the stag."""
    return hunter(subject).mean(_hunted)


def hunter(subject: BatterySubject) -> RoleAnswers:
    """Return the choices between stag and hare."""
    return reject_coin(role_answers(subject, "stag_hunt", "chooser"), "stag")


def _hunted(choice: Any, _: Facts) -> float:
    return float(100 * (choice == "stag"))


@_cooperation("contribution", "Public good", human=Human("Ledyard 1995", low=40.0, high=60.0, note=_RETURN))
def contribution(subject: BatterySubject) -> SampledScore:
    """Mean percentage of the endowment that is contributed, in a game of one round."""
    return role_answers(subject, "public_goods", "contributor").mean_share("endowment")


@_cooperation(
    "pass",
    "Centipede",
    human=Human(
        "McKelvey, Palfrey 1992",
        100 * (1 - (0.01 + 0.21 + 0.73) / 3),
        note="one less the take rates at nodes 1, 3 and 5, at other payoffs than here",
    ),
)
def passes(subject: BatterySubject) -> SampledScore:
    """Percentage of passes at nodes 1, 3 and 5."""
    return mover(subject).mean(lambda choice, _: 100.0 * (choice == "pass"))


def mover(subject: BatterySubject) -> RoleAnswers:
    """Return the choices to take or pass."""
    return reject_coin(role_answers(subject, "centipede", "mover"), "pass")


@_cooperation("claim", "Traveller's claim", bounds=(LOW, HIGH))
def claim(subject: BatterySubject) -> SampledScore:
    """Mean claim with bonus 2, on the scale from 2 to 100."""
    return role_answers(subject, "traveller", "claimant").reject_constant("high").mean(claim_on_scale, (LOW, HIGH))


def claim_on_scale(claim: Any, facts: Facts) -> float:
    """Return a claim's position between the least and the greatest, on the scale from 2 to 100."""
    return float(LOW + (HIGH - LOW) * (claim - facts["low"]) / (facts["high"] - facts["low"]))


@_cooperation("guess", "Beauty contest", human=Human("Nagel 1995", 36.7, note="first round; the median is 33"))
def guess(subject: BatterySubject) -> SampledScore:
    """Mean guess for p = 2/3."""
    return role_answers(subject, "beauty_contest", "guesser").mean(lambda guess, _: float(guess))


@_cooperation("depth", "Depth", words=True)
def depth(subject: BatterySubject) -> Word:
    """The level n in whose neighbourhood 50·p^(n ± ¼) most guesses are (Nagel). Guesses of 0 are deeper than any level;
    they are the equilibrium."""
    mean, depth = guess(subject).score, depth_of_most(role_answers(subject, "beauty_contest", "guesser"))
    mixed = no_score(
        "most guesses are not near any level, or guesses are near levels no more often than random guesses",
        Code.UNDECIDED,
    )
    return word(depth, mean if mean.value is None else mixed)


@_cooperation("depth_published", "Depth, as published", words=True)
def depth_published(subject: BatterySubject) -> Word:
    """Classification of the mean guess: up to 22 high, up to 33 level 1, and otherwise level 0."""
    mean = guess(subject).score
    return word(None if mean.value is None else published_depth(mean.value), mean)


@_cooperation("heads", "Heads")
def heads(subject: BatterySubject) -> SampledScore:
    """Percentage of heads in matching pennies. A player with 50 % cannot be exploited.

    The percentage is over both roles, with Wilson's interval. If the model's probabilities are known, it is the mean
    probability of heads."""
    answers = role_answers(subject, "matching_pennies", "chooser")
    if answers.fault is not None or not answers.answers:
        return SampledScore(answers.fault or no_score("there is no answer to score"))
    if answers.exact:
        return answers.mean(lambda choice, _: float(100 * (choice == "heads")))
    share = proportion(answers.answers.count("heads") / len(answers.answers), len(answers.answers))
    value, low, high = (None if number is None else 100 * number for number in (share.value, share.low, share.high))
    return SampledScore(Score(value, low, high))


def neighbourhood(level: int, p: float, middle: float = 50.0) -> tuple[float, float]:
    """Return the least and greatest number of Nagel's neighbourhood of a level, middle·p^(n ± ¼) (Nagel 1995)."""
    ends = (middle * p ** (level - 0.25), middle * p ** (level + 0.25))
    return min(ends), max(ends)


def depth_of(guess: float, p: float, low: float = 0.0, high: float = 100.0) -> str | None:
    """Return the level in whose neighbourhood a guess lies, or None. Repeated multiplication by p leads to one end of
    the range, and a guess at this end has the deepest level."""
    if p != 1 and guess == (low if p < 1 else high):
        return DEEPEST
    for level in range(LEVELS):
        least, most = neighbourhood(level, p, (low + high) / 2)
        if least <= guess <= most:
            return f"level {level}"
    return None


def depth_of_most(answers: RoleAnswers) -> str | None:
    """Return the depth that most guesses have. Return None if there is no such depth, if random guesses would have this
    depth as often (binomial test at 5 %), or if the answers may not be scored."""
    from scipy.special import bdtrc

    guesses = list(answers.scorable())
    depths = Counter(depth_of(guess, facts["p"], facts["low"], facts["high"]) for guess, facts in guesses)
    depth, count = next(iter(depths.most_common(1)), (None, 0))
    if depth is None:
        return None
    facts = answers.facts[0]
    numbers = np.linspace(facts["low"], facts["high"], _GUESSES)
    chance = np.mean([depth_of(float(number), facts["p"], facts["low"], facts["high"]) == depth for number in numbers])
    by_chance = bdtrc(count - 1, len(guesses), float(chance))
    return depth if by_chance < (1 - CONFIDENCE) / (LEVELS + 1) else None


def published_depth(guess: float) -> Literal["high", "level 1", "level 0"]:
    """Return the published classification of a mean guess."""
    return "high" if guess <= 22 else "level 1" if guess <= 33 else "level 0"


Verdict = Literal["as predicted", "against", "flat", "undecided"]


def verdict(slope: Score, predicted: int) -> Verdict | None:
    """Return whether the whole interval of a slope has the predicted sign, or the opposite one. The answer is a word;
    it is 'flat' if behaviour does not change."""
    if slope.value is None or slope.low is None or slope.high is None:
        return None
    if slope.low == slope.high == 0:
        return "flat"
    ends = sorted((predicted * slope.low, predicted * slope.high))
    return "as predicted" if ends[0] > 0 else "against" if ends[1] < 0 else "undecided"


@_further("claim_by_bonus", "Claim by bonus", 2)
def claim_by_bonus(subject: BatterySubject) -> SampledScore:
    """Slope of the claim on the bonus, both on the scale to 100. Theory predicts a negative slope."""
    claims = role_answers(subject, "traveller", "claimant", (SCORE, STATICS)).reject_constant("high")
    return _slope(claims, lambda facts: facts["bonus"] * (HIGH - LOW) / (facts["high"] - facts["low"]), claim_on_scale)


@_further("stag_by_hare", "Stag by hare")
def stag_by_hare(subject: BatterySubject) -> SampledScore:
    """Slope of the percentage of stags on the worth of the hare, as a fraction of the stag's. Theory predicts a
    negative slope."""
    return _slope(hunter(subject), lambda facts: facts["hare"] / facts["stag"], _hunted)


@_further("contribution_by_multiplier", "Contribution by multiplier")
def contribution_by_multiplier(subject: BatterySubject) -> SampledScore:
    """Slope of the percentage contributed on the multiplier. Theory predicts a positive slope."""
    answers = role_answers(subject, "public_goods", "contributor").reject_constant("endowment")
    return _slope(
        answers,
        lambda facts: facts["multiplier"],
        lambda amount, facts: float(100 * amount / facts["endowment"]),
    )


def _slope(
    answers: RoleAnswers, incentive: Callable[[Facts], float], response: Callable[[Any, Facts], float]
) -> SampledScore:
    if answers.fault is not None:
        return SampledScore(answers.fault)
    x, y = answers.numbers(lambda _, facts: incentive(facts)), answers.expected(response)
    if len(np.unique(np.round(x, 9))) < 2:
        return SampledScore(no_score("it was asked at only one incentive"))
    gaps = x - np.mean(x)
    weights = gaps / np.sum(gaps**2)
    # Answers that are all the same have a slope of exactly 0. A slope has no standard deviation over conditions.
    return answers.linear(y, weights, float(weights @ (y - y[0])))._replace(spread=None)


SCORES: Final = (cooperation, label, stag, contribution, passes, claim, guess, depth, depth_published, heads)
PREDICTED: Final = {
    "claim": (claim_by_bonus, -1),
    "stag": (stag_by_hare, -1),
    "contribution": (contribution_by_multiplier, 1),
}
"""The slopes with the signs that theory predicts."""
