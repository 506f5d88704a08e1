"""The verb `respond`: the best response to a table of players, and its gain over each built-in player. The verb can
also compute, for each player of a table, the gain from the best response to the others."""

import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.files import check_writable
from ostrom.core.finding import ChartEntry, Column, Finding, Opening, Table, decimals, number
from ostrom.core.game import Game, imported
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.core.rule_texts import changed_rules
from ostrom.core.settings import Display, Settings, excludes
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.tournament import names_with_counts
from ostrom.players.policy import Remembering, situations_of, tables_in
from ostrom.players.roster import strategies_of
from ostrom.sim.best_response import Comparison, Exploitability, Method, Response
from ostrom.sim.best_response import exploitability as find_exploitability
from ostrom.sim.best_response import respond as find_response
from ostrom.sim.problem import OptimalPolicy
from ostrom.sim.search import Effort

if TYPE_CHECKING:
    import polars as pl

MAX_GAMES: Final = 1_000_000
MAX_LISTED_SITUATIONS: Final = 64
"""The largest number of situations of an exact response that are listed. The file of the response has all
situations."""


class RespondSettings(Settings):
    """Settings of the verb `respond`."""

    against: Annotated[tuple[Any, ...], Display(form="NAME[:n]")] = Field(
        (), description="The players in the other seats, in the order of the seats; repeatable."
    )
    seat: int | None = Field(
        None,
        ge=0,
        description="The seat of the response, counted from 0. By default it is the last seat; if seats have "
        "different roles, it is the last of those that decide most often.",
    )
    exploitability: bool = Field(
        False,
        description="Take the named players as the whole table, and show the gain of each from a best response "
        "to the others.",
    )
    method: Method = Field(
        "auto",
        description="How the response is found. By default it is exact if all others have finitely many states, "
        "and otherwise it is searched. With gradient, the network of the search learns by policy gradients, on "
        "JAX.",
    )
    backend: Literal["numpy", "jax"] = Field(
        "numpy",
        description="Library that plays the networks of the evolution strategy; JAX plays all of them in parallel.",
    )
    games: int = Field(400, ge=2, le=MAX_GAMES, description="Number of new games in which the response is evaluated.")
    training: int = Field(
        Effort.games,
        ge=2,
        le=MAX_GAMES,
        description="Number of games in which each candidate of the search is evaluated.",
    )
    generations: int = Field(
        Effort.generations,
        ge=0,
        le=10_000,
        description="Number of generations of the network that corrects the best rule.",
    )
    updates: int = Field(
        Effort.updates,
        ge=0,
        le=MAX_GAMES,
        description="Number of updates of the network that learns by policy gradients.",
    )
    learners: int = Field(
        Effort.learners,
        ge=1,
        le=MAX_GAMES,
        description="Number of games played in parallel for each update of the network; a GPU can play many.",
    )
    effort: Effort | None = Field(None, description="All limits of the search in one value, for programs.")
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    output: Annotated[Path | None, Display(form="FILE.json", short="o")] = Field(
        None, description="Write the response to this file, as a player that can be seated in games."
    )
    chart: Annotated[Path | None, Display(form="FILE.png|svg")] = Field(
        None, description="Draw the gain of the response over each player, to this file."
    )
    relations = (
        excludes("exploitability", "seat"),
        excludes("exploitability", "chart"),
        excludes("exploitability", "output"),
    )

    def limits(self) -> Effort:
        """Return the limits of the search."""
        if self.effort is not None:
            return self.effort
        return Effort(
            games=self.training,
            generations=self.generations,
            updates=self.updates,
            learners=self.learners,
            selection=max(2 * self.games, self.training),
        )


@verb("respond", game=DEFAULT_GAME, strategies=True)
def respond(game: Game, rules: BaseModel, settings: RespondSettings, reporter: Reporter = SILENT) -> Finding:
    """Find the best response to a table of players, and its gain over every built-in player."""
    if settings.output is not None and settings.output.suffix != ".json":
        raise InputError(f"{field('output')} must be a .json file, not {settings.output.name}")
    if settings.output is not None:
        check_writable(settings.output)
    check_picture(settings.chart, "chart")
    entries = strategies_of(game, list(settings.against)) if settings.against else []
    slow = [entry.name for entry in entries if entry.rows is None]
    if slow and game.step is not None:
        reporter.note(f"{', '.join(slow)}: played in plain Python, one game at a time, which slows the search.")
    search: dict[str, Any] = {
        "game": game,
        "rules": rules,
        "seed": seed_or_random(settings.seed),
        "games": settings.games,
        "effort": settings.limits(),
        "method": settings.method,
        "backend": settings.backend,
    }
    with reporter.bar("candidates", None, "tried") as advance:
        if settings.exploitability:
            return describe_exploitability(find_exploitability(entries, **search, progress=advance))
        response = find_response(entries, **search, seat=settings.seat, progress=advance)
    name = None if settings.output is None else response.write(settings.output)
    finding = describe_response(response, name)
    draw_first_chart(finding, settings.chart, f"best response, {number_of(response.games, 'game')}")
    return finding


