"""The settings of the provider, its faults and the times at which they occur, and its account of requests and
replies."""

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
from ostrom.testing.provider.caching import CacheRules
from ostrom.testing.provider.replies import AnswerFunction

FAULTS: Mapping[str, str] = {
    "429": "too many requests, with Retry-After",
    "429_bare": "too many requests, without Retry-After",
    "500": "the server failed",
    "503": "the server is overloaded",
    "400": "the request is rejected",
    "401": "the key is refused, and repeated in the error",
    "404": "there is no such model",
    "hang": "no answer until the client closes",
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
BATCH_FAULTS: Mapping[str, str] = {
    "upload_500": "the server failed before it stored a file",
    "upload_lost": "a file is stored, and the connection closes",
    "create_429": "too many batches",
    "create_500": "the server failed before it created a batch",
    "create_lost": "a batch is created, and the connection closes",
    "poll_500": "the server failed while it was polled",
    "poll_lost": "the connection closes while it is polled",
    "failed": "a batch is not accepted; nothing of it is done",
    "expired": "half of a batch is not done in time",
    "cancelled": "the provider cancels a batch when half of it is done",
    "missing": "a tenth of the results, and at least one, is missing",
    "duplicated": "half of the results come twice",
    "results_500": "the server failed while results were read",
    "results_cut": "a third of the results is not read",
    "cancel_500": "the server failed while a batch was cancelled",
    "uncancellable": "a batch cannot be cancelled",
}
"""Faults of the batch APIs."""
STATUSES = {"429": 429, "429_bare": 429, "500": 500, "503": 503, "400": 400, "401": 401, "404": 404}
HARMLESS = frozenset({"prose"})
"""Faults whose replies still contain a valid answer."""
FINAL = frozenset({"400", "401", "404"})
"""Faults that would occur again in every attempt."""

DrawBy: TypeAlias = Literal["counter", "reference"]
"""The way in which faults are drawn: one for each request, or one for all requests with the same id."""


def every_fault(share: float, but: frozenset[str] = FINAL) -> dict[str, float]:
    """Return all faults except `but`, with equal shares whose sum is `share`."""
    names = [name for name in FAULTS if name not in but]
    return dict.fromkeys(names, share / len(names))


def unit(*parts: object) -> float:
    """Return a number from 0 to 1 that depends only on the parts."""
    digest = blake2b("/".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


@dataclass(frozen=True, kw_only=True)
class ProviderSettings:
    """The behaviour of a provider; invalid values raise `InputError`."""

    delay: float = 0.0
    """The number of seconds before a reply. An error status is sent at once."""
    jitter: float = 0.0
    """The variation of the delay in both directions, as a fraction of the delay."""
    faults: Mapping[str, float] = field(default_factory=dict)
    """The share of requests with each fault."""
    model_faults: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The faults of single models, which replace `faults` for these models."""
    cycle: bool = False
    """True if faults are not drawn at random but occur in turn. Their total share is then the sum of all shares."""
    draw_by: DrawBy = "counter"
    seed: int = 0
    answers: Taste | AnswerFunction = "seed"
    """The way in which answers are chosen: at random, depending on the messages and the seed; always the lowest or the
    highest that is allowed; or by a function of the request."""
    models: tuple[str, ...] = ()
    """The models of the provider; if empty, any name is accepted."""
    batch_delay: float = 0.0
    """The number of seconds until a batch ends."""
    batch_faults: Mapping[str, float] = field(default_factory=dict)
    """For each fault of the batch APIs, its share of those steps of batches in which it can occur."""
    retry_after: float = 1.0
    """The number of seconds for which an error 429 asks the client to wait."""
    trickle: float = 0.1
    """The number of seconds between two bytes of a reply that is sent byte by byte."""
    log: Path | None = None
    """A file to which each request adds one line of JSON."""
    keep: bool = False
    """True if the messages of every request are stored in memory."""
    catalogue: bool = False
    """True if a model with the name of a scenario of the catalogue behaves as in this scenario in every call."""

    cache: CacheRules | None = None
    """The rules of the prompt cache; None if the provider has no cache."""

    def __post_init__(self) -> None:
        for name in ("delay", "jitter", "retry_after", "trickle", "batch_delay"):
            if not 0 <= getattr(self, name) < 86_400:
                raise InputError(f"{name} must be a number from 0 to 86,400, got {getattr(self, name)}")
        for shares in (self.faults, *self.model_faults.values()):
            _check_shares(shares)
        _check_shares(self.batch_faults, BATCH_FAULTS)


class FaultPlan:
    """Determines for every request whether it fails, and with which fault."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._turns: Counter[str] = Counter()

    def fault(self, number: int, model: str, reference: str | None) -> str | None:
        """Return the fault of a request, or None. A model that has its own faults never gets the general ones."""
        settings = self._settings
        shares = settings.model_faults.get(model, settings.faults)
        if not shares:
            return None
        if settings.cycle:
            return self._in_turn(shares, model if model in settings.model_faults else "")
        by = number if settings.draw_by == "counter" or reference is None else reference
        draw = unit("fault", settings.seed, by)
        for name, share in shares.items():
            draw -= share
            if draw < 0:
                return name
        return None

    def _in_turn(self, shares: Mapping[str, float], key: str) -> str | None:
        """Return the next fault in turn, or None. Faults are evenly spread over the requests, and their share is the
        sum of the shares."""
        turn = self._turns[key]
        self._turns[key] += 1
        total = sum(shares.values())
        before, after = int(turn * total + 1e-9), int((turn + 1) * total + 1e-9)
        return list(shares)[before % len(shares)] if after > before else None


def _check_shares(shares: Mapping[str, float], faults: Mapping[str, str] = FAULTS) -> None:
    for name, share in shares.items():
        if name not in faults:
            raise InputError(f"there is no fault called {name!r}; it must be one of {', '.join(faults)}")
        if not 0 <= share <= 1:
            raise InputError(f"the share of {name} must be a number from 0 to 1, got {share}")
    total = 0.0 if faults is BATCH_FAULTS else sum(shares.values())
    if total > 1 + 1e-9:
        raise InputError(f"the shares of faults must sum to at most 1, got {total:g}")


@dataclass(slots=True)
class Visit:
    """One request for a completion, from its arrival until it is over."""

    number: int
    """The number of the request, from 1."""
    reference: str | None
    """The value of the header X-Client-Request-Id."""
    model: str
    digest: str
    """The digest of the messages."""
    at: float
    """The time at which the request arrived, in seconds since 1970."""
    fault: str | None = None
    charged: int = 0
    """The tokens that were charged, even if the client is no longer connected."""
    started: float = field(default_factory=time.perf_counter)


class ProviderAccount:
    """Counts requests, and logs a line for each request when it is over."""

    def __init__(self, log: Path | None = None, keep: bool = False) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """The counts by model: all requests, answered requests, abandoned requests, and faults."""
        self._charged: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """The tokens that were charged, by model."""
        self._batched: Counter[str] = Counter()
        """The tokens that were charged for calls of batches, which cost less."""
        self._bad_requests = 0
        self._open: dict[int, Visit] = {}
        self._peak = 0
        self._log: IO[str] | None = None if log is None else log.open("a", encoding="utf-8", buffering=1)
        self._prompts: dict[str, list[dict[str, Any]]] | None = {} if keep else None

    @property
    def next_number(self) -> int:
        return sum(counts["requests"] for counts in self._counts.values()) + 1

    def open_visit(self, reference: str | None, model: str, digest: str, fault: str | None) -> Visit:
        """Record a valid request for a completion, which will have this fault."""
        visit = Visit(self.next_number, reference, model, digest, time.time(), fault)
        self._counts[model]["requests"] += 1
        self._open[visit.number] = visit
        self._peak = max(self._peak, len(self._open))
        return visit

    def charge(self, visit: Visit, input_tokens: int, output_tokens: int, *, batched: bool = False) -> None:
        """Add the tokens of a call. As at real providers, this happens before anything is sent."""
        self._charged[visit.model].update(calls=1, input_tokens=input_tokens, output_tokens=output_tokens)
        if batched:
            self._batched.update(calls=1, input_tokens=input_tokens, output_tokens=output_tokens)

    def store_prompt(self, visit: Visit, messages: list[dict[str, Any]]) -> None:
        """Store the messages of a request if the settings require it."""
        if self._prompts is not None:
            prompt = {"number": visit.number, "model": visit.model, "fault": visit.fault, "messages": messages}
            self._prompts.setdefault(visit.reference or "", []).append(prompt)

    def close_visit(self, visit: Visit, *, gone: bool = False) -> None:
        """Record that a request is over: it was answered, it failed as planned, or the client abandoned it (`gone`)."""
        if self._open.pop(visit.number, None) is None:
            return
        if visit.fault in ("hang", "trickle"):
            gone = False  # These faults end only when the client closes the connection.
        faults = [] if visit.fault is None else [visit.fault]
        answered = ["answered"] if visit.fault is None or visit.fault in HARMLESS else []
        self._counts[visit.model].update(["abandoned"] if gone else [*faults, *answered])
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

    def count_bad_request(self) -> None:
        """Count a request that could not be read."""
        self._bad_requests += 1

    def close(self) -> None:
        """Record open requests as abandoned, and close the log."""
        for visit in list(self._open.values()):
            self.close_visit(visit, gone=True)
        if self._log is not None:
            self._log.close()
            self._log = None

    def summary(self) -> dict[str, Any]:
        """Return the account so far. A fault is counted when it is sent. If it leaves the connection open without a
        reply, it is counted when the client closes the connection."""
        now = {"bad_requests": self._bad_requests, "in_flight": len(self._open), "peak": self._peak}
        models = {name: {**_counts(n), "charged": _bill(self._charged[name])} for name, n in self._counts.items()}
        bills = {"charged": _bill(*self._charged.values()), "batched": _bill(self._batched)}
        return {**_counts(*self._counts.values()), **now, **bills, "models": models}

    def prompts(self, reference: str | None) -> object | None:
        """Return the requests with this id. Without an id, return all ids. Return None if nothing is stored or the id
        is unknown."""
        if self._prompts is None:
            return None
        if reference is None:
            return {"ids": list(self._prompts)}
        requests = self._prompts.get(reference)
        return None if requests is None else {"id": reference, "requests": requests}


def _bill(*charged: Counter[str]) -> dict[str, int]:
    total = sum(charged, Counter[str]())
    return {name: total[name] for name in ("calls", "input_tokens", "output_tokens")}


def _counts(*counts: Counter[str]) -> dict[str, Any]:
    total = sum(counts, Counter[str]())
    faults = {name: number for name, number in total.items() if name in FAULTS}
    sums = {name: total[name] for name in ("requests", "answered", "abandoned")}
    return {**sums, "faults": faults}
