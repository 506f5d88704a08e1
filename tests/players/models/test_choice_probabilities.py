"""The probabilities of choices from the tokens in which they differ, and what a server lists of them."""

import math

import numpy as np
import pytest

from ostrom.core import Usage
from ostrom.core.questions import DISTRIBUTION
from ostrom.players.base import Reply
from ostrom.players.models.distribution import UNSEEN, draw, served_distribution, with_distribution
from ostrom.players.models.engine import Slot
from ostrom.players.models.fields import AimedField, ChoiceField, NumberField, TextField
from ostrom.players.models.local.choices import ChoiceTree, drawn_places, tempered
from ostrom.players.models.slots import closed_slot, slots_of

END = 99


def logs(**chances: float) -> dict[int, float]:
    return {int(token[1:]): math.log(chance) for token, chance in chances.items()}


def test_a_choice_that_begins_another_is_told_apart_by_what_follows():
    tree = ChoiceTree([(1, END), (1, 0, END), (2, END)])
    assert tree.nodes == {(): (1, 2), (1,): (END, 0)}
    totals, outside = tree.log_probabilities({(): logs(t1=0.5, t2=0.3), (1,): logs(t99=0.6, t0=0.2)}, None)
    assert [math.exp(total) for total in totals] == pytest.approx([0.625 * 0.75, 0.625 * 0.25, 0.375])
    assert outside == pytest.approx(1 - (0.5 * 0.6 + 0.5 * 0.2 + 0.3))


def test_what_all_choices_begin_with_costs_nothing():
    tree = ChoiceTree([(7, 1, END), (7, 2, END)])
    assert list(tree.nodes) == [(7,)]
    assert tree.after(()) == (7,)
    assert tree.after((7, 1)) == (END,)


def test_temperature_sharpens_and_zero_takes_the_largest():
    assert [math.exp(log) for log in tempered(list(logs(t0=0.2, t1=0.1).values()), 0.5)] == pytest.approx([0.8, 0.2])
    assert tempered(list(logs(t0=0.1, t1=0.3, t2=0.3).values()), 0) == [-math.inf, 0.0, -math.inf]


def test_a_token_that_was_not_seen_has_no_probability():
    totals, _ = ChoiceTree([(1,), (2,)]).log_probabilities({(): logs(t1=0.4)}, 1.0)
    assert totals == (0.0, -math.inf)


def test_a_draw_follows_the_distribution():
    distribution = {"A": 0.25, "B": 0.75}
    drawn = [draw(distribution, place / 1000) for place in range(1000)]
    assert drawn.count("A") == 250
    assert draw({"A": 0.0, "B": 1.0}, 0.0) == "B"


SLOT = Slot("<x>", "</x>", ("A", "B"))


def token(text: str, **top: float) -> dict:
    return {"token": text, "top_logprobs": [{"token": name, "logprob": math.log(p)} for name, p in top.items()]}


def test_a_server_lists_the_probabilities_of_the_token_after_the_opening_tag():
    tokens = [token("<x"), token(">"), token("A", A=0.6, B=0.3, C=0.05), token("</x>")]
    distribution, outside, unseen = served_distribution(tokens, SLOT, None)
    assert distribution == pytest.approx({"A": 2 / 3, "B": 1 / 3})
    assert outside == pytest.approx(0.1)
    assert unseen == 0


def test_what_a_server_does_not_list_is_bounded():
    tokens = [token("<x>"), token("A", A=0.6, C=0.3)]
    distribution, _, unseen = served_distribution(tokens, SLOT, None)
    assert distribution == {"A": 1.0, "B": 0.0}
    assert unseen == pytest.approx(0.1 / 0.7)


def test_a_token_that_begins_two_choices_belongs_to_none():
    slot = Slot("<x>", "</x>", ("1", "10", "2"))
    tokens = [token("<x>"), token("1", **{"1": 0.5, "2": 0.5})]
    _, _, unseen = served_distribution(tokens, slot, None)
    assert unseen == pytest.approx(0.5)


def reply(*tokens: dict) -> Reply:
    return Reply("<x>A</x>", Usage(10, 3), None, "stop", {}, {"logprobs": list(tokens)})


def test_a_reply_gets_its_distribution_and_the_answer_that_is_drawn():
    scored = with_distribution(reply(token("<x>"), token("A", A=0.6, B=0.4)), SLOT, 0.7, 1.0)
    assert scored.text == "<x>B</x>"
    assert scored.extra == {
        "outside": 0.0, UNSEEN: 0.0, DISTRIBUTION: pytest.approx({"A": 0.6, "B": 0.4}), "sampled": "<x>A</x>",
    }  # fmt: skip


@pytest.mark.parametrize("tokens", [[], [token("Well"), token("<x>")], [token("<x>"), {"token": "A"}], [{"odd": 1}]])
def test_a_reply_without_probabilities_keeps_its_answer(tokens: list):
    scored = with_distribution(reply(*tokens), SLOT, 0.7, 1.0)
    assert scored.text == "<x>A</x>"
    assert DISTRIBUTION not in scored.extra
    assert "logprobs" not in scored.extra


def test_above_the_bound_the_sampled_answer_counts():
    scored = with_distribution(reply(token("<x>"), token("A", A=0.6, C=0.3)), SLOT, 0.99, 1.0)
    assert scored.text == "<x>A</x>"
    assert scored.extra[UNSEEN] == pytest.approx(0.1 / 0.7, abs=1e-6)
    assert DISTRIBUTION not in scored.extra


def test_slots_list_what_a_field_may_have():
    fields = [
        TextField("message", 20),
        NumberField("give", 0, 3, whole=True, scale=10),
        AimedField("punish", (("P2", 1),), 1, 2),
    ]
    message, give, punish = slots_of(fields)
    assert (message.before, message.choices, message.end) == ("<message>", (), "</message>")
    assert (give.before, give.choices) == ("\n<give>", ("0", "10", "20", "30"))
    assert punish.choices == ("nobody", "P2=1", "P2=2")


def test_only_a_single_closed_field_is_asked_by_probabilities():
    choice = ChoiceField("choice", (("A", 0), ("B", 1)))
    assert closed_slot([choice]) is not None
    assert closed_slot([TextField("reasoning", 50), choice]).choices == ("A", "B")
    assert closed_slot([choice, NumberField("give", 0, 3, whole=True)]) is None
    assert closed_slot([NumberField("share", 0, 1)]) is None
    assert closed_slot([NumberField("give", 0, 10**9, whole=True)]) is None


def test_places_are_drawn_as_often_as_probable_and_never_where_there_is_none():
    uniforms = [(number + 0.5) / 1000 for number in range(1000)]
    logs = np.log([[0.2, 0.5, 0.3, 0.0]] * 1000, where=[True, True, True, False], out=np.full((1000, 4), -np.inf))
    assert np.bincount(drawn_places(logs + 7, [1.0] * 1000, uniforms), minlength=4).tolist() == [200, 500, 300, 0]
    squared = np.bincount(drawn_places(logs, [0.5] * 1000, uniforms), minlength=4) / 1000
    assert squared == pytest.approx(np.array([0.04, 0.25, 0.09, 0]) / 0.38, abs=1e-3)
    assert drawn_places(logs[:2], [0.0, None], [0.9999, 1.0]) == [1, 2]
