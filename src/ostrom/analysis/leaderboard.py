"""The leaderboard as one table. Terminal, JSON, notebooks, reports, the API and the pages all show this table: a column
that is added here appears in all of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ostrom.analysis.ratings import LEAST_GAMES
from ostrom.analysis.standing import Rated, RatingSettings
from ostrom.core.finding import MISSING, Column, Format, Row, Table, decimals, number, share
from ostrom.core.text import number_of

SKILL: Final = Format("z.3f")
STRENGTH: Final = Format("+z.2f")


class MeasuredColumn(NamedTuple):
    """A measure beside the ratings: its column, and the figures by player."""

    column: Column
    values: Mapping[str, float | None]


def leaderboard(
    rated: Sequence[Rated],
    settings: RatingSettings,
    games: int,
    *,
    unit: str = "",
    name_of: Callable[[str], str] | None = None,
    measured: Sequence[MeasuredColumn] = (),
) -> Table:
    """Return the leaderboard of players that were rated over this many games, the best first. `unit` is the unit of
    finals, and `name_of` returns the display name of a player, which the table then has as `label`."""
    rows = [_row(place, one, name_of) for place, one in enumerate(rated, start=1)]
    for column, values in measured:
        rows = [{**row, column.name: values.get(row["player"])} for row in rows]
    columns = _columns(rated, settings, unit or "final")
    if name_of is not None:
        columns.append(Column("label", in_frame=False))
    title = (
        settings.choice.method.title,
        number_of(games, "game"),
        f"{settings.passes} passes",
        f"draw probability {settings.draw_probability:g}",
    )
    return Table(
        name="ratings",
        columns=[*columns, *(column for column, _ in measured)],
        rows=rows,
        title=" · ".join(title),
        caption=" ".join(_notes(rated, unit or "final")),
        best=sum(row["tier"] == 1 for row in rows),
    )


def _row(place: int, one: Rated, name_of: Callable[[str], str] | None) -> dict[str, Any]:
    rating = one.rating
    found = one.place
    ranks = None if found is None else found.ranks
    return {
        "place": place,
        "player": rating.name,
        "label": rating.name if name_of is None else name_of(rating.name),
        "tier": None if found is None else found.tier,
        "ranks": ranks,
        "best_rank": None if ranks is None else ranks[0],
        "worst_rank": None if ranks is None else ranks[1],
        "apart": None if found is None else found.apart,
        "provisional": one.provisional,
        "mu": rating.mu,
        "sigma": rating.sigma,
        "spread": rating.spread,
        "games": rating.games,
        "mean_final": one.mean_final,
        "strength": None if found is None else found.strength,
        "lead": None if found is None else found.lead,
        "differs_from_next": None if found is None else found.differs,
        "defaulted": one.answers.defaulted_share,
        "repaired": one.answers.repaired_share,
        "rating": one.method_rating,
    }


def _columns(rated: Sequence[Rated], settings: RatingSettings, unit: str) -> list[Column]:
    """Return the columns in the order for people. Answers, strengths and ratings by another method have columns where
    they are known."""
    answers_known = any(one.answers.defaulted_share is not None for one in rated)
    placed = any(one.place is not None for one in rated)
    method_rates = any(one.method_rating is not None for one in rated)
    method_title = settings.choice.method.title
    return [
        number("place", "#", title="place", in_json=False),
        Column("player", "player", key="name", cell=_label),
        number("tier", "tier", spare=2, cell=_tier, meaning="No player of a tier differs significantly from its first"),
        number("ranks", "ranks", spare=3, cell=_ranks, in_frame=False, meaning=_RANKS_MEANING),
        Column("best_rank", in_json=False),
        Column("worst_rank", in_json=False),
        Column("apart", in_frame=False),
        Column("provisional", in_frame=False),
        number("mu", "μ", SKILL, deviation="sigma", meaning="Multi-pass TrueSkill"),
        number("sigma", "σ", SKILL, spare=1),
        Column("spread", in_frame=False),
        number("games", "games", spare=5),
        number(
            "mean_final", unit, decimals(2), title=f"mean {unit}" if unit == "final" else f"mean final {unit}", spare=4
        ),
        number(
            "strength", "order-free strength", STRENGTH, title="strength", spare=7, interval="brackets", in_frame=placed
        ),
        Column("lead", in_frame=False),
        Column("differs_from_next", in_frame=False),
        number("defaulted", "defaulted" if answers_known else None, share(1), spare=3),
        number("repaired", "repaired" if answers_known else None, share(1), spare=6),
        *([number("rating", method_title, STRENGTH, spare=1, interval="brackets")] if method_rates else []),
    ]


def _final_title(unit: str) -> str:
    return f"mean final {unit}" if unit not in ("final", "score") else f"mean {unit}"


_RANKS_MEANING: Final = "The possible ranks of a player's strength, with 95 % confidence for all players at once"


def _label(row: Row) -> str:
    return str(row["label"])


def _tier(row: Row) -> str:
    if row["tier"] is not None:
        return str(row["tier"])
    if row["strength"] is None:
        return MISSING
    return "apart" if row["apart"] else "provisional"


def _ranks(row: Row) -> str:
    if row["ranks"] is None:
        return MISSING
    best, worst = row["ranks"]
    return str(best) if best == worst else f"{best}–{worst}"


def _notes(rated: Sequence[Rated], unit: str) -> list[str]:
    notes = [
        f"{unit.capitalize()}: mean at the end. No player of a tier differs significantly from its first; ranks are "
        "those that a player may have; both hold for all players at once with 95 % confidence. Only differences of μ "
        "are meaningful."
    ]
    if any(one.answers.defaulted_share is not None for one in rated):
        notes.append("Defaulted: answers that the game gave in the player's place; – is not known.")
    reasons = dict.fromkeys(one.place.apart for one in rated if one.place is not None and one.place.apart)
    notes += [f"Apart: {reason}." for reason in reasons]
    if any(one.provisional for one in rated):
        notes.append(f"Provisional, behind the others: fewer than {LEAST_GAMES} games.")
    return notes
