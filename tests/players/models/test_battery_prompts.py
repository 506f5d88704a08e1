"""What models are told in the battery: every number, no name of a game, options as the item shows them, short where it
must be short."""

import difflib
import re

import pytest
from battery_questions import (
    CHANCE,
    FOLDER,
    FORMS,
    VARIANTS,
    every_question,
    item,
    played,
    prompts,
    relabelled,
    risk,
    stated,
    text,
    time,
)

from battery_played import PLAYED
from ostrom.core import Amount
from ostrom.core.plugins import GAMES
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.players.models.briefing import ConversationalBriefing, briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, variants_of

NAMES = (
    r"ultimatum|dictator|trust|prisoner|dilemma|beauty|contest|stag|hare|hunt|centipede|public[ -]?goods?|pennies|penny"
    r"|travell?er|game|experiment|allais|ellsberg|garp|discount|lotter|risk|ambigu|econom|rational|cooperat|fair(ly|ness)"
    r"|reciproc|altruis|punish|proposer|responder|sender|returner|oracle|nash|equilibri"
)
EVERY = list(every_question())
IDS = [f"{game}-{question.phase}" for game, question in EVERY]


def numbers(told):
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", told)]


def test_models_can_be_asked_in_every_task_and_every_played_game():
    games = [task.game.name for task in TASKS.values()] + [game.name for game in PLAYED]
    assert all(briefing_of(game) for game in games)
    for game in games:
        assert variants_of(briefing_of(game)) == sorted(VARIANTS)
        assert not isinstance(briefing_of(game), ConversationalBriefing)
    assert {game for game, _ in EVERY} == set(games)


@pytest.mark.parametrize(("game", "question"), EVERY, ids=IDS)
def test_no_prompt_names_the_game_or_what_it_measures(game, question):
    for variant in VARIANTS:
        for form in FORMS:
            told = text(game, question, variant, form)
            assert re.findall(rf"\b(?:{NAMES})\w*", told, re.IGNORECASE) == []


@pytest.mark.parametrize("name", [task.game.name for task in TASKS.values()])
def test_every_question_of_the_grid_is_told_with_all_its_numbers(name):
    seen = set()
    for (game, _), questions in stated().items():
        if game != name:
            continue
        for question in questions:
            facts = question.view.facts
            if facts in seen:
                continue
            seen.add(facts)
            for variant in VARIANTS:
                told = numbers(question_text(briefing_of(game), question, Framing(variant=variant), CHANCE))
                assert {round(amount, 2) for amount in _amounts(facts)} <= set(told), (variant, facts)
    assert seen


def _amounts(facts):
    """The amounts that must be told."""
    wanted = (
        "sooner later pot offer endowment multiplier sent received stag hare players "
        "low high bonus step prize income gain loss"
    )
    for name in wanted.split():
        value = getattr(facts, name, None)
        if value is not None:
            yield value
    yield from getattr(facts, "prices", ())
    if isinstance(facts, CentipedeFacts):
        yield from (amount for piles in facts.payoffs[facts.node - 1 :] for amount in piles)
        yield from facts.end


@pytest.mark.parametrize(("game", "question"), [pair for pair in EVERY if pair[1].view.options])
def test_options_stand_in_the_order_and_under_the_labels_of_the_item(game, question):
    for variant in VARIANTS:
        meanings = set()
        for way in relabelled(question):
            told = text(game, way, variant)
            shown = re.findall(r"^([AB]): (.+)$", told, re.MULTILINE)
            assert [label for label, _ in shown] == list(way.view.labels)
            assert told.rstrip().endswith(f"with one of {', '.join(way.view.labels)}")
            meanings.add(frozenset(zip(way.view.options, (said for _, said in shown), strict=True)))
        assert len(meanings) == 1, "what an option says depends on where it stands"


@pytest.mark.parametrize(("game", "question"), EVERY, ids=IDS)
def test_the_terse_wording_is_short(game, question):
    """A model of 135 million parameters on a slow thread must get through hundreds: about 4 characters a token."""
    assert len(text(game, question, "terse")) < 500


