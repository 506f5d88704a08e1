"""Best responses to a player with finitely many states: the decision process over these states, which the actions of
both reveal, and a plan for it as an automaton."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrays import Array
from ostrom.core.step import DecisionProcess
from ostrom.games.repeated.automata import FAMILY, MAX_AUTOMATON_STATES, Automaton, AutomatonFile
from ostrom.games.repeated.machines import Machine
from ostrom.games.repeated.rules import RepeatedRules


def process_among(rules: RepeatedRules, others: Sequence[Any], seat: int) -> DecisionProcess | None:
    """The process of a seat against the other player; None where that has no finite number of states."""
    machine = getattr(others[0], "machine", None)
    opponent = machine(rules.game, 1 - seat) if machine is not None and rules.game.two_by_two else None
    return None if opponent is None else process_against(opponent, rules, seat)


def process_against(other: Machine, rules: RepeatedRules, seat: int) -> DecisionProcess:
    """The process of a seat against a machine, whose states are its situations."""
    states, own = len(other.plays), rules.game.own(seat)
    if states > 2_000:
        raise InputError(f"the other player has {states:,} states; a best response is computed against 2,000 at most")
    cooperates = other.plays * (1 - rules.noise) + (1 - other.plays) * rules.noise
    answers = np.stack([cooperates, 1 - cooperates], axis=1)
    own_noise = np.asarray([[1 - rules.noise, rules.noise], [rules.noise, 1 - rules.noise]])
    joint = own_noise[None, :, :, None] * answers[:, None, None, :]  # (states, chosen, done, the other's)
    leads, start = np.zeros((states, 2, states)), np.arange(states)
    for done in (0, 1):
        for answer in (0, 1):
            for chosen in (0, 1):
                then = other.after[:, answer, done]
                leads[start, chosen, then] += joint[:, chosen, done, answer]

    def described(choices: Array) -> AutomatonFile:
        return _automaton(choices, other, noisy=rules.noise > 0.0)

    return DecisionProcess(
        actions=("C", "D"),
        gains=np.einsum("scda,da->sc", joint, own),
        leads=leads,
        turns=rules.rounds if rules.continuation is None else None,
        continuation=rules.continuation or 0.0,
        strategy=lambda choices: Automaton.from_file(described(choices)),
        text=lambda choices: json.dumps(described(choices).model_dump(mode="json"), indent=1) + "\n",
        family=FAMILY,
    )


def _automaton(choices: Array, other: Machine, *, noisy: bool) -> AutomatonFile:
    """A plan as an automaton that keeps count of the turn and of the other's state, as far as they can come up."""
    last = len(choices) - 1
    start = (0, 0)
    reached, states = [start], {}
    known = {start}
    for turn, state in reached:
        chosen = int(choices[turn, state])

        def then(answer: int, done: int, at: tuple[int, int] = (turn, state)) -> tuple[int, int]:
            return min(at[0] + 1, last), int(other.after[at[1], answer, done])

        after = {answer: [then(answer, done) for done in (0, 1)] for answer in (0, 1)}
        for answer, by_own in after.items():
            possible = 0.0 < other.plays[state] < 1.0 or noisy or other.plays[state] == float(answer == 0)
            for done, target in enumerate(by_own):
                # Where nothing is left to chance some states never come up; stay, so that the file names no others.
                if not possible or (not noisy and done != chosen):
                    by_own[done] = by_own[chosen] if possible else (turn, state)
                elif target not in known:
                    known.add(target)
                    reached.append(target)
        by_answer: dict[str, Any] = {"CD"[answer]: _named(by_own) for answer, by_own in after.items()}
        states[f"{turn + 1}.{state}"] = {"play": "CD"[chosen], **by_answer}
        if len(reached) > MAX_AUTOMATON_STATES:
            raise InputError(
                f"the response needs an automaton of more than {MAX_AUTOMATON_STATES:,} states; set fewer rounds"
            )
    return AutomatonFile.model_validate({"start": "1.0", "states": states})


def _named(by_own: Sequence[tuple[int, int]]) -> str | list[str]:
    names = [f"{turn + 1}.{state}" for turn, state in by_own]
    return names[0] if names[0] == names[1] else names
