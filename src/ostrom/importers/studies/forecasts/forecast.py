"""The verb `forecast`: the distribution of people's choices under some rules, as predicted by a file of learned
people."""

from typing import Annotated, Any, Final

from pydantic import Field

from ostrom.core import InputError
from ostrom.core.finding import Finding
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Display, Settings, requires
from ostrom.core.verb import verb
from ostrom.games.contributions import CONTRIBUTIONS
from ostrom.games.repeated import REPEATED
from ostrom.importers.studies.forecasts.contributions import forecast_contributions
from ostrom.importers.studies.forecasts.first_choices import forecast_choices
from ostrom.players.learned import path_of, read_learned

FORECAST_GAMES: Final = (CONTRIBUTIONS.name, REPEATED.name)


def forecast_game(name: str) -> Game:
    """Return the game with a name. Raise `InputError` if there is no forecast for it."""
    if name not in FORECAST_GAMES:
        raise InputError(f"people are forecast in {' and '.join(FORECAST_GAMES)}, not in {name[:60]}")
    return GAMES[name]


class ForecastSettings(Settings):
    """Settings of forecasts of people."""

    study: Annotated[str, Display(form="STUDY|FILE.json")] = Field(
        description="The study to which the forecast was fitted: a name, for STUDY.people.json of 'ostrom "
        "train-people', or this file."
    )
    seats: int = Field(4, ge=2, le=100, description="The number of people in a game of contributions.")
    against: Annotated[str | None, Display(form="RULE=VALUE,…")] = Field(
        None,
        description="The rules of a second treatment, as differences from the first: forecast the difference of both "
        "and the power of an experiment with people.",
    )
    games: int = Field(20, ge=2, le=100_000, description="With against: the games of people in each treatment.")
    relations = (requires("games", "against"),)


@verb(
    "forecast",
    game=CONTRIBUTIONS.name,
    find=forecast_game,
    names=lambda: list(FORECAST_GAMES),
    keeps=False,
    group="analyse",
)
def forecast(game: Game, rules: Any, settings: ForecastSettings) -> Finding:
    """Forecast what people will do under these rules, with intervals that were checked on held-out designs."""
    path = path_of(settings.study)
    file = read_learned(path)
    if file.game != game.name:
        raise InputError(f"{path} was fitted on {file.study}, which forecasts {file.game}, not {game.name}")
    if not file.forecast:
        raise InputError(f"{path} has no forecast; write it again with 'ostrom train-people'")
    if game.name == CONTRIBUTIONS.name:
        return forecast_contributions(file, rules, settings.seats, settings.against, settings.games)
    if settings.against is not None:
        raise InputError("the power of an experiment is computed for contributions only")
    return forecast_choices(file, rules)
