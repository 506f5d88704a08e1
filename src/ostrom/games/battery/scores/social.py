"""Social preferences: altruism, fairness, trust and reciprocity, and the social score, their mean. All are in percent.

Definitions are those that EconBench publishes, so that figures can be compared; `fairness_positive`, the minimum
acceptable offer by isotonic regression and all intervals are ours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.games.battery.scores.score import Floats, Score, drawn, with_interval, withheld
from ostrom.games.battery.scores.sheets import (
    NOT_ASKED,
    ONE_CONDITION,
    Sheet,
    Tasks,
    joined,
    mean,
    refused,
    scaling,
    sheet,
)

HALF = 50.0
"""The share, in percent, at which altruism is full, and under which an offer is unfair."""
MOST_ASTRAY = 0.2
"""The share of a responder's answers from which on they are called random."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How often offers of one share of the pot were accepted."""

    offer: float
    """In percent of the pot."""
    accepted: float
    """In percent of the answers."""
    isotonic: float
    """The same, made to rise with the offer by isotonic regression."""
    answers: int


@dataclass(frozen=True, slots=True)
class Returned:
    """How much was returned after one share of the endowment had been sent."""

    sent: float
    """In percent of the endowment."""
    returned: float
    """In percent of what was received."""
    answers: int


@dataclass(frozen=True, slots=True)
class SocialScores:
    """What a subject does with somebody else's money and its own."""

    dictator: Score
    """Mean share of the pot that is given, in percent."""
    offer: Score
    """Mean share of the pot that is offered, in percent."""
    altruism: Score
    """Mean of `dictator` and `offer`, divided by 50, times 100, at most 100."""
    fairness: Score
    """Share of offers under half of the pot that are rejected, offers of nothing included, in percent."""
    fairness_positive: Score
    """The same without offers of nothing, which cost nothing to reject."""
    trust: Score
    """Mean share of the endowment that is sent, in percent."""
    reciprocity: Score
    """Mean share of what was received that is returned, in percent; cells with nothing sent are left out."""
    social: Score
    """Mean of altruism, fairness, trust and reciprocity, or of the first two where the trust game was not asked."""
    minimum_acceptable: Score
    """The least offer, in percent of the pot, whose isotonic acceptance is a half or more."""
    acceptance: tuple[Acceptance, ...]
    returns: tuple[Returned, ...]


def social_scores(tasks: Tasks) -> SocialScores:
    """The social scores of a subject, from the events of its tasks by their names."""
    giver, proposer = sheet(tasks, "dictator", "giver"), sheet(tasks, "ultimatum", "proposer")
    responder = _answering(sheet(tasks, "ultimatum", "responder"))
    sender, returner = sheet(tasks, "trust", "sender"), sheet(tasks, "trust", "returner")
    dictator = mean(giver.numbers(lambda given, facts: 100 * given / facts["pot"]), scaling(giver, "pot"))
    offer = mean(proposer.numbers(lambda offered, facts: 100 * offered / facts["pot"]), scaling(proposer, "pot"))
    altruism = joined([("dictator", *dictator), ("ultimatum", *offer)], _altruism)
    fairness = _rejected(responder.only(lambda facts: _share(facts) < HALF - _ROUNDING))
    positive = _rejected(responder.only(lambda facts: _ROUNDING < _share(facts) < HALF - _ROUNDING))
    trust = mean(sender.numbers(lambda sent, facts: 100 * sent / facts["endowment"]), scaling(sender, "endowment"))
    received = returner.only(lambda facts: facts["received"] > 0)
    reciprocity = mean(
        received.numbers(lambda back, facts: 100 * back / facts["received"]), scaling(received, "endowment")
    )
    parts = [("altruism", *altruism), ("fairness", *fairness)]
    if trust[0].reason != NOT_ASKED or reciprocity[0].reason != NOT_ASKED:
        parts += [("trust", *trust), ("reciprocity", *reciprocity)]
    curve = _acceptance(responder)
    return SocialScores(
        dictator=dictator[0],
        offer=offer[0],
        altruism=altruism[0],
        fairness=fairness[0],
        fairness_positive=positive[0],
        trust=trust[0],
        reciprocity=reciprocity[0],
        social=joined(parts, lambda *scores: np.mean(scores, axis=0))[0],
        minimum_acceptable=_minimum_acceptable(responder),
        acceptance=curve,
        returns=_returns(received),
    )


def _altruism(given: Any, offered: Any) -> Any:
    return np.minimum((given + offered) / 2 / HALF * 100, 100)


def _share(facts: Mapping[str, Any]) -> float:
    return round(100 * float(facts["offer"]) / float(facts["pot"]), 6)


