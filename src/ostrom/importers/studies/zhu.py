"""Zhu, Peterson, Enke and Griffiths 2025: the first play of 2×2 games without feedback, in the form of Psych-201. The
data have decisions, not games: the opponent's choice and the payment are not in them."""

import re
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core import RecordError
from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    in_figures,
    read_people,
)
from ostrom.importers.studies.split import part_of, rule_sentence

NAME: Final = "zhu-2025"
PAYOFFS: Final = tuple(f"{who}_{cell}" for cell in ("ac", "ad", "bc", "bd") for who in ("own", "other"))
"""The columns of payoffs, in the order of the text: A and C, A and D, B and C, B and D, each own and the other's."""
_CELL: Final = re.compile(
    r"If you choose Row ([AB]) and your opponent chooses Column ([CD]), you receive (\d+) and your opponent receives "
    r"(\d+)\."
)
_CHOICE: Final = re.compile(r"^You press <<([AB])>>\.$")
_LINES: Final = 9
"""The number of lines of a paragraph, with the one that says what the person pressed."""
Floats = npt.NDArray[np.float64]


def read(folder: Path, whole: bool) -> StudyReading:
    """Return the decisions of people and their figures."""
    path = find_file(folder, ("zhu2024games/prompts.jsonl.zip", "prompts.jsonl.zip", "prompts.jsonl"))
    rows: list[tuple[object, ...]] = []
    games: dict[tuple[int, ...], str] = {}
    for person in read_people(path):
        paragraphs = _paragraphs(path, person["text"])
        trials = person.get("trials") or range(1, len(paragraphs) + 1)
        if len(trials) != len(paragraphs):
            raise RecordError(
                f"{path.name}: participant {person['participant']}: {len(paragraphs)} paragraphs and "
                f"{len(trials)} trials"
            )
        for trial, (payoffs, choice) in zip(trials, paragraphs, strict=True):
            game = games.setdefault(payoffs, "-".join(map(str, canonical(payoffs))))
            rows.append((str(person["participant"]), int(trial), game, *payoffs, choice == "A"))
    schema = ["person", "trial", "game", *PAYOFFS, "chose_a"]
    table = pl.DataFrame(rows, schema=schema, orient="row")
    parts = {game: part_of(f"zhu2024games:{game}") for game in set(games.values())}
    table = table.with_columns(part=pl.col("game").replace_strict(parts, return_dtype=pl.String))
    return StudyReading(
        {"decisions": table},
        figures_of(in_figures(table, whole=whole)),
        rule_sentence("'zhu2024games:' and the eight payoffs of the canonical game, joined by '-'"),
    )


def _paragraphs(path: Path, text: str) -> list[tuple[tuple[int, ...], str]]:
    paragraphs: list[tuple[tuple[int, ...], str]] = []
    cells: dict[str, tuple[int, int]] = {}
    for line in text.splitlines():
        if (cell := _CELL.fullmatch(line)) is not None:
            cells[cell[1] + cell[2]] = (int(cell[3]), int(cell[4]))
        elif (choice := _CHOICE.fullmatch(line)) is not None:
            if set(cells) != {"AC", "AD", "BC", "BD"}:
                raise RecordError(f"{path.name}: a choice does not follow the four cells of a game")
            payoffs = tuple(amount for cell in ("AC", "AD", "BC", "BD") for amount in cells[cell])
            paragraphs.append((payoffs, choice[1]))
            cells = {}
        elif "<<" in line:
            raise RecordError(f"{path.name}: a choice is not in the form 'You press <<A>>.'")
    return paragraphs


def canonical(payoffs: tuple[int, ...]) -> tuple[int, ...]:
    """Return the canonical game of eight payoffs: the smallest of the four that come from exchanging rows or
    columns."""
    ac, ad, bc, bd = (payoffs[place : place + 2] for place in range(0, 8, 2))
    return min((*ac, *ad, *bc, *bd), (*bc, *bd, *ac, *ad), (*ad, *ac, *bd, *bc), (*bd, *bc, *ad, *ac))


