"""Lines that judges picked, over the API: highest ratings first, by player and judge, with their moments."""

import pytest

from kept import opened, punish
from ostrom.core import GameChance
from ostrom.core.game import make_rules
from ostrom.core.spoken import lines_of
from ostrom.experiment import play_match, record_of
from ostrom.games.judge.quotes import QUOTES
from ostrom.testing import ScriptedJudge
from serving import client


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with opened(f"sqlite:///{tmp_path_factory.mktemp('quotes')}/journal.db") as journal:
        said = journal.new_experiment("talk", kind="punish")
        journal.add_game(said, punish(4, text="Trust is all we have"), key="t")
        source = f"{said}.1"
        rules = make_rules(QUOTES, {"source": source, "lines": lines_of(journal.record(source).events)})
        picks = [{"line": 1, "rating": 3, "reason": "plain"}, {"line": 2, "rating": 9, "reason": "<b>bold</b>"}]
        match = play_match(QUOTES, rules, [ScriptedJudge(lambda question: picks, "reader")], GameChance(0, 0))
        journal.add_game(journal.new_experiment("readings", kind="quotes"), record_of(match), key=source)
        with client(journal) as result:
            yield result


def test_the_highest_ratings_come_first_and_lead_to_their_moments(lab):
    page = lab.get("/api/quotes").json()
    assert [(one["rating"], one["reason"]) for one in page["lines"]] == [(9, "<b>bold</b>"), (3, "plain")]
    assert page["judges"] == [{"judge": "reader", "games": 1, "portions": 1, "defaulted": 0}]
    for one in page["lines"]:
        event = lab.get(f"/api/games/{one['game']}/events", params={"first": one["event"], "limit": 1}).json()["events"]
        assert event[0]["text"] == one["text"]


def test_quotes_are_found_by_player_and_judge(lab):
    players = lab.get("/api/quotes").json()["players"]
    result = lab.get("/api/quotes", params={"player": players[0]}).json()
    assert {one["player"] for one in result["lines"]} == {players[0]}
    assert lab.get("/api/quotes", params={"judge": "nobody"}).json()["total"] == 0


def test_what_was_said_in_an_archived_experiment_is_not_quoted(lab):
    journal = lab.app.state.service.journal
    journal.archive("talk")
    try:
        assert lab.get("/api/quotes?limit=3").json()["total"] == 0
    finally:
        journal.archive("talk", archived=False)
