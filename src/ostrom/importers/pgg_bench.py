"""Imports the games of PGG-Bench: every game is played again through our own rules from its recorded messages,
contributions and effective punishments in their logged order, every number of the log is compared, and a game is kept
only if all agree."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import InputError, LoggedChance, OstromError, PlayerFault, Provenance, RecordError
from ostrom.experiment import Match, make_rules, play_match
from ostrom.experiment import options as opt
from ostrom.experiment.options import open_journal
from ostrom.experiment.store import keep
from ostrom.experiment.terminal import games_bar, out, print_json
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.events import Contributed, FundShared, GameEnded, Punished, RoundEnded
from ostrom.games.contribute_punish.play import SETTLING, SPEAKING
from ostrom.importers.pgg_log import PggLog, read_log, whole
from ostrom.journal.sql import Journal
from ostrom.players.base import ReplayContestant

EXPERIMENT = "pgg-bench"


@dataclass(frozen=True)
class Mismatch:
    """A place where a log and our rules do not agree."""

    file: str
    round: int | None
    what: str

    def as_record(self) -> dict[str, Any]:
        """The mismatch as plain data."""
        return {"file": self.file, "round": self.round, "what": self.what}


@dataclass
class ImportReport:
    """What an import did."""

    games: int = 0
    """Logs that were whole."""
    replayed_exactly: int = 0
    new: int = 0
    """Games that the journal did not hold yet."""
    mismatches: list[Mismatch] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """Files that are no whole logs, each with the reason."""

    def as_record(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "games": self.games,
            "replayed_exactly": self.replayed_exactly,
            "new": self.new,
            "mismatches": [mismatch.as_record() for mismatch in self.mismatches],
            "unreadable": self.unreadable,
        }


def logs_in(folder: Path) -> list[Path]:
    """The log files of a folder, in the order of their names."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the one that holds the game_….jsonl files")
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise InputError(f"{folder} holds no .jsonl file; name the folder that holds the game_….jsonl files")
    return files


def import_logs(files: list[Path], journal: Journal, progress: Callable[[], None] = lambda: None) -> ImportReport:
    """Import logs; what the journal holds already stays as it is."""
    report = ImportReport()
    experiment = next((row.id for row in journal.experiments() if row.name == EXPERIMENT), None)
    if experiment is None:
        experiment = journal.new_experiment(EXPERIMENT, kind="import", settings={"source": "logs of PGG-Bench"})
    for path in files:
        try:
            log = read_log(path)
        except RecordError as error:
            report.unreadable.append(str(error))
            progress()
            continue
        report.games += 1
        match, mismatch = check_log(log)
        if mismatch is not None:
            report.mismatches.append(mismatch)
        elif match is not None:
            report.replayed_exactly += 1
            report.new += keep(journal, experiment, match, log.game_id, source=path.name)
        progress()
    return report


def check_log(log: PggLog, rounds: int | None = None) -> tuple[Match | None, Mismatch | None]:
    """Play the game of a log again, and find the first round in which the log and the rules part."""
    try:
        match = replay_log(log, rounds)
        differences = sorted(_differences(log, match), key=lambda mismatch: mismatch.round or 0)
        return match, differences[0] if differences else None
    except PlayerFault as fault:
        # What the rules refuse in one round may follow from what did not agree in an earlier one.
        earlier = check_log(log, fault.turn - 1)[1] if fault.turn and fault.turn > 1 else None
        return None, earlier or Mismatch(log.path.name, fault.turn, f"the rules refuse it: {fault}")
    except (OstromError, ValueError, KeyError, TypeError) as error:
        return None, Mismatch(log.path.name, None, f"the log cannot be played: {error}")


def replay_log(log: PggLog, rounds: int | None = None) -> Match:
    """Play the game of a log again, or its first rounds."""
    rules = _rules(log)
    if rounds is not None:
        rules = rules.model_copy(update={"rounds": rounds})
    contestants = [ReplayContestant(model, _answers(log)) for model in log.models]
    chance = LoggedChance({key: tuple(seats) for key, seats in _orders(log).items()})
    return play_match(CONTRIBUTE_PUNISH, rules, contestants, chance, provenance=Provenance.IMPORTED)