def describe_response(response: Response, name: str | None = None) -> Finding:
    """Return the finding of a best response. `name` is the player name of the response if it was written to a file, and
    otherwise None."""
    problem = response.problem
    others = [entry.name for entry in problem.others]
    facts = _response_facts(response)
    rules = problem.rules.model_dump(mode="json")
    stored = ("against", "seat", "method", "response", "games", "candidates")
    return Finding(
        verb="response",
        title=f"{problem.game.title}: best response to {names_with_counts(others)}",
        facts={**facts, "player": name},
        parts=[
            _response_table(response),
            *_policy_tables(response),
            Table("players", load=lambda: _stored_players(response), in_json=False, on_terminal=False),
        ],
        summary=f"The response: {response.description}. It gets {response.mean.value:z,.1f} in {response.games:,} "
        "unseen games.",
        chart_entries=[ChartEntry("gains", "What it gains", "ostrom.findings.pictures:response_gains", "players")],
        game=problem.game,
        rules=rules,
        seed=problem.seed,
        settings={key: facts[key] for key in stored},
        openings=lambda: [
            _opening([*others[: problem.seat], comparison.player, *others[problem.seat :]], rules, response.games)
            for comparison in response.comparisons
        ],
        files=lambda: {"response.json": _file_of(response)},
        root="response",
        result=response,
    )


def _opening(table: list[str], rules: dict[str, Any], games: int) -> Opening:
    return Opening(names_with_counts(table), rules, table, games)


def _file_of(response: Response) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "response.json"
        response.write(path)
        return path.read_bytes()


def _response_facts(response: Response) -> dict[str, Any]:
    problem = response.problem
    solution = response.solution
    exact = None
    if solution is not None:
        exact = {
            "value": solution.value,
            "per_turn": solution.per_turn,
            "opening": solution.opening,
            "best_openings": list(solution.best_openings),
        }
    return {
        "game": problem.game.name,
        "against": [entry.name for entry in problem.others],
        "seat": problem.seat,
        "seed": problem.seed,
        "rules": problem.rules.model_dump(mode="json"),
        "method": response.method,
        "response": response.description,
        "policy": None if response.rule is None else response.rule.model_dump(mode="json"),
        "exact": exact,
        "mean": response.mean.as_record(),
        "per_turn": response.per_turn.as_record(),
        "figures": {name: value.as_record() for name, value in response.figures.items()},
        "games": response.games,
        "candidates": response.tried,
        "learning_steps": response.steps,
    }


def _response_table(response: Response) -> Table:
    problem = response.problem
    together = {"interval": "beside", "interval_heading": "95 %, all together", "interval_separator": " to "}
    return Table(
        name="players",
        columns=[
            Column("player", "replaced player"),
            number("mean", f"mean {problem.game.unit}".rstrip(), decimals(1)),
            number("gain", "gain", decimals(1), interval_spare=1, **together),
            number("regret_per_turn", "regret per turn", decimals(3), spare=2),
        ],
        rows=[_comparison_row(comparison) for comparison in response.comparisons],
        title=f"{problem.game.title}, best response · seed {problem.seed} · against "
        f"{', '.join(entry.name for entry in problem.others)}",
        caption="\n".join(_response_sentences(response)),
        in_journal=False,
    )


def _policy_tables(response: Response) -> list[Table]:
    """Return the tables from which the response reads its moves, if it has any."""
    if response.solution is not None:
        return [_solution_table(response, response.solution)]
    tables = []
    for place, rule in enumerate(tables_in(response.rule)):
        rows = [
            {"situation": situation, **{name: levels[at] for name, levels in rule.levels.items()}}
            for at, situation in enumerate(situations_of(rule))
        ]
        columns = [Column("situation", "features above one half"), *_level_columns(rule)]
        suffix = f"_{place + 1}" if place else ""
        caption = (
            "Features are numbered in the order of the game. A level of 0 is the smallest amount that is "
            "allowed, and 1 the largest."
        )
        tables.append(Table(f"policy{suffix}", columns, rows, title="The table of the response", caption=caption))
    return tables


def _level_columns(rule: Remembering) -> list[Column]:
    return [number(name, name, decimals(2)) for name in rule.levels]


def _solution_table(response: Response, solution: OptimalPolicy) -> Table:
    """Return a table of the actions of an exact response in each situation, in the first turn and in the last turn."""
    actions = list(solution.opening)
    first, last = solution.choices[0], solution.choices[-1]
    rows = [
        {"situation": place, "first_turn": actions[first[place]], "last_turn": actions[last[place]], "value": value}
        for place, value in enumerate(solution.values.tolist()[:MAX_LISTED_SITUATIONS])
    ]
    columns = [
        number("situation", "situation"),
        Column("first_turn", "in the first turn"),
        Column("last_turn", "in the last turn"),
        number("value", "value", decimals(2)),
    ]
    count = len(solution.values)
    listed = (
        (f" These are the first {MAX_LISTED_SITUATIONS} of {count:,} situations.")
        if count > MAX_LISTED_SITUATIONS
        else ""
    )
    caption = f"Situation 0 is the opening; the other situations are the possible states of the players.{listed}"
    return Table("policy", columns, rows, title="The table of the response", caption=caption)


