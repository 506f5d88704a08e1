"""The looks of players in charts (label, family and colour) and in exported tables. A player's name may be any text.
Its label is short, has no control characters, and differs from the labels of other players. In CSV files, texts are
written so that spreadsheets do not read them as formulas."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
from polars import selectors as cs

from ostrom.charts.palette import COLOURS, DASHES, SHAPES, colour_of, distinct_colours
from ostrom.core.outlets import FORMULA, for_spreadsheet
from ostrom.core.text import LONGEST_NAME as LONGEST
from ostrom.core.text import clean
from ostrom.journal.names import PlayerNames


@dataclass(frozen=True)
class Face:
    """The looks of one player in every chart."""

    player: str
    label: str
    key: str
    """The entry of the colour scale. It is the player's family, or the player itself if it has no family."""
    colour: str
    line: str
    """The colour of the player's line. Up to twelve players have different colours, even within one family."""
    turn: int
    """The number of earlier players whose lines have the same colour."""

    @property
    def dash(self) -> int:
        """The index of the player's dash."""
        return self.turn % len(DASHES)

    @property
    def shape(self) -> str:
        """The shape of the player's points. If two players have the same colour of lines and the same dash, their
        shapes differ."""
        return SHAPES[(self.turn + self.turn // len(DASHES)) % len(SHAPES)]


@dataclass(frozen=True)
class Cast:
    """The faces of all players of a report, in the order of their names."""

    faces: Mapping[str, Face]
    families: tuple[str, ...] = ()
    """The families for the legend."""

    @classmethod
    def of(
        cls,
        players: Iterable[str],
        *,
        names: Mapping[str, str] | None = None,
        families: Mapping[str, str] | None = None,
        built_in: Sequence[str] = (),
    ) -> "Cast":
        """Return the looks of these players. `names` has the names to show, and `families` the families of players
        whose provider is known. `built_in` are all built-in players of the game, in a fixed order, which determines
        their colours."""
        ordered = sorted(set(players))
        labels, families = _labels(ordered, names or {}), families or {}
        colours = _colours(ordered, families, built_in)
        lines = distinct_colours([colours[player] for player in ordered])
        counts: Counter[str] = Counter()
        faces: dict[str, Face] = {}
        for player, line in zip(ordered, lines, strict=True):
            key = families.get(player, labels[player])
            faces[player] = Face(player, labels[player], key, colours[player], line, counts[line])
            counts[line] += 1
        return cls(faces, tuple(family for family in COLOURS if family in families.values()))

    @classmethod
    def named(cls, players: Iterable[str], names: PlayerNames, built_in: Sequence[str] = ()) -> "Cast":
        """Return the looks of players with the names and families of a journal."""
        unique = list(players)
        return cls.of(unique, names=names.all_of(unique), families=names.families(unique), built_in=built_in)

    @property
    def domain(self) -> list[str]:
        """The entries of the colour scale."""
        return list(dict.fromkeys(face.key for face in self.faces.values()))

    @property
    def range(self) -> list[str]:
        """The colours, in the order of the domain."""
        return list({face.key: face.colour for face in self.faces.values()}.values())

    def colour(self, *, legend: bool = True) -> alt.Color:
        """Return the colour scale. It has a legend if there are several families."""
        families: Any = alt.Legend(values=list(self.families)) if legend and len(self.families) > 1 else None
        return alt.Color("key:N", scale=alt.Scale(domain=self.domain, range=self.range), legend=families)

    def line_colour(self) -> alt.Color:
        """Return the colour scale of lines. It has no legend, since each line has its name beside it."""
        faces = self.faces.values()
        scale = alt.Scale(domain=[face.label for face in faces], range=[face.line for face in faces])
        return alt.Color("label:N", scale=scale, legend=None)

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
        """Return the table with the columns `label`, `key`, `dash` and `shape` added. The table must have a column
        `player`."""
        faces = [self.faces[player] for player in frame["player"]]
        return frame.with_columns(
            pl.Series("label", [face.label for face in faces], dtype=pl.String),
            pl.Series("key", [face.key for face in faces], dtype=pl.String),
            pl.Series("dash", [str(face.dash) for face in faces], dtype=pl.String),
            pl.Series("shape", [face.shape for face in faces], dtype=pl.String),
        )


def with_names(frame: pl.DataFrame, name_of: Callable[[str], str]) -> pl.DataFrame:
    """Return the table with a column of names after each column of ids: `name` after `player` and `subject`, and
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


def _colours(players: Sequence[str], families: Mapping[str, str], built_in: Sequence[str]) -> dict[str, str]:
    """Return the colour of each player: the colour of its family or, if it has none, a colour that no family of these
    players has."""
    others = [player for player in players if player not in families]
    reserved = {COLOURS[family] for family in families.values()}
    own = distinct_colours([colour_of(player, None, built_in) for player in others], reserved)
    return {player: COLOURS[family] for player, family in families.items()} | dict(zip(others, own, strict=True))


def _labels(players: list[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return a label for each player. Equal labels are numbered."""
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
"""A pattern that finds texts that may need to be changed. These are formulas, and texts with characters other than
letters, marks, digits, signs and plain spaces. Most tables have no such text, which Polars detects quickly."""


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
