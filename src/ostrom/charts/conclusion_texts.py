"""Conclusions about players as sentences."""

from collections.abc import Sequence
from typing import Any

from ostrom.analysis.conclusions import Conclusion
from ostrom.analysis.study import Study
from ostrom.charts.plain import plain_unit
from ostrom.charts.words import Unit

METHOD = (
    "A player is compared with the other players of its own games. Names were exchanged at random within each game 999 "
    "times; a sentence is stated if its difference is larger than the largest difference of all players and all traits "
    "in 95% of these exchanges. Intervals are at 95%."
)
"""The explanation of conclusions for readers."""


def conclusion_sentence(own: Sequence[Conclusion], study: Study[Any], label: str) -> str:
    """Return one sentence with one conclusion about a player, or with several."""
    acts = [one.words for one in own]
    said = acts[0] if len(acts) == 1 else f"{', '.join(acts[:-1])} and {acts[-1]}"
    figures = "; ".join(_figures(one, study) for one in own)
    return f"{label} {said} than the other players at its tables: {figures}."


def _figures(one: Conclusion, study: Study[Any]) -> str:
    unit = _unit_of(study, one.measure)
    name = "" if unit.share else f" {study.measures[one.measure].unit}".rstrip()
    return (
        f"{unit.say(one.value)}{name} ({unit.say(one.low)} to {unit.say(one.high)}), the others {unit.say(one.others)}"
    )


def _unit_of(study: Study[Any], measure: str) -> Unit:
    unit = plain_unit(study.measures[measure])
    return unit if unit.share else Unit(unit.name, decimals=1)
