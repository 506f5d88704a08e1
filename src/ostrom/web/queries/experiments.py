"""Experiments: how far each is, what it cost, who plays in it; and what can be started here."""

from collections.abc import Collection, Sequence
from typing import Any

from ostrom.core import Provenance
from ostrom.core.plugins import GAMES
from ostrom.journal.overview import ExperimentRow, ModelCalls
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import is_person
from ostrom.players.roster import built_in_players, load_installed
from ostrom.version import VERSION
from ostrom.web.queries.games import title_of
from ostrom.web.shapes.games import (
    ExperimentDetail,
    ExperimentItem,
    ExperimentPage,
    GameKind,
    LabInfo,
    ModelRow,
    SeatLink,
)


def lab_info(journal: Journal, *, starts: bool, address: str | None) -> LabInfo:
    """What this server is, and which games can be started from its pages."""
    return LabInfo(
        version=VERSION,
        journal=journal.label,
        revision=journal.revision(),
        starts=starts,
        address=address,
        games=game_kinds(),
    )


def game_kinds() -> list[GameKind]:
    """Every game that one can sit down at."""
    load_installed()
    return [
        GameKind(
            command=game.command,
            name=game.name,
            title=title_of(game.name),
            summary=game.summary,
            fewest_seats=game.seats.fewest,
            most_seats=game.seats.most,
            usual_seats=game.seats.usual,
            players=list(built_in_players(game.name)),
            rules=game.rules.model_json_schema(),
        )
        for game in GAMES.values()
        if not game.instrument
    ]


def experiment_page(journal: Journal, running: Collection[str], offset: int, limit: int) -> ExperimentPage:
    """Some of the experiments, the newest first."""
    rows = journal.pages.experiments()[::-1]
    seated = journal.pages.seated()
    items = [ExperimentItem(**_item(row, seated.get(row.id, ()), running)) for row in rows[offset : offset + limit]]
    return ExperimentPage(experiments=items, total=len(rows), offset=offset)


def experiment_detail(
    journal: Journal, experiment: str, running: Collection[str], seats: Sequence[SeatLink]
) -> ExperimentDetail:
    """One experiment, by its id."""
    row = next(row for row in journal.pages.experiments() if row.id == experiment)
    return ExperimentDetail(
        **_item(row, journal.pages.seated().get(row.id, ()), running),
        settings=row.settings,
        models=[_model(model) for model in row.models],
        runs=row.runs,
        seats=list(seats),
    )


def _item(row: ExperimentRow, players: Sequence[str], running: Collection[str]) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "created": row.created,
        "state": row.state,
        "running": row.id in running,
        "planned": row.planned,
        "finished": row.games,
        "playing": row.playing,
        "void": row.void,
        "answers": row.answers,
        "events": row.events,
        "defaulted": row.provenance.get(Provenance.DEFAULTED, 0),
        "repaired": row.provenance.get(Provenance.REPAIRED, 0),
        "cost": _cost(row.models),
        "players": list(players),
    }


def _cost(models: Sequence[ModelCalls]) -> float | None:
    """Dollars; nothing where no model was called, or where some tokens have no known price. People are asked like
    models, and are none."""
    models = [model for model in models if not is_person(model.model)]
    if not models or any(model.unpriced for model in models):
        return None
    return sum(model.cost for model in models)


def _model(model: ModelCalls) -> ModelRow:
    return ModelRow(
        model=model.model,
        calls=model.calls,
        failed=sum(model.faults.values()),
        input_tokens=model.input_tokens,
        output_tokens=model.output_tokens,
        cost=None if model.unpriced or is_person(model.model) else model.cost,
        mean_latency=model.latency if model.calls else None,
        faults={fault.value: count for fault, count in model.faults.items()},
    )
