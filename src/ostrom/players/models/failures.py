"""From whatever can go wrong on the way to a provider and back, to the one fault that the arena acts on."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
from pydantic_ai import exceptions as known

from ostrom.core import Fault
from ostrom.players.base import Unanswered
from ostrom.players.models.redaction import one_line
from ostrom.players.models.transport import MOST_BYTES, ReplyTooLong

_AGAIN = frozenset({408, 409, 425})
_DENIED = frozenset({401, 402, 403, 404, 405})
_FILTERED = ("content_filter", "content_policy", "content_management", "moderation", "flagged")
_NOT_SENT = ("connect", "pool")


def unanswered(error: Exception, key: str | None = None) -> Unanswered:
    """The fault that an error of a call stands for, with a reason that holds no key."""
    fault, reason, retry_after, sent = _judge(error)
    return Unanswered(fault, one_line(reason, also=key), retry_after=retry_after, sent=sent)


def _judge(error: Exception) -> tuple[Fault, str, float | None, bool]:
    if any(isinstance(cause, ReplyTooLong) for cause in _causes(error)):
        return Fault.MALFORMED, f"the reply was longer than {MOST_BYTES // 2**20} MiB", None, True
    if isinstance(error, known.ModelHTTPError):
        fault = _of_status(error)
        reason = f"HTTP {error.status_code}: {_message(error.body) or 'no reason given'}"
        return fault, reason, _retry_after(error), True
    if isinstance(error, known.ModelQuotaExceededError):
        return Fault.DENIED, error.message, None, True
    if isinstance(error, known.ModelRateLimitError):
        return Fault.RATE_LIMITED, error.message, error.retry_after, True
    if isinstance(error, known.ModelConnectionError):
        fault = Fault.TIMEOUT if isinstance(error, known.ModelTimeoutError) else Fault.DROPPED
        sent = error.phase not in _NOT_SENT
        return fault, f"{'the connection broke' if sent else 'no connection'}: {_root(error)}", None, sent
    if isinstance(error, httpx2.TransportError):
        sent = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
        fault = Fault.TIMEOUT if isinstance(error, httpx2.TimeoutException) else Fault.DROPPED
        return fault, f"{'the connection broke' if sent else 'no connection'}: {_root(error)}", None, sent
    if isinstance(error, known.ContentFilterError):
        return Fault.REFUSED, f"a filter held the reply back: {error}", None, True
    if isinstance(error, known.UserError):
        return Fault.REJECTED, f"this model cannot be asked so: {error}", None, False
    if isinstance(error, known.ModelRequestRejectedError):
        denied = isinstance(error, known.ModelAuthenticationError | known.ModelNotFoundError)
        return Fault.DENIED if denied else Fault.REJECTED, error.message, None, True
    # What is left is a reply that breaks the protocol: no JSON, no choices, a wrong type somewhere inside.
    return Fault.SERVER_ERROR, f"the reply cannot be read: {type(error).__name__}: {error}", None, True


def _of_status(error: known.ModelHTTPError) -> Fault:
    status = error.status_code
    if isinstance(error, known.ModelQuotaExceededError | known.ModelNotFoundError):
        return Fault.DENIED
    if status == 429:
        return Fault.RATE_LIMITED
    if status >= 500 or status in _AGAIN:
        return Fault.SERVER_ERROR
    if _filtered(error):
        return Fault.REFUSED
    return Fault.DENIED if status in _DENIED else Fault.REJECTED


def _filtered(error: known.ModelHTTPError) -> bool:
    """Whether a filter before the model declined the prompt; providers say so in the error's code or type."""
    said = [error.provider_error_code, error.provider_error_type]
    if error.status_code == 403 and not isinstance(error, known.ModelAuthenticationError):
        return True  # flagged input, which is no question of credentials
    return any(isinstance(text, str) and any(word in text.lower() for word in _FILTERED) for text in said)


def _retry_after(error: known.ModelHTTPError) -> float | None:
    """Seconds that the provider asks to wait: in milliseconds, in seconds with or without a fraction, or as a date."""
    headers = error.headers or {}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError):
        return error.retry_after
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def _message(body: Any) -> str:
    """What an error's body says, wherever it says it."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or inner.get("detail") or inner)
        return str(inner)
    return "" if body is None else str(body)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _root(error: BaseException) -> str:
    """The first cause of a failure of the connection, which says more than its wrappings."""
    texts = [f"{type(cause).__name__}: {cause}" for cause in _causes(error) if str(cause)]
    return texts[-1] if texts else type(error).__name__
