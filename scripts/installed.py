"""What an installation can do: every command tried once, in a folder of its own, with what it needs beyond the base.
`scripts/dist.py` tries them in real environments, a test in a process that cannot see the extras."""

import re
from collections.abc import Collection
from typing import NamedTuple


class Try(NamedTuple):
    """A command line, and what it needs."""

    words: str
    needs: str = ""
    """The extra without which it cannot work; empty where the base is enough."""
    status: int = 0
    """What it exits with where all that it needs is there."""


TRIES = (
    Try("--version"),
    Try("--help"),
    Try("run --seed 1 --turns 3 -o game.json"),
    Try("run --replay game.json"),
    Try("run punish --seed 1 --json"),
    Try("run punish --llm openai:gpt-5-mini --seed 1 --dry-run", "models"),
    Try("show game.json"),
    Try("export game.json -o game.html"),
    Try("animate game.json -o game.gif", "video"),
    Try("tournament --games 2 --turns 3 --group-size 15 --seed 1"),
    Try("tournament repeated --games 1 --seed 1"),
    Try("tournament --games 2 --turns 3 --seed 1 --keep games.parquet"),
    Try("tournament --games 2 --turns 3 --seed 1 --backend jax", "jax"),
    Try("tournament --games 2 --turns 3 --seed 1 --backend compiled", "compiled"),
    Try("evolve repeated --games 1 --seed 1 --players AllC --players AllD --players TitForTat"),
    Try("solve repeated --players AllC --players AllD --games 1 --seed 1"),
    Try("sweep --vary alpha=0:1:1 --games 2 --turns 3 --seed 1"),
    Try("respond repeated --against TitForTat --seed 1 --rounds 3"),
    Try(
        "design repeated --vary noise=0:0.1 --maximise welfare --seats 2 --candidates 2 --tables 2 --games 1 --seed 1",
    ),
    Try("bench commons --games 3 --turns 3 --seed 1"),
    Try("bench punish --llm openai:gpt-5-mini --games 10 --seed 1 --dry-run", "models"),
    Try('bench commons --games 20 --turns 3 --seed 1 --until "width(mean_final) < 100000"'),
    Try("tournament --games 1 --seed 1 --cluster tcp://127.0.0.1:9", "cluster", status=2),
    Try("bench commons --games 1 --seed 1 --store postgresql://nobody@127.0.0.1:9/x", "postgres", status=2),
    Try("bench battery --subject random --protocol quick --seed 1"),
    Try("resume commons-1"),
    Try("power commons --help"),
    Try("import pgg-bench nowhere", status=2),
    Try("import study zhu-2025 nowhere", status=2),
    Try("status"),
    Try("list"),
    Try("list experiments"),
    Try("list journal"),
    Try("label"),
    Try("ratings commons"),
    Try("ratings --items missing.csv", status=2),
    Try("pool missing.csv --predictions independent", status=2),
    Try("train-people zhu-2025 nowhere", status=2),
    Try("forecast --study missing.json", status=2),
    Try("fit strategies missing.csv", status=2),
    Try("report --experiment commons-1 -o report"),
    Try("payoffs"),
    Try("publish commons-1 -o site", "web"),
    Try("show commons-1.1"),
    Try("export commons-1.1 -o one.html"),
    Try("export commons-1 -o tables"),
    Try("scores"),
    Try("quotes"),
    Try("write --llm nowhere.json --game repeated", status=2),
    Try("forecasters zhu-2025 nowhere --llm openai:gpt-5-mini", status=2),
    Try("collusion", status=2),
    Try("market", status=2),
    Try("audit commons --seed 1 --include openai:gpt-5-mini", status=2),
    Try("journal check"),
    Try("experiment archive commons-1"),
    Try("keys"),
    Try("session list"),
    Try("session check contributions"),
    Try("session check nowhere.toml", status=2),
    Try("session export nowhere -o session-data", status=2),
    Try("session forget nowhere --yes", status=2),
    Try("doctor"),
    Try("new game nim"),
    Try("serve --port 0", "web"),
    Try("run punish --include human --include Cooperator:4 --port 0", "web"),
    Try("demo"),
)
STAYS = ("serve", "run punish --include human")
"""How commands begin that wait for somebody, where what they need is there."""


def has(extras: Collection[str], need: str) -> bool:
    """Whether what a command needs comes with these extras."""
    return not need or need in extras


def wrong(one: Try, extras: Collection[str], status: int, out: str, err: str) -> str | None:
    """What is wrong with how a command ended in an installation with these extras; None where nothing is."""
    said = f"ostrom {one.words}: status {status}\n{out[-500:]}{err[-2_000:]}"
    if "Traceback" in err:
        return said
    if has(extras, one.needs):
        return None if status == one.status and "pip install" not in err else said
    lines = err.splitlines()
    told = len(lines) == 1 and re.search(r"pip install 'ostrom\[([\w,]+)\]'", lines[0])
    return None if status == 2 and told and told[1] == one.needs else f"{said}(it needs {one.needs})"
