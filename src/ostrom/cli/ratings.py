"""`ostrom ratings`: who is how strong, from all finished games of a kind."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.cells import cell_len

from ostrom.analysis.ratings.multipass import check_passes
from ostrom.analysis.ratings.trueskill import TrueSkill
from ostrom.analysis.standing import Rated, rate_players
from ostrom.analysis.study import study_of
from ostrom.charts.families import clean
from ostrom.cli.studied import Part, tables_of_store
from ostrom.core.text import number_of
from ostrom.experiment import options as opt
from ostrom.experiment.terminal import Column, Sheet, out, print_json

Passes = Annotated[int, typer.Option(help="How often all games are rated, each time in another order: 1 to 10,000.")]
DrawProbability = Annotated[
    float, typer.Option(help="How often equals tie, as TrueSkill assumes; PGG-Bench's table is that of 0.4.")
]
Experiment = Annotated[
    str | None, typer.Option(metavar="EXPERIMENT", help="Only the games of this one, by id or name.")
]
WithoutDefaulted = Annotated[
    Part | None,
    typer.Option(
        "--without-defaulted",
        metavar="games|seats",
        help="Leave out games, or single seats, in which the game answered in a player's place.",
    ),
]
OfGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The same as GAME, as in the first version.", hidden=True),
]
Game = Annotated[
    str | None,
    typer.Argument(metavar="[GAME]", help="Which game; where the journal holds several, the one with the most games."),
]


def ratings(
    game: Game = None,
    of: OfGame = None,
    passes: Passes = 200,
    draw_probability: DrawProbability = 0.1,
    experiment: Experiment = None,
    without_defaulted: WithoutDefaulted = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Rate the players of a game by the ranks at which their games ended."""
    check_settings(passes, draw_probability)

    tables = tables_of_store(store, experiment, without_defaulted=without_defaulted or False, game=game or of)
    rated = rate_players(tables, passes=passes, draw_probability=draw_probability)
    study = study_of(tables)
    if json:
        print_json(
            {
                "ratings": [one.as_record() for one in rated],
                "game": study.command,
                "games": tables.games.height,
                "passes": passes,
                "draw_probability": draw_probability,
                "left_out": tables.left_out.as_record(),
            }
        )
        return
    for sentence in tables.left_out.sentences(clean):
        out.print(sentence, markup=False)
    out.print(ratings_sheet(rated, tables.games.height, passes, draw_probability, unit=study.game.unit or "final"))


def check_settings(passes: int, draw_probability: float) -> None:
    """Refuse settings that nothing can be rated by, before anything is read or made."""

    check_passes(passes)
    TrueSkill(draw_probability=draw_probability)


def ratings_sheet(
    rated: list[Rated], games: int, passes: int, draw_probability: float, *, unit: str = "tokens"
) -> Sheet:
    """The ratings for people; `unit` is what games end with."""
    rows: list[Sequence[str]] = [
        [
            str(place),
            one.rating.name,
            "–" if one.place is None else str(one.place.tier),
            f"{one.rating.mu:.3f}",
            f"{one.rating.sigma:.3f}",
            f"{one.rating.games:,}",
            f"{one.mean_final:,.2f}",
            _part(one.answers.defaulted_share),
            _part(one.answers.repaired_share),
            _strength(one),
        ]
        for place, one in enumerate(rated, start=1)
    ]
    # What always stays is the place, the name and μ. Only where these have no room does a name run over lines: numbers
    # are never cut.
    least = sum(max((cell_len(row[index]) for row in rows), default=0) for index in (0, 1, 3))
    return Sheet(
        title=f"Multi-pass TrueSkill · {number_of(games, 'game')} · {passes} passes · "
        f"draw probability {draw_probability:g}",
        columns=[
            Column("#", number=True),
            Column("player", wraps=least + 5 > out.width),
            Column("tier", number=True, spare=2),
            Column("μ", number=True),
            Column("σ", number=True, spare=1),
            Column("games", number=True, spare=5),
            Column(unit, number=True, spare=4),
            Column("defaulted", number=True, spare=3),
            Column("repaired", number=True, spare=6),
            Column("order-free strength", number=True, spare=7),
        ],
        rows=rows,
        caption=f"{unit.capitalize()}: mean at the end. Nobody in a tier is told apart from its first. Only "
        "differences of μ count. Defaulted: answers that the game gave in the player's place; – is not known.",
        best=sum(one.place is not None and one.place.tier == 1 for one in rated),
    )


def _strength(one: Rated) -> str:
    if one.place is None or one.place.strength.value is None:
        return "–"
    found = one.place.strength
    span = "" if found.low is None or found.high is None else f" ({found.low:+.2f} to {found.high:+.2f})"
    return f"{found.value:+.2f}{span}"


def _part(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"
