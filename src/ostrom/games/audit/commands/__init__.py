"""`ostrom audit`: how much of a model's decisions is owed to how the question is put?"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from ostrom.analysis.provenance import source_line
from ostrom.charts.render import png, svg
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import INSTRUMENTS_GROUP, declared
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.text import number_of
from ostrom.experiment.estimate import estimate
from ostrom.games.audit.biased import BIASED
from ostrom.games.audit.charts import audit_chart
from ostrom.games.audit.commands.plan import AuditPlan, audit_of, audited_game, audited_player
from ostrom.games.audit.design import CELLS
from ostrom.games.audit.effects import Audit, AuditAnswers, answers_of, audited
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.terminal import options as opt
from ostrom.terminal.console import play_here
from ostrom.terminal.game_options import game_of, is_named, rule_settings, takes_game
from ostrom.terminal.sheets import Column, Sheet, err, out, print_json


def _names() -> list[str]:
    """What can be audited, by name: games, and tasks of the battery by their stated choices."""
    tasks = [name.removeprefix(_STATED) for name in declared(INSTRUMENTS_GROUP) if name.startswith(_STATED)]
    return list(dict.fromkeys([*GAMES.commands(), *tasks]))


@takes_game(find=audited_game, names=_names)
@opt.with_limits("at_once", "policy")
def audit(
    context: typer.Context,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="The player to audit: a model, a bot, a built-in player or scripted:NAME."),
    ] = None,
    phase: Annotated[
        str | None, typer.Option(help="The decision of the game, or the role in the task. \\[the first]")
    ] = None,
    aspect: Annotated[
        str | None, typer.Option(help="The part of the decision: contribution, spend, target … \\[the leading one]")
    ] = None,
    situations: Annotated[int, typer.Option(help="Number of situations; each is put in 12 ways.")] = 8,
    repeats: Annotated[int, typer.Option(help="How often each question is repeated unchanged.")] = 2,
    seats: Annotated[int | None, typer.Option(help="Seats at the table of a game. \\[4]")] = None,
    rule: opt.Rule = None,
    experiment: Annotated[
        str | None,
        typer.Option(metavar="EXPERIMENT", help="Resume or show this audit, instead of naming a GAME."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw the result to this file, .svg or .png.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the experiment.")] = None,
    dry_run: opt.DryRun = False,
    seed: opt.Seed = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Ask the same questions with other wordings, names, orders, currencies and stakes, and measure what changes."""
    if output is not None and output.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"cannot write {output}: use .svg or .png")
    if experiment is not None:
        opt.only_with(
            context, experiment, "--experiment", {"experiment", "aspect", "output", "store", "json"} | _LIMITS
        )
        with open_journal(store) as journal:
            resume(context, journal, experiment)
        return
    if not is_named(context) or model is None:
        raise InputError("name a game and a model, as in 'ostrom audit GAME --model openai:gpt-4o-mini'")
    planned = _of_options(context, game_of(context), model)
    planned.check()
    planned.check_aspect(aspect)
    if dry_run:
        _estimate(planned, json=json)
        return
    with open_journal(store, create=True) as journal:
        _play_and_tell(context, planned, journal)


_LIMITS = set(opt.LIMIT_OPTIONS)
_STATED = "stated-"
_SCRIPTED = "scripted:"


