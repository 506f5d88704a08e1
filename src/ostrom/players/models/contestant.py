"""A language model that can be seated, any number of times. Nothing of a model's machinery is loaded before it sits."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ostrom.core import Chance, Seat
from ostrom.players.models.framing import Framing

if TYPE_CHECKING:
    from ostrom.players.models.bots import Bot
    from ostrom.players.models.correspondent import ModelPlayer


@dataclass(frozen=True)
class ModelContestant:
    """A bot that plays one game, told in one framing."""

    bot: "Bot"
    game: str
    """The game's name in records."""
    framing: Framing | None = None
    """By default the plain one, in the bot's own wording."""

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.bot.name

    @property
    def told(self) -> Framing:
        """How the game is put to this bot."""
        from ostrom.players.models.briefing import framing_of

        return replace(framing_of(self.game), variant=self.bot.variant) if self.framing is None else self.framing

    def sit(self, seat: Seat, chance: Chance) -> "ModelPlayer":
        """Take a seat in a new game. The connection is the same one for every seat of this bot."""
        from ostrom.players.models.briefing import briefing_of
        from ostrom.players.models.connection import connect
        from ostrom.players.models.correspondent import ModelPlayer

        return ModelPlayer(self.bot, connect(self.bot), briefing_of(self.game), self.told, chance)
