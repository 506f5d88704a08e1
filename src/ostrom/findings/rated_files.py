"""The leaderboard of the results in a file, and the effects of covariates for which ratings are adjusted."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from ostrom.analysis.design import estimand
from ostrom.analysis.leaderboard import STRENGTH, RatedPlayer, leaderboard, rate_results
from ostrom.analysis.rating_settings import RatingSettings
from ostrom.analysis.ratings import results_of_table
from ostrom.analysis.ratings.covariates import adjust_for_columns
from ostrom.core.finding import Column, Finding, Table, number
from ostrom.findings.items import read_table


def rate_file(
    path: Path,
    rating: RatingSettings,
    *,
    lower_is_better: bool = False,
    cluster: str | None = None,
    adjust: Sequence[str] = (),
) -> Finding:
    """Return the leaderboard of the results in a CSV file. Raises InputError if it is not readable."""
    table = read_table(path)
    results = results_of_table(table, lower_is_better=lower_is_better, cluster=cluster)
    if adjust:
        results = adjust_for_columns(results, table, adjust)
    rated = rate_results(results, lower_is_better=lower_is_better, **asdict(rating))
    board = leaderboard(rated, rating, results.games, unit="score")
    seatings = [[results.names[player] for player in row if player >= 0] for row in results.players.tolist()]
    return Finding(
        verb="ratings",
        title=f"{path.name}: ratings",
        facts={"games": results.games, **rating.as_record()},
        parts=[replace(board, lines_above=[estimand(seatings)]), *effects_tables([rated])],
        settings=rating.as_record(),
        result=rated,
    )


def effects_tables(boards: Sequence[Sequence[RatedPlayer]]) -> list[Table]:
    """Return a table of the effects of covariates for each board that is adjusted for some."""
    columns = [
        Column("covariate", "adjusted for", wraps=True),
        number("effect", "effect", STRENGTH, interval="beside", interval_heading="95 % interval"),
    ]
    caption = (
        "The effect of one unit of a covariate on the log odds of ending ahead, beside a seat that is equal in all "
        "else; of a text, the effect of this entry instead of the first in the order of the alphabet. An effect need "
        "not be a cause."
    )
    return [
        Table(
            "covariates" if place == 0 else f"covariates_{place + 1}",
            columns,
            [{"covariate": name, "effect": effect} for name, effect in rated[0].effects],
            caption=caption,
            in_json=place == 0,
        )
        for place, rated in enumerate(boards)
        if rated and rated[0].effects
    ]
