"""The equilibria that nashpy finds. Run by the peer's own Python, which knows nothing of ours: games come as one line
of JSON, pairs of matrices, and their equilibria go out as another."""

import json
import sys
import warnings

import nashpy
import numpy as np


def main() -> None:
    """Solve every game by enumeration of supports."""
    warnings.simplefilter("ignore")  # it says of some games that they may be degenerate
    games = [nashpy.Game(np.asarray(row), np.asarray(column)) for row, column in json.loads(sys.stdin.readline())]
    print(json.dumps([[[x.tolist(), y.tolist()] for x, y in game.support_enumeration()] for game in games]))


if __name__ == "__main__":
    main()