def figures_of(table: pl.DataFrame) -> list[StudyFigure]:
    """Return counts, the shares of choices that simple rules forecast, and learning over trials."""
    own = table.select(PAYOFFS[::2]).to_numpy().astype(np.float64).T
    other = table.select(PAYOFFS[1::2]).to_numpy().astype(np.float64).T
    chose = table["chose_a"].to_numpy()
    trial = table["trial"].to_numpy()
    count = len(chose)
    figures = [
        StudyFigure("choices", count),
        StudyFigure("games", table["game"].n_unique()),
        StudyFigure("people", table["person"].n_unique()),
    ]
    level_1, level_2, level_3 = levels(own, other)
    ac, ad, bc, bd = own
    rules = {
        "level-1": level_1,
        "level-2": level_2,
        "level-3": level_3,
        "maximax": np.maximum(ac, ad) - np.maximum(bc, bd),
        "maximin": np.minimum(ac, ad) - np.minimum(bc, bd),
        "row with the largest joint sum": np.maximum(ac + other[0], ad + other[1])
        - np.maximum(bc + other[2], bd + other[3]),
    }
    figures += [StudyFigure(f"{name} right", float(_right(lead, chose).mean()), count) for name, lead in rules.items()]
    figures.append(StudyFigure("level-1 ties", int(np.sum(level_1 == 0))))
    figures += _dominance(own, chose)
    figures += _equilibria(own, other, chose)
    right = _right(level_1, chose)
    for name, first, last in (("trial 1", 1, 1), ("trials 1–5", 1, 5), ("trials 16–20", 16, 20)):
        seen = (trial >= first) & (trial <= last)
        figures.append(StudyFigure(f"level-1 right in {name}", float(right[seen].mean()), int(seen.sum())))
    return [*figures, StudyFigure("A chosen", float(chose.mean()), count)]


def levels(own: Floats, other: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the advantage of row A over row B for a person of level 1, 2 and 3. Level 1 answers an opponent that
    chooses at random. Each further level answers the level below, and the mean of both answers if it is a tie."""
    against_c, against_d = own[0] - own[2], own[1] - own[3]
    opponent_a, opponent_b = other[0] - other[1], other[2] - other[3]
    level_1 = (against_c + against_d) / 2
    column_1 = (opponent_a + opponent_b) / 2
    level_2 = _answer(column_1, against_c, against_d)
    column_2 = _answer(level_1, opponent_a, opponent_b)
    return level_1, level_2, _answer(column_2, against_c, against_d)


def _answer(lead: Floats, first: Floats, second: Floats) -> Floats:
    return np.where(lead > 0, first, np.where(lead < 0, second, (first + second) / 2))


def _right(lead: Floats, chose: npt.NDArray[np.bool_]) -> Floats:
    """Return 1 where the forecast is right, ½ where it is a tie, and 0 elsewhere."""
    return np.where(lead == 0, 0.5, ((lead > 0) == chose).astype(np.float64))


def _dominance(own: Floats, chose: npt.NDArray[np.bool_]) -> list[StudyFigure]:
    against_c, against_d = own[0] - own[2], own[1] - own[3]
    strict = (against_c > 0) & (against_d > 0) | (against_c < 0) & (against_d < 0)
    low, high = np.minimum(against_c, against_d), np.maximum(against_c, against_d)
    weak = (low >= 0) & (high > 0) | (high <= 0) & (low < 0)
    taken = (against_c + against_d > 0) == chose
    return [
        StudyFigure(f"{name} dominant row taken", float(taken[seen].mean()), int(seen.sum()))
        for name, seen in (("strictly", strict), ("weakly", weak))
    ]


def _equilibria(own: Floats, other: Floats, chose: npt.NDArray[np.bool_]) -> list[StudyFigure]:
    best_row = np.stack([own[0] >= own[2], own[1] >= own[3], own[2] >= own[0], own[3] >= own[1]])
    best_column = np.stack([other[0] >= other[1], other[1] >= other[0], other[2] >= other[3], other[3] >= other[2]])
    stable = best_row & best_column
    single = stable.sum(axis=0) == 1
    followed = (stable[:2].any(axis=0) == chose)[single]
    return [
        StudyFigure("exactly one pure equilibrium", float(single.mean()), len(chose)),
        StudyFigure("row of the only pure equilibrium followed", float(followed.mean()), int(single.sum())),
    ]


STUDY: Final = PublishedStudy(
    NAME,
    "First play of 2×2 games",
    "Zhu, Peterson, Enke and Griffiths 2025, in the form of Psych-201",
    "Apache-2.0 for the repository of Psych-201; the study's own archive has its own terms",
    read,
)
