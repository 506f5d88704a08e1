"""The verb `status`: the experiments of a journal with their progress, their calls and the provenance of their
answers."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import Field

from ostrom.core import Provenance
from ostrom.core.command import at_store
from ostrom.core.entry_points import named_files
from ostrom.core.finding import MISSING, Column, Finding, Format, Row, Table, number
from ostrom.core.outlets import legible
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.journal.arrange import ARCHIVED, TAGS, tags_of
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.record import remedy_for
from ostrom.journal.rows import PLANNED, Batch
from ostrom.journal.spending import ModelCalls
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import is_person

SUMMARY_FIELDS: Final = ("id", "name", "kind", "state", "created", "planned", "games", "void", "answers")
"""The fields of an experiment in the library's lists."""
_ROW_FIELDS: Final = (*SUMMARY_FIELDS, "playing", "events", "runs", "suspended")
_SUMMED_FIELDS: Final = (
    "retries",
    "reasked",
    "defaulted",
    "refused",
    "cost",
    "reserved",
    "unpriced",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reused",
    "saved",
)


class StatusSettings(Settings):
    """Settings of the verb `status`."""

    tag: Annotated[str | None, Display(form="TAG")] = Field(None, description="Only experiments with this tag.")
    archived: bool = Field(False, description="Include archived experiments.")


@verb("status", keeps=False)
def status(store: str | None, settings: StatusSettings, reporter: Reporter = SILENT) -> Finding:
    """Show the experiments of the journal and their progress."""
    with open_journal(store) as journal:
        label, revision, experiments = journal.label, journal.revision(), journal.experiments()
        resumptions = {row.id: _resumption(journal, row, store) for row in experiments if row.batches}
    rows = [row for row in experiments if settings.archived or not row.settings.get(ARCHIVED)]
    rows = [row for row in rows if settings.tag is None or settings.tag in tags_of(row.settings)]
    parts = [experiments_table(rows, label), calls_table(rows), _suspended_table(rows)]
    return Finding(
        verb="status",
        title=f"journal {label}",
        facts={"journal": label, "revision": revision},
        parts=[part for part in parts if part.in_json or part.rows],
        sentences=_notes(rows, resumptions, reporter) if rows else [_no_experiments(label, len(experiments), reporter)],
    )


def experiment_record(row: ExperimentRow) -> dict[str, Any]:
    """Return an experiment as plain data."""
    return {
        **{name: getattr(row, name) for name in _ROW_FIELDS},
        "settings": row.public_settings,
        TAGS: tags_of(row.settings),
        "provenance": {kind.value: count / row.answers for kind, count in row.provenance.items()},
        "defaulted": row.provenance.get(Provenance.DEFAULTED, 0),
        "calls": call_totals(row.models),
        "models": {model.model: call_totals([model]) for model in row.models},
        "sent": asdict(row.out),
        "batches": [{"id": str(batch.serial), **_batch_record(batch)} for batch in row.batches],
    }


def _batch_record(batch: Batch) -> dict[str, Any]:
    """Return a batch as plain data."""
    age = datetime.now(UTC) - datetime.fromisoformat(batch.at)
    fields = {name: getattr(batch, name) for name in ("name", "model", "calls", "state", "at", "seen")}
    return {**fields, "seconds": round(age.total_seconds())}


def _batch_line(row: ExperimentRow, batch: Batch) -> str:
    """Return a line that says what a batch of requests waits for, and since when."""
    minutes = _batch_record(batch)["seconds"] / 60
    age = f"{minutes / 60:.1f} hours" if minutes >= 90 else f"{minutes:.0f} minutes"
    name = "not confirmed yet" if batch.name is None else legible(batch.name)
    state = "waits for the provider to confirm it" if batch.state == PLANNED else legible(batch.state)
    calls = number_of(batch.calls, "call")
    return f"{row.id}: a batch of {calls} to {legible(batch.model)} ({name}), sent {age} ago: {state}."


def _resumption(journal: Journal, row: ExperimentRow, store: str | None) -> str:
    """Return the command that collects the results of an experiment's batches. If a game of the experiment is not
    loaded, say how to load it."""
    command = f"ostrom resume {shlex.quote(row.id)}{named_files()}{at_store(printable_url(store))}"
    packages = {game.package or "" for game in journal.games(row.id) if game.game not in GAMES}
    return "; ".join([f"{command} collects the results of its batches", *map(remedy_for, sorted(packages))])


def call_totals(models: Sequence[ModelCalls]) -> dict[str, Any]:
    """Return the totals of the calls of these models, and their mean latency."""
    calls = sum(model.calls for model in models)
    faults: Counter[str] = Counter()
    for model in models:
        faults.update({fault.value: count for fault, count in model.faults.items()})
    totals = {name: sum(getattr(model, name) for model in models) for name in _SUMMED_FIELDS}
    latency = sum(model.latency * model.calls for model in models) / calls if calls else None
    return {"calls": calls, "faults": dict(faults), **totals, "latency": latency}


def _games(row: Row) -> str:
    planned = "" if row["planned"] is None else f" of {row['planned']:,}"
    void = f" ({row['void']:,} void)" if row["void"] else ""
    return f"{row['games']:,}{planned}{void}"


def _provenance(row: Row) -> str:
    return ", ".join(f"{kind} {_percent(share)}" for kind, share in row["provenance"].items()) or MISSING


def _percent(share: float) -> str:
    """Return a share in percent. A share is never rounded to 0 or 100, so that a single defaulted answer in a million
    is visible."""
    return "100 %" if share == 1 else f"{min(max(100 * share, 0.1), 99.9):.1f} %"


def _tags(row: Row) -> str:
    return ", ".join(row[TAGS]) or MISSING


