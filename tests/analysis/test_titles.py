"""Titles of games are claims that their events confirm, and the drama score is the sum of their points."""

import re

import pytest

from kept import commons, punish
from ostrom.analysis.titles import DECIMALS, claims_of, headline_of, title_of_game
from ostrom.core.promises import promise_in
from ostrom.core.telling import render
from ostrom.journal.names import PlayerNames
from ostrom.journal.record import with_tellings
from ostrom.journal.sql import Journal
from studied import champions, played

COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_SEAT, _NUMBER = r"S(\d+)", r"(-?[\d,.]+)"


def number(text):
    return float(text.replace(",", ""))


class Course:
    """A game of Contribute & Punish as plain lists, read from its events only."""

    def __init__(self, record):
        events = record.events
        self.given = [event for event in events if event["event"] == "contributed"]
        self.ended = [event["balances"] for event in events if event["event"] == "round_ended"]
        self.shared = [event["balances"] for event in events if event["event"] == "fund_shared"]
        self.hits = [event for event in events if event["event"] == "punished"]
        self.said = [event for event in events if event["event"] == "message_said"]
        self.final = events[-1]["balances"]

    def wins(self, seat):
        return self.final[seat] == max(self.final) and self.final.count(self.final[seat]) == 1

    def is_last(self, seat):
        return self.final[seat] == min(self.final) and self.final.count(self.final[seat]) == 1

    def together(self, turn):
        return sum(self.ended[turn - 1])

    def part(self, turn):
        return sum(self.given[turn - 1]["contributions"]) / sum(self.given[turn - 1]["start"])

    def outcome(self, words, seat):
        checks = {
            "wins": self.wins(seat),
            "ends last": self.is_last(seat),
            "loses everything": self.final[seat] == 0,
            None: not self.wins(seat),
        }
        return checks[words]


def promised(game, seat, amount, turn, given, outcome):
    seat, turn, amount, given = int(seat), int(turn), number(amount), number(given)
    own = [promise_in(line["text"]) for line in game.said if (line["round"], line["seat"]) == (turn, seat)]
    said = [promise for promise in own if promise is not None][-1]
    now = game.given[turn - 1]
    assert (now["start"][seat] if said.amount is None else said.amount) == amount
    assert now["contributions"][seat] == given < amount
    return game.outcome(outcome, seat)


def hit_together(game, count, amount, seat, turn):
    hits = [hit for hit in game.hits if (hit["round"], hit["target"]) == (int(turn), int(seat)) and hit["damage"]]
    return len({hit["punisher"] for hit in hits}) == COUNTS.index(count.lower()) and sum(
        hit["damage"] for hit in hits
    ) == number(amount)


def comeback(game, seat, turn, amount):
    held, seat = game.ended[int(turn) - 1], int(seat)
    lowest = held[seat] == min(held) and held.count(held[seat]) == 1
    return int(turn) == len(game.ended) // 2 and lowest and game.wins(seat) and game.final[seat] == number(amount)


def overtakes(game, winner, leader, amount):
    before, leader = game.ended[-2], int(leader)
    led = before[leader] == max(before) and before.count(before[leader]) == 1
    return led and leader != int(winner) and game.wins(int(winner)) and game.final[int(winner)] == number(amount)


def leader_last(game, seat, turn, amount):
    held, seat = game.ended[int(turn) - 1], int(seat)
    led = held[seat] == max(held) and held.count(held[seat]) == 1
    return led and game.is_last(seat) and game.final[seat] == number(amount)


def shares_of(game, seat):
    return [now["contributions"][int(seat)] / now["start"][int(seat)] for now in game.given]


def last_round(game, seat, amount):
    shares = shares_of(game, seat)
    right = min(shares[:-1]) >= 0.5 and shares[-1] == 0
    return right and game.wins(int(seat)) and game.final[int(seat)] == number(amount)


def gives(game, seat, how, outcome, amount):
    shares = shares_of(game, seat)
    right = min(shares) == 1 if how == "everything in every" else max(shares) == 0
    return right and game.outcome(outcome, int(seat)) and game.final[int(seat)] == number(amount)


def wins_by(game, seat, amount, difference, rivals):
    seat, rest = int(seat), sorted(game.final, reverse=True)
    named = {int(name) for name in re.findall(_SEAT, rivals)}
    second = {place for place, end in enumerate(game.final) if end == rest[1]}
    right = rest[0] - rest[1] == number(difference) and game.final[seat] == number(amount) and game.wins(seat)
    return right and (named == second or (not named and len(second) > 3))


def shared(game, names, amount):
    named = {int(name) for name in re.findall(_SEAT, names)}
    first = {seat for seat, end in enumerate(game.final) if end == max(game.final)}
    right = named == first if named else len(first) == COUNTS.index(names.split()[0].lower())
    return right and max(game.final) == number(amount)


