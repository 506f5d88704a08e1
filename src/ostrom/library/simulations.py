"""`ostrom.tournament`, `ostrom.sweep`, `ostrom.respond`, `ostrom.exploitability` and `ostrom.design`, with results that
draw themselves and can be kept in a journal. What they play and find is in `ostrom.sim`, how it is drawn in
`ostrom.findings.results`, which is read when a chart or a table is wanted: a tournament needs no extra."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ostrom.core import UnknownName
from ostrom.core.game import Game, imported
from ostrom.core.listing import Tables, brief
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.findings import tournament as verbs
from ostrom.library.playing import AnyPath, AnyRules, store_text
from ostrom.library.verbs import function_from
from ostrom.library.wording import names_arguments
from ostrom.players.roster import Seated
from ostrom.sim import best_response
from ostrom.sim.best_response import Exploitability, Method, Response
from ostrom.sim.search import Effort

if TYPE_CHECKING:
    from ostrom.charts.render import AnyChart
    from ostrom.findings.simulations import Simulation


class Drawn:
    """What every result of a simulation shows: charts, tables, and itself as an experiment of a journal."""

    @cached_property
    def _simulation(self) -> "Simulation":
        made: Simulation = imported("ostrom.findings.results:simulation_of")(self)
        return made

    @property
    def charts(self) -> list[str]:
        """The names of its charts."""
        return [one.name for one in self._simulation.charts]

    def chart(self, name: str | None = None) -> "AnyChart":
        """One of its charts, an Altair chart; without a name the first."""
        made = {one.name: one.chart for one in self._simulation.charts}
        name = name or next(iter(made))
        if name not in made:
            raise UnknownName("chart", name, [], text=f"there is no chart {name!r}; there are {brief(made, 600)}")
        return made[name]

    @property
    def tables(self) -> Tables:
        """Its tidy tables by name."""
        return Tables(self._simulation.tables)

    def keep(self, store: AnyPath | None = None, *, name: str = "") -> Any:
        """Keep it as an experiment of a journal, which list, report, export and the pages then show."""
        where = store_text(store)
        kept: str = imported("ostrom.findings.results:keep")(self, where, name=name)
        return imported("ostrom.library.lab:experiment_named")(kept, where)


def fields_of(result: Any) -> dict[str, Any]:
    """What a result is made of, for one of another class."""
    return {one.name: getattr(result, one.name) for one in fields(result) if one.init}


tournament = function_from(verbs.tournament)


@dataclass(frozen=True, repr=False)
class BestResponse(Drawn, Response):
    """A best response, and how it did beside every player in its place: `to_frame()`, `chart()`."""


@names_arguments
def respond(
    against: Sequence[Seated],
    *,
    game: str | Game = DEFAULT_GAME,
    rules: AnyRules = None,
    seed: int = 0,
    seat: int | None = None,
    games: int = 400,
    method: Method = "auto",
    backend: Literal["numpy", "jax"] = "numpy",
    effort: Effort | None = None,
) -> BestResponse:
    """The best response to these players, who take the other seats in their order: exact where they have finitely many
    states, else searched. It takes one more seat, counted from 0: the last one unless `seat` says otherwise, and where
    seats have roles of their own, the last of those that decide most often. It is judged in so many `games`.
    The `method` "gradient" lets a network learn by policy gradients on JAX; otherwise it evolves, on NumPy or on the
    `backend` "jax"."""
    found = best_response.respond(
        against,
        game=game,
        rules=rules,
        seed=seed,
        seat=seat,
        games=games,
        method=method,
        backend=backend,
        effort=effort,
    )
    return BestResponse(**fields_of(found))


@dataclass(frozen=True, repr=False)
class TableExploitability(Drawn, Exploitability):
    """What each player of a table would gain by a best response: `to_frame()`, `chart()`."""


@names_arguments
def exploitability(
    table: Sequence[Seated],
    *,
    game: str | Game = DEFAULT_GAME,
    rules: AnyRules = None,
    seed: int = 0,
    games: int = 400,
    method: Method = "auto",
    backend: Literal["numpy", "jax"] = "numpy",
    effort: Effort | None = None,
) -> TableExploitability:
    """What each player of a table would gain by the best response to all others, in its own seat (the first of its
    seats). A table of copies tells of a player, a table of all players of the roster."""
    found = best_response.exploitability(
        table, games=games, game=game, rules=rules, seed=seed, method=method, backend=backend, effort=effort
    )
    return TableExploitability(**fields_of(found))
