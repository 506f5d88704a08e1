"""What a call costs through Inspect AI's `generate`. Run by the peer's own Python, which knows nothing of ours.

Reads one line of JSON (base_url, system, user, calls, in_flight), and prints one with the time and the processor time
that the calls took, after a warm-up."""

import asyncio
import json
import resource
import sys
import time
from importlib.metadata import version

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model


def processor_time() -> float:
    """Seconds of this process so far, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def measure(task: dict) -> dict:
    """Make the calls, so many at once."""
    config = GenerateConfig(temperature=0.3, max_tokens=200, max_connections=task["in_flight"], max_retries=0)
    model = get_model(
        "openai/gpt-4o", base_url=task["base_url"], api_key="none", config=config, responses_api=False, memoize=False
    )
    messages = [ChatMessageSystem(content=task["system"]), ChatMessageUser(content=task["user"])]

    async def work(left: list[int]) -> None:
        while left:
            left.pop()
            output = await model.generate(messages)
            assert output.completion.endswith("</contribution>")

    async def all_of(calls: int) -> None:
        left = list(range(calls))
        await asyncio.gather(*(work(left) for _ in range(task["in_flight"])))

    await all_of(2 * task["in_flight"])
    started, used = time.perf_counter(), processor_time()
    await all_of(task["calls"])
    return {
        "seconds": time.perf_counter() - started,
        "processor_seconds": processor_time() - used,
        "version": version("inspect_ai"),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(json.loads(sys.stdin.readline())))))
