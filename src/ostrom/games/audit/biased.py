"""Players with a known bias, to check what an audit finds. Asked for a number, they give a share of the range plus the
bias. Between two options, they choose the first in the alphabet with probability one half plus the bias."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ostrom.core import Amount, Chance, Choice, Fields, InputError, Question, Registry, Seat, Spec
from ostrom.core.specs import Aimed, Stepped
from ostrom.games.audit import AuditView
from ostrom.players.base import Player

Bias = Callable[[AuditView], float]
"""Returns the addition to a player's share, or to the probability of its choice, for a framing."""

GIVES = 0.5
"""The share that a player without bias gives."""
NOISE = 0.05
"""The largest deviation from that share to either side; deviations are uniform."""
FAVOURITE = "Elm"
"""The favourite name of the player with a label bias."""
LABEL = "A"
"""The favourite label of an option."""
LEAN = 0.35
"""The change in an option's probability for its position or label."""
CHOICE = 2.5
"""The factor of any other bias in a choice between two options, since a single choice reveals less than an amount."""


@dataclass(frozen=True)
class Biased:
    """A contestant of audits: gives half of the range, with noise and a bias."""

    name: str
    bias: Bias
    gives: float = GIVES
    noise: float = NOISE

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return a new player for one question."""
        return _Leaning(self, chance)


@dataclass(frozen=True)
class _Leaning:
    player: Biased
    chance: Chance

    def answer(self, question: Question) -> object:
        """Answer with the share, plus noise and bias, of whatever is asked for."""
        view: AuditView = question.view
        uniform = self.chance.uniform("scripted", question.turn)
        item = _item(view)
        if item is not None and item.options:
            first, second = sorted(item.options)
            return first if uniform < self.player.gives + self.player.bias(view) else second
        share = self.player.gives + self.player.noise * (2 * uniform - 1) + self.player.bias(view)
        return _answer(question.spec, min(max(share, 0.0), 1.0), view.question)


def _answer(spec: Spec, share: float, question: Question) -> Any:
    match spec:
        case Stepped():
            return spec.low + int(share * (spec.high - spec.low) / spec.step + 0.5) * spec.step
        case Amount():
            amount = spec.low + share * (spec.high - spec.low)
            return round(amount) if spec.whole else amount
        case Aimed():
            spend = round(share * spec.most)
            richest = max(spec.others, key=lambda seat: question.view.balances[seat])
            return {"target": richest if spend else None, "spend": spend}
        case Fields():
            # The first field is the decision; the others keep their defaults.
            named = iter(spec.specs.items())
            first, leading = next(named)
            return {first: _answer(leading, share, question)} | {name: _idle(part) for name, part in named}
        case Choice():
            options = [option for option in spec.options if option is not None]
            return options[min(int(share * len(options)), len(options) - 1)]
        case _:
            raise InputError(f"a scripted player cannot answer with {spec.describe()}")


def _idle(spec: Spec) -> Any:
    match spec:
        case Amount():
            return min(max(0.0, spec.low), spec.high)
        case Choice():
            return spec.options[0]
        case _:
            return ""


def _item(view: AuditView) -> Any:
    """Return the item of the battery that is asked, or None for a question at a table."""
    view = view.question.view
    return view if hasattr(view, "label_of") else None


def _strength(view: AuditView) -> float:
    item = _item(view)
    return CHOICE if item is not None and item.options else 1.0


def _called(view: AuditView) -> float:
    item = _item(view)
    if item is None:
        return 0.3 * GIVES if view.label == FAVOURITE else 0.0
    if LABEL not in item.labels:
        return 0.0
    return LEAN if item.label_of(min(item.options)) == LABEL else -LEAN


def _placed(view: AuditView) -> float:
    item = _item(view)
    if item is None:
        order = view.framing.order or (0,)
        return 0.3 * GIVES if order[0] == view.question.seat.index else 0.0
    if not item.options:
        return 0.0
    return LEAN if item.options[0] == min(item.options) else -LEAN


def _worded(view: AuditView) -> float:
    return _strength(view) * {"plain": 0.0, "story": 0.12, "terse": -0.12}.get(view.framing.variant, 0.0)


def _scaled(view: AuditView) -> float:
    return _strength(view) * {1: 0.0, 10: 0.08, 100: 0.16}.get(view.framing.scale, 0.0)


BIASED: Registry[Biased] = Registry("scripted player")
for _player in (
    Biased("scripted:unbiased", lambda view: 0.0),
    Biased("scripted:label-bias", _called),
    Biased("scripted:first-bias", _placed),
    Biased("scripted:wording-bias", _worded),
    Biased("scripted:scale-bias", _scaled),
):
    BIASED.add(_player.name, _player)
