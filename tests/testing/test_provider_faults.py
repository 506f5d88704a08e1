"""Every fault has the documented response, and the account counts it."""

import http.client
import json
from pathlib import Path

import pytest
from provider_client import Heard, chat, post, tags_in, wait_until_in_flight

from ostrom.core import InputError
from ostrom.testing.provider import FAULTS, FINAL, FaultPlan, Provider, ProviderSettings, every_fault
from ostrom.testing.provider.__main__ import parser, settings_of

FORMS = ("native", "tool", "prompted", "tags")


def ask_with(fault: str, form: str = "native", words: str = "question") -> Heard:
    with Provider(faults={fault: 1.0}, retry_after=2.5) as provider:
        heard = post(provider.base_url, chat(words, form))
        assert provider.account()["faults"] == {fault: 1}
        return heard


@pytest.mark.parametrize("fault", ["400", "401", "404", "429", "429_bare", "500", "503"])
def test_error_statuses(fault: str) -> None:
    heard = ask_with(fault)
    assert heard.status == int(fault[:3])
    assert heard.body["error"]["message"]
    assert heard.headers.get("retry-after") == ("2.5" if fault == "429" else None)
    assert ("sk-secret" in heard.body["error"]["message"]) == (fault == "401")


@pytest.mark.parametrize("fault", ["hang", "trickle"])
def test_an_endless_reply_never_completes(fault: str) -> None:
    with Provider(faults={fault: 1.0}, trickle=0.01) as provider:
        connection = http.client.HTTPConnection(provider.base_url.split("/")[2], timeout=600)
        connection.request("POST", "/v1/chat/completions", json.dumps(chat("x")))
        if fault == "hang":
            wait_until_in_flight(provider, 1)
            connection.sock.settimeout(0.2)
            with pytest.raises(TimeoutError):
                connection.getresponse()
        else:
            response = connection.getresponse()
            assert [response.read(1) for _ in range(50)] == [b" "] * 50
        assert provider.account()["faults"] == {}
        assert provider.account()["in_flight"] == 1
        connection.close()
        if fault == "trickle":
            response.close()
        wait_until_in_flight(provider, 0)
        assert provider.account()["faults"] == {fault: 1}


def test_a_dropped_connection_ends_within_the_body() -> None:
    with Provider(faults={"drop": 1.0}) as provider:
        with pytest.raises(http.client.IncompleteRead) as caught:
            post(provider.base_url, chat("x"))
        assert caught.value.partial
        assert provider.account()["faults"] == {"drop": 1}


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_reply(form: str) -> None:
    heard = ask_with("empty", form)
    assert heard.message["content"] == ""
    assert "tool_calls" not in heard.message
    assert heard.finish_reason == "stop"


@pytest.mark.parametrize("fault", ["half_json", "length"])
@pytest.mark.parametrize("form", FORMS)
def test_half_an_answer(form: str, fault: str) -> None:
    heard = ask_with(fault, form)
    assert heard.text
    if form == "tags":
        assert "punish" not in tags_in(heard.text)
    else:
        with pytest.raises(ValueError, match="char"):
            json.loads(heard.text)
    assert (heard.finish_reason == "length") == (fault == "length")


@pytest.mark.parametrize("form", FORMS)
def test_prose_surrounds_the_regular_answer(form: str) -> None:
    with Provider() as provider:
        plain = post(provider.base_url, chat("question", form))
    heard = ask_with("prose", form)
    if form == "tool":
        assert heard.text == plain.text
        assert heard.message["content"]
    elif form == "tags":
        assert tags_in(heard.text) == tags_in(plain.text)
        assert not heard.text.startswith("<")
    else:
        before, after = heard.text.rsplit(plain.text, 1)
        assert "{" in before
        assert "{" not in after


@pytest.mark.parametrize("form", FORMS)
def test_illegal_answers(form: str) -> None:
    parse = tags_in if form == "tags" else json.loads
    assert int(parse(ask_with("illegal", form).text)["contribution"]) > 20
    assert str(parse(ask_with("nan", form).text)["contribution"]).lower() == "nan"
    assert parse(ask_with("wrong_seat", form).text)["vote"] == "P99"


@pytest.mark.parametrize("form", FORMS)
def test_refusals(form: str) -> None:
    declined = ask_with("refusal", form)
    assert declined.message["content"] is None
    assert declined.message["refusal"]
    filtered = ask_with("filtered", form)
    assert filtered.finish_reason == "content_filter"
    assert filtered.message["content"] is None