def _comparison_row(comparison: Comparison) -> dict[str, Any]:
    return {
        "player": comparison.player,
        "mean": comparison.mean,
        "gain": comparison.gain,
        "regret_per_turn": comparison.regret,
    }


def _response_sentences(response: Response) -> list[str]:
    problem = response.problem
    mean = number("mean", "", decimals(1), interval_separator=" to ")
    row = {"mean": response.mean}
    sentences = [
        f"The response: {response.description}, in seat P{problem.seat + 1} of {problem.seats}.",
        f"It gets {mean.text(row)} ({mean.interval_text(row)}).",
    ]
    if response.solution is not None:
        best = " or ".join(response.solution.best_openings)
        sentences.append(
            f"The exact solution has the value {response.solution.per_turn:,.4g} per turn and begins with {best}."
        )
    method = "exact" if response.exact else f"{response.tried:,} candidates searched"
    if response.steps:
        method += f", networks learned from {response.steps:,} steps"
    sentences.append(
        f"Gains are from {number_of(response.games, 'unseen game')} that the response and all replaced players play; "
        f"{method}."
    )
    return sentences


def _stored_players(response: Response) -> "pl.DataFrame":
    rows = [*map(_comparison_row, response.comparisons), {"player": "(the response)", "mean": response.mean}]
    columns = [Column("player"), Column("mean"), Column("gain"), Column("regret_per_turn")]
    return Table("players", columns, rows).tidy


def _is_exact(whole: Exploitability) -> bool:
    return all(response.exact for response in whole.responses.values())


def _meaning(whole: Exploitability) -> str:
    if _is_exact(whole):
        return "0 would be an equilibrium of these strategies."
    return "a search finds a lower bound, so 0 would mean that none of the candidates gains, not an equilibrium."


def describe_exploitability(whole: Exploitability) -> Finding:
    """Return the finding of the gain that is possible for each player. The players' table can be opened as a game."""
    name, first = next(iter(whole.responses.items()))
    problem = first.problem
    others = [entry.name for entry in problem.others]
    table = [*others[: problem.seat], name, *others[problem.seat :]]
    rules = problem.rules.model_dump(mode="json")
    title = f"{problem.game.title}: exploitability of {names_with_counts(table)}"
    laws = changed_rules(problem.game.rules, rules)
    about = f"Each gain is against the other players at this table{f'; rules: {laws}' if laws else ''}."
    found = "" if _is_exact(whole) else " found"
    total = (
        f"Sum of the gains of single seats, each changing alone to the best response{found}: {whole.total:z,.3f} per "
        f"turn, without an interval; {_meaning(whole)}"
    )
    return Finding(
        verb="exploitability",
        title=title,
        facts={"seed": problem.seed, "total_per_turn": whole.total},
        parts=[_exploitability_table(whole, f"{title} · seed {problem.seed}", f"{total} {about}")],
        summary=total,
        chart_entries=[
            ChartEntry("gains", "What each would gain", "ostrom.findings.pictures:exploitability_gains", "players")
        ],
        game=problem.game,
        rules=rules,
        seed=problem.seed,
        settings={"table": table, "games": first.games},
        openings=lambda: [_opening(table, rules, first.games)],
        root="exploitability",
        result=whole,
    )


def _exploitability_table(whole: Exploitability, title: str, caption: str) -> Table:
    return Table(
        name="players",
        columns=[
            Column("player", "player"),
            number("seats", "seats"),
            number(
                "gain",
                "gain of the best response" if _is_exact(whole) else "gain of the best response found",
                decimals(1),
                interval="beside",
                interval_heading="95 %, all together",
                interval_separator=" to ",
            ),
            number("per_turn", "per turn", decimals(3)),
            Column("response", "the response", spare=1),
        ],
        rows=[
            {
                "player": name,
                "seats": whole.seats[name],
                "gain": whole.gains[name],
                "per_turn": whole.per_turn[name],
                "response": response.description,
            }
            for name, response in whole.responses.items()
        ],
        title=title,
        caption=caption,
    )


def check_picture(path: Path | None, setting: str) -> None:
    """Raise InputError if a setting names a file that is not a picture or not writable."""
    if path is not None and path.suffix not in (".png", ".svg"):
        raise InputError(f"{field(setting)} draws a .png or a .svg file, not {path.name}")
    if path is not None:
        check_writable(path)


def draw_first_chart(finding: Finding, path: Path | None, method: str) -> None:
    """Draw the first chart of a finding into a file, with a line that says where its figures come from."""
    if path is None or finding.game is None:
        return
    source = imported("ostrom.analysis.provenance:source_line")(finding.game.title, method, day=f"{date.today()}")
    drawing = imported("ostrom.charts.render:svg")(finding.chart(), source)
    path.write_bytes(imported("ostrom.charts.render:png")(drawing) if path.suffix == ".png" else drawing.encode())
