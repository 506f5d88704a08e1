"""The generator that plays one game of Contribute & Punish, and the view of a seat. The view has every number of all
rounds, and the messages of the last few rounds. A round has one step for each message (or one for all messages, if they
are written at once), one step for all contributions, and one step for all punishments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ostrom.core import Amount, Answer, Play, Question, Seat, Table, Text
from ostrom.core.arrays import Array
from ostrom.core.specs import Aimed
from ostrom.core.spoken import removed_at_once
from ostrom.games.contribute_punish.events import (
    FundShared,
    PunishContributed,
    Punished,
    PunishEnded,
    PunishMessageSaid,
    RoundEnded,
)
from ostrom.games.contribute_punish.rules import AT_ONCE, ContributePunishRules, open_settlement, settle, share_fund


@dataclass(frozen=True)
class Punishment:
    """A punishment that took effect, as one seat knows it."""

    punisher: int | None
    """The seat of the punisher. It is None if punishments are anonymous and the punisher is another seat."""
    target: int
    spend: int | None
    """The amount spent. It is None if the punisher is None."""
    damage: int


@dataclass(frozen=True)
class PastRound:
    """A round that is over."""

    round: int
    start: tuple[int, ...]
    contributions: tuple[int, ...]
    share: int
    carry: int
    shared: tuple[int, ...]
    """The balances after the shares were paid."""
    punishments: tuple[Punishment, ...]
    balances: tuple[int, ...]
    """The balances at the end of the round."""
    messages: tuple[tuple[int, str], ...]
    """Pairs (seat, text) in the order of speaking. There are none for rounds whose messages are no longer shown."""


@dataclass(frozen=True)
class PunishView:
    """The state of the game as one seat sees it. Sequences over seats are indexed by seat, from 0."""

    rules: ContributePunishRules
    round: int
    seat: int
    balances: tuple[int, ...]
    """The present balances."""
    carry: int
    """The carry-over into this round."""
    said: tuple[tuple[int, str], ...]
    """The messages of this round so far, as pairs (seat, text)."""
    contributions: tuple[int, ...] | None
    """The contributions of this round. They are None until all seats have contributed."""
    history: tuple[PastRound, ...]
    public: tuple[PastRound, ...] = ()
    """The past rounds as all seats may know them. The messages of at least the last `message_rounds` rounds are
    included. Older messages are removed from several rounds at once, so that the text of the past stays the same for
    many rounds."""

    @property
    def balance(self) -> int:
        return self.balances[self.seat]

    @property
    def others(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.balances)) if seat != self.seat)

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {
            "round": self.round,
            "rounds": self.rules.rounds,
            "seat": self.seat,
            "balances": list(self.balances),
            "carry": self.carry,
            "said": [{"seat": seat, "text": text} for seat, text in self.said],
            "contributions": None if self.contributions is None else list(self.contributions),
            "history": [
                {
                    "round": past.round,
                    "contributions": list(past.contributions),
                    "share": past.share,
                    "punishments": [vars(punishment) for punishment in past.punishments],
                    "balances": list(past.balances),
                    "messages": [{"seat": seat, "text": text} for seat, text in past.messages],
                }
                for past in self.history
            ],
        }


SPEAKING = "speaking"
"""The purpose of the draw that determines the order of speaking."""
SETTLING = "settling"
"""The purpose of the draw that determines the order in which punishments are settled."""


def play(rules: ContributePunishRules, table: Table) -> Play:
    """Play all rounds."""
    seats = table.seats
    known = _Known(rules, balances=np.full((len(seats), 1), rules.start, dtype=np.int64))
    for round_ in range(1, rules.rounds + 1):
        known.open(round_)
        for speakers in _speakers(rules, table, round_):
            messages = yield [_ask_message(table, known, seat) for seat in speakers]
            for seat, message in zip(speakers, messages, strict=True):
                known.said.append((seat.index, message.value))
                table.record(PunishMessageSaid(round=round_, seat=seat.index, text=message.value))
        contributions = yield [_ask_contribution(table, known, seat) for seat in seats]
        _share(table, known, column([answer.value for answer in contributions]))
        if rules.punishment:
            able = [seat for seat in seats if known.may_spend(seat) > 0]
            answers = (yield [_ask_punishment(table, known, seat) for seat in able]) if able else []
            _settle(table, known, dict(zip(able, answers, strict=True)))
        known.close()
        table.record(RoundEnded(round=round_, balances=known.held, carry=int(known.carry[0])))
    best = max(known.held)
    winners = [seat for seat, held in enumerate(known.held) if held == best]
    table.record(PunishEnded(round=rules.rounds, balances=known.held, winners=winners))


@dataclass
class _Known:
    """The state and the history of the game, from which the views of seats are created."""

    rules: ContributePunishRules
    balances: Array
    carry: Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    round: int = 0
    start: tuple[int, ...] = ()
    said: list[tuple[int, str]] = field(default_factory=list)
    contributions: tuple[int, ...] | None = None
    share: int = 0
    shared: tuple[int, ...] = ()
    punishments: list[Punishment] = field(default_factory=list)
    histories: list[tuple[PastRound, ...]] = field(init=False)
    """For each seat, the past rounds as far as this seat may know them. The last entry has the past rounds as far as
    all seats may know them. All views of a round share these tuples, since a copy for every question would fill the
    memory in a long game."""

    def __post_init__(self) -> None:
        self.histories = [()] * (len(self.balances) + 1)

    @property
    def held(self) -> list[int]:
        held: list[int] = self.balances[:, 0].tolist()
        return held

    def may_spend(self, seat: Seat) -> int:
        return min(self.rules.max_spend, self.held[seat.index])

    def open(self, round_: int) -> None:
        self.round, self.start, self.said, self.contributions = round_, tuple(self.held), [], None
        self.punishments = []

    def close(self) -> None:
        assert self.contributions is not None
        past = PastRound(
            round=self.round,
            start=self.start,
            contributions=self.contributions,
            share=self.share,
            carry=int(self.carry[0]),
            shared=self.shared,
            punishments=tuple(self.punishments),
            balances=tuple(self.held),
            messages=tuple(self.said),
        )
        *own, public = self.histories
        forgotten = max(0, self.round - self.rules.message_rounds)
        self.histories = [
            *(_without_messages([*rounds, self._anonymised(past, seat)], forgotten) for seat, rounds in enumerate(own)),
            _without_messages(
                [*public, self._anonymised(past, len(own))], removed_at_once(self.round, self.rules.message_rounds)
            ),
        ]

    def _anonymised(self, past: PastRound, seat: int) -> PastRound:
        if not self.rules.anonymous:
            return past
        hidden = [
            dealt if dealt.punisher == seat else Punishment(None, dealt.target, None, dealt.damage)
            for dealt in past.punishments
        ]
        return replace(past, punishments=tuple(hidden))

    def view(self, seat: Seat) -> PunishView:
        return PunishView(
            rules=self.rules,
            round=self.round,
            seat=seat.index,
            balances=tuple(self.held),
            carry=int(self.carry[0]),
            said=tuple(self.said),
            contributions=self.contributions,
            history=self.histories[seat.index],
            public=self.histories[-1],
        )


def _without_messages(rounds: Sequence[PastRound], count: int) -> tuple[PastRound, ...]:
    """Return the rounds, with the messages removed from the first `count` rounds."""
    return (*(replace(past, messages=()) if past.messages else past for past in rounds[:count]), *rounds[count:])


def _speakers(rules: ContributePunishRules, table: Table, round_: int) -> Sequence[Sequence[Seat]]:
    """Return groups of seats in the order in which they speak. The seats of a group write their messages at the same
    time."""
    if not rules.messages:
        return []
    if rules.talk == AT_ONCE:
        return [table.seats]
    return [[seat] for seat in table.chance.order(table.seats, SPEAKING, round_ if rules.redraw_order else 1)]


def _ask_message(table: Table, known: _Known, seat: Seat) -> Question:
    return table.ask(seat, "message", known.round, Text(known.rules.message_words), known.view(seat), fallback="")


def _ask_contribution(table: Table, known: _Known, seat: Seat) -> Question:
    spec = Amount(0, known.held[seat.index], whole=True)
    return table.ask(seat, "contribution", known.round, spec, known.view(seat), fallback=0)


def _ask_punishment(table: Table, known: _Known, seat: Seat) -> Question:
    view = known.view(seat)
    spec = Aimed(view.others, known.may_spend(seat))
    return table.ask(seat, "punishment", known.round, spec, view, fallback={"target": None, "spend": 0})


def _share(table: Table, known: _Known, contributions: Array) -> None:
    """Collect the contributions, multiply the fund, and pay each seat its share."""
    carry_in = int(known.carry[0])
    fund = share_fund(contributions, known.carry, known.rules)
    known.balances = known.balances - contributions + fund.share
    known.carry = fund.carry
    known.contributions = tuple(contributions[:, 0].tolist())
    known.share, known.shared = int(fund.share[0]), tuple(known.held)
    table.record(PunishContributed(round=known.round, start=list(known.start), contributions=list(known.contributions)))
    table.record(
        FundShared(
            round=known.round,
            carry_in=carry_in,
            pot=int(fund.pot[0]),
            grown=int(fund.grown[0]),
            share=known.share,
            carry_out=int(fund.carry[0]),
            balances=known.held,
        )
    )


def _settle(table: Table, known: _Known, answers: Mapping[Seat, Answer]) -> None:
    """Settle punishments one by one, in a random order. If the spending of a punishment is reduced to 0, it is not
    recorded."""
    settling = open_settlement(known.balances)
    for seat in table.chance.order(table.seats, SETTLING, known.round):
        if seat not in answers or answers[seat].value["target"] is None:
            continue
        target, asked = answers[seat].value["target"], answers[seat].value["spend"]
        settling = settle(settling, np.asarray([seat.index]), np.asarray([target]), np.asarray([asked]), known.rules)
        spend, damage = int(settling.spend[0]), int(settling.damage[0])
        if spend:
            known.punishments.append(Punishment(seat.index, target, spend, damage))
            table.record(
                Punished(round=known.round, punisher=seat.index, target=target, asked=asked, spend=spend, damage=damage)
            )
    known.balances = settling.balances


def column(values: Sequence[int]) -> Array:
    """Return amounts by seat as an array of one game."""
    return np.asarray(values, dtype=np.int64)[:, None]
