"""One call over real HTTP: what goes out in each form, what comes back, and which fault each failure is."""

import asyncio
import gzip
import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from wire_server import CERTIFICATE, called, chat, http, serving

from ostrom.core import Fault, Line, Usage
from ostrom.players.base import REFUSAL, Unanswered
from ostrom.players.models import transport
from ostrom.players.models.bots import Bot, Price
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import allow, trusted

SCHEMA = {
    "type": "object",
    "properties": {"contribution": {"type": "integer", "minimum": 0, "maximum": 20}},
    "required": ["contribution"],
    "additionalProperties": False,
}
PROMPT = (
    Line("system", "You play a game."),
    Line("user", "How much?"),
    Line("assistant", "ten"),
    Line("user", "A number, please."),
)


def talk(*answers, schema=SCHEMA, reference="g-3.17/2/contribution/P4/1", grammar=None, calls=1, **fields):
    """Send the prompt to a server that gives `answers`; the last reply, and what the server was asked."""

    async def main():
        async with serving(*answers) as server:
            bot = Bot(name="b", model="tiny", base_url=server.url, **fields)
            if bot.key_env is not None:
                allow(bot.key_env, server.url)
            try:
                for _ in range(calls):
                    reply = await connect(bot).send(PROMPT, schema, reference, grammar)
                return reply, server.asked
            except Unanswered as error:
                return error, server.asked
            finally:
                await transport.close_connections()

    return asyncio.run(main())


def fault(*answers, **fields):
    error, asked = talk(*answers, **fields)
    assert isinstance(error, Unanswered), error
    assert len(asked) == 1, "a call is made once"
    assert error.reason == str(error)
    assert "\n" not in error.reason
    assert 0 < len(error.reason) <= 500
    return error


def test_a_conversation_arrives_as_it_was_written():
    reply, (asked,) = talk(chat())
    assert asked.path == "/v1/chat/completions"
    assert [(m["role"], m["content"]) for m in asked.body["messages"]] == [(line.role, line.text) for line in PROMPT]
    assert asked.headers["x-client-request-id"] == "g-3.17/2/contribution/P4/1"
    assert asked.body["model"] == "tiny"
    assert asked.body["temperature"] == 0.3
    assert asked.body["max_tokens"] == 8192
    assert not asked.body.get("stream")
    assert reply.text == "fine"


def test_a_reference_of_any_letters_fits_a_header():
    _, (asked,) = talk(chat(), reference="é\n/1")
    assert asked.headers["x-client-request-id"] == "%C3%A9%0A/1"


def test_half_a_character_does_not_stop_a_call():
    async def main():
        async with serving(chat()) as server:
            bot = Bot(name="b", model="tiny", base_url=server.url)
            await connect(bot).send((Line("user", "h\ud800é {{x}} \x00"),), None, "r")
            await transport.close_connections()
            return server.asked

    (asked,) = asyncio.run(main())
    assert asked.body["messages"][0]["content"] == "h?é {{x}} \x00"


def test_native_sends_the_schema():
    reply, (asked,) = talk(chat('{"contribution": 7}'))
    given = asked.body["response_format"]
    assert given["type"] == "json_schema"
    assert given["json_schema"]["name"] == "answer"
    assert given["json_schema"]["schema"]["properties"]["contribution"]["type"] == "integer"
    assert "tools" not in asked.body
    assert reply.text == '{"contribution": 7}'


def test_tool_forces_the_one_tool():
    reply, (asked,) = talk(called('{"contribution": 7'), form="tool")
    assert [tool["function"]["name"] for tool in asked.body["tools"]] == ["answer"]
    assert asked.body["tools"][0]["function"]["parameters"]["properties"]["contribution"]["type"] == "integer"
    assert asked.body["tool_choice"] in ("required", {"type": "function", "function": {"name": "answer"}})
    assert "response_format" not in asked.body
    assert reply.text == '{"contribution": 7', "raw, even where it is no JSON"
    assert reply.finish_reason == "tool_calls"


