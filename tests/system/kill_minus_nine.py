"""Kill −9 at random moments: an experiment against the test provider is killed again and again and resumed each time,
and must end as one that nobody disturbed. A command: ::

    python tests/system/kill_minus_nine.py --games 40 --kills 50 --store sqlite:////tmp/killed.db
"""

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # where it is run as a command

from system_lab import Lab, Played, ended, experiment, played, question_of, visited, visits

from fork_server import ForkServer
from ostrom.core import InputError, Provenance
from ostrom.experiment import replay
from ostrom.journal.sql import Journal
from provider_process import ProviderProcess, provider_process

BOTS = ("ash", "bay", "cob")
CALLS = 8
"""In flight at once."""
FAULTS = {"500": 0.02, "drop": 0.01, "half_json": 0.05, "empty": 0.03, "illegal": 0.03, "refusal": 0.01}
"""Drawn by a request's id, so that the same call meets the same fault whenever it is made."""


@dataclass
class Story:
    """What was seen."""

    kills: int = 0
    repeated: int = 0
    """Calls that were made anew; they were in flight at a kill."""
    before_anything: int = 0
    """Kills before the experiment was in the journal."""


def provider_options(log: Path, delay: float) -> list[object]:
    """A provider whose answers and faults depend on what it is asked alone."""
    faults = [part for name, share in FAULTS.items() for part in ("--fault", f"{name}={share}")]
    return ["--models", ",".join(BOTS), "--delay", delay, "--draw-by", "reference", "--log", log, "--seed", 5, *faults]


