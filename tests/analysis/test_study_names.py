"""What a user calls a study."""

import pytest

from ostrom.analysis.study import study_called
from ostrom.core import InputError


def test_a_study_is_named_by_its_command_or_as_records_call_its_game():
    punish, battery = study_called("punish"), study_called("battery")
    assert study_called("contribute_punish") is punish
    assert study_called("public_goods").command == "public-goods"
    assert study_called("contribute_punish", [battery, punish]) is punish
    with pytest.raises(InputError, match="there is no study of 'chess'; it must be one of "):
        study_called("chess")
