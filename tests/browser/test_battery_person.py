"""A person answers a task of the battery at the pages: one question after another, with progress, and again after a
stop."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from at_pages import run_with_people
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

PROTOCOL = """
[dictator]
pots = [10, 100]
repetitions = 1
controls = 1

[stag_hunt]
stags = [10]
hares = [0.5]
repetitions = 1
controls = 0
"""


def test_a_person_is_asked_the_battery(page: Page, pages: Path, tmp_path: Path) -> None:
    protocol = tmp_path / "short.toml"
    protocol.write_text(PROTOCOL)
    options = ("battery", "--subject", "human:p01", "--protocol", str(protocol), "--seed", "1")
    with run_with_people(tmp_path, pages, *options, command="bench") as session:
        page.goto(session.link())
        for number in range(1, 4):
            expect(page.get_by_test_id("strip")).to_contain_text(f"Question {number} of at most 4")
            expect(page.get_by_test_id("progress")).to_have_attribute("value", str(number - 1))
            page.get_by_role("spinbutton").or_(page.get_by_role("textbox")).first.fill("5")
            page.get_by_test_id("send").click()
        expect(page.get_by_test_id("strip")).to_contain_text("Question 4 of at most 4")
        expect(page.get_by_text("are not paid out")).to_be_visible()
        page.locator("fieldset").get_by_role("radio", name=re.compile("^[AB]\\b")).first.check()
        page.get_by_test_id("send").click()
        expect(page.get_by_test_id("notice")).to_contain_text("That was the last question")
        expect(page).not_to_have_title(re.compile("Dictator"))
    with Journal.open(session.store) as journal:
        records = [journal.record(row.id) for row in journal.games()]
    assert {record.seats[0].player for record in records} == {"human:p01"}
    assert sum(len(record.answers) for record in records) == 4
    assert all(answer.fault is None for record in records for answer in record.answers)
