"""From raw replies to values: the last whole answer, and never a guess."""

import math

import pytest

from ostrom.core import IllegalAnswer
from ostrom.players.models.fields import (
    AimedField,
    ChoiceField,
    MalformedReply,
    NumberField,
    RecordsField,
    TextField,
    schema_of,
)
from ostrom.players.models.prompting import dumped, form_section
from ostrom.players.models.reading import from_json, from_tags

GIVE = (NumberField("contribution", 0, 20, whole=True),)
MOVE = (
    TextField("reasoning", 60),
    NumberField("contribution", 0.0, 1.0),
    NumberField("lobby", -50.0, 50.0),
    ChoiceField("vote", (("Ash", 1), ("Elm", 2), ("nobody", None))),
)
PUNISH = (AimedField("punish", (("P1", 0), ("P3", 2)), 1, 10),)


@pytest.mark.parametrize(
    "text",
    [
        '{"contribution": 7}',
        'I think so. {"contribution": 7} That is all.',
        '```json\n{"contribution": 7}\n```',
        '{"contribution": 3}\nNo, rather:\n{"contribution": 7}',
        '{"contribution": 7} {"note": "no answer"}',
        '{"contribution": 7, "reasoning": "as {\\"contribution\\": 3} would be mean"}',
        '{"contribution": 7.0}',
        'a brace { in prose, then {"contribution": 7}',
        '{"contribution": oops {"contribution": 7}',
        '[{"contribution": 7}]',
        '{"contribution": 7} and then {"contribution": 3',
    ],
)
def test_the_last_whole_object_is_the_answer(text: str) -> None:
    assert from_json(text, GIVE) == {"contribution": 7}


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "I contribute 7 tokens.",
        '{"contribution": 7',
        '{"contribution": ',
        '{"answer": {"contribution": 7}}',
        '{"answer": {"contribution": 7}',
        '{"answer": {"contribution": 7}, "reasoning": "because',
        '{"contribution": 3, "contribution": 7}',
        '{"contribution": 7, "vote": "P2"}',
        '{"contribution": "7"}',
        '{"contribution": true}',
        '{"contribution": null}',
        '{"contribution": [7]}',
        "{'contribution': 7}",
        "<contribution>7</contribution>",
    ],
)
def test_what_is_not_of_the_form_is_malformed(text: str) -> None:
    with pytest.raises(MalformedReply) as refused:
        from_json(text, GIVE)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999", "21", "-1", "7.5", "9" * 400])
def test_numbers_that_the_rules_refuse_are_illegal(token: str) -> None:
    with pytest.raises(IllegalAnswer):
        from_json(f'{{"contribution": {token}}}', GIVE)
    if len(token) < 40:
        with pytest.raises(IllegalAnswer):
            from_tags(f"<contribution>{token}</contribution>", GIVE)


def test_the_schema_of_the_form_is_no_answer() -> None:
    with pytest.raises(MalformedReply):
        from_json(form_section(GIVE, "prompted"), GIVE)
    assert from_json(form_section(GIVE, "prompted") + '\n{"contribution": 7}', GIVE) == {"contribution": 7}
    assert from_json('{"contribution": 7}\n' + dumped(schema_of(GIVE)), GIVE) == {"contribution": 7}


def test_the_form_in_tags_is_no_answer() -> None:
    for fields in (GIVE, MOVE, PUNISH, (TextField("message", 50),)):
        with pytest.raises(MalformedReply):
            from_tags(form_section(fields, "tags"), fields)
    assert from_tags("<contribution>7</contribution>\n" + form_section(GIVE, "tags"), GIVE) == {"contribution": 7}


@pytest.mark.parametrize(
    "text",
    [
        "<contribution>7</contribution>",
        "<CONTRIBUTION> 7.0\n</Contribution>",
        "<contribution>3</contribution> no: <contribution>7</contribution> so be it",
        "the tag <contribution> wants a number: <contribution>7</contribution>",
        "<contribution>7</contribution> <contribution>3",
        "<contribution>7</contribution><reasoning>why not <contribution>3</contribution>?</reasoning>",
        "<reasoning>unfinished <contribution>7</contribution>",
    ],
)
def test_the_last_whole_tag_is_the_answer(text: str) -> None:
    assert from_tags(text, GIVE) == {"contribution": 7}


@pytest.mark.parametrize(
    "inside", ["ten", "10 tokens", "about 10", "10%", "1,0", "", "10/2", "٣", "0x1", "1_0", "--1", "…"]
)
def test_only_a_number_is_a_number(inside: str) -> None:
    with pytest.raises(MalformedReply):
        from_tags(f"<contribution>{inside}</contribution>", GIVE)


