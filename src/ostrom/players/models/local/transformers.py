"""The backend Transformers, for a folder of weights. PyTorch computes many prompts together, on a GPU or the
processor."""

import os
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from ostrom.core import Fault, InputError
from ostrom.core.arrays import Array
from ostrom.core.text import one_line
from ostrom.players.models.engine import EngineReply, EngineRequest, Slot
from ostrom.players.models.local.choices import ChoiceTree, Tokens, drawn_places
from ostrom.players.models.local.segments import NAME, PassPlan, SegmentQueries, Segments, Tail, check_layers, forward
from ostrom.players.models.local.tokens import PromptTokenizer

MAX_WAVE_TOKENS: Final = 2**18
"""The largest number of tokens that are computed in one forward pass."""
MAX_WAVE_ROWS: Final = 2048
"""The largest number of prompts that are computed together."""
_MIN_SHARED_TOKENS: Final = 32
"""The smallest number of common tokens for which the computation is shared between prompts."""


@dataclass(slots=True, eq=False)
class _Row:
    """One request of a wave, with the part of its reply that has been generated."""

    request: EngineRequest
    prompt: Array
    draws: random.Random
    slot: int = 0
    tree: ChoiceTree | None = None
    """The choices of the current slot, if it has choices."""
    node: Tokens = ()
    written: list[int] = field(default_factory=list)
    """The tokens generated in the current slot."""
    text: str = ""
    """The text of the reply before the current slot."""
    pending: list[int] = field(default_factory=list)
    """Tokens that the model has not read yet."""
    characters: int = 0
    """The number of characters generated in the current slot."""
    seen: dict[Tokens, Mapping[int, float]] = field(default_factory=dict)
    """The log probabilities of tokens that were seen. The key has the tokens before them."""
    output_tokens: int = 0
    cached: int = 0
    tail: int = 0
    """The number of tokens after the prompt that the model has read."""
    reply: EngineReply | None = None

    @property
    def slots(self) -> Sequence[Slot]:
        return self.request.slots


