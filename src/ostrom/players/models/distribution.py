"""The distribution over the legal answers to a question, computed from a model's log probabilities."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final

from ostrom.core.questions import DISTRIBUTION
from ostrom.players.base import Reply
from ostrom.players.models.engine import Slot
from ostrom.players.models.local.choices import tempered

OUTSIDE: Final = "outside"
"""The key for the total probability of texts that are not legal answers."""
UNSEEN: Final = "unseen"
"""The key for an upper bound of the probability of legal answers that the server did not list."""
MAX_UNSEEN: Final = 0.02
"""The largest unseen probability at which an answer is drawn from the distribution. If more probability is unseen, the
answer that the server sampled is used instead."""
LOGPROBS: Final = "logprobs"
"""The key for a server's log probabilities of the tokens of a reply. The key is removed when they are read."""
_DIGITS: Final = 12


def entries(choices: Sequence[str], logs: Sequence[float]) -> dict[str, float]:
    """Return the probability of each choice, by its text."""
    return {choice: round(math.exp(log), _DIGITS) for choice, log in zip(choices, logs, strict=True)}


def draw(distribution: Mapping[str, float], uniform: float) -> str:
    """Return the answer that a uniform random number in [0, 1) selects."""
    bounds = list(accumulate(distribution.values()))
    place = next((place for place, bound in enumerate(bounds) if uniform * bounds[-1] < bound), len(bounds) - 1)
    return list(distribution)[place]


def with_distribution(reply: Reply, slot: Slot, uniform: float, temperature: float | None) -> Reply:
    """Return a server's reply with the distribution over the choices of a slot, and with the answer that the uniform
    random number in [0, 1) draws from it. If the server listed too few tokens, the reply keeps the answer that the
    server sampled."""
    tokens = reply.extra.get(LOGPROBS) or ()
    extra = {name: value for name, value in reply.extra.items() if name != LOGPROBS}
    try:
        result = served_distribution(tokens, slot, temperature)
    except (KeyError, TypeError, ValueError, OverflowError):  # A server may give the field any content.
        result = None
    if result is None:
        return replace(reply, extra=extra)
    distribution, outside, unseen = result
    extra |= {OUTSIDE: round(outside, 9), UNSEEN: round(unseen, 9)}
    if unseen > MAX_UNSEEN:
        return replace(reply, extra=extra)
    extra |= {DISTRIBUTION: distribution, "sampled": reply.text}
    return replace(reply, extra=extra, text=f"{slot.before}{draw(distribution, uniform)}{slot.end}")


def served_distribution(
    tokens: Sequence[Mapping[str, Any]], slot: Slot, temperature: float | None
) -> tuple[dict[str, float], float, float] | None:
    """Return three values that are computed from a server's log probabilities: the distribution over the choices of a
    slot, the probability of all other texts, and an upper bound of the probability of choices that the server did not
    list. Return None if the reply does not begin with the slot, or if choices differ in more than one token."""
    text = ""
    for place, token in enumerate(tokens):
        if text == slot.before:
            return _at(tokens[place], slot, temperature)
        text += str(token.get("token", ""))
        if not slot.before.startswith(text.lstrip() if place == 0 else text):
            return None
        text = text.lstrip()
    return None


def _at(
    token: Mapping[str, Any], slot: Slot, temperature: float | None
) -> tuple[dict[str, float], float, float] | None:
    """Return the distribution given by the probabilities of one token. A token counts for a choice if only this choice
    can begin with it. It counts for no choice if several choices can begin with it, or if it is itself a choice and
    longer choices begin with it."""
    listed = {str(entry["token"]): float(entry["logprob"]) for entry in token.get("top_logprobs") or ()}
    mass = dict.fromkeys(slot.choices, 0.0)
    ambiguous = 0.0
    ends = [choice + slot.end for choice in slot.choices]
    for text, log in listed.items():
        matches = [choice for choice, end in zip(slot.choices, ends, strict=True) if text and end.startswith(text)]
        if len(matches) == 1:
            mass[matches[0]] += math.exp(log)
        elif matches:
            ambiguous += math.exp(log)
    seen = math.fsum(mass.values())
    if not seen:
        return None
    tail = max(0.0, 1.0 - math.fsum(math.exp(log) for log in listed.values()))
    lacking = ambiguous + (tail if not all(mass.values()) else 0.0)
    logs = tempered([math.log(value) if value else -math.inf for value in mass.values()], temperature)
    return entries(slot.choices, logs), max(0.0, 1.0 - seen - lacking), lacking / (seen + lacking)
