"""What can go wrong on purpose, and when; and the provider's account: what it was asked, what it sent, how much."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

from ostrom.core import InputError
from ostrom.testing.provider.answers import Taste
from ostrom.testing.provider.replies import AnswerOf

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


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a provider behaves."""

    delay: float = 0.0
    """Seconds before a reply; an error status comes at once."""
    jitter: float = 0.0
    """By what share of itself the delay varies, either way."""
    faults: Mapping[str, float] = field(default_factory=dict)
    """The share of requests that meet each fault."""
    model_faults: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """For single models, in place of those."""
    cycle: bool = False
    """Each fault in its turn, as often as the shares come to together, in place of draws."""
    draw_by: DrawBy = "counter"
    seed: int = 0
    answers: Taste | AnswerOf = "seed"
    """Drawn from the messages and the seed; the lowest or highest that is allowed; or a function of the request."""
    models: tuple[str, ...] = ()
    """The models that there are; with none, any name will do."""
    retry_after: float = 1.0
    """Seconds that a 429 asks to wait."""
    trickle: float = 0.1
    """Seconds between two bytes of a trickle."""
    log: Path | None = None
    """A file that gets one line of JSON for each request."""
    keep: bool = False
    """Whether the messages of every request are kept in memory."""
    catalogue: bool = False
    """Whether a model that is named after a scenario of the catalogue does what that says, at every call."""

    def __post_init__(self) -> None:
        for name in ("delay", "jitter", "retry_after", "trickle"):
            if not 0 <= getattr(self, name) < 86_400:
                raise InputError(f"{name} must be a number from 0 to 86,400, got {getattr(self, name)}")
        for shares in (self.faults, *self.model_faults.values()):
            _check(shares)


