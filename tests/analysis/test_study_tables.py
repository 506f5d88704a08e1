"""Tables from records: every row, invalid records, and exclusion of defaulted answers."""

import pytest
from small_games import record, tables, turn

from ostrom.analysis.common_measures import mean_final
from ostrom.analysis.tables import pooled, without_defaulted
from ostrom.core import InputError, RecordError
from ostrom.games.contribute_punish.measures import partners_final
from ostrom.games.contribute_punish.reactions import retaliation_rate, unprovoked_punishment
from ostrom.games.contribute_punish.tables import tables_of

PAIR = record(
    ["ann", "ben", "cid"],
    turn([5, 3, 5], punish=[(0, 2, 3)], said=[(1, "hello"), (0, ""), (2, "hi")]),
    turn([0, 0, 4]),
    provenance={(1, 1, "contribution"): "defaulted", (1, 2, "message"): "repaired"},
)


def test_every_round_of_every_seat_has_its_money():
    # Pot 13, grown 20, share 6, carry 2; then pot 6, grown 9, share 3.
    rounds = tables(PAIR).rounds
    columns = ("round", "seat", "player", "start", "contribution", "share", "post", "spend", "damage", "end")
    assert rounds.select(columns).rows() == [
        (1, 0, "ann", 20, 5, 6, 21, 3, 0, 18),
        (1, 1, "ben", 20, 3, 6, 23, 0, 0, 23),
        (1, 2, "cid", 20, 5, 6, 21, 0, 9, 12),
        (2, 0, "ann", 18, 0, 3, 21, 0, 0, 21),
        (2, 1, "ben", 23, 0, 3, 26, 0, 0, 26),
        (2, 2, "cid", 12, 4, 3, 11, 0, 0, 11),
    ]
    assert rounds["provenance"].to_list() == ["answered", "defaulted", "answered", "answered", "answered", "answered"]


def test_games_seats_punishments_and_messages_have_theirs():
    made = tables(PAIR)
    assert made.games.rows() == [
        ("g0", "e", "contribute_punish", 3, 2, 1.6, 20, True, False, None, 1, 0, 1, 1, 10),
    ]
    assert made.seats.rows() == [
        ("g0", 0, "ann", 21, 2.0, 0, 0, 4, 0),
        ("g0", 1, "ben", 26, 1.0, 1, 0, 3, 0),
        ("g0", 2, "cid", 11, 3.0, 0, 1, 3, 0),
    ]
    assert made.punishments.rows() == [("g0", 1, 1, 0, 2, "ann", "cid", 3, 3, 9)]
    # Silence has no row, and its place in the order stays empty.
    assert made.messages.rows() == [("g0", 1, 1, 1, "ben", "hello", 0), ("g0", 1, 3, 2, "cid", "hi", 2)]


def test_orders_count_anew_in_every_round():
    made = tables(record(["a", "b", "c"], *[turn([1, 1, 1], punish=[(0, 1, 1), (1, 0, 1)], said=[(2, "x")])] * 2))
    assert made.punishments["order"].to_list() == [1, 2, 1, 2]
    assert made.messages["order"].to_list() == [1, 1]


def test_tied_balances_share_their_ranks():
    made = tables(record(["a", "b", "c", "d"], turn([0, 0, 5, 9])))
    assert made.seats["rank"].to_list() == [1.5, 1.5, 3.0, 4.0]


def test_a_player_may_hold_two_seats():
    made = tables(record(["a", "a", "b"], turn([0, 4, 0], punish=[(0, 1, 1)])))
    assert made.seats.select("seat", "player").rows() == [(0, "a"), (1, "a"), (2, "b")]
    assert made.rounds["end"].to_list() == [21, 15, 22]
    assert made.punishments.select("punisher", "target", "punisher_player", "target_player").rows() == [
        (0, 1, "a", "a")
    ]


def test_other_games_are_passed_over_and_nothing_gives_empty_tables():
    other = PAIR.model_copy(update={"game": "commons"})
    for made in (tables(other), tables()):
        assert [made.games.height, made.seats.height, made.rounds.height] == [0, 0, 0]
        assert made.rounds.columns == tables(PAIR).rounds.columns
        assert mean_final(made).height == 0


def test_tables_come_from_records_with_their_games_and_experiments():
    assert tables_of([("one", "e7", PAIR)]).games.select("game", "experiment").rows() == [("one", "e7")]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 2}, "'contributed' has version 2"),
        ({"event": "borrowed"}, "an event 'borrowed' that this game does not know"),
        ({"event": "borrowed", "version": 0}, "an event 'borrowed' that this game does not know"),
        ({"start": None}, "the record of the game g0 cannot be read"),
    ],
)
def test_events_of_another_version_or_kind_are_refused(change, says):
    events = [one | change if one["event"] == "contributed" else one for one in PAIR.events]
    with pytest.raises(RecordError, match=says):
        tables(PAIR.model_copy(update={"events": events}))


def test_a_game_without_its_end_is_refused():
    with pytest.raises(RecordError, match="does not reach the game's end"):
        tables(PAIR.model_copy(update={"events": PAIR.events[:-1]}))


def test_without_defaulted_games():
    clean = record(["ann", "ben", "cid"], turn([1, 2, 3], punish=[(0, 1, 1)], said=[(0, "hey")]))
    kept = without_defaulted(tables(PAIR, clean))
    for table in (kept.games, kept.seats, kept.rounds, kept.punishments, kept.messages):
        assert set(table["game"]) == {"g1"}
    assert kept.seats.rows() == tables(PAIR, clean).seats.rows()[3:]


def test_without_defaulted_seats_others_are_still_compared_with_the_whole_table():
    spoilt = record(
        ["ann", "ben", "cid"],
        turn([1, 9, 5], punish=[(1, 0, 1), (2, 1, 1)]),
        turn([1, 1, 1], punish=[(0, 1, 1)]),
        provenance={(1, 1, "contribution"): "defaulted"},
    )
    whole = tables(spoilt)
    kept = without_defaulted(whole, by="seat")
    assert kept.seats["player"].to_list() == ["ann", "cid"]
    assert kept.rounds["player"].to_list() == ["ann", "cid"] * 2
    assert kept.punishments["punisher_player"].to_list() == ["cid", "ann"]
    # Ann answered what Ben, who is left out, did to her; Ben's own row is gone.
    assert retaliation_rate(kept).select("player", "value").rows() == [("ann", 1.0)]
    # The median of 1, 9, 5 is 5; without Ben's 9 it would be 3.
    assert unprovoked_punishment(kept).select("player", "value").rows() == [("ann", 1.0), ("cid", 1.0)]
    finals = whole.seats["final"].to_list()
    partners = partners_final(kept).select("player", "value").rows()
    assert partners == [("ann", (finals[1] + finals[2]) / 2), ("cid", (finals[0] + finals[1]) / 2)]
    assert without_defaulted(kept, by="seat").seats.equals(kept.seats)


def test_any_other_way_of_leaving_out_is_refused():
    with pytest.raises(InputError, match="by 'game' or by 'seat', not by 'round'"):
        without_defaulted(tables(PAIR), by="round")


def test_pooled_players_are_one():
    assert mean_final(pooled(tables(PAIR))).select("player", "value").rows() == [("all", 58 / 3)]


def test_seats_must_count_from_zero():
    seats = [one.model_copy(update={"seat": one.seat + 1}) for one in PAIR.seats]
    with pytest.raises(RecordError, match="must be numbered from 0"):
        tables_of([("g", "e", PAIR.model_copy(update={"seats": seats}))])
