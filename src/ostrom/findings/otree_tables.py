"""The data of a session in the wide and in the long shape of oTree's exports, so that scripts for oTree read them. A
game of the session is an app, and a turn of a table is a round. Rounds of later tables are numbered on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import polars as pl

from ostrom.experiment.session import entries as e
from ostrom.experiment.session.participants import Participant, participant_name
from ostrom.experiment.session.payment import points_by_game
from ostrom.experiment.session.state import TableState
from ostrom.findings.session_data import ANSWER, LABEL, SessionData, value_text

Row = dict[str, Any]
PAGE_TIMES: Final = "PageTimes"
ALL_APPS: Final = "all_apps_wide"
_BEFORE: Final = "session"
"""The app of pages that belong to no game."""
_MAX_PAGES: Final = 100_000


@dataclass(frozen=True)
class AppRound:
    """A round of an app for one participant."""

    app: str
    number: int
    participant: int
    table: TableState
    seat: int
    fields: Mapping[str, Any]
    payoff: float | None


def otree_wide(data: SessionData) -> dict[str, pl.DataFrame]:
    """Return the table with a row for each participant, with columns such as g1.2.player.contribution, and the times
    of pages."""
    rounds = list(app_rounds(data))
    columns = _round_columns(rounds)
    by_person: dict[int, list[AppRound]] = {number: [] for number in data.participants}
    for played in rounds:
        by_person[played.participant].append(played)
    rows = []
    for number in data.participants:
        row = {**_participant(data, number), **_session(data)}
        row |= dict.fromkeys(columns)
        for played in by_person[number]:
            row |= {f"{played.app}.{played.number}.{name}": value for name, value in _round(played).items()}
        row |= _questionnaire(data, number)
        rows.append(row)
    return {ALL_APPS: _frame(rows), PAGE_TIMES: page_times(data)}


def otree_long(data: SessionData) -> dict[str, pl.DataFrame]:
    """Return a table for each app, with a row for each participant and round, and the times of pages."""
    tables: dict[str, list[Row]] = {}
    for played in app_rounds(data):
        own = {**_participant(data, played.participant), **_round(played), **_session(data)}
        tables.setdefault(played.app, []).append(own)
    if data.file.questionnaire:
        tables["questionnaire"] = [
            {
                **_participant(data, number),
                "player.id_in_group": 1,
                **_questionnaire(data, number, ""),
                **_session(data),
            }
            for number in data.participants
        ]
    return {**{app: _frame(rows) for app, rows in tables.items()}, PAGE_TIMES: page_times(data)}


def app_rounds(data: SessionData) -> Iterator[AppRound]:
    """Yield the rounds of each app, by participant. Practice tables are an app of their own."""
    lengths: dict[tuple[str, int], int] = {}
    for key, table in data.state.tables.items():
        record = data.records.get(key)
        turns = max((answer.turn for answer in record.answers), default=0) if record is not None else 0
        place = (app_name(table), table.group.table)
        lengths[place] = max(lengths.get(place, 0), turns)
    fields: dict[tuple[str, int, int], Row] = {}
    for decision in data.decisions():
        table, answer = decision.table, decision.answer
        own = fields.setdefault((table.group.key, answer.turn, decision.participant), {})
        own |= _fields(answer.phase, answer.value)
        own[f"player.{answer.phase}_decided_by"] = (
            "person" if decision.own else decision.decided_by or answer.provenance.value
        )
    last_turns: dict[tuple[str, int], int] = {}
    for key, turn, participant in fields:
        last_turns[key, participant] = max(turn, last_turns.get((key, participant), 0))
    for (key, turn, participant), values in fields.items():
        table = data.state.tables[key]
        app, number = app_name(table), table.group.table
        before = sum(length for (other, earlier), length in lengths.items() if other == app and earlier < number)
        last = turn == last_turns[key, participant]
        payoff = table.points.get(participant) if last else None
        yield AppRound(app, before + turn, participant, table, table.group.seats.index(participant), values, payoff)


def app_name(table: TableState) -> str:
    """Return the name of the app of a table."""
    return f"{table.group.game}_practice" if table.group.practice else table.group.game


def _fields(phase: str, value: Any) -> Row:
    """Return the columns of an answer: one, or one for each part of an answer with several parts."""
    if isinstance(value, Mapping):
        return {f"player.{phase}_{name}": _cell(part) for name, part in value.items()}
    return {f"player.{phase}": _cell(value)}


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return value if value is None or isinstance(value, int | float) else value_text(value)


def _round(played: AppRound) -> Row:
    group = played.table.group
    return {
        "player.id_in_group": played.seat + 1,
        "player.role": None,
        "player.payoff": played.payoff,
        **played.fields,
        "group.id_in_subsession": group.group,
        "subsession.round_number": played.number,
        "subsession.table": group.table,
    }


def _round_columns(rounds: Sequence[AppRound]) -> list[str]:
    """Return the columns of all rounds, in the order of apps and rounds."""
    apps = list(dict.fromkeys(played.app for played in rounds))
    ordered = sorted(rounds, key=lambda played: (apps.index(played.app), played.number))
    return list(dict.fromkeys(f"{played.app}.{played.number}.{name}" for played in ordered for name in _round(played)))


def _participant(data: SessionData, number: int) -> Row:
    person = data.state.participants[number]
    page = data.state.page_of(person).name
    done = _pages_done(data, number)
    return {
        "participant.id_in_session": number,
        "participant.code": person.name,
        "participant.label": value_text(data.personal.get((number, LABEL))),
        "participant._is_bot": 0,
        "participant._index_in_pages": len(done),
        "participant._max_page_index": data.state.progress(person)[1],
        "participant._current_app_name": page,
        "participant._current_page_name": page,
        "participant.time_started_utc": person.joined,
        "participant.visited": 1,
        "participant.mturk_worker_id": None,
        "participant.mturk_assignment_id": None,
        "participant.payoff": _payoff(data, person),
        "participant.treatment": person.treatment,
        "participant.outcome": person.outcome,
        "participant.replaced_by": person.replaced_by,
    }


def _payoff(data: SessionData, person: Participant) -> float:
    return sum(points_by_game(data.state, person).values()) + sum(person.belief_points.values())


def _session(data: SessionData) -> Row:
    payment = data.file.payment
    return {
        "session.code": data.session.id,
        "session.label": data.session.name,
        "session.mturk_HITId": None,
        "session.mturk_HITGroupId": None,
        "session.comment": None,
        "session.is_demo": 0,
        "session.config.name": data.file.session.name,
        "session.config.participation_fee": None if payment is None else payment.participation,
        "session.config.real_world_currency_per_point": None if payment is None else payment.rate,
    }


def _questionnaire(data: SessionData, number: int, prefix: str = "questionnaire.1.") -> Row:
    answers = data.state.participants[number].answers
    row = {}
    for question in data.file.questionnaire:
        value = data.personal.get((number, ANSWER + question.name)) if question.personal else answers.get(question.name)
        row[f"{prefix}player.{question.name}"] = _cell(value)
    return row


def _pages_done(data: SessionData, number: int) -> list[tuple[str, e.PageDone]]:
    return [(at, entry) for at, entry in data.of_kind(e.PageDone) if entry.participant == number]


def page_times(data: SessionData) -> pl.DataFrame:
    """Return the times at which pages and questions were completed, in the form of oTree's PageTimes."""
    rows = []
    for number in data.participants:
        done = [(at, _BEFORE, entry.page, 1, 0) for at, entry in _pages_done(data, number)]
        for _, entry in data.of_kind(e.Answered):
            if entry.participant == number and entry.key in data.state.tables:
                table = data.state.tables[entry.key]
                done.append((entry.answered, app_name(table), entry.question, table.group.table, 0))
        for index, (at, app, page, turn, missed) in enumerate(sorted(done)[:_MAX_PAGES], start=1):
            head = (data.session.id, number, participant_name(number), index, app, page)
            rows.append((*head, int(datetime.fromisoformat(at).timestamp()), turn, missed, 0))
    return pl.DataFrame(
        rows,
        schema={
            **{"session_code": pl.String, "participant_id_in_session": pl.Int64, "participant_code": pl.String},
            **{"page_index": pl.Int64, "app_name": pl.String, "page_name": pl.String},
            **{"epoch_time_completed": pl.Int64, "round_number": pl.Int64, "timeout_happened": pl.Int64},
            "is_wait_page": pl.Int64,
        },
        orient="row",
    )


def _frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Return rows as a table. A column with values of several types has texts."""
    listed = list(rows)
    names = list(dict.fromkeys(name for row in listed for name in row))
    columns = {}
    for name in names:
        values = [row.get(name) for row in listed]
        kinds = {type(value) for value in values if value is not None}
        if kinds <= {int}:
            columns[name] = pl.Series(values, dtype=pl.Int64)
        elif kinds <= {int, float}:
            columns[name] = pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
        else:
            texts = [None if value is None else _storable(str(value)) for value in values]
            columns[name] = pl.Series(texts, dtype=pl.String)
    return pl.DataFrame(columns)


def _storable(text: str) -> str:

    return text.encode("utf-8", "replace").decode()
