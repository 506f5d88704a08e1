"""The backend vLLM, for a folder of weights on machines with vLLM. It shares prefixes and schedules waves
automatically."""

import os
import re
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from vllm import LLM, SamplingParams
from vllm.sampling_params import StructuredOutputsParams

from ostrom.players.models.engine import EngineReply, EngineRequest, Slot
from ostrom.players.models.local.choices import ChoiceTree, Tokens

_MAX_LISTED_TOKENS: Final = 512
"""The number of most probable tokens whose probabilities are read at each node, where choices differ. Other tokens
count as not seen."""


class VllmEngine:
    """A model that runs in vLLM."""

    schemas = True

    def __init__(self, folder: Path) -> None:
        self._llm = LLM(os.fspath(folder), enable_prefix_caching=True, max_logprobs=_MAX_LISTED_TOKENS)
        self._tokenizer = self._llm.get_tokenizer()
        self._turn = threading.Lock()
        self._tree = lru_cache(maxsize=4096)(self._choice_tree)

    def answer(self, requests: Sequence[EngineRequest]) -> Sequence[EngineReply]:
        """Return the reply to each request, in order."""
        with self._turn:
            scored = [place for place, request in enumerate(requests) if request.score]
            written = [place for place, request in enumerate(requests) if not request.score]
            replies = dict(zip(scored, self._scored([requests[place] for place in scored]), strict=True))
            replies |= dict(zip(written, self._written([requests[place] for place in written]), strict=True))
        return [replies[place] for place in range(len(requests))]

    def _written(self, requests: Sequence[EngineRequest]) -> list[EngineReply]:
        outputs = self._generated([self._prompt(request) for request in requests], [_sampling(r) for r in requests])
        return [_counted(output, text=output.outputs[0].text) for output in outputs]

    def _scored(self, requests: Sequence[EngineRequest]) -> list[EngineReply]:
        """Return the log probabilities of choices. One token is generated at each node of each request's choices, all
        in one wave."""
        prompts, places = [], []
        for place, request in enumerate(requests):
            tree, before = self._tree(request.slots[0])
            for node in tree.nodes:
                prompts.append((*self._prompt(request), *before, *node))
                places.append((place, node))
        parameters = SamplingParams(max_tokens=1, temperature=0.0, logprobs=_MAX_LISTED_TOKENS)
        outputs = self._generated(prompts, [parameters] * len(prompts))
        seen: list[dict[Tokens, Mapping[int, float]]] = [{} for _ in requests]
        first: dict[int, Any] = {}
        for (place, node), output in zip(places, outputs, strict=True):
            first.setdefault(place, output)
            seen[place][node] = {token: entry.logprob for token, entry in output.outputs[0].logprobs[0].items()}
        replies = []
        for place, request in enumerate(requests):
            tree, _ = self._tree(request.slots[0])
            logs, outside = tree.log_probabilities(seen[place], request.temperature)
            replies.append(_counted(first[place], log_probabilities=logs, outside=outside))
        return replies

    def _generated(self, prompts: Sequence[Sequence[int]], parameters: Sequence[Any]) -> Sequence[Any]:
        if not prompts:
            return []
        inputs = [{"prompt_token_ids": list(prompt)} for prompt in prompts]
        outputs: Sequence[Any] = self._llm.generate(inputs, list(parameters), use_tqdm=False)
        return outputs

    def _prompt(self, request: EngineRequest) -> Tokens:
        messages = [{"role": line.role, "content": line.text} for line in request.messages]
        text = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return self._tokens(text)

    def _tokens(self, text: str) -> Tokens:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False))

    def _choice_tree(self, slot: Slot) -> tuple[ChoiceTree, Tokens]:
        before = self._tokens(slot.before)
        return ChoiceTree.of(before, [self._tokens(slot.before + choice + slot.end) for choice in slot.choices])


def _sampling(request: EngineRequest) -> Any:
    """Return the settings of one reply, which constrain it to a schema or to the form of its slots."""
    form: dict[str, Any] = {}
    if request.schema is not None:
        form["structured_outputs"] = StructuredOutputsParams(json=dict(request.schema))
    elif request.slots:
        form["structured_outputs"] = StructuredOutputsParams(regex="".join(map(_pattern, request.slots)))
    temperature = 1.0 if request.temperature is None else request.temperature
    return SamplingParams(max_tokens=request.max_tokens, temperature=temperature, seed=request.seed, **form)


def _pattern(slot: Slot) -> str:
    value = "|".join(map(re.escape, slot.choices)) if slot.choices else f"[^<>\\n]{{0,{slot.most}}}"
    return f"{re.escape(slot.before)}({value}){re.escape(slot.end)}"


def _counted(output: Any, **result: Any) -> EngineReply:
    reply = output.outputs[0]
    return EngineReply(
        input_tokens=len(output.prompt_token_ids),
        output_tokens=0 if "log_probabilities" in result else len(reply.token_ids),
        cached_tokens=output.num_cached_tokens or 0,
        finish_reason="length" if reply.finish_reason == "length" and "text" in result else "stop",
        **result,
    )
