"""Users' own champions: plain classes that play everywhere the built-in ones play, and like them."""

import statistics
from typing import ClassVar

import numpy as np
import pytest

from ostrom.core import GameChance, InputError
from ostrom.games.commons import CommonsRules
from ostrom.games.commons.players import CHAMPIONS, Champion, RowChampion, register_champion
from support import batch_of, end_of, ending_after, entry_of, play, turns_of

RULES = CommonsRules(duration=15)


class OwnTitForTat(Champion):
    def decide(self, ctx):
        return 1.0 if ctx.contributions is None else statistics.median(ctx.contributions[seat] for seat in ctx.others)


class OwnJusticier(Champion):
    def decide(self, ctx):
        return 1.0

    def vote_exclusion(self, ctx):
        recent = ctx.history[-3:]
        if not recent:
            return None
        mean, _, worst = min(
            (
                round(sum(turn[seat] for turn in recent) / len(recent), 9),
                round(ctx.capitals[seat], 9),
                seat,
            )
            for seat in ctx.others
        )
        return worst if mean < 0.3 else None


class OwnParasite(Champion):
    def decide(self, ctx):
        return 0.0

    def lobby(self, ctx):
        return 0.05 * ctx.capital


class OwnPavlov(Champion):
    def decide(self, ctx):
        if not ctx.own:
            return 1.0
        last = ctx.own[-1]
        return last.contribution if round(last.gain, 9) >= ctx.rules.endowment else 1.0 - last.contribution


class OwnRandom(Champion):
    def decide(self, ctx):
        return ctx.draw()


PAIRS = [
    (OwnTitForTat, "TitForTat"),
    (OwnJusticier, "Justicier"),
    (OwnParasite, "Parasite"),
    (OwnPavlov, "Pavlov"),
    (OwnRandom, "RandomPlayer"),
]
COMPANY = ("Justicier", "AlwaysBetray", "RandomPlayer", "Capitaliste", "Detective")


@pytest.mark.parametrize(("own", "built_in"), PAIRS)
def test_an_own_one_plays_exactly_like_the_built_in_one_in_a_single_game(own, built_in):
    for game in range(4):
        ours, theirs = (play(RULES, *COMPANY[:2], who, *COMPANY[2:], game=game) for who in (own, built_in))
        assert ours.events == theirs.events


@pytest.mark.parametrize(("own", "built_in"), PAIRS)
@pytest.mark.parametrize("switches", [{}, {"voting": False}, {"lobbying": False, "erosion_intensity": 1.7}])
def test_an_own_one_plays_exactly_like_the_built_in_one_in_a_batch(own, built_in, switches):
    rules = CommonsRules(duration=15, **switches)
    company = [CHAMPIONS[name] for name in COMPANY]
    tables = [[5, 0, 1, 2, 3], [4, 5, 5, 1, 0], [0, 1, 0, 3, 5], [1, 2, 5, 5, 5], [5, 0, 1, 0, 1]]
    ours, theirs = (
        batch_of(rules, [*company, entry], tables, seed=8) for entry in (entry_of(own), CHAMPIONS[built_in])
    )
    for one, other in ((ours.finals, theirs.finals), (ours.turns, theirs.turns), (ours.turns_in, theirs.turns_in)):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("own", [own for own, _ in PAIRS])
def test_a_row_of_a_batch_equals_the_single_game_for_own_ones_too(own):
    cast = [entry_of(own), *(CHAMPIONS[name] for name in COMPANY)]
    tables = [[1, 0, 2, 1, 3], [0, 0, 1, 2, 4], [5, 4, 0, 1, 1], [0, 1, 1, 2, 2]]
    result = batch_of(RULES, cast, tables, seed=9)
    for game, table in enumerate(tables):
        match = play(RULES, *(cast[member] for member in table), seed=9, game=game)
        assert result.finals[:, game].tolist() == end_of(match).capitals


def test_two_own_justiciers_exclude():
    for who in (OwnJusticier, "Justicier"):
        turns = turns_of(play(ending_after(5), who, OwnJusticier, "AlwaysBetray", "AlwaysCoop"))
        assert [turn.present[2] for turn in turns] == [True, True, False, False, False]
    result = batch_of(ending_after(5), [entry_of(OwnJusticier), CHAMPIONS["AlwaysBetray"]], [[0, 0, 1, 0]])
    assert result.turns_in[:, 0].tolist() == [5, 5, 2, 5]