class TransformersEngine:
    """A model of Transformers with its tokenizer. A reply depends on its own seed. Other prompts of its wave affect it
    only through rounding."""

    schemas = False

    def __init__(self, model: Any, tokenizer: Any) -> None:
        if (reason := check_layers(model.config)) is not None:
            raise InputError(f"the backend transformers cannot run this model: {reason}")
        model.set_attn_implementation(NAME)
        self._model, self._tokenizer = model.eval(), tokenizer
        self._device = next(model.parameters()).device
        self._turn = threading.Lock()
        self._tokens = lru_cache(maxsize=65536)(self._tokenized)
        self._tree = lru_cache(maxsize=4096)(self._choice_tree)
        self._pieces: list[str] = tokenizer.batch_decode([[token] for token in range(len(tokenizer))])
        self._stops = set(tokenizer.all_special_ids)
        self._ends = {token for token, piece in enumerate(self._pieces) if "<" in piece or "\n" in piece} | self._stops
        self._encode = PromptTokenizer(tokenizer)
        self._shared: tuple[Array, Segments] | None = None
        """The tokens with which all prompts of an earlier wave began, and the keys and values of these tokens."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load a model from a folder, on a GPU if there is one. Nothing is downloaded, and no code of the folder is
        run."""
        device = "cuda" if torch.cuda.is_available() else "cpu"
        kind = torch.bfloat16 if device == "cuda" else torch.float32
        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        try:
            tokenizer = AutoTokenizer.from_pretrained(os.fspath(folder), **options)
            model = AutoModelForCausalLM.from_pretrained(os.fspath(folder), dtype=kind, **options)
        except (OSError, ValueError) as error:
            raise InputError(f"{folder} cannot be loaded: {one_line(str(error), 300)}") from None
        return cls(model.to(device), tokenizer)

    def answer(self, requests: Sequence[EngineRequest]) -> Sequence[EngineReply]:
        """Return the reply to each request, in order."""
        with self._turn:
            texts = self._prompt_texts(requests)
            # Prompts with the same beginning become neighbours.
            order = sorted(range(len(texts)), key=texts.__getitem__)
            rows = self._rows([requests[place] for place in order], [texts[place] for place in order])
            for chunk in _chunks(rows):
                self._answer_rows(chunk)
            rows = [row for _, row in sorted(zip(order, rows, strict=True), key=lambda entry: entry[0])]
        return [row.reply or EngineReply(fault=Fault.SERVER_ERROR, reason="no reply") for row in rows]

    def _rows(self, requests: Sequence[EngineRequest], texts: Sequence[str]) -> list[_Row]:
        rows = []
        for request, prompt in zip(requests, self._encode(texts), strict=True):
            row = _Row(request, prompt, random.Random(request.seed))
            if row.slots:
                row.prompt = np.concatenate([prompt, np.asarray(self._open(row), dtype=np.int64)])
            rows.append(row)
        return rows

    def _prompt_texts(self, requests: Sequence[EngineRequest]) -> list[str]:
        messages = [[{"role": line.role, "content": line.text} for line in request.messages] for request in requests]
        texts: list[str] = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return texts

    def _prompt_text(self, request: EngineRequest) -> str:
        return self._prompt_texts([request])[0]

    def _answer_rows(self, rows: Sequence[_Row]) -> None:
        """Answer sorted rows. First compute their prompts: the tokens that all rows share, then those that some share,
        then the rest. Then generate the replies token by token."""
        levels, logits = self._read_prompts(rows)
        tail = Tail(len(rows))
        active = list(range(len(rows)))
        while active:
            self._advance([rows[place] for place in active], logits)
            active = [place for place in active if rows[place].reply is None]
            if active:
                tail.grow(max(rows[place].tail + len(rows[place].pending) for place in active))
                logits = self._read_tails(rows, active, levels, tail)

    def _read_prompts(self, rows: Sequence[_Row]) -> tuple[list[tuple[Segments, list[int]]], Any]:
        """Return the levels of shared tokens and the logits after each prompt. Each level has the index of every row's
        segment."""
        prompts = [row.prompt for row in rows]
        common = [_common(first, second) for first, second in pairwise(prompts)]
        shared = min(common, default=len(prompts[0]) - 1)
        shared = shared if shared >= _MIN_SHARED_TOKENS else 0
        groups = _groups(common, [len(prompt) for prompt in prompts], shared)
        levels: list[tuple[Segments, Array]] = []
        start = np.full(len(rows), shared)
        if shared:
            levels.append((self._shared_segment(prompts[0][:shared]), np.zeros(len(rows), dtype=np.int64)))
        if groups:
            segments = [prompts[first][shared:length] for first, _, length in groups]
            above = [(level, np.zeros(len(groups), dtype=np.int64)) for level, _ in levels]
            stored, _ = self._read(segments, np.full(len(groups), shared), above)
            sizes = [end - first for first, end, _ in groups]
            levels.append((stored, np.repeat(np.arange(len(groups)), sizes)))
            start = np.repeat([length for _, _, length in groups], sizes)
        begins = start.tolist()
        for row, begin in zip(rows, begins, strict=True):
            row.cached = begin
        stored, logits = self._read([prompt[b:] for prompt, b in zip(prompts, begins, strict=True)], start, levels)
        return [*levels, (stored, np.arange(len(rows)))], logits

    def _shared_segment(self, tokens: Array) -> Segments:
        """Return the keys and values of the tokens with which all prompts begin. The stored keys and values are used if
        they begin with those of these tokens. Otherwise they are computed and stored."""
        length = len(tokens)
        if self._shared is None or not np.array_equal(self._shared[0][:length], tokens):
            stored, _ = self._read([tokens], np.zeros(1, dtype=np.int64), [])
            self._shared = tokens, stored
        return self._shared[1].first(length)

    def _read(
        self, sequences: Sequence[Array], starts: Array, above: Sequence[tuple[Segments, Array]]
    ) -> tuple[Segments, Any]:
        """Compute sequences that follow shared tokens. Return their keys and values, and the logits at their ends."""
        lengths = np.asarray([len(sequence) for sequence in sequences])
        bounds = _boundaries(lengths)
        looks = [
            SegmentQueries(None, bounds, bounds, causal=True),
            *(_queries(level, numbers, bounds) for level, numbers in above),
        ]
        tokens = np.concatenate(sequences)
        positions = np.arange(len(tokens)) + np.repeat(starts - bounds[:-1], lengths)
        stored = Segments(lengths.tolist())
        plan = PassPlan(looks, keep=stored, device=self._device)
        return stored, forward(self._model, tokens, positions, bounds[1:] - 1, plan)

    def _read_tails(
        self, rows: Sequence[_Row], active: Sequence[int], levels: Sequence[tuple[Segments, Array]], tail: Tail
    ) -> Any:
        """Compute the tokens of active rows that the model has not read yet. Return the logits after these tokens."""
        places = np.asarray(active)
        lengths = np.asarray([len(rows[place].pending) for place in active])
        bounds = _boundaries(lengths)
        tokens = np.fromiter(chain.from_iterable(rows[place].pending for place in active), np.int64, bounds[-1])
        used = np.asarray([row.tail for row in rows])
        begins = used[places]
        counts = np.zeros(len(rows), dtype=np.int64)
        counts[places] = lengths
        used += counts
        for place, length in zip(active, lengths.tolist(), strict=True):
            rows[place].tail += length
            rows[place].pending = []
        steps = np.arange(len(tokens))
        prompts = np.asarray([len(rows[place].prompt) for place in active])
        positions = steps + np.repeat(prompts + begins - bounds[:-1], lengths)
        keys = np.arange(tail.rows + 1) * tail.room
        own = SegmentQueries(tail, _boundaries(counts), keys, causal=True, used=np.maximum(used, 1))
        above = [_queries(level, numbers[places], bounds) for level, numbers in levels]
        plan = PassPlan([own, *above], device=self._device)
        targets = steps + np.repeat(places * tail.room + begins - bounds[:-1], lengths)
        plan.places = torch.from_numpy(targets).to(self._device)
        return forward(self._model, tokens, positions, bounds[1:] - 1, plan)

    def _advance(self, rows: Sequence[_Row], logits: Any) -> None:
        """Choose the next token of each row, and finish rows whose replies are complete."""
        listed = [place for place, row in enumerate(rows) if row.tree is not None]
        written = [place for place, row in enumerate(rows) if row.tree is None]
        if listed:
            self._advance_listed([rows[place] for place in listed], logits, listed)
        tokens = self._sampled([rows[place] for place in written], logits, written)
        for place, token in zip(written, tokens, strict=True):
            self._write(rows[place], token)

    def _advance_listed(self, rows: Sequence[_Row], logits: Any, places: Sequence[int]) -> None:
        """Score or choose the tokens that can follow in the choices of each row."""
        logs = self._listed_logs(rows, logits, places)
        chosen = [place for place, row in enumerate(rows) if not row.request.score]
        if chosen:
            temperatures = [rows[place].request.temperature for place in chosen]
            uniforms = [rows[place].draws.random() for place in chosen]
            picks = drawn_places(logs[chosen], temperatures, uniforms)
            for place, pick in zip(chosen, picks, strict=True):
                self._choose(rows[place], pick)
        for row, values in zip(rows, logs.tolist(), strict=True):
            if row.request.score:
                assert row.tree is not None
                self._score(row, dict(zip(row.tree.nodes[row.node], values, strict=False)))

    def _listed_logs(self, rows: Sequence[_Row], logits: Any, places: Sequence[int]) -> Array:
        """Return, for each row, the log probabilities of the tokens that can follow in one of its choices. Rows with
        fewer tokens than others are padded with minus infinity."""
        numbers: dict[tuple[int, Tokens], int] = {}
        lists: list[Tokens] = []
        which = []
        for row in rows:
            assert row.tree is not None
            number = numbers.setdefault((id(row.tree), row.node), len(lists))
            if number == len(lists):
                lists.append(row.tree.nodes[row.node])
            which.append(number)
        width = max(map(len, lists))
        index = np.asarray([[*tokens, *[tokens[0]] * (width - len(tokens))] for tokens in lists], dtype=np.int64)
        legal = np.arange(width) < np.asarray([[len(tokens)] for tokens in lists])
        chosen = logits[torch.tensor(places, device=self._device)].float()
        wanted = torch.from_numpy(index[which]).to(self._device)
        logs = (chosen.gather(1, wanted) - chosen.logsumexp(dim=1, keepdim=True)).cpu().double().numpy()
        return np.where(legal[which], logs, -np.inf)

    def _choose(self, row: _Row, pick: int) -> None:
        tree = row.tree
        assert tree is not None
        token = tree.nodes[row.node][pick]
        row.output_tokens += 1
        row.node = (*row.node, token)
        rest = tree.after(row.node)
        row.node += rest
        row.pending += [token, *rest]
        if row.node in tree.nodes:
            return
        self._close(row, row.slots[row.slot].choices[tree.paths.index(row.node)])

    def _sampled(self, rows: Sequence[_Row], logits: Any, places: Sequence[int]) -> list[int]:
        """Return the next token of each row, sampled with the row's own seed."""
        if not rows:
            return []
        # A model may have logits for more tokens than its tokenizer knows.
        chosen = logits[torch.tensor(places, device=self._device), : len(self._pieces)].float()
        settings = [(row.draws.random(), row.request.temperature) for row in rows]
        uniform = torch.tensor([[drawn] for drawn, _ in settings], device=self._device)
        # A division by a temperature of 0 has no effect, since these rows take the most probable token.
        scale = torch.tensor([[temperature or 1.0] for _, temperature in settings], device=self._device)
        greedy = torch.tensor([temperature == 0 for _, temperature in settings], device=self._device)
        sums = (chosen / scale).softmax(dim=1).cumsum(dim=1)
        drawn = torch.searchsorted(sums, uniform * sums[:, -1:]).squeeze(1).clamp(max=sums.shape[1] - 1)
        tokens: list[int] = torch.where(greedy, chosen.argmax(dim=1), drawn).tolist()
        return tokens

    def _write(self, row: _Row, token: int) -> None:
        row.output_tokens += 1
        slot = row.slots[row.slot] if row.slots else None
        ended = token in (self._stops if slot is None else self._ends)
        if not ended:
            row.written.append(token)
            row.pending.append(token)
            row.characters += len(self._pieces[token])
        most = row.request.max_tokens if slot is None else min(row.request.max_tokens, slot.most)
        full = len(row.written) >= most or (slot is not None and row.characters >= slot.most)
        if not ended and not full:
            return
        text = self._tokenizer.decode(row.written)
        if slot is None:
            self._finish(row, text, cut=not ended)
            return
        if ended and token not in self._stops:
            text += self._pieces[token].partition("<")[0].partition("\n")[0]
        text = text[: slot.most].strip()
        row.pending += self._tokens(slot.end)
        self._close(row, text)

    def _close(self, row: _Row, text: str) -> None:
        """Complete the current slot of a row with a text, and go on to the next slot."""
        slot = row.slots[row.slot]
        row.text += f"{slot.before}{text}{slot.end}"
        row.slot += 1
        if row.slot == len(row.slots):
            self._finish(row, row.text)
            return
        row.pending += self._open(row)
        row.written, row.characters = [], 0

    def _score(self, row: _Row, logs: Mapping[int, float]) -> None:
        """Store the log probabilities that were seen at a node, and go on to the next node. After the last node, finish
        the row with the probabilities of its choices."""
        tree = row.tree
        assert tree is not None
        row.seen[row.node] = logs
        rest = [node for node in tree.nodes if node not in row.seen]
        if rest:
            # After the prompt, the beginning that leads to the next node replaces the beginning that led to this one.
            row.node, row.pending, row.tail = rest[0], list(rest[0][len(tree.after(())) :]), 0
            return
        totals, outside = tree.log_probabilities(row.seen, row.request.temperature)
        self._finish(row, "", log_probabilities=totals, outside=outside)

    def _finish(self, row: _Row, text: str, *, cut: bool = False, **result: Any) -> None:
        row.reply = EngineReply(
            text=text,
            input_tokens=len(row.prompt),
            output_tokens=row.output_tokens,
            cached_tokens=row.cached,
            finish_reason="length" if cut else "stop",
            **result,
        )

    def _open(self, row: _Row) -> Tokens:
        """Return all tokens before the first difference between the choices of the row's slot, and set the row to this
        node."""
        slot = row.slots[row.slot]
        if not slot.choices:
            row.tree, row.node = None, ()
            return self._tokens(slot.before)
        row.tree, before = self._tree(slot)
        row.node = row.tree.after(())
        return before + row.node

    def _choice_tree(self, slot: Slot) -> tuple[ChoiceTree, Tokens]:
        whole = [self._tokens(slot.before + choice + slot.end) for choice in slot.choices]
        return ChoiceTree.of(self._tokens(slot.before), whole)

    def _tokenized(self, text: str) -> Tokens:
        return tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def _chunks(rows: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    """Yield rows in groups that are computed together."""
    chunk: list[_Row] = []
    tokens = 0
    for row in rows:
        # All tokens are counted, because the number of shared tokens is not known yet.
        if chunk and (len(chunk) == MAX_WAVE_ROWS or tokens + len(row.prompt) > MAX_WAVE_TOKENS * 8):
            yield chunk
            chunk, tokens = [], 0
        chunk.append(row)
        tokens += len(row.prompt)
    if chunk:
        yield chunk


def _common(first: Array, second: Array) -> int:
    """Return the number of tokens with which both prompts begin. At least the last token of each prompt is not
    counted."""
    most = min(len(first), len(second)) - 1
    differing = np.flatnonzero(first[:most] != second[:most])
    return int(differing[0]) if len(differing) else most


def _groups(common: Sequence[int], lengths: Sequence[int], shared: int) -> list[tuple[int, int, int]]:
    """Return groups of neighbouring prompts that have more tokens in common than all prompts have. Each group is given
    by the index of its first prompt, the index after its last one, and the number of common tokens. Return an empty
    list if no two prompts have more in common. `common` has the number of tokens that each prompt has in common with
    the next one."""
    neighbours = [0, *common, 0]
    splits = [
        length < max(shared, *neighbours[place : place + 3 : 2]) - _MIN_SHARED_TOKENS
        or length < shared + _MIN_SHARED_TOKENS
        for place, length in enumerate(common)
    ]
    if all(splits):
        return []
    starts = [0, *(place + 1 for place, split in enumerate(splits) if split)]
    return [
        (first, end, max(shared + 1, min(common[first : end - 1], default=lengths[first] - 1)))
        for first, end in pairwise([*starts, len(lengths)])
    ]


def _boundaries(lengths: Array) -> Array:
    return np.concatenate([[0], np.cumsum(lengths)])


def _queries(level: Segments, numbers: Array, bounds: Array) -> SegmentQueries:
    """Return the attention of rows of packed tokens to segments. `numbers` has the number of each row's segment, in
    ascending order."""
    queries = bounds[np.searchsorted(numbers, np.arange(len(level.lengths) + 1))]
    return SegmentQueries(level, queries, _boundaries(np.asarray(level.lengths)))
