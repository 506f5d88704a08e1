"""How much of models' input is a prefix of an earlier prompt of the same model, and what a cache makes of it.

`python benchmarks/shared_prompts.py` plays every game and the battery through the test provider, with five models at
the table and with one model in all seats. A row has the characters of the input, the share of them that is a prefix of
an earlier prompt (in layout 2, and in layout 1), and the input that the provider's own account bills, as a share of
the input of layout 1 without a cache."""

import argparse
import json
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

import ostrom
from ostrom.core.plugins import GAMES
from ostrom.players.models.bots import Bot
from ostrom.testing.provider import CacheRules, Provider

MODELS = 5


class Input(NamedTuple):
    """The input of one experiment, summed over its models."""

    calls: float
    characters: float
    shared: float
    tokens: float
    billed: float


def play(game: str, models: int, layout: int, games: int, calls: int) -> Input:
    """Play an experiment and return its input by the provider's account."""
    with tempfile.TemporaryDirectory() as folder, Provider(seed=3, cache=CacheRules()) as provider:
        names = [f"model-{number}" for number in range(models)]
        bots = [Bot(name=name, model=name, base_url=provider.base_url, layout=layout) for name in names]
        how = {"seed": 11, "store": Path(folder) / "j.db", "limits": {"calls": calls}, "progress": False}
        if game == "battery":
            ostrom.bench(bots, game=game, **how)
        else:
            seats = GAMES[game].seats
            at_table = min(max(MODELS, seats.fewest), seats.most or MODELS)
            seated = bots if models > 1 else bots * at_table
            ostrom.bench(seated, game=game, games=games, seats=at_table if models > 1 else None, **how)
        accounts = provider.account()["cache"].values()
    names = ("calls", "characters", "shared_characters", "input_tokens", "billed_tokens")
    return Input(*(sum(account[name] for account in accounts) for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--calls", type=int, default=32, help="concurrent calls")
    parser.add_argument("--game", action="append", help="only this game; repeatable")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    games = options.game or [*(name for name, game in GAMES.items() if not game.instrument), "battery"]
    rows = []
    for game in games:
        for models in (MODELS, 1):
            old, new = (play(game, models, layout, options.games, options.calls) for layout in (1, 2))
            rows.append(
                {
                    "game": game,
                    "models": models,
                    "calls": new.calls,
                    "characters a call": new.characters / new.calls,
                    "shared": new.shared / new.characters,
                    "shared in layout 1": old.shared / old.characters,
                    "billed": new.billed / old.tokens,
                    "billed in layout 1": old.billed / old.tokens,
                }
            )
            if not options.json:
                figures = "  ".join(f"{name} {value:,.3g}" for name, value in rows[-1].items() if name != "game")
                print(f"{game:<20}{figures}", flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
