"""Every game is told today as it was told when its transcript was written. `python tests/golden/rewrite.py` writes the
transcripts anew where a change is meant."""

from itertools import zip_longest

import pytest
from rewrite import TABLES, game_of, path_of, play, transcript

from ostrom.core.plugins import GAMES
from ostrom.games.commons.events import TurnPlayed
from ostrom.games.market.double_auction.events import MarketLogged

IN_NO_TRANSCRIPT = {MarketLogged.tag}
"""Events of imported games."""


@pytest.mark.parametrize("game", GAMES)
def test_every_registered_game_has_a_transcript(game):
    assert game in TABLES, f"tests/golden/rewrite.py does not say what to play for {game}"
    assert path_of(game).is_file(), f"{path_of(game).name} is missing; tests/golden/rewrite.py writes it"


@pytest.mark.parametrize("game", TABLES)
def test_the_game_is_told_line_by_line_as_before(game):
    before = path_of(game).read_text(encoding="utf-8").splitlines()
    now = transcript(play(game))
    for number, (was, found) in enumerate(zip_longest(before, now), start=1):
        assert found == was, f"{path_of(game).name}, line {number}"


@pytest.mark.parametrize("game", dict.fromkeys(map(game_of, TABLES)))
def test_the_games_told_hold_every_kind_of_event(game):
    told = [play(table) for table in TABLES if game_of(table) == game]
    tags = {event.tag for match in told for event in match.events}
    assert tags == set(told[0].game.events) - IN_NO_TRANSCRIPT


@pytest.mark.parametrize("game", TABLES)
def test_lines_stay_within_100_columns_and_end_in_no_blank(game):
    lines = path_of(game).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 100 or line != line.rstrip()] == []


def test_the_commons_told_holds_lobbying_rotting_money_and_a_seat_that_is_out():
    turns = [event for event in play("commons").events if isinstance(event, TurnPlayed)]
    assert any(amount > 0 for turn in turns for amount in turn.lobby)
    assert any(amount < 0 for turn in turns for amount in turn.lobby)
    assert min(turn.erosion for turn in turns) < 1.0
    assert not all(turns[-1].present)


def test_no_file_is_left_of_a_game_that_is_gone():
    kept = {path.stem for path in path_of("commons").parent.glob("*.txt")}
    # Other tests register games of their own.
    games = {name for name, game in GAMES.items() if game.play.__module__.startswith("ostrom.games.")}
    assert kept == games | (set(TABLES) - set(map(game_of, TABLES)))
