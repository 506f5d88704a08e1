"""`ostrom session FILE --rehearse` plays a whole session over HTTP, and says what its participants met."""

import shutil

import pytest
from commandline import document, ostrom

from services import missing

FILE = """
[session]
name = "small"
title = "Two people divide an amount"
participants = 4
[consent]
text = "Do you take part?"
[quiz]
questions = [{ name = "sum", text = "1 + 1?", type = "number", answer = 2, feedback = "Count." }]
[[games]]
name = "g1"
game = "ultimatum"
group = 2
[payment]
currency = "EUR"
participation = 5.0
rate = 0.1
"""


@pytest.mark.slow
@pytest.mark.parametrize("join", ["code", "links"])
def test_a_rehearsal_pays_everyone_and_meets_no_fault(tmp_path, join):
    file = tmp_path / "small.toml"
    file.write_text(FILE.replace("participants = 4", f'participants = 4\njoin = "{join}"'))
    found = document("session", file, "--rehearse", "--speed", 0, "--json")
    assert found["faults"] == []
    assert [person["outcome"] for person in found["participants"]] == ["done"] * 4
    assert all(person["quiz_wrong"] == 0 for person in found["participants"])
    paid = sum(float(person["payment"]) for person in found["participants"])
    assert paid == pytest.approx(found["payments"][0]["total"])
    assert 20 <= paid <= 40.04  # Two pairs divide at most 10 EUR each; each payment is rounded to cents.


def test_options_of_a_rehearsal_need_one(tmp_path):
    done = ostrom("session", "contributions", "--model", "test:x")
    assert done.returncode == 2
    assert "add --rehearse" in done.stderr


@pytest.mark.slow
def test_some_participants_of_a_rehearsal_use_browsers(tmp_path):
    if shutil.which("chromium-headless-shell") is None and shutil.which("chromium") is None:
        missing("Chromium is not installed: apt-get install chromium-headless-shell, or chromium")
    file = tmp_path / "small.toml"
    file.write_text(FILE)
    found = document("session", file, "--rehearse", "--speed", 0, "--browsers", 2, "--json")
    assert found["faults"] == []
    assert [person["outcome"] for person in found["participants"]] == ["done"] * 4
    assert ostrom("session", file, "--rehearse", "--browsers", 5).returncode == 2
