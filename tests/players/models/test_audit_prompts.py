"""An audited question is put in the game's own words under the audit's framing, and an answer means the same decision
under all of them."""

import pytest

from ostrom.core import GameChance, Seat, Table
from ostrom.core.plugins import GAMES
from ostrom.games.audit import AuditFraming, AuditRules
from ostrom.games.audit.biased import BIASED
from ostrom.games.audit.commands.plan import AuditPlan
from ostrom.games.audit.design import item_variant, table_variant
from ostrom.games.audit.play import AuditView
from ostrom.games.battery.stated import TASKS
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing as Told
from ostrom.players.models.prompting import prompt_of

CHANCE = GameChance(0)


def question_of(rules):
    (question,) = next(GAMES["audit"].play(rules, Table((Seat(0),), CHANCE)))
    return question


def planned(game, **settings):
    return AuditPlan(GAMES[game], BIASED["scripted:unbiased"], situations=2, seed=3, **settings)


def framed(rules, levels):
    way = table_variant(levels, rules.seats, rules.seat)
    return rules.model_copy(update={"places": way.places, "framing": way.framing})


def read(question, tags):
    """The raw answer that tags stand for, as the game would validate it."""
    briefing = briefing_of("audit")
    fields = {field.name: field for field in briefing.form(question, Told(), CHANCE)}
    values = {name: fields[name].from_tag(text) for name, text in tags.items()}
    return question.spec.validate(briefing.decode(question, values))


@pytest.mark.parametrize(("unit", "scale"), [("tokens", 1), ("dollars", 100), ("francs", 10), ("points", 1)])
def test_a_contribution_is_the_same_decision_in_every_currency_and_size(unit, scale):
    rules = next(iter(planned("contribute_punish").fixtures())).rules
    question = question_of(framed(rules, {"currency": unit, "scale": f"×{scale}"}))
    assert read(question, {"contribution": str(7 * scale)}) == 7
    text = "\n".join(line.text for line in prompt_of("audit", question, Told(), CHANCE))
    assert unit in text
    assert str(question.view.question.view.balance * scale) in text


def test_a_punishment_names_the_same_player_under_every_name_and_seat():
    rules = next(iter(planned("contribute_punish", phase="punishment").fixtures())).rules
    victim = next(seat for seat in range(4) if seat != rules.seat)
    found = set()
    for label in ("P1", "P4", "Elm", "Ash"):
        for place in ("first", "middle", "last"):
            for order in ("as seated", "reversed", "turned"):
                put = framed(rules, {"labels": label, "seat": place, "order": order, "scale": "×100"})
                name = put.framing.labels[put.seating[victim]]
                answer = read(question_of(put), {"punish": f"{name}=300"})
                found.add((put.seating.index(answer["target"]), answer["spend"]))
    assert found == {(victim, 3)}


@pytest.mark.parametrize(
    ("game", "phase"), [("contribute_punish", None), ("contribute_punish", "punishment"), ("commons", None)]
)
def test_every_way_to_put_a_question_gives_a_prompt_of_its_own(game, phase):
    fixtures = [fixture for fixture in planned(game, phase=phase).fixtures() if fixture.rules.repeat == 0]
    prompts = set()
    for fixture in fixtures:
        question = question_of(fixture.rules)
        text = "\n".join(line.text for line in prompt_of("audit", question, Told(), CHANCE))
        assert isinstance(question.view, AuditView)
        assert fixture.rules.levels["labels"] in text
        assert fixture.rules.levels["currency"].rstrip("s") in text
        assert "audit" not in text.lower()
        prompts.add(text)
    assert len(prompts) == len(fixtures)


def test_the_names_are_listed_in_the_order_that_the_framing_says():
    rules = AuditRules(framing=AuditFraming(labels=("Elm", "Ash", "Larch", "Rowan"), order=(2, 0, 3, 1)))
    text = "\n".join(line.text for line in prompt_of("audit", question_of(rules), Told(), CHANCE))
    places = [text.index(name) for name in ("Larch", "Elm", "Rowan", "Ash")]
    assert places == sorted(places)


@pytest.mark.parametrize(("task", "role"), [(name, role) for name, task in TASKS.items() for role in task.roles])
def test_every_way_to_put_an_item_gives_a_prompt_of_its_own(task, role):
    fixtures = [one for one in planned(f"stated_{task}", phase=role).fixtures() if one.rules.repeat == 0][:12]
    prompts = set()
    for fixture in fixtures:
        question = question_of(fixture.rules)
        text = "\n".join(line.text for line in prompt_of("audit", question, Told(), CHANCE))
        levels = fixture.rules.levels
        assert levels["currency"].rstrip("s") in text
        assert "audit" not in text.lower()
        if fixture.rules.choices:
            item = question.view.question.view
            label = item.label_of(fixture.rules.choices[0])
            assert label == levels["labels"].rpartition(" ")[2]
            assert text.index(f"\n{item.labels[0]}: ") < text.index(f"\n{item.labels[1]}: ")
            assert read(question, {"choice": label}) == fixture.rules.choices[0]
        prompts.add(text)
    assert len(prompts) == len({tuple(fixture.rules.levels.values()) for fixture in fixtures})


def test_an_amount_of_a_task_is_the_same_decision_in_every_currency_and_size():
    rules = next(iter(planned("stated_dictator").fixtures())).rules
    for unit in ("dollars", "points"):
        for scale in (1, 10, 100):
            way = item_variant({"currency": unit, "scale": f"×{scale}"}, ())
            question = question_of(rules.model_copy(update={"framing": way.framing}))
            assert read(question, {"transfer": str(7 * scale)}) == 7
