"""Noise of simulated subjects: it touches every task, is independent between tasks, and old experiments keep theirs."""

from typing import Any

import numpy as np

from ostrom.core import Amount, Choice, GameChance, Question, Seat
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import experiment_of
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.commands.plan import battery
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.items import Item
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects import subject_of
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts

NOISY = "selfish:noise=0.1"


def strays(name: str, counter: int, items: int) -> dict[str, list[float]]:
    """What a subject answers to so many items of each task, the same item every time, in numbers."""
    facts = {
        ("dictator", "giver"): (GiveFacts(100.0), Amount(0, 100)),
        ("ultimatum", "proposer"): (OfferFacts(100.0), Amount(0, 100)),
        ("trust", "sender"): (SendFacts(100.0, 3.0), Amount(0, 100)),
        ("beauty_contest", "guesser"): (GuessFacts(15, 2 / 3, 0, 100, 10.0), Amount(0, 100, whole=True)),
        ("garp", "allocator"): (BudgetFacts(100.0, (1.0, 1.0)), Amount(0, 100)),
        ("stag_hunt", "chooser"): (StagFacts(100.0, 50.0), Choice(("hare", "stag"))),
        ("matching_pennies", "chooser"): (PenniesFacts("matcher", 10.0), Choice(("heads", "tails"))),
    }
    player = subject_of(name).counted(counter).sit(Seat(0), GameChance(3, 0))
    found: dict[str, list[float]] = {}
    for (task, role), (known, spec) in facts.items():
        options = spec.options if isinstance(spec, Choice) else ()
        item = Item(task, role, "cell", 1, known, options, ("A", "B") if options else ())
        answers = [player.answer(Question(Seat(0), role, turn, spec, item)) for turn in range(1, items + 1)]
        found[task] = [options.index(one) if options else one for one in answers]  # type: ignore[arg-type, misc]
    return found


def test_noise_touches_every_task_and_is_independent_between_tasks() -> None:
    columns = np.array(list(strays(NOISY, 2, 5000).values()))
    assert np.all(columns.std(axis=1) > 0)
    correlations = np.corrcoef(columns)[np.triu_indices(len(columns), 1)]
    assert np.abs(correlations).max() < 0.05


def test_the_first_version_of_the_draws_gave_all_tasks_the_same_noise() -> None:
    found = strays(NOISY, 1, 300)
    assert found["dictator"] == found["ultimatum"]
    assert np.corrcoef(found["dictator"], found["trust"])[0, 1] > 0.99
    assert len(set(found["beauty_contest"])) == len(set(found["garp"])) == 1


def test_an_experiment_keeps_how_its_draws_are_counted() -> None:
    planned = battery([NOISY], protocol="quick", tasks=["trust", "beauty_contest"], seed=3)
    assert planned.settings["counter"] == 2
    before = {name: value for name, value in planned.settings.items() if name != "counter"}

    def answers(settings: dict[str, Any]) -> list[Any]:
        matches = [match for _, match in play_games(experiment_of("again", settings).fixtures())]
        made = [one for match in matches for one in match.decisions if one.question.phase != "taker"]
        return [decision.answer.value for decision in made]

    now, old = answers(planned.settings), answers(before)
    assert now == answers(planned.settings)
    assert now != old
    assert old == answers({**before, "counter": 1})
    assert len(set(old[-6:])) == 1, "the first version left guesses free of noise"


def test_where_one_number_alone_is_allowed_noise_changes_nothing() -> None:
    player = subject_of("conditional-cooperator:noise=0.1").sit(Seat(0), GameChance(3, 0))
    item = Item("trust", "returner", "cell", 1, ReturnFacts(100.0, 3.0, 0.0, 0.0))
    assert player.answer(Question(Seat(0), "returner", 1, Amount(0, 0), item)) == 0
