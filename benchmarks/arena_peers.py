"""What a call to a model costs before anybody has played: a bare loop over the HTTP client, pydantic-ai's direct
interface, and Inspect AI's `generate`, against the same test provider in the same run.

Each is measured in a process of its own, in turn, several times. What counts is the processor time of that process for
each call, user and system; calls per second are bounded by the number in flight over the delay."""

import argparse
import asyncio
import json
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from provider_process import provider_process  # noqa: E402 - it lies beside the tests

INSPECT_PYTHON = ROOT / ".venv-inspect/bin/python"
INSPECT_SCRIPT = ROOT / "benchmarks/peers/inspect_generate.py"
NO_INSPECT = "Inspect AI is not there to compare with: `make bench` puts it in .venv-inspect"
SYSTEM = " ".join(
    [
        "You play a game of several rounds with four others, who are called P2 to P5; you are P1.",
        "In every round each of you holds 20 tokens and may put some of them into a pot.",
        "The pot is doubled and shared equally among all five, whoever put something in.",
        "Afterwards each may spend tokens on taking three times as many away from one of the others.",
    ]
    * 4
)
USER = "\n".join(
    [
        *(
            f"Round {n}: you put in {n + 3}; the others put in 4, 9, 12 and 20; nobody was punished."
            for n in range(1, 9)
        ),
        "Now it is round 9. How much do you put in?",
        "Answer in this tag and write nothing after it:",
        "<contribution>…</contribution> with a whole number from 0 to 20",
    ]
)
ENDING = "</contribution>"

Ask = Callable[[], Awaitable[str]]


def processor_time() -> float:
    """Seconds of this process so far, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def bare(task: dict[str, Any]) -> tuple[Ask, str]:
    """The HTTP client that the openai package uses, and nothing else."""
    import httpx2

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=task["in_flight"])
    client = httpx2.AsyncClient(base_url=task["base_url"], limits=limits, timeout=60)
    messages = [{"role": "system", "content": task["system"]}, {"role": "user", "content": task["user"]}]
    request = {"model": "gpt-4o", "messages": messages, "temperature": 0.3, "max_tokens": 200}

    async def ask() -> str:
        response = await client.post("/chat/completions", json=request)
        response.raise_for_status()
        return str(response.json()["choices"][0]["message"]["content"])

    return ask, version("httpx2")


def direct(task: dict[str, Any]) -> tuple[Ask, str]:
    """pydantic-ai without its agents."""
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest, SystemPromptPart, TextPart, UserPromptPart
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.settings import ModelSettings

    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(base_url=task["base_url"], api_key="none"))
    settings = ModelSettings(temperature=0.3, max_tokens=200)

    async def ask() -> str:
        parts = [SystemPromptPart(task["system"]), UserPromptPart(task["user"])]
        response = await model_request(model, [ModelRequest(parts)], model_settings=settings)
        part = response.parts[-1]
        assert isinstance(part, TextPart)
        return part.content

    return ask, version("pydantic-ai-slim")


PEERS = {"bare": bare, "direct": direct}
NAMES = {"bare": "bare loop over httpx2", "direct": "pydantic-ai, direct", "inspect": "Inspect AI, generate"}


async def measure_here(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """Make the calls, so many at once, after a warm-up."""
    ask, its_version = PEERS[name](task)

    async def work(left: list[int]) -> None:
        while left:
            left.pop()
            assert (await ask()).endswith(ENDING)

    async def all_of(calls: int) -> None:
        left = list(range(calls))
        await asyncio.gather(*(work(left) for _ in range(task["in_flight"])))

    await all_of(2 * task["in_flight"])
    started, used = time.perf_counter(), processor_time()
    await all_of(task["calls"])
    return {
        "seconds": time.perf_counter() - started,
        "processor_seconds": processor_time() - used,
        "version": its_version,
    }


def measure_apart(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """Measure one of them in a process of its own; what goes wrong in it shows on our standard error."""
    own = [sys.executable, __file__, "--peer", name]
    command = [str(INSPECT_PYTHON), str(INSPECT_SCRIPT)] if name == "inspect" else own
    done = subprocess.run(command, input=json.dumps(task) + "\n", stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything, as one document."""
    names = [*PEERS, *(["inspect"] if INSPECT_PYTHON.exists() else [])]
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    with provider_process("--delay", options.delay) as provider:
        task = {
            "base_url": provider.base_url,
            "system": SYSTEM,
            "user": USER,
            "calls": options.calls,
            "in_flight": options.in_flight,
        }
        for _ in range(options.repeats):
            for name in names:
                runs[name].append(measure_apart(name, task))
        account = provider.account()
    assert account["answered"] == account["requests"], account
    return {
        "delay": options.delay,
        "in_flight": options.in_flight,
        "calls": options.calls,
        "repeats": options.repeats,
        "peak_in_flight": account["peak"],
        "python": platform.python_version(),
        "peers": {
            name: {
                "version": done[0]["version"],
                "milliseconds_of_processor_a_call": statistics.median(
                    1000 * run["processor_seconds"] / options.calls for run in done
                ),
                "calls_per_second": statistics.median(options.calls / run["seconds"] for run in done),
            }
            for name, done in runs.items()
        },
    }


def show(document: dict[str, Any]) -> None:
    """The document as a table."""
    title = f"{document['calls']} calls, {document['in_flight']} in flight, delay {document['delay']:g} s"
    table = Table(title=f"{title}, median of {document['repeats']}")
    for heading in ("", "version", "processor ms a call", "calls/s"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, found in document["peers"].items():
        cost = f"{found['milliseconds_of_processor_a_call']:.2f}"
        table.add_row(NAMES[name], found["version"], cost, f"{found['calls_per_second']:.0f}")
    console = Console()
    console.print(table)
    if "inspect" not in document["peers"]:
        console.print(NO_INSPECT, highlight=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON in place of the table")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer", choices=list(PEERS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        print(json.dumps(asyncio.run(measure_here(options.peer, json.loads(sys.stdin.readline())))))
        return
    document = measure(options)
    if options.json:
        print(json.dumps(document))
    else:
        show(document)


if __name__ == "__main__":
    main()
