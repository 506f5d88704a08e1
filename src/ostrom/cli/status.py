"""`ostrom status`: the experiments of a journal, how far each is, and where its answers come from."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ostrom.experiment import options as opt
from ostrom.experiment.options import open_journal
from ostrom.experiment.terminal import Column, Sheet, out, print_json
from ostrom.journal.engine import DEFAULT, VARIABLE, locate
from ostrom.journal.overview import ExperimentRow, ModelCalls
from ostrom.players.people.seat import is_person


def status(store: opt.Store = None, json: opt.Json = False) -> None:
    """Show the experiments of the journal and how far they are."""
    with open_journal(store) as journal:
        label, revision, rows = journal.label, journal.revision(), journal.experiments()
    if json:
        print_json({"journal": label, "revision": revision, "status": [_document(row) for row in rows]})
        return
    if not rows:
        out.print(f"The journal {label} holds no experiment yet.", markup=False)
        return
    columns = [
        Column("experiment"),
        Column("name", wraps=True, spare=1),
        Column("state"),
        Column("games", number=True),
        Column("answers", number=True, spare=2),
        Column("by provenance", wraps=True),
        Column("created", spare=3),
    ]
    out.print(Sheet(f"journal {label}", columns, [_line(row) for row in rows]))
    called: list[Sequence[str]] = [_model_line(row.id, model) for row in rows for model in row.models]
    if called:
        out.print()
        people = any(is_person(model.model) for row in rows for model in row.models)
        out.print(Sheet("calls of models and people" if people else "calls of models", _model_columns(), called))


def experiment_rows(store: str | None) -> list[dict[str, Any]]:
    """The experiments for `ostrom list`; none where no journal is named and the default one is not there yet."""
    if _not_there_yet(store):
        return []
    with open_journal(store) as journal:
        return [
            {"id": row.id, "kind": row.kind, "games": row.games, "state": row.state, "name": row.name}
            for row in journal.experiments()
        ]


def game_rows(store: str | None, experiment: str | None) -> list[dict[str, Any]]:
    """The games of an experiment, or all, for `ostrom list`; none where none can be asked for, as above."""
    if experiment is None and _not_there_yet(store):
        return []
    with open_journal(store) as journal:
        return [
            {
                "id": row.id,
                "experiment": row.experiment,
                "game": row.game,
                "rounds": row.rounds,
                "state": row.state,
                "source": row.source,
                "players": list(row.players),
            }
            for row in journal.games(experiment)
        ]


def _not_there_yet(store: str | None) -> bool:
    """Whether no journal is named and the default one is not there."""
    default = locate(DEFAULT).file
    return store is None and not os.environ.get(VARIABLE) and default is not None and not default.exists()


def _document(row: ExperimentRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "state": row.state,
        "created": row.created,
        "games": row.games,
        "playing": row.playing,
        "planned": row.planned,
        "answers": row.answers,
        "events": row.events,
        "provenance": {kind.value: count / row.answers for kind, count in row.provenance.items()},
        "void": row.void,
        "runs": row.runs,
        "defaulted": next((count for kind, count in row.provenance.items() if kind == "defaulted"), 0),
        "calls": _calls_document(row.models),
        "models": {model.model: _calls_document([model]) for model in row.models},
        "settings": row.settings,
    }


def _calls_document(models: Sequence[ModelCalls]) -> dict[str, Any]:
    """What the calls of these models came to, all in all."""
    calls = sum(model.calls for model in models)
    faults: Counter[str] = Counter()
    for model in models:
        faults.update({fault.value: count for fault, count in model.faults.items()})
    return {
        "calls": calls,
        "faults": dict(faults),
        "retries": sum(model.retries for model in models),
        "reasked": sum(model.reasked for model in models),
        "defaulted": sum(model.defaulted for model in models),
        "refused": sum(model.refused for model in models),
        "cost": sum(model.cost for model in models),
        "reserved": sum(model.reserved for model in models),
        "unpriced": sum(model.unpriced for model in models),
        "input_tokens": sum(model.input_tokens for model in models),
        "output_tokens": sum(model.output_tokens for model in models),
        "latency": sum(model.latency * model.calls for model in models) / calls if calls else None,
    }


def _line(row: ExperimentRow) -> list[str]:
    return [
        row.id,
        row.name,
        row.state,
        (f"{row.games:,}" if row.planned is None else f"{row.games:,} of {row.planned:,}")
        + (f" ({row.void:,} void)" if row.void else ""),
        f"{row.answers:,}",
        ", ".join(f"{kind} {_percent(count, row.answers)}" for kind, count in row.provenance.items()) or "–",
        row.created.removesuffix("+00:00").replace("T", " "),
    ]


def _model_columns() -> list[Column]:
    return [
        Column("experiment"),
        Column("model", wraps=True),
        Column("calls", number=True),
        Column("cost", number=True),
        Column("tokens", number=True, spare=2),
        Column("latency", number=True, spare=3),
        Column("retries", number=True, spare=4),
        Column("reasked", number=True, spare=5),
        Column("defaulted", number=True),
        Column("faults", wraps=True, spare=1),
    ]


def _model_line(experiment: str, model: ModelCalls) -> list[str]:
    return [
        experiment,
        model.model,
        f"{model.calls:,}",
        _cost(model),
        "–" if is_person(model.model) else f"{model.input_tokens + model.output_tokens:,}",
        f"{model.latency:.2f} s",
        str(model.retries),
        str(model.reasked),
        str(model.defaulted),
        ", ".join(f"{count:,} {fault.value.replace('_', ' ')}" for fault, count in model.faults.items()) or "none",
    ]


def _cost(model: ModelCalls) -> str:
    """What is known to be spent or set aside; nothing where no price is known, or where a person was asked."""
    if is_person(model.model):
        return "–"
    spent = f"${model.cost + model.reserved:,.4f}"
    if not model.unpriced:
        return spent
    return "no price" if model.cost + model.reserved == 0 else f"{spent} and more"


def _percent(count: int, total: int) -> str:
    """A share that is never rounded up to all: one defaulted answer in a million is to be seen."""
    if count == total:
        return "100 %"
    return f"{min(max(100 * count / total, 0.1), 99.9):.1f} %"
