"""The prompt cache of the provider. It determines the part of a prompt that is read from the cache, and the input that
is billed. As with real providers, a prefix has a minimum length, is matched in whole blocks, and is forgotten if it is
not read again."""

import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ostrom.core.prefixes import BLOCK_TOKENS, CHARACTERS_PER_TOKEN, SHORTEST_TOKENS, prefix_digests


@dataclass(frozen=True, slots=True)
class CacheRules:
    """The rules and prices of a prompt cache. Prices are multiples of the price of uncached input."""

    shortest: int = SHORTEST_TOKENS
    """The shortest prefix that is cached, in tokens."""
    block: int = BLOCK_TOKENS
    """A number of tokens. Prefixes are cached in multiples of it, and at marks."""
    lifetime_s: float = 300.0
    """The time after which a prefix is forgotten if it was not read."""
    read_price: float = 0.1
    write_price: float = 1.0
    batch_price: float = 0.5
    combines: bool = True
    """True if the discounts for cached input and for batches are multiplied. Otherwise only the larger discount
    applies."""

    def billed(self, use: "CacheUse", *, batch: bool = False) -> float:
        """Return the input that is billed, in tokens at the full price."""
        plain = use.input_tokens - use.read_tokens - use.write_tokens
        counts = ((1.0, plain), (self.read_price, use.read_tokens), (self.write_price, use.write_tokens))
        return sum(self._price(price, batch=batch) * count for price, count in counts)

    def _price(self, price: float, *, batch: bool) -> float:
        if not batch:
            return price
        return price * self.batch_price if self.combines else min(price, self.batch_price)


@dataclass(frozen=True, slots=True)
class CacheUse:
    """The parts of one request's input: read from the cache, written to it, or neither."""

    input_tokens: int
    read_tokens: int = 0
    write_tokens: int = 0

    def within(self, tokens: int) -> "CacheUse":
        """Return the use for a prompt that is counted as this number of tokens."""
        read = min(self.read_tokens, tokens)
        return CacheUse(tokens, read, min(self.write_tokens, tokens - read))


@dataclass(slots=True)
class PromptCache:
    """The cached prefixes by model. The cache also counts, regardless of its rules, the part of every prompt that an
    earlier prompt of the same model began with too."""

    rules: CacheRules
    _expiry: dict[tuple[str, int, bytes], float] = field(default_factory=dict)
    """The time at which a prefix is forgotten, by model, length and digest."""
    _texts: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Earlier prompts in sorted order."""
    _counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _billed: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def read(self, model: str, text: str, now: float, marks: Sequence[int] | None = None) -> CacheUse:
        """Return the part of a prompt that is cached, and refresh its lifetime. With marks, only the text before a mark
        is cached."""
        tokens = -(-len(text) // CHARACTERS_PER_TOKEN)
        prefixes = list(self._prefixes(model, text, marks))
        known = [prefix for prefix in prefixes if self._expiry.get(prefix, -1.0) >= now]
        for prefix in known:
            self._expiry[prefix] = now + self.rules.lifetime_s
        read = max((length for _, length, _ in known), default=0) // CHARACTERS_PER_TOKEN
        end = max((length for _, length, _ in prefixes), default=0) // CHARACTERS_PER_TOKEN
        return CacheUse(tokens, read, max(0, end - read))

    def write(self, model: str, text: str, now: float, marks: Sequence[int] | None = None) -> None:
        """Cache the prefixes of a prompt. They can be read from now on."""
        for prefix in self._prefixes(model, text, marks):
            self._expiry[prefix] = now + self.rules.lifetime_s

    def account(self, model: str, text: str, use: CacheUse, *, batch: bool = False) -> None:
        """Add a request that is charged to the account of the cache."""
        shared = self._shared_characters(model, text)
        counts = {"input_tokens": use.input_tokens, "read_tokens": use.read_tokens, "write_tokens": use.write_tokens}
        self._counts[model].update(calls=1, characters=len(text), shared_characters=shared, **counts)
        self._billed[model] += self.rules.billed(use, batch=batch)

    def summary(self) -> dict[str, dict[str, float]]:
        """Return the account by model: the tokens read and written, the billed input in tokens at the full price, the
        number of all characters, and the number of those with which an earlier prompt began too."""
        return {model: {**counts, "billed_tokens": self._billed[model]} for model, counts in self._counts.items()}

    def _shared_characters(self, model: str, text: str) -> int:
        texts = self._texts[model]
        place = bisect.bisect_left(texts, text)
        shared = max((_common(text, other) for other in texts[max(0, place - 1) : place + 1]), default=0)
        texts.insert(place, text)
        return shared

    def _prefixes(self, model: str, text: str, marks: Sequence[int] | None) -> Iterator[tuple[str, int, bytes]]:
        """Yield the prefixes that may be cached, in order of length."""
        for end, digest in prefix_digests(text, marks, shortest=self.rules.shortest, block=self.rules.block):
            yield model, end, digest


def _common(text: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if text[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
