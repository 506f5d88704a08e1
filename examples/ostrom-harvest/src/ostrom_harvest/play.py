"""The generator that plays one game of Harvest. A round yields one moment in which all speak, one in which all propose
a quota, and one in which all harvest."""

from collections.abc import Sequence

import numpy as np

from ostrom.core import Amount, Answer, Play, Question, Table, Text, Value
from ostrom.core.arrays import Array
from ostrom.core.specs import Spec
from ostrom.core.table import Past
from ostrom_harvest.events import Collapsed, GameEnded, Harvested, MessageSaid, QuotaVoted, RoundEnded, Sanctioned
from ostrom_harvest.rules import HarvestRules
from ostrom_harvest.turn import NO_QUOTA, Outcome, State, harvest, opening, quota_of, sustainable
from ostrom_harvest.view import HarvestView, PastRound

MONITORING = "monitoring"
"""The purpose of the draws that decide whom the monitors look at."""


def play(rules: HarvestRules, table: Table) -> Play:
    """Play until the last round, or until the stock collapses."""
    pool = _Pool(rules, table)
    for round_ in range(1, rules.rounds + 1):
        pool.round, pool.said = round_, []
        if rules.messages:
            said = yield pool.ask("message", Text(rules.message_words), fallback="")
            pool.hear(said)
        if rules.voting:
            proposals = yield pool.ask("quota", Amount(0.0, pool.stock), fallback=None)
            pool.vote(proposals)
        requests = yield pool.ask("harvest", Amount(0.0, pool.stock), fallback=0.0)
        if not pool.take(requests):
            break
    held = pool.held
    best = round(max(held), 9)
    winners = [seat for seat, amount in enumerate(held) if round(amount, 9) == best]
    table.record(GameEnded(round=pool.round, holdings=held, winners=winners))


class _Pool:
    """Where the game stands, and everything that happened: what views are made of."""

    def __init__(self, rules: HarvestRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.state: State = opening(np.zeros(1), len(table.seats), rules)
        self.round = 0
        self.said: list[tuple[int, str]] = []
        self.history: list[PastRound] = []

    @property
    def stock(self) -> float:
        return float(self.state.stock[0])

    @property
    def quota(self) -> float | None:
        quota = float(self.state.quota[0])
        return None if quota == NO_QUOTA else quota

    @property
    def held(self) -> list[float]:
        held: list[float] = self.state.holdings[:, 0].tolist()
        return held

    def ask(self, phase: str, spec: Spec, *, fallback: Value) -> list[Question]:
        """The same question to every seat at once."""
        known = {
            "rules": self.rules,
            "round": self.round,
            "stock": self.stock,
            "quota": self.quota,
            "holdings": tuple(self.held),
            "offences": tuple(int(times) for times in self.state.offences[:, 0]),
            "said": tuple(self.said),
            "history": Past(self.history),
        }
        return [
            self.table.ask(seat, phase, self.round, spec, HarvestView(seat=seat.index, **known), fallback=fallback)
            for seat in self.table.seats
        ]

    def hear(self, answers: Sequence[Answer]) -> None:
        """Everybody hears what everybody said."""
        for seat, answer in zip(self.table.seats, answers, strict=True):
            self.said.append((seat.index, answer.value))
            self.table.record(MessageSaid(round=self.round, seat=seat.index, text=answer.value))

    def vote(self, answers: Sequence[Answer]) -> None:
        """The proposals make a quota."""
        self.state = self.state._replace(quota=quota_of(_column(answers), self.state.quota, self.rules))
        proposals = [answer.value for answer in answers]
        self.table.record(QuotaVoted(round=self.round, proposals=proposals, quota=self.quota))

    def take(self, answers: Sequence[Answer]) -> bool:
        """All harvest; whether the stock is still there."""
        before, requests = self.state, _column(answers)
        outcome = harvest(before, requests, self._watched(), self.rules)
        harvests, fines = outcome.harvests[:, 0].tolist(), outcome.fines[:, 0].tolist()
        self.table.record(
            Harvested(
                round=self.round,
                stock=self.stock,
                sustainable=float(sustainable(before.stock, self.rules)[0]),
                requests=requests[:, 0].tolist(),
                harvests=harvests,
                left=float(outcome.left[0]),
            )
        )
        self._record_sanctions(outcome, harvests, fines)
        self.history.append(
            PastRound(
                round=self.round,
                stock=self.stock,
                quota=self.quota,
                requests=tuple(requests[:, 0].tolist()),
                harvests=tuple(harvests),
                fines=tuple(fines),
                noticed=tuple(outcome.noticed[:, 0].tolist()),
                said=tuple(self.said),
            )
        )
        self.state = outcome.state
        lives = bool(self.state.open[0])
        self.table.record(RoundEnded(round=self.round, stock=self.stock, holdings=self.held))
        if not lives:
            self.table.record(Collapsed(round=self.round, left=float(outcome.left[0])))
        return lives

    def _record_sanctions(self, outcome: Outcome, harvests: Sequence[float], fines: Sequence[float]) -> None:
        for seat in np.flatnonzero(outcome.noticed[:, 0]).tolist():
            assert self.quota is not None  # nobody exceeds a quota that is not there
            self.table.record(
                Sanctioned(
                    round=self.round,
                    seat=seat,
                    offence=int(outcome.state.offences[seat, 0]),
                    excess=harvests[seat] - self.quota,
                    fine=fines[seat],
                )
            )

    def _watched(self) -> Array | None:
        """Whom the monitors look at; drawn only where they do not look at everybody."""
        if not self.rules.sanctioning or self.rules.monitoring >= 1.0:
            return None
        draws = [self.table.chance.uniform(MONITORING, self.round, seat.index) for seat in self.table.seats]
        return np.asarray(draws)[:, None] < self.rules.monitoring


def _column(answers: Sequence[Answer]) -> Array:
    return np.asarray([answer.value for answer in answers], dtype=np.float64)[:, None]
