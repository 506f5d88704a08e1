"""Every game with finals is rated, reported, compared and exported: three of the battery, and one
that has only finals."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import polars as pl
import pytest
from pydantic import BaseModel, Field
from typer.testing import CliRunner

import ostrom
from ostrom.analysis.leaderboard import rate_players
from ostrom.analysis.measures import Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures, NothingLeft, Study, study_of_game
from ostrom.analysis.tables import pooled, without_defaulted
from ostrom.charts.catalogue import catalogue_of
from ostrom.charts.report import write_report
from ostrom.cli.main import app
from ostrom.core import Amount, Event, EventRegistry, Play, Registry, Table
from ostrom.core.effects import Say, Telling
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Scene
from ostrom.core.telling import simple
from ostrom.journal.record import GameRecord, Origin
from ostrom.journal.sql import Journal

GAMES_PLAYED = ("trust", "ultimatum", "beauty_contest")
TABLE = ["selfish", "fehr-schmidt", "random"]
COMMON = [
    "mean_final",
    "median_final",
    "final_strip",
    "mean_rank",
    "inequality",
    "head_to_head",
    "seat_effects",
    "repaired_or_defaulted",
    "answer_times",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('defaults')}/lab.db"
    with Journal.open(url, create=True) as journal:
        for name in ("one", "two"):
            experiment = journal.new_experiment(name, kind="mixed")
            for number in range(4):
                for game in GAMES_PLAYED:
                    seats = 3 if game == "beauty_contest" else 2
                    cast = [TABLE[(number + place) % 3] for place in range(seats)]
                    match = ostrom.play(cast, game=game, seed=number + (name == "two"))
                    journal.add_game(experiment, ostrom.record_of(match), key=f"{game}-{number}")
    return url


def call(*arguments: object) -> Any:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.slow
@pytest.mark.parametrize("game", ["trust", "ultimatum", "beauty-contest"])
def test_a_played_game_of_the_battery_is_rated_reported_compared_and_exported(game, store, tmp_path):
    rated = json.loads(call("ratings", game, "--store", store, "--passes", 5, "--json").stdout)
    assert (rated["game"], rated["games"]) == (game, 8)
    assert {row["name"] for row in rated["ratings"]} == set(TABLE)
    made = json.loads(call("report", game, "-o", tmp_path / "r", "--store", store, "--passes", 5, "--json").stdout)
    written = {path.stem for path in (tmp_path / "r" / "tables").glob("*.parquet")}
    by_role = () if game == "beauty-contest" else ("final_by_role",)
    own = {"trust": ("sent", "returned"), "ultimatum": ("offer", "accepted"), "beauty-contest": ("guess",)}[game]
    assert written == {"trueskill", *COMMON, *by_role, *own, "moves", "games", "seats", "answers", "messages"}
    assert (
        made["report"]["charts"] == len(list((tmp_path / "r" / "charts").glob("*.svg"))) == 9 + len(by_role) + len(own)
    )
    assert f"8 games of {GAMES.of_command(game).title}, 3 players" in (tmp_path / "r" / "summary.txt").read_text()
    call("report", game, "-o", tmp_path / "c", "--store", store, "--compare", "one", "two")
    assert (tmp_path / "c" / "charts" / "mean_final.svg").is_file()
    call("export", "-o", tmp_path / "tables", "--store", store)
    seats = pl.read_parquet(tmp_path / "tables" / game / "seats.parquet")
    assert seats.columns[:5] == ["game", "seat", "player", "name", "final"]
    assert seats["final"].null_count() == 0


def test_without_a_name_the_game_with_most_games_is_taken_and_the_others_are_told(store):
    result = call("ratings", "--store", store, "--passes", 5, "--json")
    assert json.loads(result.stdout)["game"] == "trust"
    said = " ".join(result.stderr.split())
    assert "has games of Trust and of Ultimatum and of Beauty contest" in said
    assert "no game was named, so those of Trust are used, of which there are the most" in said
    assert "name ultimatum or beauty-contest for the others" in said


EVENTS = EventRegistry()


class DartsRules(BaseModel):
    """The rules."""

    board: int = Field(10, description="How wide the board is.")
    name: str = Field("plain", description="What it is called.")


@EVENTS.register
class Thrown(Event):
    """Everybody has thrown."""

    tag: ClassVar[str] = "thrown"

    far: list[float]


def darts(rules: DartsRules, table: Table) -> Play:
    """Everybody throws at once."""
    given = yield [table.ask(seat, "throw", 1, Amount(0, rules.board), {}, fallback=0) for seat in table.seats]
    table.record(Thrown(far=[answer.value for answer in given]))


def finals(events: Sequence[Event]) -> list[float | None]:
    """The distance of each dart from the middle; none for the widest throw."""
    thrown = events[-1]
    assert isinstance(thrown, Thrown)
    return [None if far == 10 else far for far in thrown.far]


def made_game(name: str, **more: Any) -> Game:
    return Game(
        name=name,
        title="The Darts",
        summary="everybody throws",
        seats=Seats(2, 10),
        rules=DartsRules,
        view=dict,
        play=darts,
        events=EVENTS,
        unit="cm",
        finals=finals,
        better="lower",
        **more,
    )


DARTS = made_game("darts")
OWN: Registry[Measure[Any]] = Registry("measure of darts")


@Resampling
def bulls_eyes(tables):
    """Bull's eyes: the share of the player's seats that end at 0."""
    return ratio_of(tables, tables.seats, ("player",), (pl.col("final") == 0).cast(pl.Int64))


enter(OWN, bulls_eyes, "Bull's eyes", "share")
MEASURES = GameMeasures(OWN)


def record(game: str, players: list[str], far: list[float], **given: str) -> GameRecord:
    answers = [
        {"turn": 1, "phase": "throw", "seat": seat, "value": one, "provenance": given.get(players[seat], "answered")}
        for seat, one in enumerate(far)
    ]
    return GameRecord(
        ostrom="0.1.0",
        game=game,
        seed=1,
        number=0,
        rules={"board": 10},
        seats=[{"seat": seat, "label": f"P{seat + 1}", "player": player} for seat, player in enumerate(players)],
        answers=answers,
        events=[{"event": "thrown", "version": 1, "far": far}],
    )


def study(game: Game) -> Study[Any]:
    result = study_of_game(GAMES.add(game))
    assert isinstance(result, Study)
    return result


@pytest.fixture
def tables():
    games = [
        record("darts", ["ann", "ben", "cid"], [1.0, 3.0, 10.0]),
        record("darts", ["ann", "ben", "cid"], [2.0, 2.0, 8.0], cid="defaulted"),
        record("darts", ["ben", "ann", "cid"], [0.0, 4.0, 5.0]),
    ]
    return study(DARTS).tables([(f"d{number}", "e", one) for number, one in enumerate(games)])


def test_the_common_tables_of_a_game_that_has_nothing_but_finals(tables):
    assert tables.games.columns == [
        *("game", "experiment", "kind", "seats", "rounds", "board", "name", "source", "seed", "number"),
        *("defaulted", "repaired", "answers"),
    ]
    assert tables.games.row(0) == ("d0", "e", "darts", 3, 1, 10, "plain", None, 1, 0, 0, 0, 3)
    ranks = tables.seats.filter(pl.col("game") != "d2").select("player", "final", "rank").rows()
    # Nearer is better, those who tie share their ranks, and who has no final has no rank.
    assert ranks == [
        ("ann", 1.0, 1.0),
        ("ben", 3.0, 2.0),
        ("cid", None, None),
        ("ann", 2.0, 1.5),
        ("ben", 2.0, 1.5),
        ("cid", 8.0, 3.0),
    ]
    assert tables.answers.select("player", "provenance", "seconds").row(5) == ("cid", "defaulted", None)
    assert tables.messages.height == 0


class Boasted(Event):
    """A seat spoke, in an event of its own kind."""

    tag: ClassVar[str] = "boasted"

    who: int
    words: str


def boast(event: Event) -> Telling:
    if isinstance(event, Boasted):
        return Telling(turn=2, effects=(Say(seat=event.who, text=event.words),))
    return Telling(turn=2)


LOUD = EventRegistry()
LOUD.register(Thrown)
LOUD.register(Boasted)
SCENE = simple(Scene(layout="question", title="The Darts"), boast)


def test_messages_are_what_the_tellings_say_whatever_the_event_is_called():
    loud = study(replace(made_game("loud_darts", scene=f"{__name__}:SCENE"), events=LOUD))
    played = record("loud_darts", ["ann", "ben"], [1.0, 3.0])
    words = [Boasted(who=1, words="mine"), Boasted(who=0, words=""), Boasted(who=0, words="no, mine")]
    played = played.model_copy(update={"events": [*(one.as_record() for one in words), *played.events]})
    assert loud.tables([("d", "e", played)]).messages.rows() == [
        ("d", 2, 1, 1, "ben", "mine", 0),
        ("d", 2, 3, 0, "ann", "no, mine", 2),
    ]


def test_its_common_measures(tables):
    def found(name):
        return dict(study(DARTS).measures[name].function(tables).select("player", "value").iter_rows())

    assert list(study(DARTS).measures) == COMMON
    assert found("mean_final") == pytest.approx({"ann": 7 / 3, "ben": 5 / 3, "cid": 6.5})
    assert found("median_final") == {"ann": 2.0, "ben": 2.0, "cid": 6.5}
    assert found("mean_rank") == pytest.approx({"ann": (1 + 1.5 + 2) / 3, "ben": (2 + 1.5 + 1) / 3, "cid": 3.0})
    assert found("repaired_or_defaulted") == pytest.approx({"ann": 0, "ben": 0, "cid": 1 / 3})
    assert found("answer_times") == {}
    pairs = study(DARTS).measures["head_to_head"].function(tables).select("player", "other_player", "value", "n")
    # Once each is ahead of the other, and once they tie; the fewest darts win.
    assert [row for row in pairs.iter_rows() if row[:2] in {("ann", "ben"), ("cid", "ann")}] == [
        ("ann", "ben", 0.5, 3),
        ("cid", "ann", 0.0, 2),
    ]
    seats = study(DARTS).measures["seat_effects"].function(tables)
    assert seats["value"].to_list() == pytest.approx([1.0, 3.0, 6.5])
    # Gini of 1 and 3: 2·2 / (2·2·4) = 1/4, and so on.
    assert found("inequality")["cid"] == pytest.approx((1 / 4 + 24 / 72 + 20 / 54) / 3)


def test_lower_finals_lead_the_ratings(tables, tmp_path):
    rated = rate_players(tables, passes=5, draw_probability=0.1)
    assert [one.rating.name for one in rated][-1] == "cid"
    assert {one.rating.name: one.mean_final for one in rated}["cid"] == 6.5
    written = write_report(tables, rated, tmp_path)
    assert "3 games of the Darts, 3 players, 3 seats, 1 rounds." in (tmp_path / "summary.txt").read_text()
    # Three games tell nobody apart by what they end with.
    assert not any("ends with the least cm" in one for one in written.short)
    assert without_defaulted(tables).games.height == 2
    assert set(pooled(tables).seats["player"]) == {"all"}


def test_a_measure_of_its_own_has_a_chart_without_a_word_about_charts(tables, tmp_path):
    own = study(made_game("arrows", measures=f"{__name__}:MEASURES"))
    assert list(own.measures) == [*COMMON, "bulls_eyes"]
    assert "bulls_eyes" in catalogue_of(own).pictures
    made = own.tables([("a", "e", record("arrows", ["ann", "ben"], [0.0, 3.0]))])
    write_report(made, [], tmp_path)
    assert (tmp_path / "charts" / "bulls_eyes.svg").is_file()


def test_a_study_says_what_plays_some_games(tables):
    empty = study(DARTS).tables([])
    with pytest.raises(NothingLeft, match="the lab has no finished games of the Darts; 'ostrom bench darts' plays"):
        study(DARTS).chosen(empty, void=(), where="the lab")


@pytest.mark.slow
def test_a_game_that_is_not_installed_is_rated_reported_and_exported_by_what_the_journal_keeps(tmp_path):
    place = f"sqlite:///{tmp_path}/lab.db"
    scene = {
        "title": "Curling",
        "clock": "turn",
        "better": "lower",
        "final": "far",
        "quantities": {"far": {"title": "far", "unit": "cm"}},
    }
    with Journal.open(place, create=True) as journal:
        experiment = journal.new_experiment("old", kind="curling")
        for number in range(3):
            played = record("curling", ["ann", "ben"], [1.0, 2.0 + number])
            ends = [1.0, 2.0 + number]
            origin = Origin("ostrom-curling", "7", scene)
            journal.add_game(experiment, played, key=str(number), origin=origin, finals=ends)
    rated = json.loads(call("ratings", "--store", place, "--passes", 5, "--json").stdout)
    assert (rated["game"], rated["games"]) == ("curling", 3)
    assert [(row["name"], row["mean_final"]) for row in rated["ratings"]] == [("ann", 1.0), ("ben", 3.0)]
    call("report", "curling", "-o", tmp_path / "report", "--store", place, "--passes", 5)
    said = (tmp_path / "report" / "summary.txt").read_text()
    assert "3 games of Curling, 2 players, 2 seats, 1 turns." in said
    assert "No player leads the ratings: all have fewer than" in said
    call("export", "-o", tmp_path / "tables", "--store", place)
    assert pl.read_parquet(tmp_path / "tables" / "seats.parquet")["rank"].to_list() == [1.0, 2.0] * 3
