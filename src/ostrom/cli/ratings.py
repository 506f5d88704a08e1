"""`ostrom ratings` and `ostrom payoffs`: leaderboards, and what games paid."""

from typing import Annotated

import typer

from ostrom.cli.chosen import OneGame
from ostrom.findings.payoffs import PayoffsSettings
from ostrom.findings.payoffs import payoffs as payoffs_verb
from ostrom.findings.ratings import RatingsSettings
from ostrom.findings.ratings import ratings as ratings_verb
from ostrom.terminal import options as opt
from ostrom.terminal.render import TerminalReporter, show
from ostrom.terminal.settings import read_settings, with_settings

EveryGame = Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game; if omitted, all in the journal.")]


@with_settings(RatingsSettings, without=("game",))
def ratings(context: typer.Context, game: OneGame = None, store: opt.Store = None, json: opt.Json = False) -> None:
    """Rate the players of a game by the ranks at which their games ended, a board for each set of rules."""
    settings = read_settings(context, RatingsSettings, **({} if game is None else {"game": game}))
    show(ratings_verb.run(store, settings, TerminalReporter()), json=json)


@with_settings(PayoffsSettings, without=("game",))
def payoffs(
    context: typer.Context,
    game: EveryGame = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Show what each player earned: overall and, in two-player games, by seat and by opponent."""
    settings = read_settings(context, PayoffsSettings, **({} if game is None else {"game": game}))
    show(payoffs_verb.run(store, settings, TerminalReporter()), json=json)
