"""The study API on 580 real games equals the commands and the measures."""

import asyncio
import shutil

import polars as pl
import pytest

from measured import PUNISH
from ostrom.experiment.hosting import Host
from ostrom.games.contribute_punish.measures import promise_keeping
from ostrom.games.contribute_punish.tables import tables_of
from ostrom.journal.sql import Journal
from people import PUNISHERS, game_with, sit_through
from serving import client
from studied import printed, strict

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lab(imported_games):
    with Journal.open(imported_games) as journal, client(journal) as result:
        yield result


@pytest.fixture(scope="module")
def tables(imported_games):
    with Journal.open(imported_games) as journal:
        return tables_of(journal.records())


def test_the_leaderboard_is_the_one_that_the_command_prints(lab, imported_games):
    result = strict(lab.get("/api/ratings").text)
    expected = printed("ratings", "--store", imported_games, "--json")
    assert result["games"] == expected["games"] == 580
    for ours, theirs in zip(result["rows"], expected["ratings"], strict=True):
        assert ours["player"] == theirs["name"]
        for name in ("mu", "sigma", "games", "mean_final", "tier", "strength", "lead", "differs_from_next"):
            assert ours[name] == theirs[name]
    assert result["rows"][0]["label"] == "Gemini 2.5 Pro Exp 03-25"


def test_a_persons_practice_game_changes_nothing_on_the_board(lab, imported_games, tmp_path):
    before = lab.get("/api/ratings").json()
    copy = tmp_path / "lab.db"
    shutil.copy(imported_games.removeprefix("sqlite:///"), copy)
    with Journal.open(f"sqlite:///{copy}") as journal:

        async def play():
            hosted = await Host(journal).start(game_with(["human", *PUNISHERS], rounds=10))
            await sit_through(hosted.room.seats[0])
            await hosted.wait()

        asyncio.run(play())
        with client(journal) as after:
            assert after.get("/api/studies").json()["studies"][0]["games"] == 581
            board = after.get("/api/ratings").json()
    assert board["rows"] == before["rows"]
    assert (board["games"], board["rules"], board["experiments"]) == (580, before["rules"], before["experiments"])
    assert "Apart: 1 single game" in board["left_out"][0]


def test_ratings_can_be_made_as_they_were_published(lab):
    result = lab.get("/api/ratings?passes=5").json()
    (published,) = result["published"]
    assert (published["source"], published["draw_probability"]) == ("PGG-Bench", 0.4)
    asked = lab.get("/api/ratings?passes=5&draw=0.4").json()
    assert (asked["passes"], asked["draw_probability"]) == (5, 0.4)
    spread = [max(row["mu"] for row in one["rows"]) - min(row["mu"] for row in one["rows"]) for one in (result, asked)]
    assert spread[1] > 1.3 * spread[0]
    free = lab.get("/api/ratings?passes=5&ranked=order-free").json()
    strengths = [row["strength"]["value"] for row in free["rows"]]
    assert (free["order_free"], strengths) == (True, sorted(strengths, reverse=True))
    assert "Ranked by Order-free strength: a Bradley–Terry model" in free["definition"]
    assert lab.get("/api/ratings?draw=2").status_code == 422


def test_every_chart_answers(lab):
    for section in lab.get("/api/charts").json()["sections"]:
        for entry in section["charts"]:
            chart = strict(lab.get(f"/api/charts/{entry['name']}").text)
            assert "no figures" not in chart["title"]


def test_every_table_has_the_values_of_its_measure(lab, tables):
    listed = {one["name"]: one for one in lab.get("/api/tables").json()["tables"]}
    assert listed["messages"]["rows"] == 28_789
    for name, measure in PUNISH.measures.items():
        expected = measure.function(tables)
        assert listed[name]["rows"] == expected.height
        page = strict(lab.get(f"/api/tables/{name}?limit=200").text)
        # Beside every player's id stands its name.
        own = [place for place, column in enumerate(page["columns"]) if column in expected.columns]
        assert [page["columns"][place] for place in own] == expected.columns
        finite = expected.head(200).with_columns(
            pl.when(pl.col(column).is_finite()).then(pl.col(column)).alias(column)
            for column, dtype in expected.schema.items()
            if dtype.is_float()
        )
        assert [[row[place] for place in own] for row in page["rows"]] == [list(row) for row in finite.iter_rows()]


def test_promises_are_counted_as_the_measure_counts_them(lab, tables):
    measured = promise_keeping(tables)
    # Games of before are read while somebody asks, some at a time, and the answer says how many are left.
    while (whole := lab.get("/api/messages?limit=1").json())["unread"]:
        pass
    assert whole["total"] == 28_789
    assert whole["promises"] == measured["promises"].sum()
    for player, share, promises in measured.select("player", "value", "promises").iter_rows():
        result = lab.get("/api/messages", params={"player": player, "limit": 1}).json()
        assert result["promises"] == promises
        assert result["kept"] / promises == pytest.approx(share)
        for promise, name in (("made", "promises"), ("kept", "kept"), ("broken", "broken")):
            query = {"player": player, "promise": promise, "limit": 1}
            assert lab.get("/api/messages", params=query).json()["total"] == result[name]


def test_messages_lead_to_their_moments(lab, imported_games):
    page = lab.get("/api/messages?text=fair&offset=1000&limit=20").json()["messages"]
    with Journal.open(imported_games) as journal:
        for one in page:
            event = journal.record(one["game"]).events[one["event"]]
            assert (event["event"], event["text"]) == ("message_said", one["text"])
            assert (event["round"], event["seat"]) == (one["round"], one["seat"])
