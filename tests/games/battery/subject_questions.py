"""Questions to simulated subjects, put without a game."""

from typing import Any

from ostrom.core import Amount, Choice, GameChance, Question, Seat, Spec
from ostrom.games.battery.items import Item
from ostrom.games.battery.subjects import subject_of


def ask(
    name: str,
    task: str,
    role: str,
    facts: Any,
    *,
    options: tuple[str, ...] = (),
    spec: Spec | None = None,
    labels: tuple[str, ...] = ("A", "B"),
    turn: int = 1,
    seed: int = 1,
    repetition: int = 1,
) -> Any:
    """What a subject answers to one item."""
    item = Item(task, role, "cell", repetition, facts, options, labels if options else ())
    wanted = spec or (Choice(options) if options else Amount(0, 1e6))
    question = Question(Seat(0), role, turn, wanted, item)
    player = subject_of(name).sit(Seat(0), GameChance(seed, 0))
    return wanted.validate(player.answer(question))
