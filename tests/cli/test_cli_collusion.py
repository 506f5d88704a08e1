"""`ostrom collusion`: games of a journal, with and without messages, and refusals."""

import json
from pathlib import Path

import pytest

from marketplace import register
from ostrom.core import GameChance, InputError
from ostrom.experiment.match import play_match
from ostrom.experiment.store import keep
from ostrom.games.market.commands.collusion import CollusionSettings, collusion
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.journal.sql import Journal

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
