"""Who gets no score: subjects that answer by habit or chance must get none, whatever task is asked alone, and honest
ones must keep theirs, noise or not. By itself: `python benchmarks/coverage_subjects.py --worlds 200`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from zlib import crc32

from worlds import Row, Study, main, row

from ostrom.core import Choice, Fault, Question
from ostrom.experiment.match import play_games
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.games.battery.items import CONTROL, Item
from ostrom.games.battery.rules import right_answer
from ostrom.games.battery.scores.score import Code, Score
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import Subject, is_subject, subject
from ostrom.games.battery.subjects.base import round_allowed
from ostrom.players.base import NoAnswer
from ostrom.players.strategy import Draw


def is_control(question: Question) -> bool:
    """Return whether a question checks that the subject reads; only stated tasks ask such questions."""
    return isinstance(question.view, Item) and question.view.purpose == CONTROL


@dataclass(frozen=True)
class Fixed(Subject):
    """Answers a share of the range, and of two options the one at that place in the order of their names."""

    def share(self, question: Question, draw: Draw) -> float:
        """The share of the range."""
        return 0.0

    def answer(self, question: Question, draw: Draw) -> object:
        """The number or the option at the share."""
        spec, share = question.spec, self.share(question, draw)
        if isinstance(spec, Choice):
            return sorted(spec.options)[min(int(share * len(spec.options)), len(spec.options) - 1)]
        return round_allowed(spec.low + share * (spec.high - spec.low), spec)


@dataclass(frozen=True)
class Greatest(Fixed):
    """Always the greatest number."""

    def share(self, question: Question, draw: Draw) -> float:
        """The share of the range."""
        return 1.0


@dataclass(frozen=True)
class Least(Fixed):
    """Always the least number."""


@dataclass(frozen=True)
class Half(Fixed):
    """Always half of the range."""

    def share(self, question: Question, draw: Draw) -> float:
        """The share of the range."""
        return 0.5


@dataclass(frozen=True)
class Alternating(Fixed):
    """The greatest and the least in turn."""

    def share(self, question: Question, draw: Draw) -> float:
        """The share of the range."""
        return float(question.turn % 2)


@dataclass(frozen=True)
class Hash(Fixed):
    """A number that the text of the question determines, whatever it means."""

    def share(self, question: Question, draw: Draw) -> float:
        """The share of the range."""
        return crc32(repr((question.phase, question.view.facts)).encode()) / 2**32


@dataclass(frozen=True)
class CleverRandom(Fixed):
    """Right in control questions, random in all others."""

    def share(self, question: Question, draw: Draw) -> float:
        """The share of the range."""
        if not is_control(question):
            return draw()
        facts = question.view.as_record()
        return right_answer(question.phase, facts) / facts["most"]


@dataclass(frozen=True)
class DeclinesControls(Least):
    """Declines control questions, and gives the least number in all others."""

    def answer(self, question: Question, draw: Draw) -> object:
        """The least number, or no answer."""
        if is_control(question):
            raise NoAnswer(Fault.REFUSED, "it declined to answer")
        return super().answer(question, draw)


OF_THE_STUDY: dict[str, type[Subject]] = {
    "greatest": Greatest,
    "least": Least,
    "half": Half,
    "alternating": Alternating,
    "hash": Hash,
    "clever-random": CleverRandom,
    "declines-controls": DeclinesControls,
}
EMPTY = ("random", "constant", "always-a", "always-first", "refuser", "malformed", *OF_THE_STUDY)
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


def register_subjects() -> None:
    """Register the subjects of the study. Importing the module does not, so that other tests keep the registry."""
    for name, subject_class in OF_THE_STUDY.items():
        if not is_subject(name):
            subject(name)(subject_class)


def scored(name: str, protocol: str, seed: int, *tasks: str) -> SubjectScores:
    """A subject that is asked some tasks, by default all, as `ostrom bench battery --task` asks them."""
    register_subjects()
    settings = BatterySettings(subject=(name,), protocol=protocol, task=tasks, seed=seed)
    games = play_games(plan_battery(settings).fixtures())
    events = {
        match.game.name.removeprefix("stated_"): [event.as_record() for event in match.events] for _, match in games
    }
    return SubjectScores(name, events)


def gets_a_score(one: SubjectScores) -> bool:
    """Whether any score, in numbers or in words, is given."""
    return any(found.value is not None for found in (*one.scores.values(), *one.words.values()))


def loses_a_score(one: SubjectScores) -> bool:
    """Whether any score is withheld because answers look like habit or chance."""
    return any(found.code in HABIT for found in (*one.scores.values(), *one.words.values()))


def loses_a_number(one: SubjectScores) -> bool:
    """Whether any score in numbers is withheld, by whatever rule. A bound, such as that of the loss aversion of a
    subject that takes every gamble, is no loss: its reason has no code."""
    return any(_withheld(found) for found in one.scores.values())


def _withheld(found: Score) -> bool:
    return found.value is None and found.code not in (None, Code.NOT_ASKED)


def empty(subject: str, protocol: str, worlds: int) -> Iterator[Row]:
    """How often one of those without preferences gets a score. All but random differ between runs by the order of
    questions alone: a tenth of the worlds is enough. The full protocol is slow, and has a tenth too."""
    few = subject != "random" or protocol == "full"
    runs = max(1, worlds // 10) if few else worlds
    found = [(task, gets_a_score(scored(subject, protocol, seed, task))) for task in TASKS for seed in range(runs)]
    yield row(
        f"{subject} gets a score", f"{protocol}, one task alone", [got for _, got in found], note=_worst(found, runs)
    )


def honest(noise: float, protocol: str, worlds: int) -> Iterator[Row]:
    """How often an honest subject loses a score; the worlds are shared out among them, a tenth in the full protocol."""
    runs = max(1, worlds // len(HONEST) // (10 if protocol == "full" else 1))
    found = [
        (task, loses_a_score(scored(_noisy(subject, noise), protocol, seed, task)))
        for task in TASKS
        for subject in HONEST
        for seed in range(runs)
    ]
    what = f"an honest subject loses a score, noise {noise:g}"
    yield row(what, f"{protocol}, one task alone", [lost for _, lost in found], note=_worst(found, runs * len(HONEST)))


def over_all_tasks(protocol: str, worlds: int) -> Iterator[Row]:
    """The same for subjects that are asked all tasks: runs of those without preferences, and honest ones. Honest ones
    are counted three times: if they lose a score to the rules on habit or chance, if they lose any score in numbers by
    any rule, and if no score is left at all."""
    got = [(name, gets_a_score(scored(name, protocol, seed))) for name in EMPTY for seed in range(worlds // 50)]
    yield row(
        f"one of {len(EMPTY)} subjects without preferences gets a score or a label",
        f"{protocol}, all tasks",
        [score for _, score in got],
        note=_worst(got, worlds // 50),
    )
    names = [_noisy(HONEST[run % len(HONEST)], NOISE[run // len(HONEST) % len(NOISE)]) for run in range(worlds // 10)]
    honest_ones = [(name, scored(name, protocol, seed)) for seed, name in enumerate(names)]
    for what, lost in (
        ("an honest subject loses a score to habit or chance", loses_a_score),
        ("an honest subject loses a score in numbers by any rule", loses_a_number),
        ("an honest subject is left without any score", lambda one: not gets_a_score(one)),
    ):
        counted = [(name, lost(one)) for name, one in honest_ones]
        note = "at most 5 %" + _commonest(one for one in honest_ones if lost(one[1]))
        yield row(what, f"{protocol}, all tasks", [happened for _, happened in counted], note=note)


def _commonest(losers: Iterable[tuple[str, SubjectScores]]) -> str:
    """The scores that most of these lost."""
    lost = Counter(name for _, one in losers for name, found in one.scores.items() if _withheld(found))
    named = ", ".join(f"{name} {count} times" for name, count in lost.most_common(3))
    return f"; most often {named}" if named else ""


def _noisy(subject: str, noise: float) -> str:
    return f"{subject}{',' if ':' in subject else ':'}noise={noise:g}" if noise else subject


def _worst(found: list[tuple[str, bool]], runs: int) -> str:
    """The task, or the subject, with which it happens most."""
    ((task, count),) = Counter(task for task, happened in found if happened).most_common(1) or [("", 0)]
    return f"should be 0; most in {task}: {count} of {runs}" if count else "should be 0"


STUDIES: list[Study] = [
    *(partial(over_all_tasks, protocol) for protocol in ("quick", "full")),
    *(partial(empty, subject, protocol) for protocol in ("quick", "full") for subject in EMPTY),
    *(partial(honest, noise, protocol) for protocol in ("quick", "full") for noise in NOISE),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
