"""Some of many cases: `make test` runs a few of them, `make test-all` the rest."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], quick: int = 4) -> list[Any]:
    """All cases for parametrize, of which this many are quick: the first, the last, and some evenly between them."""
    every = list(cases)
    last = max(quick - 1, 1)
    chosen = {round(place * (len(every) - 1) / last) for place in range(quick)}
    return [case if place in chosen else _slow(case) for place, case in enumerate(every)]


def _slow(case: Any) -> Any:
    if hasattr(case, "marks"):
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.slow])
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
