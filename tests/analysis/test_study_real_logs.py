"""The 580 real games: the tables are complete, money is conserved, and figures agree with an independent count."""

import statistics
from collections import defaultdict

import polars as pl
import pytest
from real_logs import log_lines, real_tables
from small_games import values

from ostrom.analysis.common_measures import mean_final
from ostrom.analysis.tables import pooled
from ostrom.games.contribute_punish.measures import (
    aggregate_contribution_by_round,
    aggregate_punishment_by_round,
    contribution_percent,
    contribution_percent_by_round,
    contribution_percent_mean_of_ratios,
    damage_received_percent,
    kept_promises,
    partners_final,
    welfare_by_game,
)
from ostrom.games.contribute_punish.reactions import antisocial_punishment, retaliation_rate, unprovoked_punishment

PUBLISHED_MEANS = {
    "gemini-2.5-pro-exp-03-25": (100, 67.79),
    "o1-2024-12-17": (138, 153.28),
    "mistral": (168, 79.41),
    "gemini_20_pro_exp": (169, 85.64),
    "o3-mini": (153, 154.35),
    "deepseek-fireworks": (160, 90.87),
    "gpt-4.5-preview-2025-02-27": (158, 132.44),
    "llama33_70b": (161, 113.30),
    "grok2-12-12": (155, 90.42),
    "claude-3-7-sonnet-20250219-thinking": (165, 133.15),
    "chatgpt-4o-latest": (133, 99.40),
    "r1-fireworks": (139, 72.65),
    "qwen-max": (173, 76.77),
    "claude-3-7-sonnet-20250219": (161, 214.07),
    "qwq_fireworks": (139, 80.01),
    "llama": (172, 89.94),
    "gemini_20_flash_thinking_exp_0121": (153, 151.78),
    "sonnet-20241022": (157, 145.94),
    "gemini_20_flash": (146, 83.23),
}


def lines_of(kind):
    return [line for lines in log_lines() for line in lines if line["type"] == kind]


@pytest.mark.slow
def test_the_tables_hold_everything():
    made = real_tables()
    assert made.games.height == 580
    assert made.seats.height == 2900
    assert made.rounds.height == 29_000
    assert made.punishments.height == 8491
    assert made.messages.height == 28_789
    assert made.rounds.null_count().row(0) == (0,) * made.rounds.width


def test_money_adds_up():
    rounds = real_tables().rounds
    assert rounds.filter(pl.col("start") - pl.col("contribution") + pl.col("share") != pl.col("post")).height == 0
    assert rounds.filter(pl.col("post") - pl.col("spend") - pl.col("damage") != pl.col("end")).height == 0
    following = rounds.select("game", "seat", round=pl.col("round") - 1, next="start")
    pairs = rounds.join(following, on=["game", "seat", "round"])
    assert pairs.height == 29_000 - 2900
    assert pairs.filter(pl.col("end") != pl.col("next")).height == 0
    last = rounds.filter(pl.col("round") == 10).join(real_tables().seats, on=["game", "seat"])
    assert last.filter(pl.col("end") != pl.col("final")).height == 0


def test_aggregate_contribution_by_round_agrees_with_a_count_straight_from_the_lines():
    given, held = defaultdict(int), defaultdict(int)
    for line in lines_of("contribution"):
        given[line["round"]] += line["contribution"]
        held[line["round"]] += line["contribution"] + line["current_tokens"]
    counted = {number: given[number] / held[number] for number in given}
    assert values(aggregate_contribution_by_round(real_tables()), "round") == pytest.approx(counted, rel=1e-12)
    # Of these 580 games; over 735 games 55.7, 48.3, 44.5, 42.7, 42.7, 44.3, 46.4, 47.6, 46.8 and 34.3 % are published.
    shown = [round(100 * share, 1) for share in counted.values()]
    assert shown == [56.6, 49.4, 45.8, 44.3, 44.6, 46.3, 48.7, 49.6, 48.0, 34.2]


def test_aggregate_punishment_by_round_agrees_with_a_count_straight_from_the_lines():
    spent, held = defaultdict(int), defaultdict(int)
    for line in lines_of("punishment"):
        spent[line["round"]] += line["punisher_spend"]
    for line in lines_of("contribution"):
        held[line["round"]] += line["contribution"] + line["current_tokens"]
    counted = {number: spent[number] / held[number] for number in held}
    assert values(aggregate_punishment_by_round(real_tables()), "round") == pytest.approx(counted, rel=1e-12)


def starts(lines):
    """The holdings of each model at the start of each round, and its contribution, from one log."""
    model = {one: entry["model_name"] for one, entry in lines[0]["short_name_map"].items()}
    for line in lines:
        if line["type"] == "contribution":
            held = line["contribution"] + line["current_tokens"]
            yield model[line["player_id"]], line["round"], line["contribution"], held


def test_contribution_in_per_cent_agrees_with_a_count_straight_from_the_lines():
    given, held, decisions = defaultdict(int), defaultdict(int), defaultdict(list)
    for lines in log_lines():
        for model, number, gave, had in starts(lines):
            given[model, number] += gave
            held[model, number] += had
            if had:
                decisions[model].append(gave / had)
    by_round = {key: given[key] / held[key] for key in held}
    counted = {model: sum(by_round[model, number] for number in range(1, 11)) / 10 for model in decisions}
    made = real_tables()
    assert values(contribution_percent(made)) == pytest.approx(counted, rel=1e-12)
    assert values(contribution_percent_by_round(made), "player", "round") == pytest.approx(by_round, rel=1e-12)
    ratios = {model: sum(parts) / len(parts) for model, parts in decisions.items()}
    assert values(contribution_percent_mean_of_ratios(made)) == pytest.approx(ratios, rel=1e-12)
    # Published of 735 games: 76.5 % of Claude 3.7 Sonnet in round 9, and 68 % over all rounds.
    assert round(100 * by_round["claude-3-7-sonnet-20250219", 9], 1) == 77.5
    assert round(100 * counted["claude-3-7-sonnet-20250219"], 1) == 69.3


