"""Every sanitiser is applied to every hostile text."""

import io
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hostile import TEXTS
from hypothesis import given
from hypothesis import strategies as st

import ostrom
from ostrom.core.outlets import TerminalStream, complain, for_spreadsheet, in_script, legible, make_legible

STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
JOINED = "\u200c\u200d"


def steering(text: str, allowed: str = "") -> set[str]:
    """Return the characters of a text that a terminal would interpret."""
    return {sign for sign in text if unicodedata.category(sign) in STEERING} - set(allowed)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_hostile_text_steers_a_terminal_or_hides_there(text: str) -> None:
    shown = legible(text)
    assert steering(shown) == set()
    assert not re.search("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u3164\u115f\u034f\ufffe\uffff]", shown)
    assert len(shown) <= 10_000
    assert legible(shown) == shown
    assert steering(legible(text, lines=True), "\n") == set()


@given(st.text())
def test_no_text_at_all_steers_a_terminal(text: str) -> None:
    shown = legible(text)
    assert steering(shown, JOINED) == set()
    assert legible(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Let’s give 10 × 2 — all of us.",
        "合作 Привет مرحبا",
        "👩‍👩‍👧‍👦 1️⃣ ❤️ 🏳️‍🌈",
        "می‌خواهم",
        "[bold]:smile:",
        "naïve e\u0301",
        "葛\U000e0100",
    ],
)
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert legible(text) == text


def test_a_joiner_between_latin_letters_is_spelled_out() -> None:
    assert legible("pay\u200dpal") == "pay\\u200dpal"
    assert legible("a\ufe0f\ufe0f") == "a\\ufe0f\\ufe0f"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_hostile_text_is_a_formula(text: str) -> None:
    cell = for_spreadsheet(text)
    assert text == "-3.5" or cell.lstrip()[:1] not in tuple("=+-@\uff1d\uff0b\uff0d\uff20")
    assert steering(cell, "\n") == set()


@pytest.mark.parametrize("number", ["-3.5", "+1", "-1e-05", "1,000", "-12%", "-.5", "0"])
def test_a_number_stays_a_number_in_a_cell(number: str) -> None:
    assert for_spreadsheet(number) == number


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_json_in_a_page_is_the_same_document_and_ends_no_element(text: str) -> None:
    document = in_script(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(document) == {text: text}
    assert not set("<>&\u2028\u2029") & set(document)


def test_every_text_of_a_chart_is_made_legible_keys_too() -> None:
    everything = list(TEXTS.values())
    made = json.dumps(make_legible({"data": [{text: [text, 1, None]} for text in everything]}), ensure_ascii=False)
    assert steering(made) == set()


def test_a_stream_lets_lines_pass_and_nothing_that_steers(capsys: pytest.CaptureFixture[str]) -> None:
    behind = io.StringIO()
    stream = TerminalStream(behind)
    for text in TEXTS.values():
        assert stream.write(text) == len(text)
    stream.writelines(["a\n", "\x1b]0;b\x07\n"])
    assert steering(behind.getvalue(), "\n") == set()
    assert behind.getvalue().endswith("a\n\\x1b]0;b\\x07\n")
    for text in TEXTS.values():
        complain(text)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == len(TEXTS)
    assert all(line.startswith("ostrom: ") and len(line) < 2_100 for line in said)
    assert steering("".join(said)) == set()


ONE_PLACE = {
    r"\bConsole\b": "terminal/sheets.py",
    r"\.write_csv\(": "charts/families.py",
    r"vl_convert\.vegalite_to": "charts/render.py",
    r"markup=True": "cli/demo.py",
}
"""Calls that bypass a sanitiser, and the only file that may use each."""


@pytest.mark.parametrize(("pattern", "place"), ONE_PLACE.items())
def test_each_outlet_is_used_in_one_file(pattern: str, place: str) -> None:
    sources = Path(ostrom.__file__).parent
    found = {str(path.relative_to(sources)) for path in sources.rglob("*.py") if re.search(pattern, path.read_text())}
    assert found == {place}
