"""Benchmarks of a market: six models over real HTTP with every role equally often, mirrored games with the same drawn
values, and ten people at one market."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ostrom
from at_seats import all_sit, call
from ostrom.analysis.seated_results import estimand_of
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.games.market.double_auction.tables import tables_of
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.players.roster import strategies_of
from ostrom.testing.provider import Provider
from serving import running

MODELS = ("ash", "beech", "cedar", "elm", "larch", "pine")
GAME = GAMES["double_auction"]


def names_by_role(record: GameRecord) -> tuple[list[str], list[str]]:
    names = [seat.player for seat in record.seats]
    half = len(names) // 2
    return names[:half], names[half:]


def dealt(record: GameRecord) -> list[float]:
    values: list[float] = record.events[0]["values"]
    return values


def meetings(records: Sequence[GameRecord]) -> Counter[tuple[str, str]]:
    """Return how often each player met each other one as buyer and seller."""
    met: Counter[tuple[str, str]] = Counter()
    for record in records:
        buyers, sellers = names_by_role(record)
        met.update((buyer, seller) for buyer in buyers for seller in sellers)
    return met


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "games"), [(2, 60), (6, 20)])
def test_six_models_have_every_role_equally_often_and_mirrored_values(seats: int, games: int, tmp_path: Path) -> None:
    with Provider(models=MODELS) as provider:
        bots = [ostrom.Bot(name=name, model=name, base_url=provider.base_url) for name in MODELS]
        store = tmp_path / "bench.db"
        ostrom.bench(bots, game="double-auction", games=games, seats=seats, rules={"rounds": 1}, seed=5, store=store)
    records = [game.record for game in ostrom.open(store).games()]
    assert len(records) == games
    roles: Counter[tuple[str, int]] = Counter()
    for record in records:
        for role, names in enumerate(names_by_role(record)):
            roles.update((name, role) for name in names)
    assert {roles[name, role] for name in MODELS for role in (0, 1)} == {games * seats // 2 // len(MODELS)}
    met = meetings(records)
    assert all(met[one, other] == met[other, one] > 0 for one in MODELS for other in MODELS if one != other)
    # Games with the same random draws are mirrored: the same values, and each side with the players of the other.
    by_draw: dict[int, list[GameRecord]] = {}
    for record in records:
        by_draw.setdefault(record.number, []).append(record)
    for pair in by_draw.values():
        assert len(pair) % 2 == 0
        assert len({json.dumps(dealt(record)) for record in pair}) == 1
        sides = Counter(tuple(tuple(sorted(side)) for side in names_by_role(record)) for record in pair)
        assert all(sides[buyers, sellers] == sides[sellers, buyers] for buyers, sellers in sides)
    assert len({json.dumps(dealt(pair[0])) for pair in by_draw.values()}) == len(by_draw) > 1
    tables = tables_of([(f"g{number}", "x", record) for number, record in enumerate(records)])
    assert "Roles are uneven" not in estimand_of(tables)


def test_a_board_of_uneven_roles_says_so() -> None:
    def tables(seatings: Sequence[Sequence[str]]) -> Any:
        played = [ostrom.play(list(one), game="double-auction", rules={"rounds": 1}, seed=7) for one in seatings]
        return tables_of([(f"g{number}", "x", ostrom.record_of(game)) for number, game in enumerate(played)])

    one, other = ("Truthful", "Linear"), ("Linear", "Truthful")
    even, uneven = tables([one, other] * 4), tables([one] * 6 + [other] * 2)
    assert "Roles" not in estimand_of(even)
    first = r"Roles are uneven: (Truthful has 6 of its 8 seats as buyer|Linear has 6 of its 8 seats as seller)"
    assert re.search(f"{first}, and an even schedule would have 4", estimand_of(uneven))
    # One game more is as even as an odd number of games allows.
    assert "Roles" not in estimand_of(tables([one, other, one]))


@pytest.mark.parametrize("values", ["uniform", "correlated", "two-clusters", "heavy-tailed"])
def test_mirrored_games_deal_the_same_drawn_values(values: str) -> None:
    entrants = [replace(strategies_of(GAME, ["Truthful"])[0], name=f"p{place}") for place in range(4)]
    rules = make_rules(GAME, {"rounds": 1, "values": values})
    experiment = Experiment((Part(GAME, rules, entrants, 2, 24, seed=9, pairs=False),))
    seen: dict[Any, list[tuple[tuple[str, ...], list[float]]]] = {}
    for fixture in experiment.fixtures():
        match = ostrom.play(
            ["Truthful", "Truthful"],
            game="double-auction",
            rules=rules,
            seed=fixture.chance.seed,
            number=fixture.chance.game,
        )
        names = tuple(player.name for player in fixture.contestants)
        seen.setdefault(fixture.chance, []).append((names, match.events[0].values))
    assert len(seen) == 12
    for (names, first), (mirrored, second) in seen.values():
        assert mirrored == names[::-1]
        assert first == second


@pytest.mark.slow
def test_ten_people_trade_by_their_links(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'people.db'}"
    body = {"game": "double-auction", "players": ["human"] * 10, "seed": 4, "rules": {"rounds": 3}}
    with Journal.open(store, create=True) as journal, running(journal) as server:
        address = server.address.rstrip("/")
        status, started = call(address, "/games", body=body)
        assert status == 201, started
        tokens = [seat["token"] for seat in started["seats"]]
        assert len(set(tokens)) == 10
        ends = all_sit([(address, token) for token in tokens])
        assert [end["state"] for end in ends] == ["over"] * 10
        (row,) = journal.games(started["experiment"])
        record = journal.record(row.id)
    rounds = [event for event in record.events if event["event"] == "market_cleared"]
    assert len(rounds) == 3
    assert all(len(event["quotes"]) == 10 and None not in event["quotes"] for event in rounds)
    assert {answer.provenance for answer in record.answers} == {"answered"}
    assert len(record.answers) == 30
