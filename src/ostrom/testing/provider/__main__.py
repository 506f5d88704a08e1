"""The command `python -m ostrom.testing.provider`. It serves until it is interrupted; the first line of its output is
the base URL."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from ostrom.core import InputError
from ostrom.testing.provider.caching import CacheRules
from ostrom.testing.provider.catalogue import CATALOGUE
from ostrom.testing.provider.faults import BATCH_FAULTS, FAULTS, ProviderSettings, every_fault
from ostrom.testing.provider.service import serving


def parser() -> argparse.ArgumentParser:
    """Return the parser for the command line."""
    batch_lines = "\n".join(f"  {name:<14}{text}" for name, text in BATCH_FAULTS.items())
    fault_lines = "\n".join(f"  {name:<11}{text}" for name, text in FAULTS.items())
    options = argparse.ArgumentParser(
        prog="python -m ostrom.testing.provider",
        description="An OpenAI-compatible server on the loopback interface, with set delays and faults.",
        epilog=f"faults:\n{fault_lines}\n  {'all':<11}every one of them but 400, 401 and 404, in equal shares\n\n"
        f"faults of batches:\n{batch_lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--port", type=int, default=0, help="0 picks a free port")
    options.add_argument("--delay", type=float, default=0.0, help="seconds before a reply")
    options.add_argument("--jitter", type=float, default=0.0, help="the variation of the delay, as a share of it")
    options.add_argument("--fault", action="append", default=[], metavar="NAME=SHARE", help="repeatable")
    options.add_argument(
        "--fault-model", action="append", default=[], metavar="MODEL=NAME:SHARE", help="replaces --fault for one model"
    )
    options.add_argument("--cycle", action="store_true", help="use each fault in turn instead of drawing")
    options.add_argument("--batch-delay", type=float, default=0.0, help="seconds until a batch ends")
    options.add_argument("--batch-fault", action="append", default=[], metavar="NAME=SHARE", help="repeatable")
    options.add_argument("--draw-by", choices=("counter", "reference"), default="counter")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--answers", choices=("seed", "lowest", "highest"), default="seed")
    options.add_argument(
        "--models", default="", metavar="A,B", help="other models get 404; by default any name is accepted"
    )
    options.add_argument("--retry-after", type=float, default=1.0, help="seconds that a 429 asks to wait")
    options.add_argument("--trickle", type=float, default=0.1, help="seconds between two bytes of a trickle")
    options.add_argument("--log", type=Path, help="a file that gets one line of JSON for each request")
    options.add_argument("--catalogue", action="store_true", help="models named after scenarios behave so; see --list")
    options.add_argument("--list", action="store_true", help="list the scenarios of the catalogue and exit")
    options.add_argument("--cache", action="store_true", help="cache prefixes of prompts as providers do")
    options.add_argument("--keep", action="store_true", help="store prompts for GET /_prompts?id=…")
    return options


def settings_of(options: argparse.Namespace) -> ProviderSettings:
    """Return the settings for these options. Raise `InputError` if a fault is malformed."""
    model_faults: dict[str, dict[str, float]] = {}
    for text in options.fault_model:
        model, equals, fault = text.rpartition("=")
        if not equals:
            raise InputError(f"--fault-model {text} must be MODEL=NAME:SHARE")
        model_faults.setdefault(model, {}).update(_fault(fault, ":", "--fault-model", text))
    faults: dict[str, float] = {}
    for text in options.fault:
        faults.update(_fault(text, "=", "--fault", text))
    batch_faults: dict[str, float] = {}
    for text in options.batch_fault:
        batch_faults.update(_fault(text, "=", "--batch-fault", text))
    unchanged = (
        "delay",
        "batch_delay",
        "jitter",
        "cycle",
        "draw_by",
        "seed",
        "answers",
        "retry_after",
        "trickle",
        "log",
        "keep",
    )
    return ProviderSettings(
        faults=faults,
        batch_faults=batch_faults,
        model_faults=model_faults,
        models=tuple(name for name in options.models.split(",") if name),
        catalogue=options.catalogue,
        cache=CacheRules() if options.cache else None,
        **{name: getattr(options, name) for name in unchanged},
    )


def _fault(text: str, sign: str, option: str, argument: str) -> dict[str, float]:
    name, _, share = text.rpartition(sign)
    try:
        number = float(share)
    except ValueError:
        name = ""
    if not name:
        raise InputError(
            f"{option} {argument} must end in a fault, {sign!r} and a share from 0 to 1, as in 429{sign}0.05"
        )
    return every_fault(number) if name == "all" else {name: number}


async def serve(settings: ProviderSettings, port: int) -> None:
    """Serve until the process is interrupted or terminated."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with serving(settings, port) as (_, base_url):
        print(base_url, flush=True)
        await stop.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the process is interrupted. Return 2 if the options are invalid."""
    options = parser().parse_args(arguments)
    if options.list:
        for scenario in CATALOGUE.values():
            print(f"{scenario.name:<22}charges {scenario.charges:<9}{scenario.what}")
        return 0
    try:
        asyncio.run(serve(settings_of(options), options.port))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
