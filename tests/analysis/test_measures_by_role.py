"""Figures of games with roles: split by role, and combined with equal weight of roles, on every surface."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import double_auction
from ostrom.analysis.measures import ROLES, by_player
from ostrom.analysis.role_measures import over_roles
from ostrom.analysis.study import Study, study_of_game
from ostrom.analysis.tables import GameTables, frame, games_schema
from ostrom.charts.families import Cast
from ostrom.charts.render import svg
from ostrom.charts.standings import PlayerStanding, common_sections, ratings_frame
from ostrom.core.estimates import Estimate
from ostrom.core.plugins import GAMES
from ostrom.experiment.stages import Rule
from ostrom.findings.payoffs import payoffs_table, realised_payoffs, standpoints

SEATS = {"game": pl.String, "seat": pl.Int64, "player": pl.String, "final": pl.Float64, "rank": pl.Float64}


@pytest.fixture(scope="module", autouse=True)
def auction():
    return double_auction.register()


def tables_of(rows: list[tuple[str, int, str, float]], size: int) -> GameTables:
    """Tables of games with these seats: game, seat, player, final."""
    seats = frame([(*row, 1.0) for row in rows], SEATS)
    games = [
        (game, "e", "call_market", size, 6, None, 1, number, 0, 0, 0)
        for number, game in enumerate(dict.fromkeys(row[0] for row in rows))
    ]
    return GameTables(frame(games, games_schema({"rounds": pl.Int64})), seats, kind="call_market")


def uneven() -> GameTables:
    """A is a seller in three of four games, B a buyer; sellers earn 50 more; A is 10 better than B in both roles."""
    rows = []
    for number in range(80):
        seats = ("B", "A") if number % 4 else ("A", "B")
        for seat, player in enumerate(seats):
            rows.append((f"g{number:02}", seat, player, 50.0 * seat + 10.0 * (player == "A") + number % 5))
    return tables_of(rows, 2)


def test_roles_have_equal_weight_whatever_the_numbers_of_games(auction):
    study = study_of_game(auction)
    assert isinstance(study, Study)
    tables = uneven()
    means = {row["player"]: row for row in study.measures["mean_final"].function(tables).to_dicts()}
    assert means["A"]["value"] - means["B"]["value"] == pytest.approx(10.0, abs=0.2)
    assert means["A"]["low"] < means["A"]["value"] < means["A"]["high"]
    split = study.measures["final_by_role"]
    assert split.by == ROLES
    frame_by_role = split.function(tables)
    assert frame_by_role["role"].unique().sort().to_list() == ["buyer", "seller"]
    assert [measure.title for measure, _ in by_player(split, frame_by_role)] == [
        "Mean final points by role, as buyer",
        "Mean final points by role, as seller",
    ]
    assert "final_by_role" not in study_of_game(GAMES["commons"]).measures  # type: ignore[union-attr]


def test_payoffs_player_pages_and_stopping_rules_split_by_role(auction):
    tables = uneven()
    payoffs = realised_payoffs(tables)
    table = payoffs_table(payoffs, str)
    first = next(row for row in table.rows if row["player"] == "A")
    assert {"role_buyer", "role_seller"} <= set(first)
    both = (first["role_buyer"].value + first["role_seller"].value) / 2
    assert first["payoff"].value == pytest.approx(both)
    assert not any(column.name.startswith("seat_") for column in table.columns)
    study = study_of_game(auction)
    assert isinstance(study, Study)
    measured = {name: study.measures[name].function(tables) for name in ("mean_final", "final_by_role")}
    chosen = {name: study.measures[name] for name in measured}
    titles = [standpoint.measure.title for standpoint in standpoints(chosen, measured, "A")]
    assert titles[1:] == ["Mean final points by role, as buyer", "Mean final points by role, as seller"]
    rule = Rule.read("width(final_by_role, A) < 100")
    rule.check(auction, ["A", "B"])
    look = rule.look(study, tables, 80, 80)
    assert look.holds
    assert [figure["role"] for figure in look.figures] == ["buyer", "seller"]


@pytest.mark.slow
def test_means_over_roles_cover():
    generator = np.random.default_rng(4)
    covered, worlds = 0, 300
    for _ in range(worlds):
        rows = []
        for number in range(64):
            seats = ("B", "A") if number % 4 else ("A", "B")
            luck = generator.normal()
            for seat, player in enumerate(seats):
                rows.append((f"g{number:02}", seat, player, 5.0 * seat + luck + generator.normal(0, 1 + seat)))
        estimates = over_roles(tables := tables_of(rows, 2), tables.seats, "final").estimates()
        covered += sum(row["low"] <= 2.5 <= row["high"] for row in estimates.iter_rows(named=True))
    # Pooled over seats, A's mean would be 3.75.
    assert 0.92 <= covered / (2 * worlds) <= 0.985


def test_a_player_with_one_role_has_the_mean_of_that_role():
    rows = [(f"g{number}", seat, ("A", "B")[seat], float(seat + number % 3)) for number in range(9) for seat in (0, 1)]
    tables = tables_of(rows, 2)
    plain = replace(tables).seats.group_by("player", maintain_order=True).agg(pl.col("final").mean())
    assert over_roles(tables, tables.seats, "final").estimates()["value"].to_list() == pytest.approx(
        plain["final"].to_list()
    )


def test_a_game_of_payoffs_draws_its_rating_by_payoff():
    # TrueSkill orders these players the other way round.
    rows = [
        PlayerStanding("A", 9.0, 0.5, 40, 1, rating=Estimate(12.0, 8.0, 16.0)),
        PlayerStanding("B", 11.0, 0.5, 40, 2, rating=Estimate(-12.0, None, None)),
    ]
    frame = ratings_frame(rows)
    assert frame["value"].to_list() == [12.0, -12.0]
    section = common_sections(GAMES["call_market"])[0]
    drawn = svg(section.pictures[0].draw(frame, Cast.of(["A", "B"])))
    assert "12.00" in drawn
    assert "TrueSkill" not in drawn
    assert section.pictures[0].heading == "Payoff leaderboard"
    ranked = ratings_frame([replace(row, rating=None) for row in rows])
    assert ranked["value"].to_list() == [9.0, 11.0]
    assert "Multi-pass TrueSkill" in svg(section.pictures[0].draw(ranked, Cast.of(["A", "B"])))