def _answering(responder: Sheet) -> Sheet:
    """Refuses answers that have nothing to do with the offers: offers of half are rejected more often than not, or a
    fifth of all answers differ from those of the nearest consistent responder. To reject offers of more than half is
    consistent, and known of people (Henrich et al. 2001). Offers of nothing are left out: there both answers pay the
    same."""
    if responder.reason is not None:
        return responder
    offers = responder.only(lambda facts: _share(facts) > _ROUNDING)
    even = offers.only(lambda facts: abs(_share(facts) - HALF) < _ROUNDING).answers
    if even and 2 * even.count("accept") < len(even):
        share = f"{100 * even.count('accept') / len(even):.3g} %"
        return refused(responder, f"random: {share} of the offers of half are accepted; 50 % is the least")
    astray = sum(_astray(offers.only(_of_pot(pot))) for pot in _pots(offers))
    if offers.answers and astray >= MOST_ASTRAY * len(offers.answers):
        share = f"{100 * astray / len(offers.answers):.3g} %"
        reason = f"random: {share} of the answers to offers contradict the others; less than 20 % are allowed"
        return refused(responder, reason)
    return responder


def _pots(responder: Sheet) -> list[float]:
    return sorted({facts["pot"] for facts in responder.facts})


def _of_pot(pot: float) -> Callable[[Mapping[str, Any]], bool]:
    return lambda facts: bool(facts["pot"] == pot)


def _astray(responder: Sheet) -> float:
    """How many answers about one pot differ from those of the nearest consistent responder, who accepts offers from
    some share up to half and from half up to some share."""
    offers, counts, taken = _by_offer(responder)
    answers, accepted = counts.sum(axis=0), taken.sum(axis=0)
    # By how much fewer answers differ where an offer is one that the responder accepts.
    gain = 2 * accepted - answers
    below, even, above = (
        gain[offers < HALF - _ROUNDING],
        gain[np.abs(offers - HALF) < _ROUNDING],
        gain[offers > HALF + _ROUNDING],
    )
    towards = [np.cumsum(below[::-1]).max(initial=0.0), even.sum(), np.cumsum(above).max(initial=0.0)]
    return float(accepted.sum() - sum(towards))


def _rejected(answers: Sheet) -> tuple[Score, Floats]:
    return mean(answers.numbers(lambda choice, _: 100.0 * (choice == "reject")), answers)


def _by_offer(responder: Sheet) -> tuple[Floats, Floats, Floats]:
    """The offers in rising order; and answers and acceptances by condition and offer, (conditions, offers)."""
    shares = responder.numbers(lambda _, facts: _share(facts))
    accepted = responder.numbers(lambda choice, _: float(choice == "accept"))
    offers, which = np.unique(shares, return_inverse=True)
    size = responder.conditions * len(offers)
    where = responder.place * len(offers) + which
    counts = np.bincount(where, minlength=size).reshape(responder.conditions, len(offers))
    taken = np.bincount(where, accepted, minlength=size).reshape(counts.shape)
    return offers, counts.astype(np.float64), np.asarray(taken)


def _isotonic(taken: Floats, counts: Floats) -> Floats:
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(taken / counts, weights=counts).x)


def _acceptance(responder: Sheet) -> tuple[Acceptance, ...]:
    if responder.reason is not None:
        return ()
    offers, by_condition, taken_by_condition = _by_offer(responder)
    counts, taken = by_condition.sum(axis=0), taken_by_condition.sum(axis=0)
    rising = _isotonic(taken, counts)
    return tuple(
        Acceptance(float(offer), float(100 * took / count), float(100 * level), int(count))
        for offer, took, count, level in zip(offers, taken, counts, rising, strict=True)
    )


def _minimum_acceptable(responder: Sheet) -> Score:
    """Resamples in which no offer is accepted half of the time have no part in the interval."""
    if responder.reason is not None:
        return withheld(responder.reason)
    offers, counts, taken = _by_offer(responder)
    value = float(first_accepted(offers, counts.sum(axis=0, keepdims=True), taken.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return withheld("no offer is accepted half of the time")
    if responder.conditions < 2:
        return Score(value, reason=ONE_CONDITION)
    rows = drawn(responder.conditions)
    return with_interval(value, first_accepted(offers, rows @ counts, rows @ taken))


def first_accepted(offers: Floats, counts: Floats, taken: Floats) -> Floats:
    """The first offer whose isotonic acceptance is a half or more, for each row of answers and acceptances by offer,
    (samples, offers); not a number where there is none. The isotonic curve reaches a level at the place from which on
    acceptances exceed that level by most in all (Robertson, Wright, Dykstra 1988), so it need not be drawn."""
    excess = np.cumsum((taken - (0.5 - _ROUNDING) * counts)[:, ::-1], axis=1)[:, ::-1]
    excess = np.where(counts > 0, excess, 0.0)
    most = np.argmax(excess, axis=1)
    return np.where(np.any(excess > 0, axis=1), offers[most], np.nan)


def _returns(received: Sheet) -> tuple[Returned, ...]:
    if received.reason is not None:
        return ()
    sent = received.numbers(lambda _, facts: round(100 * facts["sent"] / facts["endowment"], 6))
    back = received.numbers(lambda amount, facts: 100 * amount / facts["received"])
    return tuple(
        Returned(float(share), float(np.mean(back[sent == share])), int(np.sum(sent == share)))
        for share in np.unique(sent)
    )
