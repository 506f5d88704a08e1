"""The provenance of a report's figures: games and experiments, rules and seeds, players with their settings and
prompts, times and cost, and the command and version that computed them."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from ostrom.analysis.design import design_of, schedule_of
from ostrom.analysis.plans import made_by, planned_bots
from ostrom.analysis.pooling import by_rules
from ostrom.analysis.study import AnyStudy, Study
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.text import digest_of, number_of
from ostrom.journal.arrange import dates_of
from ostrom.journal.results import FinishedGame
from ostrom.journal.sql import Journal
from ostrom.version import VERSION

FILE: Final = "provenance.json"
MODEL_FIELDS: Final = ("model", "temperature", "variant", "form", "reasoning", "max_tokens", "base_url")
"""The fields of a model that are reported, in addition to its name and the digest of its personality."""
IMPORTED: Final = "import"
"""The kind of an experiment of imported games."""
MAX_LISTED: Final = 12
MAX_NAMED_EXPERIMENTS: Final = 2


@dataclass(frozen=True)
class StudyProvenance:
    """The provenance as plain data."""

    made: str
    """The time at which the figures were computed, in UTC."""
    ostrom: str
    command: str | None
    """The command that the user typed; None if a program computed the figures."""
    journal: str
    game: str
    games: int
    played_with: dict[str, int]
    """The number of games played or imported by each version of Ostrom."""
    game_versions: list[str]
    rules: list[dict[str, Any]]
    first: str | None
    last: str | None
    """`first` and `last` are the times at which the first and the last of the games ended, in UTC."""
    seeds: list[str]
    imported: int
    """The number of imported games."""
    sources: list[dict[str, Any]]
    """The sources of imported games. Each has the source, its games, and the days of the first and last game, if the
    logs have them."""
    imported_players: list[str]
    """The players of imported games. The settings of these players and the cost of these games are unknown."""
    schedule: str
    """A description of the way in which players met."""
    experiments: list[dict[str, Any]]
    models: list[dict[str, Any]]
    """Every description of a model, with the experiments in which it played."""
    others: list[str]
    """The players that are known only by name, which are algorithms and people."""
    cost: dict[str, Any]

    @property
    def source(self) -> str:
        """The line below a picture: game, number of games, experiments, version and day."""
        names = [str(experiment["name"]) for experiment in self.experiments]
        line = source_line(self.game, number_of(self.games, "game"), names, self.made[:10])
        return f"{line} · opponents {self.schedule}" if self.schedule else line

    def as_record(self) -> dict[str, Any]:
        """Return the provenance for a file."""
        return asdict(self)

    def entries(self) -> list[tuple[str, str, str]]:
        """Return the lines of a report's section on provenance. Each line has a title, a text and a note."""
        rules = "; ".join(
            f"{number_of(rule['games'], 'game')}: {_settings(rule['rules'])} ({rule['digest']})" for rule in self.rules
        )
        played = ", ".join(f"{version} ({number_of(count, 'game')})" for version, count in self.played_with.items())
        experiments = "; ".join(
            f"{experiment['id']} “{experiment['name']}”, {number_of(experiment['games'], 'game')}"
            + (f", {experiment['command']}" if experiment["command"] else "")
            for experiment in self.experiments[:MAX_LISTED]
        )
        models = "; ".join(_model(model) for model in self.models[:MAX_LISTED]) + _more(self.models)
        foreign = ", ".join(self.imported_players[:MAX_LISTED]) + _more(self.imported_players)
        if foreign:
            models += f"{'; ' if models else ''}settings unknown for the players of imported games: {foreign}"
        seeds = ", ".join(self.seeds[:MAX_LISTED]) or "none"
        dollars = self.cost["dollars"] + self.cost["reserved"]
        unknown = f", of which {self.cost['reserved']:.4f} reserved for unknown costs" if self.cost["reserved"] else ""
        cost = f"${dollars:.4f}{unknown}; {self.cost['calls']:,} calls, {self.cost['tokens']:,} tokens"
        if self.cost["cache_read_tokens"]:
            cached = self.cost["cache_read_tokens"] / self.cost["input_tokens"]
            cost += f", {cached:.1%} of the input from caches"
        if self.cost["reused"]:
            cost += f"; {number_of(self.cost['reused'], 'answer')} reused from other journals"
            cost += f", which saved ${self.cost['saved']:.4f}" if self.cost["saved"] else ""
        if self.imported:
            cost = "unknown for imported games" + (f"; {cost} for the others" if self.imported < self.games else "")
        verb = "Imported and replayed with" if self.imported == self.games else "Played with"
        return [
            ("Made", f"{self.made} by Ostrom {self.ostrom}", self.command or ""),
            (
                "Games",
                f"{number_of(self.games, 'game')} of {self.journal}, {'stored' if self.imported else 'played'} "
                f"{self.first} to {self.last}",
                "",
            ),
            *([("Source", "; ".join(map(_source, self.sources)), "")] if self.sources else []),
            (verb, f"Ostrom {played}; version {', '.join(self.game_versions)} of the game", ""),
            ("Experiments", experiments + _more(self.experiments), ""),
            ("Rules", rules, ""),
            ("Seeds", seeds + _more(self.seeds), ""),
            ("Models", models or "none", ""),
            ("Other players", (", ".join(self.others[:MAX_LISTED]) or "none") + _more(self.others), ""),
            ("Cost", cost, ""),
        ]