@pytest.mark.parametrize("form", FORMS)
def test_a_million_characters(form: str) -> None:
    heard = ask_with("long", form)
    assert len(heard.message["content"]) >= 1_000_000
    assert not set(heard.message["content"]) & set("<>{}0123456789")
    assert heard.body["usage"]["completion_tokens"] >= 250_000


MESSAGE = {"type": "object", "properties": {"message": {"type": "string"}}}


@pytest.mark.parametrize("fault", ["wrong_seat", "illegal", "nan"])
def test_a_fault_that_does_not_apply_is_counted_as_its_replacement(fault: str) -> None:
    with Provider(faults={fault: 1.0}) as provider:
        post(provider.base_url, chat("x", schema=MESSAGE))
        post(provider.base_url, chat("x", "free"))
        assert provider.account()["faults"] == {"half_json": 1, "empty": 1}


def test_an_amount_is_illegal_if_there_is_no_label() -> None:
    schema = {"type": "object", "properties": {"contribution": {"type": "integer", "minimum": 0, "maximum": 20}}}
    with Provider(faults={"wrong_seat": 1.0}) as provider:
        assert json.loads(post(provider.base_url, chat("x", schema=schema)).text)["contribution"] > 20
        assert provider.account()["faults"] == {"illegal": 1}


def test_a_cycle_brings_every_fault_in_turn() -> None:
    plan = FaultPlan(ProviderSettings(faults=every_fault(0.5), cycle=True))
    planned = [plan.fault(number, "m", None) for number in range(2 * 2 * 17)]
    faults = [fault for fault in planned if fault is not None]
    assert faults == [name for name in FAULTS if name not in FINAL] * 2


def test_faults_have_the_frequencies_of_their_shares() -> None:
    settings = ProviderSettings(faults={"429": 0.2, "500": 0.1}, seed=3)
    plan = FaultPlan(settings)
    faults = [plan.fault(number, "m", None) for number in range(10_000)]
    assert faults.count("429") == pytest.approx(2000, abs=200)
    assert faults.count("500") == pytest.approx(1000, abs=150)
    assert faults == [FaultPlan(settings).fault(number, "m", None) for number in range(10_000)]


def test_a_draw_by_reference_does_not_depend_on_the_order() -> None:
    plan = FaultPlan(ProviderSettings(faults={"500": 0.5}, draw_by="reference"))
    first = [plan.fault(number, "m", f"game/{number}") for number in range(50)]
    assert first == [plan.fault(999, "m", f"game/{number}") for number in range(50)]


def test_one_model_fails_and_others_do_not() -> None:
    with Provider(model_faults={"b": {"500": 1.0}}) as provider:
        assert post(provider.base_url, chat("x", model="a")).status == 200
        assert post(provider.base_url, chat("x", model="b")).status == 500
        account = provider.account()
    charged = [account["models"][name].pop("charged")["calls"] for name in ("a", "b")]
    assert charged == [1, 0], "a failure costs nothing"
    assert account["models"]["a"] == {"requests": 1, "answered": 1, "faults": {}, "abandoned": 0}
    assert account["models"]["b"] == {"requests": 1, "answered": 0, "faults": {"500": 1}, "abandoned": 0}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fault", "430=0.1"], "no fault called '430'"),
        (["--fault", "429"], "--fault 429 must end in"),
        (["--fault", "429=2"], "from 0 to 1"),
        (["--fault", "429=0.6", "--fault", "500=0.6"], "must sum to at most 1, got 1.2"),
        (["--fault-model", "b"], "must be MODEL=NAME:SHARE"),
        (["--delay", "-1"], "delay must be"),
    ],
)
def test_invalid_options_are_refused(arguments: list[str], words: str) -> None:
    options = parser().parse_args(arguments)
    with pytest.raises(InputError, match=words):
        settings_of(options)


def test_options_become_settings(tmp_path: Path) -> None:
    arguments = f"--delay 0.2 --fault 429=0.05 --fault-model a=b=500:1.0 --models a,b --log {tmp_path / 'log'} --seed 7"
    settings = settings_of(parser().parse_args(arguments.split()))
    assert settings.faults == {"429": 0.05}
    assert settings.model_faults == {"a=b": {"500": 1.0}}
    assert settings.models == ("a", "b")
    assert settings.seed == 7
