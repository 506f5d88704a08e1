"""One player's page: its measures, opponents, games and description; and the display names of all players."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

import polars as pl
from fastapi import APIRouter, Path, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from ostrom.analysis.plans import planned_bots
from ostrom.charts import render
from ostrom.charts.families import Cast
from ostrom.charts.lines import player_course
from ostrom.charts.palette import DARK, colour_of
from ostrom.charts.plain import plain_unit
from ostrom.core import UnknownName
from ostrom.findings.payoffs import Standpoint, games_of, rivals, standpoints
from ostrom.players.people.seat import HUMAN
from ostrom.players.roster import descriptions
from ostrom.web.api.charts import CONFIG, Chart, chart_of, source_of
from ostrom.web.api.ratings import LazyMeasures
from ostrom.web.api.studies import AnyFilters, Filters, SelectedGames, choose
from ostrom.web.replies import UNREADABLE, Shape, Span, check_writable, refusals, reply, reply_of_ended, service_of
from ostrom.web.service import Service

_EXTREME_GAMES: Final = 3
"""The number of a player's best games that are shown. The same number of its worst games is shown."""
_BOT_FIELDS: Final = ("model", "temperature", "variant", "form", "reasoning", "max_tokens", "base_url")
_COURSE: Final = "player_course"


class FieldFigure(Shape):
    """Another player's figure."""

    player: str
    label: str
    value: float


class ProfileFigure(Shape):
    """A player's figure for one measure, with those of the other players."""

    name: str
    title: str
    definition: str
    unit: str
    share: bool
    """True if the figure is a share, which is shown in per cent."""
    decimals: int
    figure: Span
    games: int | None
    place: int | None
    """The player's rank, counted from the highest figure; missing if the player has no figure."""
    players: int
    """The number of players with a figure, including this player."""
    others: list[FieldFigure]


class RivalRow(Shape):
    """An opponent of the player."""

    player: str
    label: str
    colour: str
    games: int
    ahead: Span
    """The share of games in which the player ended ahead; a tie counts one half."""
    mean: float
    theirs: float


class PlayerGame(Shape):
    """A game of the player."""

    game: str
    experiment: str
    number: int
    """The number of the game among all selected games."""
    seat: int
    final: float | None
    rank: float | None
    seats: int
    players: list[str]
    """The player of each seat."""


class PlayerDescription(Shape):
    """The settings of a model, or the description of a strategy."""

    what: Literal["model", "strategy"]
    experiments: list[str]
    settings: dict[str, str | int | float | None]
    personality: str
    """The text before the rules in the player's prompts. It may be empty."""
    prompts: str
    """The digest of the player's prompts; empty if it was not recorded."""
    text: str
    """The description of a strategy."""


class PlayerProfile(Shape):
    """One player in the games of one kind."""

    kind: str
    player: str
    label: str
    colour: str
    dark: str
    """The colour of the player in the dark theme."""
    unit: str
    better: Literal["higher", "lower"]
    source: str
    profile: list[ProfileFigure]
    rivals: list[RivalRow]
    best: list[PlayerGame]
    worst: list[PlayerGame]
    games: list[PlayerGame]
    course: Chart | None
    """The results of the player over time; missing if there are fewer than two games."""
    config: dict[str, Any]
    descriptions: list[PlayerDescription]
    imported: bool
    """True if all games of the player were imported, so that nothing but the player's name is known."""


def player_profile(service: Service, player: str, filters: Filters) -> PlayerProfile:
    """Return all data on one player in the selected games. Raise `UnknownName` if it has no such games."""
    selection = _select_with(service, player, filters)
    tables, cast, game = selection.tables, selection.cast, selection.study.game
    own_games = games_of(tables, player)
    rows = [PlayerGame(**row) for row in own_games.iter_rows(named=True)]
    ranked = _best_first(rows, game.better)
    measures = LazyMeasures(service, selection)
    face = cast.faces[player]
    return PlayerProfile(
        kind=selection.study.command,
        player=player,
        label=face.label,
        colour=face.colour,
        dark=DARK.get(face.colour, face.colour),
        unit=game.unit,
        better=game.better,
        source=source_of(service, selection),
        profile=[_figure(standpoint, cast) for standpoint in standpoints(selection.study.measures, measures, player)],
        rivals=[
            RivalRow(
                **{name: getattr(rival, name) for name in ("player", "games", "ahead", "mean", "theirs")},
                label=cast.label(rival.player),
                colour=cast.faces[rival.player].colour,
            )
            for rival in rivals(tables, player, better=game.better)
        ],
        best=ranked[:_EXTREME_GAMES],
        worst=ranked[_EXTREME_GAMES:][::-1][:_EXTREME_GAMES],
        games=rows,
        course=_course(service, selection, own_games, player),
        config=CONFIG,
        descriptions=_descriptions(service, selection, player),
        imported=not tables.games.join(own_games, on="game", how="semi")["source"].null_count(),
    )


def _select_with(service: Service, player: str, filters: Filters) -> SelectedGames:
    """Return the selected games. If the player is not in these games, return the first selection of games with other
    rules that includes the player. Raise `UnknownName` if there is none."""
    first = choose(service, filters)
    boards = [None, *(other.rules for other in first.others)] if filters.rules is None else [None]
    for rules in boards:
        selection = first if rules is None else choose(service, replace(filters, rules=rules))
        if (selection.tables.seats["player"] == player).any():
            return selection
    text = f"no chosen game has a player called {player!r}; /api/ratings lists the players"
    raise UnknownName("player", player, [], text=text)


