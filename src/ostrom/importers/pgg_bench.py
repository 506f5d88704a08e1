"""Imports the games of PGG-Bench. Every game is replayed by Ostrom's rules from its recorded messages, contributions
and effective punishments, in their logged order. Every number of the log is compared with the replay, and a game is
stored only if all numbers are equal. A log has one JSON object per line, distinguished by `type`."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.core import LoggedChance, OstromError, PlayerFault, Provenance, RecordError
from ostrom.experiment import Match, make_rules, play_match
from ostrom.experiment.store import keep
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.events import FundShared, PunishContributed, Punished, PunishEnded, RoundEnded
from ostrom.games.contribute_punish.play import SETTLING, SPEAKING
from ostrom.importers import (
    UNEXPECTED,
    ImportReport,
    Name,
    check_names,
    experiment_of,
    files_in,
    print_report,
    read_typed_lines,
    unreadable,
)
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import ReplayContestant
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT = "pgg-bench"
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})\b")


_FUND = {
    "carry_in_fund": ("carry-over into the fund", "carry_in"),
    "pot_before_mult": ("pot", "pot"),
    "pot_after_mult": ("grown pot", "grown"),
    "share_per_player": ("share", "share"),
    "leftover_fund": ("carry-over", "carry_out"),
}
"""For each field of the fund in a log: a description for messages, and the corresponding field of our event."""
_REQUIRED_FIELDS = {
    "public_message": ("round", "player_id", "message"),
    "contribution": ("round", "player_id", "contribution", "current_tokens"),
    "fund_distribution": ("round", *_FUND),
    "punishment": ("round", "punisher_id", "target_id", "punisher_spend", "target_damage", "balance_before_punishment"),
    "round_end": ("round", "balances"),
    "final": ("final_tokens",),
}


@dataclass(frozen=True)
class PggLog:
    """The log of one game. Seats are in the order of the log's players. Balances are mappings with the names of models
    as keys."""

    path: Path
    game_id: str
    settings: Mapping[str, Any]
    seats: Mapping[str, int]
    """The seat of each player, by player id."""
    models: tuple[str, ...]
    """The model at each seat; one model may have several seats."""
    rows: tuple[Mapping[str, Any], ...]
    """All lines of the log after the first."""
    day: str | None = None
    """The date on which the game began, as 2025-04-03; None if the log has none."""

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the lines of one type, in order."""
        return [row for row in self.rows if row["type"] == kind]

    def by_seat(self, by_model: Mapping[str, Any]) -> list[int | None]:
        """Return each seat's balance from a mapping by model name. A model with several seats gets None, because the
        mapping does not distinguish its seats."""
        return [
            tokens(by_model[model]) if self.models.count(model) == 1 and model in by_model else None
            for model in self.models
        ]


def tokens(value: Any) -> int:
    """Return a whole number of tokens. Logs may write it as 5.0. Raise `ValueError` if the value is not a whole
    number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise ValueError(f"{value!r} is not a whole number of tokens")
    return int(value)


def read_log(path: Path) -> PggLog:
    """Read the log of a finished game; raise `RecordError` with the line and the reason if it is not complete."""
    return _validate(path, read_typed_lines(path, "PGG-Bench", _REQUIRED_FIELDS))


def _validate(path: Path, rows: Sequence[Mapping[str, Any]]) -> PggLog:
    first, settings, players = rows[0], rows[0].get("settings"), rows[0].get("short_name_map")
    if not isinstance(settings, dict) or not isinstance(players, dict) or not players:
        raise RecordError(f"{path.name}: line 1: init lacks settings or short_name_map")
    try:
        models = tuple(str(player["model_name"]) for player in players.values())
    except (TypeError, KeyError):
        raise RecordError(f"{path.name}: line 1: a player of short_name_map has no model_name") from None
    check_names(path, str(first.get("game_id", path.stem)))
    log = PggLog(
        path=path,
        game_id=str(first.get("game_id", path.stem)),
        settings=settings,
        seats={player: seat for seat, player in enumerate(players)},
        models=models,
        rows=tuple(rows[1:]),
        day=stamp[1] if (stamp := _DAY.match(str(first.get("timestamp")))) else None,
    )
    for row in log.rows:
        if "round" in row and type(row["round"]) is not int:
            raise RecordError(f"{path.name}: {row['type']}: the round {str(row['round'])[:60]!r} is not a number")
        for name in ("player_id", "punisher_id", "target_id"):
            if name in row and (not isinstance(row[name], str) or row[name] not in log.seats):
                raise RecordError(f"{path.name}: round {row.get('round')}: {row['type']} names no player of the game")
    return log


@dataclass(frozen=True)
class Mismatch:
    """A difference between a log and Ostrom's rules."""

    file: str
    round: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}, round {self.round}: {self.what}"


