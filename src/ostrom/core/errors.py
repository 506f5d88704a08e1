"""The family of errors.

::

    OstromError                 every error that the lab raises on purpose
    ├── InputError              bad input from the user; exit status 2
    │   ├── UnknownName         a name that is not registered; suggests the nearest
    │   ├── AlreadyDecided      a second answer to a question; raised by the journal
    │   ├── JournalError        a journal that is not readable or writable now; its content is safe
    │   ├── NothingLeft         no finished game to study, or none after exclusions; raised by studies
    │   ├── SessionMistakes     all mistakes of a session file, a line each; raised when one is loaded
    │   └── RecordError         a record that cannot be read: cut off, of another kind or version
    ├── IllegalAnswer           an answer that its specification rejects
    │   └── IllegalCombination  an answer whose fields are legal one by one, but not together
    ├── PlayerFault             a player raised or broke the rules; names player, seat and turn
    ├── Disagreement            a record contradicts the rules
    └── RunIncomplete           a run that ended early and has no result yet; raised by the library

Any other exception is a bug, and shows its traceback.
"""

import copyreg
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_MARKED_FIELD: Final = re.compile("\ue000(\\w+)(?:\ue001([^\ue002]*))?\ue002")
"""The pattern of a marked field in an error: the field's name and, if given, its value, enclosed in private-use
characters that no other text contains."""


def field(name: str, value: object = None) -> str:
    """Return a setting's name, and its value if given, marked within an error's text. Each surface replaces the mark by
    its own spelling."""
    return f"\ue000{name}\ue002" if value is None else f"\ue000{name}\ue001{value}\ue002"


def as_argument(name: str, value: str | None) -> str:
    """Spell a field as an argument of Python: `group_size`, `mutation='small'`."""
    return name if value is None else f"{name}={value!r}"


def spell_fields(text: str, spell: Callable[[str, str | None], str]) -> str:
    """Return a text in which each marked field is replaced by `spell(name, value)`."""
    return _MARKED_FIELD.sub(lambda mark: spell(mark[1], mark[2]), text)


class OstromError(Exception):
    """Every error that the lab raises on purpose; its text is one line, ready to be shown."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by attributes instead of the arguments of `__init__`, so that worker processes can send errors
        back."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class InputError(OstromError):
    """Bad input from the user; the text says what is wrong and what would be right. It names settings with `field`."""

    def __str__(self) -> str:
        return self.spelled(as_argument)

    def rename_fields(self, names: Mapping[str, str]) -> None:
        """Replace the names of marked fields by the names that another surface uses."""
        if self.args and isinstance(self.args[0], str):
            text = spell_fields(self.args[0], lambda name, value: field(names.get(name, name), value))
            self.args = (text, *self.args[1:])

    def spelled(self, spell: Callable[[str, str | None], str]) -> str:
        """Return the text, with each marked field replaced by `spell(name, value)`."""
        return spell_fields(super().__str__(), spell)


class UnknownName(InputError):
    """A name that is not registered."""

    def __init__(
        self, kind: str, name: str, nearest: list[str], *, catalogue: str | None = None, text: str | None = None
    ) -> None:
        """Compose the message. `catalogue` names a list to look at if no name is similar; `text` replaces the whole
        message."""
        fallback = catalogue or f"'ostrom list' shows every {kind}"
        hint = f"did you mean {' or '.join(nearest)}?" if nearest else fallback
        super().__init__(text or f"there is no {kind} called {name!r}; {hint}")
        self.name = name
        self.nearest = nearest


class RecordError(InputError):
    """A record that is missing, cut off, or of another format or version."""


class JournalError(InputError):
    """A journal that is not readable or writable at the moment, for example because its server is down, its disk is
    full or its file is missing."""

    passing = False
    """True if a retry may succeed, for example after a server restart or when another process has released its lock."""


class IllegalAnswer(OstromError):
    """An answer that its specification rejects; the text is the reason, and can be shown to the player."""


class IllegalCombination(IllegalAnswer):
    """An answer whose fields are legal one by one, but not together, such as amounts that cost more than a budget. The
    text names no seats and no amounts, because a framing may show others to the player."""


class PlayerFault(OstromError):
    """A player raised an exception or gave an illegal answer, and is not asked again."""

    def __init__(self, text: str, turn: int | None = None) -> None:
        super().__init__(text)
        self.turn = turn


class Disagreement(OstromError):
    """A record contradicts the rules of its game."""
