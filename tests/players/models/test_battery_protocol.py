"""The quick protocol of the battery, put to a model in words from the first item to the last."""

import pytest
from asked import FakeConnection, play, player
from battery_questions import FORMS, VARIANTS

from ostrom.core import GameChance, Provenance
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.stated import TASKS
from ostrom.players.models.framing import Framing

QUICK = load_protocol("quick")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", QUICK)
def test_a_model_goes_through_the_task(name, form):
    game, chance = TASKS[name].game, GameChance(2)
    rules = QUICK[name]
    if name == "traveller":
        # Drawn numbers seldom fall on a step of a tenth.
        rules = rules.model_copy(update={"scales": (1.0, 10.0)})
    connection = FakeConnection(form, seed=2)
    variant = VARIANTS[FORMS.index(form) % 3]
    decided = play(game, rules, [player(game.name, connection, Framing(variant=variant), chance)], chance, connection)
    assert decided
    assert len(decided) == len(connection.sent)
    for question, answer in decided:
        assert answer.provenance is Provenance.ANSWERED
        if question.view.options:
            assert answer.value in question.view.options
    # Items that share facts, labels and order share their words; nothing of an item's place in the grid is told.
    by_facts = {}
    for (question, _), prompt in zip(decided, connection.sent, strict=True):
        view = question.view
        by_facts.setdefault((view.facts, view.options, view.labels, question.phase), set()).add(prompt)
    assert all(len(prompts) == 1 for prompts in by_facts.values())
