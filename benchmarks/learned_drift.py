"""Seat learned people together in designs that they were not fitted on, and compare their means by round with those of
people in the same games. Prints a table for docs/validity.md.

    python benchmarks/learned_drift.py DIR [--tables 10] [--fits 3]
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from ostrom.analysis.forecasts.amount_network import fit_amounts
from ostrom.games.contributions.learned import CLASSES, History, learned_inputs, point_inputs
from ostrom.importers.studies.alsobay import STUDY
from ostrom.importers.studies.forecasts.amounts import designs_of, fit_points, fit_types_of, round_data

ROUNDS = (1, 2, 3, 5, 10, 15, 20)
RESAMPLES = 2000


class Tables:
    """Simulated tables: copies of the games of people with the same rules, seats and rounds."""

    def __init__(self, games: pl.DataFrame, copies: int, seed: int) -> None:
        self.draw = np.random.default_rng(seed)
        self.games = pl.concat([games] * copies)
        sizes = self.games["people"].to_numpy().astype(np.int64)
        self.game = np.repeat(np.arange(len(sizes)), sizes)
        self.rows = self.games[self.game]
        self.count = np.maximum(sizes[self.game] - 1, 1)
        self.size = sizes

    def sums(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.game, weights=values, minlength=len(self.size))[self.game]

    def others(self, values: np.ndarray) -> np.ndarray:
        return (self.sums(values) - values) / self.count

    def extremes(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        least, most, spread = (np.empty(len(values)) for _ in range(3))
        start = np.concatenate(([0], np.cumsum(self.size)))
        for first, last in pairwise(start):
            own = values[first:last]
            for place in range(last - first):
                rest = np.delete(own, place)
                if len(rest):
                    least[first + place], most[first + place], spread[first + place] = (
                        rest.min(),
                        rest.max(),
                        rest.std(),
                    )
                else:
                    least[first + place] = most[first + place] = spread[first + place] = 0.0
        return least, most, spread

    def deducted(self, given: np.ndarray, weights: list[list[float]], last: np.ndarray) -> np.ndarray:
        received = np.zeros(len(given))
        others = self.others(given) / 20
        start = np.concatenate(([0], np.cumsum(self.size)))
        punished = self.rows["punishment"].to_numpy()
        for first, end in pairwise(start):
            if not punished[first] or end - first < 2:
                continue
            own = given[first:end] / 20
            giver, target = np.meshgrid(own, own, indexing="ij")
            mean = np.repeat(others[first:end][:, None], end - first, axis=1)
            inputs = np.stack(point_inputs(giver, target, mean, last[first]))
            chance = 1 / (1 + np.exp(-np.tensordot(np.asarray(weights[0]), inputs, axes=1)))
            np.fill_diagonal(chance, 0)
            gives = self.draw.random(chance.shape) < chance
            points = gives * self.draw.geometric(1 - weights[1][0], chance.shape)
            received[first:end] = points.sum(axis=0)
        return received


def simulate(tables: Tables, chances, points, rounds: int) -> np.ndarray:
    """Return the contributions (rounds, rows); NaN after a game's last round."""
    rows = len(tables.game)
    past = History(*[np.zeros(rows)] * len(History._fields))
    result = np.full((rounds, rows), np.nan)
    length = tables.rows["rounds"].to_numpy()
    known = tables.rows["horizon"].to_numpy()
    for number in range(1, rounds + 1):
        table = tables.rows.with_columns(round=pl.lit(number))
        drawn = chances(table, past, number, tables.draw).cumsum(axis=1)
        given = (drawn < tables.draw.random(rows)[:, None] * drawn[:, -1:]).sum(axis=1).astype(float)
        result[number - 1, length >= number] = given[length >= number]
        least, most, spread = tables.extremes(given)
        others = tables.others(given)
        past = History(
            past.rounds + 1, given, past.own if number > 1 else given, others, past.others if number > 1 else others,
            least, most, spread, past.total + given, past.none + (given == 0), past.full + (given == 20),
            tables.deducted(given, points, (known & (length == number)).astype(float)),
        )  # fmt: skip
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--fits", type=int, default=3)
    options = parser.parse_args()
    table = STUDY.read(options.folder, False).tables["rounds"]
    data = round_data(table)
    fitted = data.part == "fitted"
    network = fit_amounts(data.inputs[fitted], data.chosen[fitted], data.legal[data.arm[fitted]], fits=options.fits)
    types = fit_types_of(data, fitted)
    points = fit_points(data.table.filter(pl.Series(fitted)))["deduct"]
    people = data.table.filter(pl.col("part") == "development")
    columns = [name for name in people.columns if name not in ("person", "round", "others", "contribution")]
    games = (
        people.group_by("game", maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in columns if name != "game"),
            people=pl.col("person").filter(pl.col("round") == 1).n_unique(),
        )
        .filter(pl.col("people") >= 2)
    )
    tables = Tables(games, options.tables, 1)
    legal = data.legal[tables.rows["all_or_nothing"].to_numpy().astype(int)]

    def by_network(rows, past, number, draw):
        return network.chances(np.stack(learned_inputs(designs_of(rows), past), axis=1), legal)

    arm = tables.rows["all_or_nothing"].to_numpy().astype(int)
    member = np.random.default_rng(2).choice(len(types.shares), len(tables.game), p=types.shares / types.shares.sum())

    def by_types(rows, past, number, draw):
        cell = np.zeros(len(arm), dtype=int) if number == 1 else 1 + np.digitize(past.others, (4, 8, 12, 16))
        return types.tables[member, arm, cell]

    runs = {"network": by_network, "types": by_types}
    means = {name: simulate(tables, chances, points, max(ROUNDS)) for name, chances in runs.items()}
    report(people, tables, means)


