"""Payoff tables of experiments in which not every group met. Groups that were not played are estimated: a player earns
a part of its own and one for each of its co-players, fitted to all games by least squares. That knows no interaction of
two players, so it is said wherever it is used; compositions that were played keep what they paid."""

from dataclasses import dataclass

import numpy as np

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.sim.payoffs import Floats, Groups, PayoffTable, Whole

_ALIKE = 1e-6


@dataclass(frozen=True)
class FittedTable(PayoffTable):
    """A payoff table of all groups that are wanted, of which some were not played."""

    played: PayoffTable | None = None
    """The table of the games."""
    unplayed: int = 0
    """Compositions whose payoffs are estimated."""

    def resampled(self, chance: np.random.Generator) -> PayoffTable:
        """The table of as many games drawn again with replacement, whatever their composition."""
        assert self.played is not None
        counts, payoffs = _games(self.played)
        drawn = chance.integers(len(counts), size=len(counts))
        means = _means(self.groups, counts[drawn], payoffs[drawn])
        # What the games drawn do not tell stays as it was.
        return PayoffTable(self.groups, np.where(np.isnan(means), self.means, means), self.errors, self.games)

    def scaled(self, unit: float) -> PayoffTable:
        """The table in another unit."""
        assert self.played is not None
        return completed(self.played.scaled(unit), self.groups)


def completed(table: PayoffTable, groups: Groups) -> PayoffTable:
    """The table of these groups: the same where all of them were played, else with estimates for the others."""
    there = {tuple(row) for row in table.groups.counts.tolist()}
    missing = [row for row in groups.counts.tolist() if tuple(row) not in there]
    if table.samples is None or not missing:
        return table
    counts, payoffs = _games(table)
    means = _means(groups, counts, payoffs)
    unknown = np.isnan(means) & (groups.counts > 0)
    if unknown.any():
        which = groups.counts[np.flatnonzero(unknown.any(axis=1))[0]]
        raise InputError(
            f"these games do not tell what a group of {groups.said(which)} would earn; choose players who met others "
            f"who met each other, with {field('players')}"
        )
    place = {tuple(row): at for at, row in enumerate(table.groups.counts.tolist())}
    of = [place.get(tuple(row)) for row in groups.counts.tolist()]
    games = np.asarray([0 if at is None else table.games[at] for at in of], dtype=np.int64)
    errors = np.stack([np.full(len(groups.players), np.nan) if at is None else table.errors[at] for at in of])
    return FittedTable(groups, means, errors, games, table.samples, played=table, unplayed=len(missing))


def _games(table: PayoffTable) -> tuple[Whole, Floats]:
    """(games, players) twice: the seats that each player held, and what it earned at one on average."""
    assert table.samples is not None
    group = np.repeat(np.arange(len(table.groups)), table.games)
    counts, payoffs = table.groups.counts[group], np.full((len(group), len(table.players)), np.nan)
    np.put_along_axis(payoffs, table.groups.slots[group], table.samples.payoffs, axis=1)
    return counts, np.where(counts > 0, payoffs, np.nan)


def _means(groups: Groups, counts: Whole, payoffs: Floats) -> Floats:
    """(compositions, players) What was paid where a composition was played, else the fit; NaN where the games do not
    tell."""
    size = len(groups.players)
    game, player = np.nonzero(counts)
    design = _design(counts[game], player, size)
    paid = payoffs[game, player]
    weights = np.linalg.pinv(design.T @ design, hermitian=True)
    fit = weights @ (design.T @ paid)
    row, mine = np.nonzero(groups.counts)
    wanted = _design(groups.counts[row], mine, size)
    # A combination of parts that no games tell apart is no estimate.
    known = np.abs(wanted - wanted @ weights @ (design.T @ design)).max(axis=1) < _ALIKE
    made = np.full(groups.counts.shape, np.nan)
    # No estimate lies above the largest or below the smallest payoff seen.
    made[row, mine] = np.where(known, np.clip(wanted @ fit, paid.min(), paid.max()), np.nan)
    found = {tuple(one): at for at, one in enumerate(groups.counts.tolist())}
    at = np.asarray([found.get(tuple(one), -1) for one in counts.tolist()])
    sums, times = np.zeros(made.shape), np.zeros(made.shape)
    here = at[game] >= 0
    np.add.at(sums, (at[game][here], player[here]), paid[here])
    np.add.at(times, (at[game][here], player[here]), 1.0)
    return np.where(times > 0, sums / np.maximum(times, 1.0), made)


def _design(counts: Whole, player: Whole, size: int) -> Floats:
    """(rows, 2 players) Who earns, and how many of each kind it sits with."""
    own = np.eye(size)[player]
    return np.concatenate([own, counts - own], axis=1)


def said_of(table: PayoffTable) -> str:
    """What is to be said of estimates in it; nothing where there are none."""
    if not isinstance(table, FittedTable):
        return ""
    return (
        f"{table.unplayed:,} of {len(table.groups):,} groups never met: what they would earn is fitted to all games, a "
        "part of each player's own and one for each co-player, within what was ever paid"
    )
