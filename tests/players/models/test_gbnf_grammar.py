"""The grammar for answers in tags. It is regular, so that it can be read as a pattern and tried."""

import re

import pytest

from ostrom.core import InputError
from ostrom.players.models.fields import AimedField, ChoiceField, NumberField, RecordsField, TextField
from ostrom.players.models.prompting import grammar_of, whole_numbers
from ostrom.players.models.reading import from_tags


def pattern(grammar: str) -> re.Pattern[str]:
    parts = re.findall(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[\d,]+\}|[()|?]|\S', grammar.removeprefix("root ::= "))
    return re.compile("".join(re.escape(eval(part)) if part[0] == '"' else part.replace("(", "(?:") for part in parts))


@pytest.mark.parametrize(
    ("low", "high"), [(0, 0), (0, 7), (1, 10), (0, 20), (3, 47), (0, 99), (95, 1234), (7, 7), (100, 999)]
)
def test_whole_numbers_are_held_to_their_bounds(low: int, high: int) -> None:
    allowed = pattern(whole_numbers(low, high))
    assert [n for n in range(3000) if allowed.fullmatch(str(n))] == list(range(low, high + 1))
    assert not allowed.fullmatch("01")


@pytest.mark.parametrize("capital", [0.0, 0.4, 1.0, 94.44, 1234.5])
def test_what_the_grammar_lets_through_is_legal(capital: float) -> None:
    fields = (
        TextField("reasoning", 15),
        NumberField("contribution", 0.0, 1.0),
        NumberField("lobby", -capital, capital),
        ChoiceField("vote", (("Ash", 1), ("nobody", None))),
    )
    allowed = pattern(grammar_of(fields))
    tried = 0
    for lobby in ("0", "-0", "1", "-1", "94", "-94", "95", "1234", "-1235", "0.5"):
        for given in ("0", "1", "0.25", "1.5", "-1", ""):
            said = {"reasoning": "so be it", "contribution": given, "lobby": lobby, "vote": "Ash"}
            text = "\n".join(f"<{tag}>{value}</{tag}>" for tag, value in said.items())
            if allowed.fullmatch(text):
                tried += 1
                assert from_tags(text, fields)["vote"] == 1
    assert tried >= 3


def test_punishments_and_multiples() -> None:
    allowed = pattern(grammar_of((AimedField("punish", (("P1", 0), ("P3", 2)), 1, 10, scale=10),)))
    for right in ("nobody", "P1=10", "P3=100"):
        assert allowed.fullmatch(f"<punish>{right}</punish>")
    for wrong in ("P2=10", "P1=5", "P1=110", "P1=0", "P1"):
        assert not allowed.fullmatch(f"<punish>{wrong}</punish>")
    assert pattern(grammar_of((NumberField("contribution", 0, 0, whole=True, scale=10),))).fullmatch(
        "<contribution>0</contribution>"
    )


def test_what_has_no_grammar_says_so() -> None:
    with pytest.raises(InputError):
        grammar_of((RecordsField("quotes", (TextField("line", 5),), 3),))
    with pytest.raises(InputError):
        grammar_of((NumberField("contribution", 0, 9, whole=True, scale=7),))
