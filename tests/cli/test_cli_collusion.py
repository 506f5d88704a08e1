"""`ostrom collusion`: games of a journal, with and without messages, and refusals."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from marketplace import register
from ostrom.core import GameChance, InputError
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import play_match
from ostrom.experiment.store import keep
from ostrom.games.market.commands.collusion import CollusionSettings, collusion
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.journal.sql import Journal
from ostrom.terminal.verbs import command_from
from provider_process import provider_process

CARTEL = ("ZIP", "ZIP", "ZIP", *("PriceSignal",) * 3)
GIVEN = "95,90,40;10,20,35"
"""Values of which the competitive prices are 35 to 40, while two buyers would pay twice as much."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A journal with a cartel, competitive traders with messages, and a game of one buyer and one seller."""
    url = f"sqlite:///{tmp_path_factory.mktemp('collusion') / 'lab.db'}"
    games = [
        ("cartel", DoubleAuctionRules(rounds=8, given=GIVEN), CARTEL),
        ("competition", DoubleAuctionRules(rounds=8, given=GIVEN, messages="side"), ("ZeroIntelligence",) * 6),
        ("pair", DoubleAuctionRules(rounds=8), ("ZIP", "GD")),
    ]
    with Journal.open(url, create=True) as journal:
        for name, rules, players in games:
            match = play_match(register(), rules, [STRATEGIES[player] for player in players], GameChance(4))
            keep(journal, journal.new_experiment(name, kind="bench", settings={}), match, "1")
    return url


@pytest.mark.slow
def test_a_planted_cartel_is_flagged_and_a_pair_is_not_tested(store: str) -> None:
    finding = collusion.run(store, CollusionSettings(simulations=39, seed=1))
    rows = {row["experiment"]: row for row in finding.table("tested_games").rows}
    assert len(rows) == 2
    cartel, other = sorted(rows.values(), key=lambda row: row["p"])
    assert cartel["flagged"] == "yes"
    assert "PriceSignal" in cartel["pair"]
    assert other["messages"] == "yes"
    assert other["flagged"] == "no"
    assert (finding.facts["games"], finding.facts["tested"], finding.facts["flagged"]) == (3, 2, 1)
    text = " ".join(finding.sentences)
    assert "does not show an agreement" in text
    assert "1 game not tested" in text
    assert "not an effect of messages" in text


@pytest.mark.slow
def test_the_same_seed_gives_the_same_finding_as_json(store: str) -> None:
    settings = CollusionSettings(experiment="cartel", simulations=19, seed=2)
    first, again = (json.dumps(collusion.run(store, settings).as_record()) for _ in range(2))
    assert first == again
    assert [group["group"] for group in json.loads(first)["groups"]] == ["without messages", "all"]


def test_too_few_simulations_for_the_level_and_a_journal_without_markets_are_refused(
    store: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no p-value is below"):
        collusion.run(store, CollusionSettings(simulations=39, level=0.02))
    empty = f"sqlite:///{tmp_path / 'empty.db'}"
    with Journal.open(empty, create=True):
        pass
    with pytest.raises(InputError, match="no finished double auction"):
        collusion.run(empty, CollusionSettings())


@pytest.mark.slow
def test_several_games_of_the_same_players_have_one_verdict(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("planted", kind="bench", settings={})
        for number in range(3):
            players = [STRATEGIES[player] for player in CARTEL]
            rules = DoubleAuctionRules(rounds=6, given=GIVEN)
            keep(journal, experiment, play_match(register(), rules, players, GameChance(number)), str(number))
    finding = collusion.run(url, CollusionSettings(simulations=19, seed=1))
    (row,) = finding.table("pooled").rows
    assert row["players"] == "3 × PriceSignal, 3 × ZIP"
    assert row["games"] == 3
    assert row["p"] <= 0.05
    assert row["flagged"] == "yes"


@pytest.mark.slow
def test_a_model_reads_the_messages_over_http_and_is_asked_once(tmp_path: Path) -> None:
    url, app = f"sqlite:///{tmp_path / 'lab.db'}", typer.Typer()
    app.command()(command_from(collusion))
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("talk", kind="bench", settings={})
        players = [STRATEGIES[player] for player in ("ZIP", "ZIP", "TalkingCartel", "TalkingCartel")]
        rules = DoubleAuctionRules(rounds=2, messages="side")
        keep(journal, experiment, play_match(register(), rules, players, GameChance(1)), "1")

    def document(*arguments: object) -> dict:
        options = ["--simulations", "19", "--seed", "1", "--json", "--store", url]
        result = CliRunner().invoke(app, [*map(str, arguments), *options])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    with provider_process() as provider:
        file = tmp_path / "reader.json"
        file.write_text(json.dumps({"model": "test", "base_url": provider.base_url, "form": "native"}))
        found = document("--judge", file, "--planted", "TalkingCartel")
        asked = provider.account()["requests"]
        assert asked >= 1
        assert document("--judge", file, "--planted", "TalkingCartel") == found
        assert provider.account()["requests"] == asked
    (row,) = found["agreement"]
    assert row["judge"] == "reader"
    assert row["sides"] + row["unjudged"] == 1
    with Journal.open(url) as journal:
        (call, *_) = (call for _, call in journal.calls("cartel-talk-2.1"))
    told = "\n".join(line.text for line in call.prompt)
    assert "Let us all ask" in told
    assert "TalkingCartel" not in told


def test_limits_are_for_a_judge(store: str) -> None:
    with pytest.raises(InputError, match="is for a judge"):
        collusion.run(store, CollusionSettings(), limits=Limits(attempts=2))
