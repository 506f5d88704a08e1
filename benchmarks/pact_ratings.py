"""The rating that PACT publishes beside the same method on a folder of its logs. PACT names a Bradley–Terry rating of
normalised surplus, but no formula; the score that comes nearest in the whole collection is 1/2 + (share of the buyer −
share of the seller) / 2, with a term for the buyer's role. `python benchmarks/pact_ratings.py pact/logs` prints the
table."""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import spearmanr
from worlds import provenance

RIDGE: Final = 1.0
POINTS: Final = 400 / np.log(10)
"""The points of a factor e in the odds, with 400 points for a factor of 10."""
CENTRE: Final = 1500
RESAMPLES: Final = 200
PUBLISHED: Final[Mapping[str, tuple[str, int, int, int]]] = {
    "gpt-5.5-high": ("GPT-5.5 (high)", 1607, 1595, 1619),
    "deepseek-v4-pro": ("DeepSeek V4 Pro", 1570, 1556, 1585),
    "kimi-k2.6": ("Kimi K2.6", 1560, 1546, 1573),
    "gemini-3.1-pro-preview": ("Gemini 3.1 Pro Preview", 1557, 1549, 1566),
    "gemma-4-31b-it-reasoning": ("Gemma 4 31B Reasoning", 1557, 1542, 1572),
    "glm-5.1": ("GLM-5.1", 1554, 1537, 1571),
    "claude-sonnet-4-6-adaptive": ("Claude Sonnet 4.6 (high)", 1546, 1533, 1559),
    "mistral-medium-3.5-high": ("Mistral Medium 3.5 (high)", 1538, 1523, 1553),
    "trinity-large-thinking": ("Arcee Trinity Large Thinking", 1526, 1502, 1550),
    "hy3-preview": ("Tencent Hy3 Preview", 1520, 1505, 1535),
    "haiku45": ("Claude 4.5 Haiku", 1510, 1485, 1535),
    "gemini-3.1-flash-lite-preview": ("Gemini 3.1 Flash-Lite Preview", 1509, 1500, 1517),
    "mimo-v2.5-pro": ("Xiaomi MiMo V2.5 Pro", 1508, 1490, 1525),
    "grok-4.3": ("Grok 4.3", 1504, 1487, 1522),
    "gpt-oss-120b": ("GPT-OSS-120B", 1496, 1484, 1507),
    "seed-2.0-pro": ("ByteDance Seed2.0 Pro", 1491, 1457, 1525),
    "deepseek-v4-flash": ("DeepSeek V4 Flash", 1483, 1463, 1503),
    "mistral-large-2512": ("Mistral Large 3", 1449, 1431, 1467),
    "nova-pro": ("Amazon Nova Pro", 1426, 1416, 1436),
    "llama4-maverick": ("Llama 4 Maverick", 1394, 1386, 1402),
}
"""The published name, rating and interval of the models of PACT's table that are in the logs, by the name in the logs
(version of 22 June 2026)."""


class Result(NamedTuple):
    """A game: the models of the buyer and the seller, and the buyer's score."""

    buyer: str
    seller: str
    score: float


def results_of(folder: Path) -> list[Result]:
    """Return the results of all logs in a folder, in the order of their names."""
    results = []
    for path in sorted(folder.glob("*.jsonl")):
        agents, shares = {}, {}
        for line in path.read_text().splitlines():
            if '"type":"init"' in line:
                agents = json.loads(line)["data"]["agents"]
            elif '"type":"final"' in line:
                shares = json.loads(line)["data"]["seat_surplus_share_map"]
        names = {agent["role"]: (agent["model_name"], shares[seat]) for seat, agent in agents.items()}
        (buyer, own), (seller, other) = names["buyer"], names["seller"]
        results.append(Result(buyer, seller, min(1.0, max(0.0, 0.5 + (own - other) / 2))))
    return results


def ratings(results: Sequence[Result], names: Sequence[str], weights: np.ndarray) -> np.ndarray:
    """Return the ratings of a logistic Bradley–Terry model with a ridge and a term for the buyer's role."""
    place = {name: number for number, name in enumerate(names)}
    buyers = np.array([place[one.buyer] for one in results])
    sellers = np.array([place[one.seller] for one in results])
    scores = np.array([one.score for one in results])

    def loss(strengths: np.ndarray) -> tuple[float, np.ndarray]:
        odds = strengths[buyers] - strengths[sellers] + strengths[-1]
        error = weights * (expit(odds) - scores)
        value = (weights * (np.logaddexp(0, odds) - scores * odds)).sum() + RIDGE / 2 * (strengths[:-1] ** 2).sum()
        slope = np.zeros(len(strengths))
        np.add.at(slope, buyers, error)
        np.add.at(slope, sellers, -error)
        slope[:-1] += RIDGE * strengths[:-1]
        slope[-1] = error.sum()
        return value, slope

    fit = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B")
    return CENTRE + POINTS * fit.x[:-1]


def table(results: Sequence[Result]) -> str:
    """Return the published ratings, ours and the intervals of ours (bootstrap over games) as a table in Markdown."""
    games = Counter(name for one in results for name in (one.buyer, one.seller))
    names = sorted(games)
    ours = ratings(results, names, np.ones(len(results)))
    chance = np.random.default_rng(1)
    draws = np.stack(
        [
            ratings(
                results, names, np.bincount(chance.integers(len(results), size=len(results)), minlength=len(results))
            )
            for _ in range(RESAMPLES)
        ]
    )
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    lines = ["| model | games | published | ours |", "|---|---|---|---|"]
    both = []
    for name, (title, rating, least, most) in PUBLISHED.items():
        if name in games:
            place = names.index(name)
            both.append((rating, ours[place]))
            lines.append(
                f"| {title} | {games[name]} | {rating} ({least}–{most}) "
                f"| {ours[place]:.0f} ({low[place]:.0f}–{high[place]:.0f}) |"
            )
    published, own = np.array(both).T
    slope, start = np.polyfit(own, published, 1)
    error = np.abs(start + slope * own - published).mean()
    lines.append("")
    lines.append(
        f"{len(results):,} games, {len(names)} models. Over the {len(both)} models of both lists: Pearson "
        f"{np.corrcoef(published, own)[0, 1]:.3f}, Spearman {spearmanr(published, own).statistic:.3f}, published ≈ "
        f"{start:.0f} + {slope:.2f} × ours, mean error {error:.0f} points."
    )
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path)
    print(table(results_of(parser.parse_args().logs)))
    print(provenance("python benchmarks/pact_ratings.py pact/logs"))


if __name__ == "__main__":
    main()
