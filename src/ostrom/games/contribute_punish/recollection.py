"""What a seat recalls of past rounds: old messages are gone, and of anonymous punishments only its own are signed."""

from dataclasses import replace

from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.games.contribute_punish.view import PastRound, Punishment


class Recollection:
    """The past as one seat may know it. A round is put down once and changed once, when its messages are forgotten; and
    all views of a round share one history: in a long game, one for every question would fill the memory."""

    def __init__(self, seat: int, rules: ContributePunishRules) -> None:
        self._seat = seat
        self._rules = rules
        self._rounds: list[PastRound] = []
        self.history: tuple[PastRound, ...] = ()
        """All rounds that are over, as they are seen in the coming one."""

    def take_in(self, past: PastRound) -> None:
        """Put down the round that has just ended."""
        self._rounds.append(self._signed(past))
        forgotten = len(self._rounds) - self._rules.message_rounds - 1
        if forgotten >= 0:
            self._rounds[forgotten] = replace(self._rounds[forgotten], messages=())
        self.history = tuple(self._rounds)

    def _signed(self, past: PastRound) -> PastRound:
        if not self._rules.anonymous:
            return past
        punishments = tuple(
            each if each.punisher == self._seat else Punishment(None, each.target, None, each.damage)
            for each in past.punishments
        )
        return replace(past, punishments=punishments)
