"""Prints what an experiment would cost, without a single call."""

from collections.abc import Callable, Collection

from ostrom.core import InputError
from ostrom.core.game import imported
from ostrom.core.text import number_of
from ostrom.experiment.estimate import TYPICAL_OUTPUT, ModelEstimate, calls_within_budget, estimate
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment
from ostrom.players.people.seat import is_person
from ostrom.terminal.sheets import Column, Sheet, out, print_json


def print_estimate(planned: Experiment, *, as_json: bool, over: Collection[str] = ()) -> None:
    """Print what an experiment would need: calls, tokens, dollars. No model is asked. Games that are `over`, by their
    keys, take nothing more."""
    if not planned.models:
        raise InputError("--dry-run estimates the cost of models, and no model plays; seat one with --llm or --include")
    if planned.people:
        # By its path: only a game with people needs the extra that prompts are made with.
        planned, _ = imported("ostrom.experiment.hosting:in_room")(planned)
    costs = estimate(fixture for fixture in planned.fixtures() if fixture.key not in over)
    for person in [name for name in costs.models if is_person(name)]:
        del costs.models[person]  # people cost nothing
    room = calls_within_budget(planned.fixtures(), planned.limits or Limits())
    rows = {**costs.models, **({"all": costs.total} if len(costs.models) > 1 else {})}
    if as_json:
        names = ("calls", "tokens", "dollars", "most_tokens", "most_dollars")
        models = {model: {name: getattr(each, name) for name in names} for model, each in rows.items()}
        allowed = {"calls_at_once": {model: one.calls for model, one in room.items()}} if room else {}
        print_json({"dry_run": {"games": costs.games, "sampled": costs.sampled, "models": models, **allowed}})
        return
    columns: dict[Column, Callable[[tuple[str, ModelEstimate]], str]] = {
        Column("model", wraps=True): lambda row: row[0],
        Column("calls", True): lambda row: f"{row[1].calls:,.0f}",
        Column("tokens", True, 1): lambda row: f"{row[1].tokens:,.0f}",
        Column("dollars", True): lambda row: _dollars(row[1].dollars),
        Column("tokens at most", True, 3): lambda row: f"{row[1].most_tokens:,.0f}",
        Column("dollars at most", True, 2): lambda row: _dollars(row[1].most_dollars),
    }
    out.print(Sheet.of(f"what {number_of(costs.games, 'game')} would take", rows.items(), columns))
    out.print(
        f"Estimated from {number_of(costs.sampled, 'game')} played with made-up answers: a prompt's characters divided "
        f"by 4, {TYPICAL_OUTPUT} tokens a reply, no failed calls. At most: prompts and replies of maximum length.",
        style="dim",
    )
    for model, one in room.items():
        sentence = one.describe(model)
        out.print(f"{sentence[0].upper()}{sentence[1:]}.", style="dim")


def _dollars(amount: float | None) -> str:
    return "no price" if amount is None else f"{amount:,.4f}" if amount < 1 else f"{amount:,.2f}"
