"""The verb `audit`. It measures the share of the variance in a model's decisions that comes from the framing of a
question."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from pydantic import Field

from ostrom.analysis.provenance import source_line
from ostrom.charts.render import png, svg
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import INSTRUMENTS_GROUP, declared
from ostrom.core.errors import field
from ostrom.core.estimates import Estimate
from ostrom.core.files import check_writable
from ostrom.core.finding import MISSING, Column, Finding, Row, Table, number, share
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Display, Settings, excludes
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.estimate import estimate
from ostrom.experiment.limits import Limits
from ostrom.experiment.store import PlanRunner
from ostrom.games.audit.biased import BIASED
from ostrom.games.audit.commands.plan import (
    REPEATS,
    SEATS,
    SITUATIONS,
    AuditPlan,
    audit_of,
    audited_game,
    audited_player,
)
from ostrom.games.audit.design import CELLS
from ostrom.games.audit.effects import Audit, AuditAnswers, answers_of, audit_chart, audit_effects
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.terminal import options as opt
from ostrom.terminal.console import TerminalRunner
from ostrom.terminal.render import TerminalReporter, show

STATED: Final = "stated-"
SCRIPTED: Final = "scripted:"
_OF_A_NEW_AUDIT: Final = ("model", "phase", "situations", "repeats", "seats", "vary_layout", "name", "dry_run", "seed")


def audited_names() -> list[str]:
    """Return the names of the games that can be audited, and the names of the tasks of the battery. A task is audited
    as stated choices."""
    tasks = [name.removeprefix(STATED) for name in declared(INSTRUMENTS_GROUP) if name.startswith(STATED)]
    return list(dict.fromkeys([*GAMES.commands(), *tasks]))


class AuditSettings(Settings):
    """Settings of the command `audit`."""

    model: Annotated[str | None, Display("MODEL")] = Field(
        None, description="The player to audit: a model, a bot, a built-in player or scripted:NAME."
    )
    phase: Annotated[str | None, Display(default="the first")] = Field(
        None, description="The decision of the game, or the role in the task."
    )
    aspect: Annotated[str | None, Display(default="the leading one")] = Field(
        None, description="The part of the decision: contribution, spend, target …"
    )
    situations: int = Field(SITUATIONS, ge=2, description=f"Number of situations; each is put in {CELLS} ways.")
    repeats: int = Field(
        REPEATS, ge=2, description="How often each question is repeated unchanged, which measures noise."
    )
    seats: Annotated[int | None, Display(default=f"the game's usual number, or {SEATS}", alias="group_size")] = Field(
        None, description="Seats at the table of a game."
    )
    vary_layout: bool = Field(
        False,
        description="Also vary the order of a prompt's parts: the text about the seat is either in its usual "
        "place or at the end.",
    )
    experiment: Annotated[str | None, Display("EXPERIMENT")] = Field(
        None, description="Resume or show this audit, instead of naming a GAME."
    )
    output: Annotated[Path | None, Display("FILE", short="o")] = Field(
        None, description="Draw the result to this file, .svg or .png."
    )
    name: str | None = Field(None, description="Name of the experiment.")
    dry_run: Annotated[bool, Display(group="Models")] = Field(
        False, description="Estimate calls, tokens and cost without asking."
    )
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    relations = tuple(excludes("experiment", name) for name in _OF_A_NEW_AUDIT)


@verb(
    "audit",
    group="analyse",
    keeps=False,
    optional_game=True,
    find=audited_game,
    names=audited_names,
    fixed_limits=("at_once", "policy"),
)
def audit(
    game: Game | None,
    rules: Mapping[str, Any] | None,
    store: str | None,
    settings: AuditSettings,
    runner: PlanRunner,
    limits: Limits | None = None,
    reporter: Reporter = SILENT,
) -> Finding:
    """Ask the same questions with other wordings, names, orders, currencies and stakes, and measure what changes."""
    if settings.output is not None and settings.output.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"cannot write {settings.output}: use .svg or .png")
    if settings.output is not None:
        check_writable(settings.output)
    if settings.experiment is not None:
        if game is not None:
            raise InputError(
                f"{field('experiment')} names an audit that has its game already; leave out {game.command}"
            )
        with open_journal(store) as journal:
            return _continued(journal, store, settings, runner, limits, reporter)
    if game is None or settings.model is None:
        raise InputError("name a game and a model, as in 'ostrom audit GAME --model openai:gpt-4o-mini'")
    plan = AuditPlan(
        game=game,
        contestant=scripted(settings.model) or audited_player(game, settings.model),
        rules=dict(rules or {}),
        phase=settings.phase,
        situations=settings.situations,
        repeats=settings.repeats,
        seats=settings.seats,
        vary_layout=settings.vary_layout,
        seed=seed_or_random(settings.seed),
        name=settings.name,
    )
    plan = _limited(plan, limits, f"audit one with {field('model', 'MODEL')}")
    plan.check()
    plan.check_aspect(settings.aspect)
    if settings.dry_run:
        return _estimate(plan)
    with open_journal(store, create=True) as journal:
        return _play(plan, journal, store, settings, runner, reporter)


def scripted(name: str) -> Contestant | None:
    """Return the scripted player with this name, which has a planted bias. Return None if no scripted player has this
    name."""
    return BIASED[name] if name.startswith(SCRIPTED) else None


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Continue an audit, for `ostrom resume`. Raise InputError for options of tables with people or of clusters."""
    for name in (*opt.PEOPLE_OPTIONS, "new_links", "cluster"):
        if opt.given(context, name):
            player = _plan_of(journal, experiment)[1].contestant.name
            raise InputError(f"an audit asks only one player, {player}, in this process; leave out {field(name)}")
    settings = AuditSettings(experiment=experiment)
    limits = opt.typed_limits(context)
    finding = _continued(
        journal, context.params["store"], settings, TerminalRunner(context), limits, TerminalReporter()
    )
    show(finding, json=context.params["json"])