def _rules(log: PggLog) -> ContributePunishRules:
    said = log.settings
    longest = max((len(row["message"].split()) for row in log.of("public_message")), default=0)
    settings = {
        "rounds": said.get("total_rounds"),
        "start": said.get("starting_amount"),
        "multiplier": said.get("multiplier"),
        "messages": said.get("enable_public_messages"),
        "punishment": said.get("enable_punishments"),
        "ratio": said.get("punish_ratio"),
        "max_spend": said.get("punish_max_spend"),
        "max_fraction": said.get("punish_max_fraction"),
        "max_absolute": said.get("punish_max_absolute"),
        "anonymous": said.get("anonymous_punishments"),
        # Their players were told of a limit that the logs need not keep to.
        "message_words": max(50, longest),
    }
    rules: ContributePunishRules = make_rules(
        CONTRIBUTE_PUNISH, {name: value for name, value in settings.items() if value is not None}
    )
    return rules


def _answers(log: PggLog) -> dict[tuple[int, str, int], Any]:
    """What every seat answered. A message without a line is silence, and no punishment without a line took effect."""
    answers: dict[tuple[int, str, int], Any] = {}
    for round_ in range(1, int(log.settings.get("total_rounds", 0)) + 1):
        for seat in log.seats.values():
            answers[round_, "message", seat] = ""
            answers[round_, "punishment", seat] = {"target": None, "spend": 0}
    for row in log.rows:
        if row["type"] == "public_message":
            answers[row["round"], "message", log.seats[row["player_id"]]] = row["message"]
        elif row["type"] == "contribution":
            answers[row["round"], "contribution", log.seats[row["player_id"]]] = whole(row["contribution"])
        elif row["type"] == "punishment":
            decided = {"target": log.seats[row["target_id"]], "spend": whole(row["punisher_spend"])}
            answers[row["round"], "punishment", log.seats[row["punisher_id"]]] = decided
    return answers


def _orders(log: PggLog) -> dict[tuple[str, int], list[int]]:
    orders: dict[tuple[str, int], list[int]] = {}
    for row in log.of("public_message"):
        orders.setdefault((SPEAKING, row["round"]), []).append(log.seats[row["player_id"]])
    for row in log.of("punishment"):
        orders.setdefault((SETTLING, row["round"]), []).append(log.seats[row["punisher_id"]])
    return orders


def _differences(log: PggLog, match: Match) -> Iterator[Mismatch]:
    """Every number of the log, of the rounds that were played, that our rules do not give."""
    played = match.rules.rounds

    def of(kind: str) -> list[Mapping[str, Any]]:
        return [row for row in log.of(kind) if row["round"] <= played]

    def differ(round_: int, what: str, told: Any, found: Any) -> Iterator[Mismatch]:
        if told is not None and told != found:
            yield Mismatch(log.path.name, round_, f"{what}: the log says {told}, the rules give {found}")

    paid = {event.round: event for event in match.events if isinstance(event, Contributed)}
    funds = {event.round: event for event in match.events if isinstance(event, FundShared)}
    ends = {event.round: event for event in match.events if isinstance(event, RoundEnded)}
    for row in of("contribution"):
        event, seat = paid[row["round"]], log.seats[row["player_id"]]
        left = event.start[seat] - event.contributions[seat]
        yield from differ(
            row["round"], f"balance of {row['player_id']} after paying", whole(row["current_tokens"]), left
        )
    for row in of("fund_distribution"):
        fund = funds[row["round"]]
        yield from differ(row["round"], "carry-over into the fund", whole(row["carry_in_fund"]), fund.carry_in)
        yield from differ(row["round"], "pot", whole(row["pot_before_mult"]), fund.pot)
        yield from differ(row["round"], "grown pot", whole(row["pot_after_mult"]), fund.grown)
        yield from differ(row["round"], "share", whole(row["share_per_player"]), fund.share)
        yield from differ(row["round"], "carry-over", whole(row["leftover_fund"]), fund.carry_out)
    yield from _punishment_differences(log, match, of("punishment"), differ)
    for row in of("round_end"):
        for seat, told in enumerate(log.by_seat(row["balances"])):
            yield from differ(
                row["round"], f"balance of {log.models[seat]} at the end", told, ends[row["round"]].balances[seat]
            )
        if "carry_over_fund" in row:
            yield from differ(row["round"], "carry-over", whole(row["carry_over_fund"]), ends[row["round"]].carry)
    if played < int(log.settings.get("total_rounds", 0)):
        return
    final, end = log.of("final")[-1], match.events[-1]
    assert isinstance(end, GameEnded)
    for seat, told in enumerate(log.by_seat(final["final_tokens"])):
        yield from differ(end.round, f"final tokens of {log.models[seat]}", told, end.balances[seat])


