"""Offers keeps the contract of a game, and each seat's patience is a secret until the end."""

from dataclasses import replace

import pytest
from ostrom_offers import OFFERS, OffersRules
from ostrom_offers.bargain import PATIENCE, patience_of
from ostrom_offers.events import EVENTS, Offered, PatienceDrawn

from ostrom.core import Event, EventRegistry, GameChance, Play, Table
from ostrom.testing import GameFaults, check_game


def secrets(rules: OffersRules, seats: int, seed: int) -> list[list[float]]:
    """The patience of each seat."""
    chance = GameChance(seed)
    return [[patience_of(chance.uniform(PATIENCE, 0, seat), rules)] for seat in range(seats)]


@pytest.mark.parametrize(
    "rules",
    [OffersRules(), OffersRules(rounds=1), OffersRules(pie=7.5, rounds=25, least_patience=0, most_patience=0.99)],
    ids=["usual", "one round", "long"],
)
def test_offers_keeps_the_contract_and_its_secrets(rules: OffersRules) -> None:
    check_game(OFFERS, rules=[rules], secrets=secrets)


def test_a_seat_sees_its_own_patience_and_the_public_none() -> None:
    data = PatienceDrawn(patience=[0.7, 0.9]).as_record()
    assert EVENTS.seen_by(data, 0)["patience"] == [0.7, None]
    assert EVENTS.seen_by(data, 1)["patience"] == [None, 0.9]
    assert EVENTS.seen_by(data)["patience"] == [None, None]


def test_a_public_patience_breaks_the_contract() -> None:
    class Told(Event, tag="told"):
        """Both seats learn the patience of both."""

        patience: list[float]

    events = EventRegistry()
    for event in (Told, *EVENTS.values()):
        events.register(event)

    def play(rules: OffersRules, table: Table) -> Play:
        drawn = [patience_of(table.chance.uniform(PATIENCE, 0, seat.index), rules) for seat in table.seats]
        table.record(Told(patience=drawn))
        yield from OFFERS.play(rules, table)

    leaky = replace(OFFERS, events=events, play=play, scene=None, measures=None)
    check_game(leaky)
    with pytest.raises(GameFaults, match="secret"):
        check_game(leaky, secrets=secrets)


def test_an_offer_is_public() -> None:
    assert not Offered.has_secrets()
