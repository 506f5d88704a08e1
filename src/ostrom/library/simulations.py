"""The verbs of simulations as functions of the library: `ostrom.tournament`, `sweep`, `evolve`, `solve`, `respond`,
`exploitability` and `design`."""

from collections.abc import Sequence
from typing import Any

from ostrom.findings import design as design_verb
from ostrom.findings import evolve as evolve_verb
from ostrom.findings import respond as respond_verb
from ostrom.findings import solve as solve_verb
from ostrom.findings import sweep as sweep_verb
from ostrom.findings import tournament as tournament_verb
from ostrom.library.verbs import Result, function_from
from ostrom.players.roster import Seated

tournament = function_from(tournament_verb.tournament, "players")
sweep = function_from(sweep_verb.sweep, "vary", spell={"measure": "measures"})
evolve = function_from(evolve_verb.evolve, "game", "players", spell={"from_": "experiment"})
solve = function_from(solve_verb.solve, "game", "players", spell={"from_": "experiment"})
respond = function_from(respond_verb.respond, "against")
design = function_from(design_verb.design, "vary", spell={"include": "players", "refinements": "rounds"})


def exploitability(table: Sequence[Seated], **settings: Any) -> Result:
    """Return the gain of each player of a table from the best response to all others. The response plays in the
    player's first seat. If all seats have copies of one player, the gain is this player's exploitability. The settings
    are those of `respond`."""
    return respond(table, exploitability=True, **settings)
