"""The verb `market`: figures of sealed markets by hand, CSα from a reference, and every figure of the rule book."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from foreign_data import foreign
from marketplace import play, register, register_bargaining
from ostrom.analysis.ratings import multipass, results_of_table
from ostrom.analysis.study import NothingLeft
from ostrom.core import InputError
from ostrom.experiment import record_of
from ostrom.games.market.commands.figures import MarketSettings, market
from ostrom.games.market.conditional import MarketSetting, conditional_score
from ostrom.games.market.csa import LoggedMarket, read_reference, residual_spread
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.measures import MEASURES
from ostrom.games.market.double_auction.players import TruthfulTrader
from ostrom.games.market.double_auction.tables import market_tables
from ostrom.games.market.equilibrium import best_constant_quote, regrets_of
from ostrom.games.market.figures import MarketFigures, MarketFilter, lines_of
from ostrom.importers.lechmazur import import_logs, logs_in
from ostrom.journal.sql import Journal

register()
register_bargaining()
WORKED = DoubleAuctionRules(rounds=2, given="86,64,25,10;19,61,81,90")


def figures_of(**choice: Any) -> dict[str, Any]:
    """The figures of a game of the rule book's example, with a second round in which two quotes are at a loss."""
    quotes = [[86, 90], [64, 64], [25, 25], [10, 10], [19, 19], [61, 59], [81, 81], [90, 90]]
    figures = MarketFigures()
    chosen = MarketFilter(**choice).chosen(record_of(play(WORKED, *quotes)))
    if chosen is not None:
        figures.add(chosen)
    return {name: value for _, name, value in lines_of(figures)}


def test_the_figures_of_a_worked_example() -> None:
    figures = figures_of()
    # The two middle numbers are 61 and 64, the largest surplus of a round is 86 - 19 + 64 - 61.
    assert (figures["games"], figures["quotes"], figures["trades"], figures["messages"]) == (1, 16, 4, 0)
    assert (figures["total surplus"], figures["max surplus"]) == (140, 140)
    assert figures["half prices up"] + figures["half prices down"] == 4
    assert figures["quotes at a loss"] == 2
    assert figures["seats at 0"] == 4
    assert figures["efficiency, all"] == figures["efficiency, given"] == 1
    assert figures["trades below"] == 2 / 4
    assert figures["trades above"] == 0
    assert figures["asks above cost and price"] == 0
    assert figures["normalised surplus, last round"] == 1


def test_games_and_rounds_can_be_chosen() -> None:
    assert figures_of(first=1)["quotes"] == 8
    assert figures_of(distribution="uniform")["games"] == 0
    assert figures_of(models_only=True)["games"] == 1


def test_regret_is_against_the_best_constant_quote() -> None:
    # Against asks of 40 and 60, a buyer with value 80 gains 40 in one round at 40, and 30 + 20 at 60.
    assert best_constant_quote(80, "buyer", [40, 60], 100) == 50
    assert best_constant_quote(30, "buyer", [40, 60, None], 100) == 0
    assert best_constant_quote(80, "buyer", [0, 0], 100) == 160
    assert best_constant_quote(20, "seller", [60, 30], 100) == 40
    assert regrets_of([80, 20], ["buyer", "seller"], [60, 10], [[60, 40], [30, 60]], 100) == [0, 30]


# The conditional surplus.


def test_two_truthful_seats_have_no_conditional_surplus() -> None:
    two = MarketSetting("uniform", 2, 100, 1, 0.5, 0.03)
    assert conditional_score(two, "buyer", 60, 0.5) == 0
    assert conditional_score(two, "seller", 60, 0.6) == pytest.approx(2)
    assert conditional_score(two, "seller", 60, 0.9) == 5
    assert conditional_score(two._replace(distribution="given"), "seller", 60, 0.9) is None
    uneven = two._replace(k=0.3)
    assert conditional_score(uneven, "buyer", 60, 0.7) == pytest.approx(0)


@pytest.mark.slow
def test_truthful_seats_have_a_mean_conditional_surplus_of_about_0() -> None:
    rules = DoubleAuctionRules(rounds=1, values="two-clusters")
    matches = [play(rules, *[TruthfulTrader] * 6, seed=seed) for seed in range(150)]
    tables = market_tables(register(), ((str(seed), "e", record_of(one)) for seed, one in enumerate(matches)))
    (row,) = MEASURES.measures["conditional_surplus"].function(tables).to_dicts()
    assert row["low"] < 0 < row["high"]
    assert abs(row["value"]) < 0.15


def test_the_logs_word_for_a_distribution_names_the_family_that_it_resembles() -> None:
    logged = MarketSetting("correlated", 8, 100, 1, 0.5, 0.03, imported=True)
    assert (logged.family, logged._replace(imported=False).family) == ("uniform", "correlated")
    assert logged._replace(distribution="semi_bimodal").family == "two-clusters"
    assert logged._replace(distribution="unknown").family is None


