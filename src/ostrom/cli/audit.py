"""`ostrom audit`: how much of a model's decisions is owed to how the question is put?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from ostrom.core.game import Game
    from ostrom.games.audit.auditing import AuditPlan
    from ostrom.journal.sql import Journal
    from ostrom.players.base import Contestant


def audit(
    context: typer.Context,
    game: Annotated[
        str | None, typer.Argument(help="punish, commons, or a task of the battery: dictator, time, …")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Whom: a model, a bot, a built-in player, scripted:NAME.")
    ] = None,
    phase: Annotated[
        str | None, typer.Option(help="Which decision of the game, or role of the task. \\[the first]")
    ] = None,
    aspect: Annotated[
        str | None, typer.Option(help="Which part of the decision: contribution, spend, target … [the leading one]")
    ] = None,
    situations: Annotated[int, typer.Option(help="How many situations; each is put in 12 ways.")] = 8,
    repeats: Annotated[int, typer.Option(help="How often each question is put in the same way.")] = 2,
    seats: Annotated[int | None, typer.Option(help="How many sit at the table of a game. \\[4]")] = None,
    rule: opt.Rule = None,
    experiment: Annotated[
        str | None,
        typer.Option(metavar="EXPERIMENT", help="Go on with this audit, or show it again, in place of GAME."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw it: a file that ends in .svg or .png.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the experiment.")] = None,
    attempts: opt.Attempts = None,
    retries: opt.Retries = None,
    calls: opt.Calls = None,
    per_provider: opt.PerProvider = None,
    timeout: opt.Timeout = None,
    patience: opt.Patience = None,
    budget: opt.Budget = None,
    token_budget: opt.TokenBudget = None,
    dry_run: opt.DryRun = False,
    seed: opt.Seed = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Put the same questions in other words, names, orders, currencies and sizes, and see what that does."""
    from ostrom.cli.store import open_journal
    from ostrom.cli.studied import check_installed
    from ostrom.core import InputError

    check_installed()
    if output is not None and output.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"{output} is no picture that can be drawn; it must end in .svg or .png")
    if experiment is not None:
        opt.only_with(
            context, experiment, "--experiment", {"experiment", "aspect", "output", "store", "json"} | _LIMITS
        )
        with open_journal(store) as journal:
            go_on(context, journal, experiment, store, aspect=aspect, output=output, json=json)
        return
    if game is None or model is None:
        raise InputError("name a game and a model, as in 'ostrom audit punish --model openai:gpt-4o-mini'")
    planned = _of_options(context, game, model)
    planned.check()
    if dry_run:
        _estimate(planned, json=json)
        return
    with open_journal(store, create=True) as journal:
        _play_and_tell(planned, journal, store, None, aspect=aspect, output=output, json=json)


_LIMITS = set(opt.LIMIT_OPTIONS)
_SCRIPTED = "scripted:"


def scripted(name: str) -> "Contestant | None":
    """A player with a planted bias, where the name is of one."""
    if not name.startswith(_SCRIPTED):
        return None
    from ostrom.games.audit.biased import BIASED

    return BIASED[name]


def go_on(
    context: typer.Context,
    journal: "Journal",
    experiment: str,
    store: str | None,
    *,
    aspect: str | None = None,
    output: Path | None = None,
    json: bool = False,
) -> None:
    """Ask what an audit of the journal lacks, with the limits that the user gave, and tell it as a whole."""
    from dataclasses import replace

    from ostrom.core import InputError
    from ostrom.games.audit.auditing import audit_of

    wanted = journal.experiment_id(experiment)
    row = next(row for row in journal.experiments() if row.id == wanted)
    if "audit" not in row.settings:
        raise InputError(f"{experiment} is no audit; 'ostrom status' lists what the journal holds")
    planned = audit_of(row.name, row.settings, scripted)
    if planned.models:
        planned = replace(planned, limits=opt.limits(context, before=planned.limits))
    _play_and_tell(planned, journal, store, wanted, aspect=aspect, output=output, json=json)


def _of_options(context: typer.Context, game: str, model: str) -> "AuditPlan":
    from dataclasses import replace

    from ostrom.games.audit.auditing import AuditPlan, audited_game, audited_player

    kind: Game = audited_game(game)
    given = context.params
    planned = AuditPlan(
        game=kind,
        contestant=scripted(model) or audited_player(kind, model),
        rules=opt.rule_settings(context, kind),
        phase=given["phase"],
        situations=given["situations"],
        repeats=given["repeats"],
        seats=given["seats"],
        seed=opt.seed_or_random(given["seed"]),
        name=given["name"],
    )
    return replace(planned, limits=opt.limits(context)) if planned.models else planned


def _size(planned: "AuditPlan") -> str:
    from ostrom.games.audit.design import CELLS

    where = f"{planned.situations} situations of {planned.where} ({planned.asked})"
    how = f"each put in {CELLS} ways, {planned.repeats} times"
    return f"{planned.games:,} questions to {planned.contestant.name}: {where}, {how}; seed {planned.seed}"


def _estimate(planned: "AuditPlan", *, json: bool) -> None:
    """Say what the audit would take; nobody is asked."""
    from dataclasses import asdict

    from ostrom.cli.output import out, print_json
    from ostrom.experiment.estimate import estimate

    found = estimate(planned.fixtures(), sample=planned.games) if planned.models else None
    taken = {} if found is None else {name: asdict(one) for name, one in found.models.items()}
    if json:
        print_json({"audit": {"questions": planned.games, "models": taken, **planned.settings["audit"]}})
        return
    out.print(_size(planned), markup=False)
    for name, one in taken.items():
        cost = "price not known" if one["dollars"] is None else f"about ${one['dollars']:.2f}"
        tokens = one["input_tokens"] + one["output_tokens"]
        out.print(f"  {name}: {one['calls']:,.0f} calls, about {tokens:,.0f} tokens, {cost}", markup=False)


def _play_and_tell(
    planned: "AuditPlan",
    journal: "Journal",
    store: str | None,
    experiment: str | None,
    *,
    aspect: str | None,
    output: Path | None,
    json: bool,
) -> None:
    from ostrom.cli.output import out, print_json
    from ostrom.experiment.console import play_here
    from ostrom.games.audit.effects import answers_of, audited
    from ostrom.games.audit.terminal import draw, sentence, sheet

    print(_size(planned), file=sys.stderr)
    kept = play_here(planned, journal, store, experiment)
    answers = answers_of((game.record for game in journal.records(kept)), aspect)
    found = audited(answers.puts)
    if output is not None:
        draw(found, answers, planned, output)
    if json:
        print_json(
            {
                "audit": {
                    "experiment": kept,
                    "model": planned.contestant.name,
                    **planned.settings["audit"],
                    "aspect": answers.aspect,
                    "defaulted": answers.defaulted,
                    "unplaced": answers.unplaced,
                    **found.as_record(),
                    "summary": sentence(found, planned.contestant.name),
                }
            }
        )
        return
    out.print(sheet(found, answers, planned))
    out.print(f"\n{sentence(found, planned.contestant.name)}", markup=False)
    if output is not None:
        out.print(f"Drawn in {output}.", markup=False)
