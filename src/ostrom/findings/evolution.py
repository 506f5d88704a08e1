"""The outcome of an evolution, and its finding: tables, charts and the games that can be opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import polars as pl

from ostrom.core.finding import ChartEntry, Column, Finding, Opening, Row, Table, number
from ostrom.core.text import number_of
from ostrom.findings.payoff_sources import Source
from ostrom.findings.processes import PopulationModel
from ostrom.findings.tournament import names_with_counts
from ostrom.sim.payoffs import PayoffTable

MAX_OPENINGS: Final = 20_000
HEADINGS: Final[Mapping[str, str]] = {
    "shares": "The long run",
    "trajectory": "Over time",
    "simplex": "Where shares go",
    "gradient": "Gradient of selection",
    "invasions": "Who takes over from whom",
    "fixations": "Fixation probabilities",
    "alpha": "α-rank",
}
NOT_IN_JSON: Final = frozenset({"flow", "payoffs"})


@dataclass(frozen=True, repr=False)
class Evolution:
    """The outcome of a process on a payoff table."""

    source: Source
    model: PopulationModel
    seed: int
    frames: Mapping[str, pl.DataFrame]
    what: str
    """The unit of the shares: `time` if all individuals are of the same kind most of the time, and otherwise
    `population`."""
    note: str = ""
    misfit: float | None = None
    """The residual standard deviation of fitted payoffs; None if no payoffs are fitted."""

    @property
    def payoffs(self) -> PayoffTable:
        return self.source.table

    @property
    def certain(self) -> bool:
        """True if all figures are exact: the payoffs are known exactly, and no part of the process is simulated."""
        return self.payoffs.certain and "simulated" not in self.note and not self.model.agents


def describe(evolution: Evolution) -> Finding:
    """Return the finding of an evolution. If games were played, every composition can be opened as a game."""
    source = evolution.source
    frames = evolution.frames
    rules = {} if source.rules is None else source.rules.model_dump(mode="json")
    present = {*frames, *(["simplex"] if "flow" in frames else []), *(["invasions"] if "fixations" in frames else [])}
    return Finding(
        verb="evolution",
        title=f"{source.title}: evolution",
        facts=_facts(evolution),
        parts=[*_stored_tables(evolution), *_terminal_tables(evolution)],
        summary=_summary(evolution),
        chart_entries=[
            ChartEntry(
                name,
                heading,
                "ostrom.findings.pictures:evolution_chart",
                {"invasions": "fixations", "simplex": "flow"}.get(name, name),
                {"name": name},
            )
            for name, heading in HEADINGS.items()
            if name in present
        ],
        game=source.game,
        rules=rules,
        seed=evolution.seed,
        settings={
            **evolution.model.as_record(),
            "source": source.title,
            "players": list(evolution.payoffs.players),
            "note": evolution.note,
        },
        openings=partial(_openings, evolution, rules) if _compositions(evolution) else None,
        root="evolution",
        result=evolution,
    )


def _compositions(evolution: Evolution) -> list[list[str]]:
    """Return the players of every composition that was played."""
    table = evolution.payoffs
    if evolution.source.game is None:
        return []
    return [
        [name for name, count in zip(table.players, row, strict=True) for _ in range(count)]
        for row in table.groups.counts[:MAX_OPENINGS].tolist()
    ]


def _openings(evolution: Evolution, rules: Mapping[str, Any]) -> list[Opening]:
    return [Opening(names_with_counts(names), rules, names) for names in _compositions(evolution)]


def _facts(evolution: Evolution) -> dict[str, Any]:
    payoffs = evolution.payoffs
    return {
        "source": evolution.source.title,
        "players": list(payoffs.players),
        "group_size": payoffs.seats,
        "seed": evolution.seed,
        **evolution.model.as_record(),
        "compositions": len(payoffs.groups),
        "games": int(payoffs.games.sum()),
        "plain_python": list(evolution.source.slow),
        "shares_of": evolution.what,
        "note": evolution.note,
    }


def _summary(evolution: Evolution) -> str:
    payoffs = evolution.payoffs
    games = int(payoffs.games.sum())
    played = f"{games:,} games of {len(payoffs.groups):,} compositions" if games else "exact payoffs"
    played = "each with its own games" if evolution.model.agents else played
    return f"{len(payoffs.players)} players in groups of {payoffs.seats}, {played}. {evolution.model.said}"


def _stored_tables(evolution: Evolution) -> list[Table]:
    title = f"Evolution of {len(evolution.payoffs.players)} players, {evolution.model.process}"
    return [
        Table(
            name,
            load=partial(evolution.frames.__getitem__, name),
            title=title,
            in_json=name not in NOT_IN_JSON,
            on_terminal=False,
        )
        for name in evolution.frames
    ]


def _terminal_tables(evolution: Evolution) -> list[Table]:
    """Return the tables for people: the long-run shares and, if there are any, the rest points."""
    shares = evolution.frames["shares"].sort(["value", "player"], descending=[True, False])
    base = "of the time" if evolution.what == "time" else "of the population"
    columns = [
        Column("player", "player"),
        Column("value", f"% {base}", number=True, cell=_share),
        Column("low", "95 %", number=True, spare=1, cell=_range),
    ]
    if "fixations" in evolution.frames:
        columns += _invasion_columns(evolution.frames["fixations"], evolution.model.population)
    note = f"{evolution.note[0].upper()}{evolution.note[1:]}." if evolution.note else ""
    tables = [
        _terminal_table(
            columns,
            shares,
            title=f"{evolution.source.title}, evolution · seed {evolution.seed}",
            caption=" ".join(filter(None, [_summary(evolution), _meanings(evolution), note, _uncertainty(evolution)])),
            best=1,
        )
    ]
    if "rest_points" in evolution.frames and len(evolution.frames["rest_points"]):
        tables.append(_rest_points(evolution))
    return tables


def _terminal_table(columns: Sequence[Column], frame: pl.DataFrame, **more: Any) -> Table:
    rows = list(frame.iter_rows(named=True))
    return Table("shown", columns, rows, in_json=False, in_journal=False, **more)


def _meanings(evolution: Evolution) -> str:
    """Return sentences that define the columns."""
    sentences = []
    if evolution.what == "time":
        sentences.append("% of the time: the share of time in which the whole population is of this player.")
    if "fixations" in evolution.frames:
        sentences.append(
            "A player invades another if a single mutant of it takes over a population of the other with a probability "
            "above that of chance, 1 / population."
        )
    return " ".join(sentences)


def _uncertainty(evolution: Evolution) -> str:
    """Return a sentence on the meaning of the intervals. Without intervals, return an empty text, since the note gives
    the reason."""
    if evolution.certain or not evolution.frames["shares"]["low"].count():
        return ""
    if evolution.model.agents or evolution.payoffs.certain:
        return "Intervals are over runs."
    fitted = ""
    if evolution.misfit is not None:
        fitted = " and the residual of the fit" if evolution.misfit else ", not the error of the fit"
    own = " “Invades” and “invaded by” are at the mean payoffs, without it." if "fixations" in evolution.frames else ""
    return f"Intervals contain the sampling uncertainty of the payoffs{fitted}.{own}"


def _share(row: Row) -> str:
    return f"{100 * row['value']:.1f}"


def _range(row: Row) -> str:
    return "–" if row["low"] is None else f"{100 * row['low']:.1f}–{100 * row['high']:.1f}"


def _invasion_columns(fixations: pl.DataFrame, population: int) -> list[Column]:
    favoured = fixations.filter(pl.col("value") > (1 + 1e-9) / population)
    return [
        _count_column("invades", dict(favoured.group_by("mutant").len().iter_rows())),
        _count_column("invaded by", dict(favoured.group_by("resident").len().iter_rows())),
    ]


def _count_column(heading: str, counts: Mapping[str, int]) -> Column:
    def text(row: Row) -> str:
        return number_of(counts.get(row["player"], 0), "player")

    return Column(heading, heading, number=True, cell=text)


def _rest_points(evolution: Evolution) -> Table:
    columns = [
        number(column, name, cell=partial(_per_cent, column))
        for name, column in zip(evolution.payoffs.players, "abc", strict=False)
    ]
    columns.append(Column("stability", "stability"))
    frame = evolution.frames["rest_points"]
    return _terminal_table(columns, frame, title="Rest points of the replicator, shares in %")


def _per_cent(column: str, row: Row) -> str:
    return f"{100 * row[column]:.2f}"
