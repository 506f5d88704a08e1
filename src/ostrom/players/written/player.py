"""Players whose strategy is code in a file, which runs only in a process without rights (`sandbox.py`).

`written:FILE.py` names such a player. The file defines `answer(question, memory, draw)`. In results and journals, the
name also has a digest of the code, as in `written:mine.py@1f0e8a27c4d9`, so that a changed file is not taken for the
same player."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import BaseModel
from typing_extensions import override

from ostrom.core import InputError, PlayerFault, Question
from ostrom.core.files import read_bounded
from ostrom.players.strategy import Draw, Strategy, StrategyEntry
from ostrom.players.written.sandbox import (
    MAX_CODE_CHARACTERS,
    Sandbox,
    SandboxLimits,
    StrategyError,
    check_platform,
)

FAMILY: Final = "written"
DESCRIPTION: Final = "written:FILE.py plays the code of a file that 'ostrom write' wrote, in a process without rights"
DIGEST_LENGTH: Final = 12
_MAX_DEPTH: Final = 12


class WrittenStrategy(Strategy):
    """Plays the code of a file in a process of its own. The process ends with the game."""

    def __init__(self, code: str, limits: SandboxLimits | None = None) -> None:
        self._sandbox = _faults(partial(Sandbox, code, limits))

    @override
    def answer(self, question: Question, draw: Draw) -> object:
        seed = int(draw() * 2**53)
        return _faults(partial(self._sandbox.ask, plain_question(question), seed))


def _faults(call: Callable[[], Any]) -> Any:
    """Return the result of a call. The errors of a strategy become faults of the player."""
    try:
        return call()
    except StrategyError as error:
        raise PlayerFault(f"a written strategy failed: {error}") from error


def plain_question(question: Question) -> dict[str, Any]:
    """Return a question in plain data, as a written strategy receives it."""
    return {
        "phase": question.phase,
        "turn": question.turn,
        "seat": question.seat.index,
        "legal": question.spec.describe(),
        "fallback": plain(question.fallback),
        "view": plain(question.view),
    }


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value in plain data: numbers, texts, lists and dictionaries. A dataclass or model is a dictionary of its
    fields. Fields that do not take part in comparisons, and values of other types, are left out (None)."""
    if depth > _MAX_DEPTH or value is None or isinstance(value, bool | str):
        return value if depth <= _MAX_DEPTH else None
    if isinstance(value, Enum):
        return plain(value.value, depth)
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), depth)
    if isinstance(value, int | float):
        return value if math.isfinite(value) else None
    if isinstance(value, BaseModel):
        return {name: plain(getattr(value, name), depth + 1) for name in type(value).model_fields}
    if is_dataclass(value):
        return {entry.name: plain(getattr(value, entry.name), depth + 1) for entry in fields(value) if entry.compare}
    if isinstance(value, Mapping):
        return {str(key): plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes):
        return [plain(one, depth + 1) for one in value]
    return None


def digest_of(code: str) -> str:
    """Return the digest that identifies a code in names."""
    return sha256(code.encode()).hexdigest()[:DIGEST_LENGTH]


def read_code(path: Path) -> str:
    """Return the code in a file. Raise `InputError` if the file is unreadable or too long."""
    try:
        code = read_bounded(path, 4 * MAX_CODE_CHARACTERS).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"cannot read {path} as a written strategy: {reason}") from error
    return code


def written(text: str, limits: SandboxLimits | None = None) -> StrategyEntry:
    """Return the player that plays the code of a file. Raise `InputError` if the system does not contain such code, if
    the file is unreadable, or if its digest is not the one in the name."""
    check_platform()
    path, _, digest = text.rpartition("@")
    if not path or len(digest) != DIGEST_LENGTH:
        path, digest = text, ""
    if not path.endswith(".py"):
        raise InputError(f"{FAMILY}:{text}: name a .py file, as in {FAMILY}:mine.py")
    code = read_code(Path(path))
    if digest and digest != digest_of(code):
        raise InputError(f"{path} has changed: its digest is {digest_of(code)}, and not {digest}")
    return entry_of_code(f"{FAMILY}:{path}@{digest_of(code)}", code, limits)


def entry_of_code(name: str, code: str, limits: SandboxLimits | None = None) -> StrategyEntry:
    """Return a player that plays this code."""
    description = "code of a file, in a process without rights"
    return StrategyEntry(name, description, partial(WrittenStrategy, code, limits), None, __name__, name)
