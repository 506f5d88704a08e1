"""The batch engine for Contribute & Punish on NumPy: the same rules and players as in a single game, without the
messages, which the built-in players do not heed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ostrom.core.chance import key_of, uniform_rows
from ostrom.games.commons.players.rows import ManySeats
from ostrom.games.contribute_punish.play import SETTLING
from ostrom.games.contribute_punish.players import Punisher
from ostrom.games.contribute_punish.players.rows import RoundTable, RoundView
from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.games.contribute_punish.steps import NOBODY, open_settlement, settle, share_fund
from ostrom.sim.batch import Whole


@dataclass(frozen=True)
class PunishBatch:
    """Games to be played under one set of rules, with anonymous punishments or without."""

    rules: ContributePunishRules
    cast: Sequence[Punisher]
    seating: Whole
    """(seats, games) For each seat of each game, the place of its player in `cast`."""
    games: Whole
    seed: int


@dataclass(frozen=True)
class PunishResult:
    """What came out, round by round."""

    contributions: Whole
    """(rounds, seats, games)"""
    spend: Whole
    """(rounds, seats, games) What each seat spent on punishment."""
    damage: Whole
    """(rounds, seats, games) What each seat lost to it."""
    balances: Whole
    """(rounds, seats, games) What each seat held at the end of each round."""


def play_punish_batch(batch: PunishBatch) -> PunishResult:
    """Play every game of the batch."""
    rules, (seats, games) = batch.rules, batch.seating.shape
    parties = _parties(batch)
    balances = np.full((seats, games), rules.start, dtype=np.int64)
    carry = np.zeros(games, dtype=np.int64)
    start, given = np.zeros_like(balances), np.zeros_like(balances)
    hits = np.zeros((seats, seats, games), dtype=np.int64)
    kept: list[tuple[Whole, Whole, Whole, Whole]] = []

    def seen(round_: int) -> RoundTable:
        counters = batch.games.astype(np.uint64)
        known = np.zeros_like(hits) if rules.anonymous else hits
        return RoundTable(rules, round_, balances, start, given, known, counters, key_of(batch.seed))

    for round_ in range(1, rules.rounds + 1):
        table, now = seen(round_), balances
        given = np.zeros_like(balances)
        for punisher, pick in parties:
            given[pick.seat, pick.game] = punisher.contribute(RoundView(table, pick))
        fund = share_fund(given, carry, rules)
        balances, carry, start = balances - given + fund.share, fund.carry, now
        spend, damage = np.zeros_like(balances), np.zeros_like(balances)
        if rules.punishment:
            balances, hits = _punish(batch, parties, seen(round_), spend, damage)
        kept.append((given, spend, damage, balances))
    return PunishResult(*(np.stack(each) for each in zip(*kept, strict=True)))


def _punish(
    batch: PunishBatch, parties: Sequence[tuple[Punisher, ManySeats]], table: RoundTable, spend: Whole, damage: Whole
) -> tuple[Whole, Whole]:
    """Settle everybody's punishments in the order that chance gives each game; fill in what was spent and lost."""
    seats, games = table.balances.shape
    targets, asked = np.full_like(table.balances, NOBODY), np.zeros_like(table.balances)
    for punisher, pick in parties:
        choice = punisher.punish(RoundView(table, pick))
        targets[pick.seat, pick.game], asked[pick.seat, pick.game] = choice.target, choice.spend
    drawn = [uniform_rows(table.key, table.games, SETTLING, table.round, seat) for seat in range(seats)]
    order = np.argsort(np.stack(drawn), axis=0, kind="stable")
    settling, column = open_settlement(table.balances), np.arange(games)
    hits = np.zeros_like(table.hits)
    for punishers in order:
        target = targets[punishers, column]
        settling = settle(settling, punishers, target, asked[punishers, column], batch.rules)
        hit = np.flatnonzero(settling.spend)
        spend[punishers[hit], hit] += settling.spend[hit]
        damage[target[hit], hit] += settling.damage[hit]
        hits[punishers[hit], target[hit], hit] += settling.damage[hit]
    return settling.balances, hits


def _parties(batch: PunishBatch) -> list[tuple[Punisher, ManySeats]]:
    parties = []
    for member, punisher in enumerate(batch.cast):
        game, seat = np.nonzero(np.equal(batch.seating.T, member))
        if len(game):
            parties.append((punisher, ManySeats(seat=seat, game=game, flat=seat * batch.seating.shape[1] + game)))
    return parties
