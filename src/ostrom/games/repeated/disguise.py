"""The presentation of a game to its players: plain, or in disguise. A disguised game is equivalent, but a player cannot
recognise it from the literature: it has another story, other labels of the actions in another order, and points a·x +
b. Both players get the same story and the same labels."""

from dataclasses import dataclass
from typing import Final

from ostrom.core import Chance
from ostrom.games.repeated.rules import RepeatedRules

DRAWS: Final = "disguise"
"""The purpose of the draws."""
_LABELS: Final = (
    *("Lumo", "Pask", "Tiro", "Venn", "Dorma", "Quill", "Sefa", "Brint"),
    *("Kello", "Marb", "Nuvo", "Ostra", "Ruvin", "Zeph", "Halda", "Jorim"),
    *("Fenga", "Wisp", "Ilvar", "Corda", "Ymber", "Galt", "Etch", "Aldo"),
)
"""Words without meaning; twice the largest number of actions of a player."""
STORIES: Final = (
    "Two bakeries in one street decide each morning, without asking each other, what to put in their window.",
    "Two research teams work on the same telescope, and each night both must say beforehand which mode they will use.",
    "Two gardeners share a well, and each evening both set their own valve before they can see the other's.",
    "Two radio stations broadcast in the same valley, and each hour both choose a programme at the same moment.",
    "Two ferries serve the same island, and each day both captains choose a course before leaving the harbour.",
    "Two museums lend to each other, and each season both name their next exhibition in a sealed letter.",
    "Two villages mend the same dike, and each spring both vote on the same day on what to do with their half.",
    "Two workshops make parts of one clock, and each week both choose a method before they see the other's part.",
)
_SCALES: Final = (2, 3, 4, 5, 6, 7, 8, 9)
_SHIFTS: Final = tuple(range(1, 41))


@dataclass(frozen=True)
class Disguise:
    """The presentation of a matrix to its players."""

    labels: tuple[tuple[str, ...], tuple[str, ...]]
    """The label of each action, by seat and action."""
    order: tuple[tuple[int, ...], tuple[int, ...]]
    """The actions in the order in which they are listed, by seat."""
    scale: float = 1.0
    shift: float = 0.0
    story: str = ""

    def points(self, points: float, rounds: int = 1) -> float:
        """Return the presented points of a number of rounds."""
        return self.scale * points + self.shift * rounds


def telling_of(rules: RepeatedRules, chance: Chance) -> Disguise:
    """Return the presentation of one game."""
    matrix = rules.game
    if not rules.disguise:
        return Disguise(matrix.actions, (tuple(range(len(matrix.rows))), tuple(range(len(matrix.columns)))))

    def pick(number: int, count: int) -> int:
        return int(chance.uniform(DRAWS, 0, 3, number) * count)

    def shuffle(purpose: int, count: int) -> list[int]:
        return sorted(range(count), key=lambda place: chance.uniform(DRAWS, 0, purpose, place))

    words = [_LABELS[place] for place in shuffle(0, len(_LABELS))]
    alike = matrix.rows == matrix.columns
    rows = tuple(words[: len(matrix.rows)])
    columns = rows if alike else tuple(words[len(rows) : len(rows) + len(matrix.columns)])
    order = tuple(shuffle(1, len(rows)))
    other = order if alike else tuple(shuffle(2, len(columns)))
    scale = _SCALES[pick(0, len(_SCALES))]
    shift = _SHIFTS[pick(1, len(_SHIFTS))]
    return Disguise((rows, columns), (order, other), scale, shift, STORIES[pick(2, len(STORIES))])
