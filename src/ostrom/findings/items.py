"""The board of a benchmark: models rated on the items of a file. The verb `ratings` shows it if `items` is set."""

from pathlib import Path
from typing import Final

import polars as pl

from ostrom.analysis.items import ItemBoard, board_of_items, scores_of_table
from ostrom.analysis.ratings.ranking import Placement, pairs_apart
from ostrom.core.errors import InputError
from ostrom.core.files import check_regular
from ostrom.core.finding import Column, Finding, Row, Table, decimals, number
from ostrom.core.listing import brief
from ostrom.core.text import clean, number_of, one_line

_SCORE: Final = decimals(3)
_CAPTION: Final = (
    "Scores are means over a model's own items. A lead is the difference from the next model within items, with an "
    "interval that holds for all pairs together. A model opens a tier if it is significantly worse than the first "
    "model of the tier above; among equal models, a second tier appears with a probability of at most 5 %. Items to "
    "tell apart: the number of items at which a lead of this size would be significant with a power of 80 %."
)


def read_table(path: Path) -> pl.DataFrame:
    """Return a comma-separated table, with all cells as text. Raise InputError if it is not readable."""
    try:
        check_regular(path)
        return pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = one_line((getattr(error, "strerror", None) or str(error)).splitlines()[0])
        raise InputError(f"cannot read {path} as a comma-separated table: {reason}") from error


def rate_items_of_file(path: Path, *, lower_is_better: bool = False, cluster: str | None = None) -> Finding:
    """Return the board of the models in a CSV file. Raise InputError if it is not readable."""
    scores = scores_of_table(read_table(path), cluster=cluster)
    board = board_of_items(scores, lower_is_better=lower_is_better)
    units = int(scores.units.max()) + 1
    compared, pairs = pairs_apart(board.places)
    return Finding(
        verb="ratings",
        title=f"{path.name}: models by items",
        facts={
            "models": len(scores.models),
            "items": scores.items,
            "rows": scores.attempts,
            "clusters": units if scores.clustered else None,
            "lower_is_better": lower_is_better,
            "possible_firsts": board.firsts,
            "pairs_apart": compared,
            "pairs_tested": pairs,
        },
        parts=[_models(board), _pairs(board)],
        sentences=_sentences(board, compared, pairs),
        result=board,
    )


def _models(board: ItemBoard) -> Table:
    scores, places = board.scores, board.places
    items = dict(zip(scores.models, scores.items_of.tolist(), strict=True))
    needed = {(pair.model, pair.other): pair.items for pair in board.pairs}
    leads = {(pair.model, pair.other): pair.difference for pair in board.pairs}
    rows = []
    for place, (own, following) in enumerate(zip(places, [*places[1:], None], strict=True), start=1):
        pair = (own.name, following.name if following else "")
        best, worst = own.ranks or (None, None)
        rows.append(
            {
                "place": place,
                "model": own.name,
                "tier": own.tier,
                "best_rank": best,
                "worst_rank": worst,
                "score": board.means[own.name],
                "lead": leads.get(pair),
                "items_needed": needed.get(pair),
                "items": items[own.name],
                "provisional": own.provisional,
                "apart": own.apart,
            }
        )
    units = f", {number_of(int(scores.units.max()) + 1, 'cluster')}" if scores.clustered else ""
    return Table(
        "board",
        [
            number("place", "#"),
            Column("model", "model", wraps=True, cell=lambda row: clean(row["model"])),
            number("tier", "tier", cell=_tier),
            number("best_rank", "ranks", cell=_ranks, spare=3),
            number("worst_rank"),
            number("score", "score", _SCORE, interval="beside"),
            number("lead", "lead over the next", _SCORE, interval="brackets", spare=2),
            number("items_needed", "items to tell apart", spare=1),
            number("items", "items", spare=4),
            Column("provisional"),
            Column("apart"),
        ],
        rows,
        title=f"Models by items · {number_of(scores.items, 'item')}{units}",
        caption=_CAPTION,
        best=sum(place.tier == 1 for place in places),
    )


def _tier(row: Row) -> str:
    return "provisional" if row["provisional"] else "–" if row["tier"] is None else str(row["tier"])


def _ranks(row: Row) -> str:
    return "–" if row["best_rank"] is None else f"{row['best_rank']}–{row['worst_rank']}"


def _pairs(board: ItemBoard) -> Table:
    rows = [{**pair._asdict(), "items_needed": pair.items} for pair in board.pairs]
    return Table(
        "pairs",
        [
            Column("model"),
            Column("other"),
            number("difference", None, _SCORE),
            Column("differs"),
            number("items_needed"),
            number("detectable", None, _SCORE),
        ],
        rows,
        on_terminal=False,
    )


def _sentences(board: ItemBoard, compared: int, pairs: int) -> list[str]:
    scores = board.scores
    about = (
        f"Of {number_of(pairs, 'pair')} of models, {compared:,} differ significantly, tested together."
        if pairs
        else "No two models have enough common items to be tested."
    )
    sentences = [about]
    if board.firsts:
        firsts = brief((clean(name) for name in board.firsts), 300)
        sentences.append(
            f"Possible firsts: {firsts}; with 95 % confidence, the best model is among them. Ranks and leads hold for "
            "all pairs at once, and can therefore allow more firsts."
        )
    close = _closest(board)
    if close is not None:
        sentences.append(close)
    what = "clusters" if scores.clustered else "items"
    sentences.append(
        f"The independent units are {what}; the results are about other {what} of the same kind, answered by the same "
        "models."
    )
    if not bool((scores.items_of == scores.items).all()):
        sentences.append(
            "Some models lack some items. Leads compare models on common items, so they may differ from the "
            "differences of mean scores."
        )
    return sentences


def _closest(board: ItemBoard) -> str | None:
    """Return a sentence on the first two models if they do not differ significantly."""
    tested: list[Placement] = [place for place in board.places if place.ranks is not None and not place.provisional]
    if len(tested) < 2:
        return None
    pair = next(pair for pair in board.pairs if (pair.model, pair.other) == (tested[0].name, tested[1].name))
    if pair.differs or pair.detectable is None:
        return None
    first, second = clean(pair.model), clean(pair.other)
    shown = f"These items would show a difference of {_SCORE(pair.detectable)} with a power of 80 %."
    if pair.items is None:
        return f"{first} and {second} have equal scores. {shown}"
    value = abs(float(pair.difference))
    return (
        f"{first} and {second} do not differ significantly. {shown} If the true difference were {_SCORE(value)}, as "
        f"estimated, it would take {pair.items:,} items to tell them apart; the estimate is uncertain, and so is this "
        "number."
    )
