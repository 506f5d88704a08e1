"""The verb `design`: a search for rules under which a population does well. The rules are tested with players and seeds
that the search did not use."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, ChartEntry, Column, Finding, Opening, Row, Table
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.respond import check_picture, draw_first_chart
from ostrom.sim.factors import format_value
from ostrom.sim.institutions import Design, Population, Tested
from ostrom.sim.institutions import design as find_design

if TYPE_CHECKING:
    import polars as pl

MAX_COUNT: Final = 100_000
MAX_FACTOR_CHARTS: Final = 4


class DesignSettings(Settings):
    """Settings of a search for rules."""

    vary: Annotated[Any, Display(form="RULE=LOW:HIGH", many=True)] = Field(
        (), description="A rule to vary in the search, with its range; repeatable."
    )
    maximise: Annotated[tuple[str, ...], Display(form="AIM", default="welfare")] = Field(
        (),
        max_length=2,
        description="An aim: welfare, equality, survival, a figure of the game, or planted_gain. Two aims give a "
        "front.",
    )
    minimise: Annotated[tuple[str, ...], Display(form="AIM")] = Field(
        (), max_length=2, description="An aim that should be as small as possible; counts as one of the two."
    )
    population: Population = Field(
        "fixed",
        description="How players adapt to rules: not at all, by evolution, or by a best response of one player "
        "at each table.",
    )
    seats: Annotated[int | None, Display(alias="group_size")] = Field(
        None, ge=1, le=1000, description="Seats at a table; by default 4, or the maximum of the game if it is smaller."
    )
    include: Annotated[tuple[Any, ...], Display(form="NAME[:n]", group="Table")] = Field(
        (), description="A player in the games of the search; repeatable. By default, all players of the game."
    )
    held_out: Annotated[tuple[Any, ...], Display(form="NAME", default="half")] = Field(
        (), description="A player that the search does not use, with whom its results are tested; repeatable."
    )
    planted: Annotated[tuple[Any, ...], Display(form="NAME", group="Table")] = Field(
        (),
        description="A player for the aim planted_gain: how much more it earns in a turn, in all seats of a role, than "
        "the table's own players in these seats with the same draws; repeatable.",
    )
    planted_held_out: Annotated[tuple[Any, ...], Display(form="NAME", default="the planted ones")] = Field(
        (), description="A planted player in the test with held-out players; repeatable."
    )
    candidates: int = Field(64, ge=2, le=MAX_COUNT, description="Number of sets of rules that are drawn at the start.")
    refinements: int = Field(3, ge=0, le=100, description="Rounds of refinement around the best candidates.")
    tables: int = Field(
        24, ge=2, le=MAX_COUNT, description="Number of random tables at which each set of rules is played."
    )
    games: int = Field(4, ge=1, le=MAX_COUNT, description="Number of games at each table.")
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    chart: Annotated[Path | None, Display(form="FILE.png|svg")] = Field(
        None, description="Draw the candidates by two aims with their front, or by one aim."
    )


@verb("design", game=DEFAULT_GAME, strategies=True)
def design(game: Game, rules: BaseModel, settings: DesignSettings, reporter: Reporter = SILENT) -> Finding:
    """Search for rules under which a population does well, and test them on players and seeds that the search has not
    seen."""
    check_picture(settings.chart, "chart")
    if isinstance(settings.vary, str):
        raise InputError(f"{field('vary')} must be a list, as in [{settings.vary!r}]")
    with reporter.bar("candidates", None, "tried") as advance:
        result = find_design(
            settings.vary,
            maximise=settings.maximise or (() if settings.minimise else ("welfare",)),
            minimise=settings.minimise,
            seed=seed_or_random(settings.seed),
            game=game,
            rules=rules,
            players=settings.include,
            held_out=settings.held_out,
            planted=settings.planted,
            planted_held_out=settings.planted_held_out,
            seats=settings.seats,
            population=settings.population,
            candidates=settings.candidates,
            rounds=settings.refinements,
            tables=settings.tables,
            games=settings.games,
            progress=advance,
        )
    finding = describe(result)
    searched = f"design of rules, {number_of(result.tried, 'candidate')}, seed {result.seed}"
    draw_first_chart(finding, settings.chart, searched)
    return finding


def describe(result: Design) -> Finding:
    """Return the finding of a search for rules. For every tested candidate, a game of held-out players can be
    opened."""
    facts = _facts(result)
    planted = ("minimise", "planted", "planted_held_out") if result.minimised or result.planted else ()
    stored = ("vary", "maximise", *planted, "population", "seats", "players", "held_out", "candidates")
    table = [*result.others, *result.players][: result.seats]
    return Finding(
        verb="design",
        title=f"{result.game.title}: designed for {' and '.join(result.aims)}",
        facts=facts,
        parts=[
            _table(result),
            Table("tested", load=lambda: tested_frame(result), in_json=False, on_terminal=False),
            Table("searched", load=lambda: searched_frame(result), in_json=False, on_terminal=False),
        ],
        summary=f"{number_of(result.tried, 'candidate')} played, players {result.population}, seed {result.seed}; "
        f"tested with {', '.join(result.others)}, whom the search has not seen.",
        chart_entries=_chart_entries(result),
        game=result.game,
        rules=facts["rules"],
        seed=result.seed,
        settings={name: facts[name] for name in stored},
        openings=lambda: [
            Opening(rules_text(result, tested), tested.rules.model_dump(mode="json"), table)
            for tested in [result.baseline, *result.front]
        ],
        root="design",
        result=result,
    )


def _facts(result: Design) -> dict[str, Any]:
    return {
        "game": result.game.name,
        "seed": result.seed,
        "vary": [factor.as_record() for factor in result.factors],
        "maximise": [aim for aim in result.aims if aim not in result.minimised],
        "minimise": [aim for aim in result.aims if aim in result.minimised],
        "planted": list(result.planted),
        "planted_held_out": list(result.planted_held_out),
        "population": result.population,
        "seats": result.seats,
        "players": list(result.players),
        "held_out": list(result.others),
        "rules": result.rules.model_dump(mode="json"),
        "candidates": result.tried,
        "baseline": _record(result.baseline),
        "front": [_record(tested) for tested in result.front],
    }


def _record(tested: Tested) -> dict[str, Any]:
    groups = {"seen": tested.seen, "held_out": tested.held_out, "gain": tested.gains}
    records = {name: {aim: estimate.as_record() for aim, estimate in group.items()} for name, group in groups.items()}
    return {"settings": tested.settings, "searched": tested.searched, **records}


def _chart_entries(result: Design) -> list[ChartEntry]:
    """Return the charts. For two aims, the chart is the front. For one aim, the charts are the figures of the
    candidates over each rule that varies."""
    if len(result.aims) == 2:
        return [ChartEntry("front", "The front of two aims", "ostrom.findings.pictures:design_front", "tested")]
    return [
        ChartEntry(
            f"searched-{factor.name}",
            f"Candidates over {factor.name.replace('_', ' ')}",
            "ostrom.findings.pictures:design_candidates",
            "searched",
            {"place": place},
        )
        for place, factor in enumerate(result.factors[:MAX_FACTOR_CHARTS])
    ]


def _table(result: Design) -> Table:
    columns = [
        Column("rules_text", "rules", in_frame=False),
        Column("rules"),
        *(Column(factor.name) for factor in result.factors),
    ]
    for place, aim in enumerate(result.aims):
        columns += [
            _estimate_column(f"{aim}_seen", f"{aim}, seen", spare=2 + place, in_frame=False),
            _estimate_column(f"{aim}_held_out", f"{aim}, held out"),
            _gain_column(f"{aim}_gain", f"{'change' if aim in result.minimised else 'gain'} of {aim}"),
        ]
    tested = {
        "as they were": result.baseline,
        **{f"front {place}": rules for place, rules in enumerate(result.front, 1)},
    }
    return Table(
        name="candidates",
        columns=columns,
        rows=[_row(result, name, rules) for name, rules in tested.items()],
        title=f"{result.game.title}, designed for {' and '.join(result.aims)} · seed {result.seed}",
        caption="The first row has the rules before the search, which tried "
        f"{number_of(result.tried, 'candidate')} (players: {result.population}). All figures are from new games, "
        "played by the players of the search (seen) and by held-out players. Gains and changes are over the first row, "
        "with held-out players; all their intervals hold together.",
        in_json=False,
        in_journal=False,
    )


def _row(result: Design, name: str, tested: Tested) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for aim in result.aims:
        figures[f"{aim}_seen"] = tested.seen[aim]
        figures[f"{aim}_held_out"] = tested.held_out[aim]
        figures[f"{aim}_gain"] = tested.gains.get(aim)
    return {"rules": name, "rules_text": rules_text(result, tested), **tested.settings, **figures}


def _estimate_column(name: str, heading: str, **more: Any) -> Column:
    """Return a column of estimates. It shows values with 4 significant digits, followed by half the width of their
    intervals with 2 significant digits."""

    def text(row: Row) -> str:
        estimate: Estimate = row[name]
        if estimate.low is None or estimate.high is None:
            return f"{estimate.value:,.4g}"
        return f"{estimate.value:,.4g} ± {(estimate.high - estimate.low) / 2:,.2g}"

    return Column(name, heading, number=True, cell=text, **more)


def _gain_column(name: str, heading: str) -> Column:
    """Return a column that shows intervals without values."""

    def text(row: Row) -> str:
        estimate: Estimate | None = row[name]
        if estimate is None or estimate.low is None or estimate.high is None:
            return MISSING
        return f"{estimate.low:,.3g} to {estimate.high:,.3g}"

    return Column(name, heading, number=True, spare=1, cell=text)


def rule_value(result: Design, tested: Tested, name: str) -> Any:
    """Return the value of a rule under a candidate."""
    return tested.settings.get(name, getattr(result.rules, name))


def rules_text(result: Design, tested: Tested) -> str:
    """Return the values of the rules that vary, rounded for people; the JSON output has exact values."""
    return ", ".join(
        f"{factor.name} {short_value(rule_value(result, tested, factor.name))}" for factor in result.factors
    )


def short_value(value: Any) -> str:
    """Return a value with 3 significant digits if it is a fraction."""
    return f"{value:.3g}" if isinstance(value, float) else format_value(value)


def tested_frame(result: Design) -> "pl.DataFrame":
    """Return a row for each tested candidate, group of players and aim."""
    columns = [Column(name) for name in ("number", "rules", "players", "aim")]
    columns += [Column(factor.name) for factor in result.factors]
    columns += [Column(end) for end in ("value", "low", "high")]
    rows = []
    for place, tested in enumerate([result.baseline, *result.front]):
        values = {factor.name: rule_value(result, tested, factor.name) for factor in result.factors}
        for group, estimates in (("seen", tested.seen), ("held_out", tested.held_out), ("gain", tested.gains)):
            for aim, estimate in estimates.items():
                ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
                candidate = {"number": place, "rules": rules_text(result, tested), "players": group, "aim": aim}
                rows.append({**candidate, **values, **ends})
    return Table("tested", columns, rows).frame


def searched_frame(result: Design) -> "pl.DataFrame":
    """Return a row for each candidate of the search."""
    rows = []
    for tested in result.searched:
        text = ", ".join(f"{name} {short_value(value)}" for name, value in tested.settings.items())
        rows.append({**tested.settings, **dict(zip(result.aims, tested.aims.tolist(), strict=True)), "rules": text})
    return Table("searched", [Column(name) for name in rows[0]], rows).frame
