"""Answers that may be left out, and fields that are asked only where another field says so: legal values, prompts and
replies of models, forms of people, spaces of environments, arrays and the conformance suite."""

import json
from typing import Any

import numpy as np
import pytest

from ostrom.core import (
    Amount,
    Choice,
    Fields,
    GameChance,
    IllegalAnswer,
    Optional,
    Provenance,
    Question,
    Seat,
    Table,
    Text,
    When,
)
from ostrom.core.plugins import GAMES
from ostrom.core.step import Field
from ostrom.experiment.estimate import neutral
from ostrom.experiment.match import play_match
from ostrom.players.models.briefing import PlainBriefing
from ostrom.players.models.fields import MalformedReply, schema_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import form_section, grammar_of
from ostrom.players.models.reading import from_json, from_tags
from ostrom.players.roster import own_players
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
from ostrom.testing.conformance.case import sample
from sealed_auction import AUCTION

BID = Optional(Amount(0, 10))
OFFER = Fields(
    {
        "action": Choice(("offer", "wait")),
        "price": When("action", "offer", Amount(1, 9, whole=True)),
        "note": When("action", ("offer", "wait"), Optional(Text(5))),
    }
)


def question(spec: Any, fallback: Any = None) -> Question:
    return Question(Seat(0), "bid", 1, spec, {"value": 3}, fallback)


def form_of(spec: Any) -> Any:
    return PlainBriefing(AUCTION).form(question(spec), Framing(), GameChance(0))


def test_passing_is_legal_and_other_answers_are_as_before() -> None:
    assert BID.validate(None) is None
    assert BID.validate(4) == 4.0
    with pytest.raises(IllegalAnswer, match="11 is not allowed; it must be a number from 0 to 10, or nothing"):
        BID.validate(11)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ({"action": "wait", "note": None}, {"action": "wait", "price": None, "note": None}),
        ({"action": "wait", "price": None, "note": "no"}, {"action": "wait", "price": None, "note": "no"}),
        ({"action": "offer", "price": 4, "note": None}, {"action": "offer", "price": 4, "note": None}),
    ],
)
def test_a_field_that_is_not_asked_is_none(raw: Any, value: Any) -> None:
    assert OFFER.validate(raw) == value


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ({"action": "offer", "note": None}, "price: None is not a number"),
        (
            {"action": "wait", "price": 4, "note": None},
            "price: 4 is not allowed here; .* if action is offer, else nothing",
        ),
        ({"price": 4, "note": None}, "missing action"),
    ],
)
def test_what_the_other_field_says_is_kept_to(raw: Any, reason: str) -> None:
    with pytest.raises(IllegalAnswer, match=reason):
        OFFER.validate(raw)


def test_a_condition_needs_a_field_before_it() -> None:
    with pytest.raises(ValueError, match="price depends on action, which must be a field before it"):
        Fields({"price": When("action", "offer", Amount(0, 1)), "action": Choice(("offer",))})
    with pytest.raises(ValueError, match="within Optional has no meaning"):
        Optional(Optional(Amount(0, 1)))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("<action>wait</action>", {"action": "wait", "price": None}),
        ("<action>wait</action><price>none</price>", {"action": "wait", "price": None}),
        ("<action>offer</action><price>3</price>", {"action": "offer", "price": 3}),
        ("<action>wait</action><price>3</price>", IllegalAnswer),
        ("<action>offer</action><price>none</price>", MalformedReply),
        ("<action>offer</action>", MalformedReply),
    ],
)
def test_models_answer_in_tags(text: str, values: Any) -> None:
    fields = [field for field in form_of(OFFER) if field.name != "note"]
    if isinstance(values, dict):
        assert from_tags(text, fields) == values
    else:
        with pytest.raises(values):
            from_tags(text, fields)


@pytest.mark.parametrize(
    ("reply", "values"),
    [
        ({"action": "wait"}, {"action": "wait", "price": None}),
        ({"action": "wait", "price": None}, {"action": "wait", "price": None}),
        ({"action": "offer", "price": 3}, {"action": "offer", "price": 3}),
        ({"action": "wait", "price": 3}, IllegalAnswer),
        ({"action": "offer", "price": None}, MalformedReply),
        ({"action": "offer"}, MalformedReply),
    ],
)
def test_models_answer_in_json(reply: Any, values: Any) -> None:
    fields = [field for field in form_of(OFFER) if field.name != "note"]
    if isinstance(values, dict):
        assert from_json(json.dumps(reply), fields) == values
    else:
        with pytest.raises(values):
            from_json(json.dumps(reply), fields)


