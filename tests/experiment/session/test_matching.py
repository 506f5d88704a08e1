"""Treatments and groups: balanced, at random, whole, and perfect strangers who never meet twice."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostrom.core import InputError
from ostrom.experiment.session.assignment import admit, assign_together, block_size, next_treatment
from ostrom.experiment.session.entries import GroupFormed
from ostrom.experiment.session.file import SessionFile, load_session
from ostrom.experiment.session.file_parts import Treatment
from ostrom.experiment.session.matching import form_groups, groups_of_table
from ostrom.experiment.session.state import SessionState
from ostrom.experiment.session.strangers import max_tables, perfect_strangers

SEEDS = st.integers(0, 2**64 - 1)
FEW = settings(max_examples=40, deadline=None)


def session(**changes):
    """A session of contributions, with changes of its only game."""
    game = {"name": "g1", "game": "contributions", "group": 4, **changes}
    treatments = changes.pop("treatments", [{"name": "all"}])
    game.pop("treatments", None)
    content = {
        "session": {"name": "s", "title": "S", "participants": 16},
        "treatments": treatments,
        "games": [game],
    }
    return SessionFile.model_validate(content)


def treatments(*shares):
    return [Treatment(name=f"t{place}", share=share) for place, share in enumerate(shares)]


def one_by_one(shares, count, seed):
    """The treatments of people who come one by one."""
    chosen = []
    for number in range(1, count + 1):
        chosen.append(next_treatment(treatments(*shares), Counter(chosen), seed=seed, number=number))
    return chosen


@FEW
@given(st.integers(1, 7), st.integers(1, 40), SEEDS)
def test_people_who_come_one_by_one_are_balanced_within_one_at_any_time(kinds, count, seed):
    chosen = one_by_one([1] * kinds, count, seed)
    for number in range(1, count + 1):
        counts = Counter(chosen[:number])
        assert max(counts.values()) - min(counts[f"t{place}"] for place in range(kinds)) <= 1


@FEW
@given(st.lists(st.integers(1, 9), min_size=2, max_size=6), st.integers(1, 40), SEEDS)
def test_with_other_shares_each_treatment_is_less_than_one_person_from_its_share(shares, count, seed):
    chosen = one_by_one(shares, count, seed)
    for number in range(1, count + 1):
        counts = Counter(chosen[:number])
        for place, share in enumerate(shares):
            assert abs(counts[f"t{place}"] - number * share / sum(shares)) < 1


def test_the_treatment_of_the_first_person_is_drawn_uniformly():
    counts = Counter(one_by_one([1, 1, 1], 1, seed)[0] for seed in range(600))
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 9.21  # chi-square, 2 degrees, 1 percent
    assert len({tuple(one_by_one([1, 1], 6, seed)) for seed in range(50)}) > 4


@FEW
@given(st.integers(1, 40), st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=4), st.integers(1, 5), SEEDS)
def test_people_assigned_together_make_as_many_whole_groups_as_possible(count, shares, group, seed):
    file = session(group=group, treatments=[{"name": f"t{place}", "share": s} for place, s in enumerate(shares)])
    people = list(range(1, count + 1))
    assigned = assign_together(people, file, seed=seed)
    assert sorted(assigned) == people
    assert assign_together(people[::-1], file, seed=seed) == assigned
    counts = Counter(assigned.values())
    assert sum(number // group for number in counts.values()) == count // group
    groups = [counts[f"t{place}"] // group for place in range(len(shares))]
    for whole, share in zip(groups, shares, strict=True):
        assert abs(whole - count // group * share / sum(shares)) < 2


def test_those_who_come_first_are_admitted_and_groups_of_several_games_are_whole():
    file = session()
    two = SessionFile.model_validate(
        {
            **file.model_dump(),
            "games": [*file.model_dump()["games"], {"name": "g2", "game": "contributions", "group": 6}],
        }
    )
    treatment = two.treatments[0]
    assert block_size(two, treatment) == 12
    admission = admit([5, 3, 9, *range(20, 41)], two, treatment)
    assert (len(admission.members), admission.members[:3], len(admission.left)) == (24, [5, 3, 9], 0)
    assert admit(range(7), file, treatment).left == [4, 5, 6]
    assert admit(range(7), session(fill="FreeRider"), treatment).left == []


MATCHINGS = ("partners", "strangers", "perfect-strangers")


@FEW
@given(st.integers(1, 30), st.integers(1, 5), st.sampled_from(MATCHINGS[:2]), st.integers(1, 3), SEEDS)
def test_everybody_is_in_exactly_one_group_of_a_table(people, size, matching, table, seed):
    members = list(range(100, 100 + people))
    groups = groups_of_table(members, size, matching, table, tables=3, seed=seed, purpose="g1")
    assert sorted(member for group in groups for member in group) == members
    assert all(len(group) == size for group in groups[:-1])
    again = groups_of_table(members[::-1], size, matching, table, tables=3, seed=seed, purpose="g1")
    assert again == groups


def test_partners_meet_at_every_table_and_strangers_are_drawn_again():
    tables = {
        matching: [
            groups_of_table(range(1, 25), 4, matching, table, tables=5, seed=1, purpose="g") for table in range(1, 6)
        ]
        for matching in MATCHINGS[:2]
    }
    assert all(table == tables["partners"][0] for table in tables["partners"])
    assert len({str(table) for table in tables["strangers"]}) == 5


@pytest.mark.parametrize(
    ("people", "size", "tables"),
    [
        (4, 2, 3),
        (20, 2, 19),
        (9, 3, 4),
        (12, 3, 4),
        (15, 3, 6),
        (16, 4, 5),
        (20, 4, 5),
        (24, 4, 4),
        (25, 5, 6),
        (40, 4, 6),
    ],
)
def test_perfect_strangers_never_meet_twice(people, size, tables):
    met = set()
    for groups in perfect_strangers(people, size, tables, seed=3):
        assert sorted(person for group in groups for person in group) == list(range(people))
        for pair in (tuple(sorted(pair)) for group in groups for pair in combinations(group, 2)):
            assert pair not in met
            met.add(pair)


@pytest.mark.parametrize(
    ("people", "size", "tables", "words"),
    [
        (8, 4, 2, "at most 1 time among 8 people"),  # two groups of four share two people
        (9, 3, 5, "at most 4 times"),
        (10, 2, 10, "at most 9 times"),
        (10, 3, 2, "do not divide"),
        (12, 3, 5, "no plan was constructed"),  # the bound allows 5 tables, and there is no plan with them
    ],
)
def test_impossible_perfect_strangers_are_refused_in_one_line(people, size, tables, words):
    with pytest.raises(InputError, match=words) as refusal:
        perfect_strangers(people, size, tables, seed=0)
    assert "\n" not in str(refusal.value)
    assert max_tables(9, 3) == 4


def test_perfect_strangers_of_a_session_never_meet_although_seats_are_empty():
    members = list(range(1, 19))
    met = Counter()
    for table in range(1, 5):
        groups = groups_of_table(members, 4, "perfect-strangers", table, tables=4, seed=5, purpose="g")
        assert sorted(member for group in groups for member in group) == members
        met.update(tuple(sorted(pair)) for group in groups for pair in combinations(group, 2))
    assert set(met.values()) == {1}


def test_groups_have_the_composition_of_the_treatment_and_empty_seats_are_filled_or_left_out():
    seats = {"people": 3, "FreeRider": 1}
    kinds = [{"name": "plain"}, {"name": "mixed", "seats": seats}]
    file = session(fill="Cooperator", treatments=kinds)
    mixed = file.treatments[1]
    groups = form_groups(file, file.games[0], mixed, range(1, 8), table=2, seed=1, first_group=4)
    assert [group.key for group in groups] == ["g1/table 2/4", "g1/table 2/5", "g1/table 2/6"]
    assert all(group.seats[3] == "FreeRider" for group in groups)
    assert sorted(seat for group in groups for seat in group.seats if isinstance(seat, int)) == list(range(1, 8))
    assert groups[2].seats[1:] == ["Cooperator", "Cooperator", "FreeRider"]
    assert [group.filled for group in groups] == [[], [], [1, 2]]
    none = session(treatments=kinds)
    assert len(form_groups(none, none.games[0], mixed, range(1, 8), table=1, seed=1)) == 2
    practice = session(practice=2, matching="strangers")
    treatment = practice.treatments[0]
    tables = [
        form_groups(practice, practice.games[0], treatment, range(1, 9), table=1, seed=1, practice=trial)
        for trial in (True, False)
    ]
    assert tables[0][0].key == "practice/g1/table 1/1"
    assert tables[0][0].practice
    assert tables[0][0].seats != tables[1][0].seats


def test_a_file_whose_perfect_strangers_have_no_plan_is_refused_before_anybody_joins(tmp_path):
    path = tmp_path / "s.toml"
    text = (
        '[session]\nname = "s"\ntitle = "S"\nparticipants = {}\n[[games]]\nname = "g1"\ngame = "contributions"\n'
        'group = 3\nmatching = "perfect-strangers"\ntables = {}\n'
    )
    path.write_text(text.format(12, 4))
    assert load_session(path).games[0].tables == 4
    path.write_text(text.format(12, 5))
    with pytest.raises(InputError, match=r"games\.g1\.tables: no plan was constructed") as refusal:
        load_session(path)
    assert "\n" not in str(refusal.value)


def test_the_host_reads_once_that_people_are_not_perfect_strangers():
    state = SessionState(session())
    for group in (1, 2):
        entry = GroupFormed(
            key=f"g1/table 1/{group}", game="g1", table=1, group=group, treatment="all", seats=["x"], relaxed=True
        )
        state.add(entry, "")
    assert [text for _, text in state.messages] == [
        "g1: the people who are left cannot be perfect strangers at every table"
    ]