def table_falls(game, most, turn, least):
    return game.together(int(turn)) == number(most) and sum(game.final) == number(least) < number(most) / 2


RULES = {
    rf"{_SEAT} promises {_NUMBER} tokens? in round (\d+)(?:,| and) gives {_NUMBER}(?: and (.+))?": promised,
    rf"(\w+) players take {_NUMBER} tokens? from {_SEAT} in round (\d+)": hit_together,
    rf"{_SEAT} is last after round (\d+) and wins with {_NUMBER} tokens?": comeback,
    rf"{_SEAT} overtakes {_SEAT} in the last round and wins with {_NUMBER} tokens?": overtakes,
    rf"{_SEAT} leads after round (\d+) and ends last with {_NUMBER} tokens?": leader_last,
    rf"{_SEAT} gives at least half in every round, nothing in the last, and wins with {_NUMBER} tokens?": last_round,
    rf"{_SEAT} gives (everything in every|nothing in any) round and (ends last|wins) with {_NUMBER} tokens?": gives,
    rf"{_SEAT} wins with {_NUMBER} tokens?, {_NUMBER} more than (.+)": wins_by,
    rf"{_SEAT} wins with {_NUMBER} tokens?, at least twice as much as any other player": (
        lambda game, seat, amount: game.final[int(seat)] == number(amount) >= 2 * sorted(game.final)[-2] > 0
    ),
    rf"{_SEAT} wins by only {_NUMBER} tokens? over {_SEAT}": (
        lambda game, seat, gap, rival: (
            game.wins(int(seat))
            and game.final[int(rival)] == sorted(game.final)[-2]
            and game.final[int(seat)] - game.final[int(rival)] == number(gap)
        )
    ),
    rf"(?:All (\w+)|Both) end with {_NUMBER} tokens? each": (
        lambda game, count, amount: set(game.final) == {number(amount)} and COUNTS[len(game.final)] == (count or "two")
    ),
    rf"(.+?) share first place(?:,| with) {_NUMBER} tokens? each": shared,
    rf"{_SEAT} holds {_NUMBER} tokens? after round (\d+) and loses everything": (
        lambda game, seat, held, turn: (
            game.final[int(seat)] == 0 and game.ended[int(turn) - 1][int(seat)] == number(held) > 0
        )
    ),
    r"All (\w+) lose everything": lambda game, count: set(game.final) == {0},
    rf"Together they hold {_NUMBER} tokens? after round (\d+) and {_NUMBER} at the end": table_falls,
    r"Together they give (\d+)% of what they hold in round (\d+), and (\d+)% in the last": (
        lambda game, most, turn, least: (
            f"{game.part(int(turn)):.0%}" == f"{most}%" and f"{game.part(len(game.given)):.0%}" == f"{least}%"
        )
    ),
    r"All give everything in every round": lambda game: all(now["contributions"] == now["start"] for now in game.given),
}
"""For each form of a claim, the check of it against the events."""


def check(text, game):
    for form, rule in RULES.items():
        if match := re.fullmatch(form, text):
            assert rule(game, *match.groups()), text
            return form
    raise AssertionError(f"no rule checks the title {text!r}")


@pytest.mark.slow
def test_every_title_of_the_imported_games_is_true(imported_games):
    used, count = set(), 0
    with Journal.open(imported_games) as journal:
        for kept in journal.records():
            record = kept.record
            count += 1
            told = with_tellings(record)
            names = [f"S{seat}" for seat in range(len(record.seats))]
            game = Course(record)
            claims = claims_of(told)
            used |= {check(render(claim.text, names), game) for claim in claims}
            assert title_of_game(told).text in [claim.text for claim in claims]
    assert count == 580
    assert len(used) >= 12


def test_claims_of_played_games_are_true():
    for _, record in played(talk=True):
        names = [f"S{seat}" for seat in range(len(record.seats))]
        for claim in claims_of(with_tellings(record)):
            check(render(claim.text, names), Course(record))


def test_a_game_without_claims_of_its_own_has_a_title_from_its_finals():
    for _, record in champions():
        told = with_tellings(record)
        title = title_of_game(told)
        best = max(round(final, DECIMALS) for final in told.finals)
        assert title.drama > 0 or best == round(told.finals[title.text[0].seat], DECIMALS)


def test_a_broken_promise_is_the_title():
    record = punish(1, text="I'll contribute $20")
    title = title_of_game(with_tellings(record))
    headline = headline_of(title.text, [seat.player for seat in record.seats], PlayerNames())
    assert "promises 20 tokens in round 1" in headline
    assert title.drama > 1
    assert "a broken promise" in title.reasons


def test_a_player_with_several_seats_is_named_with_its_seat():
    record = with_tellings(commons(1))
    title = title_of_game(record)
    headline = headline_of(title.text, ["twin"] * len(record.seats), PlayerNames())
    assert re.search(r"twin \(P\d+\)", headline) or "twin" not in headline
