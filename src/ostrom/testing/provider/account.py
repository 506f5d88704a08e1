"""The provider's side of the story: what it was asked, what it sent, and how much at once."""

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ostrom.testing.provider.faults import HARMLESS


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
    started: float = field(default_factory=time.perf_counter)


class Account:
    """Counts visits, and writes a line about each when it is over."""

    def __init__(self, log: Path | None = None, keep: bool = False) -> None:
        self._requests: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self._abandoned: Counter[str] = Counter()
        self._faults: dict[str, Counter[str]] = {}
        self._bad_requests = 0
        self._open: dict[int, Visit] = {}
        self._peak = 0
        self._log: IO[str] | None = None if log is None else log.open("a", encoding="utf-8", buffering=1)
        self._kept: dict[str, list[dict[str, Any]]] | None = {} if keep else None

    @property
    def next_number(self) -> int:
        """The number of the request that comes next."""
        return self._requests.total() + 1

    def came(self, reference: str | None, model: str, digest: str, fault: str | None) -> Visit:
        """A request for a completion came in, could be read, and is to meet this fault."""
        visit = Visit(self.next_number, reference, model, digest, time.time(), fault)
        self._requests[model] += 1
        self._open[visit.number] = visit
        self._peak = max(self._peak, len(self._open))
        return visit

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
        if gone:
            self._abandoned[visit.model] += 1
        else:
            if visit.fault is not None:
                self._faults.setdefault(visit.model, Counter())[visit.fault] += 1
            if visit.fault is None or visit.fault in HARMLESS:
                self._answered[visit.model] += 1
        if self._log is not None:
            line = {
                "time": round(visit.at, 3),
                "id": visit.reference,
                "model": visit.model,
                "digest": visit.digest,
                "fault": visit.fault,
                "duration": round(time.perf_counter() - visit.started, 4),
                "gone": gone,
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
        faults: Counter[str] = Counter()
        for counted in self._faults.values():
            faults.update(counted)
        return {
            "requests": self._requests.total(),
            "answered": self._answered.total(),
            "faults": dict(faults),
            "abandoned": self._abandoned.total(),
            "bad_requests": self._bad_requests,
            "in_flight": len(self._open),
            "peak": self._peak,
            "models": {
                model: {
                    "requests": requests,
                    "answered": self._answered[model],
                    "faults": dict(self._faults.get(model, {})),
                    "abandoned": self._abandoned[model],
                }
                for model, requests in self._requests.items()
            },
        }

    def kept(self, reference: str | None) -> object | None:
        """What came under this id, or all ids; None where nothing is kept or nothing came."""
        if self._kept is None:
            return None
        if reference is None:
            return {"ids": list(self._kept)}
        found = self._kept.get(reference)
        return None if found is None else {"id": reference, "requests": found}
