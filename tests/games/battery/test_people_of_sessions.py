"""The people of a session in the battery's leaderboards: one row of means, beside subjects and published values."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from battery_played import battery_records
from ostrom.analysis.selection import Selection, scored_subjects
from ostrom.charts.families import Cast
from ostrom.cli.main import app
from ostrom.experiment.hosting import Host
from ostrom.findings.report import report_subjects
from ostrom.games.battery.charts.boards import BOARDS, draw_board
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.scores.people import ONE_PERSON, mean_over_people
from ostrom.games.battery.scores.score import NOT_ASKED, Score, no_score
from ostrom.games.battery.scores.table import BATTERY, PooledPeople, SubjectScores
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.record import GameRecord
from ostrom.journal.sessions import REHEARSAL
from ostrom.journal.sql import Journal
from ostrom.web.api.scores import ScorePage, score_table, subject_card
from ostrom.web.service import Service

PEOPLE = ("fehr-schmidt", "selfish", "conditional-cooperator")
TASKS = ("dictator", "trust")


def as_person(record: GameRecord, number: int) -> GameRecord:
    """The game as that of a session's participant."""
    seat = record.seats[0].model_copy(update={"player": f"human:person-{number:02d}"})
    return record.model_copy(update={"seats": [seat, *record.seats[1:]]})


def add_session(journal: Journal, name: str, subjects: tuple[str, ...], *, rehearsal: bool = False) -> str:
    """Store a session in which people answered as these subjects do. Return its experiment."""
    own = {REHEARSAL: True, ARCHIVED: True} if rehearsal else None
    session = journal.sessions.create(name, {"file": {}, "seed": 1}, experiment_settings=own)
    for number, subject in enumerate(subjects, start=1):
        for place, record in enumerate(battery_records((subject,), TASKS)):
            journal.add_game(session.experiment, as_person(record, number), key=f"{TASKS[place]}/table 1/{number}")
    return session.experiment


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('people')}/lab.db"


@pytest.fixture(scope="module")
def journal(url: str) -> Iterator[Journal]:
    with Journal.open(url, create=True) as journal:
        models = journal.new_experiment("models", kind="battery")
        for number, record in enumerate(battery_records(("refuser", "fehr-schmidt"), TASKS)):
            journal.add_game(models, record, key=str(number))
        add_session(journal, "class-a", PEOPLE)
        add_session(journal, "class-b", PEOPLE[:1])
        add_session(journal, "tried", PEOPLE, rehearsal=True)
        yield journal


def test_the_people_of_each_session_are_one_row_of_means(journal: Journal) -> None:
    rows = {row.subject: row for row in scored_subjects(journal, BATTERY, None)}
    assert set(rows) == {"refuser", "fehr-schmidt", "people (session-2)", "people (session-3)"}
    pooled = rows["people (session-2)"]
    assert isinstance(pooled, PooledPeople)
    singles = [person.scores["trust"].value for person in pooled.people]
    assert len(singles) == len(PEOPLE)
    assert pooled.scores["trust"].value == pytest.approx(sum(value or 0.0 for value in singles) / 3)
    low, high = pooled.scores["trust"].low, pooled.scores["trust"].high
    assert low is not None
    assert high is not None
    assert 0 <= low < pooled.scores["trust"].value < high <= 100
    assert pooled.note.startswith("means of 3 people of the session class-a (session-2, ")
    assert pooled.words["label"].value is None
    alone = rows["people (session-3)"].scores["trust"]
    assert (alone.low, alone.reason) == (None, ONE_PERSON)


def test_single_people_are_scored_if_they_are_named(journal: Journal) -> None:
    (person,) = scored_subjects(journal, BATTERY, "class-a", ("human:person-02",))
    assert person.subject == "human:person-02"
    rows = scored_subjects(journal, BATTERY, None, ("people (session-3)", "refuser"))
    assert {row.subject for row in rows} == {"people (session-3)", "refuser"}


def test_simulated_participants_of_a_rehearsal_are_never_called_people(journal: Journal) -> None:
    (row,) = scored_subjects(journal, BATTERY, "tried")
    assert row.subject == "rehearsal (session-4)"
    assert isinstance(row, PooledPeople)
    assert "simulated in a rehearsal of tried" in row.note


def test_the_mean_leaves_out_people_without_a_score() -> None:
    missing = no_score("random", "random")
    scores = [Score(10.0), Score(20.0), missing, NOT_ASKED]
    assert mean_over_people(scores, (0.0, 100.0)).value == 15.0
    assert mean_over_people(scores, (0.0, 100.0)).low == 0.0
    assert mean_over_people([missing, missing]).reason == "no person has it; person by person: random"
    assert mean_over_people([NOT_ASKED]) is NOT_ASKED


def test_boards_and_cards_name_the_source(journal: Journal) -> None:
    rows = scored_subjects(journal, BATTERY, None)
    service = Service(journal, Host(journal))
    table = score_table(service, "battery", (), (), ScorePage(0, 20))
    assert [row.subject for row in table.rows] == [row.subject for row in rows]
    assert table.rows[[row.subject for row in table.rows].index("people (session-2)")].word.startswith("means of 3")
    singles = score_table(service, "battery", (), ("people",), ScorePage(0, 20))
    assert "human:person-02" in {row.subject for row in singles.rows}
    assert isinstance(rows[0], SubjectScores)
    pooled = next(row for row in rows if isinstance(row, PooledPeople))
    cast = Cast.of([row.subject for row in rows])
    social = next(board for board in BOARDS if board.name == "social")
    title = json.dumps(draw_board(social, rows, cast).to_dict()["title"], ensure_ascii=False)  # type: ignore[arg-type]
    assert "means of 3 people" in title
    assert "class-a" in json.dumps(card(pooled, "people").to_dict())
    assert subject_card(service, "battery", "people (session-2)", ()).row.label == "people (session-2)"


@pytest.mark.slow
def test_the_report_has_the_row_and_its_source(journal: Journal, tmp_path: Path) -> None:
    report_subjects(journal, BATTERY, Selection(), tmp_path / "report")
    (page,) = (path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html"))
    assert "means of 3 people of the session class-a" in page
    (scores,) = (path.read_text(encoding="utf-8") for path in tmp_path.rglob("scores.csv"))
    assert "people (session-2)" in scores


def test_the_command_prints_the_row_beside_published_values(journal: Journal, url: str) -> None:
    done = CliRunner().invoke(app, ["scores", "--store", url, "--json"])
    assert done.exception is None, done.output
    rows = json.loads(done.stdout)["scores"]
    assert [row["subject"] for row in rows][-1] == "people"
    own = next(row for row in rows if row["subject"] == "people (session-2)")
    assert (own["human"], own["people"]) == (True, 3)
    assert "class-a" in own["source"]