def _best_first(rows: Iterable[PlayerGame], better: str) -> list[PlayerGame]:
    sign = -1.0 if better == "higher" else 1.0
    return sorted((row for row in rows if row.final is not None), key=lambda row: (sign * (row.final or 0.0), row.game))


def _figure(standpoint: Standpoint, cast: Cast) -> ProfileFigure:
    unit = plain_unit(standpoint.measure)
    others = sorted(standpoint.others.items(), key=lambda item: -item[1])
    return ProfileFigure(
        name=standpoint.measure.name,
        title=standpoint.measure.title,
        definition=standpoint.measure.definition,
        unit="" if unit.share else standpoint.measure.unit,
        share=unit.share,
        decimals=unit.decimals,
        figure=Span.model_validate(standpoint.estimate),
        games=standpoint.games,
        place=standpoint.place,
        players=len(others) + (standpoint.place is not None),
        others=[FieldFigure(player=name, label=cast.label(name), value=value) for name, value in others],
    )


def _course(service: Service, selection: SelectedGames, own_games: pl.DataFrame, player: str) -> Chart | None:
    if own_games["final"].count() < 2:
        return None
    figure = player_course(own_games, selection.cast, player, unit=selection.study.game.unit)
    return chart_of(_COURSE, "Results over time", render.embedded(figure), "", source_of(service, selection))


def _descriptions(service: Service, selection: SelectedGames, player: str) -> list[PlayerDescription]:
    """Return each distinct setup of a model with its experiments, or the description of a strategy with this name."""
    names = service.journal.ended.experiments()
    by_setup: dict[str, PlayerDescription] = {}
    for experiment, settings in service.journal.ended.settings().items():
        for model in _models(settings, player):
            key = model.model_dump_json()
            entry = by_setup.get(key, model)
            experiments = [*entry.experiments, names.get(experiment, experiment)]
            by_setup[key] = entry.model_copy(update={"experiments": experiments})
    if by_setup:
        return list(by_setup.values())
    strategies = {description["name"]: description for description in descriptions(selection.study.game.name)}
    strategy = strategies.get(player.partition(":")[0])
    if strategy is None or player == HUMAN:
        return []
    facts: dict[str, str | int | float | None] = {"from": str(strategy["from"])}
    if parameters := strategy.get("parameters"):
        facts["parameters"] = ", ".join(parameters)
    text = str(strategy["description"])
    empty = {"experiments": [], "personality": "", "prompts": ""}
    return [PlayerDescription(what="strategy", settings=facts, text=text, **empty)]


def _models(settings: Mapping[str, Any], player: str) -> Iterable[PlayerDescription]:
    for bot, prompts in planned_bots(settings):
        if bot.get("name") == player:
            yield PlayerDescription(
                what="model",
                experiments=[],
                settings={name: bot.get(name) for name in _BOT_FIELDS if bot.get(name) is not None},
                personality=str(bot.get("personality") or ""),
                prompts=str(prompts or ""),
                text="",
            )


router = APIRouter()


@router.get("/players/{player:path}", response_model=PlayerProfile, tags=["study"])
async def player(
    request: Request, player: Annotated[str, Path(max_length=500, description="The player's id.")], filters: AnyFilters
) -> Response:
    """Return one player: its measures, opponents, games over time, and description."""
    return await reply_of_ended(request, player_profile, player, filters, slow=True)


class PlayerName(Shape):
    """The display name of a player."""

    player: str
    """The id of the player, which data, filters and addresses use."""
    name: str
    """The player's name on all pages, charts and films. If another player has the same name, it is the player's id."""
    label: str | None
    """The name that this journal gives the player."""
    suggestion: str | None
    """The usual name of the player, by its source or its id; missing if there is none."""
    colour: str


class PlayerNameList(Shape):
    """The names of all players, in the order of their first games."""

    players: list[PlayerName]


class GiveName(Shape):
    """A name for a player."""

    player: str
    name: Annotated[str | None, Field(max_length=200)]
    """The new name; None removes the present one."""


def all_names(service: Service) -> PlayerNameList:
    """Return the names of all players of the journal."""
    return PlayerNameList(players=[_name_entry(service, player) for player in service.player_names().players])


def _name_entry(service: Service, player: str) -> PlayerName:
    names = service.player_names()
    name = names.of(player)
    label, suggestion = names.labels.get(player), names.suggestion(player)
    return PlayerName(
        player=player, name=name, label=label, suggestion=suggestion, colour=colour_of(player, names.family(player))
    )


@router.get("/names", response_model=PlayerNameList, tags=["names"])
async def names(request: Request) -> Response:
    """Return the names of all players."""
    return await reply(request, all_names)


@router.post(
    "/names", responses=refusals({403: "This server does not change its journal.", **UNREADABLE}), tags=["names"]
)
async def give_name(request: Request, naming: GiveName) -> PlayerName:
    """Give a player a name for all pages, charts and films, or remove its name."""
    service = service_of(request)
    check_writable(service)

    def write() -> str:
        journal = service.journal.names
        player = journal.known().player(naming.player)
        journal.clear(player) if naming.name is None else journal.give(player, naming.name)
        return player

    try:
        player = await run_in_threadpool(write)
    finally:
        service.revision.forget()
    return await run_in_threadpool(_name_entry, service, player)
