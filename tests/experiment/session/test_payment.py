"""Payments: points become money, lines add up to the total, and the paid game is drawn uniformly and can be
recomputed."""

import hashlib
import re
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostrom.experiment.session import entries as e
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.payment import (
    draw_game,
    format_amount,
    new_payment_code,
    payment_of,
    points_by_game,
    rounded,
)
from ostrom.experiment.session.state import SessionState

FEW = settings(max_examples=60, deadline=None)
AT = "2026-01-01T00:00:00+00:00"


def session(language="en", **payment):
    games = [{"name": name, "game": "contributions", "group": 2, "fill": "FreeRider"} for name in ("g1", "g2", "g3")]
    games[0] |= {"tables": 2, "practice": 1}
    games[2] |= {"counts": False}
    return SessionFile.model_validate(
        {
            "session": {"name": "s", "title": "S", "participants": 2, "language": language},
            "games": games,
            "payment": {"currency": "EUR", "rate": 0.05, "participation": 3.0, "rounding": 0.1, **payment},
        }
    )


def played(file, tables, *more):
    """The state of a session in which person 1 earned these points at tables."""
    state = SessionState(file)
    state.add(e.Joined(participant=1), AT)
    for key, points in tables.items():
        practice = key.startswith("practice/")
        game, table, group = key.removeprefix("practice/").split("/")
        number = int(table.removeprefix("table "))
        seats = [1, "FreeRider"]
        formed = {"key": key, "game": game, "table": number, "group": int(group), "treatment": "all", "seats": seats}
        state.add(e.GroupFormed(**formed, practice=practice), AT)
        state.add(e.TableEnded(key=key, ending="finished", points={1: points}), AT)
    for entry in more:
        state.add(entry, AT)
    return state


def pay(state, seed=7):
    return payment_of(state, 1, session="s-1", seed=seed)


TABLES = {"practice/g1/table 1/1": 999.0, "g1/table 1/1": 20.0, "g1/table 2/1": 23.3, "g2/table 1/1": 10.0}


def test_all_games_count_without_practice_and_without_games_that_do_not_count():
    state = played(session(), {**TABLES, "g3/table 1/1": 500.0})
    assert points_by_game(state, state.participants[1]) == {"g1": 43.3, "g2": 10.0, "g3": 500.0}
    payment = pay(state)
    lines = [(line.words, format_amount(line.amount), line.points) for line in payment.lines]
    assert lines == [
        ("Taking part", "3.00", None),
        ("Voluntary contributions (g1)", "2.17", 43.3),  # 2.165, halves up
        ("Voluntary contributions (g2)", "0.50", 10.0),
        ("Rounding", "0.03", None),
    ]
    assert format_amount(payment.total) == "5.70"
    drawn, paid = pay(played(session(counts="one"), TABLES)).entries(1, "CODE")
    assert (drawn.kind, paid.kind, paid.code) == ("drawn", "paid", "CODE")
    assert sum(Decimal(line["amount"]) for line in paid.lines) == Decimal(paid.total)


def test_an_error_in_the_last_bit_is_not_rounded_up():
    state = played(session(participation=0.0, rate=1.0), {"g2/table 1/1": 0.1 + 0.2})
    assert format_amount(pay(state).total) == "0.30"


@FEW
@given(
    st.dictionaries(st.sampled_from(sorted(TABLES)), st.floats(-1e6, 1e6), max_size=4),
    st.floats(0, 20).map(lambda value: round(value, 2)),
    st.sampled_from([0.01, 0.05, 0.1, 0.5, 1.0]),
    st.sampled_from(["up", "nearest"]),
    st.floats(0, 10).map(lambda value: round(value, 2)),
    st.sampled_from(["all", "one"]),
)
def test_the_lines_always_add_up_to_the_total(tables, fee, step, direction, least, counts):
    terms = {"participation": fee, "rounding": step, "round_to": direction, "least": least, "counts": counts}
    payment = pay(played(session(**terms), tables))
    assert sum(line.amount for line in payment.lines) == payment.total
    assert payment.total >= Decimal(str(least))
    assert payment.total == Decimal(str(least)) or payment.total % Decimal(str(step)) == 0
    assert all(line.amount == line.amount.quantize(Decimal("0.01")) for line in payment.lines)


def test_amounts_are_rounded_up_or_to_the_nearest():
    step = Decimal("0.5")
    assert [rounded(Decimal(text), step, "up") for text in ("2.0", "2.01")] == [Decimal("2.0"), Decimal("2.5")]
    nearest = [rounded(Decimal(text), step, "nearest") for text in ("2.24", "2.25", "2.74")]
    assert nearest == [Decimal("2.0"), Decimal("2.5"), Decimal("2.5")]


OUTCOMES = {"unmatched": "1.50", "screened_out": "0.00", "no_consent": "0.00", "returned": "0.00", "ended": "3.00"}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_who_is_released_gets_what_the_file_says(outcome):
    state = played(session(release=1.5), {}, e.Released(participant=1, outcome=outcome))
    assert format_amount(pay(state).total) == OUTCOMES[outcome]


def test_a_replaced_person_keeps_the_fee_and_the_points_until_then():
    replaced = e.Replaced(participant=1, by="FreeRider", key="g1/table 1/1", points=12.0)
    state = played(session(), {"g1/table 1/1": 12.0}, replaced, e.Released(participant=1, outcome="timed_out"))
    assert format_amount(pay(state).total) == "3.60"


def test_estimates_are_paid_in_addition_to_the_drawn_game():
    state = played(session(counts="one"), TABLES, e.BeliefScored(participant=1, name="b", truth=9, points=2.0))
    payment = pay(state)
    assert [line.points for line in payment.lines if line.words == "Your estimates"] == [2.0]
    assert sum(line.words.startswith("Voluntary") for line in payment.lines) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_draw_can_be_recomputed_from_its_sentence(language):
    file = session(language=language, counts="one")
    payment = pay(played(file, TABLES), seed=2**64 - 1)
    text = re.search("[“„](.*?)[”“]", payment.draw.words)[1]
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert text == f"{2**64 - 1} s-1 person-01"
    assert digest in payment.draw.words
    assert payment.draw.game == ["g1", "g2"][int(digest, 16) % 2]


def test_the_draw_is_uniform_over_participants_and_seeds():
    words = session().words
    draws = Counter(
        draw_game(["a", "b", "c"], session=f"s-{seed}", seed=seed, participant=person, words=words).game
        for seed in range(30)
        for person in range(1, 101)
    )
    assert sum((count - 1000) ** 2 / 1000 for count in draws.values()) < 9.21  # chi-square, 2 degrees, 1 percent


def test_a_session_without_payment_pays_nothing_and_codes_are_not_repeated():
    file = SessionFile.model_validate({**session().model_dump(), "payment": None})
    assert pay(played(file, TABLES)) is None
    assert len({new_payment_code() for _ in range(200)}) == 200
