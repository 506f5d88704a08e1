"""How near honest subjects come to losing their score: simulated subjects with known preferences are asked the time and
risk tasks item by item, and the rules that withhold a score are applied to what they answered.

    python benchmarks/battery_honest.py

prints the table of docs/validity.md."""

import argparse
from collections.abc import Iterator

from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.scores.answers import diagnostics, refusal
from ostrom.games.battery.subjects import subject_of
from ostrom.games.battery.tables import answers_table, sequences_table

SUBJECTS = (
    "exponential:delta=0.7",
    "exponential:delta=0.95",
    "quasi-hyperbolic:beta=0.7,delta=0.95",
    "hyperbolic:k=0.5",
    "expected-utility:r=-0.5",
    "expected-utility:r=0.8",
)


def told(protocol: str, noise: float, seeds: int) -> Iterator[str]:
    """A row for each task."""
    for task in ("time", "risk"):
        lost, positions, random = 0, [], []
        for name in SUBJECTS:
            for seed in range(1, seeds + 1):
                subject = subject_of(f"{name},noise={noise:g}")
                match = play_match(
                    GAMES[f"stated_{task}"], load_protocol(protocol)[task], [subject], GameChance(seed, 0)
                )
                events = [event.as_record() for event in match.events]
                answers, sequences = answers_table(events, task), sequences_table(events, task)
                found = diagnostics(answers, sequences, task)
                lost += refusal(answers, sequences, found, task) is not None
                positions += [found.first.value, found.label_a.value]
                random.append(found.random.value)
        yield (
            f"| {protocol} | {noise:g} | {task} | {lost} of {len(random)} | {100 * min(positions):.0f} to "
            f"{100 * max(positions):.0f} % | {100 * max(random):.0f} % |"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=5, help="runs of each subject; three times as many of the quick")
    seeds = options.parse_args().seeds
    print("| protocol | noise | task | scores lost | share of first, of A | random at most |")
    print("|---|---|---|---|---|---|")
    for protocol, noise, runs in (("full", 0.1, seeds), ("quick", 0.03, 3 * seeds), ("quick", 0.1, 3 * seeds)):
        for line in told(protocol, noise, runs):
            print(line)


if __name__ == "__main__":
    main()