def _plan_of(journal: Journal, experiment: str) -> tuple[str, AuditPlan]:
    """Return the id and the plan of an audit in the journal. Raise InputError if the experiment is not an audit."""
    id_ = journal.experiment_id(experiment)
    row = next(row for row in journal.experiments() if row.id == id_)
    if "audit" not in row.settings:
        raise InputError(f"{experiment} is not an audit; 'ostrom status' lists the experiments in the journal")
    return id_, audit_of(row.name, row.settings, scripted)


def _continued(
    journal: Journal,
    store: str | None,
    settings: AuditSettings,
    runner: PlanRunner,
    limits: Limits | None,
    reporter: Reporter,
) -> Finding:
    """Ask the questions of an audit in the journal that have no answer yet. Return the result from all its answers."""
    id_, plan = _plan_of(journal, str(settings.experiment))
    plan = _limited(plan, limits, f"none plays in {id_}")
    plan.check_aspect(settings.aspect)
    return _play(plan, journal, store, settings, runner, reporter, id_)


def _limited(plan: AuditPlan, limits: Limits | None, instead: str) -> AuditPlan:
    """Return the audit with these limits. Limits that are not set keep the values of the plan. Raise InputError if
    limits are given and the audited player is not a model. The text of the error ends with `instead`."""
    if plan.models:
        return replace(plan, limits=(plan.limits or Limits()).updated(limits or Limits()))
    if limits is not None:
        raise InputError(f"{limits.first_set} is for models; {instead}")
    return plan


def _size(plan: AuditPlan) -> str:
    where = f"{plan.situations} situations of {plan.where} ({plan.asked})"
    how = f"each put in {CELLS} ways, {plan.repeats} times"
    return f"{plan.games:,} questions to {plan.contestant.name}: {where}, {how}; seed {plan.seed}"


def _estimate(plan: AuditPlan) -> Finding:
    """Return the estimated calls, tokens and cost of the audit. No model is asked."""
    needs = estimate(plan.fixtures(), sample=plan.games).models if plan.models else {}
    lines = [_size(plan)]
    for name, need in needs.items():
        cost = "price unknown" if need.dollars is None else f"about ${need.dollars:.2f}"
        cached = f"{need.cached_share:.0%} of the input can be cached"
        if need.cached_dollars is not None:
            cached += f", which makes ${need.cached_dollars:.2f}"
        lines.append(f"  {name}: {need.calls:,.0f} calls, about {need.tokens:,.0f} tokens, {cost}; {cached}")
    models = {name: asdict(need) for name, need in needs.items()}
    facts = {"questions": plan.games, "models": models, **plan.settings["audit"]}
    return Finding("audit", lines[0], facts, [], lines=lines, game=plan.game, root="audit")


