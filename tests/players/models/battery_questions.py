"""What tests of the battery's prompts share: the questions of every task, stated and played, and prompts kept in files.

`python tests/players/models/battery_questions.py` writes the kept prompts anew."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from battery_played import PLAYED
from ostrom.core import Answer, Choice, GameChance, Question, Seat, Table, seats
from ostrom.core.plugins import GAMES
from ostrom.games.battery.items import Item
from ostrom.games.battery.risk import RiskFacts
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.time import TimeFacts
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import prompt_of

FOLDER = Path(__file__).parent / "golden_battery"
CHANCE = GameChance(11)
VARIANTS = ("plain", "story", "terse")
FORMS = ("native", "tool", "prompted", "tags")

MOVES: Mapping[str, Any] = {
    "proposer": 30.0,
    "sender": 40.0,
    "giver": 10.0,
    "returner": 50.0,
    "responder": "accept",
    "mover": "pass",
    "contributor": 20.0,
    "guesser": 33,
    "claimant": 60,
    "chooser": None,
}
"""What is answered to come to the later questions of a played game."""


@cache
def stated() -> dict[tuple[str, str], tuple[Question, ...]]:
    """The questions of the first moment of every stated task, by the game's name and the role."""
    found: dict[tuple[str, str], list[Question]] = {}
    for task in TASKS.values():
        for question in next(task.game.play(task.game.rules(), Table(seats(1), CHANCE))):
            found.setdefault((task.game.name, question.phase), []).append(question)
    return {key: tuple(questions) for key, questions in found.items()}


@cache
def played() -> dict[tuple[str, str], tuple[Question, ...]]:
    """Every question of one play of every played game, by the game's name and the role."""
    found: dict[tuple[str, str], list[Question]] = {}
    for game in PLAYED:
        flow = game.play(game.rules(), Table(seats(max(2, min(game.seats.most, 3))), CHANCE))
        moment = next(flow)
        try:
            while True:
                for question in moment:
                    found.setdefault((game.name, question.phase), []).append(question)
                moment = flow.send([Answer(_move(question)) for question in moment])
        except StopIteration:
            continue
    return {key: tuple(questions) for key, questions in found.items()}


def _move(question: Question) -> Any:
    move = MOVES[question.phase]
    return question.spec.validate(question.view.options[0] if move is None else move)


def every_question() -> Iterator[tuple[str, Question]]:
    """One question of every game and role, with the game's name."""
    for (game, _), questions in {**stated(), **played()}.items():
        yield game, questions[0]


def item(task: str, role: str, facts: Any, options: tuple[str, ...] = (), spec: Any = None, **more: Any) -> Question:
    """A question made by hand; options are shown as A, B unless `labels` says otherwise."""
    labels = more.pop("labels", ("A", "B")[: len(options)])
    view = Item(task, role, "by hand", 1, facts, options, labels, **more)
    return Question(Seat(0), role, 1, spec or Choice(options), view)


def time(sooner: float = 9.5, sooner_days: float = 0, later: float = 10, later_days: float = 365.04) -> Question:
    return item("time", "chooser", TimeFacts(sooner, sooner_days, later, later_days), ("sooner", "later"))


def risk(reference: tuple[float, ...], other: tuple[float, ...]) -> Question:
    return item("risk", "chooser", RiskFacts(reference, other), ("reference", "other"))


def relabelled(question: Question) -> Iterator[Question]:
    """The same question in all four ways to show two options."""
    first, second = question.view.options
    for options in ((first, second), (second, first)):
        for labels in (("A", "B"), ("B", "A")):
            yield replace(question, view=replace(question.view, options=options, labels=labels))


def text(game: str, question: Question, variant: str = "plain", form: str = "tags", **framing: Any) -> str:
    """A whole prompt as one text."""
    lines = prompt_of(game, question, Framing(variant=variant, **framing), CHANCE, form=form)
    return "".join(f"=== {line.role}\n{line.text}\n" for line in lines)


def prompts() -> dict[str, str]:
    """Every prompt that is kept, by the name of its file: a wording of a task is one file, with all its roles."""
    made: dict[str, str] = {}
    for task in TASKS.values():
        for variant in VARIANTS:
            parts = []
            for role in task.roles:
                questions = sorted(stated()[task.game.name, role], key=lambda question: question.view.condition)
                parts.append(text(task.game.name, questions[len(questions) // 2], variant))
            made[f"{task.name}-{variant}.txt"] = "\n".join(parts)
    for form in FORMS:
        asked = (stated()["stated_ultimatum", role][0] for role in ("proposer", "responder"))
        parts = [text("stated_ultimatum", question, form=form) for question in asked]
        made[f"ultimatum-{form}.txt"] = "\n".join(parts)
    made["centipede-played.txt"] = "\n".join(text("centipede", one) for one in played()["centipede", "mover"])
    return made


if __name__ == "__main__":
    assert set(GAMES) >= {game for game, _ in every_question()}
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, told in prompts().items():
        (FOLDER / name).write_text(told, encoding="utf-8")
