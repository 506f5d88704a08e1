"""The looks of players in charts (label, family and colour) and in exported tables. A player's name is any text; its
label is short, has no control characters, and differs between players. CSV files are for spreadsheets: no text in them
is read as a formula."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
from polars import selectors as cs

from ostrom.charts.palette import COLOURS, DASHES, SHAPES, colour_of, family_of
from ostrom.core.outlets import FORMULA, for_spreadsheet
from ostrom.core.text import LONGEST_NAME as LONGEST
from ostrom.core.text import clean


@dataclass(frozen=True)
class Face:
    """The looks of one player in every chart."""

    player: str
    label: str
    key: str
    """The entry of the colour scale: the family, or the player itself where it has none."""
    colour: str
    turn: int
    """The number of players of this colour before it."""

    @property
    def dash(self) -> int:
        """The index of its dash."""
        return self.turn % len(DASHES)

    @property
    def shape(self) -> str:
        """The shape of its points; a dash that is reused has another shape."""
        return SHAPES[(self.turn + self.turn // len(DASHES)) % len(SHAPES)]


@dataclass(frozen=True)
class Cast:
    """The faces of all players of a report, in the order of their names."""

    faces: Mapping[str, Face]

    @classmethod
    def of(
        cls, players: Iterable[str], *, names: Mapping[str, str] | None = None, built_in: Sequence[str] = ()
    ) -> "Cast":
        """Return the looks of these players. `names` has the names to show; `built_in` are all players of the game, in
        a fixed order, which determines their colours."""
        ordered = sorted(set(players))
        labels = _labels(ordered, names or {})
        counts: dict[str, int] = {}
        faces: dict[str, Face] = {}
        for player in ordered:
            colour = colour_of(player, labels[player], built_in)
            turn = counts.get(colour, 0)
            counts[colour] = turn + 1
            key = family_of(player, labels[player]) or labels[player]
            faces[player] = Face(player, labels[player], key, colour, turn)
        return cls(faces)

    @property
    def domain(self) -> list[str]:
        """The entries of the colour scale."""
        return list(dict.fromkeys(face.key for face in self.faces.values()))

    @property
    def range(self) -> list[str]:
        """The colours, in the order of the domain."""
        return list({face.key: face.colour for face in self.faces.values()}.values())

    @property
    def families(self) -> list[str]:
        """The families for the legend."""
        present = set(self.domain)
        return [family for family in COLOURS if family in present]

    def colour(self, *, legend: bool = True) -> alt.Color:
        """Return the colour scale, with a legend where there are several families."""
        families: Any = alt.Legend(values=self.families) if legend and len(self.families) > 1 else None
        return alt.Color("key:N", scale=alt.Scale(domain=self.domain, range=self.range), legend=families)

    @staticmethod
    def dash() -> alt.StrokeDash:
        """Return the scale of dashes."""
        domain = [str(index) for index in range(len(DASHES))]
        return alt.StrokeDash(
            "dash:N", legend=None, scale=alt.Scale(domain=domain, range=[list(dash) for dash in DASHES])
        )

    @staticmethod
    def shape() -> alt.Shape:
        """Return the scale of shapes."""
        return alt.Shape("shape:N", legend=None, scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES)))

    def label(self, player: str) -> str:
        """Return the player's label."""
        return self.faces[player].label

    def with_styles(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the table of a `player` column with the columns `label`, `key`, `dash` and `shape`."""
        faces = [self.faces[player] for player in frame["player"]]
        return frame.with_columns(
            pl.Series("label", [face.label for face in faces], dtype=pl.String),
            pl.Series("key", [face.key for face in faces], dtype=pl.String),
            pl.Series("dash", [str(face.dash) for face in faces], dtype=pl.String),
            pl.Series("shape", [face.shape for face in faces], dtype=pl.String),
        )


def with_names(frame: pl.DataFrame, name_of: Callable[[str], str]) -> pl.DataFrame:
    """Return the table with a column of names after each column of ids: `name` after `player` and `subject`,
    `other_name` after `other_player`."""
    for column in frame.columns:
        if column not in ("player", "subject") and not column.endswith("_player"):
            continue
        named = "name" if column in ("player", "subject") else f"{column.removesuffix('_player')}_name"
        if named not in frame.columns and frame.schema[column] == pl.String:
            names = {player: name_of(player) for player in frame[column].drop_nulls().unique()}
            place = frame.columns.index(column) + 1
            column_names = pl.Series(named, [names.get(player) for player in frame[column]], dtype=pl.String)
            frame = (
                frame.insert_column(place, column_names) if place < frame.width else frame.with_columns(column_names)
            )
    return frame


def _labels(players: list[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return a label for each player; equal ones are numbered."""
    labels: dict[str, str] = {}
    used: set[str] = set()
    for player in players:
        short = clean(names.get(player, player))
        label, number = short, 1
        while label in used:
            number += 1
            label = f"{clean(short, LONGEST - 5)} ({number})"
        used.add(label)
        labels[player] = label
    return labels


_TEXTS = cs.string(include_categorical=True)
_SUSPECT = rf"{FORMULA}|[^\n\p{{L}}\p{{M}}\p{{N}}\p{{P}}\p{{S}} ]"
"""Texts that may need to be changed: formulas, and characters other than letters, marks, digits, signs and plain
spaces. Most tables have none, which Polars detects quickly."""


def write_csv(table: pl.DataFrame, path: Path) -> None:
    """Write the table and its headings as CSV, with each text made safe by `for_spreadsheet`."""
    texts = table.select(_TEXTS.cast(pl.String))
    suspect = [name for name in texts.columns if texts[name].str.contains(_SUSPECT).any()]
    changed = [_escape_column(texts[name]) for name in suspect]
    safe = table.with_columns(changed)
    safe.rename({name: heading for name in safe.columns if (heading := for_spreadsheet(name)) != name}).write_csv(path)


def _escape_column(column: pl.Series) -> pl.Series:
    safe_texts = {text: for_spreadsheet(text) for text in column.unique().drop_nulls()}
    return column.replace(safe_texts)
