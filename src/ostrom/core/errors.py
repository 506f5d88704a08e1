"""The family of errors.

::

    OstromError                 everything the lab raises on purpose
    ├── InputError              the user asked for something that cannot be; exit status 2
    │   ├── UnknownName         a name that no registry holds; says the nearest
    │   ├── AlreadyDecided      an answer to a question that the journal holds one for; raised by the journal
    │   ├── NothingLeft         no finished game, or nothing left of them; raised by studies
    │   └── RecordError         a record that cannot be read: cut off, of another kind or version
    ├── IllegalAnswer           an answer that its specification refuses
    ├── PlayerFault             a player raised or broke the rules; names player, seat and turn
    └── Disagreement            a record and the rules do not say the same

Anything else that surfaces is a bug, and deserves its traceback.
"""


class OstromError(Exception):
    """Everything the lab raises on purpose; its text is one line, ready to be shown."""


class InputError(OstromError):
    """The user asked for something that cannot be; the text says what is wrong and what would be right."""


class UnknownName(InputError):
    """A name that the registry asked does not hold."""

    def __init__(
        self, kind: str, name: str, nearest: list[str], *, shown: str | None = None, text: str | None = None
    ) -> None:
        """`shown` says where to look if no other name is near; `text`, where it is given, is all that is said."""
        look = shown or f"'ostrom list' shows every {kind}"
        hint = f"did you mean {' or '.join(nearest)}?" if nearest else look
        super().__init__(text or f"there is no {kind} called {name!r}; {hint}")
        self.name = name
        self.nearest = nearest


class RecordError(InputError):
    """A record that cannot be read: not there, cut off, of another kind or of another version."""


class IllegalAnswer(OstromError):
    """An answer that its specification refuses; the text is the reason, fit to be told to who answered."""


class PlayerFault(OstromError):
    """A player raised, or answered what the rules do not allow, and has nobody to ask it again."""

    def __init__(self, text: str, turn: int | None = None) -> None:
        super().__init__(text)
        self.turn = turn


class Disagreement(OstromError):
    """A record and the rules do not say the same about what happened."""