def _play(
    plan: AuditPlan,
    journal: Journal,
    store: str | None,
    settings: AuditSettings,
    runner: PlanRunner,
    reporter: Reporter,
    experiment: str | None = None,
) -> Finding:
    reporter.note(_size(plan))
    id_ = runner.play(plan, journal, store, experiment)
    answers = answers_of((game.record for game in journal.records(id_)), settings.aspect)
    result = audit_effects(answers.questions)
    summary = sentence(result, plan.contestant.name)
    if settings.output is not None:
        draw(result, answers, plan, settings.output)
        file_note = f"\nDrawn in {settings.output}."
    else:
        file_note = ""
    facts = {
        "experiment": id_,
        "model": plan.contestant.name,
        **plan.settings["audit"],
        "aspect": answers.aspect,
        "defaulted": answers.defaulted,
        "unplaced": answers.unplaced,
        **result.as_record(),
        "summary": summary,
    }
    return Finding(
        verb="audit",
        title=f"Audit of {plan.contestant.name} at {plan.where}",
        facts=facts,
        parts=[_factor_table(result, answers, plan)],
        summary=summary,
        sentences=[f"{summary}{file_note}"],
        game=plan.game,
        root="audit",
        result=result,
    )


def _factor_table(result: Audit, answers: AuditAnswers, plan: AuditPlan) -> Table:
    rows: list[Row] = [
        {
            "factor": factor.name,
            "share": factor.share,
            "p": factor.p,
            "levels": ", ".join(f"{level.name} {level.mean:.1%}" for level in factor.levels),
        }
        for factor in result.factors
    ]
    combinations = "beyond the factors' mean effects"
    rows.append({"factor": "in combination", "share": result.combinations, "levels": combinations})
    repeats = "between answers to the very same question"
    rows.append({"factor": "noise", "share": result.noise, "levels": repeats})
    columns = [
        Column("factor", "factor"),
        number(
            "share",
            "share",
            share(1),
            interval="beside",
            interval_heading="95 % interval",
            interval_spare=1,
            interval_separator=" to ",
        ),
        number("p", "p", spare=2, cell=_p_text),
        Column("levels", "mean under each level", wraps=True),
    ]
    left_out = f"{answers.defaulted} defaulted, {answers.unplaced} without this part of the decision"
    return Table(
        name="factors",
        columns=columns,
        rows=rows,
        title=f"What moves the {answers.aspect} of {plan.contestant.name} at {plan.where}",
        caption=(
            f"Shares of the variance within situations. {result.answers:,} answers in {result.situations} situations; "
            f"left out: {left_out}. Mean {result.mean:.1%}, deviation {100 * result.deviation:.1f} points."
        ),
        best=1 if result.leading is not None else 0,
        in_json=False,
    )


def _p_text(row: Row) -> str:
    if "p" not in row:
        return ""  # Such factors are only tested.
    return MISSING if row["p"] is None else f"{row['p']:.3f}"


def sentence(result: Audit, name: str) -> str:
    """Return the conclusion of the audit in words."""
    if result.noise.value is None:
        return f"{name} decides the same in a situation, however the question is put."
    significant = [factor for factor in result.factors if factor.is_significant(len(result.factors))]
    if not significant and result.combined:
        return (
            f"No single factor can be distinguished from chance, but how the question is put moves {name}'s decisions: "
            f"{_in_words(result.combinations)} of their variance within a situation comes from factors in combination."
        )
    if not significant:
        return (
            f"No factor can be distinguished from chance: as far as {result.answers:,} answers show, {name}'s "
            "decisions do not depend on how the question is put."
        )
    parts = [f"{_in_words(factor.share)} comes from {factor.name}" for factor in significant]
    high, low = significant[0].levels[0], significant[0].levels[-1]
    return (
        f"How the question is put moves {name}'s decisions: of their variance within a situation, "
        f"{' and '.join(parts)}. "
        f"The mean decision is {high.mean:.0%} under {high.name} and {low.mean:.0%} under {low.name}."
    )


def _in_words(share: Estimate) -> str:
    span = "" if share.low is None or share.high is None else f" ({share.low:.0%} to {share.high:.0%})"
    return f"{share.value:.0%}{span}"


def draw(result: Audit, answers: AuditAnswers, plan: AuditPlan, output: Path) -> None:
    """Write the chart to a file. Raise InputError if the file cannot be written."""
    who, where = plan.contestant.name, plan.where
    title = f"How the question is put does not visibly move {who}"
    if result.leading is not None:
        factor = result.leading
        title = f"{factor.share.value:.0%} of the variance in decisions of {who} comes from {factor.name}"
    elif result.combined:
        title = (
            f"{result.combinations.value:.0%} of the variance in decisions of {who} comes from factors in combination"
        )
    subtitle = (
        f"{answers.aspect.capitalize()} at {where}: {result.answers:,} answers in {result.situations} situations."
    )
    subject = f"audit of {who}, {number_of(result.answers, 'answer')}"
    source = source_line(where, subject, day=f"{date.today()}")
    picture = svg(audit_chart(result, title=title, subtitle=subtitle, aspect=answers.aspect), source)
    try:
        output.write_bytes(png(picture) if output.suffix.lower() == ".png" else picture.encode())
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from error
