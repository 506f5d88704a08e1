"""Imports the dialogues of CaSiNo (Chawla and others, 2021), in which two people divide food, water and firewood for a
camping trip. Every dialogue is replayed by Ostrom's rules from its messages and deals, and the points of both people
are compared with the log; a dialogue is stored only if they are equal. A file has a list of dialogues. The same
dialogue may be in several files, such as the whole collection and a part of it, and is imported once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import OstromError, RecordError
from ostrom.core.files import parse_json, read_bounded_text
from ostrom.core.text import digest_of
from ostrom.experiment import Match
from ostrom.experiment.store import keep
from ostrom.games.market.several_issues.events import BargainEnded, IssueActTaken
from ostrom.games.market.several_issues.play import ACCEPT, DEAL, REJECT, SAY, WALK_AWAY
from ostrom.importers import (
    UNEXPECTED,
    ImportReport,
    Name,
    check_names,
    experiment_of,
    print_report,
    recognised_files,
    unreadable,
)
from ostrom.importers.people_bargains import PersonTurns, replay_talk
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "casino"
GOODS: Final = ("food", "water", "firewood")
UNITS: Final = 3
"""The units of each good."""
PRIORITIES: Final = {"High": 5.0, "Medium": 4.0, "Low": 3.0}
"""The points of a unit by priority."""
_ACTS: Final = {"Submit-Deal": DEAL, "Accept-Deal": ACCEPT, "Reject-Deal": REJECT, "Walk-Away": WALK_AWAY}


@dataclass
class CasinoReport(ImportReport):
    """The result of an import of CaSiNo."""

    payoffs: int = 0
    """The payoffs that are equal in the log and by the rules: two for each dialogue."""
    points: float = 0
    """The sum of these payoffs."""
    deals: int = 0
    """The dialogues that end with a deal."""
    rejections: int = 0
    """The rejected deals."""
    walk_aways: int = 0
    """The dialogues in which a person walked away."""
    repeated: int = 0
    """The number of times that a dialogue occurred again in a further file."""


@dataclass(frozen=True)
class Dialogue:
    """A dialogue. The person who speaks first has the first seat."""

    name: str
    people: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    """The points of each person for a unit of each good."""
    points: tuple[float, ...]
    talk: PersonTurns = field(compare=False)
    digest: str
    """A digest of all that is replayed."""


def files_in_folder(folder: Path) -> list[Path]:
    """Return the files with dialogues in a folder and its subfolders."""
    return recognised_files(folder, ".json", _is_log, "dialogues of CaSiNo")


def _is_log(beginning: str) -> bool:
    return beginning.lstrip().startswith("[") and '"chat_logs"' in beginning and '"participant_info"' in beginning


def read_dialogues(path: Path) -> Iterator[Dialogue | RecordError]:
    """Yield the dialogues of a file, or an error with the reason for each one that cannot be read. Raise `RecordError`
    if the whole file cannot be read."""
    try:
        content = parse_json(read_bounded_text(path))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path.name}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not isinstance(content, list):
        raise RecordError(f"{path.name}: not a list of dialogues")
    for number, entry in enumerate(content, start=1):
        try:
            yield read_dialogue(entry)
        except UNEXPECTED as error:
            reason = unreadable(path, error).removeprefix(f"{path.name}: ")
            yield RecordError(f"{path.name}, dialogue number {number}: {reason}")


def read_dialogue(entry: Mapping[str, Any]) -> Dialogue:
    """Return a dialogue of the log."""
    identity = entry["dialogue_id"]
    if isinstance(identity, bool) or not isinstance(identity, int):
        raise ValueError("dialogue_id is not a whole number")
    lines, info = entry["chat_logs"], entry["participant_info"]
    first = lines[0]["id"]
    people = (first, *(person for person in info if person != first))
    if len(people) != 2 or first not in info:
        raise ValueError("a dialogue has two people, and one of them speaks first")
    values = tuple(_values(info[person]["value2issue"]) for person in people)
    points = tuple(_number(info[person]["outcomes"]["points_scored"]) for person in people)
    talk, act = PersonTurns(), SAY
    for line in lines:
        if act in (ACCEPT, WALK_AWAY):
            raise ValueError(f"the log goes on after {act}")
        act = _add_line(talk, people.index(line["id"]), line)
    if act not in (ACCEPT, WALK_AWAY):
        raise ValueError("the log ends without a deal and without walking away")
    digest = digest_of(repr((people, values, points, sorted(talk.answers.items()))))
    return Dialogue(f"dialogue {identity}", people, values, points, talk, digest)


def _values(goods: Mapping[str, str]) -> tuple[float, ...]:
    points = {goods[priority].lower(): value for priority, value in PRIORITIES.items()}
    if set(points) != set(GOODS):
        raise ValueError("the priorities do not name each good once")
    return tuple(points[good] for good in GOODS)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("points_scored is not a number")
    return float(value)


def _add_line(talk: PersonTurns, seat: int, line: Mapping[str, Any]) -> str:
    """Add a line of the log, and return its act: a message, or an act that the log names in place of a message."""
    text, data = line["text"], line["task_data"]
    if not isinstance(text, str):
        raise ValueError("a message is not a text")
    # A person may also write the name of an act as a message, which then has no data.
    act = _ACTS.get(text) if data else None
    if act is None:
        talk.add(seat, SAY, text.strip())
        return SAY
    talk.add(seat, act, units=_units(data) if act == DEAL else {})
    return act


def _units(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the units that a person asks for in a submitted deal."""
    own = {good.lower(): int(count) for good, count in data["issue2youget"].items()}
    other = {good.lower(): int(count) for good, count in data["issue2theyget"].items()}
    for good in GOODS:
        if own[good] + other[good] != UNITS:
            raise ValueError(f"a deal divides {own[good] + other[good]} units of {good}, and there are {UNITS}")
    return {good: own[good] for good in GOODS}


