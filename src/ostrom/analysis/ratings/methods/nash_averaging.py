"""Nash averaging: the players' shares in the Nash equilibrium of greatest entropy of a game in which two opponents each
send a player (Balduzzi, Tuyls, Perolat and Graepel, "Re-evaluating evaluation", NeurIPS 2018). The payoff of this game
is how much more often the sent player ends ahead of the other than behind. Copies of a player share its weight, so the
rating does not depend on how often a player was entered. Players that lose in a transitive order have the share 0.

The equilibrium jumps if a result passes a threshold, so neither the delta method nor the bootstrap gives an interval
that holds; there is none.
"""

from typing import Final

import numpy as np

from ostrom.analysis.ratings.method import RATING_METHODS, GameResults, RatingMethod
from ostrom.analysis.ratings.pair_shares import ShareFit, net_shares
from ostrom.core import InputError
from ostrom.core.estimates import Floats
from ostrom.core.settings import Settings

MAX_PLAYERS: Final = 100
_SUPPORT: Final = 1e-9
"""The smallest share that counts as positive."""
_REASON: Final = "the equilibrium jumps at thresholds: no interval"


class NashSettings(Settings):
    """Nash averaging has no settings."""


def equilibrium_of_greatest_entropy(net: Floats) -> Floats:
    """Return the symmetric equilibrium of greatest entropy, (players,), of a zero-sum game with the payoffs `net`,
    which are antisymmetric."""
    from scipy.optimize import minimize

    support = _largest_support(net)
    own = net[:, support]

    def dual(price: Floats) -> tuple[float, Floats]:
        """Return the dual of the entropy, which is convex, and its slope."""
        utility = -(price @ own)
        top = utility.max()
        power = np.exp(utility - top)
        share = power / power.sum()
        return float(top + np.log(power.sum())), -(own @ share)

    # Players in some equilibrium earn exactly 0 in every equilibrium, and the others at most 0.
    bounds = [(None, None) if player in set(support.tolist()) else (0, None) for player in range(len(net))]
    options = {"maxiter": 10_000, "maxfun": 100_000, "ftol": 1e-16, "gtol": 1e-11, "maxls": 50}
    price = minimize(dual, np.zeros(len(net)), jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    utility = -(price @ own)
    power = np.exp(utility - utility.max())
    shares = np.zeros(len(net))
    shares[support] = power / power.sum()
    return shares


def _largest_support(net: Floats) -> np.ndarray:
    """Return the numbers of the players that have a positive share in some equilibrium."""
    from scipy.optimize import linprog

    players = len(net)
    open_players, support = set(range(players)), set[int]()
    while open_players:
        objective = np.zeros(players)
        objective[list(open_players)] = -1
        solution = linprog(
            objective,
            A_ub=net,
            b_ub=np.zeros(players),
            A_eq=np.ones((1, players)),
            b_eq=[1.0],
            bounds=(0, 1),
            method="highs",
        )
        positive = {player for player in open_players if solution.x[player] > _SUPPORT}
        if not positive:
            break
        support |= positive
        open_players -= positive
    return np.asarray(sorted(support))


def fit_nash(results: GameResults, settings: NashSettings) -> ShareFit:
    """Return the shares of all players. Raises `InputError` if some pair never met or there are too many players."""
    if len(results.names) > MAX_PLAYERS:
        raise InputError(
            f"nash-averaging is computed for at most {MAX_PLAYERS} players; there are {len(results.names)}"
        )
    return ShareFit(results.names, equilibrium_of_greatest_entropy(net_shares(results)), _REASON)


NASH_AVERAGING: Final = RatingMethod(
    name="nash-averaging",
    title="Nash averaging",
    description="a player's share in the equilibrium of greatest entropy of the game in which two opponents each send "
    "a player; without an interval",
    settings=NashSettings,
    fit=fit_nash,
    meaning="A rating is the share with which an opponent that wants to end ahead sends the player, against one that "
    "does the same. It has no interval, because the equilibrium jumps if a result passes a threshold.",
    shares=True,
)
RATING_METHODS.add(NASH_AVERAGING.name, NASH_AVERAGING)
