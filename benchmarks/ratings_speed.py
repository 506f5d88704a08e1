"""How fast multi-pass TrueSkill is, beside the `trueskill` package measured in the same run.

Both rate 200 passes over the 580 games of PGG-Bench, or over made-up games of the same shape where the logs are not at
hand. The package would take minutes, so each of our runs comes right after one of its passes, which is scaled; ratios
are taken within such a pair, for the machine may be noisy. The package uses its own arithmetic, the fastest it has."""

import argparse
import json
import os
import platform
import statistics
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[setting] = "1"

import numpy as np  # noqa: E402 - only now, so that it starts no threads
import trueskill  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from ostrom.analysis.ratings import TrueSkill, multipass, results_of  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
LOGS = Path(os.environ.get("OSTROM_DATA", ROOT.parent / "shared" / "data")) / "pgg_bench"
PASSES = 200
DRAW_PROBABILITY = 0.4

Game = list[tuple[str, float]]


def logged_games() -> list[Game]:
    """The games of PGG-Bench, as far as they are here."""
    games = []
    for file in sorted(LOGS.glob("game_*.jsonl")):
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        seats = [seat["model_name"] for seat in lines[0]["short_name_map"].values()]
        final = next(line for line in lines if line["type"] == "final")["final_tokens"]
        games.append([(name, float(final[name])) for name in seats])
    return games


def made_up_games(games: int = 580, names: int = 19, seats: int = 5) -> list[Game]:
    """As many games of as many players, with a fifth of neighbours tied."""
    chance = np.random.default_rng(1)
    strength = chance.normal(0, 3, names)
    tables = [chance.choice(names, seats, replace=False) for _ in range(games)]
    return [[(f"player {i}", round(float(strength[i] + chance.normal(0, 4)))) for i in table] for table in tables]


def package_pass(games: list[Game], chance: np.random.Generator) -> float:
    """The seconds the package takes for one pass."""
    model = TrueSkill(draw_probability=DRAW_PROBABILITY)
    peer = trueskill.TrueSkill(model.mu, model.sigma, model.beta, model.tau, DRAW_PROBABILITY)
    started = time.perf_counter()
    ratings = {name: peer.create_rating() for game in games for name, _ in game}
    for number in chance.permutation(len(games)):
        game = games[number]
        after = peer.rate([(ratings[name],) for name, _ in game], ranks=[-score for _, score in game])
        for (name, _), (rating,) in zip(game, after, strict=True):
            ratings[name] = rating
    return time.perf_counter() - started


def our_passes(games: list[Game]) -> float:
    """The seconds we take for all passes, from the games to the ratings."""
    started = time.perf_counter()
    multipass(results_of(games), PASSES, DRAW_PROBABILITY)
    return time.perf_counter() - started


def measure(repeats: int) -> dict[str, Any]:
    """Everything, as one document."""
    logged = logged_games()
    games = logged or made_up_games()
    chance = np.random.default_rng(2)
    our_passes(games)  # the warm-up
    pairs = [(PASSES * package_pass(games, chance), our_passes(games)) for _ in range(repeats)]
    theirs, ours = zip(*pairs, strict=True)
    return {
        "games": len(games),
        "from_logs": bool(logged),
        "passes": PASSES,
        "repeats": repeats,
        "ours_seconds": statistics.median(ours),
        "best_ours_seconds": min(ours),
        "package_seconds": statistics.median(theirs),
        "best_package_seconds": min(theirs),
        "times_the_package": statistics.median(theirs_s / ours_s for theirs_s, ours_s in pairs),
        "times_the_package_best_to_best": min(theirs) / min(ours),
        "package_version": version("trueskill"),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def show(document: dict[str, Any]) -> None:
    """The document as a table."""
    kind = "logged" if document["from_logs"] else "made-up"
    table = Table(
        title=f"{document['passes']} passes over {document['games']} {kind} games, {document['repeats']} pairs"
    )
    for heading in ("", "median s", "best s", "× package", "best to best"):
        table.add_column(heading, justify="left" if not heading else "right")
    ratios = (f"{document[key]:.0f}" for key in ("times_the_package", "times_the_package_best_to_best"))
    table.add_row("ostrom", f"{document['ours_seconds']:.2f}", f"{document['best_ours_seconds']:.2f}", *ratios)
    package = (f"{document[key]:.0f}" for key in ("package_seconds", "best_package_seconds"))
    table.add_row(f"trueskill {document['package_version']}", *package)
    console = Console()
    console.print(table)
    console.print("The package's time is that of one pass, scaled. One core.", highlight=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON in place of the table")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    document = measure(options.repeats)
    if options.json:
        print(json.dumps(document))
    else:
        show(document)


if __name__ == "__main__":
    main()
