"""The provenance of a report: in its page, in a file beside it, and in JSON."""

import json

import pytest

from ostrom.analysis.provenance import FILE, IMPORTED, provenance_of
from ostrom.charts.report import ReportPage
from ostrom.core.command import typed_command
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import enter, run_experiment
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import prompts_digest
from ostrom.players.roster import ModelContestant, seat_players
from ostrom.version import VERSION

PUNISH = GAMES["contribute_punish"]
COST_FIELDS = (
    *("dollars", "reserved", "calls", "tokens"),
    *("input_tokens", "cache_read_tokens", "cache_write_tokens", "reused", "saved"),
)


@pytest.fixture
def journal(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}", create=True) as journal:
        yield journal


def planned(players=None, seed=5):
    players = players or seat_players(PUNISH.name)[:3]
    return Experiment((Part(PUNISH, PUNISH.rules(rounds=1), players, len(players), 2, seed),))


def made(journal, command=None):
    return provenance_of(journal, "the game", [PUNISH], journal.ended.results([PUNISH.name]), command)


def test_it_names_games_rules_seeds_dates_cost_and_versions(journal):
    run_experiment(planned(), journal)
    result = made(journal, "ostrom report -o here").as_record()
    assert (result["ostrom"], result["command"], result["games"]) == (VERSION, "ostrom report -o here", 2)
    assert result["played_with"] == {VERSION: 2}
    assert result["seeds"] == ["5"]
    (rules,) = result["rules"]
    assert (rules["games"], rules["rules"]["rounds"]) == (2, 1)
    assert result["first"] <= result["last"] <= result["made"]
    assert result["cost"] == dict.fromkeys(COST_FIELDS, 0)
    assert len(result["others"]) == 3
    assert json.loads(json.dumps(result)) == result


def test_it_names_models_with_temperature_personality_and_prompts(journal):
    bot = Bot(name="ada", model="openai:x", temperature=0.7, personality="Be kind.")
    enter(planned([ModelContestant(bot, PUNISH.name), *seat_players(PUNISH.name)[:2]]), journal)
    run_experiment(planned(), journal)
    settings = journal.ended.settings()
    # The games are those of algorithms; the plan that is read is the one with the model.
    results = [one._replace(experiment="punish-1") for one in journal.ended.results([PUNISH.name])]
    result = provenance_of(journal, "the game", [PUNISH], results, None)
    (model,) = result.models
    assert (model["name"], model["model"], model["temperature"]) == ("ada", "openai:x", 0.7)
    assert model["prompts"] == prompts_digest(PUNISH.name) == settings["punish-1"]["made"]["prompts"][PUNISH.name]
    assert model["personality"]
    assert "Be kind" not in json.dumps(result.as_record())
    assert "ada: openai:x, temperature 0.7" in {title: text for title, text, _ in result.entries()}["Models"]


def test_the_prompts_of_two_games_have_two_versions():
    assert prompts_digest(PUNISH.name) == prompts_digest(PUNISH.name) != prompts_digest("commons")


def test_a_command_is_repeated_without_keys(monkeypatch):
    key = "sk-abcdefghijklmnop"
    words = [
        "/usr/bin/ostrom",
        "bench",
        "punish",
        "--store",
        "postgresql://me:secret@db/lab",
        "--name",
        f"two words {key}",
    ]
    monkeypatch.setattr("sys.argv", words)
    result = typed_command()
    assert result.startswith("ostrom bench punish --store ")
    assert "secret" not in result
    assert key not in result
    for typed in (
        ("postgresql://me:a/b?secret@db/lab",),
        ("--store=postgresql://me:secret@db/lab",),
        ("postgresql:///lab?user=me&password=secret&sslpassword=secret",),
        ("--token", "secret-of-the-pages"),
        ("--token=secret-of-the-pages",),
    ):
        monkeypatch.setattr("sys.argv", ["/usr/bin/ostrom", "serve", *typed, "--port", "8000"])
        assert "secret" not in typed_command()
        assert typed_command().endswith("--port 8000")
    monkeypatch.setattr("sys.argv", ["/usr/bin/pytest", "-q"])
    assert typed_command() is None


def test_it_lies_in_the_page_and_beside_it(tmp_path, journal):
    run_experiment(planned(), journal)
    page = ReportPage("A title", "Facts.", [], [], provenance=(made(journal, "ostrom report -o <here>"),))
    page.write(tmp_path / "report", {}, {})
    text = (tmp_path / "report" / "report.html").read_text()
    assert "Provenance" in text
    assert "ostrom report -o &lt;here&gt;" in text
    assert json.loads((tmp_path / "report" / FILE).read_text())["seeds"] == ["5"]


def test_imported_games_name_their_source_and_days_and_claim_neither_models_nor_cost(journal):
    run_experiment(planned(), journal)
    experiment = journal.new_experiment("logs", kind=IMPORTED, settings={"source": "logs of a bench"})
    for game in journal.games("punish-1"):
        journal.add_game(experiment, journal.record(game.id), key=game.key)
    journal.widen_dates(experiment, ["2025-04-03", "2025-03-05", "2025-03-09"])
    journal.widen_dates(experiment, ["2025-03-20"])
    results = [each for each in journal.ended.results([PUNISH.name]) if each.experiment == experiment]
    texts = {title: text for title, text, _ in provenance_of(journal, "a game", [PUNISH], results, None).entries()}
    assert texts["Source"] == "logs of a bench, 2 games, played 2025-03-05 to 2025-04-03 by the logs"
    assert "Played with" not in texts
    assert texts["Imported and replayed with"].startswith(f"Ostrom {VERSION}")
    assert texts["Models"].startswith("settings unknown for the players of imported games: ")
    assert texts["Cost"] == "unknown for imported games"
    mixed = {title: text for title, text, _ in made(journal).entries()}
    assert mixed["Cost"].startswith("unknown for imported games; $0.0000")
