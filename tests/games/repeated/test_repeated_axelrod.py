"""Matches of strategies of the Axelrod library, played by us and by Axelrod, move by move."""

import subprocess
import sys
from itertools import combinations_with_replacement

import pytest

from ostrom.core import GameChance, InputError, PlayerFault
from ostrom.experiment import play_match
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.events import rounds_of
from ostrom.games.repeated.library import UNUSED, axelrod, axelrod_player, strategies
from ostrom.games.repeated.players import STRATEGIES
from ostrom.players.roster import choose
from ostrom.players.strategy import find_strategy

TURNS = 30
OURS = {
    **{"Cooperator": "AllC", "Defector": "AllD", "TitForTat": "TitForTat", "TitFor2Tats": "TitForTwoTats"},
    **{"Grudger": "Grim", "WinStayLoseShift": "WinStayLoseShift", "Bully": "memory-one:0,1,0,1,0"},
    **{"SuspiciousTitForTat": "memory-one:1,0,1,0,0", "WinShiftLoseStay": "memory-one:0,1,1,0,0"},
}
"""Strategies of our own that Axelrod has under another name."""
THEIRS = (
    *("Alternator", "AntiTitForTat", "Appeaser", "CyclerCCCD", "CyclerDDC", "FirstByDavis", "FirstByNydegger"),
    *("EventualCycleHunter", "FoolMeOnce", "ForgetfulGrudger", "Forgiver", "GoByMajority", "HardTitFor2Tats"),
    *("HardTitForTat", "Punisher", "Retaliate", "SneakyTitForTat", "TrickyCooperator", "TwoTitsForTat", "Handshake"),
    *(
        "Fortress3",
        "Fortress4",
        "Ripoff",
        "SolutionB1",
        "Thumper",
        "EvolvedFSM16",
        "EvolvedLookerUp2_2_2",
        "EvolvedANN",
    ),
    *("FirstByShubik", "SecondByWhite", "SecondByTester", "Gradual", "OmegaTFT", "AdaptiveTitForTat", "BackStabber"),
    *("ContriteTitForTat", "Prober", "Winner12", "ThueMorse", "Capri", "DoubleCrosser"),
)
"""Others that draw nothing; some know the length of the match, or its points."""


def in_axelrod(one: str, other: str, turns: int = TURNS) -> list[list[int]]:
    library = axelrod()
    played = library.Match([strategies()[name]() for name in (one, other)], turns=turns, seed=1).play()
    return [[int(action is library.Action.D) for action in both] for both in played]


def in_ours(*names: str, turns: int = TURNS) -> list[list[int]]:
    entries = [find_strategy(STRATEGIES, name) for name in names]
    match = play_match(REPEATED, Rules(rounds=turns), entries, GameChance(1))
    return [played.actions for played in rounds_of(match.events)]


@pytest.mark.slow
def test_thirty_deterministic_strategies_play_as_in_axelrod():
    """Each with itself, with its neighbour in the list, and with three that we have too, played by both forms."""
    names, own = (*OURS, *THEIRS), tuple(OURS)
    assert not any(strategies()[name].classifier["stochastic"] for name in names)
    pairs = [*zip(names, names, strict=True), *zip(names, names[1:] + names[:1], strict=True)]
    pairs += [(own[(place + step) % len(own)], name) for place, name in enumerate(names) for step in (0, 1, 4)]
    for one, other in pairs:
        expected = in_axelrod(one, other)
        assert in_ours(f"axelrod:{one}", f"axelrod:{other}") == expected, (one, other)
        if one in OURS:
            assert in_ours(OURS[one], f"axelrod:{other}") == expected, (one, other)


@pytest.mark.long
def test_all_pairs_of_deterministic_strategies_play_as_in_axelrod():
    everybody = [
        name
        for name, one in strategies().items()
        if not one.classifier["stochastic"] and not one.classifier["long_run_time"]
    ]
    for one, other in combinations_with_replacement(everybody, 2):
        turns = 50
        assert in_ours(f"axelrod:{one}", f"axelrod:{other}", turns=turns) == in_axelrod(one, other, turns), (one, other)


@pytest.mark.slow
def test_a_strategy_that_draws_plays_the_same_from_the_same_seed():
    played = [
        play_match(REPEATED, Rules(rounds=60), [axelrod_player("Random"), STRATEGIES["TitForTat"]], GameChance(seed))
        for seed in (1, 1, 2)
    ]
    assert played[0].events == played[1].events != played[2].events
    share = sum(one.actions[0] for one in rounds_of(played[0].events)) / 60
    assert 0.25 < share < 0.75


@pytest.mark.slow
def test_what_no_strategy_uses_is_not_loaded():
    code = (
        "import sys; from ostrom.games.repeated.library import strategies; assert len(strategies()) > 200;"
        f"print([one for one in sys.modules if one.partition('.')[0] in {UNUSED!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
    # The import takes long, and nothing else is said while it lasts.
    assert done.stderr == "ostrom: importing the Axelrod library, which takes up to half a minute\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("TitForTatt", "did you mean TitForTat?"),
        ("MindReader", "no strategy 'MindReader' that could play here"),
        ("", "no strategy ''"),
    ],
)
def test_a_name_that_axelrod_has_not_is_one_line(name, said):
    with pytest.raises(InputError) as caught:
        choose([f"axelrod:{name}"], game="repeated")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_the_extra_one_line_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "axelrod", None)
    axelrod.cache_clear()
    strategies.cache_clear()
    with pytest.raises(InputError, match=r"pip install 'ostrom\[axelrod\]'$"):
        choose(["axelrod:TitForTat"], game="repeated")


def test_more_than_two_actions_are_refused_in_one_line():
    rules = Rules(matrix='{"rows":["a","b","c"],"payoffs":[[0,1,2],[3,4,5],[6,7,8]]}')
    with pytest.raises(PlayerFault, match="two actions"):
        play_match(REPEATED, rules, [axelrod_player("TitForTat"), STRATEGIES["AllC"]], GameChance(1))
