"""Herrmann, Thöni and Gächter 2008: public goods with punishment, ten rounds in fixed groups of four. A row of a file
is a person, another person of the group, and a round. The files do not name the other person: the k-th row of a person
in a round is about the k-th of the other members, in the order in which they appear."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from ostrom.core import RecordError
from ostrom.core.files import read_bounded_text
from ostrom.games.contributions.events import RoundPaid
from ostrom.games.contributions.play import CONTRIBUTION, POINTS
from ostrom.games.contributions.points import points_field
from ostrom.games.contributions.rules import DEDUCT
from ostrom.importers.studies.groups import replay_group
from ostrom.importers.studies.published import (
    HELD_OUT,
    PublishedStudy,
    ReplayedGame,
    StudyFigure,
    StudyReading,
    in_figures,
    mean_of,
)

NAME: Final = "herrmann-2008"
SEATS: Final = 4
ENDOWMENT: Final = 20
RETURN: Final = 0.4
LOSS: Final = 3
_HELD_OUT_CITY: Final = "Istanbul"
_COLUMNS: Final = (
    "sessionid", "groupid", "subjectid", "city", "period", "senderscontribution", "otherscontribution", "punishment",
    "recpun",
)  # fmt: skip
_TOLERANCE: Final = 1e-9


class _Turn(NamedTuple):
    """What a person did in a round."""

    contribution: int
    others: tuple[int, ...]
    """The contributions of the other members, in their order."""
    points: tuple[int, ...]
    """The points that the person assigned to each of the others."""
    received: int
    """The points that the person received, as the file says."""


class _Group(NamedTuple):
    """A group of a session."""

    session: str
    city: str
    group: str
    members: tuple[str, ...]
    turns: Mapping[tuple[int, str], _Turn]
    """What each member did, by round and member."""

    @property
    def rounds(self) -> list[int]:
        return sorted({round_ for round_, _ in self.turns})

    def received(self, round_: int, member: str) -> int:
        """Return the points that the others assigned to a member."""
        return sum(self.turns[round_, giver].points[self.others(giver).index(member)] for giver in self.others(member))

    def others(self, member: str) -> list[str]:
        """Return the other members, in their order."""
        return [other for other in self.members if other != member]


def read(folder: Path, whole: bool) -> StudyReading:
    """Return contributions and points, their figures, and the replayed groups."""
    paths = sorted(path for path in folder.rglob("*.csv") if "HerrmannThoeniGaechter" in path.name)
    if not paths:
        raise RecordError(f"{folder} has no file HerrmannThoeniGaechterDATA….csv")
    rows: list[dict[str, Any]] = []
    points: list[dict[str, Any]] = []
    games: list[ReplayedGame] = []
    mismatches: list[str] = []
    agreed = {"contributions": 0, "points": 0, "groups and rounds": 0}
    for path in paths:
        for group in _groups(path):
            own = [_rows_of(group, round_) for round_ in group.rounds]
            rows += [row for one in own for row in one]
            points += _points_of(group)
            if whole or group.city != _HELD_OUT_CITY:
                for name, count in _agreement(group).items():
                    agreed[name] += count
            games += _game(path.name, group, own, mismatches)
    table = pl.DataFrame(rows).sort("session", "group", "round", "person", maintain_order=True)
    assigned = pl.DataFrame(points)
    part = pl.when(pl.col("city") == _HELD_OUT_CITY).then(pl.lit(HELD_OUT)).otherwise(pl.lit("fitted"))
    table, assigned = table.with_columns(part=part), assigned.with_columns(part=part)
    figures = _figures(in_figures(table, whole=whole), in_figures(assigned, whole=whole))
    figures += [
        StudyFigure("groups and rounds", agreed["groups and rounds"]),
        StudyFigure("groups and rounds whose contributions agree", agreed["contributions"]),
        StudyFigure("groups and rounds whose received points agree", agreed["points"]),
    ]
    return StudyReading(
        {"decisions": table, "points": assigned},
        figures,
        f"Split: the city {_HELD_OUT_CITY} is held out; all others: fitted.",
        games=games,
        mismatches=mismatches,
        notes=[
            "Payoffs are not in the files. Replayed games limit the deductions of a round to its income, as the "
            "preset herrmann-2008 does; the column payoff has no such limit, and limited_payoff has it.",
        ],
    )


def _groups(path: Path) -> Iterator[_Group]:
    """Yield the groups of a file. Raise RecordError if a row is not in the form of the study."""
    try:
        text = read_bounded_text(path).lstrip("\ufeff")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path.name}: cannot be read: {' '.join(str(error).split())[:200]}") from error
    lines = text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.startswith("sessionid,")), None)
    if start is None:
        raise RecordError(f"{path.name}: it has no line with the names of columns")
    reader = csv.DictReader(lines[start:])
    if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
        raise RecordError(f"{path.name}: there is no column {', '.join(missing)}")
    groups: dict[tuple[str, str, str], dict[tuple[int, str], list[Mapping[str, Any]]]] = {}
    for row in reader:
        if not row["senderscontribution"]:
            continue
        by_turn = groups.setdefault((row["sessionid"].strip(), row["city"], row["groupid"]), defaultdict(list))
        by_turn[_whole(path, row, "period"), row["subjectid"]].append(row)
    for (session, city, group), turns in groups.items():
        members = tuple(dict.fromkeys(member for _, member in turns))
        rounds = {round_ for round_, _ in turns}
        complete = len(members) == SEATS and set(turns) == {(round_, one) for round_ in rounds for one in members}
        if not complete or any(len(rows) != SEATS - 1 for rows in turns.values()):
            raise RecordError(f"{path.name}: group {group} has not a row for each round, person and other person")
        yield _Group(session, city, group, members, {key: _turn(path, rows) for key, rows in turns.items()})


def _whole(path: Path, row: Mapping[str, Any], name: str) -> int:
    try:
        return int(row[name])
    except (TypeError, ValueError):
        raise RecordError(f"{path.name}: {name} is not a whole number: {str(row[name])[:40]!r}") from None


def _turn(path: Path, rows: Sequence[Mapping[str, Any]]) -> _Turn:
    return _Turn(
        _whole(path, rows[0], "senderscontribution"),
        tuple(_whole(path, row, "otherscontribution") for row in rows),
        tuple(_whole(path, row, "punishment") for row in rows),
        _whole(path, rows[0], "recpun"),
    )


def _rows_of(group: _Group, round_: int) -> list[dict[str, Any]]:
    """Return a row for each member of a group in a round."""
    given = {member: group.turns[round_, member].contribution for member in group.members}
    rows = []
    for member in group.members:
        turn, received = group.turns[round_, member], group.received(round_, member)
        income = ENDOWMENT - turn.contribution + RETURN * sum(given.values())
        spent = sum(turn.points)
        rows.append(
            {
                "session": group.session,
                "city": group.city,
                "group": f"{group.session} {group.group}",
                "person": f"{group.session} {member}",
                "round": round_,
                "contribution": turn.contribution,
                "endowment": ENDOWMENT,
                "spent": spent,
                "received": received,
                "payoff": income - spent - LOSS * received,
                "limited_payoff": max(income - LOSS * received, 0.0) - spent,
            }
        )
    return rows


def _points_of(group: _Group) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of members and each round."""
    for (round_, member), turn in group.turns.items():
        for target, points in zip(group.others(member), turn.points, strict=True):
            yield {
                "session": group.session,
                "city": group.city,
                "group": f"{group.session} {group.group}",
                "round": round_,
                "person": f"{group.session} {member}",
                "target": f"{group.session} {target}",
                "contribution": turn.contribution,
                "target_contribution": group.turns[round_, target].contribution,
                "points": points,
            }


