"""The backend llama.cpp. It runs a GGUF file through the package xllamacpp, on the processor or a GPU."""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from ostrom.core import Fault
from ostrom.core.text import one_line
from ostrom.players.models.engine import EngineReply, EngineRequest, Slot
from ostrom.players.models.local.choices import ChoiceTree, Tokens

_CONTEXT_TOKENS = 8192
"""The largest number of tokens of a prompt together with its reply."""
_MIN_SEEN_TOKENS = 512
"""The number of most probable tokens whose probabilities are read at each node, where choices differ. Other tokens
count as not seen."""
_PLAIN_SAMPLING = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "repeat_penalty": 1.0, "typical_p": 1.0}
"""Settings that turn off the library's defaults. The defaults exclude improbable tokens, so samples would not follow
the model's distribution."""


class LlamaEngine:
    """A model in a GGUF file. It computes `parallel` prompts together. If `parallel` exceeds 1, rounding depends on
    which prompts are computed together, which occasionally changes a reply."""

    schemas = True

    def __init__(self, weights: Path, parallel: int = 1) -> None:
        import xllamacpp

        threads = max(1, (os.cpu_count() or 2) // 2)
        parameters = xllamacpp.CommonParams()
        parameters.model.path = os.fspath(weights)
        parameters.verbosity = 1  # Errors only, since the output belongs to the command.
        parameters.hostnames, parameters.port = ["127.0.0.1"], 0
        # The library opens a port on the loopback interface. Other users of the machine could reach this port.
        self._key = secrets.token_hex(16)
        parameters.api_keys, parameters.cors_origins = [self._key], ""
        parameters.n_parallel, parameters.n_ctx = parallel, _CONTEXT_TOKENS * parallel
        parameters.n_threads_http = parallel + 1
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        self._server = xllamacpp.Server(parameters)
        self._opener = build_opener(ProxyHandler({}))
        self._threads = ThreadPoolExecutor(parallel, "llama")
        self._tokens = lru_cache(maxsize=4096)(self._tokenized)

    def answer(self, requests: Sequence[EngineRequest]) -> Sequence[EngineReply]:
        """Return the reply to each request, in order."""
        return list(self._threads.map(self._answer, requests))

    def _answer(self, request: EngineRequest) -> EngineReply:
        try:
            messages = [{"role": line.role, "content": line.text} for line in request.messages]
            prompt = self._post("/apply-template", {"messages": messages})["prompt"]
            if request.score:
                return self._scored(request, prompt)
            return self._filled(request, prompt) if request.slots else self._free(request, prompt)
        except HTTPError as error:
            fault = Fault.REJECTED if error.code < 500 else Fault.SERVER_ERROR
            return EngineReply(fault=fault, reason=one_line(error.read().decode("utf-8", "replace"), 300))
        except (OSError, HTTPException, ValueError, KeyError) as error:
            return EngineReply(fault=Fault.SERVER_ERROR, reason=one_line(f"{type(error).__name__}: {error}", 300))

    def _free(self, request: EngineRequest, prompt: str) -> EngineReply:
        schema = {} if request.schema is None else {"json_schema": dict(request.schema)}
        reply = self._sampled(request, [prompt], request.max_tokens, 0, **schema)
        return _counted([reply], reply["content"], request)

    def _filled(self, request: EngineRequest, prompt: str) -> EngineReply:
        """Fill the slots in order. The model reads the fixed texts between them, and does not generate them."""
        text, pending, left = "", "", request.max_tokens
        tokens: list[int] = []
        replies: list[Any] = []
        for number, slot in enumerate(request.slots):
            pending += slot.before
            tokens += self._tokens(pending)
            grammar = f"root ::= {slot.grammar or _either(slot.choices)} {json.dumps(slot.end)}\n"
            reply = self._sampled(request, [prompt, *tokens], left, number, grammar=grammar)
            replies.append(reply)
            left -= reply["tokens_predicted"]
            value = reply["content"].removesuffix(slot.end)
            pending = value + slot.end
            text += slot.before + pending
            if left < 1 or not reply["content"].endswith(slot.end):
                break
        return _counted(replies, text, request)

    def _scored(self, request: EngineRequest, prompt: str) -> EngineReply:
        slot = request.slots[0]
        tree, start = self._tree(slot)
        seen: dict[Tokens, Mapping[int, float]] = {}
        replies = []
        for node, children in tree.nodes.items():
            count = max(_MIN_SEEN_TOKENS, 4 * len(children))
            body = {"prompt": [prompt, *start, *node], "n_predict": 1, "n_probs": count, "temperature": 0.0}
            replies.append(self._post("/completion", body))
            first = replies[-1]["completion_probabilities"][0]["top_logprobs"]
            seen[node] = {token["id"]: token["logprob"] for token in first}
        logs, outside = tree.log_probabilities(seen, request.temperature)
        counted = _counted(replies, "", request)
        return EngineReply(
            input_tokens=counted.input_tokens,
            cached_tokens=counted.cached_tokens,
            log_probabilities=logs,
            outside=outside,
        )

    def _tree(self, slot: Slot) -> tuple[ChoiceTree, Tokens]:
        """Return the tree of the slot's choices as tokens, and the tokens before the choices."""
        whole = [self._tokens(slot.before + choice + slot.end) for choice in slot.choices]
        return ChoiceTree.of(self._tokens(slot.before), whole)

    def _sampled(self, request: EngineRequest, prompt: list[Any], most: int, number: int, **form: Any) -> Any:
        temperature = 1.0 if request.temperature is None else request.temperature
        seed = {} if request.seed is None else {"seed": (request.seed + number) % 2**32}
        body = {"prompt": prompt, "n_predict": most, "temperature": temperature, **_PLAIN_SAMPLING, **seed, **form}
        return self._post("/completion", body)

    def _tokenized(self, text: str) -> Tokens:
        body = {"content": text, "add_special": False, "parse_special": False}
        return tuple(self._post("/tokenize", body)["tokens"])

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        url = self._server.listening_address + path
        with self._opener.open(Request(url, json.dumps(body).encode(), headers)) as response:
            return json.load(response)


def _counted(replies: Sequence[Any], text: str, request: EngineRequest) -> EngineReply:
    cut = replies[-1]["stop_type"] == "limit"
    return EngineReply(
        text=text,
        input_tokens=replies[0]["tokens_evaluated"],
        output_tokens=sum(reply["tokens_predicted"] for reply in replies),
        cached_tokens=replies[0]["timings"]["cache_n"],
        finish_reason="length" if cut and not request.score else "stop",
    )


def _either(choices: Sequence[str]) -> str:
    return f"({' | '.join(json.dumps(choice, ensure_ascii=False) for choice in choices)})"
