"""What a study of models costs by each way of asking: single calls, a prompt cache, batches, both, and replies of an
earlier run.

`python benchmarks/study_cost.py` plays 20 games of Contribute & Punish with five models at the table through the test
provider, whose own account of the input says what was read from its cache and what was sent in batches. Dollars are
those of one model of the public price list."""

import argparse
import json
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import ostrom
from ostrom.core import Usage
from ostrom.players.models.bots import Bot
from ostrom.players.models.charges import price_of
from ostrom.testing.provider import CacheRules, Provider

MODELS = 5
MILLION = 1_000_000


class StudyInput(NamedTuple):
    """The tokens of a study by the provider's account."""

    calls: int
    input_tokens: float
    billed: float
    """The input in tokens at the full price, with the prices of cache and batch."""
    output_tokens: float


def play(store: Path, layout: int, options: argparse.Namespace, **limits: Any) -> StudyInput:
    """Play the study and return its tokens."""
    with Provider(seed=3, cache=CacheRules()) as provider:
        fields = {"base_url": provider.base_url, "layout": layout, "temperature": 0.0}
        bots = [Bot(name=f"model-{number}", model=f"model-{number}", **fields) for number in range(MODELS)]
        how = {"game": options.game, "games": options.games, "seats": MODELS, "seed": 11}
        ostrom.bench(bots, store=store, limits={"calls": options.calls, **limits}, progress=False, **how)
        account = provider.account()
    cache = account["cache"].values()
    calls, tokens, billed = (sum(row[name] for row in cache) for name in ("calls", "input_tokens", "billed_tokens"))
    return StudyInput(int(calls), tokens, billed, account["charged"]["output_tokens"])


def rows_of(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each way of asking: calls, billed input as a share of the first way's, and dollars."""
    provider, _, model = options.price.partition(":")
    price = price_of(Bot(name=model, model=options.price), model, provider, None)
    assert price is not None, f"{options.price} is not in the price list"
    input_price, output_price = price(Usage(MILLION)), price(Usage(0, MILLION))
    with tempfile.TemporaryDirectory() as folder:
        first = play(Path(folder) / "first.db", 1, options)
        single = play(Path(folder) / "single.db", 2, options)
        batch = play(Path(folder) / "batch.db", 2, options, batch=True)
        reused = reuse(Path(folder), options)
    ways = [
        ("layout 1, single calls, no cache", first, first.input_tokens, 1.0),
        ("single calls, no cache", single, single.input_tokens, 1.0),
        ("single calls, cache", single, single.billed, 1.0),
        ("batches, no cache", batch, batch.input_tokens * 0.5, 0.5),
        ("batches, cache", batch, batch.billed, 0.5),
        ("replies reused from an earlier run", reused, reused.billed, 1.0),
    ]
    return [
        {
            "way": way,
            "calls": study.calls,
            "billed input": billed / first.input_tokens,
            "dollars": (billed * input_price + study.output_tokens * output_price * share) / MILLION,
        }
        for way, study, billed, share in ways
    ]


def reuse(folder: Path, options: argparse.Namespace) -> StudyInput:
    """Play the study twice at one address, the second time with the replies of the first; return the tokens of the
    second."""
    with Provider(seed=3, cache=CacheRules()) as provider:
        bots = [
            Bot(name=f"model-{number}", model=f"model-{number}", base_url=provider.base_url, temperature=0.0)
            for number in range(MODELS)
        ]
        how = {"game": options.game, "games": min(2, options.games), "seats": MODELS, "seed": 11, "progress": False}
        ostrom.bench(bots, store=folder / "a.db", limits={"calls": options.calls}, **how)
        before = provider.account()["charged"]
        ostrom.bench(bots, store=folder / "b.db", limits={"reuse": str(folder / "a.db")}, **how)
        after = provider.account()["charged"]
    spent = {name: after[name] - before[name] for name in ("calls", "input_tokens", "output_tokens")}
    return StudyInput(spent["calls"], spent["input_tokens"], spent["input_tokens"], spent["output_tokens"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="punish")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--calls", type=int, default=32, help="concurrent calls")
    parser.add_argument("--price", default="openai:gpt-5-mini", help="the model whose prices count")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = rows_of(options)
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"| {options.games} games of {options.game}, {MODELS} models, {options.price} | calls | input | dollars |")
    print("|---|---|---|---|")
    for row in rows:
        print(f"| {row['way']} | {row['calls']:,} | {row['billed input']:.1%} | {row['dollars']:.3f} |")


if __name__ == "__main__":
    main()
