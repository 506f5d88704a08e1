"""Imports the dialogues of Deal or No Deal (Lewis and others, 2017), in which two people divide books, hats and balls.
A line of `data.txt` has one side of a dialogue: the counts and values of this side, what both said, its choice, its
reward, and the counts and values of the other side. The two sides of a dialogue become one game. It is replayed by
Ostrom's rules, and the rewards of both sides are compared with the replay.

A reward is the worth of the chosen items to the side, whether or not the sides agreed. They agree, and are paid, if the
line has such a number and ends in `agree`. Lines with `no agreement` or `disconnect` have no choice, even if they end
in `agree`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from ostrom.core import OstromError, RecordError
from ostrom.core.files import check_regular
from ostrom.core.text import digest_of
from ostrom.experiment import Match
from ostrom.experiment.store import keep
from ostrom.games.market.several_issues.events import BargainEnded
from ostrom.games.market.several_issues.play import CHOICE, END_TALK, NO_DEAL, SAY, TAKE
from ostrom.games.market.several_issues.pool import Units, left_of, points_of
from ostrom.importers import (
    UNEXPECTED,
    ImportReport,
    Name,
    check_names,
    experiment_of,
    print_report,
    recognised_files,
)
from ostrom.importers.people_bargains import PersonTurns, replay_talk
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "dealornodeal"
GOODS: Final = ("books", "hats", "balls")
WORTH: Final = 10
"""The points of the whole pool for each side."""
SETTINGS: Final = {
    "goods": ", ".join(GOODS),
    "values": "pool",
    "worth": WORTH,
    "agreement": "choices",
    "outside": 0.0,
}
"""The rules of all dialogues. The pool and the values of a dialogue are facts of its game."""
NO_AGREEMENT: Final = "no agreement"
DISCONNECT: Final = "disconnect"
MAX_LINE_CHARACTERS: Final = 1_000_000
_SNIFFED_LINES: Final = 10
_ROW: Final = re.compile(
    r"(?P<own>(?:\d+ ){6})(?P<talk>.*)<selection> (?P<choice>[^<]*?) <eos> "
    r"reward=(?P<reward>\d+|no agreement|disconnect) (?P<end>agree|disagree) (?P<other>\d+(?: \d+){5})\s*"
)
_CHOICE: Final = re.compile(r"item0=(\d+) item1=(\d+) item2=(\d+)")
_SPEAKERS: Final = {"YOU": "own", "THEM": "other"}


class DialogueSide(NamedTuple):
    """A line of the log: one side of a dialogue. The person who speaks first has the first seat."""

    line: int
    seat: int
    """The seat of this side."""
    counts: Units
    values: tuple[Units, ...]
    """The values of both seats."""
    said: tuple[tuple[int, str], ...]
    """The messages, each with its seat. The last one has no text: this seat ended the talk."""
    choice: Units | None
    """The items that this side takes. None without an agreement, or if a person disconnected."""
    reward: str
    agrees: bool
    """True if the line ends in `agree`."""

    @property
    def dialogue(self) -> tuple[Any, ...]:
        """All that both sides of a dialogue have in common."""
        return self.counts, self.values, self.said

    @property
    def has_deal(self) -> bool:
        """True if the log says that the sides agreed on a deal."""
        return self.choice is not None and self.agrees


@dataclass
class DealOrNoDealReport(ImportReport):
    """The result of an import of Deal or No Deal. A game is a dialogue, and a row is one side of it."""

    rows: int = 0
    agreed: int = 0
    """The rows with a deal."""
    agreed_points: int = 0
    """The sum of the rewards of these rows, which are the payoffs of the replay."""
    not_agreed: int = 0
    """The rows with a choice, but without a deal. Their reward is the worth of the choice, and the payoff is 0."""
    not_agreed_points: int = 0
    """The sum of the rewards of these rows."""
    no_agreement: int = 0
    """The rows with `no agreement` in place of a choice. The payoff is 0."""
    disconnected: int = 0
    """The rows of dialogues in which a person disconnected. The payoff is 0."""
    without_choice_agree: int = 0
    """The rows of the two kinds above that end in `agree` all the same."""
    one_sided: int = 0
    """The dialogues of which the file has one side only."""


def files_in_folder(folder: Path) -> list[Path]:
    """Return the files with dialogues in a folder and its subfolders."""
    return recognised_files(folder, ".txt", _is_log, "dialogues of Deal or No Deal")


def _is_log(beginning: str) -> bool:
    return any(_ROW.fullmatch(line) for line in beginning.split("\n")[:_SNIFFED_LINES])


def read_side(number: int, line: str) -> DialogueSide:
    """Return a line of the log; raise `ValueError` with the reason if it has another form."""
    match = _ROW.fullmatch(line)
    if match is None:
        raise ValueError("not a line of Deal or No Deal")
    own, other = ([int(word) for word in match[name].split()] for name in ("own", "other"))
    if own[::2] != other[::2]:
        raise ValueError("the two sides have different pools")
    if min(own[::2]) < 1 or any(points_of(side[::2], side[1::2]) != WORTH for side in (own, other)):
        raise ValueError(f"the pool is not worth {WORTH} points to both sides")
    said = _said(match["talk"])
    speakers = {speaker: place for place, speaker in enumerate(dict.fromkeys(name for name, _ in said))}
    # A person who says nothing has the seat that is left.
    seat = speakers.get("own", 1 - speakers.get("other", 0))
    values = (tuple(own[1::2]), tuple(other[1::2]))
    reward, choice = match["reward"], _choice(match["choice"])
    if (choice is None) != (not reward.isdecimal()):
        raise ValueError(f"the choice {match['choice'][:40]!r} does not fit the reward {reward!r}")
    return DialogueSide(
        line=number,
        seat=seat,
        counts=tuple(own[::2]),
        values=values if seat == 0 else values[::-1],
        said=tuple((seat if name == "own" else 1 - seat, text) for name, text in said),
        choice=choice,
        reward=reward,
        agrees=match["end"] == "agree",
    )


def _said(talk: str) -> list[tuple[str, str]]:
    """Return the speakers and texts of the talk. The last text is empty, since it is the end of the talk."""
    said = []
    for part in talk.split("<eos>"):
        name, colon, text = part.strip().partition(":")
        if not colon or name not in _SPEAKERS:
            raise ValueError("a message names no speaker")
        said.append((_SPEAKERS[name], text.strip()))
    if said[-1][1]:
        raise ValueError("the talk does not end before the selection")
    return said


def _choice(text: str) -> Units | None:
    if text in (NO_AGREEMENT, DISCONNECT):
        return None
    match = _CHOICE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:60]!r} is not a choice")
    return tuple(int(number) for number in match.groups())


def dialogues_in(path: Path, unreadable: list[str]) -> Iterator[tuple[DialogueSide, ...]]:
    """Yield the dialogues of a file, with two sides or with one. A line is the second side of the earliest dialogue
    that is the same and has no second side yet. Lines that cannot be read are added to `unreadable`."""
    alone: dict[tuple[Any, ...], list[DialogueSide]] = {}
    try:
        check_regular(path)
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_CHARACTERS), ""), start=1):
                if not line.strip():
                    continue
                try:
                    side = read_side(number, line)
                except UNEXPECTED as error:
                    unreadable.append(f"{path.name}, line {number}: {' '.join(str(error).split())[:300]}")
                    continue
                partners = alone.get((*side.dialogue, 1 - side.seat))
                if partners:
                    partner = partners.pop(0)
                    yield (partner, side) if side.seat else (side, partner)
                else:
                    alone.setdefault((*side.dialogue, side.seat), []).append(side)
    except (OSError, UnicodeDecodeError) as error:
        unreadable.append(f"{path.name}: cannot be read: {getattr(error, 'strerror', None) or error}")
    for sides in alone.values():
        yield from ((side,) for side in sides)


def key_of(sides: Sequence[DialogueSide], known: dict[str, int]) -> str:
    """Return the key of a dialogue, which is a digest of its content. Further dialogues with the same content have a
    number too."""
    content = [side._replace(line=0) for side in sides]
    digest = digest_of(repr([tuple(side) for side in content]))[:16]
    known[digest] = known.get(digest, 0) + 1
    return digest if known[digest] == 1 else f"{digest}.{known[digest]}"


def replay_dialogue(sides: Sequence[DialogueSide]) -> Match:
    """Replay a dialogue. If the log has one side only, the other choice is the rest of the pool if they agreed, and
    otherwise unknown. An unknown choice, and that of a person who disconnected, counts as no deal."""
    first = sides[0]
    talk = PersonTurns()
    for seat, text in first.said[:-1]:
        talk.add(seat, SAY, text)
    talk.add(first.said[-1][0], END_TALK)
    by_seat = {side.seat: side for side in sides}
    for seat in (0, 1):
        place = (talk.turns, CHOICE, seat)
        side = by_seat.get(seat)
        choice = side.choice if side is not None else _implied(first)
        if choice is None:
            talk.answers[place] = {"act": NO_DEAL}
        else:
            talk.answers[place] = {"act": TAKE, **dict(zip(GOODS, choice, strict=True))}
    return replay_talk(talk, SETTINGS, first.counts, first.values)


def _implied(side: DialogueSide) -> Units | None:
    """Return the choice of the other side, of which the log has no line."""
    return left_of(side.counts, side.choice) if side.has_deal and side.choice is not None else None


def check_dialogue(sides: Sequence[DialogueSide]) -> tuple[Match | None, str | None]:
    """Replay a dialogue; return the match, and the first difference between the log and the rules."""
    lines = " and ".join(str(side.line) for side in sides)
    where = f"line{'s' if len(sides) > 1 else ''} {lines}"
    try:
        match = replay_dialogue(sides)
    except (OstromError, *UNEXPECTED) as error:
        return None, f"{where}: the log cannot be played: {error}"
    end = match.events[-1]
    assert isinstance(end, BargainEnded)
    for side in sides:
        if side.has_deal != (end.outcome == "deal"):
            said = "a deal" if side.has_deal else "no deal"
            return match, f"{where}: the log says that there is {said}, and the rules give {end.outcome}"
        if side.choice is None:
            continue
        worth = points_of(side.choice, side.values[side.seat])
        if worth != int(side.reward):
            return match, f"{where}: the log gives the reward {side.reward}, and the choice is worth {worth:g}"
        if side.has_deal and end.points[side.seat] != worth:
            return match, f"{where}: the log gives the reward {side.reward}, the rules {end.points[side.seat]:g}"
    return match, None


def import_dialogues(
    files: Sequence[Path], journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> DealOrNoDealReport:
    """Import dialogues into the experiment of this name; dialogues that it already has are not changed. Lines are read
    one by one, and kept until the other side of their dialogue is read."""
    report = DealOrNoDealReport()
    experiment = experiment_of(journal, name, {"source": "dialogues of Deal or No Deal"})
    for path in files:
        try:
            check_names(path)
        except RecordError as error:
            report.unreadable.append(str(error))
            continue
        known: dict[str, int] = {}
        for sides in dialogues_in(path, report.unreadable):
            for _ in sides:
                progress()
            report.games += 1
            match, mismatch = check_dialogue(sides)
            if mismatch is not None or match is None:
                report.mismatches.append(f"{path.name}, {mismatch}")
                continue
            report.replayed_exactly += 1
            _count(report, sides)
            report.new += keep(journal, experiment, match, key_of(sides, known), source=path.name)
    return report


def _count(report: DealOrNoDealReport, sides: Sequence[DialogueSide]) -> None:
    report.rows += len(sides)
    report.one_sided += len(sides) == 1
    for side in sides:
        if side.has_deal:
            report.agreed += 1
            report.agreed_points += int(side.reward)
        elif side.choice is not None:
            report.not_agreed += 1
            report.not_agreed_points += int(side.reward)
        else:
            report.no_agreement += side.reward == NO_AGREEMENT
            report.disconnected += side.reward == DISCONNECT
            report.without_choice_agree += side.agrees


def _count_lines(path: Path) -> int:
    """Return the number of lines of a file, or 0 if it is not readable."""
    try:
        with path.open("rb") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with data.txt, or the whole repository.")],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the dialogues of Deal or No Deal, in which two people bargain; importing again changes nothing."""
    files = files_in_folder(folder)
    total = sum(_count_lines(path) for path in files)
    with open_journal(store, create=True) as journal, games_bar("lines", total) as advance:
        report = import_dialogues(files, journal, progress=advance, name=name)
    notes = [
        f"{report.rows:,} rows, each one side of a dialogue; of {report.one_sided:,} dialogues there is one side only",
        f"{report.agreed:,} rows with a deal, their rewards add up to {report.agreed_points:,}",
        f"{report.not_agreed:,} other rows with a reward, which add up to {report.not_agreed_points:,}; none was paid",
        f"{report.no_agreement:,} rows without an agreement, {report.disconnected:,} with a disconnection; "
        f"{report.without_choice_agree:,} of them end in 'agree' and are no deals",
    ]
    print_report(report, json, notes=notes)