def _created(row: Row) -> str:
    return str(row["created"]).removesuffix("+00:00").replace("T", " ")


_EXPERIMENT_COLUMNS: Final = (
    Column("id", "experiment"),
    Column("name", "name", wraps=True, spare=1),
    Column("kind"),
    Column("state", "state"),
    number("games", "games", cell=_games),
    *map(Column, ("playing", "planned")),
    number("answers", "answers", spare=2),
    Column("events"),
    Column("provenance", "by provenance", wraps=True, cell=_provenance),
    *map(Column, ("void", "runs", "defaulted", "calls", "models", "sent", "batches", "suspended", "settings")),
    Column(TAGS, TAGS, wraps=True, spare=4, cell=_tags, in_json=False),
    Column("created", "created", spare=3, cell=_created),
)


def experiments_table(rows: Sequence[ExperimentRow], label: str) -> Table:
    """Return the table of experiments. It has a column of tags if there are any."""
    records = [experiment_record(row) for row in rows]
    tagged = any(record[TAGS] for record in records)
    columns = [column for column in _EXPERIMENT_COLUMNS if tagged or column.name != TAGS]
    return Table("status", columns, records, title=f"journal {label}", on_terminal=bool(rows))


def _cost(row: Row) -> str:
    """Return the dollars that are spent or reserved. Return a dash for people, because their answers have no price."""
    if is_person(row["model"]):
        return MISSING
    dollars = row["cost"] + row["reserved"]
    if not row["unpriced"]:
        return f"${dollars:,.4f}"
    return "no price" if dollars == 0 else f"${dollars:,.4f} and more"


def _tokens(row: Row) -> str:
    return MISSING if is_person(row["model"]) else f"{row['input_tokens'] + row['output_tokens']:,}"


def _cached(row: Row) -> str:
    """Return the share of the input that was read from providers' caches."""
    read = row["cache_read_tokens"]
    return _percent(read / row["input_tokens"]) if read else MISSING


def _reused(row: Row) -> str:
    """Return the number of replies that were reused from another journal, and the dollars that this reuse saved."""
    saved = f" (${row['saved']:,.4f} saved)" if row["saved"] else ""
    return f"{row['reused']:,}{saved}" if row["reused"] else MISSING


def _faults(row: Row) -> str:
    return ", ".join(f"{count:,} {fault.replace('_', ' ')}" for fault, count in row["faults"].items()) or "none"


_SECONDS: Final = Format(".2f", suffix=" s")
_CALL_COLUMNS: Final = (
    Column("experiment", "experiment"),
    Column("model", "model", wraps=True),
    number("calls", "calls"),
    number("cost", "cost", cell=_cost),
    number("tokens", "tokens", spare=2, cell=_tokens),
    number("cache_read_tokens", "from cache", spare=6, cell=_cached),
    number("reused", "reused", cell=_reused),
    number("latency", "latency", _SECONDS, spare=3),
    number("retries", "retries", spare=4),
    number("reasked", "reasked", spare=5),
    number("defaulted", "defaulted"),
    Column("faults", "faults", wraps=True, spare=1, cell=_faults),
)


def calls_table(experiments: Sequence[ExperimentRow]) -> Table:
    """Return the calls of each model in each experiment."""
    models = [(row.id, model) for row in experiments for model in row.models]
    rows = [{"experiment": id_, "model": model.model, **call_totals([model])} for id_, model in models]
    people = any(is_person(model.model) for _, model in models)
    title = "calls of models and people" if people else "calls of models"
    reused = any(row["reused"] for row in rows)
    columns = [column for column in _CALL_COLUMNS if reused or column.name != "reused"]
    return Table("calls_by_model", columns, rows, title=title, in_json=False)


_MAX_REASON_CHARACTERS: Final = 300
_SUSPENDED_COLUMNS: Final = (
    Column("experiment", "experiment"),
    number("games", "games"),
    Column("reason", "reason", wraps=True),
)


def _suspended_table(experiments: Sequence[ExperimentRow]) -> Table:
    """Return the suspended games of each experiment by reason. A reason may quote an error of a server. It is therefore
    shortened and shown in its own column, so that no part of it looks like a message of Ostrom."""
    rows = [
        {"experiment": row.id, "games": games, "reason": legible(reason, most=_MAX_REASON_CHARACTERS)}
        for row in experiments
        for reason, games in row.suspended.items()
    ]
    return Table("suspended", _SUSPENDED_COLUMNS, rows, title="suspended games", in_json=False)


def _no_experiments(label: str, total: int, reporter: Reporter) -> str:
    if not total:
        return f"The journal {label} has no experiments."
    archived = reporter.spell("archived", None)
    return f"The journal {label} has no such experiment. It has {total:,} in all; {archived} includes archived ones."


def _notes(rows: Sequence[ExperimentRow], resumptions: Mapping[str, str], reporter: Reporter) -> list[str]:
    """Return a paragraph on batches and calls without a reply. Return an empty list if there are none."""
    lines = []
    for row in rows:
        lines += [_batch_line(row, batch) for batch in row.batches]
        if row.batches:
            lines.append(f"{row.id}: {resumptions[row.id]}.")
        if row.out.unsettled:
            lines.append(_unsettled(row, reporter))
    return ["\n".join(lines)] if lines else []


def _unsettled(row: ExperimentRow, reporter: Reporter) -> str:
    bound = f"${row.out.dollars:,.4f}" if row.out.dollars else number_of(row.out.tokens, "token")
    settle = f"ostrom journal settle {row.id} {reporter.spell('charged', 'DOLLARS')}"
    return (
        f"{row.id}: {number_of(row.out.unsettled, 'call')} sent without a reply, in flight or lost when a run was "
        f"killed, count as spent with at most {bound}; {settle} enters their actual cost."
    )
