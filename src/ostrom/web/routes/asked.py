"""What several routes ask for in the same words: the filters of a study, and a page of a long list."""

from typing import Annotated

from fastapi import Depends, Query

from ostrom.web.queries.filters import Filters
from ostrom.web.shapes.study import AnyKind, Defaulted, Kind, Messages

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


async def _played(
    kind: Annotated[Kind, Query(description="Of which game.")] = "punish",
    experiments: Experiments = [],  # noqa: B006 (FastAPI copies defaults)
    players: Players = [],  # noqa: B006
    messages: Said = "all",
    defaulted: Left = "with",
) -> Filters:
    return Filters(kind, tuple(experiments), tuple(players), messages, defaulted)


async def _any(
    kind: Annotated[AnyKind, Query(description="Of which game, or of the battery.")] = "punish",
    experiments: Experiments = [],  # noqa: B006
    players: Players = [],  # noqa: B006
    messages: Said = "all",
    defaulted: Left = "with",
) -> Filters:
    return Filters(kind, tuple(experiments), tuple(players), messages, defaulted)


PlayedFilters = Annotated[Filters, Depends(_played)]
"""Of a game that is played."""
AnyFilters = Annotated[Filters, Depends(_any)]
"""Of any game, the battery among them; of the battery, `player` are subjects, and the other filters do nothing."""
