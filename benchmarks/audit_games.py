"""How often an audit finds a factor that does not matter: eight players whose answers depend on nothing but their own
draws, audited in every game, its phases and the battery's tasks, in the two example packages and in the test games with
roles and private values. A share whose interval excludes 0 is an error.

    python -P benchmarks/audit_games.py --audits 2 --seconds 900"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "examples" / name / "src") for name in ("ostrom-harvest", "ostrom-offers")] + [
    str(ROOT / "tests")
]

from ostrom.core import Amount, Chance, Choice, Fields, InputError, Question, Seat, Spec, Text  # noqa: E402 - after the paths
from ostrom.core.game import Game  # noqa: E402
from ostrom.core.plugins import GAMES  # noqa: E402
from ostrom.core.specs import Aimed, Optional, Several, Stepped, When  # noqa: E402
from ostrom.games.audit.biased import number_at  # noqa: E402
from ostrom.games.audit.commands import audited_names  # noqa: E402
from ostrom.games.audit.commands.plan import AuditPlan, audit, audited_game, samples_of  # noqa: E402
from ostrom.games.audit.effects import MIN_SITUATIONS, answers_of, audit_effects  # noqa: E402
from ostrom.players.base import Player  # noqa: E402

Draw = Callable[[], float]
OTHERS = (
    ("ostrom_harvest", "HARVEST"),
    ("ostrom_offers", "OFFERS"),
    ("double_auction", "AUCTION"),
    ("haggling", "HAGGLING"),
    ("sealed_auction", "AUCTION"),
)
"""Games that are not installed: modules and the names in them."""


def around(middle: float, half: float, turn: int, draw: Draw) -> float:
    """Return a share around a middle, uniform."""
    return middle + half * (2 * draw() - 1)


def drifting(turn: int, draw: Draw) -> float:
    """Return a share that depends on the turn."""
    return 0.2 + 0.1 * (turn % 7) + 0.2 * (draw() - 0.5)


def all_or_nothing(probability: float, turn: int, draw: Draw) -> float:
    """Return everything with this probability, or else nothing."""
    return float(draw() < probability)


def skewed(turn: int, draw: Draw) -> float:
    """Return a share that is small most of the time."""
    return draw() ** 4


SHARES: dict[str, Callable[[int, Draw], float]] = {
    "half": partial(around, 0.5, 0.05),
    "little": partial(around, 0.15, 0.1),
    "much": partial(around, 0.85, 0.1),
    "anything": partial(around, 0.5, 0.5),
    "drifting": drifting,
    "all or nothing": partial(all_or_nothing, 0.5),
    "seldom all": partial(all_or_nothing, 0.1),
    "skewed": skewed,
}
"""The part of the range that each player answers. Between two options it is the probability of the first by name."""


@dataclass(frozen=True)
class Blind:
    """A player that sees the kind of answer, the bounds and the turn, and no more."""

    name: str
    share: Callable[[int, Draw], float]

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return a new player for one question."""
        return _BlindPlayer(self, chance)


class _BlindPlayer:
    def __init__(self, player: Blind, chance: Chance) -> None:
        self._player, self._chance, self._draws = player, chance, 0

    def _draw(self) -> float:
        self._draws += 1
        return self._chance.uniform("blind", self._draws)

    def answer(self, question: Question[Any]) -> object:
        """Answer by the player's share of what is allowed."""
        return self._value(question.spec, question.view.question.turn)

    def _value(self, spec: Spec, turn: int) -> Any:
        share = min(max(self._player.share(turn, self._draw), 0.0), 1.0)
        match spec:
            case Stepped() | Amount():
                return number_at(spec, share)
            case Choice():
                options = sorted(spec.options, key=str)
                if len(options) == 2:
                    return options[0] if self._draw() < share else options[1]
                return options[int(self._draw() * len(options))]
            case Aimed():
                spend = round(share * spec.most)
                target = spec.others[int(self._draw() * len(spec.others))] if spec.others and spend else None
                return {"target": target, "spend": spend if target is not None else 0}
            case Optional():
                return None if self._draw() < 0.2 else self._value(spec.of, turn)
            case Fields():
                return self._fields(spec, turn)
            case Several():
                return [self._value(spec.of, turn) for _ in range(spec.fewest)]
            case Text():
                return ""
            case _:
                raise TypeError(f"no answer for {type(spec).__name__}")

    def _fields(self, spec: Fields, turn: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, part in spec.specs.items():
            if isinstance(part, When):
                values[name] = self._value(part.of, turn) if part.asked(values) else None
            else:
                values[name] = self._value(part, turn)
        return values


def audited() -> Iterator[tuple[Game, str]]:
    """Yield every game that can be audited, with each of its phases."""
    for module, name in OTHERS:
        game = getattr(import_module(module), name)
        if game.name not in GAMES:
            import_module(module).register() if hasattr(import_module(module), "register") else GAMES.add(game)
    for name in audited_names():
        game = audited_game(name)
        plan = AuditPlan(game, Blind("half", SHARES["half"]))
        for phase in samples_of(game).phases(plan.settled, plan.table):
            yield game, phase


def cases(audits: int) -> Iterator[tuple[str, str, bool | None]]:
    """Yield the game, the factor and whether its interval excludes 0, or None without an interval, of every audit."""
    places, seeds = list(audited()), count()  # Every audit has draws of its own: players share no accident.
    for _ in range(audits):
        for game, phase in places:
            for name, share in SHARES.items():
                settings = {"phase": phase, "seed": next(seeds), "situations": MIN_SITUATIONS}
                try:
                    played = audit(Blind(name, share), game.name, **settings)
                except InputError as reason:  # Such as answers that may be left out, which have no position.
                    print(reason, flush=True)
                    break
                for factor in audit_effects(answers_of(played).questions).factors:
                    low = factor.share.low
                    yield f"{game.command} {phase}", factor.name, None if low is None else low > 0


def main() -> None:
    """Print the errors by factor and by game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audits", type=int, default=2, help="audits of every player in every phase")
    parser.add_argument("--seconds", type=float, default=900, help="end after these seconds")
    arguments = parser.parse_args()
    start, counts, errors = time.monotonic(), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    without = 0
    for game, factor, excludes in cases(arguments.audits):
        if excludes is None:
            without += 1
        else:
            for key in (("factor", factor), ("game", game), ("all", "all")):
                counts[key] += 1
                errors[key] += excludes
        if time.monotonic() - start > arguments.seconds:
            print(f"ended after {arguments.seconds:.0f} s")
            break
    for kind in ("game", "factor", "all"):
        print(f"\n{kind}: intervals that exclude 0")
        for name, total in [(name, total) for (of, name), total in counts.items() if of == kind]:
            print(f"  {name:40}{errors[kind, name]:6} of {total:6}  {100 * errors[kind, name] / total:5.1f} %")
    print(f"\n{without} shares without an interval, since decisions do not vary")


if __name__ == "__main__":
    main()
