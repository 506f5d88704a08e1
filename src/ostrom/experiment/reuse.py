"""Reuse replies of models from another journal instead of making calls again. A reply is reused if the model, its
settings and every message of the prompt are the same."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from ostrom.core import Call, GameChance, InputError, QuestionKey, Seat, Usage
from ostrom.core.errors import field
from ostrom.core.questions import DISTRIBUTION
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture, head_of
from ostrom.journal.engine import locate, store_url
from ostrom.journal.replies import GameIdentity, ReplyContent, StoredReplies, StoredReply, content_of, identity_of
from ostrom.journal.sql import Journal
from ostrom.players.base import REFUSAL, Contestant, Price, Reply, Request, is_remote
from ostrom.players.models.distribution import OUTSIDE, UNSEEN

_KEPT_EXTRAS: Final = (REFUSAL, "reasoning", DISTRIBUTION, OUTSIDE, UNSEEN, "sampled")
"""The keys in the extras of a stored reply that belong to the reply itself. All other keys are about its cost."""


@dataclass(frozen=True, slots=True)
class ReusedReply:
    """A reply that is reused from another journal."""

    source: str
    content: ReplyContent

    @property
    def reply(self) -> Reply:
        """The reply, without usage and cost."""
        extra = {name: value for name, value in self.content.extra.items() if name in _KEPT_EXTRAS}
        return Reply(self.content.text or "", Usage(), 0.0, self.content.finish_reason, {}, extra)

    def call(self, attempt: int, request: Request, model: str, price: Price | None) -> Call:
        """Return the record of a call that uses this reply as the reply to a request. The cost of the call is 0.
        `price` computes the price that the call would have had."""
        usage, saved = self.content.usage, self.content.saved
        if usage is not None and price is not None:
            saved = price(usage)
        return Call(
            attempt=attempt,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            model=model,
            settings={"requested": request.settings, "effective": {}},
            prompt=request.prompt,
            reply=self.content.text,
            cost=0.0,
            finish_reason=self.content.finish_reason,
            layout=request.layout,
            reused=self.source,
            saved=saved,
            extra=self.reply.extra,
        )


class ReusableReplies:
    """The replies of a source journal that an experiment can reuse, each of them once. A game gets the replies of the
    source's game with the same identity (key, rules, seed and number), its counterpart. A game without a counterpart
    gets the first fitting reply in the order of the source; replies of games that are counterparts are left out. So
    when a request is made for the n-th time, the n-th reply is used."""

    def __init__(
        self,
        replies: StoredReplies,
        stored: Iterable[StoredReply],
        games: Mapping[str, GameIdentity],
        used: Collection[str] = (),
    ) -> None:
        """`games` are the games of this experiment, by key; `used` has the sources of the replies that the experiment
        has already reused."""
        self._replies = replies
        self._games = games
        self._own: dict[tuple[str, GameIdentity, QuestionKey], deque[StoredReply]] = defaultdict(deque)
        self._others: dict[str, deque[StoredReply]] = defaultdict(deque)
        identities = frozenset(games.values())
        for reply in stored:
            if reply.source in used:
                continue
            if reply.game in identities:
                self._own[reply.content, reply.game, reply.key].append(reply)
            else:
                self._others[reply.content].append(reply)

    async def take(self, model: str, request: Request, game: str, key: QuestionKey) -> ReusedReply | None:
        """Return the reply for a request of the game with this key, or None if no reply is left."""
        content = content_of(model, request.settings, request.layout, request.prompt)
        own = self._own.get((content, self._games[game], key)) if game in self._games else None
        queue = own or self._others.get(content)
        if not queue:
            return None
        stored = queue.popleft()
        return ReusedReply(stored.source, await asyncio.to_thread(self._replies.read, stored))


@contextmanager
def reusable_replies(
    limits: Limits, journal: Journal, experiment: str, fixtures: Sequence[Fixture]
) -> Iterator[ReusableReplies | None]:
    """Open the journal from which replies are reused, and index its replies. It is opened for reading only. Yield None
    if no such journal is named."""
    if limits.reuse is None:
        yield None
        return
    models: set[str] = set()
    for contestant in {player.name: player for fixture in fixtures for player in fixture.contestants}.values():
        player = contestant.sit(Seat(0), GameChance(0))
        if is_remote(player):
            models.add(player.endpoint.model)
    games = {fixture.key: identity_of(fixture.key, head_of(fixture)) for fixture in fixtures}
    with open_source(limits.reuse) as source:
        without = experiment if source.is_same(journal) else None
        stored = source.replies.index(sorted(models), without)
        yield ReusableReplies(source.replies, stored, games, journal.replies.taken_over(experiment))


def open_source(url: str) -> Journal:
    """Return the journal at a URL or path, open for reading only."""
    return Journal.open(store_url(url), only_read=True)


def check_reuse(contestants: Sequence[Contestant], limits: Limits) -> None:
    """Raise InputError for a journal that cannot be read. Also raise it for models whose replies are random draws,
    unless the user accepts that such replies are reused."""
    if limits.reuse is None:
        if limits.reuse_sampled:
            raise InputError(f"{field('reuse_sampled')} is for {field('reuse', 'JOURNAL')}")
        return
    if not limits.reuse_sampled:
        for contestant in contestants:
            temperature = getattr(getattr(contestant, "bot", None), "temperature", 0)
            if temperature != 0:
                stated = "not set" if temperature is None else f"{temperature:g}"
                raise InputError(
                    f"the temperature of {contestant.name} is {stated}, so its replies are random draws, and games "
                    f"that reuse the same replies are not independent; {field('reuse_sampled')} accepts that"
                )
    open_source(limits.reuse).close()


def source_label(limits: Limits) -> str | None:
    """Return the name of the journal from which replies are reused, without a password."""
    return None if limits.reuse is None else locate(store_url(limits.reuse)).label