def test_text_in_place_of_a_tool_call_is_handed_on():
    reply, _ = talk(chat("I would give seven."), form="tool")
    assert reply.text == "I would give seven."


@pytest.mark.parametrize("form", ["prompted", "tags"])
def test_plain_text_sends_no_schema(form):
    reply, (asked,) = talk(chat("<contribution>7</contribution>"), schema=None, form=form)
    assert not {"response_format", "tools", "tool_choice", "grammar"} & set(asked.body)
    assert reply.text == "<contribution>7</contribution>"


def test_a_grammar_goes_along():
    _, (asked,) = talk(chat("x"), schema=None, form="tags", grammar='root ::= "x"')
    assert asked.body["grammar"] == 'root ::= "x"'


def test_the_reply_says_what_was_used_and_done():
    reply, _ = talk(chat("7", finish="length"), price=Price(input=1, output=10))
    assert reply.usage == Usage(120, 20)
    assert reply.cost == pytest.approx((120 + 200) / 1e6)
    assert reply.finish_reason == "length"
    assert reply.effective["model"] == "tiny-2"
    assert reply.effective["id"] == "chatcmpl-7"
    assert reply.effective["settings"] == {"max_tokens": 8192, "temperature": 0.3}


def test_what_a_provider_does_not_say_is_not_free():
    reply, _ = talk(chat("7", usage=None), price=Price(input=1, output=10))
    assert reply.cost is None
    assert reply.extra["usage"] == "not given"


def test_no_price_no_cost():
    reply, _ = talk(chat("7"))
    assert reply.cost is None


def test_reasoning_is_kept_apart():
    reply, (asked,) = talk(chat("7", reasoning_content="Seven is fair."), reasoning="low")
    assert reply.text == "7"
    assert reply.extra["reasoning"] == "Seven is fair."
    assert asked.body["reasoning_effort"] == "low"
    assert reply.effective["settings"]["reasoning_effort"] == "low"


def test_an_empty_reply_is_still_a_reply():
    assert talk(chat(""))[0].text == ""
    assert talk(chat(None))[0].text == ""


BODY = {"error": {"message": "so it is", "type": "some", "code": None}}


STATUSES = {
    "rate_limited": (429,),
    "server_error": (500, 502, 503, 504, 529, 408, 409, 425),
    "denied": (401, 402, 403, 404),
    "rejected": (400, 413, 422, 451),
}


@pytest.mark.parametrize(
    ("status", "expected"), [(status, name) for name, statuses in STATUSES.items() for status in statuses]
)
def test_each_status_is_a_fault(status, expected):
    error = fault(http(status, BODY))
    assert error.fault == Fault(expected)
    assert error.reason == f"HTTP {status}: so it is"
    # Whoever says that it is overloaded did nothing that it could charge for.
    assert error.sent == (status not in (503, 529))
    assert error.reply is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7),
        ({"retry_after": "0.25"}, 0.25),
        ({"retry_after_ms": "40", "retry_after": "1"}, 0.04),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "inf"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_is_asked_for(headers, seconds):
    assert fault(http(429, BODY, **headers)).retry_after == seconds


def test_the_wait_may_be_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    waiting = fault(http(429, BODY, retry_after=date)).retry_after
    assert waiting is not None
    assert 50 < waiting <= 60
    past = format_datetime(datetime.now(UTC) - timedelta(seconds=60), usegmt=True)
    assert fault(http(503, BODY, retry_after=past)).retry_after == 0


def test_spent_credit_is_no_matter_of_waiting():
    body = {"error": {"message": "no credit", "type": "insufficient_quota", "code": "insufficient_quota"}}
    assert fault(http(429, body)).fault == Fault.DENIED


def test_a_filter_before_the_model_refuses():
    body = {"error": {"message": "not this", "type": "invalid_request_error", "code": "content_filter"}}
    assert fault(http(400, body)).fault == Fault.REFUSED


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (chat(None, refusal="I would rather not."), "I would rather not."),
        (chat("", finish="content_filter"), "a content filter blocked the reply"),
    ],
    ids=["refusal", "filter"],
)
def test_a_refusal_is_a_reply_that_says_so_and_was_paid_for(answer, words):
    reply, _ = talk(answer)
    assert reply.extra[REFUSAL] == words
    assert reply.usage.tokens > 0


