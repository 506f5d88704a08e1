"""Fill in docs/measures.md: `python docs/make_measures.py sqlite:///ostrom.db`, with the 580 games of PGG-Bench in that
journal. Without a journal only the definitions are updated. Each part is between comments that name it."""

import re
import sys
from pathlib import Path
from typing import Any

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Measure
from ostrom.analysis.study import Study, study_by_command
from ostrom.analysis.tables import pooled
from ostrom.core import Registry
from ostrom.games.contribute_punish.tables import PunishTables, tables_of
from ostrom.journal.sql import Journal

PUNISH, COMMONS, REPEATED = (study_by_command(name) for name in ("punish", "commons", "repeated"))
assert isinstance(PUNISH, Study)
assert isinstance(COMMONS, Study)
assert isinstance(REPEATED, Study)
MEASURES = PUNISH.measures
PAGE = Path(__file__).parent / "measures.md"

AGGREGATE = (55.7, 48.3, 44.5, 42.7, 42.7, 44.3, 46.4, 47.6, 46.8, 34.3)
"""Published: all seats of 735 games, rounds 1–10."""

PUBLISHED = (
    ("retaliation_rate", "GPT-4.5 Preview", "gpt-4.5-preview-2025-02-27", "37 / 39"),
    ("retaliation_rate", "Claude 3.5 Sonnet 2024-10-22", "sonnet-20241022", "34 / 39"),
    ("retaliation_rate", "Llama 3.3 70B", "llama33_70b", "2 / 2.7"),
    ("punishment_spent_percent", "Gemini 2.0 Flash", "gemini_20_flash", "19"),
    ("contribution_percent", "Claude 3.7 Sonnet", "claude-3-7-sonnet-20250219", "68"),
    ("contribution_percent", "Gemini 2.0 Flash", "gemini_20_flash", "62"),
)
VARIANTS = {
    "retaliation_rate": "with the last round",
    "punishment_spent_percent": "rounds with a punishment only",
    "contribution_percent": "mean of ratios",
}


def definitions(measures: Registry[Measure[Any]]) -> str:
    """Return every measure with its definition."""
    parts = []
    for measure in measures.values():
        unit = f" (unit: {measure.unit})" if measure.unit else ""
        groups = " and ".join(measure.by).replace("_", " ") if measure.by else "decision"
        head = f"### {measure.title}\n\n`{measure.name}`{unit}: one row for each {groups}.\n\n"
        parts.append(head + "\n\n".join(part for part in (measure.definition, measure.notes) if part))
    return "\n\n".join(parts)


def aggregate(tables: PunishTables) -> str:
    """Return the aggregate contribution by round, ours and the published one."""
    ours = MEASURES["aggregate_contribution_by_round"].function(tables)["value"].to_list()
    lines = [
        "| | " + " | ".join(str(number) for number in range(1, 11)) + " |",
        "|---" * 11 + "|",
        "| ours, 580 games | " + " | ".join(f"{100 * value:.1f}" for value in ours) + " |",
        "| published, 735 games | " + " | ".join(f"{value:.1f}" for value in AGGREGATE) + " |",
    ]
    return "\n".join(lines)


def published(tables: PunishTables) -> str:
    """Return published figures next to ours, and the result of another definition."""
    lines = [
        "| measure | model | published, 735 games | ours, 580 games | another reading of ours |",
        "|---|---|---|---|---|",
    ]
    for name, model, player, theirs in PUBLISHED:
        row = MEASURES[name].function(tables).row(by_predicate=pl.col("player") == player, named=True)
        ours = f"{100 * row['value']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})"
        other = variant(tables, name, player)
        title = MEASURES[name].title
        lines.append(f"| {title} | {model} | {theirs} | {ours} | {VARIANTS[name]}: {100 * other:.1f} |")
    return "\n".join(lines)


