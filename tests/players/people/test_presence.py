"""Who is at a seat: whoever follows it, and for a moment whoever has asked; the clock is a test's own."""

import asyncio

import pytest

from ostrom.players.people.seat import Presence


def test_who_asks_is_here_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        now = 100.0
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        presence = Presence()
        assert (presence.opened, presence.here) == (False, False)
        assert presence.asked()
        assert (presence.opened, presence.here) == (True, True)
        now += 9
        assert presence.here
        now += 2
        assert (presence.opened, presence.here) == (True, False)
        assert not presence.asked()  # not for the first time
        assert presence.here

    asyncio.run(test())


def test_who_follows_is_here_until_the_last_page_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        now = 100.0
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
        presence = Presence()
        presence.asked()
        with presence.following():
            with presence.following():
                now += 3600
                assert presence.here
            assert presence.here
            presence.asked()
        assert not presence.here  # closed, and so gone at once

    asyncio.run(test())
