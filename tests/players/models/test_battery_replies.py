"""How replies to the battery's questions are read: in every form the label or number means what the item says it means;
what is malformed, illegal or refused gives no answer and says why."""

import json

import pytest
from asked import FakeConnection, ask, play, player
from battery_questions import CHANCE, FORMS, VARIANTS, every_question, item, played, relabelled, stated

from battery_played import PLAYED
from ostrom.core import Amount, Fault, GameChance, Provenance, Usage
from ostrom.core.plugins import GAMES
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.stated import TASKS
from ostrom.players.base import REFUSAL, Reply, Unanswered
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import grammar_of
from ostrom.players.models.reading import read_reply
from ostrom.testing import ScriptedJudge

EVERY = list(every_question())
CHOICES = [pair for pair in EVERY if pair[1].view.options]
AMOUNTS = [pair for pair in EVERY if not pair[1].view.options]
FIELDS = {
    "giver": "transfer",
    "proposer": "offer",
    "sender": "send",
    "returner": "return",
    "contributor": "contribution",
    "claimant": "claim",
    "guesser": "guess",
    "allocator": "amount",
}


def named(pairs):
    return [f"{game}-{question.phase}" for game, question in pairs]


def written(form, field, value):
    """An answer as a model would write it in a form."""
    if form == "tags":
        return f"I think about it.\n<{field}>{value}</{field}>"
    answer = json.dumps({field: value})
    return answer if form in ("native", "tool") else f"Let me see.\n```json\n{answer}\n```"


def read(game, question, reply, form, framing=None, **extra):
    briefing, framing = briefing_of(game), framing or Framing()
    fields = briefing.form(question, framing, CHANCE)
    got = Reply(reply, Usage(), None, "stop", {}, extra)
    return read_reply(briefing, question, fields, form, got, 1000).value


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("game", "question"), CHOICES, ids=named(CHOICES))
def test_a_label_means_the_option_that_it_stands_for(game, question, form):
    for way in relabelled(question):
        for label, option in zip(way.view.labels, way.view.options, strict=True):
            assert read(game, way, written(form, "choice", label), form) == option
            assert read(game, way, written(form, "choice", label.lower()), form) == option


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("game", "question"), AMOUNTS, ids=named(AMOUNTS))
def test_a_number_is_the_amount_that_it_says(game, question, form):
    field, spec = FIELDS[question.phase], question.spec
    whole = spec.whole or question.phase == "claimant"
    middle = round((spec.low + spec.high) / 2) if whole else round(0.123 * spec.high, 2)
    if question.phase == "claimant":
        middle = round(spec.low + 7 * spec.step, 9)
    for value in (spec.low, middle):
        value = int(value) if float(value).is_integer() else value
        got = read(game, question, written(form, field, value), form)
        assert got == pytest.approx(value, abs=1e-9)
        assert got == question.spec.validate(got)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("unit", "scale"), [("francs", 10), ("points", 100)])
def test_amounts_in_another_currency_and_size_come_back_in_the_games_own(form, unit, scale):
    framing = Framing(unit=unit, scale=scale)
    sender = stated()["stated_trust", "sender"][0]
    half = sender.view.facts.endowment / 2
    assert read("stated_trust", sender, written(form, "send", half * scale), form, framing) == half
    guesser = stated()["stated_beauty_contest", "guesser"][0]
    assert read("stated_beauty_contest", guesser, written(form, "guess", 33), form, framing) == 33
    for claimant in stated()["stated_traveller", "claimant"]:
        claim = round(claimant.spec.low + 7 * claimant.spec.step, 9)
        told = round(claim * scale, 9)
        told = int(told) if float(told).is_integer() else told
        got = read("stated_traveller", claimant, written(form, "claim", told), form, framing)
        assert got == pytest.approx(claim)
    budget = item("garp", "allocator", BudgetFacts(100.0, (3.0, 2.0)), spec=Amount(0, 100 / 3))
    assert read("stated_garp", budget, written(form, "amount", 33.33), form, framing) == 33.33


BAD_CHOICES = [
    ("C", Fault.ILLEGAL),
    ("A or B", Fault.ILLEGAL),
    ("", Fault.ILLEGAL),
    ("A</choice><choice>neither", Fault.ILLEGAL),
    ("sooner", Fault.ILLEGAL),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("label", "fault"), BAD_CHOICES)
def test_what_is_no_label_is_refused_with_the_labels(form, label, fault):
    question = stated()["stated_time", "chooser"][0]
    with pytest.raises(Unanswered, match=r"it must be one of [AB], [AB]") as refused:
        read("stated_time", question, written(form, "choice", label), form)
    assert refused.value.fault is fault


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (-0.01, Fault.ILLEGAL),
        (10.01, Fault.ILLEGAL),
        (1e300, Fault.ILLEGAL),
        ("half", Fault.MALFORMED),
        ("$5", Fault.MALFORMED),
        ("5 dollars", Fault.MALFORMED),
        ("5,00", Fault.MALFORMED),
        ("50%", Fault.MALFORMED),
    ],
)
def test_what_is_no_amount_within_bounds_is_refused_and_never_guessed(form, value, fault):
    question = item("dictator", "giver", stated()["stated_dictator", "giver"][0].view.facts, spec=Amount(0, 10))
    with pytest.raises(Unanswered, match="it must be a number from 0 to 10") as refused:
        read("stated_dictator", question, written(form, "transfer", value), form)
    assert refused.value.fault is fault


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("scale", "claim"), [(0.1, 0.25), (0.1, 0.1), (1, 2.5), (1, 1), (10, 25), (10, 15), (10, 1010)]
)
def test_claims_between_steps_and_beyond_bounds_are_refused(form, scale, claim):
    asked = stated()["stated_traveller", "claimant"]
    question = next(one for one in asked if one.view.facts.scale == scale)
    with pytest.raises(Unanswered, match=r"claim: .* it must be a") as refused:
        read("stated_traveller", question, written(form, "claim", claim), form)
    assert refused.value.fault is Fault.ILLEGAL