def test_damage_received_agrees_with_a_count_straight_from_the_lines():
    lost, rounds = defaultdict(float), defaultdict(int)
    for lines in log_lines():
        model = {one: entry["model_name"] for one, entry in lines[0]["short_name_map"].items()}
        damage, before = defaultdict(int), {}
        for line in lines:
            if line["type"] == "contribution":
                rounds[model[line["player_id"]]] += 1
            if line["type"] == "punishment":
                key = model[line["target_id"]], line["round"]
                before.setdefault(key, line["balance_before_punishment"][key[0]])
                damage[key] += line["target_damage"]
        for key, sum_ in damage.items():
            lost[key[0]] += sum_ / before[key]
    counted = {name: lost[name] / rounds[name] for name in rounds}
    assert values(damage_received_percent(real_tables())) == pytest.approx(counted, rel=1e-12)


def test_base_rates_agree_with_a_count_straight_from_the_lines():
    result = defaultdict(float)
    for lines in log_lines():
        seats = list(lines[0]["short_name_map"])
        gave = {(x["round"], x["player_id"]): x["contribution"] for x in lines if x["type"] == "contribution"}
        held = {(x["round"], x["player_id"]): x["current_tokens"] for x in lines if x["type"] == "contribution"}
        part = {key: gave[key] / (gave[key] + held[key]) if gave[key] else 0.0 for key in gave}
        dealt = {(x["round"], x["punisher_id"], x["target_id"]) for x in lines if x["type"] == "punishment"}
        for number in range(1, 10):
            for one in seats:
                for other in seats:
                    if one != other and (number, other, one) not in dealt:
                        result["pairs"] += 1
                        result["hits"] += (number + 1, one, other) in dealt
        for number, punisher, target in dealt:
            middle = statistics.median(gave[number, seat] for seat in seats)
            others = [seat for seat in seats if seat != punisher]
            own = gave[number, punisher]
            which = {
                "unprovoked": {seat: gave[number, seat] >= middle for seat in others},
                "antisocial": {seat: part[number, seat] > part[number, punisher] for seat in others},
                "tokens": {seat: gave[number, seat] > own for seat in others},
                "as_many": {seat: gave[number, seat] >= own for seat in others},
            }
            result["punishments"] += 1
            for name, holds in which.items():
                result[name] += holds[target]
                result[f"{name}_random"] += sum(holds.values()) / len(others)
    shares = {name: result[name] / result["punishments"] for name in result if name not in ("pairs", "hits")}
    made = pooled(real_tables())
    (unprovoked,) = unprovoked_punishment(made).rows(named=True)
    (antisocial,) = antisocial_punishment(made).rows(named=True)
    (retaliation,) = retaliation_rate(made).rows(named=True)
    assert retaliation["base"] == pytest.approx(result["hits"] / result["pairs"])
    assert (unprovoked["value"], unprovoked["random"]) == pytest.approx(
        (shares["unprovoked"], shares["unprovoked_random"])
    )
    named = {"value": "antisocial", "random": "antisocial_random"}
    for column in ("value", "random", "tokens", "tokens_random", "as_many", "as_many_random"):
        assert antisocial[column] == pytest.approx(shares[named.get(column, column)]), column
    assert round(100 * unprovoked["random"]) == 77  # as in the 735 games


def test_retaliation_agrees_with_a_count_straight_from_the_lines():
    suffered, answered = defaultdict(int), defaultdict(int)
    for lines in log_lines():
        dealt = {(x["round"], x["punisher_id"], x["target_id"]) for x in lines if x["type"] == "punishment"}
        model = {one: entry["model_name"] for one, entry in lines[0]["short_name_map"].items()}
        for number, punisher, target in dealt:
            if number < 10:
                suffered[model[target]] += 1
                answered[model[target]] += (number + 1, target, punisher) in dealt
    counted = {name: answered[name] / suffered[name] for name in suffered}
    assert values(retaliation_rate(real_tables())) == pytest.approx(counted, rel=1e-12)


def test_games_and_mean_final_tokens_are_the_published_ones():
    frame = mean_final(real_tables())
    ours = {player: (n, value) for player, n, value in frame.select("player", "n", "value").rows()}
    assert set(ours) == set(PUBLISHED_MEANS)
    for player, (games, tokens) in PUBLISHED_MEANS.items():
        assert ours[player][0] == games
        assert ours[player][1] == pytest.approx(tokens, abs=0.0051)  # printed to two decimals


def test_partners_agree_with_a_count_straight_from_the_lines():
    got, seats = defaultdict(float), defaultdict(int)
    for line in lines_of("final"):
        tokens = line["final_tokens"]
        for model in tokens:
            got[model] += sum(tokens.values()) - tokens[model]
            seats[model] += len(tokens) - 1
    counted = {model: got[model] / seats[model] for model in got}
    assert values(partners_final(real_tables())) == pytest.approx(counted, rel=1e-12)


def test_no_table_did_better_than_full_cooperation():
    games = welfare_by_game(real_tables())
    assert games["best"].unique().to_list() == [10_955]
    assert 0 < games["value"].min() < games["value"].max() <= 1


def test_promises_of_real_messages():
    result = kept_promises(real_tables())
    assert result.height > 8000
    assert result["promised"].min() > 0
    # A promise is worth something: nineteen in twenty are kept, most of them to the token.
    assert 0.9 < result["kept"].mean() < 0.98
    assert (result["promised"] == result["contribution"]).mean() > 0.85
