"""The public form of games that are under way. Pages, streams, the API and exports show such a game without its
answers, the secrets in its events, and its seed, which would reveal every random draw. The seed of an experiment is
secret until all its games are over."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ostrom.core.events import HiddenEvent
from ostrom.core.plugins import GAMES
from ostrom.journal.record import GameRecord

_SEED_SETTINGS: Final = frozenset({"seed", "seeds"})


def public_events(game: str, events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the events of a game under way as the public may see them; `game` is the game's name in records. If the
    game is not installed, all of its events are hidden, because it is unknown which events are secret."""
    if game not in GAMES:
        return [HiddenEvent().as_record() for _ in events]
    kind = GAMES[game].events
    return [kind.seen_by(event) for event in events] if kind.have_secrets else [dict(event) for event in events]


def public_record(record: GameRecord) -> GameRecord:
    """Return the record of a game under way as the public may see it."""
    events = public_events(record.game, record.events)
    return record.model_copy(update={"seed": None, "orders": [], "answers": [], "events": events, "finals": None})


def without_seeds(settings: Any) -> Any:
    """Return the settings of an experiment without seeds, including those in nested settings."""
    if isinstance(settings, Mapping):
        return {name: without_seeds(value) for name, value in settings.items() if name not in _SEED_SETTINGS}
    return [without_seeds(value) for value in settings] if isinstance(settings, list | tuple) else settings
