"""Decisions a second, end to end with the journal: in waves to an engine in this process that answers at once, and by
single calls to the test provider in another process. Also the processor time of the harness for each decision.

    python benchmarks/waves.py --games 200 --rounds 5

With --profile it prints where the time of the waves goes."""

import argparse
import asyncio
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ostrom.core import Line, Usage
from ostrom.core.plugins import GAMES
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import benchmark
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct, enter
from ostrom.journal.sql import Journal
from ostrom.players.base import Endpoint, Reply, Request
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.engine import EngineReply, EngineRequest, answer_in_wave
from ostrom.players.models.player import BriefedPlayer
from ostrom.players.roster import ModelContestant
from ostrom.testing.provider.answers import Draw, requested_answer


class InstantEngine:
    """Answers every question legally and at once. Answers are drawn once for each form."""

    schemas = False

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}

    def answer(self, requests: Sequence[EngineRequest]) -> Sequence[EngineReply]:
        """Return a reply to each request."""
        return [EngineReply(self._text(request.messages), 1000, 20) for request in requests]

    def _text(self, messages: Sequence[Line]) -> str:
        from random import Random

        form = messages[-1].text[-400:]
        if form not in self._answers:
            requested = requested_answer({"messages": [{"role": "user", "content": messages[-1].text}]})
            value = Draw(requested.schema, Random(1), "lowest").value()
            self._answers[form] = "\n".join(f"<{name}>{content}</{name}>" for name, content in value.items())
        return self._answers[form]


class EnginePlayer(BriefedPlayer):
    """A seat of the engine."""

    engine = InstantEngine()

    async def send(self, request: Request, reference: str) -> Reply:
        """Ask the engine with the wave of the run."""
        reply = await answer_in_wave(self.engine, EngineRequest(request.prompt, 200))
        return Reply(reply.text, Usage(reply.input_tokens, reply.output_tokens), 0.0, "stop", {"model": "instant"})


@dataclass(frozen=True)
class EngineContestant(ModelContestant):
    """A player whose model is the engine."""

    def sit(self, seat, chance):
        endpoint = Endpoint("instant", "process", lambda usage: 0.0, in_process=True)
        return EnginePlayer(self.bot, endpoint, "tags", briefing_of(self.game), self.own_framing, chance)


def run(contestants, games: int, rounds: int, limits: Limits, profile: bool = False) -> tuple[int, float, float]:
    """Play; return the decisions, the seconds and the processor seconds of this process."""
    game = GAMES["contribute_punish"]
    planned = benchmark(game, contestants, game.rules(rounds=rounds), games, 5, 1)
    with tempfile.TemporaryDirectory() as folder, Journal.open(f"sqlite:///{folder}/j.db", create=True) as journal:
        experiment = enter(planned, journal, "benchmark")
        profiler = cProfile.Profile() if profile else None
        began, used = time.perf_counter(), time.process_time()
        if profiler:
            profiler.enable()
        asyncio.run(conduct(planned.fixtures(), journal, experiment, Conduct(limits)))
        if profiler:
            profiler.disable()
        seconds, processor = time.perf_counter() - began, time.process_time() - used
        if profiler:
            pstats.Stats(profiler).sort_stats("tottime").print_stats(45)
        (row,) = journal.experiments()
        assert row.state == "finished", row
        return row.answers, seconds, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--single-games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    engines = [EngineContestant(Bot(name=f"e{n}", model="instant", form="tags"), "contribute_punish") for n in range(5)]
    run(engines, 2, 1, Limits())
    waves = [run(engines, options.games, options.rounds, Limits(games=options.games), options.profile)
             for _ in range(1 if options.profile else options.repeat)]  # fmt: skip
    report("waves, an engine in this process", waves)
    if options.profile:
        return
    command = [sys.executable, "-m", "ostrom.testing.provider", "--answers", "lowest"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as provider:
        url = provider.stdout.readline().strip()
        bots = [ModelContestant(Bot(name=f"b{n}", model="m", base_url=url, form="tags"), "contribute_punish")
                for n in range(5)]  # fmt: skip
        run(bots, 2, 1, Limits())
        limits = Limits(calls=64, per_provider=64)
        report("single calls, the test provider", [run(bots, options.single_games, options.rounds, limits)
                                                   for _ in range(options.repeat)])  # fmt: skip
        provider.terminate()


def report(title: str, runs) -> None:
    decisions = runs[0][0]
    speed = median(decisions / seconds for _, seconds, _ in runs)
    processor = median(1000 * used / decisions for _, _, used in runs)
    print(f"{title:<36}{decisions:>8,} decisions {speed:>9,.0f} a second {processor:>8.2f} ms of processor time each")


if __name__ == "__main__":
    main()
