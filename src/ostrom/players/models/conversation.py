"""The conversation of a model through one game: what it was asked and what it replied, turn by turn. It is bounded:
when it grows too long, its oldest turns are replaced by their numbers, made from what the seat saw and never by a
model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ostrom.core import Line

LONGEST_REPLY = 2_000
"""Characters of a reply that stay in the conversation."""
LONGEST_REFUSED = 600
"""Characters of a refused reply that are shown again."""


def cut(text: str, most: int) -> str:
    """A text with its middle left out where it is too long: answers tend to stand at the ends."""
    text = text.strip()
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn that was asked and decided. One that was defaulted has no words, only figures."""

    figures: Mapping[str, Any]
    asked: str = ""
    replied: str = ""

    @property
    def size(self) -> int:
        """Characters."""
        return len(self.asked) + len(self.replied)


@dataclass(slots=True)
class Conversation:
    """What is kept of the turns so far. It is a fold over decided turns: the same turns give the same conversation."""

    most: int
    """Characters to be kept at most."""
    kept: list[Exchange] = field(default_factory=list)
    folded: list[Mapping[str, Any]] = field(default_factory=list)
    """The figures of turns whose words are gone, oldest first."""
    size: int = 0

    def add(self, exchange: Exchange) -> None:
        """Keep a turn. When the conversation is too long it is cut to half of what is allowed, so that its beginning
        stays the same for many turns."""
        self.kept.append(exchange)
        self.size += exchange.size
        if self.size <= self.most:
            return
        while self.kept and self.size > self.most // 2:
            oldest = self.kept.pop(0)
            self.size -= oldest.size
            self.folded.append(oldest.figures)

    def after_folded(self, now: Mapping[str, Any]) -> Mapping[str, Any]:
        """The figures of the turn after the last one that is folded."""
        return self.kept[0].figures if self.kept else now

    def lines(self, asked: str, summary: str | None) -> list[Line]:
        """The turns that are kept and what is asked now, as messages of a user and a model in turn. The first is told
        after the summary of the turns that are gone."""
        spoken = [exchange for exchange in self.kept if exchange.replied]
        lines = [line for one in spoken for line in (Line("user", one.asked), Line("assistant", one.replied))]
        lines.append(Line("user", asked))
        if summary is not None:
            lines[0] = Line("user", f"{summary}\n\n{lines[0].text}")
        return lines
