"""Champions of one's own: load them with --players examples/my_champions.py."""

from ostrom import Champion, Context, register_champion


@register_champion
class Guardian(Champion):
    """Gives everything, pays for proportional shares, and votes against the lowest giver."""

    def decide(self, ctx: Context) -> float:
        """Everything."""
        return 1.0

    def lobby(self, ctx: Context) -> float:
        """One percent of its capital, so that contributions pay."""
        return -0.01 * ctx.capital

    def vote_exclusion(self, ctx: Context) -> int | None:
        """The lowest giver of the last turn, if it gave next to nothing."""
        if ctx.contributions is None:
            return None
        gave = ctx.contributions
        worst = min(ctx.others, key=lambda seat: gave[seat])
        return worst if gave[worst] < 0.2 else None


@register_champion
class Moody(Champion):
    """Cooperates or not by the toss of a coin, and sticks to it for three turns."""

    def __init__(self) -> None:
        self.mood = 1.0

    def decide(self, ctx: Context) -> float:
        """A new mood every third turn."""
        if ctx.turn % 3 == 1:
            self.mood = float(ctx.draw() < 0.5)
        return self.mood
