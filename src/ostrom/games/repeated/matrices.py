"""The matrices of two-player games. There are named matrices, and matrices in files of users. There are also the 144
strictly ordinal 2×2 games of Robinson and Goforth, "The Topology of the 2×2 Games" (2005), with their families.

The first player chooses the row, the second the column. Strategies and measures of cooperation call the first action of
each player C, and the second D."""

import errno
import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal, Self, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ostrom.core import InputError, Registry
from ostrom.core.arrays import Array
from ostrom.core.files import read_bounded_text
from ostrom.core.text import first_problem

Pair: TypeAlias = tuple[float, float]
_Points: TypeAlias = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
_Action: TypeAlias = Annotated[str, Field(pattern=r"^[\w][\w .'-]{0,31}$")]
MAX_ACTIONS: Final = 12
_MAX_FILE_BYTES: Final = 100_000


@dataclass(frozen=True)
class PayoffMatrix:
    """A two-player game in normal form."""

    rows: tuple[str, ...]
    """The actions of the first player."""
    columns: tuple[str, ...]
    """The actions of the second player."""
    payoffs: tuple[tuple[Pair, ...], ...]
    """`payoffs[row][column]` are the points of the first and of the second player."""

    @property
    def actions(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The actions of each seat."""
        return self.rows, self.columns

    @property
    def two_by_two(self) -> bool:
        return len(self.rows) == len(self.columns) == 2

    @cached_property
    def points(self) -> Array:
        """(seats, rows, columns) The points of each seat for every pair of actions."""
        return np.moveaxis(np.asarray(self.payoffs, dtype=np.float64), -1, 0)

    def own(self, seat: int) -> Array:
        """(own actions, the other's actions) Return the points of a seat."""
        points: Array = self.points[seat]
        return points if seat == 0 else points.T

    @property
    def symmetric(self) -> bool:
        """True if the game is the same from the side of both players."""
        return self.rows == self.columns and bool(np.array_equal(self.own(0), self.own(1)))

    def text(self) -> str:
        """Return the matrix as JSON, which rules and records store for a matrix without a name."""
        cells = [[[int(p) if p == int(p) else p for p in cell] for cell in row] for row in self.payoffs]
        content = {"rows": self.rows, "columns": self.columns, "payoffs": cells}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


class MatrixFile(BaseModel):
    """The content of a matrix file."""

    model_config = ConfigDict(extra="forbid")

    rows: tuple[_Action, ...] = Field(min_length=2, max_length=MAX_ACTIONS)
    columns: tuple[_Action, ...] = Field((), max_length=MAX_ACTIONS)
    """The actions of the second player. Empty if both players have the same actions."""
    payoffs: tuple[tuple[tuple[_Points, _Points] | _Points, ...], ...]
    """The points of both players by row and column. In a symmetric game, it is enough to give the points of the row
    player."""

    @model_validator(mode="after")
    def _check_shape(self) -> Self:
        names = self.columns or self.rows
        if len(set(self.rows)) < len(self.rows) or len(set(names)) < len(names) or len(names) < 2:
            raise ValueError("each player must have at least two actions, with different names")
        if len(self.payoffs) != len(self.rows) or any(len(row) != len(names) for row in self.payoffs):
            raise ValueError(f"payoffs must have {len(self.rows)} rows with {len(names)} entries each")
        single = [isinstance(cell, float) for row in self.payoffs for cell in row]
        if any(single) and not (all(single) and len(self.rows) == len(names)):
            raise ValueError("payoffs must all be pairs, or all numbers if the game is symmetric")
        return self

    def matrix(self) -> PayoffMatrix:
        """Return the matrix."""
        columns = self.columns or self.rows
        payoffs = tuple(
            tuple(self._pair(row, column) for column in range(len(columns))) for row in range(len(self.rows))
        )
        return PayoffMatrix(self.rows, columns, payoffs)

    def _pair(self, row: int, column: int) -> Pair:
        cell = self.payoffs[row][column]
        if isinstance(cell, tuple):
            return cell
        mirrored = self.payoffs[column][row]
        assert isinstance(mirrored, float)
        return cell, mirrored


NAMED: Final[Registry[PayoffMatrix]] = Registry("matrix")


def _enter(name: str, actions: tuple[str, str], *cells: Pair) -> None:
    NAMED.add(name, PayoffMatrix(actions, actions, (cells[:2], cells[2:])))


def _enter_symmetric(name: str, actions: tuple[str, str], cc: float, cd: float, dc: float, dd: float) -> None:
    _enter(name, actions, (cc, cc), (cd, dc), (dc, cd), (dd, dd))


_enter_symmetric("prisoners-dilemma", ("cooperate", "defect"), 3, 0, 5, 1)
_enter_symmetric("stag-hunt", ("stag", "hare"), 4, 0, 3, 2)
_enter_symmetric("chicken", ("swerve", "straight"), 3, 1, 5, 0)
_enter_symmetric("harmony", ("cooperate", "defect"), 5, 3, 4, 1)
_enter_symmetric("deadlock", ("cooperate", "defect"), 1, 0, 5, 3)
_enter("battle-of-the-sexes", ("opera", "boxing"), (10, 7), (0, 0), (0, 0), (7, 10))
_enter("matching-pennies", ("heads", "tails"), (1, -1), (-1, 1), (-1, 1), (1, -1))


# The following functions build the ordinal games.

_ORDERS: Final = (
    *((3, 2, 4, 1), (2, 3, 4, 1), (1, 3, 4, 2), (1, 2, 4, 3), (2, 1, 4, 3), (3, 1, 4, 2)),
    *((4, 1, 3, 2), (4, 1, 2, 3), (4, 2, 1, 3), (4, 3, 1, 2), (4, 3, 2, 1), (4, 2, 3, 1)),
)
"""The points of the row player (row by row) in each of the twelve rows of the table of games. Neighbouring rows of the
table differ by a swap of two neighbouring ranks. The points of the column player in column k are those of row 13 − k,
with rows and columns exchanged."""
ORDINAL: Final = "rg:"
ORDINAL_GAMES: Final = len(_ORDERS) ** 2

Family: TypeAlias = Literal["win-win", "biased", "second best", "unfair", "tragic", "prisoner's dilemma", "cyclic"]


@lru_cache(maxsize=ORDINAL_GAMES)
def ordinal(number: int) -> PayoffMatrix:
    """Return the ordinal game with this number, from 1 to 144. The games are arranged in a table of 12 × 12, and
    numbered row by row."""
    if not 1 <= number <= ORDINAL_GAMES:
        raise InputError(f"there is no ordinal game {number}; they are numbered from 1 to {ORDINAL_GAMES}")
    row, column = divmod(number - 1, len(_ORDERS))
    upper_left, upper_right, lower_left, lower_right = _ORDERS[len(_ORDERS) - 1 - column]
    first, second = _ORDERS[row], (upper_left, lower_left, upper_right, lower_right)
    cells = [(float(row_points), float(column_points)) for row_points, column_points in zip(first, second, strict=True)]
    actions = ("first", "second")
    return PayoffMatrix(actions, actions, (tuple(cells[:2]), tuple(cells[2:])))


def pure_equilibria(matrix: PayoffMatrix) -> list[tuple[int, int]]:
    """Return the Nash equilibria in pure strategies, as cells of the matrix."""
    first, second = matrix.points
    best = (first >= first.max(axis=0, keepdims=True)) & (second >= second.max(axis=1, keepdims=True))
    return [(int(row), int(column)) for row, column in np.argwhere(best)]


def family(matrix: PayoffMatrix) -> Family | None:
    """Return the family of a strictly ordinal 2×2 game, or None for any other matrix. A game without a pure equilibrium
    is cyclic. Otherwise, the family depends on the ranks of both players' payoffs in the best pure equilibrium. These
    are both the best (win-win), the best and the second best (biased), both the second best (second best), or the best
    and a lower one (unfair). In all other games, the family is prisoner's dilemma if another outcome is better for
    both, and otherwise tragic."""
    ranks = [1.0, 2.0, 3.0, 4.0]
    if not matrix.two_by_two or any(sorted(points.ravel().tolist()) != ranks for points in matrix.points):
        return None
    reached = [matrix.payoffs[row][column] for row, column in pure_equilibria(matrix)]
    if not reached:
        return "cyclic"
    best = max(reached, key=lambda cell: (max(cell), min(cell)))
    match max(best), min(best):
        case 4, 4:
            return "win-win"
        case 4, 3:
            return "biased"
        case 4, _:
            return "unfair"
        case 3, 3:
            return "second best"
    cells = [cell for row in matrix.payoffs for cell in row]
    better = any(cell[0] > best[0] and cell[1] > best[1] for cell in cells)
    return "prisoner's dilemma" if better else "tragic"


# The following functions read the matrix of a rule.


def inline_file(text: str) -> str:
    """Return the text that records store for the setting `matrix`. If the setting names a file, this is the file's
    content."""
    text = text.strip()
    if not text.endswith(".json"):
        return text
    content = read_text(Path(text), "a matrix", "rows, columns and payoffs", _MAX_FILE_BYTES)
    return _parse(content, text).text()


@lru_cache(maxsize=1024)
def matrix_of(text: str) -> PayoffMatrix:
    """Return the matrix for the text of the setting `matrix`: a name, rg:NNN, or a matrix in JSON. Raises `InputError`
    for any other text."""
    if text.startswith("{"):
        return _parse(text, "the matrix")
    if text.startswith(ORDINAL):
        if not re.fullmatch(r"[0-9]{1,3}", text.removeprefix(ORDINAL)):
            raise InputError(f"{text!r} is not an ordinal game; write rg: and a number from 1 to {ORDINAL_GAMES}")
        return ordinal(int(text.removeprefix(ORDINAL)))
    if text not in NAMED:
        near = NAMED.nearest(text)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMED)}"
        raise InputError(f"there is no matrix {text!r}; {hint}; or write rg:1 to rg:144, or the name of a .json file")
    return NAMED[text]


def _parse(content: str, source: str) -> PayoffMatrix:
    try:
        return MatrixFile.model_validate_json(content).matrix()
    except ValidationError as error:
        raise InputError(f"{source} is not a matrix: {first_problem(error)}") from None


def read_text(path: Path, kind: str, parts: str, max_bytes: int) -> str:
    """Return the text of a file that a user names. Raises `InputError` if it is too large or unreadable."""
    try:
        return read_bounded_text(path, max_bytes)
    except (OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None) == errno.EFBIG:
            raise InputError(f"{path} is too large for {kind}") from None
        raise InputError(f"{path} cannot be read; name a .json file with {parts}") from None
