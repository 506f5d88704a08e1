"""The games of EconBench whose files hold one list of trials; what a trial holds tells the game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ostrom.games.battery.centipede import END, PAYOFFS
from ostrom.importers.econbench_trials import TaskFile, enter_amount, enter_choice, model_of, most_asked, values_of

PLAYERS, PART = 15, 2 / 3
"""Of the beauty contest, as in the benchmark's protocol: its files do not say."""


def games_of(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """The game of a file with one list of trials, if it is one that is known."""
    trials = content.get("trials")
    if not isinstance(trials, list) or not trials or not isinstance(trials[0], dict):
        return
    for game in _GAMES:
        if game.names <= set(trials[0]):
            settings = {**game.settings(trials), **most_asked(trials)}
            file = TaskFile(model_of(path, content), game.task, path.name, settings)
            for trial in trials:
                game.enter(file, trial)
            yield file
            return


def _stag(file: TaskFile, trial: Mapping[str, Any]) -> None:
    stag, share = float(trial["payoff"]), float(trial["x_multiplier"])
    facts = {"stag": stag, "hare": round(share * stag, 10)}
    enter_choice(file, "chooser", f"stag={stag:g} hare={share:g}", facts, trial, {"A": "hare", "B": "stag"})


def _beauty(file: TaskFile, trial: Mapping[str, Any]) -> None:
    prize = float(trial["prize"])
    facts = {"players": PLAYERS, "p": PART, "low": 0, "high": 100, "prize": prize}
    enter_amount(file, "guesser", f"prize={prize:g}", facts, trial, trial["decision"], 100)


def _centipede(file: TaskFile, trial: Mapping[str, Any]) -> None:
    node, scale = int(trial["current_turn"]), float(trial["magnitude"])
    payoffs = [[round(one * scale, 10) for one in piles] for piles in PAYOFFS]
    told = [float(trial["take_payoff_you"]), float(trial["take_payoff_them"])]
    if not 1 <= node <= len(payoffs) or told != payoffs[node - 1]:
        raise ValueError(f"node {node} does not pay {told[0]:g} and {told[1]:g} at scale {scale:g}")
    facts = {"node": node, "payoffs": payoffs, "end": [round(one * scale, 10) for one in END], "scale": scale}
    enter_choice(file, "mover", f"node={node} scale={scale:g}", facts, trial, {"TAKE": "take", "PASS": "pass"})


def _traveller(file: TaskFile, trial: Mapping[str, Any]) -> None:
    scale = float(trial["magnitude"])
    low, high, bonus = (float(trial[name]) for name in ("low", "high", "bonus"))
    facts = {"low": low, "high": high, "bonus": bonus, "step": scale, "scale": scale}
    enter_amount(file, "claimant", f"bonus={bonus / scale:g} scale={scale:g}", facts, trial, trial["decision"], high)


def _travelled(trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The bounds at scale 1, which are the same at all scales."""
    first = trials[0]
    bounds = {name: first[name] / first["magnitude"] for name in ("low", "high", "bonus")}
    return {**bounds, "scales": values_of(trials, "magnitude"), "other_bonuses": []}


@dataclass(frozen=True)
class _Game:
    """A game whose trials stand in one list."""

    names: frozenset[str]
    """What its trials hold that no other's do."""
    task: str
    enter: Callable[[TaskFile, Mapping[str, Any]], None]
    settings: Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]]


_GAMES = (
    _Game(
        frozenset({"payoff", "x_multiplier", "decision"}),
        "stag_hunt",
        _stag,
        lambda trials: {"stags": values_of(trials, "payoff"), "hares": values_of(trials, "x_multiplier")},
    ),
    _Game(
        frozenset({"current_turn", "take_payoff_you", "decision"}),
        "centipede",
        _centipede,
        lambda trials: {
            "nodes": [int(node) for node in values_of(trials, "current_turn")],
            "scales": values_of(trials, "magnitude"),
        },
    ),
    _Game(frozenset({"low", "high", "bonus", "decision"}), "traveller", _traveller, _travelled),
    _Game(
        frozenset({"prize", "decision"}),
        "beauty_contest",
        _beauty,
        lambda trials: {"prizes": values_of(trials, "prize")},
    ),
)
