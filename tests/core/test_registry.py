"""Registries have one entry per name and suggest similar names; errors survive pickling; nouns are counted."""

import pickle

import pytest

from ostrom.core import InputError, OstromError, Registry, UnknownName
from ostrom.core.errors import PlayerFault
from ostrom.core.text import number_of


@pytest.fixture
def champions():
    registry = Registry("champion")
    for name in ("TitForTat", "GenerousTFT", "AlwaysCoop", "Pavlov"):
        registry.add(name, name.upper())
    return registry


def test_a_registry_is_a_read_only_mapping_in_order_of_registration(champions):
    assert list(champions) == ["TitForTat", "GenerousTFT", "AlwaysCoop", "Pavlov"]
    assert list(champions.values()) == [name.upper() for name in champions]
    assert champions["Pavlov"] == champions.get("Pavlov") == "PAVLOV"
    assert champions.get("zzz") is None
    assert champions.get("zzz", "default") == "default"
    assert "pavlov" not in champions
    with pytest.raises(TypeError):
        champions["New"] = "entry"


@pytest.mark.parametrize("entry", ["another", "PAVLOV"])
def test_a_second_entry_of_a_name_is_refused_even_if_it_is_equal(champions, entry):
    with pytest.raises(InputError, match="two entries for the champion 'Pavlov'"):
        champions.add("Pavlov", entry)
    assert champions["Pavlov"] == "PAVLOV"
    assert len(champions) == 4


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("titfortat", "TitForTat"), ("TitForTatt", "TitForTat"), ("PAVLOW", "Pavlov"), ("alwayscop", "AlwaysCoop")],
)
def test_an_unknown_name_suggests_similar_names(champions, wrong, right):
    assert champions.nearest(wrong)[0] == right
    with pytest.raises(UnknownName, match=f"there is no champion called '{wrong}'; did you mean .*{right}") as caught:
        champions[wrong]
    assert caught.value.name == wrong
    assert right in caught.value.nearest


def test_the_number_of_suggestions_is_limited():
    registry = Registry("champion")
    for number in range(9):
        registry.add(f"Player{number}", number)
    assert len(registry.nearest("Player")) == 3
    assert len(registry.nearest("Player", limit=1)) == 1


def test_an_unknown_name_without_similar_ones_names_the_list(champions):
    assert champions.nearest("zzz") == []
    with pytest.raises(UnknownName, match="'ostrom list' shows every champion"):
        champions["zzz"]
    with pytest.raises(UnknownName, match="there is no game called 'commons'"):
        Registry("game")["commons"]
    assert issubclass(UnknownName, InputError)
    assert issubclass(InputError, OstromError)


@pytest.mark.parametrize(
    "error",
    [UnknownName("game", "comons", ["commons"]), PlayerFault("m1 raised", turn=3), InputError("one line")],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_pickling(error: OstromError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1200, "1,200 games"), (-1, "-1 games")]
)
def test_a_counted_noun_is_singular_after_one(number, text):
    assert number_of(number, "game") == text
