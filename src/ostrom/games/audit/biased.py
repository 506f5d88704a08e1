"""Players with a known bias, to validate audits. If the question asks for a number, they answer with a fixed share of
the allowed range plus the bias. If it has two options, they choose the alphabetically first one with probability one
half plus the bias."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ostrom.core import Amount, Chance, Choice, Fields, InputError, Question, Registry, Seat, Spec
from ostrom.core.specs import Aimed, Optional, Stepped, When
from ostrom.games.audit import AuditView
from ostrom.players.base import Player

Bias = Callable[[AuditView], float]
"""A function that returns the bias for a question. The bias is added to the player's share of the range, or to the
probability that it chooses the alphabetically first option."""

UNBIASED_SHARE = 0.5
"""The share of the range with which a player without bias answers."""
MAX_NOISE = 0.05
"""The largest random deviation from `UNBIASED_SHARE` in either direction. Deviations are uniformly distributed."""
FAVOURITE_NAME = "Elm"
FAVOURITE_LABEL = "A"
CHOICE_BIAS = 0.35
"""The bias for an option that is shown first or has the favourite label: the change in its probability."""
CHOICE_FACTOR = 2.5
"""The factor by which all other biases are multiplied in a choice between two options, because a single choice reveals
less than an amount."""


@dataclass(frozen=True)
class Biased:
    """A contestant of audits that answers with half of the range, plus noise and a bias."""

    name: str
    bias: Bias
    share: float = UNBIASED_SHARE
    noise: float = MAX_NOISE

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return a new player for one question."""
        return _BiasedPlayer(self, chance)


@dataclass(frozen=True)
class _BiasedPlayer:
    player: Biased
    chance: Chance

    def answer(self, question: Question) -> object:
        """Answer with the player's share of the allowed range, plus noise and bias, or choose between two options."""
        view: AuditView = question.view
        uniform = self.chance.uniform("scripted", question.turn)
        item = _item(view)
        if item is not None and item.options:
            first, second = sorted(item.options)
            return first if uniform < self.player.share + self.player.bias(view) else second
        noise = self.player.noise * (2 * uniform - 1)
        share = self.player.share + noise + self.player.bias(view)
        return _answer(question.spec, min(max(share, 0.0), 1.0), view.question)


def number_at(spec: Stepped | Amount, share: float) -> float:
    """Return the allowed number at this share of the range."""
    if isinstance(spec, Stepped):
        return spec.low + int(share * (spec.high - spec.low) / spec.step + 0.5) * spec.step
    amount = spec.low + share * (spec.high - spec.low)
    return round(amount) if spec.whole else amount


def _answer(spec: Spec, share: float, question: Question) -> Any:
    match spec:
        case Stepped() | Amount():
            return number_at(spec, share)
        case Aimed():
            spend = round(share * spec.most)
            richest = max(spec.others, key=lambda seat: question.view.balances[seat])
            return {"target": richest if spend else None, "spend": spend}
        case Optional():
            return _answer(spec.of, share, question)
        case Fields():
            # The first field is the decision. The other fields keep their default values.
            (first, leading), *others = spec.specs.items()
            values = {first: _answer(leading, share, question)}
            for name, part in others:
                values[name] = None if isinstance(part, When) and not part.asked(values) else _default(part)
            return values
        case Choice():
            options = [option for option in spec.options if option is not None]
            return options[min(int(share * len(options)), len(options) - 1)]
        case _:
            raise InputError(f"a scripted player cannot answer with {spec.describe()}")


def _default(spec: Spec) -> Any:
    match spec:
        case When():
            return _default(spec.of)
        case Optional():
            return None
        case Amount():
            return min(max(0.0, spec.low), spec.high)
        case Choice():
            return spec.options[0]
        case _:
            return ""


def _item(view: AuditView) -> Any:
    """Return the item of the battery in this question, or None if the question is from a game with several seats."""
    view = view.question.view
    return view if hasattr(view, "label_of") else None


def _strength(view: AuditView) -> float:
    item = _item(view)
    return CHOICE_FACTOR if item is not None and item.options else 1.0


def _label_bias(view: AuditView) -> float:
    item = _item(view)
    if item is None:
        return 0.3 * UNBIASED_SHARE if view.label == FAVOURITE_NAME else 0.0
    if FAVOURITE_LABEL not in item.labels:
        return 0.0
    return CHOICE_BIAS if item.label_of(min(item.options)) == FAVOURITE_LABEL else -CHOICE_BIAS


def _order_bias(view: AuditView) -> float:
    item = _item(view)
    if item is None:
        order = view.framing.order or (0,)
        return 0.3 * UNBIASED_SHARE if order[0] == view.question.seat.index else 0.0
    if not item.options:
        return 0.0
    return CHOICE_BIAS if item.options[0] == min(item.options) else -CHOICE_BIAS


def _wording_bias(view: AuditView) -> float:
    return _strength(view) * {"plain": 0.0, "story": 0.12, "terse": -0.12}.get(view.framing.variant, 0.0)


def _scale_bias(view: AuditView) -> float:
    return _strength(view) * {1: 0.0, 10: 0.08, 100: 0.16}.get(view.framing.scale, 0.0)


BIASED: Registry[Biased] = Registry("scripted player")
for _player in (
    Biased("scripted:unbiased", lambda view: 0.0),
    Biased("scripted:label-bias", _label_bias),
    Biased("scripted:first-bias", _order_bias),
    Biased("scripted:wording-bias", _wording_bias),
    Biased("scripted:scale-bias", _scale_bias),
):
    BIASED.add(_player.name, _player)
