"""Every given game of BAZAAR, PACT and emergent_collusion replays to the unit; a changed log is named and skipped."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from foreign_data import foreign
from marketplace import register
from ostrom.core import InputError, Provenance, RecordError
from ostrom.experiment import Match, record_of, replay
from ostrom.games.market.bargaining import BARGAINING
from ostrom.games.market.double_auction import DOUBLE_AUCTION
from ostrom.games.market.double_auction.measures import MEASURES
from ostrom.games.market.double_auction.tables import DoubleAuctionTables, market_tables
from ostrom.importers.lechmazur import (
    MarketMismatch,
    check_log,
    import_logs,
    logs_in,
    read_log,
    replay_log,
    rules_of_log,
)
from ostrom.journal.sql import Journal

register()

FIGURES = {
    "bazaar": {"games": 187, "quotes": 44_880, "trades": 9_528, "messages": 0, "ups": 2_139, "downs": 2_144},
    "pact": {"games": 240, "quotes": 9_600, "trades": 4_311, "messages": 9_403, "ups": 222, "downs": 237},
    "emergent_collusion": {"games": 69, "quotes": 3_312, "trades": 646, "messages": 3_201, "ups": 126, "downs": 137},
}
"""The counts of the rule book for the given games, half prices up and down among them."""
SUMS = {
    "bazaar": (486_741, 439_749, 501_390, 2_068, 0.8554),
    "pact": (230_866, 166_876, 181_080, 247, 0.8981),
    "emergent_collusion": (36_980, 25_849, 39_488, 456, 0.6451),
}
"""The sum of prices, the total and the largest surplus, the quotes at a loss, and the mean efficiency."""


def folder(source: str) -> Path:
    """The logs of a source."""
    return foreign("market") / source / "logs"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as opened:
        yield opened


Replayed = tuple[str, list[tuple[Match | None, MarketMismatch | None]]]


@pytest.fixture(scope="module", params=list(FIGURES))
def replayed(request: pytest.FixtureRequest) -> Replayed:
    """All games of a source, replayed once for all tests."""
    return request.param, [check_log(read_log(path)) for path in logs_in(folder(request.param))]


def test_all_given_games_replay_to_the_unit_with_the_counts_of_the_rule_book(replayed: Replayed) -> None:
    source, results = replayed
    counts = dict.fromkeys(FIGURES[source], 0)
    for match, mismatch in results:
        assert mismatch is None, str(mismatch)
        assert match is not None
        counts["games"] += 1
        for event in match.events:
            counts["messages"] += event.tag == "message_said"
            if event.tag == "market_cleared":
                counts["quotes"] += len(event.quotes)
                counts["trades"] += len(event.trades)
                halves = [trade for trade in event.trades if (trade.bid + trade.ask) % 2]
                counts["ups"] += sum(trade.half_up for trade in halves)
                counts["downs"] += sum(not trade.half_up for trade in halves)
    assert counts == FIGURES[source]


MEANS = {
    "bazaar": (9.243, 10.353, 11.55, 10.14, 0.8031, 0.8466),
    "pact": (15.840, 18.926, 8.84, 10.10, 0.6542, 0.9542),
    "emergent_collusion": (6.096, 9.513, 13.73, 14.64, 0.7276, 0.5421),
}
"""The profit per round of buyers and of sellers; the mean distance of prices from the competitive price in the first
and the last round; and the efficiency of these two rounds, as a mean over games."""
BY_LABEL = {
    "bazaar": {"uniform": 0.8756, "correlated": 0.8735, "semi_bimodal": 0.8718, "heavy_tailed": 0.8126},
    "pact": {"uniform": 0.9119, "correlated": 0.9020, "semi_bimodal": 0.9174, "heavy_tailed": 0.8772},
    "emergent_collusion": {"correlated": 0.6451},
}
"""The mean efficiency by the label of the distribution of values."""


@pytest.mark.slow
def test_measures_agree_with_the_rule_book(replayed: Replayed) -> None:
    source, results = replayed
    matches = [match for match, _ in results if match is not None]
    records = ((str(number), "e", record_of(match)) for number, match in enumerate(matches))
    tables = market_tables(matches[0].game, records)
    assert matches[0].game is (BARGAINING if source == "pact" else DOUBLE_AUCTION)
    prices = sum(sum(event.prices) for match in matches for event in match.events if event.tag == "market_cleared")
    surplus, largest = (tables.market_rounds[column].sum() for column in ("surplus", "max_surplus"))
    losses = (tables.quotes["offset"] < 0).sum()
    efficiency = tables.markets["efficiency"].mean()
    assert (prices, surplus, largest, losses, round(float(efficiency), 4)) == SUMS[source]  # type: ignore[arg-type]
    assert means_of(tables) == pytest.approx(MEANS[source], abs=0.0051)
    if source == "emergent_collusion":
        assert beyond_competition(tables) == pytest.approx([0.5471, 0.4058, 0.5511, 0.1223, 8.35], abs=0.005)
    labelled = tables.markets.group_by("distribution").agg(pl.col("efficiency").mean())
    assert dict(labelled.iter_rows()) == pytest.approx(BY_LABEL[source], abs=0.00005)


def beyond_competition(tables: DoubleAuctionTables) -> list[float]:
    """The rule book's figures of prices above competition, as the measures give them."""
    names = ("quotes_beyond_competition", "rounds_beyond_competition", "trades_beyond_competition", "surcharge")
    frames = [MEASURES.measures[name].function(tables) for name in names]
    quotes, rounds, above, gap = (frame.filter(pl.col("role") == "seller")["value"].item() for frame in frames)
    below = frames[2].filter(pl.col("role") == "buyer")["value"].item()
    return [quotes, rounds, above, below, gap]