def report(people: pl.DataFrame, tables: Tables, means: dict[str, np.ndarray]) -> None:
    designs = {name: place for place, name in enumerate(people["design"].unique(maintain_order=True))}
    draw = np.random.default_rng(3)
    weights = draw.multinomial(len(designs), np.full(len(designs), 1 / len(designs)), RESAMPLES)
    own = np.asarray([designs[name] for name in tables.rows["design"]])
    print(f"{len(designs)} designs, {people['game'].n_unique()} games; {CLASSES} amounts")
    print("| arm | round | people | 90 % | network | types |\n|---|---|---|---|---|---|")
    arms = {"all": None, "no punishment, no chat": (False, False), "punishment, no chat": (True, False),
            "no punishment, chat": (False, True), "punishment and chat": (True, True)}  # fmt: skip
    for arm, states in arms.items():
        chosen = people
        mask = np.ones(len(own), dtype=bool)
        if states is not None:
            chosen = people.filter((pl.col("punishment") == states[0]) & (pl.col("chat") == states[1]))
            mask = ((tables.rows["punishment"] == states[0]) & (tables.rows["chat"] == states[1])).to_numpy()
        for number in ROUNDS:
            rows = chosen.filter(pl.col("round") == number)
            place = np.asarray([designs[name] for name in rows["design"]], dtype=int)
            sums = np.bincount(place, weights=rows["contribution"].to_numpy(), minlength=len(designs))
            counts = np.bincount(place, minlength=len(designs))
            with np.errstate(invalid="ignore"):
                low, high = np.nanquantile((weights @ sums) / (weights @ counts), (0.05, 0.95))
            cells = []
            for given in means.values():
                mean = np.nanmean(given[number - 1, mask])
                cells.append(f"{mean:.2f}" + ("" if low <= mean <= high else " outside"))
            print(
                f"| {arm} | {number} | {sums.sum() / counts.sum():.2f} | {low:.2f}–{high:.2f} | "
                + " | ".join(cells)
                + " |"
            )


if __name__ == "__main__":
    main()
