"""Which of several replies to the same prompt is taken over."""

import asyncio
from collections.abc import Sequence

from ostrom.core import Line
from ostrom.experiment.reuse import ReusableReplies
from ostrom.journal.replies import GameIdentity, ReplyContent, StoredReply, content_of
from ostrom.players.base import Request

PROMPT = (Line("system", "Rules."), Line("user", "Choose."))
REQUEST = Request(PROMPT, {"temperature": 0}, 10, 10, 0.0)
CONTENT = content_of("model", REQUEST.settings, None, PROMPT)


class Source:
    """A source that returns the name of the call that it reads."""

    def read(self, stored: StoredReply) -> ReplyContent:
        return ReplyContent(stored.source, "stop", None, None, None, {})


def game(number: int, seed: int = 1) -> GameIdentity:
    return str(number), "game", "{}", str(seed), number


def stored(source: str, identity: GameIdentity, turn: int = 1) -> StoredReply:
    return StoredReply(CONTENT, identity, (turn, "move", 0), source, 1, 1, 1)


def taken(
    replies: Sequence[StoredReply], questions: Sequence[tuple[int, int]], used: Sequence[str] = ()
) -> list[str | None]:
    """The sources that are taken over for questions, given as the number of the game and the turn."""
    games = {str(number): game(number) for number, _ in questions}
    reusable = ReusableReplies(Source(), replies, games, used)  # type: ignore[arg-type]

    async def take() -> list[str | None]:
        results = [await reusable.take("model", REQUEST, str(number), (turn, "move", 0)) for number, turn in questions]
        return [None if result is None else result.source for result in results]

    return asyncio.run(take())


def test_the_nth_time_takes_the_nth_reply() -> None:
    replies = [stored(name, game(number, seed=9)) for number, name in enumerate("abc")]
    assert taken(replies, [(0, 1), (1, 1), (2, 1), (3, 1)]) == ["a", "b", "c", None]


def test_a_game_gets_its_own_replies_whatever_the_order() -> None:
    replies = [stored("a", game(0)), stored("b", game(1)), stored("c", game(1), turn=2)]
    assert taken(replies, [(1, 2), (1, 1), (0, 1)]) == ["c", "b", "a"]


def test_a_game_gets_no_reply_of_another_game_that_is_played_too() -> None:
    replies = [stored("a", game(0)), stored("b", game(7))]
    assert taken(replies, [(5, 1), (6, 1), (0, 1)]) == ["b", None, "a"]


def test_a_reply_that_an_earlier_run_took_is_not_taken_again() -> None:
    replies = [stored("a", game(0)), stored("b", game(7)), stored("c", game(8))]
    assert taken(replies, [(0, 1), (5, 1)], used=["a", "b"]) == ["c", None]


def test_content_is_model_settings_layout_and_every_message() -> None:
    contents = {
        CONTENT,
        content_of("other", REQUEST.settings, None, PROMPT),
        content_of("model", {"temperature": 1}, None, PROMPT),
        content_of("model", REQUEST.settings, 2, PROMPT),
        content_of("model", REQUEST.settings, None, PROMPT[1:]),
        content_of("model", REQUEST.settings, None, (Line("user", "Rules."), PROMPT[1])),
        content_of("model", REQUEST.settings, None, (PROMPT[0], Line("user", "Choose!"))),
    }
    assert len(contents) == 7
    assert content_of("model", {"b": 1, "a": 2}, 2, PROMPT) == content_of("model", {"a": 2, "b": 1}, 2, PROMPT)
