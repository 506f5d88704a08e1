"""What the API says about what games paid."""

from ostrom.web.shapes.base import Shape, Span


class PayoffRow(Shape):
    """What one player was paid in one game: the mean over games, with its interval."""

    player: str
    label: str
    games: int
    defaulted: int
    """In how many of them the game answered in a player's place, whoever's."""
    payoff: Span
    seats: list[Span | None]
    """By the seat that it had, in games of two; nothing where it never sat there."""
    against: list[Span | None]
    """Against each of the game's players in their order, in games of two; nothing where they never met."""


class PayoffGame(Shape):
    """A game that was played for what it pays."""

    game: str
    title: str
    rows: list[PayoffRow]
    """Who was paid most comes first."""


class PayoffTable(Shape):
    """What games paid."""

    games: list[PayoffGame]