def test_a_played_question_is_told_in_the_words_of_its_task():
    for game in PLAYED:
        assert type(briefing_of(game.name)) is type(briefing_of(f"stated_{game.name}"))
        assert GAMES[game.name] is game
    told = text("trust", played()["trust", "returner"][0])
    assert "They sent 40 dollars, so you received 120 dollars." in told


def test_days_are_whole_and_amounts_have_two_decimals():
    told = text("stated_time", time(9.5, 0, 10, 365.04))
    assert "A: 9.50 dollars today\nB: 10 dollars in 365 days" in told
    told = text("stated_time", time(9.9561, 30.42, 10, 60.84))
    assert "A: 9.96 dollars in 30 days\nB: 10 dollars in 61 days" in told
    assert "A: 1 dollar in 1 day\n" in text("stated_time", time(1, 1, 10, 365))


def test_probabilities_in_twelfths_are_told_as_such_and_others_as_percentages():
    told = text("stated_risk", risk((3 / 12, 4 / 12, 5 / 12), (0, 1, 0)))
    lottery = "25.0% (3 in 12) chance of 0 dollars, 33.3% (4 in 12) chance of 500 dollars"
    assert f"A: {lottery}, 41.7% (5 in 12) chance of 1000 dollars\nB: 500 dollars for sure" in told
    told = text("stated_risk", risk((1 / 12, 0, 11 / 12), (0, 1 - 513 / 1024, 513 / 1024)))
    assert "A: 8.3% (1 in 12) chance of 0 dollars, 91.7% (11 in 12) chance of 1000 dollars\n" in told
    assert "B: 49.90% chance of 500 dollars, 50.10% chance of 1000 dollars\n" in told


def test_the_centipede_tells_each_mover_its_own_side_of_the_end():
    asked = played()["centipede", "mover"]
    assert "if turn 6 is passed too: you get 10 dollars and the other person gets 5 dollars" in text(
        "centipede", asked[0]
    )
    assert "if turn 6 is passed too: you get 5 dollars and the other person gets 10 dollars" in text(
        "centipede", asked[5]
    )


def test_a_currency_and_a_size_are_told_and_asked():
    told = text("stated_trust", stated()["stated_trust", "sender"][0], unit="francs", scale=100)
    assert "francs" in told
    assert "dollar" not in told
    endowment = stated()["stated_trust", "sender"][0].view.facts.endowment
    assert f"with a number from 0 to {endowment * 100:g}\n" in told


def test_units_that_can_be_bought_are_no_money():
    question = item("garp", "allocator", BudgetFacts(100.0, (3.0, 2.0)), spec=Amount(0, 100 / 3))
    told = text("stated_garp", question, scale=10)
    assert "You have 1000 dollars" in told
    assert "One unit of X costs 30 dollars" in told
    assert told.rstrip().endswith("with a number from 0 to 33.33")


def test_claims_are_told_at_their_scale():
    facts = ClaimFacts(0.2, 10.0, 0.2, 0.1, 0.1)
    question = next(one for one in stated()["stated_traveller", "claimant"] if one.view.facts == facts)
    assert "with a number from 0.2 to 10 in steps of 0.1" in text("stated_traveller", question)
    question = next(one for one in stated()["stated_traveller", "claimant"] if one.view.facts.scale == 10)
    assert "with a whole number from 20 to 1000 that is a multiple of 10" in text("stated_traveller", question)


def test_prompts_are_worded_as_kept():
    made = prompts()
    assert sorted(path.name for path in FOLDER.glob("*.txt")) == sorted(made)
    for name, told in made.items():
        kept = (FOLDER / name).read_text(encoding="utf-8")
        changes = "\n".join(difflib.unified_diff(kept.splitlines(), told.splitlines(), name, "now", lineterm=""))
        assert not changes, f"python tests/players/models/battery_questions.py writes them anew\n{changes}"
