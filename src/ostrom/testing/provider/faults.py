"""What can go wrong on purpose, and when."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Literal, TypeAlias

from ostrom.core import InputError

FAULTS: Mapping[str, str] = {
    "429": "too many requests, with Retry-After",
    "429_bare": "too many requests, without Retry-After",
    "500": "the server failed",
    "503": "the server is overloaded",
    "400": "the request is taken for wrong",
    "401": "the key is refused, and told back in the error",
    "404": "there is no such model",
    "hang": "no answer until the client goes",
    "drop": "the connection closes in the middle of the body",
    "trickle": "a byte at a time, for ever",
    "empty": "a reply without a text",
    "half_json": "half an answer",
    "prose": "words around a legal answer, and another answer before it; not a failure",
    "illegal": "an amount out of range",
    "nan": "an amount that is not a number",
    "wrong_seat": "a label that is not there",
    "refusal": "the model declines",
    "filtered": "finish_reason=content_filter and nothing else",
    "length": "finish_reason=length and half an answer",
    "long": "a million characters without an answer",
}
STATUSES = {"429": 429, "429_bare": 429, "500": 500, "503": 503, "400": 400, "401": 401, "404": 404}
HARMLESS = frozenset({"prose"})
"""What a client should take for an answer."""
FINAL = frozenset({"400", "401", "404"})
"""What no client can get past by asking again."""

DrawBy: TypeAlias = Literal["counter", "reference"]
"""Whether a fault is drawn anew for every request, or is the same whenever a request of the same id comes."""


def every_fault(share: float, but: frozenset[str] = FINAL) -> dict[str, float]:
    """All faults but some, with equal shares that come to `share` together."""
    chosen = [name for name in FAULTS if name not in but]
    return dict.fromkeys(chosen, share / len(chosen))


def unit(*parts: object) -> float:
    """A number from 0 to 1 that depends on nothing else than the parts."""
    digest = blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


class FaultPlan:
    """Says for every request whether it is to fail, and how."""

    def __init__(
        self,
        faults: Mapping[str, float] | None = None,
        by_model: Mapping[str, Mapping[str, float]] | None = None,
        *,
        seed: int = 0,
        cycle: bool = False,
        draw_by: DrawBy = "counter",
    ) -> None:
        self._all = _checked(faults or {})
        self._by_model = {model: _checked(shares) for model, shares in (by_model or {}).items()}
        self._seed = seed
        self._cycle = cycle
        self._draw_by = draw_by
        self._turns: dict[str, int] = {}

    def fault(self, number: int, model: str, reference: str | None) -> str | None:
        """The fault of the request of this number, model and id. A model with faults of its own has no others."""
        shares = self._by_model.get(model, self._all)
        if not shares:
            return None
        if self._cycle:
            return self._in_turn(shares, model if model in self._by_model else "")
        by = number if self._draw_by == "counter" or reference is None else reference
        drawn = unit("fault", self._seed, by)
        for name, share in shares.items():
            drawn -= share
            if drawn < 0:
                return name
        return None

    def _in_turn(self, shares: Mapping[str, float], whose: str) -> str | None:
        """As often as the shares come to together, evenly spread; each fault in its turn."""
        turn = self._turns.get(whose, 0)
        self._turns[whose] = turn + 1
        together = sum(shares.values())
        before, after = int(turn * together + 1e-9), int((turn + 1) * together + 1e-9)
        return list(shares)[before % len(shares)] if after > before else None


def _checked(shares: Mapping[str, float]) -> dict[str, float]:
    for name, share in shares.items():
        if name not in FAULTS:
            raise InputError(f"there is no fault called {name!r}; the faults are {', '.join(FAULTS)}")
        if not 0 <= share <= 1:
            raise InputError(f"the share of {name} must be a number from 0 to 1, not {share}")
    together = sum(shares.values())
    if together > 1 + 1e-9:
        raise InputError(f"the shares of faults come to {together:g}; together they must be 1 at the most")
    return dict(shares)
