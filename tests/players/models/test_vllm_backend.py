"""The backend vLLM against a stand-in of its interface: what it is asked, and what is made of its answers."""

import math
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from ostrom.core import Line
from ostrom.players.models.engine import EngineRequest, Slot


class Tokenizer:
    def apply_chat_template(self, messages: list, **_: object) -> str:
        return "".join(message["content"] for message in messages)

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        return [ord(letter) for letter in text]


class Model:
    def __init__(self, folder: str, **options: object) -> None:
        self.asked: list = []

    def get_tokenizer(self) -> Tokenizer:
        return Tokenizer()

    def generate(self, prompts: list, parameters: list, use_tqdm: bool) -> list:
        self.asked.append((prompts, parameters))
        listed = {ord("A"): 0.6, ord("B"): 0.2}
        logs = [{token: SimpleNamespace(logprob=math.log(chance)) for token, chance in listed.items()}]
        reply = SimpleNamespace(text="<x>A</x>", token_ids=[1, 2], finish_reason="stop", logprobs=logs)
        return [SimpleNamespace(outputs=[reply], num_cached_tokens=3, **prompt) for prompt in prompts]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch):
    package, sampling = ModuleType("vllm"), ModuleType("vllm.sampling_params")
    package.LLM, package.SamplingParams = Model, SimpleNamespace
    sampling.StructuredOutputsParams = SimpleNamespace
    monkeypatch.setitem(sys.modules, "vllm", package)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", sampling)
    monkeypatch.delitem(sys.modules, "ostrom.players.models.local.vllm", raising=False)
    from ostrom.players.models.local.vllm import VllmEngine

    return VllmEngine(Path("weights"))


SLOT = Slot("<x>", "</x>", ("A", "B"))


def test_a_wave_is_two_calls_and_replies_come_in_order(engine):
    prompt = (Line("user", "Pick"),)
    text = EngineRequest(prompt, 9, 0.5, 7, slots=(SLOT,))
    scored = EngineRequest(prompt, 9, slots=(SLOT,), score=True)
    first, second, third = engine.answer([scored, text, scored])
    assert len(engine._llm.asked) == 2
    assert [math.exp(log) for log in first.log_probabilities] == pytest.approx([0.75, 0.25])
    assert (first.outside, first.cached_tokens, first.output_tokens) == (pytest.approx(0.2), 3, 0)
    assert (second.text, second.output_tokens) == ("<x>A</x>", 2)
    assert third == first
    (parameters,) = engine._llm.asked[1][1]
    assert (parameters.seed, parameters.temperature, parameters.max_tokens) == (7, 0.5, 9)
    assert parameters.structured_outputs.regex == "<x>(A|B)</x>"
