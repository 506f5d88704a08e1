"""The lines of a game for a terminal: the opening, and the number of each turn."""

from typing import Any

from ostrom.core.effects import Telling
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Card, Quantity, Scene
from ostrom.core.telling import transcript_lines
from ostrom.experiment import play


class PlainTeller:
    """Says one sentence of each event, without rows."""

    def __init__(self) -> None:
        self.turn = 0

    def opening(self) -> Telling:
        return Telling(turn=0, text=(("two sides, three rounds",),))

    def tell(self, event: Any) -> Telling:
        self.turn += 1
        return Telling(turn=1 + self.turn // 3, text=((f"offer {self.turn}",),))

    def rows(self, event: Any) -> tuple[()]:
        return ()


def test_rounds_are_numbered_where_a_game_has_no_rows(monkeypatch):
    quantities = {"points": Quantity(title="Points")}
    drawn = Scene(
        layout="table",
        title="Offers",
        clock="round",
        quantities=quantities,
        card=Card(quantity="points"),
        final="points",
    )

    class Presentation:
        scene = staticmethod(lambda rules, seats: drawn)
        teller = staticmethod(lambda rules, seats: PlainTeller())

    monkeypatch.setattr("ostrom.core.telling.presentation_of", lambda game: Presentation)
    lines = [line for part in transcript_lines(None, None, range(4), ["a", "b"], opening=True) for line in part]
    assert lines == [
        "two sides, three rounds",
        "round 1",
        "  offer 1",
        "  offer 2",
        "round 2",
        "  offer 3",
        "  offer 4",
    ]


def test_the_opening_comes_first_where_it_is_asked_for():
    match = play(["AllC", "AllD"], game="repeated", seed=1)
    first, *_ = transcript_lines(GAMES["repeated"], match.rules, match.events, match.names, opening=True)
    assert first == ["prisoners-dilemma, 10 rounds"]
