"""What several routes ask for in the same words: the filters of a study, and a page of a long list."""

from typing import Annotated

from fastapi import Depends, Query

from ostrom.analysis.study import SubjectStudy, all_studies
from ostrom.web.queries.filters import Filters
from ostrom.web.shapes.study import Defaulted, Messages

_NAME = 500
_NAMES = 200

Name = Annotated[str, Query(max_length=_NAME)]
Experiments = Annotated[
    list[Name],
    Query(alias="experiment", max_length=_NAMES, description="Only these experiments, by id or name; all without."),
]
Players = Annotated[
    list[Name],
    Query(
        alias="player",
        max_length=_NAMES,
        description="Show only these players. Everything is computed from all chosen games first, so that nobody's "
        "figures change because others are hidden.",
    ),
]
Said = Annotated[Messages, Query(alias="messages", description="Only games with, or without, messages.")]
Left = Annotated[
    Defaulted,
    Query(
        description="With the answers that the game gave in a player's place, without the games that hold some, or "
        "without the seats that gave some."
    ),
]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000, description="How many to pass over.")]


Kind = Annotated[
    str | None,
    Query(max_length=100, description="Of which game, as /api/studies lists them; the first of those without."),
]


async def _filters(
    kind: Kind = None,
    experiments: Experiments = [],  # noqa: B006 (FastAPI copies defaults)
    players: Players = [],  # noqa: B006
    messages: Said = "all",
    defaulted: Left = "with",
) -> Filters:
    return Filters(kind, tuple(experiments), tuple(players), messages, defaulted)


AnyFilters = Annotated[Filters, Depends(_filters)]
"""Of any study; of one that scores subjects, `player` are subjects, and the other filters do nothing."""


def is_slow(filters: Filters) -> bool:
    """Whether an answer may take many seconds: to score a subject takes one."""
    return filters.kind is not None and any(
        isinstance(study, SubjectStudy) and study.command == filters.kind for study in all_studies()
    )
