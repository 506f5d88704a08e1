"""`--dry-run`: what an experiment would take, before anybody is asked."""

from collections.abc import Sequence

from ostrom.core import InputError
from ostrom.core.game import imported
from ostrom.experiment.estimate import TYPICAL_OUTPUT, ModelEstimate, ScheduleEstimate
from ostrom.experiment.estimate import estimate as estimate_of
from ostrom.experiment.plan import Experiment
from ostrom.experiment.terminal import Column, Sheet, out, print_json
from ostrom.players.people.seat import is_person


def estimate(planned: Experiment, *, json: bool) -> None:
    """Say what an experiment would take: calls, tokens, dollars. Nobody is asked."""
    if not planned.models:
        raise InputError("--dry-run estimates what models would cost, and none plays; seat one with --llm or --include")
    if planned.people:
        # By its path: only a game with people needs the extra that prompts are made with.
        planned, _ = imported("ostrom.experiment.hosting:in_room")(planned)
    found = estimate_of(planned.fixtures())
    for person in [name for name in found.models if is_person(name)]:
        del found.models[person]  # who is asked for nothing but an answer
    rows: list[tuple[str, ModelEstimate | ScheduleEstimate]] = list(found.models.items())
    if len(rows) > 1:
        rows.append(("all", found))
    if json:
        print_json(
            {
                "dry_run": {
                    "games": found.games,
                    "sampled": found.sampled,
                    "models": {
                        name: {
                            "calls": each.calls,
                            "tokens": each.tokens,
                            "dollars": each.dollars,
                            "most_tokens": each.most_tokens,
                            "most_dollars": each.most_dollars,
                        }
                        for name, each in rows
                    },
                }
            }
        )
        return
    numbers = {"calls": 0, "tokens": 1, "dollars": 0, "tokens at most": 3, "dollars at most": 2}
    columns = [
        Column("model", wraps=True),
        *(Column(name, number=True, spare=spare) for name, spare in numbers.items()),
    ]
    lines: list[Sequence[str]] = [
        [
            name,
            f"{each.calls:,.0f}",
            f"{each.tokens:,.0f}",
            _dollars(each.dollars),
            f"{each.most_tokens:,.0f}",
            _dollars(each.most_dollars),
        ]
        for name, each in rows
    ]
    out.print(Sheet(f"what {_games(found.games)} would take", columns, lines))
    out.print(
        f"Estimated from {_games(found.sampled)} played with made-up answers: a prompt's characters divided by 4, "
        f"{TYPICAL_OUTPUT} tokens a reply, no failed call. At most: every prompt and reply at its bound.",
        style="dim",
        markup=False,
    )


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"


def _dollars(amount: float | None) -> str:
    return "no price" if amount is None else f"{amount:,.4f}" if amount < 1 else f"{amount:,.2f}"
