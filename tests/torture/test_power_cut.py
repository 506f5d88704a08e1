"""What is called confirmed is on the disk: a power cut takes nothing of it, however slow a sync is."""

import pytest
from disk import Disk, check_confirmed

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("delay", [0, 5])
def test_a_power_cut_takes_nothing_that_was_confirmed(disk: Disk, delay: int) -> None:
    """Only what was synced is looked at: the rest may never have reached the disk."""
    ended = disk.run(delay=delay, at=300, how="kill")
    assert ended.status == -9
    assert ["decision", "a", "0"] in ended.confirmed
    check_confirmed(disk.synced / "journal.db", ended.confirmed)
