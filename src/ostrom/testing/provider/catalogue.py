"""The catalogue of providers' behaviours: malformed bodies, impossible usages, unusual statuses and headers, and
replies that are cut off, slow or badly compressed. Each scenario is one line: its name, its behaviour, and its charge.
A provider with `catalogue=True` applies it to every call of the model with the scenario's name; `docs/testing.md` says
how to run your own client over all of them."""

import gzip
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from ostrom.testing.provider.delivery import Body, Document, Scenario, plain

_JSON: Final = ("Content-Type", "application/json")
_ERROR: Final = {"error": {"message": "something failed", "type": "server_error", "code": None}}


def _with(**parts: Any) -> Body:
    return lambda document: plain({**document, **parts})


def _without(*names: str) -> Body:
    return lambda document: plain({name: part for name, part in document.items() if name not in names})


def _choice(**parts: Any) -> Body:
    return lambda document: plain({**document, "choices": [{**document["choices"][0], **parts}]})


def _message(**parts: Any) -> Body:
    return lambda document: _choice(message={**document["choices"][0]["message"], **parts})(document)


def _usage(**parts: Any) -> Body:
    return lambda document: plain({**document, "usage": {**document["usage"], **parts}})


def _times(factor: int, *names: str) -> Body:

    def body(document: Document) -> bytes:
        usage: Mapping[str, int] = document["usage"]
        return _usage(**{name: factor * usage[name] for name in names})(document)

    return body


def _raw(text: bytes) -> Body:
    return lambda document: text


def _edit(change: Callable[[bytes], bytes]) -> Body:
    return lambda document: change(plain(document))


def _literal(name: str, literal: bytes) -> Body:
    """Return a function that replaces a number of the usage by a literal that `json` would not write."""
    return lambda document: _usage(**{name: "@"})(document).replace(b'"@"', literal)


@cache
def _packed_zeros() -> bytes:
    return gzip.compress(b"0" * 40_000_000)


def _bomb(document: Document) -> bytes:
    return _packed_zeros()


def _error(status: int, what: str, charges: Any = "nothing", **more: Any) -> Scenario:
    name = more.pop("name", f"status_{status}")
    return Scenario(name, what, charges, status, more.pop("body", _raw(json.dumps(_ERROR).encode())), **more)


