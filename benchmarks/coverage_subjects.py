"""Who gets no score: subjects that answer by habit or chance must get none, whatever task is asked alone, and honest
ones must keep theirs, noise or not. By itself: `python benchmarks/coverage_subjects.py --worlds 200`."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from worlds import Row, Study, main, row

from ostrom.experiment.match import play_games
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.games.battery.scores.score import Code
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.games.battery.tasks import TASKS

EMPTY = ("random", "constant", "always-a", "always-first", "refuser", "malformed")
HONEST = (
    "selfish",
    "backward-inducer",
    "level-k:k=1",
    "level-k:k=4",
    "conditional-cooperator",
    "fehr-schmidt",
    "fehr-schmidt:alpha=0.5,beta=0.25",
    "quasi-hyperbolic",
    "expected-utility:r=0.5",
    "prospect",
)
NOISE = (0.0, 0.03, 0.1)
HABIT = (Code.RANDOM, Code.POSITION, Code.CONSTANT)


def scored(subject: str, task: str, protocol: str, seed: int) -> SubjectScores:
    """A subject that is asked one task alone, as `ostrom bench battery --task` asks it."""
    settings = BatterySettings(subject=(subject,), protocol=protocol, task=(task,), seed=seed)
    ((_, match),) = play_games(plan_battery(settings).fixtures())
    return SubjectScores(subject, {task: [event.as_record() for event in match.events]})


def gets_a_score(one: SubjectScores) -> bool:
    """Whether any score, in numbers or in words, is given."""
    return any(found.value is not None for found in (*one.scores.values(), *one.words.values()))


def loses_a_score(one: SubjectScores) -> bool:
    """Whether any score is withheld because answers look like habit or chance."""
    return any(found.code in HABIT for found in (*one.scores.values(), *one.words.values()))


def empty(subject: str, protocol: str, worlds: int) -> Iterator[Row]:
    """How often one of those without preferences gets a score. All but random differ between runs by the order of
    questions alone: a tenth of the worlds is enough. The full protocol is slow, and has a tenth too."""
    few = subject != "random" or protocol == "full"
    runs = max(1, worlds // 10) if few else worlds
    found = [(task, gets_a_score(scored(subject, task, protocol, seed))) for task in TASKS for seed in range(runs)]
    yield row(
        f"{subject} gets a score", f"{protocol}, one task alone", [got for _, got in found], note=_worst(found, runs)
    )


def honest(noise: float, protocol: str, worlds: int) -> Iterator[Row]:
    """How often an honest subject loses a score; the worlds are shared out among them, a tenth in the full protocol."""
    runs = max(1, worlds // len(HONEST) // (10 if protocol == "full" else 1))
    found = [
        (task, loses_a_score(scored(_noisy(subject, noise), task, protocol, seed)))
        for task in TASKS
        for subject in HONEST
        for seed in range(runs)
    ]
    what = f"an honest subject loses a score, noise {noise:g}"
    yield row(what, f"{protocol}, one task alone", [lost for _, lost in found], note=_worst(found, runs * len(HONEST)))


def _noisy(subject: str, noise: float) -> str:
    return f"{subject}{',' if ':' in subject else ':'}noise={noise:g}" if noise else subject


def _worst(found: list[tuple[str, bool]], runs: int) -> str:
    """The task in which it happens most."""
    ((task, count),) = Counter(task for task, happened in found if happened).most_common(1) or [("", 0)]
    return f"should be 0; most in {task}: {count} of {runs}" if count else "should be 0"


STUDIES: list[Study] = [
    *(partial(empty, subject, protocol) for protocol in ("quick", "full") for subject in EMPTY),
    *(partial(honest, noise, protocol) for protocol in ("quick", "full") for noise in NOISE),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