def _agreement(group: _Group) -> dict[str, int]:
    """Return the number of rounds in which the order of the others agrees with their contributions, and with the points
    that each received."""
    contributions = points = 0
    for round_ in group.rounds:
        turns = {member: group.turns[round_, member] for member in group.members}
        contributions += all(
            turn.others == tuple(turns[other].contribution for other in group.others(member))
            for member, turn in turns.items()
        )
        points += all(turn.received == group.received(round_, member) for member, turn in turns.items())
    return {"contributions": contributions, "points": points, "groups and rounds": len(group.rounds)}


def _game(
    file: str, group: _Group, rows: Sequence[Sequence[Mapping[str, Any]]], mismatches: list[str]
) -> Iterator[ReplayedGame]:
    """Yield the replayed game of a group, unless the rules give another payoff than the limited one."""
    key = f"{group.session}, group {group.group}"
    seats = {member: seat for seat, member in enumerate(group.members)}
    answers: dict[tuple[int, str, int], Any] = {}
    for (round_, member), turn in group.turns.items():
        answers[round_, CONTRIBUTION, seats[member]] = turn.contribution
        answers[round_, POINTS, seats[member]] = {
            points_field(DEDUCT, seats[other]): points
            for other, points in zip(group.others(member), turn.points, strict=True)
        }
    people = [f"{group.session} {member}" for member in group.members]
    try:
        match = replay_group({"preset": NAME, "rounds": len(group.rounds)}, people, answers)
    except RecordError as error:
        mismatches.append(f"{key}: {error}")
        return
    paid = [event.outcomes for event in match.events if isinstance(event, RoundPaid)]
    wrong = sum(
        abs((ours or 0.0) - row["limited_payoff"]) > _TOLERANCE
        for outcomes, own in zip(paid, rows, strict=True)
        for ours, row in zip(outcomes, own, strict=True)
    )
    if wrong:
        mismatches.append(f"{key}: {wrong} payoffs are not those of the rules")
    else:
        yield ReplayedGame(key, match, file)


