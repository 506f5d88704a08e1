"""The conditional surplus alpha (CSα) of BAZAAR and PACT, from a table of its reference in the user's files.

CSα = (share − m) / s, cut to −5 … 5. The share is the surplus share of a seat; m and s, the mean and the standard
deviation of truthful seats under the same conditions, belong to a cell. The reference is not public and cannot be
computed from the rules. A file has the cells that were solved from the logs, `{"bazaar": {cell: [m, s]}, "pact": {cell:
[m, s]}}`; a cell in which every CSα is 0 has the text `zero`."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ostrom.core import InputError
from ostrom.core.files import parse_json, read_bounded_text

CSA_LIMIT: Final = 5.0
"""The largest CSα, and minus the smallest."""
EXACT: Final = 1e-9
"""The largest difference at which a computed CSα is equal to that of a log."""
VALUE_BUCKETS: Final = {"buyer": 5.0, "seller": 2.5}
"""The width of the buckets of values and costs."""
SPREAD_BUCKET: Final = 5.0
_BATCH: Final = re.compile(r"[0-9a-f]{8}")
_OTHER_BATCHES: Final = frozenset({"8c0caf72", "c1256171", "8c7a58ca"})
"""Batches of PACT whose reference differs from that of other batches."""


@dataclass(frozen=True)
class LoggedMarket:
    """The facts of a logged market that determine the cell of each seat."""

    id: str
    """The game's id in its source."""
    schema_version: str
    distribution: str
    roles: Sequence[str]
    values: Sequence[float]
    always_traded: bool
    """True if every round has a trade."""
    last_spread: float | None
    """The best unmatched ask minus the best unmatched bid of the last round; None if all seats of a side traded."""

    def cell(self, seat: int) -> tuple[str, str] | None:
        """Return the table and the cell of a seat. Return None if the rule for its cell is not known."""
        role = self.roles[seat]
        bucket = _bucket(self.values[seat], VALUE_BUCKETS[role])
        if len(self.roles) == 2:
            return "pact", f"{self._batch()}|{self.distribution}|{role}|{bucket}"
        if self.last_spread is None:
            return None
        return "bazaar", f"{self.distribution}|{role}|{bucket}|{_bucket(self.last_spread, SPREAD_BUCKET)}"

    def _batch(self) -> str:
        """Return the name of the reference of PACT, which changed from batch to batch."""
        batch = self.id.partition("_")[0]
        if _BATCH.fullmatch(batch):
            if not self.always_traded:
                return "half"
            return "A-every" if batch in _OTHER_BATCHES else "B-every"
        if self.schema_version == "1.4.0":
            return "plain"
        return "C-every" if self.always_traded else "C-some"


def _bucket(number: float, width: float) -> str:
    """Return the multiple of the width that is nearest to a number, as the file writes it."""
    return f"{width * math.floor(number / width + 0.5):g}"


def residual_spread(quotes: Sequence[float | None], roles: Sequence[str], traded: set[int]) -> float | None:
    """Return the best unmatched ask minus the best unmatched bid of a round; None if a side has no unmatched quote."""
    left: dict[str, list[float]] = {"buyer": [], "seller": []}
    for seat, (quote, role) in enumerate(zip(quotes, roles, strict=True)):
        if quote is not None and seat not in traded:
            left[role].append(quote)
    return min(left["seller"]) - max(left["buyer"]) if left["buyer"] and left["seller"] else None


@dataclass(frozen=True)
class CsaReference:
    """The cells of a file."""

    cells: Mapping[str, Mapping[str, Any]]

    def csa(self, market: LoggedMarket, seat: int, share: float) -> float | None:
        """Return the CSα of a seat; None if its cell is not in the file."""
        place = market.cell(seat)
        entry = None if place is None else self.cells[place[0]].get(place[1])
        if entry is None:
            return None
        if entry == "zero":
            return 0.0
        mean, deviation = entry
        return float(min(max((share - mean) / deviation, -CSA_LIMIT), CSA_LIMIT))


def read_reference(path: Path) -> CsaReference:
    """Read a reference. Raise `InputError` if the file has another form."""
    try:
        content = parse_json(read_bounded_text(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path} is no reference of CSα: {error}") from error
    tables = content if isinstance(content, dict) else {}
    if not all(isinstance(tables.get(name), dict) for name in ("bazaar", "pact")):
        raise InputError(f"{path} is no reference of CSα: it must have the tables bazaar and pact")
    for cell, entry in ((cell, entry) for name in ("bazaar", "pact") for cell, entry in tables[name].items()):
        if entry != "zero" and not _is_cell(entry):
            raise InputError(
                f"{path} is no reference of CSα: the cell {cell!r} must have a mean and a deviation that is not 0"
            )
    return CsaReference(tables)


def _is_cell(entry: object) -> bool:
    if not isinstance(entry, list) or len(entry) != 2:
        return False
    finite = all(isinstance(number, int | float) and math.isfinite(number) for number in entry)
    return finite and entry[1] != 0
