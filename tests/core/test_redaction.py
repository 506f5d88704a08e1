"""Keys are removed in every encoding, and nothing else is."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core.redaction import PLACEHOLDER, Redactor

KEY = 'wJalr/XUtn+FEMI"K7MDENG-bPxRfiCY_planted0'
WAYS = {
    "as it is": KEY,
    "in JSON": json.dumps({"said": KEY}),
    "in JSON within JSON": json.dumps(json.dumps({"said": KEY})),
    "with escapes for all": "".join(f"\\u{ord(each):04X}" for each in KEY),
    "with escapes for some": "".join(f"\\u{ord(each):04x}" if number % 3 else each for number, each in enumerate(KEY)),
    "in an address": quote(KEY, safe=""),
    "in an address, all of it": "".join(f"%{ord(each):02x}" for each in KEY),
    "in HTML": html.escape(KEY).replace("&quot;", "&#34;"),
    "in HTML, by name": html.escape(KEY),
    "in HTML, all of it": "".join(f"&#x{ord(each):x};" for each in KEY),
    "in hexadecimal digits": KEY.encode().hex(),
    "in large ones": KEY.encode().hex().upper(),
    "in base64": base64.b64encode(KEY.encode()).decode(),
    "in base64 for addresses": base64.urlsafe_b64encode(KEY.encode()).decode(),
    "in base64 after one byte": base64.b64encode(b":" + KEY.encode()).decode(),
    "in base64 among others": base64.b64encode(b"Bearer " + KEY.encode() + b"\n").decode(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_key_is_taken_out(way: str) -> None:
    found = Redactor([KEY])(f"before {WAYS[way]} after")
    assert PLACEHOLDER in found
    assert found.startswith("before ")
    assert found.endswith(" after")
    # At most the ends of base64, which stand for neighbours too, are left.
    assert len(found) < len("before  after") + len(PLACEHOLDER) + 32


def test_a_key_may_contain_an_escape_sequence() -> None:
    key = "open\\er&<of>the%41house's"
    for written in (html.escape(key), quote(key, safe="\\"), json.dumps(html.escape(key))):
        assert Redactor([key])(f"it is {written}, I see").count(PLACEHOLDER) == 1


def test_variables_named_like_keys_are_known_and_short_values_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "AWS_ACCESS_KEY_ID": "AKIAplanted",
        "PGPASSWORD": "open-sesame",
        "SOME_TOKEN": "none",
        "COLOUR": "reddish-brown",
    }.items():
        monkeypatch.setenv(name, value)
    assert Redactor()("AKIAplanted open-sesame none reddish-brown") == "[key] [key] none reddish-brown"


def test_names_and_values_of_data_are_redacted() -> None:
    data = {KEY: [KEY, {"a": (KEY, 1, None, 2.5, True)}]}
    assert Redactor([KEY]).data(data) == {PLACEHOLDER: [PLACEHOLDER, {"a": [PLACEHOLDER, 1, None, 2.5, True]}]}


@pytest.mark.slow
@given(st.text(max_size=300))
def test_text_without_a_key_is_unchanged(text: str) -> None:
    assert Redactor([KEY])(text) == text


def test_many_escapes_take_linear_time() -> None:
    """With a backtracking pattern this text would take hours."""
    text = "\\" * 200_000 + KEY[:-1]
    assert Redactor([KEY])(text) == text
