"""Where all seats write before any reads, no message of the round is shown to a seat, a spectator or a program before
the last one is written."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ostrom.journal.sql import Journal
from ostrom.web.api.live import _game_events
from serving import client

ROUND_1 = [f"quokka-{seat}" for seat in range(3)]
ROUND_2 = [f"wombat-{seat}" for seat in range(3)]


class Talk:
    """A game of three people that talk."""

    def __init__(self, http: TestClient, journal: Journal, talk: str) -> None:
        rules = {"rounds": 2, "talk": talk}
        body = {"game": "punish", "players": ["human"] * 3, "seed": 7, "rules": rules}
        started = http.post("/api/games", json=body).json()
        self.http, self.tokens = http, [seat["token"] for seat in started["seats"]]
        self.experiment, self.journal = started["experiment"], journal

    @property
    def game(self) -> str:
        (row,) = self.journal.games(self.experiment)
        return row.id

    def asked(self) -> list[int]:
        """The seats that have a question now."""
        while not (seats := [seat for seat in range(3) if json.loads(self.seat(seat))["question"]]):
            time.sleep(0.01)
        return seats

    def answer(self, seat: int, values: dict[str, object]) -> None:
        question = json.loads(self.seat(seat))["question"]["id"]
        headers = {"Ostrom-Seat": self.tokens[seat]}
        body = {"question": question, "values": values}
        assert self.http.post("/api/seat/answer", json=body, headers=headers).status_code == 200

    def answer_all(self, values: dict[str, object]) -> None:
        for seat in self.asked():
            self.answer(seat, values)

    def seat(self, seat: int) -> str:
        return self.http.get("/api/seat", headers={"Ostrom-Seat": self.tokens[seat]}).text

    def stream(self) -> str:
        """The first message of the stream of a game that has events."""
        service = self.http.app.state.service  # type: ignore[attr-defined]

        async def first() -> bytes:
            source = _game_events(service, self.game, 0)
            try:
                return (await anext(source)).data
            finally:
                await source.aclose()  # type: ignore[attr-defined]

        assert self.http.portal is not None
        data: bytes = self.http.portal.call(first)
        return data.decode()

    def places(self) -> dict[str, str]:
        """All that is shown of the game."""
        paths = (
            "games",
            f"games/{self.game}",
            *(f"games/{self.game}/{part}" for part in ("events", "record", "course")),
        )
        calls = (f"games/{self.game}/calls?turn={turn}" for turn in (1, 2))
        replies = {path: self.http.get(f"/api/{path}") for path in (*paths, *calls)}
        assert {reply.status_code for reply in replies.values()} == {200}
        seats = {f"seat {seat}": self.seat(seat) for seat in range(3)}
        return {**{path: reply.text for path, reply in replies.items()}, **seats, "stream": self.stream()}

    def shown(self, messages: list[str]) -> dict[str, list[str]]:
        """The messages that each place shows, where it shows one."""
        places = self.places().items()
        return {place: said for place, text in places if (said := [word for word in messages if word in text])}


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[tuple[TestClient, Journal]]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal, client(journal) as http:
        yield http, journal
        assert http.portal is not None
        http.portal.call(http.app.state.service.host.close)  # type: ignore[attr-defined]


def play_round(game: Talk, messages: list[str]) -> None:
    """Play a round whose messages nobody has written yet, up to the next round."""
    for _ in messages:
        seat = game.asked()[0]
        game.answer(seat, {"message": messages[seat]})
    game.answer_all({"contribution": 1})
    game.answer_all({"target": "nobody", "spend": 0})


@pytest.mark.slow
def test_no_message_is_shown_before_all_have_written(rooms: tuple[TestClient, Journal]) -> None:
    game = Talk(*rooms, "at-once")
    play_round(game, ROUND_1)
    assert game.shown(ROUND_1)["stream"] == ROUND_1
    order = (2, 0, 1)
    for count, seat in enumerate(order):
        assert game.asked() == sorted(order[count:])
        # Only the page of a seat that has written shows its own message.
        assert game.shown(ROUND_2) == {f"seat {author}": [ROUND_2[author]] for author in order[:count]}
        game.answer(seat, {"message": ROUND_2[seat]})
    game.asked()
    assert {place: said for place, said in game.shown(ROUND_2).items() if place.startswith("seat")} == {
        f"seat {seat}": ROUND_2 for seat in range(3)
    }


def test_in_turn_the_next_seat_reads_the_message(rooms: tuple[TestClient, Journal]) -> None:
    game = Talk(*rooms, "in-turn")
    play_round(game, ROUND_1)
    (first,) = game.asked()
    game.answer(first, {"message": ROUND_2[first]})
    (second,) = game.asked()
    assert game.shown(ROUND_2)[f"seat {second}"] == [ROUND_2[first]]