PROTOCOL = {
    "prose": http(200, b"Hello there", content_type="text/plain"),
    "prose as JSON": http(200, b"Hello there"),
    "half JSON": http(200, b'{"id": "x", "choices": ['),
    "nothing": http(200, b""),
    "no choices": http(200, {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}),
    "null choices": http(200, {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": None}),
    "another object": http(200, {"hello": "there"}),
    "a list": http(200, [1, 2]),
    "a number": http(200, 7),
    "null": http(200, b"null"),
    "a wrong type": http(200, {"id": "x", "model": "m", "created": 1, "choices": [{"message": 7}]}),
    "not UTF-8": http(200, b'{"id": "\xff\xfe"}'),
    "an error page": http(200, b"<html>busy</html>", content_type="text/html"),
}


@pytest.mark.parametrize("what", PROTOCOL)
def test_a_reply_that_breaks_the_protocol_was_paid_for_and_is_no_outage(what):
    error = fault(PROTOCOL[what])
    assert error.fault == Fault.MALFORMED
    assert error.sent
    assert error.reply is not None
    assert (error.reply.usage, error.reply.cost) == (Usage(), None)
    body = PROTOCOL[what].partition(b"\r\n\r\n")[2].decode("utf-8", "replace")
    assert error.reply.extra["body"] == " ".join(body.split())


USED = b'"usage": {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}'
GOOD = (
    b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, "finish_reason": '
)
GOOD += b'"stop", "message": {"role": "assistant", "content": "fine"}}], ' + USED + b"}"
UNREADABLE = {
    "an id of null": GOOD.replace(b'"x"', b"null"),
    "a footer": GOOD + b"\n-- served by proxy 7",
    "half a surrogate": GOOD.replace(b'"fine"', b'"\\ud800"'),
    "an event stream": b"data: " + GOOD + b"\n\ndata: [DONE]\n\n",
    "a list around it": b"[" + GOOD + b"]",
    "a key twice": GOOD.replace(b'"choices"', b'"choices": 7, "choices": 8, "was"'),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_counts_by_the_usage_that_it_states(what):
    error = fault(http(200, UNREADABLE[what]), price=Price(input=1.0, output=2.0))
    assert error.fault == Fault.MALFORMED
    assert error.reply.usage == Usage(120, 30)
    assert error.reply.cost == pytest.approx(180e-6)
    assert "usage" in error.reply.extra["body"]


def test_the_body_that_is_kept_holds_no_key_and_is_cut(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "a-very-secret-value")
    error = fault(http(200, b"a-very-secret-value " * 5 + b"x" * 2_000_000), key_env="SOME_API_KEY")
    assert "secret" not in error.reply.extra["body"]
    assert 0 < len(error.reply.extra["body"]) <= 4000


IMPOSSIBLE = {
    "2**63-1": (2**63 - 1, 5),
    "10**30": (10**30, 5),
    "two billion": (2_000_000_000, 5),
    "negative": (-5, 5),
    "negative output": (120, -5),
    "no input": (0, 5),
    "a float": (120.5, 5),
    "a text": ("many", 5),
    "true": (True, 5),
    "null": (None, 5),
    "a list": ([1], 5),
    "5,000 digits": (10**4000, 5),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_a_usage_that_cannot_be_is_no_usage(what):
    given, taken = IMPOSSIBLE[what]
    body = GOOD.replace(USED, b'"usage": {"prompt_tokens": %s, "completion_tokens": %s, "total_tokens": 1}')
    found, _ = talk(http(200, body % (json.dumps(given).encode(), json.dumps(taken).encode())))
    reply = found.reply if isinstance(found, Unanswered) else found
    assert (reply.usage, reply.cost) == (Usage(), None)


def test_what_a_server_tells_back_of_another_bots_key_is_not_kept(monkeypatch):
    """It can have heard it from both."""
    keys = {"ONE_ENTRY": "wJalrXUtnFEMI-of-the-one", "TWO_ENTRY": "sesame-open-of-the-other"}
    for name, key in keys.items():
        monkeypatch.setenv(name, key)
    answers = [chat(f"it is {key}", finish=key) for key in keys.values()]
    talk(answers[0], schema=None, key_env="ONE_ENTRY")
    for answer in answers:
        reply, _ = talk(answer, schema=None, key_env="TWO_ENTRY")
        assert (reply.text, reply.finish_reason) == ("it is [key]", "[key]")


def chunked(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    head = head.replace(b"content-length: %d" % len(body), b"transfer-encoding: chunked")
    return head + b"\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


TOO_MUCH = {
    "two replies": (chat("one"), chat("surplus")),
    "two in chunks": (chunked(chat("one")), chunked(chat("surplus"))),
    "a reply and the head of one": (chat("one"), chat("surplus").partition(b"\r\n\r\n")[0]),
    "a reply and one letter": (chat("one"), b"H"),
    "an error and a reply": (http(500, b"{}"), chat("surplus")),
    "a redirection and a reply": (http(307, b"", location="https://elsewhere.invalid/"), chat("surplus")),
}


@pytest.fixture(params=["in the clear", "over TLS"])
def tls(request, monkeypatch):
    if request.param == "in the clear":
        yield False
        return
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    trusted.cache_clear()
    yield True
    trusted.cache_clear()


@pytest.mark.parametrize("pause", [None, 0.0, 0.05], ids=["in one piece", "at once", "later"])
@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_a_server_sends_beyond_a_reply_is_nobodys_answer(what, pause, tls):
    """The connection would be used again, and what is left on it taken for the answer to the next question."""
    first, rest = TOO_MUCH[what]
    answer = first + rest if pause is None else (first, rest) if pause == 0 else first

    async def main():
        async with serving(answer, chat("two"), chat("three"), tls=tls) as server:
            server.later = {1: (pause, rest)} if pause else {}
            said = []
            for name in ("a", "b", "c"):
                try:
                    bot = Bot(name=name, model="tiny", base_url=server.url)
                    said.append((await connect(bot).send(PROMPT, None, "r")).text)
                except Unanswered as error:
                    said.append(error.fault)
                await asyncio.sleep(2 * (pause or 0))
            await transport.close_connections()
            return said

    said = asyncio.run(main())
    assert said[0] in ("one", Fault.SERVER_ERROR, Fault.DENIED)
    assert said[1:] == ["two", "three"]


@pytest.mark.parametrize("form", [bytes, chunked], ids=["with a length", "in chunks"])
def test_a_connection_is_kept_for_the_next_call(form, tls):
    async def main():
        async with serving(form(chat()), tls=tls) as server:
            for name in ("a", "b", "c"):
                await connect(Bot(name=name, model="tiny", base_url=server.url)).send(PROMPT, None, "r")
            await transport.close_connections()
            return len(server.asked), server.connections

    assert asyncio.run(main()) == (3, 1)


def test_an_error_that_states_a_usage_was_paid_for():
    error = fault(http(500, b'{"error": {"message": "too late"}, ' + USED + b"}"), price=Price(input=1.0, output=2.0))
    assert (error.fault, error.reply.usage) == (Fault.SERVER_ERROR, Usage(120, 30))


def test_a_dropped_connection_was_sent():
    error = fault(None)
    assert error.fault == Fault.DROPPED
    assert error.sent
    half = http(200, b'{"id":').replace(b"content-length: 6", b"content-length: 600\r\nconnection: close")
    assert fault(half).fault == Fault.DROPPED


def test_a_connection_that_is_refused_was_not_sent():
    with socket.socket() as held:  # bound but not listening
        held.bind(("127.0.0.1", 0))
        bot = Bot(name="b", model="tiny", base_url=f"http://127.0.0.1:{held.getsockname()[1]}/v1")
        error = asyncio.run(_unsent(bot))
    assert error.fault == Fault.DROPPED
    assert not error.sent
    error = asyncio.run(_unsent(Bot(name="b", model="tiny", base_url="http://no-such-host.invalid/v1")))
    assert error.fault == Fault.DROPPED
    assert not error.sent


async def _unsent(bot):
    try:
        with pytest.raises(Unanswered) as caught:
            await connect(bot).send(PROMPT, SCHEMA, "r")
        return caught.value
    finally:
        await transport.close_connections()


def test_a_cancellation_passes_through():
    async def main():
        async with serving(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n") as server:  # and then nothing
            bot = Bot(name="b", model="tiny", base_url=server.url)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await connect(bot).send(PROMPT, SCHEMA, "r")
            await transport.close_connections()

    asyncio.run(main())


def test_a_reply_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(transport, "MAX_REPLY_BYTES", 100_000)
    long = chat("x" * 200_000)
    packed = gzip.compress(long.split(b"\r\n\r\n", 1)[1])
    assert len(packed) < 100_000
    for answer in (long, http(200, packed, content_encoding="gzip")):
        error = fault(answer)
        assert error.fault == Fault.MALFORMED
        assert "longer than" in error.reason


def test_a_packed_or_chunked_reply_is_read_whole():
    content = chat("seven").split(b"\r\n\r\n", 1)[1]
    assert talk(http(200, gzip.compress(content), content_encoding="gzip"))[0].text == "seven"
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    assert talk(head + b"%x\r\n" % len(content) + content + b"\r\n0\r\n\r\n")[0].text == "seven"
    assert talk(chat("x" * 1_000_000))[0].text == "x" * 1_000_000


def test_many_calls_at_once_and_another_event_loop():
    async def main(bot, server):
        replies = await asyncio.gather(*(connect(bot).send(PROMPT, SCHEMA, f"r/{i}") for i in range(100)))
        assert {reply.text for reply in replies} == {"fine"}
        assert {asked.headers["x-client-request-id"] for asked in server.asked} == {f"r/{i}" for i in range(100)}
        await transport.close_connections()
        assert (await connect(bot).send(PROMPT, SCHEMA, "again")).text == "fine"
        await transport.close_connections()

    async def serve():
        async with serving(chat()) as server:
            bot = Bot(name="b", model="tiny", base_url=server.url)
            await main(bot, server)

    for _ in range(2):
        asyncio.run(serve())


def test_bounds_hold_for_what_is_sent():
    bot = Bot(name="b", model="tiny", base_url="http://127.0.0.1:9/v1", max_tokens=50, price=Price(input=2, output=4))
    most_input, most_output, most_cost = connect(bot).bounds(PROMPT, SCHEMA)
    assert most_input > sum(len(line.text) for line in PROMPT) + len(str(SCHEMA))
    assert most_output == 50
    assert most_cost == pytest.approx((2 * most_input + 4 * 50) / 1e6)
    longer = connect(bot).bounds((*PROMPT, Line("user", "é" * 100)), SCHEMA)[0]
    assert longer >= most_input + 200


def test_the_wire_names_model_and_place():
    connection = connect(Bot(name="b", model="openai-chat:tiny", base_url="http://127.0.0.1:9/v1"))
    assert (connection.endpoint.model, connection.endpoint.provider, connection.endpoint.priced) == (
        "tiny@127.0.0.1:9",
        "127.0.0.1:9",
        False,
    )
    assert connection.form == "native"
    assert connection.requested == {
        "model": "openai-chat:tiny",
        "base_url": "http://127.0.0.1:9/v1",
        "form": "native",
        "temperature": 0.3,
        "max_tokens": 8192,
    }


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"choices": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001])
def test_a_reply_that_is_nested_too_deeply_is_malformed(body):
    with pytest.raises(transport.ReplyTooDeep):
        transport.check_nesting(body)
    transport.check_nesting(b"[]" * 1000)
    transport.check_nesting(b'{"text": "' + b"[" * 1000 + b'"}')
    error = fault(http(200, body))
    assert (error.fault, error.reason) == (Fault.MALFORMED, "the reply was nested too deeply")
