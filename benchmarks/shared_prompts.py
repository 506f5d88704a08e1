"""How much of models' input is a prefix of an earlier prompt of the same model, and what a cache makes of it.

`python benchmarks/shared_prompts.py` plays every game and task through the test provider: the games of this package and
of `examples`, every matrix of `repeated`, some games with messages, every task of the battery, the judges' readings and
the writing of strategies; with five models at the table (or as many as the game has seats; six in a market of two
sides) and with one model in all seats. A row has the calls, the characters of a call, and the share of all characters
that is a prefix of an earlier prompt, in layout 2. `--layouts` adds the share in layout 1, and the input that the
provider's own account bills, as a share of the input of layout 1 without a cache. A game whose prompts are all shorter
than the shortest prefix that providers cache is marked."""

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import ostrom
from ostrom.core.plugins import GAMES
from ostrom.core.prefixes import SHORTEST_TOKENS
from ostrom.games.battery.stated import PREFIX
from ostrom.games.repeated.matrices import NAMED
from ostrom.players.models.bots import Bot
from ostrom.testing.provider import CacheRules, Provider

MODELS = 5
EXAMPLES = Path(__file__).parent.parent / "examples"


class Study(NamedTuple):
    """What models play: a game with rules, a task of the battery, or the readings of a judge."""

    name: str
    game: str
    rules: dict[str, Any] | None = None
    task: str | None = None


TALKING = (
    Study("contributions, messages and punishment", "contributions", {"messages": True, "punishment": True}),
    Study("double_auction, messages", "double_auction", {"messages": "all"}),
    Study("double_auction, continuous", "double_auction", {"market": "continuous"}),
    Study("auction, messages", "auction", {"messages": "all"}),
)
"""Games whose prompts are longer with other rules than the defaults."""
READINGS = ("quotes", "promises", "cartel_talk")
WRITING = "strategy_writing"


class Input(NamedTuple):
    """The input of one experiment, summed over its models."""

    calls: float
    characters: float
    shared: float
    tokens: float
    billed: float
    longest: int
    """The tokens of the longest prompt."""


def studies() -> Iterator[Study]:
    """Yield every game and task."""
    for name, game in GAMES.items():
        if name == "repeated":
            yield from (Study(f"repeated, {matrix}", name, {"matrix": matrix}) for matrix in NAMED)
        elif name.startswith(PREFIX):
            yield Study(f"battery, {name.removeprefix(PREFIX)}", "battery", task=name.removeprefix(PREFIX))
        elif not game.instrument:
            yield Study(name, name)
    yield from TALKING
    yield from (Study(name, name) for name in (*READINGS, WRITING))


def load_examples() -> None:
    """Register the games of the packages in `examples`."""
    for name, variable in (("harvest", "HARVEST"), ("offers", "OFFERS")):
        sys.path.append(str(EXAMPLES / f"ostrom-{name}" / "src"))
        GAMES.add(getattr(import_module(f"ostrom_{name}"), variable))


def play(study: Study, models: int, layout: int, games: int, calls: int) -> Input:
    """Play an experiment and return its input by the provider's account."""
    with tempfile.TemporaryDirectory() as folder, Provider(seed=3, cache=CacheRules()) as provider:
        count = models if models == 1 or study.game not in GAMES else max(models, at_table(study.game))
        names = [f"model-{number}" for number in range(count)]
        bots = [Bot(name=name, model=name, base_url=provider.base_url, layout=layout) for name in names]
        store, how = Path(folder) / "j.db", {"limits": {"calls": calls}}
        if study.task is not None:
            ostrom.bench(bots, game="battery", tasks=[study.task], seed=11, store=store, progress=False, **how)
        elif study.game == WRITING:
            write(bots, Path(folder), store)
        elif study.game in READINGS:
            read(study.game, bots, Path(folder), store, games, how)
        else:
            how |= {"games": games, "rules": study.rules, "seats": at_table(study.game) if models > 1 else None}
            seated = bots if models > 1 else bots * at_table(study.game)
            ostrom.bench(seated, game=study.game, seed=11, store=store, progress=False, **how)
        accounts = provider.account()["cache"].values()
        longest = longest_prompt(store)
    names = ("calls", "characters", "shared_characters", "input_tokens", "billed_tokens")
    return Input(*(sum(account[name] for account in accounts) for name in names), longest)


