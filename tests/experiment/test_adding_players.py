"""A player is added to a benchmark with the games that it lacks: what was played stays as it was, seats and meetings
are even over all games, and boards pool old and new games."""

import inspect
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ostrom
from ostrom.cli.experiments import add
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part, benchmark, experiment_of
from ostrom.experiment.schedule import ADAPTIVE
from ostrom.players.models.bots import Bot
from ostrom.players.roster import ModelContestant, built_in_names, seat_players

PUNISH = GAMES.of_command("punish")
NAMES = ["Cooperator", "FreeRider", "ConditionalCooperator", "AltruisticPunisher", "Retaliator"]


def planned(games: int = 20, seats: int = 3, names: list[str] | None = None) -> Experiment:
    rules = PUNISH.rules(rounds=1)
    return benchmark(PUNISH, seat_players(PUNISH.name, names or NAMES), rules, games, seats, 7)


def tables(one: Experiment) -> dict[str, list[str]]:
    return {fixture.key: [player.name for player in fixture.contestants] for fixture in one.fixtures()}


def test_the_games_that_were_planned_stay_and_the_new_player_sits_in_all_others() -> None:
    before = planned()
    after = before.with_players(seat_players(PUNISH.name, ["RandomGiver"]))
    old, new = tables(before), tables(after)
    assert {key: new[key] for key in old} == old
    lacked = {key: seated for key, seated in new.items() if key not in old}
    # Each of the five was to play 20 · 3 / 5 games.
    assert list(lacked) == [str(number) for number in range(20, 32)]
    assert after.games == len(new) == 32
    assert all(seated.count("RandomGiver") == 1 for seated in lacked.values())
    seats = Counter(seated.index("RandomGiver") for seated in lacked.values())
    assert set(seats.values()) == {4}
    met = Counter(player for seated in lacked.values() for player in seated if player != "RandomGiver")
    assert max(met.values()) - min(met.values()) <= 1
    # No draw of a new game is that of an old one.
    drawn = [(fixture.chance.seed, fixture.chance.game) for fixture in after.fixtures()]  # type: ignore[attr-defined]
    assert len(set(drawn)) == 32


def test_two_are_added_one_after_the_other_and_meet() -> None:
    after = planned(40).with_players(seat_players(PUNISH.name, ["RandomGiver", "LeaderPunisher"]))
    new = list(tables(after).values())[40:]
    sat = Counter(player for seated in new for player in seated)
    assert (sat["LeaderPunisher"], len(new)) == (24, 48)
    together = sum({"RandomGiver", "LeaderPunisher"} <= set(seated) for seated in new)
    assert 0 < together < 24
    again = experiment_of("x", after.settings)
    assert tables(again) == tables(after)


def test_of_pairs_the_missing_ones_meet_in_both_roles() -> None:
    game = next(game for game in GAMES.values() if game.seats.most == 2 and not game.instrument)
    names = built_in_names(game.name)[:4]
    before = benchmark(game, seat_players(game.name, names[:3]), game.rules(), 12, None, 1)
    after = before.with_players(seat_players(game.name, names[3:4]))
    new = Counter(tuple(seated) for key, seated in tables(after).items() if key not in tables(before))
    assert set(new.values()) == {2}
    assert set(new) == {(names[3], one) for one in names[:3]} | {(one, names[3]) for one in names[:3]}


def test_a_model_is_kept_as_it_is_described() -> None:
    bot = Bot(name="ash", model="openai:gpt-5-mini", personality="calm")
    after = planned().with_players([ModelContestant(bot, PUNISH.name)], games=4)
    again = experiment_of("x", after.settings)
    assert (list(again.models), again.games) == (["ash"], 24)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"until": "width(mean_final) < 1"}, "depends on its results"),
        ({"schedule": ADAPTIVE}, "depends on its results"),
        ({"schedule": 1}, "an older Ostrom"),
        ({"registration": {"digest": "x"}}, "registered"),
    ],
)
def test_what_cannot_have_more_players_says_so(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        replace(planned(), **change).with_players(seat_players(PUNISH.name, ["RandomGiver"]))


def test_who_plays_already_is_not_added_and_nobody_is_nobody() -> None:
    with pytest.raises(InputError, match="FreeRider already plays"):
        planned().with_players(seat_players(PUNISH.name, ["FreeRider"]))
    with pytest.raises(InputError, match="name the players to be added"):
        planned().with_players([])
    fixed = Part(PUNISH, PUNISH.rules(), seat_players(PUNISH.name, NAMES), 5, 1, 1, fixed=True)
    with pytest.raises(InputError, match="sit at every table"):
        Experiment((fixed,)).with_players(seat_players(PUNISH.name, ["RandomGiver"]))


def test_boards_pool_the_old_games_and_the_new_ones(tmp_path: Path) -> None:
    store = tmp_path / "journal.db"
    rules = {"rounds": 1}
    first = ostrom.bench(NAMES, game="punish", games=10, seats=3, rules=rules, seed=3, store=store, progress=False)
    before = {game.id: list(game.players) for game in first.games()}
    after = first.add(["RandomGiver"], progress=False)
    assert (after.id, after.state, len(after.games())) == (first.id, "finished", 16)
    assert {game.id: list(game.players) for game in after.games() if game.id in before} == before
    played = Counter(player for game in after.games() for player in game.players)
    assert played["RandomGiver"] == 6
    assert "RandomGiver" in after.ratings().to_frame()["player"].to_list()
    # Added once more, it is there already; resumed, nothing is left to play.
    with pytest.raises(InputError, match="already plays"):
        after.add(["RandomGiver"])
    assert len(after.resume(progress=False).games()) == 16


def test_the_command_takes_the_limits_of_a_benchmark() -> None:
    assert {"budget", "token_budget", "dry_run", "games", "include", "llm"} <= set(inspect.signature(add).parameters)
