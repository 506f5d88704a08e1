"""Who is who in a chart: the label, the family and the colour of every player. A player's name is any text at all;
what a chart shows of it is short, free of control characters, and different for different players."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import altair as alt
import polars as pl

from ostrom.charts.inks import DASHES, SHAPES
from ostrom.core.text import LONGEST_NAME as LONGEST
from ostrom.core.text import clean

# The hues of Okabe & Ito (2008), which people with the common colour deficiencies tell apart; orange, sky blue, yellow
# and black moved in lightness until each stands out by 3 : 1 from white and from dark paper alike. Every line and bar
# carries its name as well, so colour is never the only sign.
COLOURS: Final = {
    "Claude": "#d55e00",
    "GPT": "#009e73",
    "Gemini": "#0072b2",
    "Llama": "#c977a5",
    "Mistral": "#c58a00",
    "DeepSeek": "#3f9cd3",
    "Qwen": "#8d8a00",
    "Grok": "#6d6a75",
}
FURTHER: Final = ("#8a4ae8", "#816131", "#e83e5f", "#7d7df2")
"""For players among themselves beyond those eight: violet, brown, crimson and lavender, at least 12 units of CIELAB
from every other for people with normal, protan and deutan vision alike."""
BUILT_IN: Final = "built-in"
_NEUTRAL: Final = "#8a8f98"

_SIGNS: Final = {
    "Claude": r"claude|sonnet|opus|haiku|anthropic",
    "GPT": r"gpt|openai|(?<![a-z0-9])o[134](?![a-z0-9])",
    "Gemini": r"gemini|gemma",
    "Llama": r"llama",
    "Mistral": r"mi[sx]tral|ministral|magistral",
    "DeepSeek": r"deepseek|(?<![a-z0-9])r1(?![a-z0-9])",
    "Qwen": r"qwen|qwq",
    "Grok": r"grok",
}


@dataclass(frozen=True)
class Face:
    """How one player looks in every chart."""

    player: str
    label: str
    key: str
    """What the colour stands for: the family, or the player itself where it belongs to none."""
    colour: str
    dash: int
    """Which of the dashes, and of the shapes."""

    @property
    def shape(self) -> str:
        return SHAPES[self.dash % len(SHAPES)]


@dataclass(frozen=True)
class Cast:
    """The faces of all players of a report, in the order of their names."""

    faces: Mapping[str, Face]

    @classmethod
    def of(
        cls, players: Iterable[str], *, names: Mapping[str, str] | None = None, built_in: Collection[str] = ()
    ) -> "Cast":
        """The cast of these players. `names` says what to show for a player; built-in players are grey beside models,
        and have colours of their own where they are among themselves."""
        ordered = sorted(set(players))
        labels = _labels(ordered, names or {})
        mixed = any(player not in built_in for player in ordered)
        in_turn = [*COLOURS.values(), *FURTHER]
        seen: dict[str, int] = {}
        faces: dict[str, Face] = {}
        for player in ordered:
            key = _family(player, labels[player]) or (BUILT_IN if mixed and player in built_in else labels[player])
            own = _colour_of(player) if mixed else in_turn[len(faces) % len(in_turn)]
            colour = COLOURS.get(key) or (_NEUTRAL if key == BUILT_IN else own)
            dash = seen.get(colour, 0)
            seen[colour] = dash + 1
            faces[player] = Face(player, labels[player], key, colour, dash % len(DASHES))
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
        return [family for family in (*COLOURS, BUILT_IN) if family in present]

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


def _family(player: str, label: str) -> str | None:
    for text in (player, label):
        for family, sign in _SIGNS.items():
            if re.search(sign, text.lower()):
                return family
    return None


def _colour_of(player: str) -> str:
    """A colour that the name alone decides, on every machine and in every report."""
    digest = hashlib.sha256(player.encode("utf-8", "surrogatepass")).digest()
    return list(COLOURS.values())[digest[0] % len(COLOURS)]