# CSα.


def test_the_residual_spread_is_between_the_best_unmatched_quotes() -> None:
    roles = ["buyer"] * 4 + ["seller"] * 4
    assert residual_spread([86, 64, 25, 10, 19, 61, 81, 90], roles, {0, 1, 4, 5}) == 56
    assert residual_spread([86, 19], ["buyer", "seller"], {0, 1}) is None


@pytest.mark.parametrize(
    ("id_", "schema", "always", "cell"),
    [
        ("01b74233_15", "1.4.0", False, "half|uniform|buyer|45"),
        ("01b74233_15", "1.4.0", True, "B-every|uniform|buyer|45"),
        ("c1256171_2", "1.4.0", True, "A-every|uniform|buyer|45"),
        ("pact_2", "1.4.0", True, "plain|uniform|buyer|45"),
        ("pact_2", "1.7.0", True, "C-every|uniform|buyer|45"),
        ("next_2", "1.7.0", False, "C-some|uniform|buyer|45"),
    ],
)
def test_the_cells_of_pact_depend_on_the_batch(id_: str, schema: str, always: bool, cell: str) -> None:
    two = LoggedMarket(id_, schema, "uniform", ("buyer", "seller"), (47, 11), always, None)
    assert two.cell(0) == ("pact", cell)
    assert two.cell(1) == ("pact", cell.replace("buyer|45", "seller|10"))


def test_the_cells_of_bazaar_depend_on_the_spread() -> None:
    roles, values = ("buyer", "buyer", "seller", "seller"), (48, 2, 11, 14)
    four = LoggedMarket("a_1", "1.4.0", "uniform", roles, values, False, 56)
    assert [four.cell(seat) for seat in range(4)] == [
        ("bazaar", f"uniform|{place}|55") for place in ("buyer|50", "buyer|0", "seller|10", "seller|15")
    ]
    assert LoggedMarket("a_1", "1.4.0", "uniform", roles, values, True, None).cell(0) is None


def test_csa_is_cut_and_unknown_without_a_cell(tmp_path: Path) -> None:
    cells = {"uniform|buyer|50|55": [0.5, 0.1], "uniform|seller|10|55": "zero"}
    file = tmp_path / "reference.json"
    file.write_text(json.dumps({"bazaar": cells, "pact": {}}))
    reference = read_reference(file)
    four = LoggedMarket("a_1", "1.4.0", "uniform", ("buyer", "buyer", "seller", "seller"), (48, 2, 11, 14), False, 56)
    assert reference.csa(four, 0, 0.6) == pytest.approx(1)
    assert (reference.csa(four, 0, 0.0), reference.csa(four, 0, 1.5)) == (-5, 5)
    assert (reference.csa(four, 2, 0.7), reference.csa(four, 1, 0.7)) == (0, None)


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"bazaar": {}}', '{"bazaar": {"a": [1]}, "pact": {}}', '{"bazaar": {"a": [1, 0]}, "pact": {}}']
)
def test_a_file_that_is_no_reference_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "reference.json"
    file.write_text(text)
    with pytest.raises(InputError, match="no reference of CSα"):
        read_reference(file)


