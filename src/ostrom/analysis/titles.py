"""The title of a finished game, and its drama score. Both are made of claims: those that the game declares, and general
ones from the final quantity over the turns and from the final results. docs/titles.md has the definitions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ostrom.analysis.amounts import TurnAmounts, amounts_by_turn
from ostrom.core.effects import Leave, Sentence, listed, sentence
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Quantity, Scene
from ostrom.core.telling import render
from ostrom.core.titles import MAX_DRAMA, Claim, Claims, amount_text, count_word
from ostrom.journal.names import PlayerNames
from ostrom.journal.record import GameRecord, read_events

DECIMALS: Final = 9
"""Amounts that are equal when rounded to this many decimals are equal."""
MIN_COMEBACK_TURNS: Final = 4
LEAST_FALL: Final = 0.5
"""The smallest loss of the whole table, as a part of the most that it held, that is a claim."""
NARROW: Final = 0.02
"""The largest lead of a narrow win, as a part of the winner's result."""
MAX_NAMED_SEATS: Final = 3
"""The largest number of seats that a title names."""


@dataclass(frozen=True, slots=True)
class GameTitle:
    """The title of a game, its drama score, and the reasons for the score, the strongest first."""

    text: Sentence
    drama: float
    reasons: tuple[str, ...]


def title_of_game(record: GameRecord) -> GameTitle:
    """Return the title of a finished game. The record must have its tellings, if its game is installed."""
    claims = sorted(claims_of(record), key=lambda claim: -claim.drama)
    strongest: dict[str, Claim] = {}
    for claim in claims:
        strongest.setdefault(claim.kind, claim)
    points = [claim for claim in strongest.values() if claim.drama > 0]
    drama = round(sum(min(claim.drama, MAX_DRAMA) for claim in points), 2)
    return GameTitle(claims[0].text, drama, tuple(dict.fromkeys(claim.reason for claim in points if claim.reason)))


def headline_of(title: Sentence, players: Sequence[str], names: PlayerNames) -> str:
    """Return a title as text, with the names of the players. A player with several seats is named with its seat."""
    labels = [names.of(player) for player in players]
    counts = Counter(labels)
    return render(title, [f"{name} (P{seat + 1})" if counts[name] > 1 else name for seat, name in enumerate(labels)])


def claims_of(record: GameRecord) -> list[Claim]:
    """Return all claims about a finished game: its own, the general ones, and at least one from its final results."""
    return [*_own_claims(record), *_general_claims(record), _last_resort(record)]


def _own_claims(record: GameRecord) -> Iterator[Claim]:
    if record.game not in GAMES:
        return
    game: Game[Any, Any] = GAMES[record.game]
    part: Claims | None = game.part("titles")
    if part is not None:
        _, rules, events = read_events(record)
        yield from part(rules, len(record.seats), events)


class _Words(NamedTuple):
    """The words of a game for its amounts and turns."""

    clock: str
    quantity: Quantity
    higher: bool

    def amount(self, amount: float) -> str:
        return amount_text(amount, self.quantity.unit, self.quantity.digits)

    def number(self, amount: float) -> str:
        return amount_text(amount, "", self.quantity.digits)


def _words_of(scene: Scene | None) -> _Words | None:
    if scene is None or scene.final is None:
        return None
    return _Words(scene.clock or "turn", scene.quantities[scene.final], scene.better == "higher")


def _general_claims(record: GameRecord) -> Iterator[Claim]:
    """Yield the claims that follow from the amounts of the final quantity at the end of each turn."""
    words = _words_of(record.scene)
    left = [
        (telling.turn, effect.seat)
        for telling in record.told
        for effect in telling.effects
        if isinstance(effect, Leave) and effect.seat < len(record.seats)
    ]
    if left and words is not None:
        yield _leaving(left, words)
    finals = [None if final is None else round(final, DECIMALS) for final in record.finals or ()]
    course = [turn for turn in amounts_by_turn(record) if turn.turn > 0]
    if words is None or len(finals) < 2 or None in finals or not course:
        return
    ends = [final for final in finals if final is not None]
    rounded = [TurnAmounts(turn.turn, [round(amount or 0.0, DECIMALS) for amount in turn.amounts]) for turn in course]
    yield from _changes_of_lead(rounded, ends, words)
    if words.higher:
        yield from _losses(rounded, ends, words)


def _leaving(left: Sequence[tuple[int, int]], words: _Words) -> Claim:
    turn, seat = left[0]
    if len(left) == 1:
        return Claim(
            "exclusion", sentence(seat, f" has to leave in {words.clock} {turn}"), 1.0, "a player has to leave"
        )
    text = sentence(seat, f" is the first of {count_word(len(left))} who have to leave, in {words.clock} {turn}")
    return Claim("exclusion", text, min(1.0 + 0.25 * len(left), 2.0), "players have to leave")


