"""The leaderboard: players rated by the ranks at which games ended. Terminal, JSON, notebooks, reports, the API and the
pages all show the table made here. To add a column, compute its value in `RatedPlayer.values` and describe it in
`board_columns`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from ostrom.analysis.ratings import (
    LEAST_GAMES,
    GameResults,
    Placement,
    Rating,
    RatingFit,
    choose_method,
    results_of,
    tiers,
)
from ostrom.analysis.ratings.method import MethodChoice
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, TrueSkillSettings, fit_trueskill
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE, order_free
from ostrom.analysis.study import NothingLeft, study_of
from ostrom.analysis.tables import NOT_KNOWN, AnswerCounts, GameTables, answers_by_player
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, Column, Format, Row, Table, decimals, number, share
from ostrom.core.text import number_of

SKILL: Final = Format("z.3f")
STRENGTH: Final = Format("+z.2f")
PASSES: Final = TrueSkillSettings().passes
DRAW_PROBABILITY: Final = TrueSkillSettings().draw_probability


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """The settings of a leaderboard. It always shows TrueSkill's μ and the order-free strength; the method ranks."""

    passes: int = PASSES
    draw_probability: float = DRAW_PROBABILITY
    method: str = TRUESKILL.name
    """The rating method by which players are ranked, with its own settings if any: 'trueskill', 'elo:k=16'."""

    @property
    def choice(self) -> MethodChoice:
        """The method and its settings. Raises `UnknownName` or `InputError` if there is no such method."""
        return choose_method(self.method, passes=self.passes, draw_probability=self.draw_probability)

    @property
    def trueskill(self) -> TrueSkillSettings:
        """The settings of TrueSkill's columns. Raises `InputError` if they are invalid."""
        return TrueSkillSettings.of({"passes": self.passes, "draw_probability": self.draw_probability})

    def as_record(self) -> dict[str, Any]:
        """Return plain data; the method is added where the flag `order_free` does not determine it."""
        record = {
            "passes": self.passes,
            "draw_probability": self.draw_probability,
            "order_free": self.method == ORDER_FREE.name,
        }
        return record if self.method in _BOARD_METHODS else {**record, "method": self.method}


