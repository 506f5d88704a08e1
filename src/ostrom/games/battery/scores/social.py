"""Social preferences: altruism, fairness, trust and reciprocity, and the social score, their mean. All are in percent.

Definitions are those that EconBench publishes, so that figures can be compared. Three things are our own:
`fairness_positive`, the minimum acceptable offer by isotonic regression, and all intervals."""

from functools import partial
from typing import Any, Final

import numpy as np

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.scores.answers import Facts, RoleAnswers, role_answers
from ostrom.games.battery.scores.rationality import BatterySubject
from ostrom.games.battery.scores.score import (
    Code,
    Floats,
    Human,
    SampledScore,
    Score,
    Whole,
    combine,
    no_score,
    percent,
    score,
)

HALF = 50.0
"""An equal split, in percent of the pot. It counts as full altruism, and a lower offer is unfair."""
MAX_CONTRADICTIONS = 0.2
"""Answers of a responder count as random if at least this share contradicts every consistent rule."""
_ROUNDING = 1e-9
_TAIL = (1 - CONFIDENCE) / 2
_social = partial(score, theme="social", bounds=(0.0, 100.0))


@_social("social", "Social")
def social(subject: BatterySubject) -> SampledScore:
    """Mean of altruism, fairness, trust and reciprocity. If the trust game was not asked, it is the mean of altruism
    and fairness."""
    trusting = [("trust", trust(subject)), ("reciprocity", reciprocity(subject))]
    if all(part.score.code == Code.NOT_ASKED for _, part in trusting):
        trusting = []
    parts = [("altruism", altruism(subject)), ("fairness", fairness(subject)), *trusting]
    return combine(parts, lambda *scores: np.mean(scores, axis=0))


@_social(
    "altruism",
    "Altruism",
    human=Human(
        "Engel 2011; Oosterbeek, Sloof, van de Kuilen 2004",
        68.35,
        note="the score's formula on both means, (28.35 + 40) / 2 / 50",
    ),
)
def altruism(subject: BatterySubject) -> SampledScore:
    """Mean of dictator and ultimatum offers, in percent of an equal split. It is at most 100."""
    parts = [("dictator", dictator(subject)), ("ultimatum", offer(subject))]
    return combine(parts, lambda gift, offer: np.minimum((gift + offer) / 2 / HALF * 100, 100))


# Fairness has no human value. The published 16 % is a share of the offers that people made, while the score is a share
# of all offers under half.
@_social("fairness", "Fairness")
def fairness(subject: BatterySubject) -> SampledScore:
    """Percentage of offers under half that are rejected. Offers of 0 are included."""
    return responder(subject).only(lambda facts: _share(facts) < HALF - _ROUNDING).mean(_rejected)


@_social("fairness_positive", "Fairness, offers above 0")
def fairness_positive(subject: BatterySubject) -> SampledScore:
    """Percentage of offers under half that are rejected, without offers of 0. An offer of 0 can be rejected at no
    cost."""
    return responder(subject).only(lambda facts: _ROUNDING < _share(facts) < HALF - _ROUNDING).mean(_rejected)


def _rejected(choice: Any, _: Facts) -> float:
    return float(100 * (choice == "reject"))


@_social("trust", "Trust", human=Human("Johnson, Mislin 2011", 50.0, note="mean of 162 replications"))
def trust(subject: BatterySubject) -> SampledScore:
    """Mean percentage of the endowment that is sent."""
    return role_answers(subject, "trust", "sender").mean_share("endowment")


@_social("reciprocity", "Reciprocity", human=Human("Johnson, Mislin 2011", 37.0, note="mean of 162 replications"))
def reciprocity(subject: BatterySubject) -> SampledScore:
    """Mean percentage of the received amount that is returned. Cells in which nothing was sent are excluded."""
    return received(subject).reject_constant("endowment").mean(returned)


@_social("dictator", "Dictator", human=Human("Engel 2011", 28.35, note="mean of 616 treatments"))
def dictator(subject: BatterySubject) -> SampledScore:
    """Mean percentage of the pot that is given."""
    return role_answers(subject, "dictator", "giver").mean_share("pot")


@_social(
    "offer", "Ultimatum offer", human=Human("Oosterbeek, Sloof, van de Kuilen 2004", 40.0, note="mean of 75 results")
)
def offer(subject: BatterySubject) -> SampledScore:
    """Mean percentage of the pot that is offered."""
    return role_answers(subject, "ultimatum", "proposer").mean_share("pot")


def received(subject: BatterySubject) -> RoleAnswers:
    """Return the answers of the returner to questions in which a positive amount was sent."""
    return role_answers(subject, "trust", "returner").only(lambda facts: facts["received"] > 0)


def returned(back: Any, facts: Facts) -> float:
    """Return the returned percentage of the received amount."""
    return float(100 * back / facts["received"])


def _share(facts: Facts) -> float:
    return round(100 * float(facts["offer"]) / float(facts["pot"]), 6)


