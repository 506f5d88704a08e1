"""Roles of seats: declared by name and balanced; a game of the old contract is refused with what to change."""

from dataclasses import replace

import numpy as np
import pytest

from ostrom.core.arrangements import MAX_DISTINCT, RoleBalance, arrangements, balance_of, count_distinct
from ostrom.core.errors import InputError
from ostrom.core.game import API, Game, Seats
from ostrom.core.plugins import GAMES, GameRegistry
from ostrom.testing import faults_of


def sides(seats: int) -> tuple[str, ...]:
    return ("buyer",) * (seats // 2) + ("seller",) * (seats - seats // 2)


@pytest.fixture
def market() -> Game:
    return replace(GAMES["trust"], name="market", command="market", seats=Seats(2, 8, multiple=2), roles=sides)


def test_a_game_of_the_first_contract_is_refused_with_what_to_change(market: Game) -> None:
    assert API == 2
    old = [replace(market, api=1), replace(market, roles=True)]  # type: ignore[arg-type]
    for game in old:
        with pytest.raises(InputError, match=r"version 1 of the contract.*roles=lambda seats.*aim=.*api=2") as refused:
            GameRegistry().add(game)
        assert "\n" not in str(refused.value)
        assert any("version 1 of the contract" in str(fault) for fault in faults_of(game))
    with pytest.raises(InputError, match="version 3 of the contract, and this is version 2"):
        GameRegistry().add(replace(market, api=3))


def test_the_number_of_seats_can_be_required_to_be_even(market: Game) -> None:
    market.check_seats(4)
    with pytest.raises(InputError, match="market needs an even number of players; the table has 5"):
        market.check_seats(5)
    assert [market.seats.largest(players) for players in (1, 3, 5, 20)] == [2, 2, 4, 8]


def test_roles_have_a_name_for_each_seat(market: Game) -> None:
    assert market.role_names(4) == ("buyer", "buyer", "seller", "seller")
    assert market.seat_groups(4) == (0, 0, 1, 1)
    assert GAMES["commons"].seat_groups(3) == (0, 0, 0)
    assert GAMES["repeated"].seat_groups(2) == (0, 1)
    assert GAMES["ultimatum"].role_names(2) == ("proposer", "responder")
    faulty = replace(market, roles=lambda seats: ("buyer", "seller"))
    with pytest.raises(InputError, match="roles of market must return 4 names for 4 seats"):
        faulty.role_names(4)
    assert any("must return 4 names" in str(fault) for fault in faults_of(faulty))


def test_games_declare_their_aim() -> None:
    aims = {name: game.aim for name, game in GAMES.items() if not game.instrument}
    assert {name for name, aim in aims.items() if aim == "rank"} == {"commons", "contribute_punish"}


@pytest.mark.parametrize("seats", range(2, 13))
@pytest.mark.parametrize("kinds", ["two sides", "one against all", "three roles", "every seat its own"])
def test_arrangements_balance_roles_and_orders(seats: int, kinds: str) -> None:
    groups = {
        "two sides": [seat * 2 // seats for seat in range(seats)],
        "one against all": [min(seat, 1) for seat in range(seats)],
        "three roles": [min(seat, 2) for seat in range(seats)],
        "every seat its own": list(range(seats)),
    }[kinds]
    tables = np.asarray(arrangements(groups)).T
    assert all(sorted(table) == list(range(seats)) for table in tables.T)
    if count_distinct(groups) <= MAX_DISTINCT:
        assert len({tuple(frozenset(t[np.asarray(groups) == g]) for g in set(groups)) for t in tables.T}) == len(
            tables.T
        )
        assert len(tables.T) == count_distinct(groups)
    balance = balance_of(tables, groups, seats)
    assert balance is not None
    assert balance.even, balance


def test_a_sample_of_arrangements_has_all_pairs_on_the_same_side_about_equally_often() -> None:
    groups = (0,) * 4 + (1,) * 4
    tables = np.asarray(arrangements(groups))
    together = np.zeros((8, 8))
    for table in tables:
        for side in (table[:4], table[4:]):
            together[np.ix_(side, side)] += 1
    pairs = together[np.triu_indices(8, 1)] / len(tables)
    assert pairs.mean() == pytest.approx(3 / 7)
    assert pairs.min() > 0.3
    assert pairs.max() < 0.55


def test_fewer_games_than_arrangements_are_printed_as_unbalanced() -> None:
    groups = (0, 1, 2, 3, 4)
    tables = np.asarray(arrangements(groups, limit=3)).T
    balance = balance_of(tables, groups, 5)
    assert balance is not None
    assert not balance.even
    assert "not quite balanced" in balance.sentence()


def test_the_balance_of_roles_names_only_what_differs():
    assert "in one order" not in RoleBalance(10, 0, 1).sentence()
    assert "a role in 1 more game than another player" in RoleBalance(10, 0, 1).sentence()
    assert "play up to 3 more games in one order" in RoleBalance(10, 3, 0).sentence()
    assert "games in a role" not in RoleBalance(10, 2, 0).sentence()
