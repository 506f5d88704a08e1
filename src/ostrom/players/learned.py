"""Learned people: players fitted on the decisions of people in a study, as files of names and numbers. A file holds
networks, types, the digest of the data, the split, the scores on decisions that were not fitted, and the terms of use.
Learned people are never called people or human: a player's name begins with `learned-people`."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.core import InputError
from ostrom.core.files import parse_json, read_bounded
from ostrom.core.game import imported
from ostrom.core.text import clean, first_problem
from ostrom.players.strategy import RowStrategy, StrategyEntry, family_of

FAMILY: Final = "learned-people"
SHORT_FAMILY: Final = "people"
TYPES: Final = "types"
SUFFIX: Final = ".people.json"
FOLDER_VARIABLE: Final = "OSTROM_PEOPLE"
MAX_FILE_BYTES: Final = 20_000_000
Matrix: TypeAlias = npt.NDArray[np.float64]


class LearnedFile(BaseModel):
    """The content of a file of learned people."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    learned_people: Literal[1] = 1
    """The version of the format."""
    game: str
    study: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    source: str = Field(max_length=400)
    """The publication."""
    terms: str = Field(max_length=400)
    """The terms of use that the source states for the data, from which this file is derived."""
    digest: str
    """The SHA-256 of the decisions that were read."""
    split: str = Field(max_length=1000)
    """The rule of the split. Scores are those on the development part, of a fit without it."""
    fitted: dict[str, int]
    """The numbers of decisions, people and games to which the weights of this file were fitted."""
    scores: list[dict[str, Any]]
    networks: list[list[list[Any]]] = Field(default_factory=list, max_length=20)
    """For each network: its weights and biases, layer by layer."""
    points: dict[str, list[list[float]]] = Field(default_factory=dict)
    """For each kind of points: the weights of the chance, and the chance of a further point."""
    type_names: list[str] = Field(default_factory=list)
    type_shares: list[float] = Field(default_factory=list)
    type_tables: list[list[list[list[float]]]] = Field(default_factory=list)
    """For each type: by arm and cell, the probability of each amount."""
    values: dict[str, list[float]] = Field(default_factory=dict)
    """The parameters of theories."""
    forecast: dict[str, Any] = Field(default_factory=dict)
    """What `ostrom forecast` needs: coefficients, errors of cross-fitted forecasts, and the designs of the study."""


@dataclass(frozen=True, eq=False)
class LearnedPeople:
    """The numbers of a file of learned people, as players use them."""

    networks: tuple[tuple[Matrix, ...], ...]
    points: Mapping[str, tuple[Matrix, ...]]
    type_shares: tuple[float, ...]
    type_tables: tuple[tuple[Matrix, ...], ...]
    values: Mapping[str, tuple[float, ...]]


def path_of(name: str) -> Path:
    """Return the file that a name stands for: a path that ends in .json, or NAME.people.json in the folder
    OSTROM_PEOPLE, by default the current folder."""
    if name.endswith(".json"):
        return Path(name)
    return Path(os.environ.get(FOLDER_VARIABLE, "")) / f"{name}{SUFFIX}"


def read_learned(path: Path) -> LearnedFile:
    """Return the content of a file of learned people. Raise `InputError` if it cannot be read or has other content."""
    try:
        return _parsed(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}); make it with 'ostrom train-people STUDY DIR -o {path}'"
        ) from None


@lru_cache(maxsize=8)
def _parsed(path: Path, changed: int) -> LearnedFile:
    try:
        return LearnedFile.model_validate(parse_json(read_bounded(path, MAX_FILE_BYTES)))
    except ValidationError as error:
        raise InputError(f"{path} has no learned people: {first_problem(error)}") from None
    except ValueError as error:
        raise InputError(f"{path} has no learned people: {error}") from None


def numbers_of(file: LearnedFile) -> LearnedPeople:
    """Return the numbers of a file as arrays. Raise `InputError` for lists of unequal length."""
    try:
        return LearnedPeople(
            tuple(tuple(np.asarray(part, dtype=np.float64) for part in network) for network in file.networks),
            {kind: tuple(np.asarray(part, dtype=np.float64) for part in parts) for kind, parts in file.points.items()},
            tuple(file.type_shares),
            tuple(tuple(np.asarray(arm, dtype=np.float64) for arm in tables) for tables in file.type_tables),
            {name: tuple(values) for name, values in file.values.items()},
        )
    except (TypeError, ValueError):
        raise InputError(f"the file of learned people of {file.study} has lists of unequal length") from None


Make: TypeAlias = Callable[[LearnedPeople, bool], RowStrategy]
"""A function of the numbers and of whether types play, which returns the strategy."""


def learned_entry(text: str, game: str, make: Make) -> StrategyEntry:
    """Return the player that the text after the colon names: NAME or FILE.json, and `:types` for the fitted types in
    place of the network."""
    name, colon, variant = text.partition(":")
    if colon and variant != TYPES:
        raise InputError(f"{SHORT_FAMILY}:{clean(text)}: write {SHORT_FAMILY}:NAME or {SHORT_FAMILY}:NAME:{TYPES}")
    file = read_learned(path_of(name))
    if file.game != game:
        raise InputError(f"{path_of(name)} has learned people of the game {clean(file.game)}, not of {game}")
    of_types = variant == TYPES
    kind = "fitted types" if of_types else "a network"
    description = f"learned people, not people: {kind} fitted on the decisions of {file.study} ({clean(file.source)})"
    rows = make(numbers_of(file), of_types)
    return StrategyEntry(f"{FAMILY}:{text}", description, None, rows, __name__, "LearnedPeople")


def learned_families(where: str) -> list[StrategyEntry]:
    """Return the families by which learned people are named. `where` is the import path of the function that returns a
    member; it is imported when a member is named."""
    texts = {
        SHORT_FAMILY: "people:STUDY plays as learned people, by the file STUDY.people.json of 'ostrom train-people'; "
        "people:STUDY:types plays the types that were fitted to the study",
        FAMILY: "learned-people:STUDY is the full name of people:STUDY, as results have it",
    }
    return [family_of(name, text, partial(_member, where)) for name, text in texts.items()]


def _member(where: str, text: str) -> StrategyEntry:
    entry: StrategyEntry = imported(where)(text)
    return entry
