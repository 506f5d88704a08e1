"""The results of a session, as a class sees them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import ostrom
from ostrom.analysis.study import Study, all_studies
from ostrom.charts.class_groups import ChartedGroup, group_chart
from ostrom.core import InputError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.file import SessionFile, load_session
from ostrom.experiment.session.state import SessionState
from ostrom.findings.class_results import GameOfClass, SessionResults, class_results, shown_measures
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal

FILE = """
[session]
name = "class"
title = "Voluntary contributions"
participants = 8
[[treatments]]
name = "plain"
[[treatments]]
name = "punishment"
rules = { punishment = true }
[[games]]
name = "g1"
game = "contributions"
rules = { rounds = 4 }
group = 4
[[games]]
name = "g2"
game = "ultimatum"
group = 2
"""
AT = "2026-11-19T10:00:00+00:00"


@pytest.fixture
def file(tmp_path: Path) -> SessionFile:
    path = tmp_path / "class.toml"
    path.write_text(FILE)
    return load_session(path)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}", create=True) as opened:
        yield opened


def of_people(record: GameRecord, people: dict[int, int]) -> GameRecord:
    """Return a record in which participants have some of the seats."""
    seats = [
        seat.model_copy(update={"player": f"human:person-{people[place]:02d}"}) if place in people else seat
        for place, seat in enumerate(record.seats)
    ]
    return record.model_copy(update={"seats": seats})


class PlayedSession:
    """A session whose tables were played by strategies in the seats of people."""

    def __init__(self, journal: Journal, file: SessionFile) -> None:
        self.journal, self.file, self.state = journal, file, SessionState(file)
        self.experiment = journal.new_experiment("class", kind="session")

    def join(self, number: int, treatment: str) -> None:
        self.add(e.Joined(participant=number))
        self.add(e.TreatmentAssigned(participant=number, treatment=treatment))

    def add(self, entry: e.AnyEntry) -> None:
        self.state.add(entry, AT)

    def play(
        self, name: str, treatment: str, players: list[str], *, seats: list[int | str], practice: bool = False
    ) -> str:
        """Play a table, and return its key."""
        part, whole = self.file.game(name), self.file.treatment(treatment)
        rules = self.file.rules_of(part, whole)
        game = self.file.game_of(part)
        record = ostrom.record_of(
            ostrom.play(players, game=game.command, rules=rules, seed=1, number=len(self.state.tables))
        )
        key = f"{'practice/' if practice else ''}{name}/table 1/{len(self.state.tables) + 1}"
        people = {place: who for place, who in enumerate(seats) if isinstance(who, int)}
        self.journal.add_game(self.experiment, of_people(record, people), key=key)
        group = len(self.state.tables) + 1
        places = {"key": key, "game": name, "table": 1, "group": group, "treatment": treatment, "practice": practice}
        self.add(e.GroupFormed(**places, seats=seats))
        self.add(e.TableStarted(key=key))
        game_id = next(row.id for row in self.journal.games(self.experiment) if row.key == key)
        self.add(e.TableEnded(key=key, ending="finished", game=game_id, points=dict.fromkeys(people.values(), 1.0)))
        return key

    def results(self) -> SessionResults:
        return class_results(self.journal, self.file, self.state, self.experiment)


@pytest.fixture
def played(journal: Journal, file: SessionFile) -> PlayedSession:
    session = PlayedSession(journal, file)
    for number in range(1, 9):
        session.join(number, "plain" if number <= 4 else "punishment")
    return session


def means(game: GameOfClass, name: str) -> dict[str, float | None]:
    """Return the means of a measure by group."""
    measure = next(measure for measure in game.measures if measure.name == name)
    return {group.name: group.mean for group in measure.groups}


def test_each_treatment_stands_beside_people_who_played_under_its_rules(played: PlayedSession) -> None:
    played.play("g1", "plain", ["FreeRider"] * 4, seats=[1, 2, 3, 4])
    played.play("g1", "punishment", ["FullContributor"] * 4, seats=[5, 6, 7, 8])
    results = played.results()
    assert (results.title, results.participants) == ("Voluntary contributions", 8)
    (game,) = results.games
    assert (game.name, game.game, game.tables, game.clock) == ("g1", "contributions", 2, "round")
    contribution = next(measure for measure in game.measures if measure.name == "contribution")
    groups = {(group.kind, group.name, group.source): group for group in contribution.groups}
    assert groups["class", "plain", None].mean == 0.0
    assert groups["class", "punishment", None].by_turn == (1.0,) * 4
    assert groups["people", "people without punishment", "Fehr, Gächter 2000"].mean == 0.38
    assert {kind for kind, _, _ in groups} == {"class", "people"}, "the journal has no games of models"
    assert all("person-" not in str(group) for measure in game.measures for group in measure.groups)


def test_players_at_the_table_practice_and_replaced_people_are_left_out(played: PlayedSession) -> None:
    free = ["FreeRider", "FreeRider", "FullContributor", "FullContributor"]
    played.play("g1", "plain", free, seats=[1, 2, "FullContributor", "FullContributor"])
    played.play("g1", "plain", ["FullContributor"] * 4, seats=[1, 2, 3, 4], practice=True)
    assert means(played.results().games[0], "contribution")["plain"] == 0.0
    key = played.play("g1", "plain", free, seats=[1, 2, 3, 4])
    assert means(played.results().games[0], "contribution")["plain"] == pytest.approx(1 / 3)
    for number in (3, 4):
        played.add(e.Replaced(participant=number, by="FullContributor", key=key, question="q", points=3.0))
    assert means(played.results().games[0], "contribution")["plain"] == 0.0


def test_games_of_models_count_under_the_same_rules_only(played: PlayedSession) -> None:
    played.play("g1", "plain", ["FreeRider"] * 4, seats=[1, 2, 3, 4])
    others = played.journal.new_experiment("models", kind="contributions")
    rules = played.file.rules_of(played.file.game("g1"), played.file.treatment("plain"))
    for number, changes in enumerate([{}, {"rounds": 5}]):
        game = ostrom.play(
            ["FullContributor"] * 4, game="contributions", rules=rules.model_copy(update=changes), number=number
        )
        record = ostrom.record_of(game)
        seats = [seat.model_copy(update={"player": "openai:gpt-5"}) for seat in record.seats]
        played.journal.add_game(others, record.model_copy(update={"seats": seats}), key=str(number))
    contribution = played.results().games[0].measures[0]
    (models,) = [group for group in contribution.groups if group.kind == "models"]
    assert (models.name, models.mean, models.games) == ("models, plain", 1.0, 1)
    assert models.source == "1 game under the same rules in this journal"


def test_a_game_of_one_round_shows_what_each_role_did(played: PlayedSession) -> None:
    played.play("g2", "plain", ["selfish", "selfish"], seats=[1, 2])
    (game,) = played.results().games
    offers = next(measure for measure in game.measures if measure.name == "offer")
    (own, people) = offers.groups
    assert own.kind == "class"
    assert own.mean is not None
    assert own.mean < 0.05
    assert (people.mean, people.source) == (0.4, "Oosterbeek, Sloof, van de Kuilen 2004")
    titles = [measure.title for measure in game.measures]
    assert titles == [
        "Offer",
        "Offers accepted",
        "Mean final dollars by role, as proposer",
        "Mean final dollars by role, as responder",
    ]


def test_without_a_finished_table_there_are_no_games(played: PlayedSession) -> None:
    assert played.results().games == ()


def test_lines_are_drawn_over_turns_and_bars_without_them() -> None:
    flat = ChartedGroup("people", 0.4, None, None, (), None)
    course = ChartedGroup("plain", 0.5, 0.4, 0.6, (0.4, None, 0.6), 3)
    lines = group_chart([course, flat], title="Contribution", unit="share", clock="round")
    columns = group_chart([flat], title="Contribution", unit="share", clock="round")
    assert lines is not None
    assert columns is not None
    assert '"line"' in lines.to_json()
    assert '"line"' not in columns.to_json()
    assert group_chart([flat._replace(mean=None)], title="Contribution", unit="share", clock="round") is None


def test_every_lesson_names_measures_of_its_game() -> None:
    for study in all_studies():
        if isinstance(study, Study):
            try:
                shown = shown_measures(study)
            except InputError as error:
                pytest.fail(str(error))
            published = () if study.own is None else study.own.published
            assert {figure.measure for figure in published} <= {measure.name for measure in shown}
