"""How long the Axelrod library takes for a round robin. Run by the peer's own Python, which knows nothing of ours.

The players come as one line of JSON, each with its machine: what it plays in each state, and the next state after the
other's C and D; the first state is the start. For each further line it plays the tournament once and answers with a
line: the seconds that it took with and without the library's analysis of results, and the points of every match."""

import json
import sys
import time

import axelrod

TURNS = 200
C, D = axelrod.Action.C, axelrod.Action.D


def player(machine: dict) -> "axelrod.Player":
    """A finite-state player of the library: it says what is played with each step, and not with each state."""
    plays = [C if one else D for one in machine["plays"]]
    steps = [
        (state, action, following, plays[following])
        for action, table in ((C, machine["after_c"]), (D, machine["after_d"]))
        for state, following in enumerate(table)
    ]
    return axelrod.FSMPlayer(transitions=tuple(steps), initial_state=0, initial_action=plays[0])


def main() -> None:
    """Read the players, then play on request."""
    players = [player(machine) for machine in json.loads(sys.stdin.readline())]
    print(json.dumps({"peer": "axelrod", "version": axelrod.__version__}), flush=True)
    for _ in sys.stdin:
        # A tournament keeps the matches of deterministic players, so each time it is a new one.
        started = time.perf_counter()
        axelrod.Tournament(players, turns=TURNS, repetitions=1).play(progress_bar=False, build_results=False)
        played = time.perf_counter() - started
        started = time.perf_counter()
        results = axelrod.Tournament(players, turns=TURNS, repetitions=1).play(progress_bar=False)
        whole = time.perf_counter() - started
        points = [[round(sum(matches) * TURNS, 6) for matches in row] for row in results.payoffs]
        print(json.dumps({"played": played, "whole": whole, "points": points}), flush=True)


if __name__ == "__main__":
    main()