def logs_in(folder: Path) -> list[Path]:
    """Return the log files of a folder, sorted by name."""
    return files_in(folder, ".jsonl", "the game_….jsonl files")


def import_logs(
    files: list[Path],
    journal: Journal,
    progress: Callable[[], None] = lambda: None,
    *,
    name: str = EXPERIMENT,
    until: str | None = None,
) -> ImportReport:
    """Import logs into the experiment of this name; games that it already has are not changed. `until` is the last day
    of the games to import, as 2025-04-03."""
    report, days = ImportReport(), []
    experiment = experiment_of(journal, name, {"source": "logs of PGG-Bench"})
    for path in files:
        progress()
        try:
            log = read_log(path)
            if until is not None and (log.day is None or log.day > until):
                continue
            match, mismatch = check_log(log)
        except (RecordError, *UNEXPECTED) as error:
            report.unreadable.append(unreadable(path, error))
            continue
        report.games += 1
        if mismatch is not None:
            report.mismatches.append(mismatch)
        elif match is not None:
            report.replayed_exactly += 1
            report.new += keep(journal, experiment, match, log.game_id, source=path.name)
            days += [log.day] if log.day else []
    journal.widen_dates(experiment, days)
    return report


def check_log(log: PggLog, rounds: int | None = None) -> tuple[Match | None, Mismatch | None]:
    """Replay a log; return the match, and the first mismatch between the log and the rules."""
    try:
        match = replay_log(log, rounds)
        differences = sorted(_differences(log, match), key=lambda mismatch: mismatch.round or 0)
        return match, differences[0] if differences else None
    except PlayerFault as fault:
        # If an earlier round does not match, a move may be illegal.
        earlier = check_log(log, fault.turn - 1)[1] if fault.turn and fault.turn > 1 else None
        return None, earlier or Mismatch(log.path.name, fault.turn, f"the rules reject it: {fault}")
    except (OstromError, *UNEXPECTED) as error:
        return None, Mismatch(log.path.name, None, f"the log cannot be played: {error}")


def replay_log(log: PggLog, rounds: int | None = None) -> Match:
    """Replay the game of a log, or its first rounds."""
    rules = _rules(log)
    if rounds is not None:
        rules = rules.model_copy(update={"rounds": rounds})
    contestants = [ReplayContestant(model, _answers(log)) for model in log.models]
    chance = LoggedChance({key: tuple(seats) for key, seats in _orders(log).items()})
    return play_match(CONTRIBUTE_PUNISH, rules, contestants, chance, provenance=Provenance.IMPORTED)


_SETTINGS = {
    "rounds": "total_rounds",
    "start": "starting_amount",
    "multiplier": "multiplier",
    "messages": "enable_public_messages",
    "punishment": "enable_punishments",
    "ratio": "punish_ratio",
    "max_spend": "punish_max_spend",
    "max_fraction": "punish_max_fraction",
    "max_absolute": "punish_max_absolute",
    "anonymous": "anonymous_punishments",
}
"""For each setting of Ostrom's rules, its name in the logs."""


def _rules(log: PggLog) -> ContributePunishRules:
    longest = max((len(row["message"].split()) for row in log.of("public_message")), default=0)
    settings = {own: value for own, name in _SETTINGS.items() if (value := log.settings.get(name)) is not None}
    # The limit that the prompts gave to players was not enforced, so messages may be longer.
    settings["message_words"] = max(50, longest)
    rules: ContributePunishRules = make_rules(CONTRIBUTE_PUNISH, settings)
    return rules


def _answers(log: PggLog) -> dict[tuple[int, str, int], Any]:
    """Return every seat's answers. A missing message counts as silence, and a missing punishment as one without
    effect."""
    answers: dict[tuple[int, str, int], Any] = {}
    for round_ in range(1, int(log.settings.get("total_rounds", 0)) + 1):
        for seat in log.seats.values():
            answers[round_, "message", seat] = ""
            answers[round_, "punishment", seat] = {"target": None, "spend": 0}
    for row in log.rows:
        if row["type"] == "public_message":
            answers[row["round"], "message", log.seats[row["player_id"]]] = row["message"]
        elif row["type"] == "contribution":
            answers[row["round"], "contribution", log.seats[row["player_id"]]] = tokens(row["contribution"])
        elif row["type"] == "punishment":
            punishment = {"target": log.seats[row["target_id"]], "spend": tokens(row["punisher_spend"])}
            answers[row["round"], "punishment", log.seats[row["punisher_id"]]] = punishment
    return answers


