"""Errors that go from one process to another."""

import pickle

import pytest

from ostrom.core import InputError, OstromError, UnknownName
from ostrom.core.errors import PlayerFault


@pytest.mark.parametrize(
    "error",
    [UnknownName("game", "comons", ["commons"]), PlayerFault("m1 raised", turn=3), InputError("one line")],
    ids=lambda error: type(error).__name__,
)
def test_an_error_arrives_in_another_process_as_it_was_raised(error: OstromError) -> None:
    """Whatever its class takes to be made: what is lost on the way would hide the fault behind another."""
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert (str(arrived), vars(arrived)) == (str(error), vars(error))
