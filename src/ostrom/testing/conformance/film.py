"""The check that the film kit draws a game."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostrom.testing.conformance.case import Case, Check


def check_film(case: Case) -> Iterator[str]:
    """One picture of the game can be drawn."""
    yield from ()


FILM_CHECKS: Final[Mapping[str, Check]] = {"film": check_film}
