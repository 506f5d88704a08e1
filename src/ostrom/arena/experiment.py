"""Plays many games of one experiment, one after another, and hands each on as soon as it is over."""

from collections.abc import Container, Iterable, Iterator

from ostrom.arena.fixtures import Fixture
from ostrom.arena.match import Match, play_match


def play_games(fixtures: Iterable[Fixture], done: Container[str] = ()) -> Iterator[tuple[str, Match]]:
    """Play every game; those whose key is in `done` were played before and are left out."""
    for fixture in fixtures:
        if fixture.key not in done:
            yield fixture.key, play_match(fixture.game, fixture.rules, fixture.contestants, fixture.chance)
