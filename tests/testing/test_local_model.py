"""The real model answers over HTTP, in the two forms that it is able to keep to."""

import json
import re
from typing import Any
from urllib.request import Request, urlopen

import pytest

from local_model import LocalModel

pytestmark = pytest.mark.xdist_group("local_model")


def ask(model: LocalModel, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": "How many of your 20 tokens do you put into the pot?"}
    request = {"model": model.name, "messages": [message], "temperature": 0.3, "max_tokens": 60} | more
    wire = Request(f"{model.base_url}/chat/completions", json.dumps(request).encode())
    wire.add_header("Content-Type", "application/json")
    with urlopen(wire, timeout=600) as response:
        answer: dict[str, Any] = json.load(response)
        return answer


def test_an_answer_under_a_json_schema(local_model: LocalModel) -> None:
    amount = {"type": "integer", "minimum": 0, "maximum": 20}
    schema = {"type": "object", "properties": {"contribution": amount}, "required": ["contribution"]}
    answer = ask(
        local_model, response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    )
    assert 0 <= json.loads(answer["choices"][0]["message"]["content"])["contribution"] <= 20
    assert answer["usage"]["prompt_tokens"] > 0


def test_an_answer_under_a_grammar(local_model: LocalModel) -> None:
    grammar = 'root ::= "<contribution>" number "</contribution>"\nnumber ::= [0-9] | "1" [0-9] | "20"\n'
    words = ask(local_model, grammar=grammar)["choices"][0]["message"]["content"]
    assert re.fullmatch(r"<contribution>([0-9]|1[0-9]|20)</contribution>", words)


def test_the_model_is_listed_by_its_name(local_model: LocalModel) -> None:
    with urlopen(f"{local_model.base_url}/models", timeout=600) as response:
        assert [model["id"] for model in json.load(response)["data"]] == [local_model.name]
