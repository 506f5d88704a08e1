"""The public form of games that are under way. Pages, streams, the API and exports show such a game without its
answers, the secrets in its events and rules, and its seed, which would reveal every random draw. The seed and the
secret rules of an experiment are hidden until all its games are over."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import BaseModel

from ostrom.core.events import HiddenEvent
from ostrom.core.plugins import GAMES
from ostrom.core.secrecy import secret_fields
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
    hidden = {"orders": [], "answers": [], "events": events, "finals": None}
    return without_seed(record).model_copy(update=hidden)


def without_seed(record: GameRecord) -> GameRecord:
    """Return the record of a finished game without the secrets that other games of its experiment share while they are
    under way: the seed, and the rules that are marked as sealed."""
    return record.model_copy(update={"seed": None, "rules": public_rules(record.game, record.rules)})


def public_rules(game: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules of a game under way without those that are marked as sealed, such as given private values."""
    kind: type[BaseModel] | None = GAMES[game].rules if game in GAMES else None
    sealed = secret_fields(kind) if kind is not None else {}
    return {name: value for name, value in rules.items() if name not in sealed}


def public_settings(settings: Any) -> Any:
    """Return the settings of an experiment without seeds and without sealed rules, including those in nested
    settings."""
    if isinstance(settings, list | tuple):
        return [public_settings(value) for value in settings]
    if not isinstance(settings, Mapping):
        return settings
    shown = {name: public_settings(value) for name, value in settings.items() if name not in _SEED_SETTINGS}
    game, rules = shown.get("game"), shown.get("rules")
    if isinstance(game, str) and isinstance(rules, Mapping):
        shown["rules"] = public_rules(game, rules)
    return shown
