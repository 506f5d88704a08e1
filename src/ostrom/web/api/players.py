"""One player's page: where it stands by every measure, whom it met, its games, and what is known of it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

import polars as pl
from fastapi import APIRouter, Path, Request, Response

from ostrom.analysis.plans import players_planned, prompts_used
from ostrom.analysis.standing import Standpoint, games_of, rivals, standpoints
from ostrom.charts import render
from ostrom.charts.catalogue import plain_unit
from ostrom.charts.families import Cast
from ostrom.charts.lines import player_course
from ostrom.charts.palette import DARK
from ostrom.core import UnknownName
from ostrom.players.people.seat import HUMAN
from ostrom.players.roster import descriptions
from ostrom.web.api.charts import CONFIG, Chart, chart_of, source_of
from ostrom.web.api.ratings import Measured
from ostrom.web.api.studies import AnyFilters, Filters, SelectedGames, choose
from ostrom.web.replies import Shape, Span, reply_of_ended
from ostrom.web.service import Service

_BEST: Final = 3
"""Games that are named as its best, and as its worst."""
_TOLD: Final = ("model", "temperature", "variant", "form", "reasoning", "max_tokens", "base_url")
_COURSE: Final = "player_course"


class FieldFigure(Shape):
    """What another player reaches."""

    player: str
    label: str
    value: float


class ProfileFigure(Shape):
    """A player's figure by one measure, beside the field."""

    name: str
    title: str
    definition: str
    unit: str
    share: bool
    """Whether it is a part of one, to be written in per cent."""
    decimals: int
    figure: Span
    games: int | None
    place: int | None
    """Counted from the highest; missing where it has no figure."""
    players: int
    """How many have a figure, itself among them."""
    others: list[FieldFigure]


class RivalRow(Shape):
    """Somebody whom it met."""

    player: str
    label: str
    colour: str
    games: int
    ahead: Span
    """The share of these games in which it ended ahead; a tie is half of it."""
    mean: float
    theirs: float


class PlayerGame(Shape):
    """One of its games."""

    game: str
    experiment: str
    number: int
    """Its place among all games of this choice."""
    seat: int
    final: float | None
    rank: float | None
    seats: int
    players: list[str]
    """By seat."""


class PlayerDescription(Shape):
    """What is known of a player: how a model was set up, or what a strategy does."""

    what: Literal["model", "strategy"]
    experiments: list[str]
    settings: dict[str, str | int | float | None]
    personality: str
    """The text that stands before the rules; empty where there is none."""
    prompts: str
    """The digest of the prompts; empty where nothing was recorded."""
    text: str
    """What a strategy does."""


class PlayerProfile(Shape):
    """One player in the games of one kind."""

    kind: str
    player: str
    label: str
    colour: str
    dark: str
    """Its colour on dark paper."""
    unit: str
    better: Literal["higher", "lower"]
    source: str
    profile: list[ProfileFigure]
    rivals: list[RivalRow]
    best: list[PlayerGame]
    worst: list[PlayerGame]
    games: list[PlayerGame]
    course: Chart | None
    """Its games over time; missing where it has fewer than two."""
    config: dict[str, Any]
    descriptions: list[PlayerDescription]
    imported: bool
    """Whether all its games were read from others' logs, which know it by its name alone."""


def player_profile(service: Service, player: str, filters: Filters) -> PlayerProfile:
    """Everything about one player in the chosen games."""
    chosen = _chosen_with(service, player, filters)
    tables, cast, game = chosen.tables, chosen.cast, chosen.study.game
    played = games_of(tables, player)
    rows = [PlayerGame(**row) for row in played.iter_rows(named=True)]
    ordered = _ordered(rows, game.better)
    measured = Measured(service, chosen)
    face = cast.faces[player]
    return PlayerProfile(
        kind=chosen.study.command,
        player=player,
        label=face.label,
        colour=face.colour,
        dark=DARK.get(face.colour, face.colour),
        unit=game.unit,
        better=game.better,
        source=source_of(service, chosen),
        profile=[_figure(one, cast) for one in standpoints(chosen.study.measures, measured, player)],
        rivals=[
            RivalRow(
                **{name: getattr(one, name) for name in ("player", "games", "ahead", "mean", "theirs")},
                label=cast.label(one.player),
                colour=cast.faces[one.player].colour,
            )
            for one in rivals(tables, player, better=game.better)
        ],
        best=ordered[:_BEST],
        worst=ordered[_BEST:][::-1][:_BEST],
        games=rows,
        course=_course(service, chosen, played, player),
        config=CONFIG,
        descriptions=_descriptions(service, chosen, player),
        imported=not tables.games.join(played, on="game", how="semi")["source"].null_count(),
    )