def diary():
    """A champion that notes for every instance which seat and which turns it was asked for."""

    class Diarist(Champion):
        notes: ClassVar[list[list[tuple[int, ...]]]] = []

        def __init__(self):
            self.note = []
            Diarist.notes.append(self.note)

        def decide(self, ctx):
            self.note.append((ctx.seat, ctx.turn, len(ctx.history), len(ctx.own)))
            return 0.5

    return Diarist


def test_there_is_one_instance_per_seat_of_a_game():
    diarist = diary()
    play(ending_after(3), diarist, "AlwaysCoop", diarist)
    assert diarist.notes == [[(seat, turn, turn - 1, turn - 1) for turn in (1, 2, 3)] for seat in (0, 2)]


def test_there_is_one_instance_per_game_and_seat_of_a_batch():
    diarist = diary()
    cast = [entry_of(diarist), CHAMPIONS["AlwaysCoop"]]
    result = batch_of(RULES, cast, [[0, 0, 1], [1, 0, 1], [0, 1, 0]], seed=4)
    assert len(diarist.notes) == 5
    for note in diarist.notes:
        assert len({seat for seat, *_ in note}) == 1
        assert [turn for _, turn, *_ in note] == list(range(1, len(note) + 1))
        assert all(past == own == turn - 1 for _, turn, past, own in note)
    assert sorted(len(note) for note in diarist.notes) == sorted(
        int(turns) for turns, held in zip(result.turns, (2, 1, 2), strict=True) for _ in range(held)
    )


def test_draws_are_named_by_seed_game_turn_seat_and_their_number():
    drawn = []

    class Gambler(Champion):
        def decide(self, ctx):
            drawn.append((ctx.turn, ctx.seat, [ctx.draw() for _ in range(3)]))
            return drawn[-1][2][0]

        def lobby(self, ctx):
            drawn[-1][2].append(ctx.draw())
            return 0.0

    play(ending_after(3), "AlwaysCoop", Gambler, seed=5, game=6)
    chance = GameChance(5, 6)
    assert drawn == [(turn, 1, [chance.uniform("champion", turn, 1, draw) for draw in range(4)]) for turn in (1, 2, 3)]
    single = list(drawn)
    drawn.clear()
    batch_of(ending_after(3), [CHAMPIONS["AlwaysCoop"], entry_of(Gambler)], [[0, 1]], seed=5, first_game=6)
    assert drawn == single


def test_an_own_one_that_was_excluded_is_not_asked_any_more():
    diarist = diary()

    class Miser(diarist):
        def decide(self, ctx):
            return 0.0 * super().decide(ctx)

    batch_of(ending_after(6), [entry_of(Miser), CHAMPIONS["Justicier"]], [[1, 0, 1]])
    play(ending_after(6), "Justicier", Miser, "Justicier")
    assert [[turn for _, turn, *_ in note] for note in diarist.notes] == [[1, 2], [1, 2]]


def test_registering_what_is_no_champion_is_refused():
    class Stranger:
        pass

    with pytest.raises(InputError, match="Stranger is not a champion"):
        register_champion(Stranger)
    assert "Stranger" not in CHAMPIONS


def test_a_name_that_is_taken_is_refused_and_the_built_in_one_stays():
    taken = type("TitForTat", (OwnTitForTat,), {})
    with pytest.raises(InputError, match="two entries for the champion 'TitForTat'"):
        register_champion(taken)
    assert isinstance(CHAMPIONS["TitForTat"].rows, RowChampion)


def test_a_description_is_the_first_sentence_unless_it_is_set():
    def entered(**body):
        # Entered and taken out again: the registry is everybody's.
        defined = type("Passing", (OwnTitForTat,), body)
        try:
            register_champion(defined)
            return CHAMPIONS["Passing"]
        finally:
            CHAMPIONS._entries.pop("Passing", None)

    assert entered(__doc__="Copies at 0.5. Then\n more.").description == "Copies at 0.5"
    assert entered(__doc__="Copies.", description="Set").description == "Set"
    assert entered().description == "(no description)"
    assert entered().scalar.__name__ == "Passing"
    assert "Passing" not in CHAMPIONS