def _punishment_differences(
    log: PggLog, match: Match, logged: list[Mapping[str, Any]], differ: Callable[..., Iterator[Mismatch]]
) -> Iterator[Mismatch]:
    balances = {event.round: list(event.balances) for event in match.events if isinstance(event, FundShared)}
    settled = [event for event in match.events if isinstance(event, Punished)]
    for row, event in zip(logged, settled, strict=False):
        round_, who = row["round"], (log.seats[row["punisher_id"]], log.seats[row["target_id"]])
        yield from differ(round_, "punisher and target", (round_, *who), (event.round, event.punisher, event.target))
        yield from differ(round_, "spend", whole(row["punisher_spend"]), event.spend)
        yield from differ(round_, "damage", whole(row["target_damage"]), event.damage)
        for seat, told in enumerate(log.by_seat(row["balance_before_punishment"])):
            found = balances[event.round][seat]
            yield from differ(round_, f"balance of {log.models[seat]} before a punishment", told, found)
        balances[event.round][event.punisher] -= event.spend
        balances[event.round][event.target] -= event.damage
    if len(logged) != len(settled):
        yield from differ(logged[-1]["round"] if logged else 0, "number of punishments", len(logged), len(settled))


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the game_….jsonl files.")],
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the games of PGG-Bench; importing again changes nothing."""
    files = logs_in(folder)
    with open_journal(store, create=True) as journal, games_bar("logs", len(files)) as (progress, task):
        report = import_logs(files, journal, progress=lambda: progress.advance(task))
    if json:
        print_json(report.as_record())
    else:
        kept = f"{report.replayed_exactly:,} of {report.games:,} games replayed exactly, {report.new:,} of them new"
        out.print(f"{kept}; {len(report.mismatches):,} do not agree, {len(report.unreadable):,} files cannot be read.")
        for mismatch in report.mismatches:
            out.print(f"  {mismatch.file}, round {mismatch.round}: {mismatch.what}", markup=False)
        for reason in report.unreadable:
            out.print(f"  {reason}", markup=False)
    if report.mismatches or report.unreadable:
        raise typer.Exit(1)


NAMES: Final[Mapping[str, str]] = {
    "chatgpt-4o-latest": "GPT-4o Feb 2025",
    "claude-3-7-sonnet-20250219": "Claude 3.7 Sonnet",
    "claude-3-7-sonnet-20250219-thinking": "Claude 3.7 Sonnet Thinking 16K",
    "deepseek-fireworks": "DeepSeek-V3",
    "gemini-2.5-pro-exp-03-25": "Gemini 2.5 Pro Exp 03-25",
    "gemini_20_flash": "Gemini 2.0 Flash",
    "gemini_20_flash_thinking_exp_0121": "Gemini 2.0 Flash Thinking",
    "gemini_20_pro_exp": "Gemini 2.0 Pro Exp 02-05",
    "gpt-4.5-preview-2025-02-27": "GPT-4.5 Preview",
    "grok2-12-12": "Grok 2 12-12",
    "llama": "Llama 3.1 405B",
    "llama33_70b": "Llama 3.3 70B",
    "mistral": "Mistral Large 2",
    "o1-2024-12-17": "o1 (medium reasoning)",
    "o3-mini": "o3-mini (medium reasoning)",
    "qwen-max": "Qwen 2.5-Max",
    "qwq_fireworks": "Qwen QwQ-32B 16K",
    "r1-fireworks": "DeepSeek R1",
    "sonnet-20241022": "Claude 3.5 Sonnet 2024-10-22",
}
"""What people call the models whose logs hold only short ids. The pairs follow from the mean final tokens of the logs
and of the published table, which agree to the cent."""
