"""The leaderboard of PGG-Bench, from its 580 games."""

import json
from functools import cache

import numpy as np
import pytest

from foreign_data import foreign
from ostrom.analysis.ratings import multipass, results_of

PUBLISHED = [
    ("Gemini 2.5 Pro Exp 03-25", 14.346, 0.515, 100, 67.79),
    ("o1 (medium reasoning)", 13.402, 0.434, 138, 153.28),
    ("Mistral Large 2", 11.926, 0.385, 168, 79.41),
    ("Gemini 2.0 Pro Exp 02-05", 11.137, 0.384, 169, 85.64),
    ("o3-mini (medium reasoning)", 11.106, 0.407, 153, 154.35),
    ("DeepSeek-V3", 10.944, 0.397, 160, 90.87),
    ("GPT-4.5 Preview", 10.769, 0.400, 158, 132.44),
    ("Llama 3.3 70B", 10.190, 0.393, 161, 113.30),
    ("Grok 2 12-12", 10.115, 0.399, 155, 90.42),
    ("Claude 3.7 Sonnet Thinking 16K", 9.958, 0.390, 165, 133.15),
    ("GPT-4o Feb 2025", 9.921, 0.434, 133, 99.40),
    ("DeepSeek R1", 9.656, 0.428, 139, 72.65),
    ("Qwen 2.5-Max", 9.462, 0.380, 173, 76.77),
    ("Claude 3.7 Sonnet", 9.327, 0.396, 161, 214.07),
    ("Qwen QwQ-32B 16K", 8.629, 0.429, 139, 80.01),
    ("Llama 3.1 405B", 8.493, 0.382, 172, 89.94),
    ("Gemini 2.0 Flash Thinking Exp 01-21", 8.264, 0.405, 153, 151.78),
    ("Claude 3.5 Sonnet 2024-10-22", 8.051, 0.402, 157, 145.94),
    ("Gemini 2.0 Flash", 5.069, 0.425, 146, 83.23),
]
MU = np.asarray([row[1] for row in PUBLISHED])
SIGMA = np.asarray([row[2] for row in PUBLISHED])


@cache
def real_results():
    files = sorted(foreign("pgg_bench").glob("game_*.jsonl"))
    games = []
    for file in files:
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        seats = [seat["model_name"] for seat in lines[0]["short_name_map"].values()]
        assert len(set(seats)) == len(seats), f"{file.name}: final tokens are by model, and one holds two seats"
        final = next(line for line in lines if line["type"] == "final")["final_tokens"]
        games.append([(name, float(final[name])) for name in seats])
    return results_of(games)


@cache
def in_the_order_of_the_table():
    """For each published row, the name of the logs that has its games and mean tokens: there is exactly one."""
    results = real_results()
    result = {
        (int(games), f"{mean:.2f}"): name
        for name, games, mean in zip(results.names, results.games_of(), results.mean_scores(), strict=True)
    }
    assert len(result) == len(PUBLISHED)
    return [result[games, f"{mean:.2f}"] for _, _, _, games, mean in PUBLISHED]


@cache
def rated(draw_probability, seed=0):
    ratings = {one.name: one for one in multipass(real_results(), 200, draw_probability, seed=seed)}
    rows = [ratings[name] for name in in_the_order_of_the_table()]
    return np.asarray([row.mu for row in rows]), np.asarray([row.sigma for row in rows])


def test_games_and_mean_tokens_are_exact():
    assert len(real_results().players) == 580
    assert sorted(in_the_order_of_the_table()) == list(real_results().names)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_draw_probability_of_0_4_gives_the_published_table(seed):
    mu, sigma = rated(0.4, seed)
    for upper in range(len(mu)):
        for lower in range(upper + 1, len(mu)):
            assert mu[upper] > mu[lower] or MU[upper] - MU[lower] <= 0.1
    assert np.abs(sigma - SIGMA).max() < 0.005
    assert np.abs(np.diff(mu) - np.diff(MU)).max() < 0.15


def test_a_draw_probability_of_0_1_does_not_give_it():
    mu, sigma = rated(0.1)
    assert MU.std() / mu.std() == pytest.approx(1.44, abs=0.02)
    assert np.abs(np.diff(mu) - np.diff(MU)).max() > 0.9
    assert np.abs(sigma - SIGMA).max() > 0.005
