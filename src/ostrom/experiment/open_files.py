"""How many calls may be in flight with the files that this process may open: each is a connection, and so an open
file."""

import os
from contextlib import suppress

from ostrom.experiment.limits import Limits

_RESERVE = 128
"""Files that calls leave alone: the journal's, modules that are imported late, lookups of names, and what is not yet
closed."""


def within_open_files(limits: Limits) -> tuple[Limits, str | None]:
    """The limits with no more calls than this process can have connections; a sentence for users where that is fewer
    than they asked for. A soft limit that is too low for them is raised as far as the system allows."""
    try:
        import resource  # not on every system
    except ImportError:
        return limits, None
    taken = _open_now() + _RESERVE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.calls + taken
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        with suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    allowed = limits.calls if soft == resource.RLIM_INFINITY else max(1, soft - taken)
    if allowed >= limits.calls:
        return limits, None
    word = (
        f"the limit of {limits.calls} calls at once is reduced to {allowed}: this process may have {soft:,} open "
        f"files, and each call needs one; ulimit -n {wanted:,} would allow all"
    )
    return limits.model_copy(update={"calls": allowed}), word


def _open_now() -> int:
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return 0
