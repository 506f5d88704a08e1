"""What the docs of the first version told users to import still imports, and says where it is now."""

import importlib

import pytest

from ostrom.aliases import MOVED

NAMES = {
    "ostrom.lab.auditing": ["audit"],
    "ostrom.lab.battery": ["battery"],
    "ostrom.lab.experiments": ["run_experiment"],
    "ostrom.lab": ["make_rules", "play", "record_of", "replay"],
    "ostrom.players.champions": ["CHAMPIONS", "Champion", "Context", "register_champion"],
    "ostrom.players.llm.framing": ["Framing"],
    "ostrom.players.llm.prompting": ["prompt_of"],
    "ostrom.study.audit": ["answers_of", "audited"],
    "ostrom.study.ratings": ["multipass", "order_free", "results_of", "tiers"],
    "ostrom.study.standing": ["rate_players"],
    "ostrom.table": [
        "Amount",
        "Answer",
        "Call",
        "GameChance",
        "Line",
        "Question",
        "Registry",
        "Seat",
        "Table",
        "Usage",
        "seats",
    ],
    "ostrom.testing.biased": ["BIASED"],
}
KEPT = {
    "ostrom.games": ["GAMES"],
    "ostrom.games.commons": ["CommonsRules"],
    "ostrom.journal.sql": ["Journal"],
    "ostrom.players.roster": ["choose"],
    "ostrom.sim.tournament": ["tournament"],
    "ostrom.testing.provider": ["Provider"],
}


@pytest.mark.parametrize("path", list(MOVED))
def test_an_old_path_imports_and_names_the_new_one(path: str) -> None:
    with pytest.warns(DeprecationWarning, match=MOVED[path].replace(".", r"\.")):
        module = importlib.reload(importlib.import_module(path))
    for name in NAMES.get(path, []):
        assert getattr(module, name) is getattr(importlib.import_module(MOVED[path]), name)


@pytest.mark.parametrize("path", list(KEPT))
def test_paths_that_did_not_move(path: str) -> None:
    for name in KEPT[path]:
        assert hasattr(importlib.import_module(path), name)


def test_what_never_was_does_not_import() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("ostrom.arena.nothing")
