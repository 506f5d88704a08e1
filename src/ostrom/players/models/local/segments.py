"""Attention for models of Transformers in which several prompts share keys and values. A prefix (a beginning that
prompts have in common) is computed and stored once for all prompts of a wave. The tokens of all prompts are packed one
after the other, without padding. Stored keys and values are divided into segments."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import torch
from transformers import AttentionInterface

NAME: Final = "ostrom_segments"
"""The name under which this attention is registered with Transformers."""


@dataclass(slots=True, eq=False)
class Segments:
    """The keys and values of several sequences, one after the other, in every layer."""

    lengths: Sequence[int]
    layers: dict[int, tuple[Any, Any]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Tail:
    """The keys and values of the tokens after each prompt, with space for `room` tokens in every row."""

    rows: int
    room: int = 16
    layers: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def grow(self, room: int) -> None:
        """Make room for this number of tokens in every row."""
        if room <= self.room:
            return
        old, self.room = self.room, 2 ** (room - 1).bit_length()
        for layer, states in self.layers.items():
            keys, values = states
            self.layers[layer] = self._wider(keys, old), self._wider(values, old)

    def _wider(self, state: Any, old: int) -> Any:
        wider = state.new_zeros((self.rows, self.room, *state.shape[1:]))
        wider[:, :old] = state.view(self.rows, old, *state.shape[1:])
        return wider.flatten(0, 1)

    def append(self, layer: int, places: Any, key: Any, value: Any) -> tuple[Any, Any]:
        """Write keys and values of a layer at these places, and return all keys and values of the layer."""
        if layer not in self.layers:
            shape = (self.rows * self.room, *key.shape[1:])
            self.layers[layer] = key.new_zeros(shape), value.new_zeros(shape)
        keys, values = self.layers[layer]
        keys.index_copy_(0, places, key)
        values.index_copy_(0, places, value)
        return keys, values


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Queries that attend to segments: query sequence i to segment i."""

    source: "Segments | Tail | None"
    """The stored keys and values that the queries attend to; None for the keys and values of the new tokens."""
    queries: tuple[int, ...]
    """The boundaries of the query sequences among the packed tokens."""
    keys: tuple[int, ...]
    """The boundaries of the segments."""
    causal: bool = False
    used: tuple[int, ...] | None = None
    """The number of tokens that count in each segment; None if all tokens count."""


@dataclass(slots=True, eq=False)
class Plan:
    """The plan of one forward pass: which keys and values its tokens attend to, and where their own keys and values are
    written."""

    looks: Sequence[Look]
    keep: Segments | None = None
    places: Any = None
    """The places of the new tokens in the tail."""
    device: Any = "cpu"
    tensors: dict[tuple[int, ...], Any] = field(default_factory=dict)

    def boundaries(self, values: tuple[int, ...]) -> Any:
        """Return numbers as a tensor. It is created once and used in all layers."""
        if values not in self.tensors:
            self.tensors[values] = torch.tensor(values, dtype=torch.int32, device=self.device)
        return self.tensors[values]


_plans: list[Plan] = []
"""The plan of the current forward pass."""


def forward(model: Any, tokens: Sequence[int], positions: Sequence[int], last: Sequence[int], plan: Plan) -> Any:
    """Run the model over packed tokens, and return the logits at the places `last`."""
    device = plan.device
    _plans.append(plan)
    try:
        with torch.inference_mode():
            output = model(
                input_ids=torch.tensor([tokens], device=device),
                position_ids=torch.tensor([positions], device=device),
                use_cache=False,
                logits_to_keep=torch.tensor(last, dtype=torch.long, device=device),
            )
    finally:
        _plans.pop()
    return output.logits[0]


def _attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, scaling: float | None = None, **_: Any
) -> tuple[Any, None]:
    """Return the attention of packed queries to all parts of the plan. The parts' results are combined with weights
    from their sums of exponentials."""
    plan, layer = _plans[-1], module.layer_idx
    query, key, value = (states[0].transpose(0, 1) for states in (query, key, value))
    scale = scaling if scaling is not None else 1 / math.sqrt(query.shape[-1])
    if plan.keep is not None:
        plan.keep.layers[layer] = key, value
    output: Any = None
    logs: Any = None
    for look in plan.looks:
        keys, values = key, value
        if isinstance(look.source, Tail):
            keys, values = look.source.append(layer, plan.places, key, value)
        elif look.source is not None:
            keys, values = look.source.layers[layer]
        first, end = look.queries[0], look.queries[-1]
        part, part_logs = _part(plan, look, query[first:end], keys, values, scale)
        if output is None:
            output, logs = part, part_logs
            continue
        # A later part may have only some of the queries.
        share = torch.sigmoid(part_logs - logs[:, first:end]).transpose(0, 1).unsqueeze(-1).to(part.dtype)
        output[first:end] += share * (part - output[first:end])
        logs[:, first:end] = torch.logaddexp(logs[:, first:end], part_logs)
    return output.unsqueeze(0), None


def _part(plan: Plan, look: Look, query: Any, key: Any, value: Any, scale: float) -> tuple[Any, Any]:
    """Return the attention of query sequences to their segments, and the logarithms of the sums of exponentials, of
    shape (heads, queries)."""
    queries = tuple(bound - look.queries[0] for bound in look.queries)
    if not query.is_cuda:
        return _part_plainly(look, queries, query, key, value, scale)
    # If each sequence had at most one query, the kernel would assume that every sequence has one.
    longest = max(2, *(end - start for start, end in pairwise(queries)))
    longest_key = max(end - start for start, end in pairwise(look.keys))
    used = None if look.used is None else plan.boundaries(look.used)
    bounds = plan.boundaries(queries), plan.boundaries(look.keys)
    output, logs, *_ = torch.ops.aten._flash_attention_forward(
        query.contiguous(), key.contiguous(), value.contiguous(), *bounds, longest, longest_key,
        0.0, look.causal, False, scale=scale, seqused_k=used,
    )  # fmt: skip
    return output, logs


def _part_plainly(
    look: Look, queries: tuple[int, ...], query: Any, key: Any, value: Any, scale: float
) -> tuple[Any, Any]:
    groups = query.shape[1] // key.shape[1]
    outputs, logs = [], []
    for place, (start, end) in enumerate(pairwise(queries)):
        first = look.keys[place]
        stop = look.keys[place + 1] if look.used is None else first + look.used[place]
        keys = key[first:stop].repeat_interleave(groups, dim=1)
        values = value[first:stop].repeat_interleave(groups, dim=1)
        scores = torch.einsum("qhd,khd->hqk", query[start:end].float(), keys.float()) * scale
        if look.causal:
            rows, columns = scores.shape[1:]
            ahead = torch.ones(rows, columns, dtype=torch.bool, device=scores.device).triu(columns - rows + 1)
            scores = scores.masked_fill(ahead, -math.inf)
        logs.append(scores.logsumexp(dim=-1))
        outputs.append(torch.einsum("hqk,khd->qhd", scores.softmax(dim=-1), values.float()).to(query.dtype))
    return torch.cat(outputs), torch.cat(logs, dim=1)


def check_layers(config: Any) -> str | None:
    """Return the reason why a model's attention cannot be computed by segments, or None if it can."""
    kinds: Mapping[str, None] = dict.fromkeys(getattr(config, "layer_types", None) or ("full_attention",))
    others = sorted(set(kinds) - {"full_attention"})
    return f"it has layers of {', '.join(others)}" if others else None


AttentionInterface.register(NAME, _attend)