def _figures(table: pl.DataFrame, points: pl.DataFrame) -> list[StudyFigure]:
    """Return the figures of all sessions, and those of each."""
    figures = [
        StudyFigure("people", table["person"].n_unique()),
        StudyFigure("groups", table["group"].n_unique()),
        StudyFigure("seat-rounds", table.height),
    ]
    sessions = table.select("city", "session").unique().sort("city", "session").rows()
    for city, session in [("", ""), *sessions]:
        label = f"{city} {session}: " if session else ""
        own = table.filter(pl.col("session") == session) if session else table
        pairs = points.filter(pl.col("session") == session) if session else points
        if session:
            figures.append(StudyFigure(f"{label}people", own["person"].n_unique()))
        figures.append(mean_of(f"{label}mean contribution", own["contribution"]))
        figures += [
            mean_of(
                f"{label}mean contribution in round {number}", own.filter(pl.col("round") == number)["contribution"]
            )
            for number in sorted(own["round"].unique())
        ]
        less = pl.col("target_contribution") < pl.col("contribution")
        figures += [
            mean_of(f"{label}points a seat-round", own["spent"]),
            mean_of(f"{label}points to a target that gave as much or more", pairs.filter(~less)["points"]),
            mean_of(f"{label}points to a target that gave less", pairs.filter(less)["points"]),
        ]
    differ = int((table["payoff"] != table["limited_payoff"]).sum())
    return [
        *figures,
        mean_of("payoff", table["payoff"]),
        mean_of("payoff, deductions limited to the income of the round", table["limited_payoff"]),
        StudyFigure("seat-rounds in which the limit matters", differ),
    ]


STUDY: Final = PublishedStudy(
    NAME,
    "Public goods with punishment",
    "Herrmann, Thöni and Gächter 2008",
    "no terms stated; read from a folder only",
    read,
)
