"""The leaderboard: players rated by the ranks at which games ended, or by their payoffs if that is their aim. Terminal,
JSON, notebooks, reports, the API and the pages all show the table that this module computes. To add a column, compute
its value in `RatedPlayer.values` and describe it in `board_columns`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from ostrom.analysis.design import FIXED, Design
from ostrom.analysis.leaderboard_notes import notes_of, verdicts_of
from ostrom.analysis.ratings import (
    LEAST_GAMES,
    GameResults,
    Placement,
    Rating,
    RatingFit,
    choose_method,
    tiers,
)
from ostrom.analysis.ratings.choice_model import ChoiceRating
from ostrom.analysis.ratings.method import ComparedRating, MethodChoice
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, TrueSkillSettings, fit_trueskill
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.ratings.methods.payoff import PAYOFF, PayoffRating
from ostrom.analysis.ratings.model_fit import ModelFit, strengths_of
from ostrom.analysis.seated_results import rated_results, sign_of
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import NOT_KNOWN, AnswerCounts, GameTables, answers_by_player
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, Column, Format, Row, Table, decimals, number, share
from ostrom.core.game import Game
from ostrom.core.text import number_of

SKILL: Final = Format("z.3f")
STRENGTH: Final = Format("+z.2f")
_SHARE: Final = share(1)
PASSES: Final = TrueSkillSettings().passes
DRAW_PROBABILITY: Final = TrueSkillSettings().draw_probability


BY_AIM: Final = "aim"
"""The default method, which follows the aim of the game: TrueSkill if players aim to end ahead of the others, and
otherwise the payoff."""


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """The settings of a leaderboard. A leaderboard always shows TrueSkill's μ and the order-free strength. The `method`
    determines the order of players."""

    passes: int = PASSES
    draw_probability: float = DRAW_PROBABILITY
    method: str = BY_AIM
    """The rating method by which players are ranked, with its own settings if there are any, as in 'trueskill' or
    'elo:k=16'. By default the aim of the game decides."""

    def for_game(self, game: Game) -> "RatingSettings":
        """Return the settings with the method that fits the game's aim, unless the user chose a method."""
        if self.method != BY_AIM:
            return self
        return replace(self, method=PAYOFF.name if game.aim == "payoff" else TRUESKILL.name)

    @property
    def choice(self) -> MethodChoice:
        """The method and its settings. Raises `UnknownName` or `InputError` if there is no such method."""
        method = TRUESKILL.name if self.method == BY_AIM else self.method
        return choose_method(method, passes=self.passes, draw_probability=self.draw_probability)

    @property
    def trueskill(self) -> TrueSkillSettings:
        """The settings of TrueSkill's columns. Raises `InputError` if they are invalid."""
        return TrueSkillSettings.of({"passes": self.passes, "draw_probability": self.draw_probability})

    def as_record(self) -> dict[str, Any]:
        """Return the settings as plain data. The method is left out if the flag `order_free` already determines it."""
        record = {
            "passes": self.passes,
            "draw_probability": self.draw_probability,
            "order_free": self.method == ORDER_FREE.name,
        }
        return record if self.method in _BOARD_METHODS else {**record, "method": self.method}


_BOARD_METHODS: Final = (BY_AIM, TRUESKILL.name, ORDER_FREE.name)
"""The methods whose ratings every leaderboard shows."""
USUAL: Final = RatingSettings()


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player on a leaderboard."""

    rating: Rating
    mean_final: float
    place: Placement | None
    """The player's tier and strength by the compared rating; None if no two players met."""
    answers: AnswerCounts = NOT_KNOWN
    """The counts of the player's defaulted and repaired answers, including answers in excluded games and seats."""
    method_rating: Estimate | None = None
    """The player's rating by the chosen method, unless the method is TrueSkill or the order-free strength."""
    strength: Estimate | None = None
    """The player's order-free strength; None if no two players met."""
    model: ModelFit | None = None
    """The fit of strengths to the results of all players. It is set only if strengths are the basis of tiers."""
    scale: str = ""
    """A description of the rating by payoff that says what is subtracted."""
    own_tiers: bool = False
    """True if tiers and ranks are based on the rating by the chosen method, and not on order-free strengths."""
    effects: tuple[tuple[str, Estimate], ...] = ()
    """The covariates for which ratings are adjusted, and the effect of one unit of each. They are equal for all
    players."""

    @property
    def provisional(self) -> bool:
        """True if the player has too few independent games for a tier."""
        return self.rating.games < LEAST_GAMES or (self.place is not None and self.place.provisional)

    @property
    def by_payoff(self) -> bool:
        """True if tiers and ranks are based on the rating by payoff, and not on order-free strengths."""
        return bool(self.scale)

    @property
    def values(self) -> dict[str, Any]:
        """The figures by the names of their columns. Figures of the placement are None if no two players met."""
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
            "strength": self.strength,
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
    method: str = BY_AIM,
    adjust: Sequence[str] = (),
) -> list[RatedPlayer]:
    """Return the players of some games, the best first, with tiers. Excluded seats are not rated. The other seats of
    their games are still rated if at least two remain. Ratings are adjusted for the columns `adjust` of the seats."""
    answers = answers_by_player(tables)
    settings = RatingSettings(passes, draw_probability, method).for_game(study_of(tables).game)
    rated = rate_results(
        rated_results(tables, adjust), lower_is_better=sign_of(tables) < 0, design=tables.design, **asdict(settings)
    )
    return [replace(player, answers=answers[player.rating.name]) for player in rated]


