"""The tasks of the battery. Importing this registers their stated choices among the games."""

from dataclasses import dataclass

from ostrom.core import Registry
from ostrom.core.game import Game
from ostrom.games.battery.ambiguity import STATED_AMBIGUITY
from ostrom.games.battery.beauty_contest import STATED_BEAUTY_CONTEST
from ostrom.games.battery.centipede import STATED_CENTIPEDE
from ostrom.games.battery.dictator import STATED_DICTATOR
from ostrom.games.battery.garp import STATED_GARP
from ostrom.games.battery.loss import STATED_LOSS
from ostrom.games.battery.matching_pennies import STATED_MATCHING_PENNIES
from ostrom.games.battery.public_goods import STATED_PUBLIC_GOODS
from ostrom.games.battery.risk import STATED_RISK
from ostrom.games.battery.stag_hunt import STATED_STAG_HUNT
from ostrom.games.battery.stated import PREFIX, TaskRules
from ostrom.games.battery.time import STATED_TIME
from ostrom.games.battery.traveller import STATED_TRAVELLER
from ostrom.games.battery.trust import STATED_TRUST
from ostrom.games.battery.ultimatum import STATED_ULTIMATUM


@dataclass(frozen=True, slots=True)
class Task:
    """A task of the battery."""

    name: str
    """'time', 'dictator', …; the stated choices are recorded under `game.name`."""
    game: Game
    """Its stated choices."""
    rules: type[TaskRules]
    """The same as the game's, by its own type."""
    played: bool
    """Whether it can also be played, as the game that is recorded under the task's own name."""

    @property
    def summary(self) -> str:
        """What it is about."""
        return self.game.summary.removeprefix("stated choices: ")

    @property
    def roles(self) -> tuple[str, ...]:
        """What the subject is within the task."""
        return self.rules.roles


TASKS: Registry[Task] = Registry("task")

for _game, _played in (
    (STATED_TIME, False),
    (STATED_RISK, False),
    (STATED_DICTATOR, True),
    (STATED_ULTIMATUM, True),
    (STATED_TRUST, True),
    (STATED_STAG_HUNT, True),
    (STATED_PUBLIC_GOODS, True),
    (STATED_CENTIPEDE, True),
    (STATED_TRAVELLER, True),
    (STATED_BEAUTY_CONTEST, True),
    (STATED_MATCHING_PENNIES, True),
    (STATED_GARP, False),
    (STATED_LOSS, False),
    (STATED_AMBIGUITY, False),
):
    assert issubclass(_game.rules, TaskRules)
    _name = _game.name.removeprefix(PREFIX)
    TASKS.add(_name, Task(_name, _game, _game.rules, _played))