def check_dialogue(dialogue: Dialogue) -> tuple[Match | None, str | None]:
    """Replay a dialogue; return the match, and the first difference between the log and the rules."""
    counts = (UNITS,) * len(GOODS)
    try:
        match = replay_talk(dialogue.talk, {"goods": ", ".join(GOODS)}, counts, dialogue.values)
    except (OstromError, *UNEXPECTED) as error:
        return None, f"{dialogue.name}: the log cannot be played: {error}"
    end = match.events[-1]
    assert isinstance(end, BargainEnded)
    if tuple(end.points) != dialogue.points:
        points = f"the log gives {list(dialogue.points)} points, the rules {end.points}"
        return match, f"{dialogue.name}: {points} (in the order of speaking)"
    return match, None


def import_dialogues(
    files: Sequence[Path], journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> CasinoReport:
    """Import dialogues into the experiment of this name; dialogues that it already has are not changed. One file is in
    memory at a time."""
    report = CasinoReport()
    experiment = experiment_of(journal, name, {"source": "dialogues of CaSiNo"})
    digests: dict[str, str] = {}
    for path in files:
        try:
            check_names(path)
            for dialogue in read_dialogues(path):
                progress()
                _import(report, journal, experiment, path, dialogue, digests)
        except RecordError as error:
            report.unreadable.append(str(error))
    return report


def _import(
    report: CasinoReport,
    journal: Journal,
    experiment: str,
    path: Path,
    dialogue: Dialogue | RecordError,
    digests: dict[str, str],
) -> None:
    if isinstance(dialogue, RecordError):
        report.unreadable.append(str(dialogue))
        return
    if dialogue.name in digests:
        report.repeated += 1
        if digests[dialogue.name] != dialogue.digest:
            report.mismatches.append(f"{path.name}, {dialogue.name}: another dialogue has the same number")
        return
    digests[dialogue.name] = dialogue.digest
    report.games += 1
    match, mismatch = check_dialogue(dialogue)
    if mismatch is not None or match is None:
        report.mismatches.append(f"{path.name}, {mismatch}")
        return
    acts = [event.act for event in match.events if isinstance(event, IssueActTaken)]
    report.replayed_exactly += 1
    report.payoffs += len(dialogue.points)
    report.points += sum(dialogue.points)
    report.deals += acts.count(ACCEPT)
    report.rejections += acts.count(REJECT)
    report.walk_aways += acts.count(WALK_AWAY)
    report.new += keep(journal, experiment, match, dialogue.name, source=path.name)


def command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder with casino.json or its parts, or the whole repository.")
    ],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the dialogues of CaSiNo, in which two people bargain; importing again changes nothing."""
    files = files_in_folder(folder)
    with open_journal(store, create=True) as journal, games_bar("dialogues", None) as advance:
        report = import_dialogues(files, journal, progress=advance, name=name)
    notes = [
        f"{report.payoffs:,} payoffs equal the log, {report.points:,.0f} points in all",
        f"{report.deals:,} deals, {report.rejections:,} rejections, {report.walk_aways:,} walk-aways",
    ]
    if report.repeated:
        notes.append(f"{report.repeated:,} dialogues are in several files, and were imported once")
    print_report(report, json, notes=notes)