def _orders(log: PggLog) -> dict[tuple[str, int], list[int]]:
    orders: dict[tuple[str, int], list[int]] = {}
    for row in log.of("public_message"):
        orders.setdefault((SPEAKING, row["round"]), []).append(log.seats[row["player_id"]])
    for row in log.of("punishment"):
        orders.setdefault((SETTLING, row["round"]), []).append(log.seats[row["punisher_id"]])
    return orders


def _differences(log: PggLog, match: Match) -> Iterator[Mismatch]:
    """Yield a mismatch for every number of the log that differs from the replay, in the rounds that were played."""
    last_round = match.rules.rounds

    def rows_of(kind: str) -> list[Mapping[str, Any]]:
        return [row for row in log.of(kind) if row["round"] <= last_round]

    def differ(round_: int, what: str, logged: Any, ours: Any) -> Iterator[Mismatch]:
        if logged is not None and logged != ours:
            yield Mismatch(log.path.name, round_, f"{what}: the log says {logged}, the rules give {ours}")

    paid = {event.round: event for event in match.events if isinstance(event, PunishContributed)}
    funds = {event.round: event for event in match.events if isinstance(event, FundShared)}
    ends = {event.round: event for event in match.events if isinstance(event, RoundEnded)}
    for row in rows_of("contribution"):
        event, seat = paid[row["round"]], log.seats[row["player_id"]]
        remaining = event.start[seat] - event.contributions[seat]
        yield from differ(
            row["round"], f"balance of {row['player_id']} after paying", tokens(row["current_tokens"]), remaining
        )
    for row in rows_of("fund_distribution"):
        fund = funds[row["round"]]
        for name, (what, own) in _FUND.items():
            yield from differ(row["round"], what, tokens(row[name]), getattr(fund, own))
    yield from _punishment_differences(log, match, rows_of("punishment"), differ)
    for row in rows_of("round_end"):
        for seat, logged in enumerate(log.by_seat(row["balances"])):
            yield from differ(
                row["round"], f"balance of {log.models[seat]} at the end", logged, ends[row["round"]].balances[seat]
            )
        if "carry_over_fund" in row:
            yield from differ(row["round"], "carry-over", tokens(row["carry_over_fund"]), ends[row["round"]].carry)
    if last_round < int(log.settings.get("total_rounds", 0)):
        return
    final, end = log.of("final")[-1], match.events[-1]
    assert isinstance(end, PunishEnded)
    for seat, logged in enumerate(log.by_seat(final["final_tokens"])):
        yield from differ(end.round, f"final tokens of {log.models[seat]}", logged, end.balances[seat])


def _punishment_differences(
    log: PggLog, match: Match, logged: list[Mapping[str, Any]], differ: Callable[..., Iterator[Mismatch]]
) -> Iterator[Mismatch]:
    balances = {event.round: list(event.balances) for event in match.events if isinstance(event, FundShared)}
    settled = [event for event in match.events if isinstance(event, Punished)]
    for row, event in zip(logged, settled, strict=False):
        round_, seats = row["round"], (log.seats[row["punisher_id"]], log.seats[row["target_id"]])
        yield from differ(round_, "punisher and target", (round_, *seats), (event.round, event.punisher, event.target))
        yield from differ(round_, "spend", tokens(row["punisher_spend"]), event.spend)
        yield from differ(round_, "damage", tokens(row["target_damage"]), event.damage)
        for seat, balance in enumerate(log.by_seat(row["balance_before_punishment"])):
            ours = balances[event.round][seat]
            yield from differ(round_, f"balance of {log.models[seat]} before a punishment", balance, ours)
        balances[event.round][event.punisher] -= event.spend
        balances[event.round][event.target] -= event.damage
    if len(logged) != len(settled):
        yield from differ(logged[-1]["round"] if logged else 0, "number of punishments", len(logged), len(settled))


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the game_….jsonl files.")],
    name: Name = EXPERIMENT,
    played_until: Annotated[
        datetime | None,
        typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help="Import games up to this day only, as 2025-04-03."),
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the games of PGG-Bench; importing again changes nothing."""
    files = logs_in(folder)
    last_day = None if played_until is None else f"{played_until:%Y-%m-%d}"
    with open_journal(store, create=True) as journal, games_bar("logs", len(files)) as advance:
        report = import_logs(files, journal, progress=advance, name=name, until=last_day)
    print_report(report, json)
