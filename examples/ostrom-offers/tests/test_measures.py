"""The measures of Offers on games whose figures can be computed by hand."""

from collections.abc import Callable

import polars as pl
import pytest
from ostrom_offers import OFFERS, ROLES
from ostrom_offers.measures import OffersTables, tables_of
from ostrom_offers.strategies import EqualSplitter, Equilibrium, Stubborn

from ostrom.analysis.study import study_of_game
from ostrom.experiment.match import Match, record_of


def tables(*matches: Match) -> OffersTables:
    return tables_of((f"g{number}", "e", record_of(match)) for number, match in enumerate(matches))


def rows(tables: OffersTables, measure: str) -> pl.DataFrame:
    return study_of_game(OFFERS).measures[measure].function(tables)


def test_agreement_is_a_share_of_games(play: Callable[..., Match]) -> None:
    some = tables(play(EqualSplitter, EqualSplitter), play(Stubborn, Stubborn), play(Stubborn, EqualSplitter))
    assert rows(some, "agreement")["value"].item() == pytest.approx(1 / 3)


def test_efficiency_is_what_delay_leaves_of_the_pie(play: Callable[..., Match]) -> None:
    assert rows(tables(play(Equilibrium, Equilibrium)), "efficiency")["value"].item() == pytest.approx(1)
    late = play(Stubborn, [0, 0, 0, 80])
    assert rows(tables(late), "efficiency")["value"].item() == pytest.approx(0.5**3)
    assert rows(tables(late, play(Stubborn, Stubborn)), "efficiency")["value"].item() == pytest.approx(0.5**4)


def test_shares_are_taken_by_player_and_role(play: Callable[..., Match]) -> None:
    some = rows(tables(play(Equilibrium, EqualSplitter), play(Equilibrium, Equilibrium)), "share_by_role")
    got = {(row["player"], row["role"]): row["value"] for row in some.iter_rows(named=True)}
    # The splitter rejects 1/3, and then its offer of 1/2 is accepted.
    assert got["Equilibrium", ROLES[0]] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert got["Equilibrium", ROLES[1]] == pytest.approx(1 / 3)
    assert got["EqualSplitter", ROLES[1]] == pytest.approx(1 / 2)