@pytest.mark.parametrize("guess", [33.5, -1, 101])
def test_guesses_are_whole_and_within_bounds(guess):
    question = stated()["stated_beauty_contest", "guesser"][0]
    with pytest.raises(Unanswered, match="a whole number from 0 to 100"):
        read("stated_beauty_contest", question, written("native", "guess", guess), "native")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("game", "question"), EVERY, ids=named(EVERY))
def test_prose_echoes_other_fields_and_silence_are_no_answer(game, question, form):
    field = FIELDS.get(question.phase, "choice")
    replies = [
        "I choose A, and I give 5.",
        "CHOICE=A",
        f"<{field}>…</{field}>",
        f"<{field}>",
        f'{{"{field}": ',
        f'{{"{field}": null}}',
        f'{{"{field}": ["A"]}}',
        '{"answer": "A"}',
        f'{{"{field}": "A", "{field}": "B"}}',
        f'{{"{field}": {{"{field}": 1}}}}',
    ]
    for reply in replies:
        with pytest.raises(Unanswered) as refused:
            read(game, question, reply, form)
        assert refused.value.fault in (Fault.MALFORMED, Fault.ILLEGAL)
        assert refused.value.reason
    with pytest.raises(Unanswered) as refused:
        read(game, question, "  ", form)
    assert refused.value.fault is Fault.EMPTY
    with pytest.raises(Unanswered) as refused:
        read(game, question, "", form, **{REFUSAL: "I would rather not."})
    assert refused.value.fault is Fault.REFUSED


def test_the_last_answer_of_a_reply_counts():
    question = next(relabelled(stated()["stated_loss", "chooser"][0]))
    assert question.view.labels == ("A", "B")
    reply = "At first <choice>B</choice>, no: <choice>A</choice>"
    assert read("stated_loss", question, reply, "tags") == question.view.options[0]


@pytest.mark.parametrize(("game", "question"), EVERY, ids=named(EVERY))
def test_every_answer_has_a_grammar(game, question):
    fields = briefing_of(game).form(question, Framing(), CHANCE)
    assert grammar_of(fields).startswith(f'root ::= "<{fields[0].name}>" ')


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_models_play_whole_games(game, form):
    count = 2 if game.seats.most == 2 else 4
    connection, chance = FakeConnection(form, seed=3), GameChance(3)
    for variant in VARIANTS:
        players = [player(game.name, connection, Framing(variant=variant), chance) for _ in range(count)]
        decided = play(game, game.rules(), players, chance, connection)
        assert decided
        assert all(answer.provenance is Provenance.ANSWERED for _, answer in decided)


def test_a_model_and_a_script_play_the_same_game():
    connection, chance = FakeConnection("tags", script=lambda prompt: "<offer>30</offer>"), GameChance(3)
    script = ScriptedJudge(lambda question: "accept" if question.view.facts.offer >= 30 else "reject")
    players = [player("ultimatum", connection, Framing(), chance), script.sit(None, chance)]
    decided = play(GAMES["ultimatum"], GAMES["ultimatum"].rules(), players, chance, connection)
    assert [answer.value for _, answer in decided] == [30, "accept"]


def test_no_item_remembers_another():
    connection, chance = FakeConnection("native"), GameChance(3)
    one = player("stated_ultimatum", connection, Framing(), chance)
    questions = stated()["stated_ultimatum", "responder"][:3]
    for question in questions:
        ask(one, question, connection)
    fresh = [player("stated_ultimatum", connection, Framing(), chance).compose(question, []) for question in questions]
    assert [request.prompt for request in fresh] == connection.sent
    assert all([line.role for line in prompt] == ["system", "user"] for prompt in connection.sent)


@pytest.mark.parametrize("name", [task.game.name for task in TASKS.values()])
def test_a_refused_reply_is_told_why_and_asked_again(name):
    replies = iter(["what?"])
    connection = FakeConnection("tags", script=lambda prompt: next(replies, None))
    question = next(asked for game, asked in EVERY if game == name)
    answer = ask(player(name, connection, Framing(), CHANCE), question, connection)
    assert answer.provenance is Provenance.REPAIRED
    assert "This reply was not accepted: the reply holds no whole <" in connection.sent[-1][-1].text
    assert question.spec.validate(answer.value) == answer.value


def test_played_questions_are_among_those_tested():
    assert {game for game, _ in played()} == {game.name for game in PLAYED}
