"""`ostrom ratings`: who is how strong, from all finished games of Contribute & Punish in a journal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ostrom.cli import options as opt
from ostrom.cli.store import open_journal

if TYPE_CHECKING:
    from ostrom.cli.output import Sheet
    from ostrom.study.ratings import Place, Rating
    from ostrom.study.tables import Tables

Passes = Annotated[int, typer.Option(help="How often all games are rated, each time in another order: 1 to 10,000.")]
DrawProbability = Annotated[
    float, typer.Option(help="How often equals tie, as TrueSkill assumes; PGG-Bench's table is that of 0.4.")
]
Experiment = Annotated[
    str | None, typer.Option(metavar="EXPERIMENT", help="Only the games of this one, by id or name.")
]
WithoutDefaulted = Annotated[
    bool, typer.Option("--without-defaulted", help="Leave out games in which the game answered in a player's place.")
]


@dataclass(frozen=True, slots=True)
class Rated:
    """A player with everything that is known of its strength."""

    rating: "Rating"
    mean_final: float
    place: "Place | None"
    """Its tier and order-free strength; missing where no two players met."""

    def as_record(self) -> dict[str, Any]:
        """The player as plain data."""
        found = self.place
        return {
            "name": self.rating.name,
            "mu": self.rating.mu,
            "sigma": self.rating.sigma,
            "games": self.rating.games,
            "mean_final": self.mean_final,
            "tier": None if found is None else found.tier,
            "spread": self.rating.spread,
            "strength": None if found is None else found.strength.as_record(),
            "lead": None if found is None or found.lead is None else found.lead.as_record(),
            "differs_from_next": None if found is None else found.differs,
        }


def ratings(
    passes: Passes = 200,
    draw_probability: DrawProbability = 0.1,
    experiment: Experiment = None,
    without_defaulted: WithoutDefaulted = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Rate the players of Contribute & Punish by the ranks at which their games ended."""
    from ostrom.cli.output import out, print_json

    check_settings(passes, draw_probability)
    tables = tables_of_store(store, experiment, without_defaulted=without_defaulted)
    rated = rate_players(tables, passes=passes, draw_probability=draw_probability)
    if json:
        print_json(
            {
                "ratings": [one.as_record() for one in rated],
                "games": tables.games.height,
                "passes": passes,
                "draw_probability": draw_probability,
            }
        )
        return
    out.print(ratings_sheet(rated, tables.games.height, passes, draw_probability))


def check_settings(passes: int, draw_probability: float) -> None:
    """Refuse settings that nothing can be rated by, before anything is read or made."""
    check_installed()
    from ostrom.study.ratings.multipass import check_passes
    from ostrom.study.ratings.trueskill import TrueSkill

    check_passes(passes)
    TrueSkill(draw_probability=draw_probability)


def tables_of_store(store: str | None, experiment: str | None, *, without_defaulted: bool) -> "Tables":
    """The tidy tables of the games that are meant; at least one game."""
    from ostrom.table import InputError

    check_installed()
    from ostrom.study import tables as study

    with open_journal(store) as journal:
        label = journal.label
        tables = study.tables_from(journal, experiment)
    where = f"the journal {label}" if experiment is None else f"the experiment {experiment}"
    if not tables.games.height:
        raise InputError(f"{where} holds no finished game of Contribute & Punish; 'ostrom bench punish' plays some")
    if not without_defaulted:
        return tables
    kept = study.without_defaulted(tables)
    if not kept.games.height:
        raise InputError(f"every game of {where} has a defaulted answer; without them nothing is left")
    return kept


def rate_players(tables: "Tables", *, passes: int, draw_probability: float) -> list[Rated]:
    """Everybody's rating, the best first, with tiers down that ranking."""
    from ostrom.study.ratings import multipass, order_free, results_of, tiers

    seats = tables.context.seats.select("game", "player", "final")
    games: dict[str, list[tuple[str, float]]] = {}
    for game, player, final in seats.iter_rows():
        games.setdefault(game, []).append((player, final))
    results = results_of(list(games.values()))
    found = multipass(results, passes=passes, draw_probability=draw_probability)
    means = dict(zip(results.names, results.mean_scores(), strict=True))
    places = {}
    if len(results.comparing):
        places = {place.name: place for place in tiers(order_free(results), [rating.name for rating in found])}
    return [Rated(rating, float(means[rating.name]), places.get(rating.name)) for rating in found]


def check_installed() -> None:
    """Say what is missing before anything is read."""
    import importlib.util

    from ostrom.table import InputError

    for module in ("polars", "altair", "vl_convert"):
        if importlib.util.find_spec(module) is None:
            raise InputError(f"ratings and reports need {module}: pip install 'ostrom[study]'")


def ratings_sheet(rated: list[Rated], games: int, passes: int, draw_probability: float) -> "Sheet":
    """The ratings for people."""
    from rich.cells import cell_len

    from ostrom.cli.output import Column, Sheet, out

    rows: list[Sequence[str]] = [
        [
            str(place),
            one.rating.name,
            "–" if one.place is None else str(one.place.tier),
            f"{one.rating.mu:.3f}",
            f"{one.rating.sigma:.3f}",
            f"{one.rating.games:,}",
            f"{one.mean_final:,.2f}",
            _strength(one),
        ]
        for place, one in enumerate(rated, start=1)
    ]
    # What always stays is the place, the name and μ. Only where these have no room does a name run over lines: numbers
    # are never cut.
    least = sum(max((cell_len(row[index]) for row in rows), default=0) for index in (0, 1, 3))
    return Sheet(
        title=f"Multi-pass TrueSkill · {games:,} games · {passes} passes · draw probability {draw_probability:g}",
        columns=[
            Column("#", number=True),
            Column("player", wraps=least + 5 > out.width),
            Column("tier", number=True, spare=2),
            Column("μ", number=True),
            Column("σ", number=True, spare=1),
            Column("games", number=True, spare=4),
            Column("tokens", number=True, spare=3),
            Column("order-free strength", number=True, spare=5),
        ],
        rows=rows,
        caption="Tokens: mean at the end. Nobody in a tier is told apart from its first. Only differences of μ count.",
        best=sum(one.place is not None and one.place.tier == 1 for one in rated),
    )


def _strength(one: Rated) -> str:
    if one.place is None or one.place.strength.value is None:
        return "–"
    found = one.place.strength
    span = "" if found.low is None or found.high is None else f" ({found.low:+.2f} to {found.high:+.2f})"
    return f"{found.value:+.2f}{span}"
