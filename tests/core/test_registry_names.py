"""Registries: one entry a name, and help with a wrong one."""

import pytest

from ostrom.core import InputError, OstromError, Registry, UnknownName


@pytest.fixture
def champions():
    registry = Registry("champion")
    for name in ("TitForTat", "GenerousTFT", "AlwaysCoop", "Pavlov"):
        registry.add(name, name.upper())
    return registry


def test_entries_are_found_by_name_and_listed_in_the_order_they_came(champions):
    assert champions["Pavlov"] == "PAVLOV"
    assert list(champions) == ["TitForTat", "GenerousTFT", "AlwaysCoop", "Pavlov"]
    assert len(champions) == 4
    assert "Pavlov" in champions
    assert "pavlov" not in champions


def test_a_second_entry_of_one_name_is_refused_and_the_first_one_stays(champions):
    with pytest.raises(InputError, match="two entries for the champion 'Pavlov'"):
        champions.add("Pavlov", "another")
    assert champions["Pavlov"] == "PAVLOV"
    assert len(champions) == 4


def test_even_the_same_entry_is_refused_a_second_time(champions):
    with pytest.raises(InputError):
        champions.add("Pavlov", champions["Pavlov"])


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("titfortat", "TitForTat"), ("TitForTatt", "TitForTat"), ("PAVLOW", "Pavlov"), ("alwayscop", "AlwaysCoop")],
)
def test_a_wrong_name_is_answered_with_the_nearest(champions, wrong, right):
    assert champions.nearest(wrong)[0] == right
    with pytest.raises(UnknownName, match=f"there is no champion called '{wrong}'; did you mean .*{right}") as caught:
        champions[wrong]
    assert caught.value.name == wrong
    assert right in caught.value.nearest


def test_no_more_names_are_offered_than_asked_for():
    registry = Registry("champion")
    for number in range(9):
        registry.add(f"Player{number}", number)
    assert len(registry.nearest("Player")) == 3
    assert len(registry.nearest("Player", limit=1)) == 1


def test_a_name_near_to_none_is_answered_with_where_to_look(champions):
    assert champions.nearest("zzz") == []
    with pytest.raises(UnknownName, match="'ostrom list' shows every champion"):
        champions["zzz"]


def test_an_unknown_name_is_the_users_mistake():
    assert issubclass(UnknownName, InputError)
    assert issubclass(InputError, OstromError)


def test_an_empty_registry_knows_no_near_name():
    with pytest.raises(UnknownName, match="there is no game called 'commons'"):
        Registry("game")["commons"]


def test_a_registry_is_a_mapping_to_read(champions):
    assert dict(champions.items())["AlwaysCoop"] == "ALWAYSCOOP"
    assert next(iter(champions.values())) == "TITFORTAT"
    with pytest.raises(TypeError):
        champions["New"] = "entry"


def test_a_mapping_asked_for_a_default_gives_it(champions):
    assert champions.get("Pavlov") == "PAVLOV"
    assert champions.get("zzz") is None
    assert champions.get("zzz", "default") == "default"