def test_a_journal_without_markets_is_refused(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/lab.db"
    Journal.open(store, create=True).close()
    with pytest.raises(NothingLeft, match="no finished sealed markets"):
        market.run(store, MarketSettings())


# The given games.

RULE_BOOK: dict[str, dict[str, float]] = {
    "games": {"bazaar": 187, "pact": 240, "emergent_collusion": 69},
    "quotes": {"bazaar": 44_880, "pact": 9_600, "emergent_collusion": 3_312},
    "trades": {"bazaar": 9_528, "pact": 4_311, "emergent_collusion": 646},
    "messages": {"bazaar": 0, "pact": 9_403, "emergent_collusion": 3_201},
    "half prices up": {"bazaar": 2_139, "pact": 222, "emergent_collusion": 126},
    "half prices down": {"bazaar": 2_144, "pact": 237, "emergent_collusion": 137},
    "sum of prices": {"bazaar": 486_741, "pact": 230_866, "emergent_collusion": 36_980},
    "total surplus": {"bazaar": 439_749, "pact": 166_876, "emergent_collusion": 25_849},
    "max surplus": {"bazaar": 501_390, "pact": 181_080, "emergent_collusion": 39_488},
    "quotes at a loss": {"bazaar": 2_068, "pact": 247, "emergent_collusion": 456},
    "seats below 0": {"bazaar": 51, "pact": 15, "emergent_collusion": 35},
    "seats at 0": {"bazaar": 622, "pact": 11, "emergent_collusion": 148},
    "sum of CSα": {"bazaar": 7.239, "pact": 31.680},
    "seats with CSα": {"bazaar": 1_496, "pact": 480},
    "seats in a solved cell": {"bazaar": 1_258, "pact": 472},
    "exact": {"bazaar": 1_258, "pact": 462},
    "games, with algorithms": {"bazaar": 166},
    "games, models only": {"bazaar": 21},
    "efficiency, all": {"bazaar": 0.8554, "pact": 0.8981, "emergent_collusion": 0.6451},
    "efficiency, with algorithms": {"bazaar": 0.8593},
    "efficiency, models only": {"bazaar": 0.8246, "pact": 0.8981, "emergent_collusion": 0.6451},
    "efficiency, uniform": {"bazaar": 0.8756, "pact": 0.9119},
    "efficiency, correlated": {"bazaar": 0.8735, "pact": 0.9020, "emergent_collusion": 0.6451},
    "efficiency, semi_bimodal": {"bazaar": 0.8718, "pact": 0.9174},
    "efficiency, heavy_tailed": {"bazaar": 0.8126, "pact": 0.8772},
    "profit per round, buyers": {"bazaar": 9.243, "pact": 15.840, "emergent_collusion": 6.096},
    "profit per round, sellers": {"bazaar": 10.353, "pact": 18.926, "emergent_collusion": 9.513},
    "price deviation, first round": {"bazaar": 11.55, "pact": 8.84, "emergent_collusion": 13.73},
    "price deviation, last round": {"bazaar": 10.14, "pact": 10.10, "emergent_collusion": 14.64},
    "normalised surplus, first round": {"bazaar": 0.8031, "pact": 0.6542, "emergent_collusion": 0.7276},
    "normalised surplus, last round": {"bazaar": 0.8466, "pact": 0.9542, "emergent_collusion": 0.5421},
    "asks above cost and price": {"emergent_collusion": 0.5471},
    "rounds with all asks above": {"emergent_collusion": 0.4058},
    "trades above": {"emergent_collusion": 0.5511},
    "trades below": {"emergent_collusion": 0.1223},
    "price − competitive price": {"emergent_collusion": 8.35},
    "messages of sellers": {"emergent_collusion": 1_615},
    "messages of sellers to sellers only": {"emergent_collusion": 770},
    "messages of buyers": {"emergent_collusion": 1_586},
    "messages of buyers to buyers only": {"emergent_collusion": 209},
}
"""The figures of the rule book, to its digits."""
SIGMAS = {
    **{"o3": 0.908, "gemini-2.5-pro": 0.969, "gemini-2.5-flash": 0.804, "grok-4-0709": 0.722, "o4-mini": 0.986},
    **{"r1-0528": 0.965, "nova-pro": 1.391, "mistral-medium": 0.813, "phi-4": 0.901, "gemma3": 1.545},
}
MEANS = {
    **{"o3": 7.85, "gemini-2.5-pro": 7.42, "gemini-2.5-flash": 7.75, "grok-4-0709": 6.05, "o4-mini": 8.11},
    **{"r1-0528": 8.63, "nova-pro": 5.06, "mistral-medium": 2.34, "phi-4": 2.12, "gemma3": 2.70},
}
"""The TrueSkill of some models of BAZAAR over the given games."""


@pytest.mark.slow
def test_every_figure_of_the_rule_book_comes_from_the_verb(tmp_path: Path) -> None:
    store, folder = f"sqlite:///{tmp_path}/lab.db", foreign("market")
    with Journal.open(store, create=True) as journal:
        for source in RULE_BOOK["games"]:
            report = import_logs(logs_in(folder / source / "logs"), journal, name=source)
            assert report.replayed_exactly == report.new == RULE_BOOK["games"][source]
    for source in RULE_BOOK["games"]:
        scores = tmp_path / f"{source}.csv"
        settings = MarketSettings(experiment=source, csa_reference=folder / "csa_reference.json", scores=scores)
        (shown,) = market.run(store, settings).facts["markets"]
        for name, expected in RULE_BOOK.items():
            if source in expected:
                digits = str(expected[source]).partition(".")[2]
                tolerance = 0.5 * 10 ** -max(len(digits), 0) + 1e-9 if digits else 0
                assert shown[name] == pytest.approx(expected[source], abs=max(tolerance, 0.0)), (source, name)
    results = results_of_table(pl.read_csv(tmp_path / "bazaar.csv"))
    ratings = {one.name: one for one in multipass(results, passes=200, mu=5.0)}
    assert {name: ratings[name].sigma for name in SIGMAS} == pytest.approx(SIGMAS, abs=0.01)
    # The means of all players shift together from pass to pass.
    shift = sum(ratings[name].mu - MEANS[name] for name in MEANS) / len(MEANS)
    assert {name: ratings[name].mu - shift for name in MEANS} == pytest.approx(MEANS, abs=0.1)
    assert abs(shift) < 0.2