def means_of(tables: DoubleAuctionTables) -> tuple[float, ...]:
    """The figures of `MEANS`."""
    rounds = tables.market_rounds
    last = rounds["round"].max()
    profits = [tables.quotes.filter(pl.col("role") == role)["gain"].mean() for role in ("buyer", "seller")]
    deviations, efficiencies = [], []
    for number in (1, last):
        rows = rounds.filter(pl.col("round") == number)
        weighted = rows.select((pl.col("deviation") * pl.col("trades")).sum() / pl.col("trades").sum())
        deviations.append(weighted.item())
        efficiencies.append(rows.select((pl.col("surplus") / pl.col("max_surplus")).mean()).item())
    return (*profits, *deviations, *efficiencies)


def test_imported_games_are_stored_once_and_their_records_replay(journal: Journal) -> None:
    for source in FIGURES:
        files = logs_in(folder(source))[:3]
        report = import_logs(files, journal)
        assert (report.games, report.replayed_exactly, report.new) == (3, 3, 3)
        again = import_logs(files, journal)
        assert (again.replayed_exactly, again.new) == (3, 0)
        match = replay_log(read_log(files[0]))
        assert {decision.answer.provenance for decision in match.decisions} == {Provenance.IMPORTED}
        assert replay(record_of(match).model_copy(update={"source": files[0].name})).events == match.events
        assert match.events[0].distribution in BY_LABEL[source]
    assert len(journal.games()) == 9


def test_logs_of_several_sources_are_recognised_below_one_folder(tmp_path: Path, journal: Journal) -> None:
    for source in FIGURES:
        below = tmp_path / source / "logs"
        below.mkdir(parents=True)
        for path in logs_in(folder(source))[:2]:
            (below / path.name).symlink_to(path)
    (tmp_path / "other" / "logs").mkdir(parents=True)
    (tmp_path / "other" / "logs" / "other.jsonl").write_text('{"type": "init", "data": {"agents": []}}\n')
    files = logs_in(tmp_path)
    assert [path.parts[-3] for path in files] == [source for source in sorted(FIGURES) for _ in range(2)]
    assert import_logs(files, journal).replayed_exactly == 6
    with pytest.raises(InputError, match=r"has no \.jsonl file with the logs of BAZAAR"):
        logs_in(tmp_path / "other")


@pytest.mark.slow
def test_all_games_of_a_source_have_the_same_rules() -> None:
    """Values differ from game to game, so they are facts of a game and no rules; boards pool games of equal rules."""
    for source in FIGURES:
        rules = {rules_of_log(read_log(path)).model_dump_json() for path in logs_in(folder(source))}
        assert len(rules) == 1


Change = Callable[[list[dict[str, Any]]], None]


def changed(tmp_path: Path, source: str, change: Change) -> Path:
    """A copy of a source's first log with some of its lines changed."""
    text = logs_in(folder(source))[0].read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.split("\n") if line]
    change(rows)
    path = tmp_path / "changed.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


def first(rows: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(row for row in rows if row["type"] == kind)


def wrong_price(rows: list[dict[str, Any]]) -> None:
    first(rows, "trade")["cleared_price"] += 1


def wrong_payoff(rows: list[dict[str, Any]]) -> None:
    payoffs = rows[-1]["data"]["final_payoff_map"]
    payoffs[next(iter(payoffs))] += 1


def wrong_quote(rows: list[dict[str, Any]]) -> None:
    first(rows, "bid_ask")["price"] = 101


@pytest.mark.parametrize(
    ("change", "reason"),
    [(wrong_price, "trades: the log says"), (wrong_payoff, "payoffs: the log"), (wrong_quote, "101")],
)
def test_a_log_that_differs_from_the_rules_is_named_and_not_stored(
    change: Change, reason: str, tmp_path: Path, journal: Journal
) -> None:
    report = import_logs([changed(tmp_path, "bazaar", change)], journal)
    assert (report.games, report.replayed_exactly, report.new) == (1, 0, 0)
    assert reason in str(report.mismatches[0])
    assert "changed.jsonl" in str(report.mismatches[0])
    assert not journal.games()


def cut_off(rows: list[dict[str, Any]]) -> None:
    del rows[-1]


def headless(rows: list[dict[str, Any]]) -> None:
    del rows[0]


def unknown_trader(rows: list[dict[str, Any]]) -> None:
    first(rows, "bid_ask")["agent_id"] = "B9"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (cut_off, "the log is cut off"),
        (headless, "begins with a line of type 'init'"),
        (unknown_trader, "names no trader"),
    ],
)
def test_an_incomplete_log_is_unreadable(change: Change, reason: str, tmp_path: Path, journal: Journal) -> None:
    path = changed(tmp_path, "pact", change)
    with pytest.raises(RecordError, match=reason):
        read_log(path)
    assert import_logs([path], journal).unreadable
