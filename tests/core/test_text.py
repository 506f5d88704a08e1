"""Numbers of things in words."""

import pytest

from ostrom.core.text import number_of


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1200, "1,200 games"), (-1, "-1 games")]
)
def test_one_alone_is_singular(number, said):
    assert number_of(number, "game") == said
