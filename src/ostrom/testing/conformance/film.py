"""The check that the film kit draws a game."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostrom.charts.film.cast import Cast
from ostrom.charts.film.film import plan_story
from ostrom.core import Seat
from ostrom.testing.conformance.case import Case, Check


def check_film(case: Case) -> Iterator[str]:
    """A picture of the beginning, of the middle and of the end can be drawn."""
    labels = tuple(Seat(index).label for index in range(case.seats))
    film = plan_story(case.story, Cast(labels, labels))
    moments = list(film.timeline.moments(1))
    if not moments:
        yield "the film has no picture"
        return
    for moment in (moments[0], moments[len(moments) // 2], moments[-1]):
        picture = film.draw(moment)
        if picture.getextrema() == ((0, 0),) * len(picture.getbands()):
            yield "a picture of the film is empty"


FILM_CHECKS: Final[Mapping[str, Check]] = {"film": check_film}