def _changes_of_lead(course: Sequence[TurnAmounts], ends: Sequence[float], words: _Words) -> Iterator[Claim]:
    """Yield comebacks, leads that change in the last turn, leaders that end last, and narrow wins."""
    best, worst = (max, min) if words.higher else (min, max)
    winners = [seat for seat, end in enumerate(ends) if end == best(ends)]
    if len(winners) > 1:
        return
    winner, size = winners[0], max(map(abs, ends)) or 1.0
    wins = f" and wins with {words.amount(ends[winner])}"
    middle = course[len(course) // 2 - 1] if len(course) >= MIN_COMEBACK_TURNS else None
    if middle is not None and len(ends) > 2 and _alone(middle.amounts, worst(_known(middle))) == winner:
        text = sentence(winner, f" is last after {words.clock} {middle.turn}{wins}")
        yield Claim("comeback", text, 3.0, "a comeback from last place")
    before = course[-2] if len(course) > 1 and course[-1].turn > course[-2].turn else None
    if before is not None and (leader := _alone(before.amounts, best(_known(before)))) not in (None, winner):
        assert leader is not None
        text = sentence(winner, " overtakes ", leader, f" in the last {words.clock}{wins}")
        yield Claim("last turn", text, 2.5, f"the lead changes in the last {words.clock}")
    last = _alone(ends, worst(ends))
    led = [turn.turn for turn in course[:-1] if last is not None and _alone(turn.amounts, best(_known(turn))) == last]
    if last is not None and led and len(ends) > 2:
        text = sentence(last, f" leads after {words.clock} {led[-1]} and ends last with {words.amount(ends[last])}")
        yield Claim("collapse", text, 1.5 + len(led) / len(course), "a leader ends last")
    second = best(end for seat, end in enumerate(ends) if seat != winner)
    gap = abs(ends[winner] - second)
    if gap <= NARROW * size and (rival := _alone(ends, second)) is not None:
        text = sentence(winner, " wins by only ", words.amount(gap), " over ", rival)
        yield Claim("narrow", text, 1.0, "a narrow win")


def _losses(course: Sequence[TurnAmounts], ends: Sequence[float], words: _Words) -> Iterator[Claim]:
    """Yield players that lose everything, and tables that lose most of what they held."""
    peaks = [_peak(course[:-1] or course, seat) for seat in range(len(ends))]
    ruined = [seat for seat, end in enumerate(ends) if end == 0 and (peaks[seat].amounts[seat] or 0.0) > 0]
    if len(ruined) == len(ends):
        yield Claim("ruin", sentence(f"All {count_word(len(ends))} lose everything"), 3.0, "all lose everything")
    elif ruined:
        seat = max(ruined, key=lambda seat: peaks[seat].amounts[seat] or 0.0)
        held = words.amount(peaks[seat].amounts[seat] or 0.0)
        text = sentence(seat, f" holds {held} after {words.clock} {peaks[seat].turn} and loses everything")
        yield Claim("ruin", text, 2.5, "a player loses everything")
    top = max(course, key=lambda turn: sum(_known(turn)))
    most, least = sum(_known(top)), sum(ends)
    if most > 0 and least >= 0 and least < (1 - LEAST_FALL) * most and len(ruined) != len(ends):
        held = f"Together they hold {words.amount(most)} after {words.clock} {top.turn}"
        text = sentence(f"{held} and {words.number(least)} at the end")
        yield Claim("fall of the table", text, 2 * (1 - least / most), "the whole table loses most of what it held")


def _peak(course: Sequence[TurnAmounts], seat: int) -> TurnAmounts:
    """Return the first turn after which a seat had the most."""
    return max(course, key=lambda turn: turn.amounts[seat] or 0.0)


def _known(turn: TurnAmounts) -> list[float]:
    return [amount for amount in turn.amounts if amount is not None]


def _alone(amounts: Sequence[float | None], value: float) -> int | None:
    """Return the only seat with this amount; None if there are several, or none."""
    seats = [seat for seat, amount in enumerate(amounts) if amount == value]
    return seats[0] if len(seats) == 1 else None


def _last_resort(record: GameRecord) -> Claim:
    """Return a claim that every game allows: from its final results, or else from its players."""
    words = _words_of(record.scene)
    finals = {seat: round(end, DECIMALS) for seat, end in enumerate(record.finals or ()) if end is not None}
    if words is None or len(finals) < 2:
        return _played(record)
    best = (max if words.higher else min)(finals.values())
    winners = [seat for seat, end in finals.items() if end == best]
    each = words.amount(best)
    if len(winners) == len(record.seats):
        count = "Both" if len(winners) == 2 else f"All {count_word(len(winners))}"
        return Claim("tie", sentence(f"{count} end with {each} each"))
    if len(winners) > MAX_NAMED_SEATS:
        return Claim(
            "tie", sentence(f"{count_word(len(winners)).capitalize()} players share first place with {each} each")
        )
    if len(winners) > 1:
        return Claim("tie", sentence(*listed(winners), f" share first place with {each} each"))
    rest = [end for seat, end in finals.items() if seat != winners[0]]
    second = (max if words.higher else min)(rest)
    if words.higher and second > 0 and best >= 2 * second and len(finals) > 2:
        text = sentence(winners[0], f" wins with {each}, at least twice as much as any other player")
        return Claim("runaway", text)
    rivals = [seat for seat, end in finals.items() if end == second]
    more = f" wins with {each}, {words.number(abs(best - second))} {'more' if words.higher else 'less'} than "
    if len(rivals) > MAX_NAMED_SEATS:
        return Claim("win", sentence(winners[0], f"{more}the next {count_word(len(rivals))}"))
    return Claim("win", sentence(winners[0], more, *listed(rivals)))


def _played(record: GameRecord) -> Claim:
    """Return a claim with the players and the game only."""
    title = record.scene.title if record.scene is not None else record.game.replace("_", " ")
    seats = list(range(len(record.seats)))
    if len(seats) == 1:
        return Claim("played", sentence(0, f" answers: {title}"))
    if len(seats) > MAX_NAMED_SEATS:
        others = len(seats) - 2
        return Claim("played", sentence(0, ", ", 1, f" and {count_word(others)} others play {title}"))
    return Claim("played", sentence(*listed(seats), f" play {title}"))
