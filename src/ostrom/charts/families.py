"""Who is who in a chart: the label, the family and the colour of every player. A player's name is any text at all;
what a chart shows of it is short, free of control characters, and different for different players."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from ostrom.charts.palette import COLOURS, DASHES, SHAPES, colour_of, family_of
from ostrom.core.text import LONGEST_NAME as LONGEST
from ostrom.core.text import clean


@dataclass(frozen=True)
class Face:
    """How one player looks in every chart."""

    player: str
    label: str
    key: str
    """What the colour stands for: the family, or the player itself where it belongs to none."""
    colour: str
    turn: int
    """How many players of this colour come before it."""

    @property
    def dash(self) -> int:
        """Which of the dashes."""
        return self.turn % len(DASHES)

    @property
    def shape(self) -> str:
        """When all dashes have had their turn, each comes again with another shape."""
        return SHAPES[(self.turn + self.turn // len(DASHES)) % len(SHAPES)]


@dataclass(frozen=True)
class Cast:
    """The faces of all players of a report, in the order of their names."""

    faces: Mapping[str, Face]

    @classmethod
    def of(
        cls, players: Iterable[str], *, names: Mapping[str, str] | None = None, built_in: Sequence[str] = ()
    ) -> "Cast":
        """The cast of these players. `names` says what to show for a player; `built_in` are the players that the game
        brings, in one order whoever plays, since their colours go by it."""
        ordered = sorted(set(players))
        labels = _labels(ordered, names or {})
        seen: dict[str, int] = {}
        faces: dict[str, Face] = {}
        for player in ordered:
            colour = colour_of(player, labels[player], built_in)
            turn = seen.get(colour, 0)
            seen[colour] = turn + 1
            key = family_of(player, labels[player]) or labels[player]
            faces[player] = Face(player, labels[player], key, colour, turn)
        return cls(faces)

    @property
    def domain(self) -> list[str]:
        """What colours stand for."""
        return list(dict.fromkeys(face.key for face in self.faces.values()))

    @property
    def range(self) -> list[str]:
        """The colours, in the order of the domain."""
        return list({face.key: face.colour for face in self.faces.values()}.values())

    @property
    def families(self) -> list[str]:
        """The families that a legend has to explain."""
        present = set(self.domain)
        return [family for family in COLOURS if family in present]

    def colour(self, *, legend: bool = True) -> alt.Color:
        """The colour of a player's family, with a legend where there are families to explain."""
        families: Any = alt.Legend(values=self.families) if legend and len(self.families) > 1 else None
        return alt.Color("key:N", scale=alt.Scale(domain=self.domain, range=self.range), legend=families)

    @staticmethod
    def dash() -> alt.StrokeDash:
        """The dash of a player's line."""
        domain = [str(index) for index in range(len(DASHES))]
        return alt.StrokeDash(
            "dash:N", legend=None, scale=alt.Scale(domain=domain, range=[list(one) for one in DASHES])
        )

    @staticmethod
    def shape() -> alt.Shape:
        """The shape of a player's points."""
        return alt.Shape("shape:N", legend=None, scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES)))

    def label(self, player: str) -> str:
        """What the charts call the player."""
        return self.faces[player].label

    def dressed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The table with the columns `label`, `key`, `dash` and `shape` beside its `player`."""
        faces = [self.faces[player] for player in frame["player"]]
        return frame.with_columns(
            pl.Series("label", [face.label for face in faces], dtype=pl.String),
            pl.Series("key", [face.key for face in faces], dtype=pl.String),
            pl.Series("dash", [str(face.dash) for face in faces], dtype=pl.String),
            pl.Series("shape", [face.shape for face in faces], dtype=pl.String),
        )


def with_names(frame: pl.DataFrame, name_of: Callable[[str], str]) -> pl.DataFrame:
    """The table with what each player is called beside its id: `name` beside `player` and `subject`, `other_name`
    beside `other_player`."""
    for column in frame.columns:
        if column not in ("player", "subject") and not column.endswith("_player"):
            continue
        named = "name" if column in ("player", "subject") else f"{column.removesuffix('_player')}_name"
        if named not in frame.columns and frame.schema[column] == pl.String:
            names = {player: name_of(player) for player in frame[column].drop_nulls().unique()}
            place = frame.columns.index(column) + 1
            said = pl.Series(named, [names.get(player) for player in frame[column]], dtype=pl.String)
            frame = frame.insert_column(place, said) if place < frame.width else frame.with_columns(said)
    return frame


def _labels(players: list[str], names: Mapping[str, str]) -> dict[str, str]:
    """A label for each player; those that would look the same are numbered."""
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for player in players:
        short = clean(names.get(player, player))
        label, number = short, 1
        while label in taken:
            number += 1
            label = f"{clean(short, LONGEST - 5)} ({number})"
        taken.add(label)
        labels[player] = label
    return labels