class FaultPlan:
    """Says for every request whether it is to fail, and how."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns: Counter[str] = Counter()

    def fault(self, number: int, model: str, reference: str | None) -> str | None:
        """The fault of the request of this number, model and id. A model with faults of its own has no others."""
        settings = self._settings
        shares = settings.model_faults.get(model, settings.faults)
        if not shares:
            return None
        if settings.cycle:
            return self._in_turn(shares, model if model in settings.model_faults else "")
        by = number if settings.draw_by == "counter" or reference is None else reference
        drawn = unit("fault", settings.seed, by)
        for name, share in shares.items():
            drawn -= share
            if drawn < 0:
                return name
        return None

    def _in_turn(self, shares: Mapping[str, float], whose: str) -> str | None:
        """As often as the shares come to together, evenly spread; each fault in its turn."""
        turn = self._turns[whose]
        self._turns[whose] += 1
        together = sum(shares.values())
        before, after = int(turn * together + 1e-9), int((turn + 1) * together + 1e-9)
        return list(shares)[before % len(shares)] if after > before else None


def _check(shares: Mapping[str, float]) -> None:
    for name, share in shares.items():
        if name not in FAULTS:
            raise InputError(f"there is no fault called {name!r}; it must be one of {', '.join(FAULTS)}")
        if not 0 <= share <= 1:
            raise InputError(f"the share of {name} must be a number from 0 to 1, got {share}")
    together = sum(shares.values())
    if together > 1 + 1e-9:
        raise InputError(f"the shares of faults must sum to at most 1, got {together:g}")


@dataclass(slots=True)
class Visit:
    """One request for a completion, from its arrival to its end."""

    number: int
    """Counted from 1."""
    reference: str | None
    """The header X-Client-Request-Id."""
    model: str
    digest: str
    """Of the messages."""
    at: float
    """When it came, in seconds since 1970."""
    fault: str | None = None
    charged: int = 0
    """Tokens that the provider charges for, whether or not the client is still there."""
    started: float = field(default_factory=time.perf_counter)


class Account:
    """Counts visits, and writes a line about each when it is over."""

    def __init__(self, log: Path | None = None, keep: bool = False) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """For each model its requests, those answered and abandoned, and its faults."""
        self._charged: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """For each model the tokens that it charged for."""
        self._bad_requests = 0
        self._open: dict[int, Visit] = {}
        self._peak = 0
        self._log: IO[str] | None = None if log is None else log.open("a", encoding="utf-8", buffering=1)
        self._kept: dict[str, list[dict[str, Any]]] | None = {} if keep else None

    @property
    def next_number(self) -> int:
        return sum(counts["requests"] for counts in self._counts.values()) + 1

    def came(self, reference: str | None, model: str, digest: str, fault: str | None) -> Visit:
        """A request for a completion came in, could be read, and is to meet this fault."""
        visit = Visit(self.next_number, reference, model, digest, time.time(), fault)
        self._counts[model]["requests"] += 1
        self._open[visit.number] = visit
        self._peak = max(self._peak, len(self._open))
        return visit

    def charge(self, visit: Visit, input_tokens: int, output_tokens: int) -> None:
        """Put a call on the bill; before anything is sent, as a provider does."""
        self._charged[visit.model].update(calls=1, input_tokens=input_tokens, output_tokens=output_tokens)

    def keep(self, visit: Visit, messages: list[dict[str, Any]]) -> None:
        """Remember the messages, if they are kept at all."""
        if self._kept is not None:
            shown = {"number": visit.number, "model": visit.model, "fault": visit.fault, "messages": messages}
            self._kept.setdefault(visit.reference or "", []).append(shown)

    def left(self, visit: Visit, *, gone: bool = False) -> None:
        """It is over: answered, failed as planned, or the client went before either (`gone`)."""
        if self._open.pop(visit.number, None) is None:
            return
        if visit.fault in ("hang", "trickle"):
            gone = False  # that the client goes is all that can happen
        met = [] if visit.fault is None else [visit.fault]
        answered = ["answered"] if visit.fault is None or visit.fault in HARMLESS else []
        self._counts[visit.model].update(["abandoned"] if gone else [*met, *answered])
        if self._log is not None:
            line = {
                "time": round(visit.at, 3),
                "id": visit.reference,
                "model": visit.model,
                "digest": visit.digest,
                "fault": visit.fault,
                "duration": round(time.perf_counter() - visit.started, 4),
                "gone": gone,
                "charged": visit.charged,
            }
            self._log.write(json.dumps(line) + "\n")

    def refused(self) -> None:
        """A request came that could not be read."""
        self._bad_requests += 1

    def close(self) -> None:
        """Enter what is still under way as gone, and close the log."""
        for visit in list(self._open.values()):
            self.left(visit, gone=True)
        if self._log is not None:
            self._log.close()
            self._log = None

    def summary(self) -> dict[str, Any]:
        """The account so far. A fault is counted when it was sent; hanging, when the client went."""
        now = {"bad_requests": self._bad_requests, "in_flight": len(self._open), "peak": self._peak}
        models = {each: {**_told(n), "charged": _bill(self._charged[each])} for each, n in self._counts.items()}
        return {**_told(*self._counts.values()), **now, "charged": _bill(*self._charged.values()), "models": models}

    def kept(self, reference: str | None) -> object | None:
        """What came under this id, or all ids; None where nothing is kept or nothing came."""
        if self._kept is None:
            return None
        if reference is None:
            return {"ids": list(self._kept)}
        found = self._kept.get(reference)
        return None if found is None else {"id": reference, "requests": found}


def _bill(*charged: Counter[str]) -> dict[str, int]:
    """What some models charged for."""
    total = sum(charged, Counter[str]())
    return {name: total[name] for name in ("calls", "input_tokens", "output_tokens")}


def _told(*counts: Counter[str]) -> dict[str, Any]:
    """What some models were asked, and what they sent."""
    total = sum(counts, Counter[str]())
    faults = {name: number for name, number in total.items() if name in FAULTS}
    return {
        "requests": total["requests"],
        "answered": total["answered"],
        "faults": faults,
        "abandoned": total["abandoned"],
    }
