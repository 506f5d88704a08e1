"""What tests of market games share: the registered games, games among scripts, and the moves of a seat."""

from collections.abc import Callable, Sequence
from typing import Any

from ostrom.core import GameChance, Question
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import Match, play_match
from ostrom.games.market.auction import AUCTION, AuctionRules
from ostrom.games.market.bargaining import BARGAINING, BargainingRules
from ostrom.games.market.double_auction import DOUBLE_AUCTION, DoubleAuctionRules
from ostrom.players.strategy import Definition, StrategyEntry, entry_of


def register() -> Game:
    """Return the game, registered once: where the package was installed before the game existed, its entry point is
    missing."""
    if DOUBLE_AUCTION.name not in GAMES:
        GAMES.add(DOUBLE_AUCTION)
    return DOUBLE_AUCTION


def register_bargaining() -> Game:
    """Return the game of bargaining, registered once."""
    if BARGAINING.name not in GAMES:
        GAMES.add(BARGAINING)
    return BARGAINING


def scripted(quotes: Sequence[Any], said: Sequence[Any] = ()) -> Callable[[Question], object]:
    """Return a player that quotes and says what is written, round by round."""

    def answer(question: Question) -> object:
        lines = quotes if question.phase == "quote" else said
        return lines[question.turn - 1] if len(lines) >= question.turn else question.fallback

    return answer


def play(rules: DoubleAuctionRules, *players: Definition | StrategyEntry | list[Any], seed: int = 1) -> Match:
    """Play a game between strategies, entries and scripts, which are lists of quotes."""
    defined = [scripted(one) if isinstance(one, list) else one for one in players]
    entries = [one if isinstance(one, StrategyEntry) else entry_of(one) for one in defined]
    game = register_bargaining() if isinstance(rules, BargainingRules) else register()
    return play_match(game, rules, entries, GameChance(seed))


def moves(match: Match, seat: int = 0, phase: str = "quote") -> list[Any]:
    """Return the answers of a seat in a phase, in order."""
    questions = [(decision.question, decision.answer.value) for decision in match.decisions]
    return [value for question, value in questions if question.seat.index == seat and question.phase == phase]


def scripted_bids(bids: Sequence[Any], said: Sequence[Any] = ()) -> Callable[[Question], object]:
    """Return a player of sealed auctions that bids and says what is written, round by round."""

    def answer(question: Question) -> object:
        lines = bids if question.phase == "bid" else said
        return lines[question.turn - 1] if len(lines) >= question.turn else question.fallback

    return answer


def hold(rules: AuctionRules, *players: Any, seed: int = 1) -> Match:
    """Hold sealed auctions among strategies and scripts, which are lists of bids."""
    if AUCTION.name not in GAMES:
        GAMES.add(AUCTION)
    defined = [scripted_bids(one) if isinstance(one, list) else one for one in players]
    entries = [one if isinstance(one, StrategyEntry) else entry_of(one) for one in defined]
    return play_match(AUCTION, rules, entries, GameChance(seed))


def bids_of(match: Match, seat: int = 0) -> list[Any]:
    """Return the bids of a seat, in order."""
    return moves(match, seat, "bid")