def variant(tables: PunishTables, name: str, player: str) -> float:
    """Return the same measure by another definition."""
    if name == "contribution_percent":
        frame = MEASURES["contribution_percent_mean_of_ratios"].function(tables)
        return float(frame.filter(pl.col("player") == player)["value"].item())
    if name == "punishment_spent_percent":
        own = tables.rounds.filter((pl.col("player") == player) & (pl.col("spend") > 0))
        return float(own.select((pl.col("spend") / pl.col("post")).mean()).item())
    parts = MEASURES[name].ratio
    ratio = parts(tables) if parts else None
    assert isinstance(ratio, Ratio)
    answered = ratio.rows.filter(pl.col("player") == player)["top"].sum()
    suffered = tables.punishments.filter(pl.col("target_player") == player).height
    return float(answered) / suffered


def base_rates(tables: PunishTables) -> str:
    """Return the shares of punishment in all games together, next to their base rates."""
    everybody = pooled(tables)
    (back,) = MEASURES["retaliation_rate"].function(everybody).rows(named=True)
    (free,) = MEASURES["unprovoked_punishment"].function(everybody).rows(named=True)
    (up,) = MEASURES["antisocial_punishment"].function(everybody).rows(named=True)
    rows = [
        ("retaliation", back, "value", "base"),
        ("unprovoked: at least the median", free, "value", "random"),
        ("antisocial: a larger part of its balance than the punisher", up, "value", "random"),
        ("antisocial: more tokens", up, "tokens", "tokens_random"),
        ("antisocial: at least as many tokens (Herrmann, Thöni, Gächter)", up, "as_many", "as_many_random"),
    ]
    lines = ["| of all players together, % | share | base rate |", "|---|---|---|"]
    for title, row, share, base in rows:
        low, high = ("low", "high") if share == "value" else (f"{share}_low", f"{share}_high")
        ends = (100 * row[name] for name in (share, low, high, base, f"{base}_low", f"{base}_high"))
        lines.append("| {} | {:.1f} ({:.1f}–{:.1f}) | {:.1f} ({:.1f}–{:.1f}) |".format(title, *ends))
    return "\n".join(lines)


def reactions(tables: PunishTables) -> str:
    """Return the slopes of each player's contributions."""
    names = ("conditional_cooperation", "punishment_response", "promise_effect")
    frames = [MEASURES[name].function(tables) for name in names]
    lines = ["| | " + " | ".join(MEASURES[name].title.lower() for name in names) + " |", "|---" * 4 + "|"]
    for player in frames[0].sort("value", descending=True)["player"]:
        rows = [frame.row(by_predicate=pl.col("player") == player, named=True) for frame in frames]
        slope = "{value:.2f} ({low:.2f} to {high:.2f})".format(**rows[0])
        points = [f"{100 * row['value']:.1f} ({100 * row['low']:.1f} to {100 * row['high']:.1f})" for row in rows[1:]]
        lines.append(f"| {player} | {slope} | {' | '.join(points)} |")
    return "\n".join(lines)


def promises(tables: PunishTables) -> str:
    """Return how many promises were found and kept, in total and by player."""
    keeping = MEASURES["promise_keeping"].function
    frame = pl.concat([keeping(pooled(tables)), keeping(tables).sort("value", "player", descending=[True, False])])
    lines = ["| | promises found | kept, % | mean shortfall, tokens |", "|---|---|---|---|"]
    for row in frame.iter_rows(named=True):
        kept = f"{100 * row['value']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})"
        short = f"{row['shortfall']:.1f} ({row['shortfall_low']:.1f}–{row['shortfall_high']:.1f})"
        lines.append(f"| {row['player']} | {row['promises']:,} | {kept} | {short} |")
    return "\n".join(lines)


def main() -> None:
    """Update the page."""
    made = {"definitions": definitions(MEASURES), "commons": definitions(COMMONS.measures)}
    made |= {"repeated": definitions(REPEATED.measures)}
    if len(sys.argv) > 1:
        with Journal.open(sys.argv[1]) as journal:
            tables = tables_of(journal.records())
        made |= {"aggregate": aggregate(tables), "published": published(tables), "promises": promises(tables)}
        made |= {"base rates": base_rates(tables), "reactions": reactions(tables)}
    text = PAGE.read_text(encoding="utf-8")
    for name, content in made.items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
        text, found = re.subn(
            pattern, lambda found, content=content: f"{found[1]}{content}\n{found[2]}", text, flags=re.DOTALL
        )
        if not found:
            raise SystemExit(f"{PAGE} has no place for {name!r}")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
