"""Attention for models of Transformers in which several prompts share keys and values. A prefix is a beginning that
prompts have in common. It is computed and stored once for all prompts of a wave. The tokens of all prompts are packed
one after the other, without padding. The stored keys and values are divided into segments, one for each sequence of
tokens."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from transformers import AttentionInterface

from ostrom.core.arrays import Array

NAME: Final = "ostrom_segments"
"""The name under which this attention is registered with Transformers."""


@dataclass(slots=True, eq=False)
class Segments:
    """The keys and values of several sequences, one after the other, in every layer."""

    lengths: Sequence[int]
    layers: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def first(self, length: int) -> "Segments":
        """Return the first tokens of the only segment. Their keys and values do not depend on later tokens."""
        layers = {layer: (keys[:length], values[:length]) for layer, (keys, values) in self.layers.items()}
        return Segments([length], layers)


@dataclass(slots=True, eq=False)
class Tail:
    """The keys and values of the tokens after each prompt. Every row has space for `room` tokens."""

    rows: int
    room: int = 16
    layers: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def grow(self, room: int) -> None:
        """Extend every row so that it has space for this number of tokens."""
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


@dataclass(slots=True, eq=False)
class SegmentQueries:
    """Queries that attend to segments. Query sequence i attends to segment i."""

    source: "Segments | Tail | None"
    """The stored keys and values to which the queries attend. None means the keys and values of the new tokens."""
    queries: Array
    """The boundaries of the query sequences among the packed tokens."""
    keys: Array
    """The boundaries of the segments."""
    causal: bool = False
    used: Array | None = None
    """The number of tokens that count in each segment. None means that all tokens count."""
    first: int = 0
    """The index of the first query among the packed tokens."""
    end: int = 0
    longest: int = 0
    """The largest number of queries of a sequence."""
    longest_segment: int = 0
    bounds: tuple[Any, Any] = ()  # type: ignore[assignment]
    """The boundaries as tensors, with queries counted from the first one."""
    used_tensor: Any = None

    def prepare(self, device: Any) -> None:
        """Set the values that all layers need, so that these are computed once."""
        self.first, self.end = int(self.queries[0]), int(self.queries[-1])
        # If the largest number is 1, the kernel assumes that every sequence has exactly one query, although some may
        # have none.
        self.longest = max(2, int(np.diff(self.queries).max()))
        self.longest_segment = int(np.diff(self.keys).max())
        self.bounds = _tensor(self.queries - self.first, device), _tensor(self.keys, device)
        self.used_tensor = None if self.used is None else _tensor(self.used, device)


def _tensor(values: Array, device: Any) -> Any:
    return torch.from_numpy(values.astype(np.int32)).to(device, non_blocking=True)


@dataclass(slots=True, eq=False)
class PassPlan:
    """The plan of one forward pass. It says to which keys its tokens attend, and where their own keys and values are
    written."""

    looks: Sequence[SegmentQueries]
    keep: Segments | None = None
    places: Any = None
    """The places of the new tokens in the tail."""
    device: Any = "cpu"

    def __post_init__(self) -> None:
        for look in self.looks:
            look.prepare(self.device)


_plans: list[PassPlan] = []
"""The plan of the current forward pass."""


def forward(model: Any, tokens: Array, positions: Array, last: Array, plan: PassPlan) -> Any:
    """Run the model over packed tokens, and return the logits at the indices in `last`."""
    device = plan.device
    _plans.append(plan)
    try:
        with torch.inference_mode():
            output = model(
                input_ids=torch.from_numpy(tokens.astype(np.int64)).to(device).unsqueeze(0),
                position_ids=torch.from_numpy(positions.astype(np.int64)).to(device).unsqueeze(0),
                use_cache=False,
                logits_to_keep=torch.from_numpy(last.astype(np.int64)).to(device),
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
        first, end = look.first, look.end
        part, part_logs = _part(look, query[first:end], keys, values, scale)
        if output is None:
            output, logs = part, part_logs
            continue
        # A later part of the plan may apply to some of the queries only.
        share = torch.sigmoid(part_logs - logs[:, first:end]).transpose(0, 1).unsqueeze(-1).to(part.dtype)
        output[first:end] += share * (part - output[first:end])
        logs[:, first:end] = torch.logaddexp(logs[:, first:end], part_logs)
    return output.unsqueeze(0), None


def _part(look: SegmentQueries, query: Any, key: Any, value: Any, scale: float) -> tuple[Any, Any]:
    """Return the attention of query sequences to their segments. Also return the logarithms of the sums of
    exponentials, of shape (heads, queries)."""
    if not query.is_cuda:
        return _part_plainly(look, query, key, value, scale)
    output, logs, *_ = torch.ops.aten._flash_attention_forward(
        query.contiguous(), key.contiguous(), value.contiguous(), *look.bounds, look.longest, look.longest_segment,
        0.0, look.causal, False, scale=scale, seqused_k=look.used_tensor,
    )  # fmt: skip
    return output, logs


def _part_plainly(look: SegmentQueries, query: Any, key: Any, value: Any, scale: float) -> tuple[Any, Any]:
    groups = query.shape[1] // key.shape[1]
    outputs, logs = [], []
    for place, (start, end) in enumerate(pairwise((look.queries - look.first).tolist())):
        first = int(look.keys[place])
        stop = int(look.keys[place + 1]) if look.used is None else first + int(look.used[place])
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
