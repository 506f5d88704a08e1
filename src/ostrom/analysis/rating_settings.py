"""The settings with which players are rated: the method that orders them, and those of TrueSkill."""

from dataclasses import dataclass, replace
from typing import Any, Final

from ostrom.analysis.ratings import choose_method
from ostrom.analysis.ratings.method import MethodChoice
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, TrueSkillSettings
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.ratings.methods.payoff import PAYOFF
from ostrom.core.game import Game

PASSES: Final = TrueSkillSettings().passes
DRAW_PROBABILITY: Final = TrueSkillSettings().draw_probability


BY_AIM: Final = "aim"
"""The default method, which follows the aim of the game: TrueSkill if players aim to end ahead of the others, and
otherwise the payoff."""


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """The settings of a leaderboard. A leaderboard always shows TrueSkill's μ and the order-free strength. The `method`
    determines the order of players."""

    passes: int = PASSES
    draw_probability: float = DRAW_PROBABILITY
    method: str = BY_AIM
    """The rating method by which players are ranked, with its own settings if there are any, as in 'trueskill' or
    'elo:k=16'. By default the aim of the game decides."""

    def for_game(self, game: Game) -> "RatingSettings":
        """Return the settings with the method that fits the game's aim, unless the user chose a method."""
        if self.method != BY_AIM:
            return self
        return replace(self, method=PAYOFF.name if game.aim == "payoff" else TRUESKILL.name)

    @property
    def choice(self) -> MethodChoice:
        """The method and its settings. Raises `UnknownName` or `InputError` if there is no such method."""
        method = TRUESKILL.name if self.method == BY_AIM else self.method
        return choose_method(method, passes=self.passes, draw_probability=self.draw_probability)

    @property
    def trueskill(self) -> TrueSkillSettings:
        """The settings of TrueSkill's columns. Raises `InputError` if they are invalid."""
        return TrueSkillSettings.of({"passes": self.passes, "draw_probability": self.draw_probability})

    def as_record(self) -> dict[str, Any]:
        """Return the settings as plain data. The method is left out if the flag `order_free` already determines it."""
        record = {
            "passes": self.passes,
            "draw_probability": self.draw_probability,
            "order_free": self.method == ORDER_FREE.name,
        }
        return record if self.method in BOARD_METHODS else {**record, "method": self.method}


BOARD_METHODS: Final = (BY_AIM, TRUESKILL.name, ORDER_FREE.name)
"""The methods whose ratings every leaderboard shows."""
USUAL: Final = RatingSettings()
