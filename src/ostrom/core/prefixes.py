"""Prefixes of prompts. They are compared in the same way as providers' prompt caches do."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

CHARACTERS_PER_TOKEN: Final = 4
SHORTEST_TOKENS: Final = 1024
"""The shortest prefix that most providers cache."""
BLOCK_TOKENS: Final = 128
"""Prefixes are cached in multiples of this number."""


def prompt_text(messages: Iterable[tuple[str, str]]) -> str:
    """Return messages (role and text) joined into one text. Caches look for prefixes of this text."""
    return "".join(f"<{role}>{text}" for role, text in messages)


def prefix_digests(
    text: str, ends: Iterable[int] | None = None, *, shortest: int = SHORTEST_TOKENS, block: int = BLOCK_TOKENS
) -> Iterator[tuple[int, bytes]]:
    """Yield the length and digest of each prefix that may be cached, the shortest first. Prefixes end at `ends`, or by
    default at every multiple of a block of tokens."""
    size = block * CHARACTERS_PER_TOKEN
    digest, start = hashlib.blake2b(digest_size=16), 0
    for end in range(size, len(text) + 1, size) if ends is None else sorted(ends):
        digest.update(text[start:end].encode("utf-8", "replace"))
        start = end
        if end >= shortest * CHARACTERS_PER_TOKEN:
            yield end, digest.digest()