def rate_results(
    results: GameResults,
    *,
    passes: int = PASSES,
    draw_probability: float = DRAW_PROBABILITY,
    lower_is_better: bool = False,
    method: str = BY_AIM,
    design: Design = FIXED,
) -> list[RatedPlayer]:
    """Return the players of any results with tiers, the best by the method first. Provisional players follow the ranked
    players. Players that no game compares with the others come last. If lower scores are better, the scores in
    `results` are negated. Raises `InputError` for invalid settings."""
    settings = RatingSettings(passes, draw_probability, method)
    if results.covariate_names and not settings.choice.method.adjusts:
        settings.choice.fit(results)  # Raises the error that says so.
    trueskill = fit_trueskill(results, settings.trueskill)
    ratings = {rating.name: rating for rating in trueskill.ratings}
    means = dict(zip(results.names, (-1 if lower_is_better else 1) * results.mean_scores(), strict=True))
    if not len(results.comparing):
        return [RatedPlayer(rating, float(means[name]), None) for name, rating in ratings.items()]
    strengths, model = strengths_of(results)
    # Every leaderboard shows the ratings by these two methods, so they are already fitted.
    board_fits: dict[str, RatingFit] = {
        BY_AIM: trueskill,
        TRUESKILL.name: trueskill,
        ORDER_FREE.name: strengths,
    }
    fit = board_fits.get(method) or settings.choice.fit(results)
    estimates = fit.estimates
    ranking = sorted(results.names, key=lambda name: (-float(estimates[name]), name))
    # Tiers use the method's own scale if the method gives errors that allow this, and otherwise order-free strengths.
    compared = fit if isinstance(fit, ComparedRating) else strengths
    places = tiers(compared, ranking, confidence=design.confidence, factor=design.factor)
    if compared is strengths and model.without_order:
        places = [replace(place, tier=None, ranks=None, apart=NO_ORDER, first=False, differs=False) for place in places]
    return [
        RatedPlayer(
            ratings[place.name],
            float(means[place.name]),
            place,
            method_rating=None if method in board_fits else estimates[place.name],
            strength=strengths.estimates[place.name],
            model=model if compared is strengths else None,
            scale=compared.scale if isinstance(compared, PayoffRating) else "",
            own_tiers=compared is fit,
            effects=fit.effects if isinstance(fit, ChoiceRating) else (),
        )
        for place in places
    ]


NO_ORDER: Final = (
    "no order of the players describes who beats whom, and some pairs never met, so there are no tiers; compare pairs "
    "head to head"
)


# The table of the leaderboard.

LABEL: Final = Column("label", in_frame=False, meaning="Its display name", type=str)


class MeasuredColumn(NamedTuple):
    """A further column that shows a measure. It has the measure's description, and its value for each player."""

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
    """Return the leaderboard of rated players, who are given with the best first. `games` is the number of games over
    which they were rated. `unit` is the unit of finals. `name_of` returns the display name of a player, which is shown
    in the column `label`."""
    rows = [_row(place, player, name_of or str) for place, player in enumerate(rated, start=1)]
    for column, values in measured:
        rows = [{**row, column.name: values.get(row["player"])} for row in rows]
    columns = board_columns(rated, settings, unit or "final")
    if name_of is not None:
        columns.append(LABEL)
    title = [settings.choice.method.title, number_of(games, "game")]
    if settings.method in _BOARD_METHODS:
        title += [f"{settings.passes} passes", f"draw probability {settings.draw_probability:g}"]
    notes = notes_of(rated, unit or "final", settings.choice.method)
    return Table(
        name="ratings",
        columns=[*columns, *(column for column, _ in measured)],
        rows=rows,
        title=" · ".join(title),
        caption=" ".join([*notes, *verdicts_of(rated, name_of or str)]),
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
    they are known. Columns with a type are also fields of the API."""
    answers_known = any(player.answers.defaulted_share is not None for player in rated)
    placed = any(player.place is not None for player in rated)
    method_rates = any(player.method_rating is not None for player in rated)
    by_rank = settings.method != PAYOFF.name
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
        number("mu", "μ" if by_rank else None, SKILL, deviation="sigma", meaning="Multi-pass TrueSkill", type=float),
        number("sigma", "σ" if by_rank else None, SKILL, spare=1, type=float),
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
            "order-free strength" if by_rank else None,
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
            _SHARE if settings.choice.method.shares else STRENGTH,
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
_LEAD_MEANING: Final = (
    "The lead over the next player, by payoff or order-free strength, with an interval for all pairs at once"
)
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