_UNREADABLE: Final = (
    Scenario("id_null", "the id is null", body=_with(id=None)),
    Scenario("id_number", "the id is a number", body=_with(id=7)),
    Scenario("id_list", "the id is a list", body=_with(id=["x"])),
    Scenario("id_missing", "there is no id", body=_without("id")),
    Scenario("id_long", "the id has a million characters", body=_with(id="x" * 1_000_000)),
    Scenario("object_wrong", "another object type", body=_with(object="list")),
    Scenario("created_text", "the creation time is a word", body=_with(created="now")),
    Scenario("created_huge", "the creation time is 10**30", body=_with(created=10**30)),
    Scenario("created_null", "the creation time is null", body=_with(created=None)),
    Scenario("model_null", "the model is null", body=_with(model=None)),
    Scenario("model_number", "the model is a number", body=_with(model=4)),
    Scenario("model_other", "another model answers", body=_with(model="another-model")),
    Scenario("choices_null", "the choices are null", body=_with(choices=None)),
    Scenario("choices_empty", "there is no choice", body=_with(choices=[])),
    Scenario("choices_object", "the choices are an object", body=_with(choices={})),
    Scenario("choices_missing", "the choices are missing", body=_without("choices")),
    Scenario("choices_numbers", "the choices are numbers", body=_with(choices=[1, 2])),
    Scenario("choices_many", "there are a thousand choices", body=lambda d: _with(choices=d["choices"] * 1000)(d)),
    Scenario("choice_null", "the choice is null", body=_with(choices=[None])),
    Scenario("message_null", "the message is null", body=_choice(message=None)),
    Scenario("message_text", "the message is a text", body=_choice(message="fine")),
    Scenario("message_empty", "the message is empty", body=_choice(message={})),
    Scenario("content_null", "the text is null", body=_message(content=None, tool_calls=None)),
    Scenario("content_number", "the text is a number", body=_message(content=5)),
    Scenario("content_list", "the text is a list", body=_message(content=["a", "b"])),
    Scenario("content_object", "the text is an object", body=_message(content={"a": 1})),
    Scenario("content_control", "the text is control characters", body=_message(content="\x00\x1b[31m\x07\u2028")),
    Scenario("content_long", "the text has a million characters", body=_message(content="word " * 200_000)),
    Scenario("role_null", "the role is null", body=_message(role=None)),
    Scenario("role_user", "the role is the user's", body=_message(role="user")),
    Scenario("finish_unknown", "it finished for an unknown reason", body=_choice(finish_reason="tired")),
    Scenario("finish_number", "the reason why it finished is a number", body=_choice(finish_reason=3)),
    Scenario("finish_null", "it does not say why it finished", body=_choice(finish_reason=None)),
    Scenario("tool_calls_number", "the tool calls are a number", body=_message(tool_calls=7)),
    Scenario("tool_calls_empty", "a tool call without a name", body=_message(tool_calls=[{}])),
    Scenario("refusal_number", "the refusal is a number", body=_message(refusal=1)),
    Scenario("logprobs_text", "the probabilities are a text", body=_choice(logprobs="likely")),
    Scenario("footer", "a line after the JSON", body=_edit(lambda body: body + b"\n-- served by proxy 7")),
    Scenario("banner", "a line before the JSON", body=_edit(lambda body: b"OK 200\n" + body)),
    Scenario("byte_order_mark", "a byte order mark before the JSON", body=_edit(lambda body: b"\xef\xbb\xbf" + body)),
    Scenario("comment", "there is a comment in the JSON", body=_edit(lambda body: body[:1] + b"/* hi */" + body[1:])),
    Scenario("trailing_comma", "a trailing comma", body=_edit(lambda body: body[:-1] + b",}")),
    Scenario("single_quotes", "single quotation marks, as in Python", body=lambda d: str(d).encode()),
    Scenario("keys_twice", "every key occurs twice", body=_edit(lambda body: body[:-1] + b"," + body[1:])),
    Scenario("jsonp", "wrapped in a function call (JSONP)", body=_edit(lambda body: b"callback(" + body + b");")),
    Scenario("two_documents", "two JSON documents in one body", body=_edit(lambda body: body + body)),
    Scenario("in_a_list", "the reply is in a list", body=_edit(lambda body: b"[" + body + b"]")),
    Scenario("in_a_text", "the reply is a text of JSON", body=_edit(lambda body: json.dumps(body.decode()).encode())),
    Scenario("event_stream", "an event stream", body=_edit(lambda body: b"data: " + body + b"\n\ndata: [DONE]\n\n")),
    Scenario("event_stream_cut", "a stream that ends early", body=_edit(lambda body: b"data: " + body[: len(body) // 2])),
    Scenario("lines", "JSON lines", body=_edit(lambda body: body + b'\n{"done": true}\n')),
    Scenario("half_surrogate", "a lone surrogate in the text", body=_edit(lambda body: body.replace(b'"content": "', b'"content": "\\ud800', 1))),
    Scenario("half_surrogate_name", "a lone surrogate in the model's name", body=_edit(lambda body: body.replace(b'"model": "', b'"model": "\\udfff', 1))),
    Scenario("raw_newline", "an unescaped line break in a string", body=_edit(lambda body: body.replace(b'"content": "', b'"content": "\n', 1))),
    Scenario("nul", "a NUL in a string", body=_edit(lambda body: body.replace(b'"content": "', b'"content": "\\u0000', 1))),
    Scenario("latin_1", "the JSON is in Latin-1", body=_edit(lambda body: body.replace(b'"content": "', b'"content": "caf\xe9 ', 1))),
    Scenario("utf_16", "the JSON is in UTF-16", body=_edit(lambda body: body.decode().encode("utf-16"))),
    Scenario("bad_utf_8", "invalid UTF-8", body=_edit(lambda body: body.replace(b'"content": "', b'"content": "\xff\xfe\xc0\xaf', 1))),
)  # fmt: skip
_LOST: Final = (
    Scenario("empty_body", "the body is empty", "most", body=_raw(b"")),
    Scenario("blank_body", "the body is blank", "most", body=_raw(b" \n\t ")),
    Scenario("null_body", "the body is null", "most", body=_raw(b"null")),
    Scenario("number_body", "the body is a number", "most", body=_raw(b"7")),
    Scenario("text_body", "the body is a text", "most", body=_raw(b'"fine"')),
    Scenario("list_body", "the body is a list", "most", body=_raw(b"[]")),
    Scenario("object_body", "the body is an empty object", "most", body=_raw(b"{}")),
    Scenario("html", "an HTML page", "most", body=_raw(b"<html>busy</html>"), headers=(("Content-Type", "text/html"),)),
    Scenario("xml", "XML", "most", body=_raw(b"<?xml version='1.0'?><reply/>"), headers=(("Content-Type", "text/xml"),)),
    Scenario("words", "words", "most", body=_raw(b"Hello there"), headers=(("Content-Type", "text/plain"),)),
    Scenario("bytes", "bytes", "most", body=_raw(bytes(range(256)) * 40)),
    Scenario("half_json", "the JSON ends in the middle", "most", body=_edit(lambda body: body[: len(body) // 2])),
    Scenario("a_brace", "a single brace", "most", body=_raw(b"{")),
    Scenario("before_usage", "the JSON ends before the usage", "most", body=_edit(lambda body: body[: body.index(b'"usage"')])),
    Scenario("within_usage", "the JSON ends within the usage", "most", body=_edit(lambda body: body[: body.index(b'"completion_tokens"')])),
    Scenario("deep_lists", "lists a hundred thousand deep", "most", body=_raw(b"[" * 100_000 + b"]" * 100_000)),
    Scenario("deep_objects", "objects fifty thousand deep", "most", body=_raw(b'{"a":' * 50_000 + b"1" + b"}" * 50_000)),
    Scenario("deep_usage", "a usage ten thousand deep", "most", body=_raw(b'{"usage": ' * 10_000)),
    Scenario("many_keys", "a hundred thousand keys", "most", body=lambda d: plain({f"k{n}": n for n in range(100_000)})),
    Scenario("long_line", "two million characters in one line", "most", body=_raw(b'{"x": "' + b"a" * 2_000_000 + b'"}')),
    Scenario("long_number", "a number of 100,000 digits", "most", body=_raw(b'{"id": ' + b"9" * 100_000 + b"}")),
    Scenario("error_in_200", "an error with status 200", "most", body=_raw(json.dumps(_ERROR).encode())),
    Scenario("limit_in_200", "a limit of calls with status 200", "most", body=_raw(b'{"error": {"code": 429, "message": "slow down"}}')),
    Scenario("error_and_usage", "an error with status 200 and a usage", body=lambda d: plain({**_ERROR, "usage": d["usage"]})),
)  # fmt: skip
_USAGES: Final = (
    Scenario("usage_missing", "no usage", "most", body=_without("usage")),
    Scenario("usage_null", "the usage is null", "most", body=_with(usage=None)),
    Scenario("usage_empty", "the usage is empty", "most", body=_with(usage={})),
    Scenario("usage_list", "the usage is a list", "most", body=_with(usage=[1, 2])),
    Scenario("usage_text", "the usage is a text", "most", body=_with(usage="some")),
    Scenario("usage_number", "the usage is a number", "most", body=_with(usage=12)),
    Scenario("usage_zero", "the usage is zero", body=_usage(prompt_tokens=0, completion_tokens=0, total_tokens=0)),
    Scenario("usage_one", "the usage is one token", body=_usage(prompt_tokens=1, completion_tokens=1, total_tokens=2)),
    Scenario("usage_no_prompt", "the prompt has no tokens", body=_usage(prompt_tokens=0)),
    Scenario("usage_negative", "the usage is negative", body=_usage(prompt_tokens=-1000)),
    Scenario("usage_negative_reply", "the reply's usage is negative", body=_usage(completion_tokens=-1_000_000)),
    Scenario("usage_float", "the usage is a fraction", body=_usage(prompt_tokens=10.5)),
    Scenario("usage_whole_float", "the usage is written as 1.0", body=_usage(prompt_tokens=1.0)),
    Scenario("usage_nan", "the usage is NaN", body=_literal("prompt_tokens", b"NaN")),
    Scenario("usage_infinity", "the usage is infinite", body=_literal("prompt_tokens", b"Infinity")),
    Scenario("usage_1e400", "the usage is 1e400", body=_literal("prompt_tokens", b"1e400")),
    Scenario("usage_words", "the usage is in words", body=_usage(prompt_tokens="many")),
    Scenario("usage_digits", "the usage is a text of digits", body=_usage(prompt_tokens="12")),
    Scenario("usage_true", "the usage is true", body=_usage(prompt_tokens=True, completion_tokens=True)),
    Scenario("usage_nulls", "the figures are null", body=_usage(prompt_tokens=None, completion_tokens=None)),
    Scenario("usage_list_inside", "a figure is a list", body=_usage(prompt_tokens=[1])),
    Scenario("usage_total_only", "only the total", body=lambda d: _with(usage={"total_tokens": d["usage"]["total_tokens"]})(d)),
    Scenario("usage_prompt_only", "only the prompt's", body=lambda d: _with(usage={"prompt_tokens": d["usage"]["prompt_tokens"]})(d)),
    Scenario("usage_reply_only", "only the reply's", body=_with(usage={"completion_tokens": 1})),
    Scenario("usage_other_names", "the figures have other names", body=lambda d: _with(usage={"input_tokens": d["usage"]["prompt_tokens"], "output_tokens": d["usage"]["completion_tokens"]})(d)),
    Scenario("usage_cached_too_many", "more tokens come from the cache than the prompt has", body=_usage(prompt_tokens_details={"cached_tokens": 2**20})),
    Scenario("usage_elsewhere", "the usage has another name", body=lambda d: plain({**{k: v for k, v in d.items() if k != "usage"}, "x_usage": d["usage"]})),
    Scenario("usage_2_31", "2**31 tokens", body=_usage(prompt_tokens=2**31)),
    Scenario("usage_2_53", "2**53+1 tokens", body=_usage(prompt_tokens=2**53 + 1)),
    Scenario("usage_2_63_less_1", "2**63-1 tokens", body=_usage(prompt_tokens=2**63 - 1)),
    Scenario("usage_2_63", "2**63 tokens", body=_usage(completion_tokens=2**63)),
    Scenario("usage_2_64", "2**64 tokens", body=_usage(total_tokens=2**64, prompt_tokens=2**64)),
    Scenario("usage_10_30", "10**30 tokens", body=_usage(prompt_tokens=10**30)),
    Scenario("usage_4000_digits", "a number of 4,000 digits", body=_literal("prompt_tokens", b"9" * 4000)),
    Scenario("usage_5000_digits", "a number of 5,000 digits", body=_literal("prompt_tokens", b"9" * 5000)),
    Scenario("usage_twice", "a usage, and a smaller one", body=_edit(lambda body: body[:-1] + b', "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}')),
    Scenario("usage_details_huge", "details of 2**63-1 tokens", body=_usage(prompt_tokens_details={"cached_tokens": 2**63 - 1})),
    Scenario("usage_details_wrong", "details that are a text", body=_usage(completion_tokens_details="none")),
    Scenario("usage_cost_stated", "a cost of 10**300 dollars", body=_usage(cost=1e300)),
    Scenario("overcharges_prompt", "charges for a prompt a hundred times as long", "stated", body=_times(100, "prompt_tokens")),
    Scenario("overcharges_reply", "charges for more than the maximum length", "stated", body=_usage(completion_tokens=2_000_000)),
    Scenario("overcharges_unread", "overcharges in an unreadable reply", "stated", body=lambda d: _usage(completion_tokens=3_000_000)({**d, "id": None})),
)  # fmt: skip
_STATUSES: Final = (
    *(Scenario(f"status_{status}", "a complete reply with this status", status=status) for status in (201, 202, 203, 206)),
    Scenario("status_204", "no content", "most", 204, _raw(b"")),
    Scenario("status_299", "an unknown status", status=299),
    *(_error(status, "a redirect to the same URL", headers=(("Location", "/v1/chat/completions"), _JSON)) for status in (301, 302, 303, 307, 308)),
    _error(302, "a redirect to another host", name="redirect_host", headers=(("Location", "http://stranger.invalid/v1"), _JSON)),
    _error(307, "a redirect to an unknown scheme", name="redirect_scheme", headers=(("Location", "gopher://x"), _JSON)),
    _error(308, "a redirect without a location", name="redirect_nowhere"),
    _error(304, "not modified", body=_raw(b"")),
    *(_error(status, "rejected") for status in (400, 401, 402, 403, 404, 405, 406, 410, 413, 415, 418, 421, 422, 426, 429, 431, 451, 499)),
    *(_error(status, "rejected, with a request to retry") for status in (408, 409, 425)),
    *(_error(status, "overloaded or unsupported") for status in (501, 503, 505, 529)),
    *(_error(status, "failed after completion, with a charge", "most") for status in (500, 502, 504, 507, 508, 511, 520, 522, 524, 598, 599)),
    _error(500, "failed, with a stated usage", "usage", name="failed_with_usage", body=lambda d: plain({**_ERROR, "usage": d["usage"]})),
    _error(429, "too many calls, with a stated usage", "usage", name="limited_with_usage", body=lambda d: plain({**_ERROR, "usage": d["usage"]})),
    _error(500, "failed with a page", "most", name="failed_html", body=_raw(b"<html>oops</html>"), headers=(("Content-Type", "text/html"),)),
    _error(502, "failed with an empty body", "most", name="failed_empty", body=_raw(b"")),
    _error(500, "failed with a list", "most", name="failed_list", body=_raw(b"[1,2]")),
    _error(500, "failed with an error that is a list", "most", name="failed_error_list", body=_raw(b'{"error": [[[1]]]}')),
    _error(500, "failed with a million characters", "most", name="failed_long", body=_raw(b'{"error": "' + b"x" * 1_000_000 + b'"}')),
    _error(401, "rejected, with the key in the error", name="key_in_error", body=_raw(b'{"error": {"message": "wrong key [KEY]"}}')),
    Scenario("line_version", "an unknown version of HTTP", line="HTTP/9.9 200 OK"),
    Scenario("line_other", "another protocol", "most", line="ICY 200 OK"),
    Scenario("line_no_number", "a status that is not a number", "most", line="HTTP/1.1 fine OK"),
    Scenario("line_999", "the status 999", line="HTTP/1.1 999 Odd"),
    Scenario("line_bare", "a status without a reason phrase", line="HTTP/1.1 200"),
    Scenario("early_hints", "hints before the reply", line="HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK"),
    Scenario("continue_first", "100 before the reply", line="HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"),
    Scenario("switching", "a switch to another protocol", "most", line="HTTP/1.1 101 Switching Protocols"),
)  # fmt: skip
_WAITS: Final = {
    "negative": "-5", "zero": "0", "fraction": "0.01", "huge": "99999999999999999999", "1e308": "1e308", "nan": "nan", "infinity": "inf",
    "words": "soon", "empty": "", "past": "Thu, 01 Jan 1970 00:00:00 GMT", "far": "Fri, 31 Dec 9999 23:59:59 GMT", "no_date": "Fri, 99 Foo 2026", "list": "1, 2",
}  # fmt: skip
_FORMS: Final = ("json", "base64", "hex", "escapes", "quoted", "html")
"""Ways to write a key."""
_ODD_HEADERS: Final = (
    *(_error(429, f"asks to wait for {value!r} seconds", name=f"wait_{name}", headers=(("Retry-After", value), _JSON)) for name, value in _WAITS.items()),
    _error(429, "asks to wait twice", name="wait_twice", headers=(("Retry-After", "0"), ("Retry-After", "9"), _JSON)),
    _error(503, "overloaded, asks to wait", name="wait_503", headers=(("Retry-After", "0.01"), _JSON)),
    Scenario("wait_200", "a complete reply that asks to wait", headers=(("Retry-After", "3600"), _JSON)),
    Scenario("type_missing", "no content type", headers=()),
    Scenario("type_html", "JSON declared as HTML", headers=(("Content-Type", "text/html"),)),
    Scenario("type_charset", "UTF-8 declared as UTF-16", headers=(("Content-Type", "application/json; charset=utf-16"),)),
    Scenario("type_charset_unknown", "an unknown charset", headers=(("Content-Type", "application/json; charset=klingon"),)),
    Scenario("type_stream", "JSON declared as an event stream", headers=(("Content-Type", "text/event-stream"),)),
    Scenario("header_long", "a header of 200,000 characters", "most", headers=(_JSON, ("X-Long", "x" * 200_000))),
    Scenario("headers_many", "two thousand headers", headers=(_JSON, *((f"X-{n}", "1") for n in range(2000)))),
    Scenario("header_broken", "a header without a colon", "most", line="HTTP/1.1 200 OK\r\nthis is no header"),
    Scenario("header_folded", "a header over two lines", headers=(_JSON, ("X-Folded", "a\r\n b"))),
    Scenario("header_bytes", "a header that is not ASCII", headers=(_JSON, ("X-Name", "café"))),
    Scenario("header_key", "the key comes back in a header", headers=(_JSON, ("X-Key", "[KEY]"))),
    Scenario("cookies", "a hundred cookies", headers=(_JSON, *(("Set-Cookie", f"c{n}=1") for n in range(100)))),
    Scenario("length_negative", "a length of -1", "most", headers=(_JSON, ("Content-Length", "-1"))),
    Scenario("length_words", "a length in words", "most", headers=(_JSON, ("Content-Length", "many"))),
    Scenario("length_twice", "two lengths", "most", headers=(_JSON, ("Content-Length", "10"), ("Content-Length", "20"))),
    Scenario("length_zero", "a length of 0", "most", headers=(_JSON, ("Content-Length", "0"), ("Connection", "close"))),
    Scenario("key_in_text", "the key comes back in the text", body=_message(content="your key is [KEY]")),
    Scenario("key_in_id", "the key comes back as the id", body=_with(id="[KEY]")),
    Scenario("key_in_model", "the key comes back as the model", body=_with(model="[KEY]")),
    Scenario("key_unread", "the key comes back in a reply that cannot be read", "most", body=_raw(b"Bearer [KEY] [KEY]")),
    *(Scenario(f"key_{form}", f"the key comes back in the text, as {form}", body=_message(content=f"it is [KEY:{form}], I see")) for form in _FORMS),
    *(Scenario(f"key_unread_{form}", f"the key comes back as {form}, in a reply that cannot be read", "most", body=_raw(f"it is [KEY:{form}]".encode())) for form in _FORMS),
    *(_error(401, f"rejected, with the key in the error as {form}", name=f"key_error_{form}", body=_raw(f'{{"error": {{"message": "[KEY:{form}]"}}}}'.encode())) for form in _FORMS),
    Scenario("key_in_finish", "the key comes back as the reason why it finished", body=_choice(finish_reason="[KEY:json]")),
    Scenario("key_in_refusal", "the key comes back in a refusal", body=_message(content=None, refusal="not with [KEY:json]")),
    Scenario("key_in_thought", "the key comes back in the reasoning", body=_message(reasoning_content="they use [KEY:json]", reasoning="[KEY:json]")),
    Scenario("key_in_tool", "the key comes back in a tool call", body=_message(tool_calls=[{"id": "[KEY:json]", "type": "function", "function": {"name": "answer", "arguments": "[KEY:json]"}}])),
    Scenario("key_in_usage", "the key comes back in the usage", body=_usage(prompt_tokens="[KEY:json]", note="[KEY:json]")),
    Scenario("key_as_name", "the key comes back as a name", body=lambda d: plain({"[KEY:json]": 1, **d})),
    Scenario("key_in_200_error", "the key comes back in an error with status 200", "most", body=_raw(b'{"error": {"message": "[KEY:json]", "code": "[KEY:json]"}}')),
    Scenario("key_in_line", "the key comes back in the status line", line="HTTP/1.1 200 [KEY]"),
    Scenario("key_in_cookie", "the key comes back in a cookie", headers=(_JSON, ("Set-Cookie", "k=[KEY:quoted]"))),
    _error(401, "the key comes back as a code and a type", name="key_in_code", body=_raw(b'{"error": {"message": "no", "type": "[KEY:json]", "code": "[KEY:json]", "param": "[KEY:json]"}}')),
    _error(401, "asks for another authentication, with the key in the realm", name="key_in_challenge", headers=(("WWW-Authenticate", 'Bearer realm="[KEY]"'), _JSON)),
    _error(400, "the key comes back in a page", name="key_in_page", body=_raw(b"<html><p>[KEY:html]</p></html>"), headers=(("Content-Type", "text/html"),)),
    _error(500, "failed, with the key in a list", "most", name="key_in_failure", body=_raw(b'[{"key": "[KEY:json]"}, "[KEY:json]"]')),
    _error(429, "asks to wait as long as the key says", name="key_in_wait", headers=(("Retry-After", "[KEY]"), _JSON)),
    _error(302, "a redirect with the key in the URL", name="key_in_location", headers=(("Location", "http://stranger.invalid/v1?key=[KEY:quoted]"), _JSON)),
)  # fmt: skip
_PACKED: Final = (("Content-Encoding", "gzip"), _JSON)
_TRANSFERS: Final = (
    Scenario("gzip", "the body is compressed", body=_edit(gzip.compress), headers=_PACKED),
    Scenario("gzip_untrue", "the body is declared compressed, but is not", "most", headers=_PACKED),
    Scenario("gzip_cut", "half of a compressed body", "most", body=_edit(lambda body: gzip.compress(body)[: len(body) // 4]), headers=_PACKED),
    Scenario("gzip_twice", "compressed twice", "most", body=_edit(lambda body: gzip.compress(gzip.compress(body))), headers=_PACKED),
    Scenario("gzip_bomb", "forty million zeros in forty thousand bytes", "most", body=_bomb, headers=_PACKED),
    Scenario("encoding_unknown", "an unknown compression", headers=(("Content-Encoding", "zip"), _JSON)),
    Scenario("chunked", "in two chunks", way="chunked"),
    Scenario("chunked_cut", "one chunk of two", "most", way="chunked_cut"),
    Scenario("chunked_wrong", "a chunk whose length is not a number", "most", way="chunked_wrong"),
    Scenario("to_the_end", "no length: until the connection closes", way="to_the_end"),
    Scenario("short_length", "longer than its length", "most", way="short_length"),
    Scenario("cut", "the connection closes in the middle of the body", "most", way="cut"),
    Scenario("head_cut", "the connection closes within the head", "most", way="head_cut"),
    Scenario("close", "the connection closes without a reply", "most", way="close"),
    Scenario("reset", "the connection is reset", "most", way="reset"),
    Scenario("hang", "nothing, until the client closes", "most", way="hang"),
    Scenario("hang_after_head", "a head, and nothing more", "most", way="hang_after_head"),
    Scenario("hang_in_body", "half a body, and nothing more", "most", way="hang_in_body"),
    Scenario("drip", "a byte at a time, and never the last", "most", way="drip"),
    Scenario("twice", "the same reply twice", way="twice"),
    Scenario("late", "a complete reply, late", way="late"),
    Scenario("cut_after_usage", "the connection closes after the usage", "usage", body=_edit(lambda body: body + b" " * len(body) * 2), way="cut"),
)  # fmt: skip

CATALOGUE: Final[Mapping[str, Scenario]] = {
    scenario.name: scenario
    for part in (_UNREADABLE, _LOST, _USAGES, _STATUSES, _ODD_HEADERS, _TRANSFERS)
    for scenario in part
}
"""All scenarios by name."""
ENDLESS: Final = frozenset({"hang", "hang_after_head", "hang_in_body", "drip"})
"""Scenarios that never end, so that the client must time out."""
OVERCHARGING: Final = frozenset(name for name, scenario in CATALOGUE.items() if scenario.charges == "stated")
"""Scenarios in which the provider charges more than a call can cost."""