def scripted(name: str) -> Contestant | None:
    """A player with a planted bias, where the name is of one."""
    return BIASED[name] if name.startswith(_SCRIPTED) else None


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Ask what an audit of the journal lacks, with the limits that the user gave, and tell it as a whole."""
    wanted = journal.experiment_id(experiment)
    row = next(row for row in journal.experiments() if row.id == wanted)
    if "audit" not in row.settings:
        raise InputError(f"{experiment} is not an audit; 'ostrom status' lists the experiments in the journal")
    planned = audit_of(row.name, row.settings, scripted)
    # `ostrom resume` has options for tables of people and for games on a cluster.
    for name in (*opt.PEOPLE_OPTIONS, "new_links", "cluster"):
        if opt.given(context, name):
            alone = f"an audit asks {planned.contestant.name} alone, and from here"
            raise InputError(f"{alone}; leave out --{name.replace('_', '-')}")
    planned = _limited(context, planned, f"none plays in {wanted}")
    # `ostrom resume` has no aspect.
    planned.check_aspect(context.params.get("aspect"))
    _play_and_tell(context, planned, journal, wanted)


def _of_options(context: typer.Context, kind: Game, model: str) -> AuditPlan:
    given = context.params
    planned = AuditPlan(
        game=kind,
        contestant=scripted(model) or audited_player(kind, model),
        rules=rule_settings(context),
        seed=seed_or_random(given["seed"]),
        **{name: given[name] for name in ("phase", "situations", "repeats", "seats", "name")},
    )
    return _limited(context, planned, "audit one with --model MODEL")


def _limited(context: typer.Context, planned: AuditPlan, instead: str) -> AuditPlan:
    """An audit with the limits that the user gave; they are refused where no model is asked, where `instead` says how
    it would be. What an audit takes can be estimated of any player."""
    if planned.models:
        return replace(planned, limits=opt.limits(context, before=planned.limits))
    opt.no_limits(context, but="dry_run", instead=instead)
    return planned


def _size(planned: AuditPlan) -> str:
    where = f"{planned.situations} situations of {planned.where} ({planned.asked})"
    how = f"each put in {CELLS} ways, {planned.repeats} times"
    return f"{planned.games:,} questions to {planned.contestant.name}: {where}, {how}; seed {planned.seed}"


def _estimate(planned: AuditPlan, *, json: bool) -> None:
    """Print what the audit would need; no model is asked."""
    found = estimate(planned.fixtures(), sample=planned.games) if planned.models else None
    taken = {} if found is None else {name: asdict(one) for name, one in found.models.items()}
    if json:
        print_json({"audit": {"questions": planned.games, "models": taken, **planned.settings["audit"]}})
        return
    out.print(_size(planned))
    for name, one in taken.items():
        cost = "price unknown" if one["dollars"] is None else f"about ${one['dollars']:.2f}"
        tokens = one["input_tokens"] + one["output_tokens"]
        out.print(f"  {name}: {one['calls']:,.0f} calls, about {tokens:,.0f} tokens, {cost}")


def _play_and_tell(context: typer.Context, planned: AuditPlan, journal: Journal, experiment: str | None = None) -> None:
    # `ostrom resume` has neither an aspect nor an output.
    output = Path(drawn) if (drawn := context.params.get("output")) else None
    err.print(_size(planned), soft_wrap=True)
    kept = play_here(planned, journal, context.params["store"], experiment)
    answers = answers_of((game.record for game in journal.records(kept)), context.params.get("aspect"))
    found = audited(answers.puts)
    if output is not None:
        draw(found, answers, planned, output)
    if context.params["json"]:
        told = {
            "experiment": kept,
            "model": planned.contestant.name,
            **planned.settings["audit"],
            "aspect": answers.aspect,
            "defaulted": answers.defaulted,
            "unplaced": answers.unplaced,
            **found.as_record(),
            "summary": sentence(found, planned.contestant.name),
        }
        print_json({"audit": told})
        return
    out.print(sheet(found, answers, planned))
    out.print(f"\n{sentence(found, planned.contestant.name)}")
    if output is not None:
        out.print(f"Drawn in {output}.")


def sheet(found: Audit, answers: AuditAnswers, planned: AuditPlan) -> Sheet:
    """The shares for people."""
    rows: list[Sequence[str]] = [
        [
            factor.name,
            *_share(factor.share),
            "–" if factor.p is None else f"{factor.p:.3f}",
            ", ".join(f"{level.name} {level.mean:.1%}" for level in factor.levels),
        ]
        for factor in found.factors
    ]
    rows += [["in combination", *_share(found.combinations), "", "beyond the factors' mean effects"]]
    rows += [["noise", *_share(found.noise), "", "between answers to the very same question"]]
    left_out = [
        f"{count} {word}" for count, word in ((answers.defaulted, "defaulted"), (answers.unplaced, "without it"))
    ]
    return Sheet(
        title=f"What moves the {answers.aspect} of {planned.contestant.name} at {planned.where}",
        columns=[
            Column("factor"),
            Column("share", number=True),
            Column("95 % interval", number=True, spare=1),
            Column("p", number=True, spare=2),
            Column("mean under each level", wraps=True),
        ],
        rows=rows,
        caption=(
            f"Shares of the variance within situations; {found.answers:,} answers in {found.situations} situations, "
            f"left out: {', '.join(left_out)}. Mean {found.mean:.1%}, deviation {100 * found.deviation:.1f} points."
        ),
        best=1 if found.leading is not None else 0,
    )


def _share(share: Estimate) -> tuple[str, str]:
    value = "–" if share.value is None else f"{share.value:.1%}"
    return value, "–" if share.low is None or share.high is None else f"{share.low:.1%} to {share.high:.1%}"


def sentence(found: Audit, name: str) -> str:
    """What the audit found, in plain words."""
    if found.noise.value is None:
        return f"{name} decides the same in a situation, however the question is put."
    told = [factor for factor in found.factors if factor.stands(len(found.factors))]
    if not told and found.combined:
        return (
            f"No single factor can be distinguished from chance, but how the question is put moves {name}'s decisions: "
            f"{_spoken(found.combinations)} of their variance within a situation comes from factors in combination."
        )
    if not told:
        return (
            f"No factor can be distinguished from chance: as far as {found.answers:,} answers show, {name}'s decisions "
            "do not depend on how the question is put."
        )
    parts = [f"{_spoken(factor.share)} comes from {factor.name}" for factor in told]
    high, low = told[0].levels[0], told[0].levels[-1]
    return (
        f"How the question is put moves {name}'s decisions: of their variance within a situation, "
        f"{' and '.join(parts)}. "
        f"The mean decision is {high.mean:.0%} under {high.name} and {low.mean:.0%} under {low.name}."
    )


def _spoken(share: Estimate) -> str:
    span = "" if share.low is None or share.high is None else f" ({share.low:.0%} to {share.high:.0%})"
    return f"{share.value:.0%}{span}"


def draw(found: Audit, answers: AuditAnswers, planned: AuditPlan, output: Path) -> None:
    """Write the picture."""
    who, where = planned.contestant.name, planned.where
    title = f"How the question is put does not visibly move {who}"
    if found.leading is not None:
        told = found.leading
        title = f"{told.share.value:.0%} of the variance in decisions of {who} comes from {told.name}"
    elif found.combined:
        title = (
            f"{found.combinations.value:.0%} of the variance in decisions of {who} comes from factors in combination"
        )
    subtitle = f"{answers.aspect.capitalize()} at {where}: {found.answers:,} answers in {found.situations} situations."
    asked = f"audit of {who}, {number_of(found.answers, 'answer')}"
    source = source_line(where, asked, day=f"{date.today()}")
    picture = svg(audit_chart(found, title=title, subtitle=subtitle, aspect=answers.aspect), source)
    try:
        output.write_bytes(png(picture) if output.suffix.lower() == ".png" else picture.encode())
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from error
