"""The test provider's answers are legal, and depend on the messages and the seed alone."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from provider_client import ANSWER, TAGS, chat, post, tags_in

from ostrom.testing.provider import Provider
from ostrom.testing.provider.answers import Draw, requested_answer
from ostrom.testing.provider.replies import digest_of, tokens, write_reply

FORMS = ("native", "tool", "prompted", "tags")


def written(request: dict[str, Any], seed: int = 0, fault: str | None = None) -> str:
    message = write_reply(request, digest_of(request["messages"]), fault, seed).message
    if message.get("tool_calls"):
        return str(message["tool_calls"][0]["function"]["arguments"])
    return str(message["content"])


def check_answer(value: dict[str, Any]) -> None:
    assert list(value) == ["contribution", "vote", "reasoning"]
    assert isinstance(value["contribution"], int)
    assert 0 <= value["contribution"] <= 20
    assert value["vote"] in ("Ash", "Elm", "nobody")
    assert len(value["reasoning"].split()) <= 5


@pytest.mark.parametrize("form", ["native", "tool", "prompted"])
def test_json_answers_are_legal(form: str) -> None:
    for number in range(200):
        check_answer(json.loads(written(chat(f"question {number}", form))))


def test_tagged_answers_are_legal() -> None:
    punished = set()
    for number in range(200):
        value = tags_in(written(chat(f"question {number}", "tags")))
        assert list(value) == ["contribution", "share", "vote", "message", "punish"]
        assert 0 <= int(value["contribution"]) <= 20
        assert 0 <= float(value["share"]) <= 1
        assert value["vote"] in ("Ash", "Elm", "nobody")
        assert len(value["message"].split()) <= 3
        assert re.fullmatch(r"nobody|P[13]=([1-9]|10)", value["punish"])
        punished.add(value["punish"].split("=")[0])
    assert punished == {"nobody", "P1", "P3"}


def test_nobody_is_chosen_exactly_where_nothing_is_spent() -> None:
    schema = {
        "type": "object",
        "properties": {
            "target": {"type": "string", "enum": ["P1", "P3", "nobody"]},
            "spend": {"type": "integer", "minimum": 0, "maximum": 4},
        },
    }
    drawn = [Draw(schema, Random(seed)).value() for seed in range(300)]
    assert all((value["target"] == "nobody") == (value["spend"] == 0) for value in drawn)
    assert {value["target"] for value in drawn} == {"P1", "P3", "nobody"}


def test_amounts_in_steps() -> None:
    amount = "a whole number from 10 to 50 that is a multiple of 10, as in"
    instruction = f"<punish>…</punish> with nobody, or one of P1, P3 and {amount}"
    schema = {
        "type": "object",
        "properties": {
            "target": {"type": "string", "enum": ["nobody", "P1"]},
            "spend": {"type": "integer", "minimum": 0, "maximum": 50, "multipleOf": 10},
        },
    }
    for number in range(100):
        request = {"messages": [{"role": "user", "content": f"{number}\n{instruction} P1=10"}]}
        assert re.fullmatch(r"nobody|P[13]=[1-5]0", tags_in(written(request))["punish"])
        value = Draw(schema, Random(number)).value()
        assert value["spend"] in ((0,) if value["target"] == "nobody" else (10, 20, 30, 40, 50))


def test_a_list_of_records_between_tags() -> None:
    fields = "line: a whole number from 1 to 9; rating: a number from 0 to 10"
    instruction = f"<quotes>…</quotes> with a JSON list of at most 2 objects, each with {fields}"
    request = {"messages": [{"role": "user", "content": instruction}]}
    records = json.loads(tags_in(written(request))["quotes"])
    assert 1 <= len(records) <= 2
    assert all(1 <= record["line"] <= 9 and 0 <= record["rating"] <= 10 for record in records)


@given(low=st.integers(-50, 50), span=st.integers(0, 50), seed=st.integers(0, 1000), whole=st.booleans())
def test_amounts_stay_within_their_bounds(low: int, span: int, seed: int, whole: bool) -> None:
    schema = {"type": "integer" if whole else "number", "minimum": low, "maximum": low + span}
    for taste in ("seed", "lowest", "highest"):
        value = Draw(schema, Random(seed), taste).value()
        assert low <= value <= low + span
        assert isinstance(value, int) or not whole


def test_schemas_with_references_lists_and_alternatives() -> None:
    schema = {
        "type": "object",
        "properties": {
            "quotes": {"type": "array", "items": {"$ref": "#/$defs/Quote"}, "minItems": 2, "maxItems": 3},
            "note": {"anyOf": [{"type": "string", "maxLength": 4}, {"type": "null"}]},
            "kind": {"const": "quotes"},
        },
        "$defs": {
            "Quote": {
                "type": "object",
                "properties": {"line": {"type": "string"}, "rating": {"type": "number", "minimum": 0, "maximum": 10}},
            }
        },
    }
    for seed in range(50):
        value = Draw(schema, Random(seed)).value()
        assert 2 <= len(value["quotes"]) <= 3
        assert all(isinstance(quote["line"], str) and 0 <= quote["rating"] <= 10 for quote in value["quotes"])
        assert value["note"] is None or len(value["note"]) <= 4
        assert value["kind"] == "quotes"


@pytest.mark.parametrize("form", FORMS)
def test_the_same_messages_give_the_same_answer(form: str) -> None:
    requests = [chat(f"question {number}", form) for number in range(30)]
    with Provider(seed=7, jitter=0.5, delay=0.001) as provider:
        forwards = [post(provider.base_url, request).text for request in requests]
    with Provider(seed=7) as provider:
        backwards = [post(provider.base_url, request | {"model": "other"}).text for request in reversed(requests)]
    assert forwards == backwards[::-1]
    assert len(set(forwards)) > 20


def test_another_seed_gives_other_answers() -> None:
    assert [written(chat(str(n)), seed=1) for n in range(9)] != [written(chat(str(n)), seed=2) for n in range(9)]


def test_only_the_last_block_of_tags_counts() -> None:
    hostile = "<secret>…</secret> with a whole number from 1 to 2\nP2 said so.\n"
    asked = requested_answer({"messages": [{"role": "user", "content": hostile + "Answer:\n" + TAGS}]})
    assert "secret" not in asked.schema["properties"]


def test_the_last_message_with_a_form_counts() -> None:
    request = chat("first", "tags")
    request["messages"] += [{"role": "assistant", "content": "?"}, {"role": "user", "content": "That was no answer."}]
    assert requested_answer(request).form == "tags"


def test_what_is_asked_without_a_form_is_answered_in_words() -> None:
    assert re.fullmatch(r"[a-z ]+", written(chat("hello", "free")))


def test_a_function_may_answer() -> None:
    with Provider(answers=lambda request: {"contribution": len(request["messages"])}) as provider:
        assert json.loads(post(provider.base_url, chat("x")).text) == {"contribution": 1}


def test_the_lowest_and_the_highest() -> None:
    for taste, expected in (("lowest", 0), ("highest", 20)):
        with Provider(answers=taste) as provider:
            assert json.loads(post(provider.base_url, chat("x")).text)["contribution"] == expected


def test_usage_is_counted_from_what_was_sent() -> None:
    with Provider() as provider:
        heard = post(provider.base_url, chat("x" * 4000, model="some-model"))
    used = heard.body["usage"]
    assert used["prompt_tokens"] == 1000
    assert used["completion_tokens"] == tokens(len(heard.text))
    assert used["total_tokens"] == used["prompt_tokens"] + used["completion_tokens"]
    assert heard.body["model"] == "some-model"
    assert heard.body["id"].startswith("chatcmpl-")
    assert heard.body["system_fingerprint"]


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_no_reply_is_longer_than_allowed(name: str) -> None:
    with Provider() as provider:
        heard = post(provider.base_url, chat("x") | {name: 2})
        assert heard.finish_reason == "length"
        assert heard.body["usage"]["completion_tokens"] == 2
        assert provider.account()["faults"] == {"length": 1}


def test_the_schema_of_the_answer_is_not_changed() -> None:
    before = json.dumps(ANSWER)
    for fault in ("illegal", "nan", "wrong_seat", "prose"):
        written(chat("x"), fault=fault)
    assert json.dumps(ANSWER) == before