def _chosen_with(service: Service, player: str, filters: Filters) -> SelectedGames:
    """The games of the filters' board; where the player is not on it, those of the first board by other rules that it
    is on."""
    first = choose(service, filters)
    boards = [None, *(one.rules for one in first.others)] if filters.rules is None else [None]
    for rules in boards:
        chosen = first if rules is None else choose(service, replace(filters, rules=rules))
        if (chosen.tables.seats["player"] == player).any():
            return chosen
    text = f"no chosen game has a player called {player!r}; /api/ratings lists the players"
    raise UnknownName("player", player, [], text=text)


def _ordered(rows: Iterable[PlayerGame], better: str) -> list[PlayerGame]:
    """Its games with a final, the best first."""
    sign = -1.0 if better == "higher" else 1.0
    return sorted((row for row in rows if row.final is not None), key=lambda row: (sign * (row.final or 0.0), row.game))


def _figure(one: Standpoint, cast: Cast) -> ProfileFigure:
    unit = plain_unit(one.measure)
    others = sorted(one.others.items(), key=lambda item: -item[1])
    return ProfileFigure(
        name=one.measure.name,
        title=one.measure.title,
        definition=one.measure.definition,
        unit="" if unit.share else one.measure.unit,
        share=unit.share,
        decimals=unit.decimals,
        figure=Span.model_validate(one.estimate),
        games=one.games,
        place=one.place,
        players=len(others) + (one.place is not None),
        others=[FieldFigure(player=name, label=cast.label(name), value=value) for name, value in others],
    )


def _course(service: Service, chosen: SelectedGames, played: pl.DataFrame, player: str) -> Chart | None:
    if played["final"].count() < 2:
        return None
    drawn = player_course(played, chosen.cast, player, unit=chosen.study.game.unit)
    return chart_of(_COURSE, "Results over time", render.embedded(drawn), "", source_of(service, chosen))


def _descriptions(service: Service, chosen: SelectedGames, player: str) -> list[PlayerDescription]:
    """How a model was set up, each way once with its experiments; else what a strategy of this name does."""
    names = service.journal.ended.experiments()
    found: dict[str, PlayerDescription] = {}
    for experiment, settings in service.journal.ended.settings().items():
        for one in _models(settings, player):
            key = one.model_dump_json()
            known = found.get(key, one)
            told = [*known.experiments, names.get(experiment, experiment)]
            found[key] = known.model_copy(update={"experiments": told})
    if found:
        return list(found.values())
    listed = {one["name"]: one for one in descriptions(chosen.study.game.name)}
    strategy = listed.get(player.partition(":")[0])
    if strategy is None or player == HUMAN:
        return []
    said: dict[str, str | int | float | None] = {"from": str(strategy["from"])}
    if parameters := strategy.get("parameters"):
        said["parameters"] = ", ".join(parameters)
    return [
        PlayerDescription(
            what="strategy",
            experiments=[],
            settings=said,
            personality="",
            prompts="",
            text=str(strategy["description"]),
        )
    ]


def _models(settings: Mapping[str, Any], player: str) -> Iterable[PlayerDescription]:
    """The models of this name, as an experiment's plan describes them."""
    prompts = prompts_used(settings)
    for game, each in players_planned(settings):
        bot = each.get("bot") if isinstance(each, Mapping) else None
        if isinstance(bot, Mapping) and bot.get("name") == player:
            yield PlayerDescription(
                what="model",
                experiments=[],
                settings={name: bot.get(name) for name in _TOLD if bot.get(name) is not None},
                personality=str(bot.get("personality") or ""),
                prompts=str(prompts.get(game) or ""),
                text="",
            )


router = APIRouter(tags=["study"])


@router.get("/players/{player:path}", response_model=PlayerProfile)
async def player(
    request: Request, player: Annotated[str, Path(max_length=500, description="By its name.")], filters: AnyFilters
) -> Response:
    """One player: where it stands by every measure, whom it met, its games over time, and what is known of it."""
    return await reply_of_ended(request, player_profile, player, filters, slow=True)