_BOARD_METHODS: Final = (TRUESKILL.name, ORDER_FREE.name)
"""The methods whose ratings every leaderboard shows."""
USUAL: Final = RatingSettings()


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player on a leaderboard."""

    rating: Rating
    mean_final: float
    place: Placement | None
    """Its tier and order-free strength; missing where no two players met."""
    answers: AnswerCounts = NOT_KNOWN
    """Its defaulted and repaired answers, those in excluded games and seats too."""
    method_rating: Estimate | None = None
    """Its rating by the chosen method, where that is neither TrueSkill nor the order-free strength."""

    @property
    def provisional(self) -> bool:
        """True if it has too few games for a tier."""
        return self.rating.games < LEAST_GAMES

    @property
    def values(self) -> dict[str, Any]:
        """The figures by the name of their column; those of a placement are None where no two players met."""
        place = self.place
        values = {
            "name": self.rating.name,
            "mu": self.rating.mu,
            "sigma": self.rating.sigma,
            "games": self.rating.games,
            "mean_final": self.mean_final,
            "tier": place and place.tier,
            "ranks": place and place.ranks,
            "apart": place and place.apart,
            "provisional": self.provisional,
            "spread": self.rating.spread,
            "strength": place and place.strength,
            "lead": place and place.lead,
            "differs_from_next": place and place.differs,
            "defaulted": self.answers.defaulted_share,
            "repaired": self.answers.repaired_share,
        }
        return values if self.method_rating is None else {**values, "rating": self.method_rating}

    def as_record(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            name: value.as_record() if isinstance(value, Estimate) else value for name, value in self.values.items()
        }


def rate_players(
    tables: GameTables,
    *,
    passes: int = PASSES,
    draw_probability: float = DRAW_PROBABILITY,
    method: str = TRUESKILL.name,
) -> list[RatedPlayer]:
    """Return the players of some games, the best first, with tiers. Excluded seats are not rated; the other seats of
    their games are, if at least two remain."""
    answers = answers_by_player(tables)
    rated = rate_results(
        rated_results(tables),
        passes=passes,
        draw_probability=draw_probability,
        lower_is_better=_sign(tables) < 0,
        method=method,
    )
    return [replace(player, answers=answers[player.rating.name]) for player in rated]


def rate_results(
    results: GameResults,
    *,
    passes: int = PASSES,
    draw_probability: float = DRAW_PROBABILITY,
    lower_is_better: bool = False,
    method: str = TRUESKILL.name,
) -> list[RatedPlayer]:
    """Return the players of any results, the best first by the method, with tiers; provisional players come after the
    others, and players that no game compares with the others come last. If lower scores are better, the scores in
    `results` are negated. Raises `InputError` for invalid settings."""
    settings = RatingSettings(passes, draw_probability, method)
    trueskill = fit_trueskill(results, settings.trueskill)
    ratings = {rating.name: rating for rating in trueskill.ratings}
    means = dict(zip(results.names, (-1 if lower_is_better else 1) * results.mean_scores(), strict=True))
    if not len(results.comparing):
        return [RatedPlayer(rating, float(means[name]), None) for name, rating in ratings.items()]
    strengths = order_free(results)
    # Every leaderboard shows these two, so they are fitted already.
    board_fits: dict[str, RatingFit] = {TRUESKILL.name: trueskill, ORDER_FREE.name: strengths}
    estimates = (board_fits.get(method) or settings.choice.fit(results)).estimates
    ranking = sorted(results.names, key=lambda name: (-float(estimates[name]), name))
    return [
        RatedPlayer(
            ratings[place.name],
            float(means[place.name]),
            place,
            method_rating=None if method in board_fits else estimates[place.name],
        )
        for place in tiers(strengths, ranking)
    ]


def rated_results(tables: GameTables) -> GameResults:
    """Return the finals of the games in which at least two seats are left, negated if lower finals are better. A seat
    without a final is not rated. Raises `NothingLeft` if no game has two seats."""
    games: dict[str, list[tuple[str, float]]] = {}
    sign = _sign(tables)
    for game, player, final in tables.seats.select("game", "player", "final").iter_rows():
        if final is not None:
            games.setdefault(game, []).append((player, sign * final))
    compared = [seats for seats in games.values() if len(seats) > 1]
    if not compared:
        raise NothingLeft("no game has two seats without defaulted answers, so there are no players to compare")
    return results_of(compared)


def _sign(tables: GameTables) -> int:
    return 1 if study_of(tables).game.better == "higher" else -1


# The table.

LABEL: Final = Column("label", in_frame=False, meaning="Its display name", type=str)


class MeasuredColumn(NamedTuple):
    """A measure in a further column: its description, and the figures by player."""

    column: Column
    values: Mapping[str, float | None]


def leaderboard(
    rated: Sequence[RatedPlayer],
    settings: RatingSettings,
    games: int,
    *,
    unit: str = "",
    name_of: Callable[[str], str] | None = None,
    measured: Sequence[MeasuredColumn] = (),
) -> Table:
    """Return the leaderboard of players that were rated over this many games, the best first. `unit` is the unit of
    finals, and `name_of` returns the display name of a player, which the table then has as `label`."""
    rows = [_row(place, player, name_of or str) for place, player in enumerate(rated, start=1)]
    for column, values in measured:
        rows = [{**row, column.name: values.get(row["player"])} for row in rows]
    columns = board_columns(rated, settings, unit or "final")
    if name_of is not None:
        columns.append(LABEL)
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


def _row(place: int, player: RatedPlayer, name_of: Callable[[str], str]) -> dict[str, Any]:
    values = player.values
    name = values.pop("name")
    best, worst = values["ranks"] or (None, None)
    return {
        "place": place,
        "player": name,
        "label": name_of(name),
        "best_rank": best,
        "worst_rank": worst,
        "rating": None,
        **values,
    }


def board_columns(rated: Sequence[RatedPlayer], settings: RatingSettings, unit: str) -> list[Column]:
    """Return the columns in the order of display. Answers, strengths and ratings by another method are shown only if
    they are known. Columns with a type are fields of the API, too."""
    answers_known = any(player.answers.defaulted_share is not None for player in rated)
    placed = any(player.place is not None for player in rated)
    method_rates = any(player.method_rating is not None for player in rated)
    return [
        number("place", "#", title="place", in_json=False, type=int),
        Column("player", "player", key="name", cell=_label, type=str),
        number("tier", "tier", spare=2, cell=_tier, meaning=_TIER_MEANING, type=int | None),
        number(
            "ranks", "ranks", spare=3, cell=_ranks, in_frame=False, meaning=_RANKS_MEANING, type=tuple[int, int] | None
        ),
        Column("best_rank", in_json=False),
        Column("worst_rank", in_json=False),
        Column("apart", in_frame=False, meaning=_APART_MEANING, type=str | None),
        Column("provisional", in_frame=False, meaning=_PROVISIONAL_MEANING, type=bool),
        number("mu", "μ", SKILL, deviation="sigma", meaning="Multi-pass TrueSkill", type=float),
        number("sigma", "σ", SKILL, spare=1, type=float),
        Column("spread", in_frame=False),
        number("games", "games", spare=5, type=int),
        number(
            "mean_final",
            unit,
            decimals(2),
            title=f"mean {unit}" if unit == "final" else f"mean final {unit}",
            spare=4,
            type=float,
        ),
        number(
            "strength",
            "order-free strength",
            STRENGTH,
            title="strength",
            spare=7,
            interval="brackets",
            in_frame=placed,
            type=Estimate | None,
        ),
        Column("lead", in_frame=False, meaning=_LEAD_MEANING, type=Estimate | None),
        Column("differs_from_next", in_frame=False, type=bool | None),
        number("defaulted", "defaulted" if answers_known else None, share(1), spare=3, type=float | None),
        number("repaired", "repaired" if answers_known else None, share(1), spare=6, type=float | None),
        number(
            "rating",
            settings.choice.method.title if method_rates else None,
            STRENGTH,
            spare=1,
            interval="brackets",
            in_json=method_rates,
            in_frame=method_rates,
            type=Estimate | None,
        ),
    ]


_TIER_MEANING: Final = "No player of a tier differs significantly from its first"
_APART_MEANING: Final = "The reason why it is not comparable with the others"
_PROVISIONAL_MEANING: Final = "Whether it has too few games: it is listed after the others, without a tier"
_LEAD_MEANING: Final = "The lead over the next player in order-free strength, with an interval for all pairs at once"
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


def _notes(rated: Sequence[RatedPlayer], unit: str) -> list[str]:
    notes = [
        f"{unit.capitalize()}: mean at the end. No player of a tier differs significantly from its first; ranks are "
        "those that a player may have; both hold for all players at once with 95 % confidence. Only differences of μ "
        "are meaningful."
    ]
    if any(player.answers.defaulted_share is not None for player in rated):
        notes.append("Defaulted: answers that the game gave in the player's place; – is not known.")
    reasons = dict.fromkeys(player.place.apart for player in rated if player.place is not None and player.place.apart)
    notes += [f"Apart: {reason}." for reason in reasons]
    if any(player.provisional for player in rated):
        notes.append(f"Provisional, behind the others: fewer than {LEAST_GAMES} games.")
    return notes