def source_line(title: str, games: str, experiments: Sequence[str] = (), day: str = "") -> str:
    """Return the provenance of a picture in one line."""
    names = ", ".join(experiments[:MAX_NAMED_EXPERIMENTS])
    if len(experiments) > MAX_NAMED_EXPERIMENTS:
        names += f" and {number_of(len(experiments) - MAX_NAMED_EXPERIMENTS, 'other experiment')}"
    return " · ".join(part for part in (title, games, names, f"Ostrom {VERSION}", day) if part)


def provenance_text(several: Sequence[StudyProvenance]) -> str:
    """Return the text of a provenance file for one study or several."""
    records = [provenance.as_record() for provenance in several]
    return json.dumps(records[0] if len(records) == 1 else records, indent=1) + "\n"


def _more(several: Sequence[Any]) -> str:
    return f" and {len(several) - MAX_LISTED:,} more" if len(several) > MAX_LISTED else ""


def _settings(rules: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {json.dumps(value)}" for name, value in rules.items())


def _source(source: Mapping[str, Any]) -> str:
    days = source["days"]
    played = f"played {days[0]} to {days[1]} by the logs" if days else "dates of play unknown"
    return f"{source['source']}, {number_of(source['games'], 'game')}, {played}"


def _model(model: Mapping[str, Any]) -> str:
    parts = [str(model["model"]), f"temperature {model['temperature']}"]
    parts += [f"{name} {model[name]}" for name in ("variant", "reasoning", "personality", "prompts") if model.get(name)]
    return f"{model['name']}: {', '.join(parts)}"


def provenance_of(
    journal: Journal, title: str, games: Iterable[Game], results: Sequence[FinishedGame], command: str | None
) -> StudyProvenance:
    """Return the provenance of figures computed from these results of these games."""
    counts = Counter(result.experiment for result in results)
    settings = journal.ended.settings()
    rows = [row for row in journal.ended.experiment_heads() if row["id"] in counts]
    models_of_plans = [model for name in counts for model in _planned_models(name, settings.get(name, {}))]
    names = dict.fromkeys(result.game for result in results)
    grouped = [
        by_rules(kind, [result for result in results if result.game == kind.name])
        for kind in games
        if kind.name in names
    ]
    ended = sorted(result.finished for result in results)
    models = {model["name"] for model in models_of_plans}
    imports = {row["id"]: settings.get(row["id"], {}) for row in rows if row["kind"] == IMPORTED}
    foreign = {player for result in results if result.experiment in imports for player in result.players}
    players = {player for result in results if result.experiment not in imports for player in result.players}
    return StudyProvenance(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        ostrom=VERSION,
        command=command,
        journal=journal.label,
        game=title,
        games=len(results),
        played_with=dict(sorted(Counter(result.ostrom for result in results).items())),
        game_versions=sorted({result.version or "not recorded" for result in results}),
        rules=[
            {"digest": digest, "games": len(counts), "rules": rules[digest]}
            for groups, rules in grouped
            for digest, counts in sorted(groups.items(), key=lambda item: -len(item[1]))
        ],
        first=ended[0] if ended else None,
        last=ended[-1] if ended else None,
        seeds=sorted({result.seed for result in results if result.seed is not None}, key=int),
        imported=sum(counts[name] for name in imports),
        sources=[
            {"source": str(own.get("source", "unknown source")), "games": counts[name], "days": dates_of(own)}
            for name, own in imports.items()
        ],
        imported_players=sorted(foreign),
        schedule=_schedule(results, counts, settings),
        experiments=[
            {**row, "games": counts[row["id"]], "command": made_by(settings[row["id"]]).get("command")} for row in rows
        ],
        models=_merged(models_of_plans),
        others=sorted(players - models),
        cost=_cost(journal, counts),
    )


def _schedule(
    results: Sequence[FinishedGame], counts: Mapping[str, int], settings: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return a description of the way in which players met. It is empty for games without opponents."""
    seatings = [result.players for result in results if len(result.players) > 1]
    return schedule_of(seatings, design_of("", counts, settings)) if seatings else ""


def study_provenance(journal: Journal, study: AnyStudy, results: Sequence[FinishedGame], command: str | None) -> str:
    """Return the text of the file beside the exported tables of a study."""
    games = [study.game] if isinstance(study, Study) else [GAMES[name] for name in study.records]
    return provenance_text([provenance_of(journal, study.title, games, results, command)])


def _planned_models(experiment: str, settings: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the models of an experiment as its plan describes them."""
    for bot, prompts in planned_bots(settings):
        personality = bot.get("personality") or ""
        yield {
            "name": str(bot["name"]),
            **{name: bot.get(name) for name in MODEL_FIELDS},
            "personality": digest_of(personality)[:8] if personality else None,
            "prompts": "not recorded" if prompts is None else prompts,
            "experiments": [experiment],
        }


def _merged(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each description once, with all experiments in which it occurs."""
    merged: dict[str, dict[str, Any]] = {}
    for model in described:
        key = json.dumps({**model, "experiments": None}, sort_keys=True)
        entry = merged.setdefault(key, {**model, "experiments": []})
        entry["experiments"] = list(dict.fromkeys([*entry["experiments"], *model["experiments"]]))
    return sorted(merged.values(), key=lambda model: str(model["name"]))


def _cost(journal: Journal, experiments: Iterable[str]) -> dict[str, Any]:
    spent = [journal.spending(name) for name in experiments]
    fields = {"dollars": "cost", "reserved": "reserved", "calls": "calls", "tokens": "tokens"}
    counted = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "reused", "saved")
    fields |= {name: name for name in counted}
    return {name: sum(getattr(account, field) for account in spent) for name, field in fields.items()}
