"""Noise of simulated subjects: it affects every task and is independent between tasks."""

import numpy as np

from ostrom.core import Amount, Choice, GameChance, Question, Seat
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.items import Item
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects import subject_of
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts


def repeated_answers(name: str, items: int) -> dict[str, list[float]]:
    """Return a subject's answers, as numbers, to the same item of each task, asked this many times."""
    facts = {
        ("dictator", "giver"): (GiveFacts(100.0), Amount(0, 100)),
        ("ultimatum", "proposer"): (OfferFacts(100.0), Amount(0, 100)),
        ("trust", "sender"): (SendFacts(100.0, 3.0), Amount(0, 100)),
        ("beauty_contest", "guesser"): (GuessFacts(15, 2 / 3, 0, 100, 10.0), Amount(0, 100, whole=True)),
        ("garp", "allocator"): (BudgetFacts(100.0, (1.0, 1.0)), Amount(0, 100)),
        ("stag_hunt", "chooser"): (StagFacts(100.0, 50.0), Choice(("hare", "stag"))),
        ("matching_pennies", "chooser"): (PenniesFacts("matcher", 10.0), Choice(("heads", "tails"))),
    }
    player = subject_of(name).sit(Seat(0), GameChance(3, 0))
    answers_by_task: dict[str, list[float]] = {}
    for (task, role), (known, spec) in facts.items():
        options = spec.options if isinstance(spec, Choice) else ()
        item = Item(task, role, "cell", 1, known, options, ("A", "B") if options else ())
        answers = [player.answer(Question(Seat(0), role, turn, spec, item)) for turn in range(1, items + 1)]
        answers_by_task[task] = [options.index(one) if options else one for one in answers]  # type: ignore[arg-type, misc]
    return answers_by_task


def test_noise_affects_every_task_and_is_independent_between_tasks() -> None:
    columns = np.array(list(repeated_answers("selfish:noise=0.1", 5000).values()))
    assert np.all(columns.std(axis=1) > 0)
    correlations = np.corrcoef(columns)[np.triu_indices(len(columns), 1)]
    assert np.abs(correlations).max() < 0.05


def test_noise_changes_nothing_if_only_one_number_is_allowed() -> None:
    player = subject_of("conditional-cooperator:noise=0.1").sit(Seat(0), GameChance(3, 0))
    item = Item("trust", "returner", "cell", 1, ReturnFacts(100.0, 3.0, 0.0, 0.0))
    assert player.answer(Question(Seat(0), "returner", 1, Amount(0, 0), item)) == 0