def at_table(game: str) -> int:
    """Return the number of seats at a table of a game: five, or the nearest larger number that it can be."""
    seats = GAMES[game].seats
    count = min(max(MODELS, seats.fewest), seats.most or MODELS)
    return -(-count // seats.multiple) * seats.multiple


def bot_file(bot: Bot, folder: Path) -> str:
    """Write a bot to a file and return its path."""
    file = folder / f"{bot.name}.json"
    file.write_text(bot.model_dump_json(exclude={"name"}, exclude_none=True))
    return str(file)


def read(reading: str, judges: list[Bot], folder: Path, store: Path, games: int, how: dict[str, Any]) -> None:
    """Let each judge read the messages of games without models."""
    if reading == "cartel_talk":
        traders = ["TalkingCartel", "TalkingCartel", "Chatter", "Chatter", "Truthful", "Truthful"]
        rules = {"messages": "side"}
        ostrom.bench(traders, game="double_auction", rules=rules, games=games, seed=11, store=store, progress=False)
    else:
        ostrom.bench(game="punish", games=games, seed=11, store=store, progress=False)
    for judge in judges:
        if reading == "cartel_talk":
            run("collusion", "--judge", bot_file(judge, folder), "--store", str(store))
        else:
            ostrom.quotes(judge=bot_file(judge, folder), promises=reading == "promises", store=store, **how)


def write(authors: list[Bot], folder: Path, store: Path) -> None:
    """Ask each model for strategies of the prisoner's dilemma."""
    for author in authors:
        file = folder / f"{author.name}.py"
        run("write", "--llm", bot_file(author, folder), "--game", "repeated", "--seed", "11", "-o", str(file),
            "--store", str(store))  # fmt: skip


def run(*arguments: str) -> None:
    """Run a command of Ostrom. Only its prompts matter, so it may fail."""
    subprocess.run([sys.executable, "-m", "ostrom", *arguments], stdout=subprocess.DEVNULL, check=False)


def longest_prompt(store: Path) -> int:
    """Return the number of tokens of the longest prompt in a journal."""
    with closing(sqlite3.connect(store)) as journal:
        return journal.execute("SELECT max(input_tokens) FROM calls").fetchone()[0] or 0


def row_of(study: Study, models: int, options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of a study as a row of the table."""
    new = play(study, models, 2, options.games, options.calls)
    row: dict[str, Any] = {
        "game": study.name,
        "models": models,
        "calls": int(new.calls),
        "characters a call": round(new.characters / new.calls),
        "shared": new.shared / new.characters,
        "too short": new.longest < SHORTEST_TOKENS,
    }
    if options.layouts:
        old = play(study, models, 1, options.games, options.calls)
        row["shared in layout 1"] = old.shared / old.characters
        row["billed"], row["billed in layout 1"] = new.billed / old.tokens, old.billed / old.tokens
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--calls", type=int, default=32, help="concurrent calls")
    parser.add_argument("--game", action="append", help="only games and tasks whose name contains this; repeatable")
    parser.add_argument("--layouts", action="store_true", help="layout 1 beside layout 2")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    load_examples()
    rows = []
    for study in studies():
        if options.game and not any(part in study.name for part in options.game):
            continue
        for models in (MODELS, 1):
            rows.append(row_of(study, models, options))
            if not options.json:
                shown = (f"{value:.1%}" if isinstance(value, float) else str(value) for value in rows[-1].values())
                print(f"| {' | '.join(shown)} |", flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
