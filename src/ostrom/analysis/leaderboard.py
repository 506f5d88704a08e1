"""The leaderboard: players rated by the ranks at which games ended, or by their payoffs if that is their aim. Terminal,
JSON, notebooks, reports, the API and the pages all show the table that this module computes. To add a column, compute
its value in `RatedPlayer.values` and describe it in `board_columns`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from ostrom.analysis.design import FIXED, Design
from ostrom.analysis.rating_settings import BOARD_METHODS, BY_AIM, DRAW_PROBABILITY, PASSES, RatingSettings
from ostrom.analysis.ratings import (
    LEAST_GAMES,
    GameResults,
    Placement,
    Rating,
    RatingFit,
    pairs_apart,
    tiers,
)
from ostrom.analysis.ratings.choice_model import ChoiceRating
from ostrom.analysis.ratings.method import ComparedRating, RatingMethod
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, fit_trueskill
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.ratings.methods.payoff import PAYOFF, PayoffRating
from ostrom.analysis.ratings.model_fit import ModelFit, strengths_of
from ostrom.analysis.seated_results import rated_results, sign_of
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import NOT_KNOWN, AnswerCounts, GameTables, answers_by_player
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, Column, Format, Row, Table, decimals, number, share
from ostrom.core.listing import brief
from ostrom.core.text import number_of

SKILL: Final = Format("z.3f")
STRENGTH: Final = Format("+z.2f")
_SHARE: Final = share(1)


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
    if settings.method in BOARD_METHODS:
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


# The sentences below the table: what its figures mean, who may be first, and how many pairs differ.

BASES: Final = {True: "By this rating", False: "By order-free strength"}
"""The comparison on which tiers and ranks are based, by whether it is the rating by the chosen method."""


def pairs_sentence(places: Sequence[Placement], basis: str) -> str:
    """Return a sentence on the number of pairs of players that differ significantly. It is empty if no pair is
    tested."""
    apart, pairs = pairs_apart(places)
    if not pairs:
        return ""
    if not apart:
        return f"{basis}, none of {number_of(pairs, 'pair')} of players is told apart."
    return f"{basis}, {apart:,} of {number_of(pairs, 'pair')} of players {'is' if apart == 1 else 'are'} told apart."


def notes_of(rated: Sequence[RatedPlayer], unit: str, method: RatingMethod[Any]) -> list[str]:
    """Return sentences on what the figures of a leaderboard mean."""
    notes = [
        f"{unit.capitalize()}: the player's mean at the end of its games. Players of one tier cannot be told apart "
        "from its leader. The leader of a tier is told apart from the leader of the tier above; other players of "
        "different tiers may not be. Ranks: the possible places of the player, with 95 % confidence for all players at "
        "once."
    ]
    if method is PAYOFF:
        scale = next((player.scale for player in rated if player.scale), "")
        notes.append(f"The rating, in {unit}, is {scale}." if scale else f"The rating is in {unit}.")
    else:
        notes.append(method.meaning or "Only differences of μ are meaningful.")
    if rated and rated[0].effects:
        names = ", ".join(name for name, _ in rated[0].effects)
        notes.append(f"Ratings are adjusted for {names}: they compare players whose seats are equal in these.")
    if any(player.answers.defaulted_share is not None for player in rated):
        notes.append("Defaulted: the share of the player's answers that the game gave in its place; – means unknown.")
    reasons = dict.fromkeys(player.place.apart for player in rated if player.place is not None and player.place.apart)
    notes += [f"Apart: {reason}." for reason in reasons]
    if any(player.provisional for player in rated):
        notes.append(f"Provisional: a player with fewer than {LEAST_GAMES} games, listed after the others.")
    return notes


def verdicts_of(rated: Sequence[RatedPlayer], name_of: Callable[[str], str]) -> list[str]:
    """Return sentences about the leaderboard: the players that may be first, the number of pairs of players that differ
    significantly, and the fit of the model."""
    placed = [player for player in rated if player.place is not None and player.place.ranks is not None]
    verdicts = []
    if len(placed) > 1:
        firsts = [name_of(player.rating.name) for player in placed if player.place and player.place.first]
        if firsts:
            verdicts.append(
                f"Possible firsts: {brief(firsts)}; with 95 % confidence, the best player is among them. The ranks "
                "hold for all players at once, and can therefore allow more firsts."
            )
        verdicts.append(pairs_sentence([player.place for player in placed if player.place], BASES[rated[0].own_tiers]))
    if rated and rated[0].model is not None:
        verdicts.append(rated[0].model.sentence)
    return [verdict for verdict in verdicts if verdict]