def test_all_tags_must_be_there_but_reasoning() -> None:
    text = "<contribution>0.5</contribution><lobby>-3.25</lobby><vote>elm</vote>"
    assert from_tags(text, MOVE) == {"contribution": 0.5, "lobby": -3.25, "vote": 2}
    with pytest.raises(MalformedReply, match="<vote>"):
        from_tags(text.replace("vote>", "veto>"), MOVE)
    with pytest.raises(IllegalAnswer, match="Ash, Elm, nobody"):
        from_tags(text.replace("elm", "Oak"), MOVE)


def test_punishments_in_both_forms() -> None:
    assert from_tags("<punish>P3=4</punish>", PUNISH) == {"punish": {"target": 2, "spend": 4}}
    assert from_tags("<punish> nobody </punish>", PUNISH) == {"punish": {"target": None, "spend": 0}}
    assert from_json('{"target": "P1", "spend": 1}', PUNISH) == {"punish": {"target": 0, "spend": 1}}
    assert from_json('{"target": "nobody", "spend": 0}', PUNISH) == {"punish": {"target": None, "spend": 0}}
    for wrong in ("P2=4", "P3=0", "P3=11", "nobody=3"):
        with pytest.raises(IllegalAnswer):
            from_tags(f"<punish>{wrong}</punish>", PUNISH)
    for wrong in ("P3", "P3: 4", "P3=four", "P3=4, P1=2", "4"):
        with pytest.raises(MalformedReply):
            from_tags(f"<punish>{wrong}</punish>", PUNISH)
    for target, spend in (("P2", 1), ("nobody", 1), ("P1", 0), ("P1", 2.5)):
        with pytest.raises(IllegalAnswer):
            from_json(dumped({"target": target, "spend": spend}), PUNISH)


def test_scaled_amounts_are_divided_and_must_be_multiples() -> None:
    scaled = (NumberField("contribution", 0, 20, whole=True, scale=10),)
    assert from_tags("<contribution>70</contribution>", scaled) == {"contribution": 7}
    with pytest.raises(IllegalAnswer, match="75 is not a multiple of 10; it must be a whole number from 0 to 200"):
        from_tags("<contribution>75</contribution>", scaled)
    lobby = (NumberField("lobby", -94.4477, 94.4477, scale=10),)
    assert lobby[0].describe() == "a number from -944.47 to 944.47"
    assert math.isclose(from_json('{"lobby": -944.47}', lobby)["lobby"], -94.447)
    with pytest.raises(IllegalAnswer):
        from_json('{"lobby": 944.49}', lobby)


def test_records_of_a_judge() -> None:
    fields = (RecordsField("quotes", (TextField("line", 30), NumberField("rating", 0, 10)), most=2),)
    records = [{"line": "so be it", "rating": 7.5}]
    assert from_json(dumped({"quotes": records}), fields) == {"quotes": records}
    assert from_tags(f"<quotes>{dumped(records)}</quotes>", fields) == {"quotes": records}
    with pytest.raises(IllegalAnswer, match="3 are too many"):
        from_json(dumped({"quotes": records * 3}), fields)
    for wrong in ([{"line": "x"}], [{"line": "x", "rating": 1, "more": 2}], ["x"], "x", {"line": "x", "rating": 1}):
        with pytest.raises(MalformedReply):
            from_json(dumped({"quotes": wrong}), fields)
    with pytest.raises(MalformedReply, match="twice"):
        from_tags('<quotes>[{"line": "a", "line": "b", "rating": 1}]</quotes>', fields)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 300_000,
        '{"a":' * 100_000,
        '{"a":[' * 70_000,
        "[" * 1_000_000,
        '{"contribution": "' + "x" * 1_000_000,
        '{"a": 1, ' * 100_000,
        "<contribution>" * 70_000,
        "<contribution><reasoning>" * 40_000,
        "x" * 1_000_000,
        '{"contribution": ' + "9" * 1_000_000,
    ],
    ids=range(10),
)
def test_large_and_tangled_replies_are_read_through_once(text: str) -> None:
    """A pass for every brace would not end today."""
    for read in (from_json, from_tags):
        with pytest.raises(MalformedReply):
            read(text, GIVE)


def test_an_answer_at_the_end_of_a_large_reply_is_found() -> None:
    prose = "I think. " * 120_000
    assert from_json(prose + '{"contribution": 7}', GIVE) == {"contribution": 7}
    assert from_tags(prose + "<contribution>7</contribution>", GIVE) == {"contribution": 7}
