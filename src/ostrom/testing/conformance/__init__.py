"""The conformance suite of games: `check_game(GAME)` plays it in every way that matters and raises `GameFaults` with
one line for each promise of the contract that it breaks. Authors of games run it in their tests::

    def test_the_game_keeps_the_contract():
        check_game(MY_GAME)

Optional parts are checked where a game has them."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from ostrom.core.game import Game
from ostrom.testing.conformance.case import Case, Fault, cases_of, guarded
from ostrom.testing.conformance.parts import SHOWING_CHECKS, SHOWN_ONCE, check_declaration, check_film, check_rules
from ostrom.testing.conformance.playing import PLAY_CHECKS, STRATEGY_CHECKS


class GameFaults(AssertionError):
    """A game that does not keep the contract; the text has one line for each fault."""

    def __init__(self, game: str, faults: Sequence[str]) -> None:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([f"{game}: {count}", *(f"- {fault}" for fault in faults)]))
        self.faults = tuple(faults)


def check_game(
    game: Game, *, seeds: Sequence[int] = (1, 2), seats: Sequence[int] = (), rules: Sequence[Any] = ()
) -> None:
    """Check a game at tables of these sizes (by default the smallest and the usual one) under these rules (by default
    the game's own defaults). Raises `GameFaults`."""
    found = faults_of(game, seeds=seeds, seats=seats, rules=rules)
    if found:
        raise GameFaults(game.name, found)


def faults_of(
    game: Game, *, seeds: Sequence[int] = (1, 2), seats: Sequence[int] = (), rules: Sequence[Any] = ()
) -> list[str]:
    """What is wrong with a game, one line each; the same fault under several seeds is told once."""
    found: dict[tuple[str, str], str] = {}
    for fault in _all(game, seeds, seats, rules):
        found.setdefault((fault.check, fault.kind or fault.text), fault.line())
    return list(found.values())


def _all(game: Game, seeds: Sequence[int], seats: Sequence[int], rules: Sequence[Any]) -> Iterator[Fault]:
    yield from guarded("the declaration", None, check_declaration(game))
    own = list(guarded("the rules", None, check_rules(game, given=bool(rules))))
    yield from own
    if not rules and any(fault.kind == "no defaults" for fault in own):
        return  # nothing can be played
    for case in cases_of(game, seeds, seats, rules):
        yield from _of_case(case)


def _of_case(case: Case) -> Iterator[Fault]:
    played = list(guarded("playing a game", case, case.check_played()))
    yield from played
    if played:
        return  # what a game that cannot be played would do is not worth telling
    checks = dict(PLAY_CHECKS)
    if case.first:
        checks |= {**SHOWN_ONCE, **STRATEGY_CHECKS}
        # Parts that stand on extras are looked at where these are installed, and their modules read only then.
        if find_spec("jinja2") is not None:
            from ostrom.testing.conformance.prompts import PROMPT_CHECKS

            checks |= PROMPT_CHECKS
        if find_spec("PIL") is not None:
            checks["film"] = check_film
    for name, check in {**checks, **SHOWING_CHECKS}.items():
        yield from guarded(name, case, check(case))
