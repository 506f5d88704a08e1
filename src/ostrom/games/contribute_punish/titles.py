"""Claims about games of Contribute & Punish for their titles: promises, punishments, and what seats gave."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ostrom.core import Event
from ostrom.core.effects import sentence
from ostrom.core.promises import promise_in
from ostrom.core.titles import Claim, amount_text, count_word
from ostrom.games.contribute_punish.events import PunishHistory, PunishMessageSaid, PunishRound, history_of
from ostrom.games.contribute_punish.rules import ContributePunishRules

MIN_ROUNDS: Final = 3
"""The smallest number of rounds for claims about all rounds, or all rounds but the last."""
HIGH_SHARE: Final = 0.75
LOW_SHARE: Final = 0.25
"""A table gives much if it gives at least `HIGH_SHARE` of what it holds, and little if at most `LOW_SHARE`."""


class BrokenPromise(NamedTuple):
    """A promise of which a seat could have kept more than it did."""

    round: int
    seat: int
    promised: int
    given: int
    held: int

    @property
    def size(self) -> float:
        """The part of its balance that the seat withheld in spite of its promise."""
        return (min(self.promised, self.held) - self.given) / self.held


def claims(rules: ContributePunishRules, seats: int, events: Sequence[Event]) -> Iterator[Claim]:
    """Yield the claims about one game."""
    history = history_of(events)
    rounds = [played for played in history.rounds if played.balances is not None]
    if history.balances is None or not rounds:
        return
    yield from _promise_claim(broken_promises(rounds, events), history)
    yield from _punishment_claim(rounds)
    yield from _giving_claims(rounds, history)
    yield from _table_claim(rounds, history.balances)


def broken_promises(rounds: Sequence[PunishRound], events: Sequence[Event]) -> list[BrokenPromise]:
    """Return all broken promises. The last message of a seat in a round that has a promise counts."""
    said = {}
    for event in events:
        if isinstance(event, PunishMessageSaid) and (promise := promise_in(event.text)) is not None:
            said[event.round, event.seat] = promise
    broken = []
    for played in rounds:
        for seat, (held, given) in enumerate(zip(played.start, played.contributions, strict=True)):
            promise = said.get((played.round, seat))
            if promise is None or held == 0:
                continue
            promised = held if promise.amount is None else promise.amount
            if given < min(promised, held):
                broken.append(BrokenPromise(played.round, seat, promised, given, held))
    return broken


def _promise_claim(broken: Sequence[BrokenPromise], history: PunishHistory) -> Iterator[Claim]:
    if not broken:
        return
    worst = max(broken, key=lambda promise: (promise.size, promise.round))
    promised = amount_text(worst.promised, "tokens")
    outcome = _outcome(worst.seat, history)
    gives = f", gives {worst.given:,}{outcome}" if outcome else f" and gives {worst.given:,}"
    text = sentence(worst.seat, f" promises {promised} in round {worst.round}{gives}")
    yield Claim("broken promise", text, 1.0 + 2.0 * worst.size, "a broken promise")


def _outcome(seat: int, history: PunishHistory) -> str:
    """Return the final result of a seat as the end of a sentence; empty if it is neither first nor last."""
    ends = history.balances or []
    if ends[seat] == 0:
        return " and loses everything"
    if ends.count(ends[seat]) > 1:
        return ""
    if ends[seat] == max(ends):
        return " and wins"
    return " and ends last" if ends[seat] == min(ends) else ""


def _punishment_claim(rounds: Sequence[PunishRound]) -> Iterator[Claim]:
    """Yield the largest loss of one seat to at least two punishers in one round."""
    best: tuple[float, Claim] | None = None
    for played in rounds:
        for seat, (held, lost) in enumerate(zip(played.shared, played.damage, strict=True)):
            punishers = {dealt.punisher for dealt in played.punishments if dealt.target == seat and dealt.damage > 0}
            if len(punishers) < 2 or held == 0:
                continue
            size = min(lost / held, 1.0)
            taken = amount_text(lost, "tokens")
            count = count_word(len(punishers)).capitalize()
            text = sentence(f"{count} players take {taken} from ", seat, f" in round {played.round}")
            if best is None or size > best[0]:
                best = size, Claim("punished together", text, 0.5 + 2.0 * size, "players punish one together")
    if best is not None:
        yield best[1]


def _giving_claims(rounds: Sequence[PunishRound], history: PunishHistory) -> Iterator[Claim]:
    """Yield claims about seats that give everything or nothing in every round, or that stop in the last round."""
    ends = history.balances or []
    if len(rounds) < MIN_ROUNDS:
        return
    for seat, end in enumerate(ends):
        shares = [played.contributions[seat] / played.start[seat] for played in rounds if played.start[seat] > 0]
        if len(shares) < len(rounds):
            continue
        outcome = _outcome(seat, history)
        if outcome == " and wins" and max(shares) == 0:
            text = sentence(seat, f" gives nothing in any round and wins with {amount_text(end, 'tokens')}")
            yield Claim("free rider wins", text, 2.0, "a free rider wins")
        if min(shares) == 1 and outcome == " and ends last" and ends.count(max(ends)) < len(ends):
            text = sentence(seat, f" gives everything in every round and ends last with {amount_text(end, 'tokens')}")
            yield Claim("giver last", text, 2.0, "the player that gives everything ends last")
        if outcome == " and wins" and min(shares[:-1]) >= 0.5 and shares[-1] == 0:
            text = sentence(
                seat,
                f" gives at least half in every round, nothing in the last, and wins with {amount_text(end, 'tokens')}",
            )
            yield Claim("last round", text, 3.0, "a giver keeps everything in the last round")


def _table_claim(rounds: Sequence[PunishRound], ends: Sequence[int]) -> Iterator[Claim]:
    """Yield a claim about a table that always gives everything, or that stops giving."""
    if len(rounds) < MIN_ROUNDS:
        return
    parts = [sum(played.contributions) / held if (held := sum(played.start)) else 0.0 for played in rounds]
    if min(parts) == 1.0:
        yield Claim("full cooperation", sentence("All give everything in every round"), 0.5, "all give everything")
    top = max(range(len(parts) - 1), key=lambda place: parts[place])
    if parts[top] >= HIGH_SHARE and parts[-1] <= LOW_SHARE:
        text = sentence(
            f"Together they give {parts[top]:.0%} of what they hold in round {rounds[top].round}, "
            f"and {parts[-1]:.0%} in the last"
        )
        yield Claim("cooperation ends", text, 2.0 * (parts[top] - parts[-1]), "cooperation ends")
