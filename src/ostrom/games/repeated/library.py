"""Strategies of the Axelrod library as players, `axelrod:NAME`: an extra, imported when one of them is named. They play
matrices of two actions, and know of a match what Axelrod tells them: its length, its payoffs and its noise."""

import difflib
import math
from functools import cache, partial
from typing import Any, Final

from typing_extensions import override

from ostrom.core import InputError, PlayerFault, Question
from ostrom.games.repeated.axelrod_import import axelrod
from ostrom.games.repeated.play import CHOICE, PairRound, RepeatedView
from ostrom.players.strategy import Draw, Strategy, StrategyEntry

FAMILY: Final = "axelrod"
_CHEATS: Final = ("inspects_source", "manipulates_source", "manipulates_state")
_SEEDS: Final = 2**32 - 1


@cache
def strategies() -> dict[str, Any]:
    """The classes of all strategies of Axelrod that keep to the rules of a match, by the names of their classes."""
    fair = (one for one in axelrod().all_strategies if not any(one.classifier.get(how) for how in _CHEATS))
    return {one.__name__: one for one in fair}


def axelrod_player(text: str) -> StrategyEntry:
    """A strategy of Axelrod by the name of its class, or by what its documentation calls it."""
    known = strategies()
    spoken = {one.name.casefold(): name for name, one in known.items()}
    name = text.strip() if text.strip() in known else spoken.get(text.strip().casefold())
    if name is None:
        near = difflib.get_close_matches(text, known, n=1)
        meant = f"did you mean {near[0]}?" if near else "its documentation lists them"
        raise InputError(f"Axelrod has no strategy {text!r} that could play here; {meant}")
    described = f"{known[name].name}, of the Axelrod library"
    made = partial(AxelrodStrategy, name)
    return StrategyEntry(f"{FAMILY}:{name}", described, made, None, __name__, "AxelrodStrategy")


class AxelrodStrategy(Strategy[RepeatedView]):
    """A player of Axelrod's at one seat. It is told each round what both did, after the noise."""

    def __init__(self, name: str) -> None:
        theirs = axelrod()
        self._player = strategies()[name]()
        self._opponent = theirs.MockPlayer()
        self._actions = (theirs.Action.C, theirs.Action.D)
        self._game = theirs.Game
        self._stochastic = theirs.Classifiers["stochastic"](self._player)
        self._rounds = 0

    @override
    def answer(self, question: Question[RepeatedView], draw: Draw) -> object:
        """Ask it for its action; to a message it has no answer."""
        if question.phase != CHOICE:
            return question.fallback
        view = question.view
        if self._rounds == 0:
            self._sit_down(view)
        if self._stochastic:
            self._player.set_seed(int(draw() * _SEEDS))
        for past in view.history[self._rounds - 1 :] if self._rounds else view.history:
            self._take_in(view.seat, past)
        chosen = self._player.strategy(self._opponent)
        self._rounds = view.round
        return self._actions.index(chosen)

    def _take_in(self, seat: int, past: PairRound) -> None:
        if self._rounds == 0:  # a game that goes on where it was interrupted: the player sees what it then saw
            self._player.strategy(self._opponent)
        own, other = (self._actions[past.actions[place]] for place in (seat, 1 - seat))
        self._player.update_history(own, other)
        self._opponent.update_history(other, own)

    def _sit_down(self, view: RepeatedView) -> None:
        matrix, rules = view.rules.game, view.rules
        if not matrix.two_by_two:
            raise PlayerFault("strategies of Axelrod play matrices of two actions for each player, and no others")
        (r, s), (t, p) = matrix.own(view.seat).tolist()
        length = math.inf if rules.rounds is None else rules.rounds
        attributes = {"length": length, "game": self._game(r=r, s=s, t=t, p=p), "noise": rules.noise}
        self._player.set_match_attributes(**attributes)
        self._opponent.set_match_attributes(**attributes)