def prepare(folder: Path, store: str, provider: ProviderProcess, games: int, server: ForkServer | None = None) -> Lab:
    """A lab with an experiment of half Contribute & Punish with messages, half Commons."""
    folder.mkdir(exist_ok=True)
    lab = Lab(folder, store, server=server)
    for name in BOTS:
        lab.bot(name, provider.base_url, price={"input": 1, "output": 1})
    rules: dict[str, dict[str, Any]] = {"punish": {"rounds": 3}, "commons": {"turns": 5}}
    limits = {"calls": CALLS, "per_provider": CALLS}
    described = experiment(games=rules, include=BOTS, repetitions=games // 2, seats=3, limits=limits, seed=11)
    (folder / "experiment.toml").write_text(described)
    return lab


def undisturbed(
    folder: Path, provider: ProviderProcess, games: int, server: ForkServer | None = None
) -> dict[str, Played]:
    """The games of a run that nobody disturbs."""
    lab = prepare(folder, f"sqlite:///{folder}/undisturbed.db", provider, games, server)
    lab.must("bench", "--file", "experiment.toml")
    with lab.journal() as journal:
        return played(journal)


class Killing:
    """One experiment under fire."""

    def __init__(self, lab: Lab, log: Path, expected: dict[str, Played], seed: int) -> None:
        self._lab, self._log, self._expected = lab, log, expected
        self._draw = random.Random(seed)
        self._calls = sum(len(game.calls) for game in expected.values())
        self._skip = visited(log)
        self.story = Story()

    def run(self, kills: int) -> Story:
        """Kill and resume until it was done `kills` times, then let it finish, and compare."""
        # A kill may come after the last game was stored: then there is nothing left to resume.
        while self.story.kills < kills and not self._is_over() and self._killed(kills - self.story.kills):
            pass
        if self._state() != "finished":
            self._lab.must(*self._command())
        self._check_end()
        return self.story

    def _killed(self, left: int) -> bool:
        """Run until a random moment; whether there was anything to kill."""
        decided, known, calls = self._kept()
        made = self._draw.uniform(0, 2 * max(1, self._calls - calls) / (left + 1))
        seen = visited(self._log)
        began = time.time()
        process = self._lab.start(*self._command())
        early = self._draw.uniform(0, 2) if self._draw.random() < 0.1 else None
        while process.poll() is None:
            if early is not None and time.time() - began > early:
                break
            if early is None and visited(self._log) - seen >= made:
                time.sleep(self._draw.uniform(0, 0.03))
                break
            time.sleep(0.01)
        if process.poll() is not None:
            done = ended(process)
            assert done.status == 0, done
            return False
        process.send_signal(signal.SIGKILL)
        ended(process)
        self.story.kills += 1
        self._check_asked(began, decided, known)
        return True

    def _command(self) -> tuple[str, ...]:
        with self._journal_if_any() as journal:
            there = journal is not None and bool(journal.experiments())
        if not there:
            self.story.before_anything += 1
        return ("resume",) if there else ("bench", "--file", "experiment.toml")

    def _journal_if_any(self) -> AbstractContextManager[Journal | None]:
        try:
            return self._lab.journal()
        except InputError:
            return nullcontext()

    def _is_over(self) -> bool:
        with self._journal_if_any() as journal:
            return journal is not None and [row.state for row in journal.experiments()] == ["finished"]

    def _state(self) -> str:
        with self._lab.journal() as journal:
            (row,) = journal.experiments()
            return row.state

    def _kept(self) -> tuple[set[Any], set[str], int]:
        """Questions that are decided, ids of calls that are kept, and how many those are."""
        with self._journal_if_any() as journal:
            if journal is None:
                return set(), set(), 0
            decided, known = set(), set()
            for game in journal.games():
                for answer in journal.record(game.id).answers:
                    decided.add((game.key, answer.turn, answer.phase, answer.seat))
                for (turn, phase, seat), call in journal.calls(game.id):
                    known.add(f"{game.key}/{turn}/{phase}/P{seat + 1}/{call.attempt}")
            return decided, known, len(known)

    def _check_asked(self, since: float, decided: set[Any], known: set[str]) -> None:
        """Nothing that was in the journal when this run began was asked for in it."""
        for visit in visits(self._log)[self._skip :]:
            if visit["time"] > since:
                assert visit["id"] not in known, f"{visit['id']} is in the journal and was made again"
                assert question_of(visit["id"]) not in decided, f"{visit['id']} was decided and asked again"

    def _check_end(self) -> None:
        with self._lab.journal() as journal:
            found = played(journal)
            spending = journal.spending(journal.experiments()[0].id)
            records = [journal.record(game.id) for game in journal.games()]
        assert set(found) == set(self._expected)
        for key, game in found.items():
            assert game.state == "finished"
            # Prompts too: every conversation went on as it was.
            assert game == self._expected[key], f"game {key} is not what it would have been"
        for record in records:
            keys = [(answer.turn, answer.phase, answer.seat) for answer in record.answers]
            assert len(set(keys)) == len(keys)
            replay(record)
        assert any(a.provenance is not Provenance.ANSWERED for record in records for a in record.answers)
        asked = visits(self._log)
        before = {visit["id"]: visit["digest"] for visit in asked[: self._skip]}
        mine = Counter(visit["id"] for visit in asked[self._skip :])
        charged = sum(visit["charged"] for visit in asked[self._skip :])
        assert spending.tokens >= charged, "the provider charged for more tokens than the journal counts"
        assert spending.dollars * 1e6 >= charged * (1 - 1e-9), "the provider charged more than the journal counts"
        assert set(mine) == set(before)
        # The provider's own word that it was sent the same messages.
        assert all(before[visit["id"]] == visit["digest"] for visit in asked)
        again = sum(mine.values()) - len(mine)
        # On its way at a kill, or back and not yet stored.
        assert again <= self.story.kills * 2 * CALLS, f"{again} calls were made again"
        self.story.repeated = again


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, resume, compare; say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--store", help="the journal's URL; it must not be there yet [a file that goes away again]")
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "log.jsonl"
        with provider_process(*provider_options(log, options.delay)) as provider:
            expected = undisturbed(folder / "undisturbed", provider, options.games)
            store = options.store or f"sqlite:///{folder}/killed.db"
            lab = prepare(folder / "killed", store, provider, options.games)
            story = Killing(lab, log, expected, options.seed).run(options.kills)
            counted = provider.account()
        calls = sum(len(game.calls) for game in expected.values())
    print(
        f"{options.games} games, {calls} calls, killed {story.kills} times "
        f"({story.before_anything} of the starts found no experiment in the journal): every game is what it would have "
        f"been, {story.repeated} calls in flight were made anew, none that was kept; the provider counts "
        f"{counted['requests']} requests and {counted['abandoned']} that were given up."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