def test_models_pass() -> None:
    fields = form_of(BID)
    assert from_tags("<bid>pass</bid>", fields) == from_json('{"bid": null}', fields) == {"bid": None}
    assert from_tags("<bid>2.5</bid>", fields) == from_json('{"bid": 2.5}', fields) == {"bid": 2.5}
    assert "a number from 0 to 10, or pass" in form_section(fields, "tags", "plain")
    assert "or null to pass" in form_section(fields, "native", "plain")
    assert schema_of(fields)["properties"]["bid"]["anyOf"][1] == {"type": "null"}
    assert '"pass"' in grammar_of(fields)


def test_games_without_an_answer_use_a_legal_one() -> None:
    assert BID.validate(neutral(question(BID))) is not None
    assert OFFER.validate(neutral(question(OFFER)))["action"] == "offer"


def test_a_fallback_may_leave_out_a_field_that_is_not_asked() -> None:
    table = Table((Seat(0),), GameChance(0))
    asked = table.ask(Seat(0), "offer", 1, OFFER, None, fallback={"action": "wait", "note": None})
    assert asked.fallback == {"action": "wait", "price": None, "note": None}
    stored = {"action": "wait", "note": None}  # as journals of earlier versions have it
    assert asked.recorded(stored, Provenance.DEFAULTED) == asked.fallback


@pytest.mark.parametrize("fallback", [{}, {"action": "offer", "note": None}, None, 0])
def test_a_fallback_gets_no_other_fields(fallback: Any) -> None:
    table = Table((Seat(0),), GameChance(0))
    assert table.ask(Seat(0), "offer", 1, OFFER, None, fallback=fallback).fallback == fallback


@pytest.mark.parametrize("spec", [BID, OFFER, Optional(Choice(("a", "b"))), Optional(OFFER)])
def test_random_answers_pass_and_answer(spec: Any) -> None:
    rng = np.random.default_rng(0)
    answers = [sample(question(spec), rng.random) for _ in range(60)]
    assert len({json.dumps(answer) for answer in answers}) > 2
    if isinstance(spec, Optional):
        assert None in answers


@pytest.mark.parametrize("spec", [BID, OFFER, Optional(Choice(("a", "b"))), Optional(Amount(0, 4, whole=True))])
def test_environments_pass_and_answer(spec: Any) -> None:
    spaces = pytest.importorskip("ostrom.environments.spaces")
    rng = np.random.default_rng(0)
    answers = [spaces.random_answer(question(spec), rng).value for _ in range(60)]
    assert all(spec.validate(answer) == answer for answer in answers)
    if spec is OFFER:
        assert {answer["price"] is None for answer in answers} == {True, False}
    else:
        assert {answer is None for answer in answers} == {True, False}


def test_an_action_space_encodes_and_decodes_passing() -> None:
    spaces = pytest.importorskip("ostrom.environments.spaces")
    found = spaces.find_spaces(AUCTION, AUCTION.rules(), 2, levels=11, memory=1)
    actions = found.actions[0]
    assert list(actions.parts) == ["pass", "bid"] or sorted(actions.parts) == ["bid", "pass"]
    asked = question(Optional(Amount(0, 100)))
    by_name = dict(zip(actions.parts, range(2), strict=True))

    def action(passes: int, level: int) -> Any:
        values = [0, 0]
        values[by_name["pass"]], values[by_name["bid"]] = passes, level
        return np.asarray(values)

    assert actions.answer(asked, action(1, 5)) is None
    assert actions.answer(asked, action(0, 5)) == 50.0
    assert all(mask.all() for mask in actions.mask(asked))


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["numpy", "jax"])
def test_batches_equal_single_games_with_private_values_and_passing(backend: str) -> None:
    if backend == "jax":
        pytest.importorskip("jax")
    if AUCTION.name not in GAMES:
        GAMES.add(AUCTION)
    cast = list(own_players(AUCTION).values())
    seating = np.asarray([[0, 1] * 10, [1] * 20, [1, 0] * 10])
    batch = Batch(AUCTION, AUCTION.rules(), cast, seating, np.arange(20, dtype=np.int64), seed=4)
    finals = (play_batch if backend == "numpy" else jax_play)(batch).finals
    for game in range(20):
        match = play_match(AUCTION, AUCTION.rules(), [cast[place] for place in seating[:, game]], GameChance(4, game))
        assert AUCTION.finals is not None
        assert np.allclose(finals[:, game], AUCTION.finals(match.events)), game


def jax_play(batch: Batch) -> Any:
    return pytest.importorskip("ostrom.sim.jax_engine").play_batch(batch)


def test_fields_that_are_absent_as_nan_are_equal() -> None:
    # Otherwise JAX would compile a game anew for every batch.
    assert Field("bid", absent=float("nan")) == Field("bid", absent=float("nan"))
    assert hash(Field("bid", absent=float("nan"))) == hash(Field("bid", absent=-float("nan")))
