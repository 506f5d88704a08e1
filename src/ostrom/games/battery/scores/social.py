"""Social preferences: altruism, fairness, trust and reciprocity, and the social score, their mean. All are in percent.

Definitions are those that EconBench publishes, so that figures can be compared; `fairness_positive`, the minimum
acceptable offer by isotonic regression and all intervals are ours."""

from functools import partial
from typing import Any, Final

import numpy as np

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.scores.answers import Facts, Sheet, sheet
from ostrom.games.battery.scores.rationality import Subject
from ostrom.games.battery.scores.score import (
    Code,
    Floats,
    Human,
    Sampled,
    Score,
    Whole,
    joined,
    percent,
    score,
    withheld,
)

HALF = 50.0
"""The share, in percent, at which altruism is full, and under which an offer is unfair."""
MOST_ASTRAY = 0.2
"""The share of a responder's answers from which on they are called random."""
_ROUNDING = 1e-9
_TAIL = (1 - CONFIDENCE) / 2


_social = partial(score, theme="social")


@_social("social", "Social")
def social(subject: Subject) -> Sampled:
    """Mean of altruism, fairness, trust and reciprocity; of the first two where the trust game was not asked."""
    trusting = [("trust", trust(subject)), ("reciprocity", reciprocity(subject))]
    if all(part.score.code == Code.NOT_ASKED for _, part in trusting):
        trusting = []
    parts = [("altruism", altruism(subject)), ("fairness", fairness(subject)), *trusting]
    return joined(parts, lambda *scores: np.mean(scores, axis=0))


@_social(
    "altruism",
    "Altruism",
    human=Human(
        "Engel 2011; Oosterbeek, Sloof, van de Kuilen 2004",
        68.35,
        note="the score's formula on both means, (28.35 + 40) / 2 / 50",
    ),
)
def altruism(subject: Subject) -> Sampled:
    """Mean of dictator and ultimatum offers in percent, over 50, at most 100."""
    parts = [("dictator", dictator(subject)), ("ultimatum", offer(subject))]
    return joined(parts, lambda given, offered: np.minimum((given + offered) / 2 / HALF * 100, 100))


# Fairness has no human value: people's 16 % is of the offers that were made, and the score is of all offers under half.
@_social("fairness", "Fairness")
def fairness(subject: Subject) -> Sampled:
    """Percent of offers under half that are rejected, offers of 0 included."""
    return responder(subject).only(lambda facts: _share(facts) < HALF - _ROUNDING).mean(_rejected)


@_social("fairness_positive", "Fairness, offers above 0")
def fairness_positive(subject: Subject) -> Sampled:
    """The same without offers of 0, which cost nothing to refuse."""
    return responder(subject).only(lambda facts: _ROUNDING < _share(facts) < HALF - _ROUNDING).mean(_rejected)


def _rejected(choice: Any, _: Facts) -> float:
    return float(100 * (choice == "reject"))


@_social("trust", "Trust", human=Human("Johnson, Mislin 2011", 50.0, note="mean of 162 replications"))
def trust(subject: Subject) -> Sampled:
    """Mean percent of the endowment sent."""
    return (
        sheet(subject, "trust", "sender").scaling("endowment").mean(lambda sent, facts: 100 * sent / facts["endowment"])
    )


@_social("reciprocity", "Reciprocity", human=Human("Johnson, Mislin 2011", 37.0, note="mean of 162 replications"))
def reciprocity(subject: Subject) -> Sampled:
    """Mean percent of what was received that is returned; cells with nothing sent are left out."""
    return received(subject).scaling("endowment").mean(returned)


@_social("dictator", "Dictator", human=Human("Engel 2011", 28.35, note="mean of 616 treatments"))
def dictator(subject: Subject) -> Sampled:
    """Mean percent of the pot given."""
    return sheet(subject, "dictator", "giver").scaling("pot").mean(_of_pot)


@_social(
    "offer", "Ultimatum offer", human=Human("Oosterbeek, Sloof, van de Kuilen 2004", 40.0, note="mean of 75 results")
)
def offer(subject: Subject) -> Sampled:
    """Mean percent of the pot offered."""
    return sheet(subject, "ultimatum", "proposer").scaling("pot").mean(_of_pot)


def _of_pot(amount: Any, facts: Facts) -> float:
    return float(100 * amount / facts["pot"])


def received(subject: Subject) -> Sheet:
    """What a returner did where anything had been sent."""
    return sheet(subject, "trust", "returner").only(lambda facts: facts["received"] > 0)


def returned(back: Any, facts: Facts) -> float:
    """Percent of what was received that is returned."""
    return float(100 * back / facts["received"])


def _share(facts: Facts) -> float:
    return round(100 * float(facts["offer"]) / float(facts["pot"]), 6)


