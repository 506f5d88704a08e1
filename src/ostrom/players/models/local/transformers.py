"""The backend Transformers, for a folder of weights. PyTorch computes many prompts together, on a GPU or the
processor."""

import math
import os
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final, Self

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from ostrom.core import Fault, InputError
from ostrom.core.text import one_line
from ostrom.players.models.engine import EngineReply, EngineRequest, Slot
from ostrom.players.models.local.choices import ChoiceTree, Tokens, tempered
from ostrom.players.models.local.segments import NAME, Look, Plan, Segments, Tail, check_layers, forward

MAX_WAVE_TOKENS: Final = 2**18
"""The largest number of tokens that are computed in one forward pass."""
MAX_WAVE_ROWS: Final = 2048
"""The largest number of prompts that are computed together."""
_MIN_SHARED_TOKENS: Final = 32
"""The smallest number of common tokens for which prompts share the computation."""


@dataclass(slots=True, eq=False)
class _Row:
    """One request of a wave, with the part of its reply that has been generated."""

    request: EngineRequest
    prompt: list[int]
    draws: random.Random
    slot: int = 0
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
        self._shared: tuple[Tokens, Segments] | None = None
        """The tokens with which all prompts of the last wave began, with their keys and values."""

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
            rows = self._rows(requests)
            order = sorted(range(len(rows)), key=lambda place: rows[place].prompt)
            for chunk in _chunks([rows[place] for place in order]):
                self._answer_rows(chunk)
        return [row.reply or EngineReply(fault=Fault.SERVER_ERROR, reason="no reply") for row in rows]

    def _rows(self, requests: Sequence[EngineRequest]) -> list[_Row]:
        texts = [self._prompt_text(request) for request in requests]
        encoded = self._tokenizer(texts, add_special_tokens=False)["input_ids"]
        rows = []
        for request, prompt in zip(requests, encoded, strict=True):
            row = _Row(request, prompt, random.Random(request.seed))
            if row.slots:
                opening, row.node = self._opening(row.slots[0])
                row.prompt = [*prompt, *opening]
            rows.append(row)
        return rows

    def _prompt_text(self, request: EngineRequest) -> str:
        messages = [{"role": line.role, "content": line.text} for line in request.messages]
        text: str = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return text

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
        """Return the levels of shared tokens, each with the index of every row's segment, and the logits after each
        prompt."""
        # Among sorted prompts, the first and the last have the least in common.
        shared = _common(rows[0].prompt, rows[-1].prompt)
        shared = shared if shared >= _MIN_SHARED_TOKENS else 0
        groups = _groups([row.prompt for row in rows], shared)
        levels: list[tuple[Segments, list[int]]] = []
        start = [0] * len(rows)
        if shared:
            levels.append((self._shared_segment(tuple(rows[0].prompt[:shared])), [0] * len(rows)))
            start = [shared] * len(rows)
        if groups:
            segments = [rows[first].prompt[shared:length] for first, _, length in groups]
            above = [(level, [0] * len(groups)) for level, _ in levels]
            stored, _ = self._read(segments, [shared] * len(groups), above)
            levels.append((stored, [place for place, (first, end, _) in enumerate(groups) for _ in range(first, end)]))
            start = [length for first, end, length in groups for _ in range(first, end)]
        own = [row.prompt[begin:] for row, begin in zip(rows, start, strict=True)]
        for row, begin in zip(rows, start, strict=True):
            row.cached = begin
        stored, logits = self._read(own, start, levels)
        return [*levels, (stored, list(range(len(rows))))], logits

    def _shared_segment(self, tokens: Tokens) -> Segments:
        if self._shared is None or self._shared[0] != tokens:
            stored, _ = self._read([tokens], [0], [])
            self._shared = tokens, stored
        return self._shared[1]

    def _read(
        self, sequences: Sequence[Sequence[int]], starts: Sequence[int], above: Sequence[tuple[Segments, list[int]]]
    ) -> tuple[Segments, Any]:
        """Compute sequences that follow shared tokens; return their keys and values, and the logits at their ends."""
        lengths = [len(sequence) for sequence in sequences]
        bounds = (0, *accumulate(lengths))
        looks = [Look(None, bounds, bounds, causal=True), *(_look(level, numbers, bounds) for level, numbers in above)]
        tokens = [token for sequence in sequences for token in sequence]
        positions = [start + place for start, length in zip(starts, lengths, strict=True) for place in range(length)]
        stored = Segments(lengths)
        plan = Plan(looks, keep=stored, device=self._device)
        return stored, forward(self._model, tokens, positions, [bound - 1 for bound in bounds[1:]], plan)

    def _read_tails(
        self, rows: Sequence[_Row], active: Sequence[int], levels: Sequence[tuple[Segments, list[int]]], tail: Tail
    ) -> Any:
        """Compute the tokens of active rows that the model has not read yet; return the logits after them."""
        pending = [rows[place].pending for place in active]
        bounds = (0, *accumulate(map(len, pending)))
        tokens = [token for sequence in pending for token in sequence]
        begins = [len(rows[place].prompt) + rows[place].tail for place in active]
        positions = [begin + step for begin, new in zip(begins, pending, strict=True) for step in range(len(new))]
        places, used, keys = [], [0] * tail.rows, tuple(range(0, tail.rows * tail.room + 1, tail.room))
        queries = [0]
        at = dict(zip(active, pairwise(bounds), strict=True))
        for place in range(tail.rows):
            first, end = at.get(place, (queries[-1], queries[-1]))
            queries.append(end)
            row = rows[place]
            places += [place * tail.room + row.tail + step for step in range(end - first)]
            row.tail += end - first
            used[place] = max(1, row.tail)
            row.pending = row.pending if place not in at else []
        own = Look(tail, tuple(queries), keys, causal=True, used=tuple(used))
        above = [(level, [numbers[place] for place in active]) for level, numbers in levels]
        plan = Plan([own, *(_look(level, numbers, bounds) for level, numbers in above)], device=self._device)
        plan.places = torch.tensor(places, dtype=torch.long, device=self._device)
        return forward(self._model, tokens, positions, [bound - 1 for bound in bounds[1:]], plan)

    def _advance(self, rows: Sequence[_Row], logits: Any) -> None:
        """Choose the next token of each row, and finish rows whose replies are complete."""
        listed = [place for place, row in enumerate(rows) if row.slots and row.slots[row.slot].choices]
        written = [place for place, row in enumerate(rows) if not (row.slots and row.slots[row.slot].choices)]
        seen = self._listed_logs([rows[place] for place in listed], logits, listed)
        for place, (tree, logs) in zip(listed, seen, strict=True):
            go_on = self._score if rows[place].request.score else self._choose
            go_on(rows[place], tree, logs)
        tokens = self._sampled([rows[place] for place in written], logits, written)
        for place, token in zip(written, tokens, strict=True):
            self._write(rows[place], token)

    def _listed_logs(
        self, rows: Sequence[_Row], logits: Any, places: Sequence[int]
    ) -> Iterator[tuple[ChoiceTree, dict[int, float]]]:
        """Yield, for each row, the log probabilities of the tokens that can follow in one of its choices."""
        if not rows:
            return
        trees = [self._tree(row.slots[row.slot])[0] for row in rows]
        tokens = [tree.nodes[row.node] for tree, row in zip(trees, rows, strict=True)]
        width = max(map(len, tokens))
        index = torch.tensor([[*own, *[own[0]] * (width - len(own))] for own in tokens], device=self._device)
        chosen = logits[torch.tensor(places, device=self._device)].float()
        logs = (chosen.gather(1, index) - chosen.logsumexp(dim=1, keepdim=True)).tolist()
        for tree, own, values in zip(trees, tokens, logs, strict=True):
            yield tree, dict(zip(own, values, strict=False))

    def _choose(self, row: _Row, tree: ChoiceTree, logs: Mapping[int, float]) -> None:
        chances = [math.exp(log) for log in tempered(list(logs.values()), row.request.temperature)]
        token = row.draws.choices(list(logs), chances)[0]
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
        # A model may have entries for more tokens than its tokenizer has.
        chosen = logits[torch.tensor(places, device=self._device), : len(self._pieces)].float()
        temperatures = [1.0 if row.request.temperature is None else row.request.temperature for row in rows]
        scale = torch.tensor([temperature or 1.0 for temperature in temperatures], device=self._device)
        sums = (chosen / scale.unsqueeze(1)).softmax(dim=1).cumsum(dim=1)
        uniform = torch.tensor([[row.draws.random()] for row in rows], device=self._device)
        drawn = torch.searchsorted(sums, uniform * sums[:, -1:]).squeeze(1).clamp(max=sums.shape[1] - 1)
        greedy = torch.tensor([temperature == 0 for temperature in temperatures], device=self._device)
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
        """Fill the current slot of a row with a text, and go on to the next slot."""
        slot = row.slots[row.slot]
        row.text += f"{slot.before}{text}{slot.end}"
        row.slot += 1
        if row.slot == len(row.slots):
            self._finish(row, row.text)
            return
        opening, row.node = self._opening(row.slots[row.slot])
        row.pending += opening
        row.written, row.characters = [], 0

    def _score(self, row: _Row, tree: ChoiceTree, logs: Mapping[int, float]) -> None:
        """Store the log probabilities that were seen at a node, and go on to the next node. After the last node, finish
        the row with the probabilities of its choices."""
        row.seen[row.node] = logs
        rest = [node for node in tree.nodes if node not in row.seen]
        if rest:
            # The next beginning replaces this one after the prompt.
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

    def _opening(self, slot: Slot) -> tuple[Tokens, Tokens]:
        """Return all tokens before the first difference between a slot's choices, and the part of these tokens that
        belongs to the choices."""
        if not slot.choices:
            return self._tokens(slot.before), ()
        tree, before = self._tree(slot)
        return before + tree.after(()), tree.after(())

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


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the number of tokens with which both prompts begin. It leaves at least the last token of each prompt."""
    most = min(len(first), len(second)) - 1
    if first[:most] == second[:most]:
        return most
    low = 0
    step = most
    while step:
        step //= 2
        middle = min(most, low + max(step, 1))
        if first[low:middle] == second[low:middle]:
            low = middle
        elif middle - low == 1:
            break
    return low


def _groups(prompts: Sequence[Sequence[int]], shared: int) -> list[tuple[int, int, int]]:
    """Return groups of consecutive sorted prompts that have more tokens in common than all prompts have. Each group is
    its first index, its end, and the number of common tokens. Return an empty list if no two prompts have more in
    common."""
    common = [_common(first, second) for first, second in pairwise(prompts)]
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
        (first, end, max(shared + 1, min(common[first : end - 1], default=len(prompts[first]) - 1)))
        for first, end in pairwise([*starts, len(prompts)])
    ]


def _look(level: Segments, numbers: Sequence[int], bounds: Sequence[int]) -> Look:
    """Return how rows of packed tokens attend to the segments with these numbers, which are in ascending order."""
    queries, row = [bounds[0]], 0
    for segment in range(len(level.lengths)):
        while row < len(numbers) and numbers[row] == segment:
            row += 1
        queries.append(bounds[row])
    return Look(level, tuple(queries), (0, *accumulate(level.lengths)))