def responder(subject: BatterySubject) -> RoleAnswers:
    """Return the answers to offers. Answers that do not depend on the offers count as random and are not scored. This
    is the case if most offers of half are rejected, or if a fifth of all answers differs from those of the most similar
    consistent responder. Rejecting offers of more than half is consistent, and observed in people (Henrich et al.
    2001). Offers of nothing are ignored, since both answers pay the same."""
    answers = role_answers(subject, "ultimatum", "responder")
    if answers.fault is not None:
        return answers
    offers = answers.only(lambda facts: _share(facts) > _ROUNDING)
    even = offers.only(lambda facts: abs(_share(facts) - HALF) < _ROUNDING).answers
    if even and 2 * even.count("accept") < len(even):
        share = percent(even.count("accept") / len(even))
        return answers.with_fault(
            f"random: {share} of the offers of half are accepted; the minimum is 50 %", Code.RANDOM
        )
    pots = sorted({facts["pot"] for facts in offers.facts})
    contradictions = sum(_contradictions(offers, pot) for pot in pots)
    if offers.answers and contradictions >= MAX_CONTRADICTIONS * len(offers.answers):
        share = percent(contradictions / len(offers.answers))
        reason = f"random: {share} of the answers to offers contradict the others; less than 20 % are allowed"
        return answers.with_fault(reason, Code.RANDOM)
    return answers


def _contradictions(responder: RoleAnswers, pot: float) -> float:
    """Return how many answers about a pot differ from those of the most similar consistent responder. A consistent
    responder accepts all offers from a lower limit, which is a share below half, to an upper limit above half."""
    offers, counts, acceptances = by_offer(responder.only(lambda facts: bool(facts["pot"] == pot)))
    answers, accepted = counts.sum(axis=0), acceptances.sum(axis=0)
    # The number by which contradictions fall if the responder accepts an offer.
    gain = 2 * accepted - answers
    below, above = gain[offers < HALF - _ROUNDING], gain[offers > HALF + _ROUNDING]
    even = gain[np.abs(offers - HALF) < _ROUNDING]
    towards = [np.cumsum(below[::-1]).max(initial=0.0), even.sum(), np.cumsum(above).max(initial=0.0)]
    return float(accepted.sum() - sum(towards))


def by_offer(responder: RoleAnswers) -> tuple[Floats, Floats, Floats]:
    """Return the offers in ascending order, and the answers and acceptances by condition and offer, (conditions,
    offers)."""
    shares = responder.numbers(lambda _, facts: _share(facts))
    accepted = responder.numbers(lambda choice, _: float(choice == "accept"))
    offers, which = np.unique(shares, return_inverse=True)
    size = responder.conditions * len(offers)
    where = responder.place * len(offers) + which
    counts = np.bincount(where, minlength=size).reshape(responder.conditions, len(offers))
    acceptances = np.bincount(where, accepted, minlength=size).reshape(counts.shape)
    return offers, counts.astype(np.float64), np.asarray(acceptances)


@_social("minimum_acceptable", "Minimum acceptable offer", 0)
def minimum_acceptable(subject: BatterySubject) -> Score:
    """The least offer, in percent of the pot, whose acceptance rate by isotonic regression is at least one half.

    The interval contains every offer for which neither of two exact tests at 2.5 % rejects its hypothesis. The first
    hypothesis is that the offer has an acceptance rate of one half. The second is that the next smaller offer has a
    lower rate. Acceptances of several pots vary at most as much as a binomial (Hoeffding 1956)."""
    answers = responder(subject)
    if answers.fault is not None:
        return answers.fault
    offers, counts, acceptances = by_offer(answers)
    value = float(first_accepted(offers, counts.sum(axis=0, keepdims=True), acceptances.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return no_score("no offer is accepted half of the time")
    answers_by_offer, accepted = (table.sum(axis=0).astype(np.int64) for table in (counts, acceptances))
    return Score(value, *_acceptable_range(offers, answers_by_offer, accepted, value))


def _acceptable_range(offers: Floats, counts: Whole, acceptances: Whole, value: float) -> tuple[float, float]:
    """Return the least and the greatest offer that may be the first with an acceptance of at least one half."""
    from scipy.special import bdtr

    may_reach = bdtr(acceptances.astype(np.float64), counts, 0.5) > _TAIL
    may_fail = np.concatenate([[True], bdtr((counts - acceptances).astype(np.float64), counts, 0.5)[:-1] > _TAIL])
    candidates = np.append(offers[may_reach & may_fail], value)
    return float(np.min(candidates)), float(np.max(candidates))


def first_accepted(offers: Floats, counts: Floats, acceptances: Floats) -> Floats:
    """Return, for each row of answers and acceptances by offer (samples, offers), the first offer whose isotonic
    acceptance rate is at least one half. Return NaN for a row without such an offer. The isotonic curve reaches a level
    where the cumulative excess of acceptances over that level is greatest (Robertson, Wright, Dykstra 1988), so the
    curve itself is not computed."""
    excess = np.cumsum((acceptances - (0.5 - _ROUNDING) * counts)[:, ::-1], axis=1)[:, ::-1]
    excess = np.where(counts > 0, excess, 0.0)
    most = np.argmax(excess, axis=1)
    return np.where(np.any(excess > 0, axis=1), offers[most], np.nan)


SCORES: Final = (social, altruism, fairness, fairness_positive, trust, reciprocity, dictator, offer, minimum_acceptable)
