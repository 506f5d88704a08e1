"""The tokens of many prompts. Prompts of a wave repeat the rules and the past. So each text between special tokens is
tokenized only once."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ostrom.core.arrays import Array


class PromptTokenizer:
    """Tokenizes prompts, which contain special tokens, with a tokenizer of Transformers."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        special = sorted({str(token) for token in tokenizer.all_special_tokens}, key=len, reverse=True)
        self._special = re.compile(f"({'|'.join(map(re.escape, special))})") if special else None
        self._known: Mapping[str, Array] = {}
        """The tokens of the texts of the last wave."""
        if self._special is not None and not self._separates(special):
            self._special = None

    def __call__(self, texts: Sequence[str]) -> list[Array]:
        """Return the tokens of each text."""
        pieces = [self._pieces(text) for text in texts]
        unique = dict.fromkeys(piece for parts in pieces for piece in parts)
        new = [piece for piece in unique if piece not in self._known]
        known = {piece: self._known[piece] for piece in unique if piece in self._known}
        self._known = known | dict(zip(new, self._encode(new), strict=True))
        return [np.concatenate([self._known[piece] for piece in parts]) for parts in pieces]

    def _pieces(self, text: str) -> list[str]:
        if self._special is None:
            return [text]
        return [piece for piece in self._special.split(text) if piece] or [text]

    def _encode(self, texts: Sequence[str]) -> list[Array]:
        if not texts:
            return []
        options = {"add_special_tokens": False, "return_attention_mask": False, "return_token_type_ids": False}
        encoded = self._tokenizer(list(texts), **options)["input_ids"]
        return [np.asarray(tokens, dtype=np.int64) for tokens in encoded]

    def _separates(self, special: Sequence[str]) -> bool:
        """Return whether the tokens between special tokens are independent of the text beyond them. This is tested on a
        few texts, since some tokenizers treat the beginning of a text, or spaces beside special tokens, in a special
        way."""
        texts = [f"a word\n{token}\n another {token}word {token} \n\n{token}{token}1 2" for token in special]
        pieces = [[piece for piece in re.split(self._special or "", text) if piece] for text in texts]
        parts = iter(self._encode([piece for own in pieces for piece in own]))
        return all(
            np.array_equal(np.concatenate([next(parts) for _ in own]), whole)
            for own, whole in zip(pieces, self._encode(texts), strict=True)
        )