def responder(subject: Subject) -> Sheet:
    """Answers to offers. Refused are those that have nothing to do with the offers: offers of half are rejected more
    often than not, or a fifth of all answers differ from those of the nearest consistent responder. To reject offers of
    more than half is consistent, and known of people (Henrich et al. 2001). Offers of nothing are left out: there both
    answers pay the same."""
    found = sheet(subject, "ultimatum", "responder")
    if found.against is not None:
        return found
    offers = found.only(lambda facts: _share(facts) > _ROUNDING)
    even = offers.only(lambda facts: abs(_share(facts) - HALF) < _ROUNDING).answers
    if even and 2 * even.count("accept") < len(even):
        share = percent(even.count("accept") / len(even))
        return found.refused(f"random: {share} of the offers of half are accepted; 50 % is the least", Code.RANDOM)
    pots = sorted({facts["pot"] for facts in offers.facts})
    astray = sum(_astray(offers.only(lambda facts, pot=pot: bool(facts["pot"] == pot))) for pot in pots)  # type: ignore[misc]
    if offers.answers and astray >= MOST_ASTRAY * len(offers.answers):
        share = percent(astray / len(offers.answers))
        reason = f"random: {share} of the answers to offers contradict the others; less than 20 % are allowed"
        return found.refused(reason, Code.RANDOM)
    return found


def _astray(responder: Sheet) -> float:
    """How many answers about one pot differ from those of the nearest consistent responder, who accepts offers from
    some share up to half and from half up to some share."""
    offers, counts, taken = by_offer(responder)
    answers, accepted = counts.sum(axis=0), taken.sum(axis=0)
    # By how much fewer answers differ where an offer is one that the responder accepts.
    gain = 2 * accepted - answers
    below, above = gain[offers < HALF - _ROUNDING], gain[offers > HALF + _ROUNDING]
    even = gain[np.abs(offers - HALF) < _ROUNDING]
    towards = [np.cumsum(below[::-1]).max(initial=0.0), even.sum(), np.cumsum(above).max(initial=0.0)]
    return float(accepted.sum() - sum(towards))


def by_offer(responder: Sheet) -> tuple[Floats, Floats, Floats]:
    """The offers in rising order; and answers and acceptances by condition and offer, (conditions, offers)."""
    shares = responder.numbers(lambda _, facts: _share(facts))
    accepted = responder.numbers(lambda choice, _: float(choice == "accept"))
    offers, which = np.unique(shares, return_inverse=True)
    size = responder.conditions * len(offers)
    where = responder.place * len(offers) + which
    counts = np.bincount(where, minlength=size).reshape(responder.conditions, len(offers))
    taken = np.bincount(where, accepted, minlength=size).reshape(counts.shape)
    return offers, counts.astype(np.float64), np.asarray(taken)


@_social("minimum_acceptable", "Minimum acceptable offer", 0)
def minimum_acceptable(subject: Subject) -> Score:
    """The least offer, in percent, whose isotonic acceptance is a half or more.

    The interval holds every offer of which exact tests reject neither that it is accepted half of the time nor that the
    one below it is not, each at 2.5 %. Acceptances of several pots are at most as spread as a binomial's (Hoeffding
    1956)."""
    found = responder(subject)
    if found.against is not None:
        return found.against
    offers, counts, taken = by_offer(found)
    value = float(first_accepted(offers, counts.sum(axis=0, keepdims=True), taken.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return withheld("no offer is accepted half of the time")
    answers, accepted = (each.sum(axis=0).astype(np.int64) for each in (counts, taken))
    return Score(value, *_not_rejected(offers, answers, accepted, value))


def _not_rejected(offers: Floats, counts: Whole, taken: Whole, value: float) -> tuple[float, float]:
    """The least and the greatest offer that can be the first to be accepted half of the time."""
    from scipy.special import bdtr

    may_reach = bdtr(taken.astype(np.float64), counts, 0.5) > _TAIL
    may_fail = np.concatenate([[True], bdtr((counts - taken).astype(np.float64), counts, 0.5)[:-1] > _TAIL])
    left = np.append(offers[may_reach & may_fail], value)
    return float(np.min(left)), float(np.max(left))


def first_accepted(offers: Floats, counts: Floats, taken: Floats) -> Floats:
    """The first offer whose isotonic acceptance is a half or more, for each row of answers and acceptances by offer,
    (samples, offers); not a number where there is none. The isotonic curve reaches a level at the place from which on
    acceptances exceed that level by most in all (Robertson, Wright, Dykstra 1988), so it need not be drawn."""
    excess = np.cumsum((taken - (0.5 - _ROUNDING) * counts)[:, ::-1], axis=1)[:, ::-1]
    excess = np.where(counts > 0, excess, 0.0)
    most = np.argmax(excess, axis=1)
    return np.where(np.any(excess > 0, axis=1), offers[most], np.nan)


SCORES: Final = (social, altruism, fairness, fairness_positive, trust, reciprocity, dictator, offer, minimum_acceptable)
