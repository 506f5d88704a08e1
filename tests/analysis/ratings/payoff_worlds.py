"""Worlds of games with roles and private values, in which the effect of every player on its payoff is known."""

import numpy as np

from ostrom.analysis.ratings import GameResults, tiers
from ostrom.analysis.ratings.methods.payoff import rate_by_payoff


def world(generator, effects, games, *, seats=2, unequal=False, mirrored=True):
    """Games between players with these effects. A payoff has a mean by role, a skewed private value, the player's
    effect, and noise that grows with the value and is negatively correlated within a game. With `unequal`, the last
    players have four times as many games as the first; without `mirrored`, every game has draws of its own."""
    players = len(effects)
    weights = np.linspace(1, 4, players) if unequal else np.ones(players)
    role = (np.arange(seats) >= seats // 2).astype(int)
    rows, scores, draws = [], [], []
    while len(rows) < games:
        table = generator.choice(players, size=seats, replace=False, p=weights / weights.sum())
        value = generator.exponential(3.0, size=seats) * np.where(role == 0, 1, 4)
        draw = draws[-1] + 1 if draws else 0
        for exchanged in (table, np.roll(table, seats // 2))[: 2 if mirrored else 1]:
            noise = generator.normal(size=seats) * (1 + value / 3)
            rows.append(exchanged)
            scores.append(value + 5 * role + effects[exchanged] + noise - 0.7 * noise.mean())
            draws.append(draw)
    names = tuple(f"p{place}" for place in range(players))
    return GameResults(names, np.array(rows), np.array(scores), np.tile(role, (len(rows), 1)), np.array(draws))


def study(worlds, effects, games, *, seed=1, **settings):
    """The shares of worlds with more than one tier, of covered effects, and of pairs with the greatest difference that
    are told apart."""
    effects = np.asarray(effects, dtype=float)
    several, covered, apart = 0, [], 0
    for number in range(worlds):
        rating = rate_by_payoff(world(np.random.default_rng([seed, number]), effects, games, **settings))
        places = {place.name: place for place in tiers(rating)}
        several += max((place.tier or 1 for place in places.values()), default=1) > 1
        truth = effects - effects.mean()
        covered += [
            estimate.low <= own <= estimate.high
            for own, estimate in zip(truth, rating.strengths, strict=True)
            if estimate.low is not None
        ]
        best, worst = places[f"p{np.argmax(effects)}"], places[f"p{np.argmin(effects)}"]
        apart += (best.tier or 0) < (worst.tier or 0)
    return several / worlds, float(np.mean(covered)), apart / worlds
