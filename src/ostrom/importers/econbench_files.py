"""Reads the result files of EconBench and converts them to items and points of Ostrom's tasks. econbench.py stores
these as records. The structure of a file determines its task.

Facts that are not in the files come from the benchmark's protocol: the order of options, the length of a month, and the
number of players in the beauty contest.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ostrom.core import Fault, RecordError
from ostrom.core.files import parse_json, read_bounded_text
from ostrom.games.battery.centipede import END, PAYOFFS
from ostrom.games.battery.items import ItemAnswered, SequenceEnded
from ostrom.games.battery.risk import OUTCOMES
from ostrom.importers import UNEXPECTED, check_names, unreadable

DAYS_PER_MONTH = 30.42
BEAUTY_PLAYERS = 15
BEAUTY_FRACTION = 2 / 3
_TWELFTHS = 12
_NO_DIAGNOSTICS = {"askings": 1, "retest": 0.0, "reversals": 0, "dominance": 0, "triples": 0}
_ITEM_DEFAULTS: dict[str, Any] = {"step": 0, "options": [], "labels": [], "detail": {}}
_FILE_NAME = re.compile(r"^.*?(?:_experiment|_results)_(?P<model>.+)$")
_NUMBER = re.compile(r"^\W*(\d[\d,]*(?:\.\d+)?)\W*$")
_LETTER = re.compile(r"(?:^|answer|result)\W*(?:option\W*)?([AB])\W*$", re.IGNORECASE)

Trial = Mapping[str, Any]
"""One question of a file with its answer."""


@dataclass
class TaskFile:
    """One task of one model, as read from a file."""

    model: str
    task: str
    source: str
    settings: dict[str, Any]
    """The benchmark's grid, as settings of Ostrom's rules."""
    items: list[ItemAnswered] = field(default_factory=list)
    sequences: list[SequenceEnded] = field(default_factory=list)
    unread: int = 0
    """The number of answers that the file counts although the stored replies do not contain them. These answers are
    marked in their details."""
    _repetitions: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, role: str, condition: str, facts: Mapping[str, Any], answer: Any, **fields: Any) -> None:
        """Add an item. The answer None stands for an unreadable reply."""
        self._repetitions[role, condition] += 1
        self.items.append(
            ItemAnswered(
                number=len(self.items) + 1,
                task=self.task,
                role=role,
                condition=condition,
                purpose="score",
                facts=dict(facts),
                answer=answer,
                fault=Fault.MALFORMED if answer is None else None,
                **{**_ITEM_DEFAULTS, "repetition": self._repetitions[role, condition], **fields},
            )
        )

    def point(self, condition: str, facts: Mapping[str, Any], value: Any, **fields: Any) -> None:
        """Add the end of a sequence of questions, with its indifference point if the file has one."""
        known = _known(value)
        self.sequences.append(
            SequenceEnded(
                task=self.task,
                condition=condition,
                purpose="score",
                facts=dict(facts),
                outcome="point" if known else "invalid",
                value=_share_of(value) if known else None,
                reason=None if known else "the file holds no point",
                **{"answers": 0, **fields},
            )
        )

    def amount(self, role: str, condition: str, facts: Mapping[str, Any], trial: Trial, name: str, most: float) -> None:
        """Add the number in a field of a trial. A number that the rules do not allow counts as an invalid answer."""
        value = trial[name]
        valid = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most + 1e-9
        number = _NUMBER.match(str(trial.get("raw_response", "")))
        in_reply = number is not None and valid and abs(float(number[1].replace(",", "")) - value) < 1e-6
        self.add(role, condition, facts, float(value) if valid else None, detail=self._detail(valid, in_reply))

    def choice(
        self, role: str, condition: str, facts: Mapping[str, Any], trial: Trial, choices: Mapping[str, str]
    ) -> None:
        """Add a choice. `choices` maps the words in the file to Ostrom's options, in the order in which the options
        were shown."""
        answer = choices.get(str(trial["decision"]).strip().upper())
        reply = re.sub(r"\W+", "", str(trial.get("raw_response", ""))).upper()
        detail = self._detail(answer is not None, answer is not None and choices.get(reply) == answer)
        labels = list(choices) if set(choices) == {"A", "B"} else ["A", "B"]
        self.add(role, condition, facts, answer, options=list(choices.values()), labels=labels, detail=detail)

    def _detail(self, valid: bool, in_reply: bool) -> dict[str, Any]:
        """Count the answer if it is not in the stored reply, and return a mark of this for the details of the item."""
        self.unread += valid and not in_reply
        return {"unread": True} if valid and not in_reply else {}


def _model_of(path: Path, content: Mapping[str, Any]) -> str:
    """Return the model of a file. It is read from the content or, if the content names none, from the file's name."""
    stated = content.get("model_id") or content.get("model")
    match = _FILE_NAME.match(path.stem)
    model = match["model"] if match else path.stem
    if isinstance(stated, str) and stated.strip():
        model = stated.strip()
    check_names(path, model)
    return model


def _known(value: Any) -> bool:
    return value is not None and value == value


def _share_of(value: Any) -> float:
    """Return a number from 0 to 1; raise `ValueError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is not a number from 0 to 1")
    return float(value)


def _values_of(trials: Sequence[Trial], name: str) -> list[float]:
    return sorted({float(trial[name]) for trial in trials})


def _max_repetitions(trials: Sequence[Trial], name: str = "repetitions") -> dict[str, int]:
    """Return the setting for repetitions: the largest number of times that a cell of the grid was repeated."""
    numbers = [int(trial["trial_number"]) for trial in trials if isinstance(trial.get("trial_number"), int)]
    return {name: max(numbers)} if numbers and max(numbers) > 0 else {}


def read_file(path: Path) -> list[TaskFile] | dict[str, Any]:
    """Return the tasks in a file, or the content of a file of published scores. A file of unknown structure has no
    tasks. Raise `RecordError` if the file cannot be read or does not follow its structure."""
    try:
        content = parse_json(read_bounded_text(path), finite=False)
    except (OSError, ValueError) as error:
        raise RecordError(f"{path.name}: cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        return []
    if isinstance(content.get("metrics"), dict) and isinstance(content.get("model"), str):
        return content
    try:
        return [file for reader in _READERS for file in reader(path, content) if file.items or file.sequences]
    except UNEXPECTED as error:
        raise RecordError(unreadable(path, error)) from error


def _time(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Read indifference ratios by amount and delay. The first ratio, which has no delay, does not come from a question.
    If a list of ratios is shorter than the list of delays, its ratios are those of the first delays."""
    delays, by_amount = content.get("labels"), content.get("datasets")
    if not isinstance(delays, list) or not isinstance(by_amount, dict):
        return
    ratios = {float(name.removeprefix("amount_")): values for name, values in by_amount.items()}
    grid = {"later": sorted(ratios), "delays": sorted(float(delay) for delay in delays if delay > 0), "fronts": [0.0]}
    file = TaskFile(_model_of(path, content), "time", path.name, {**grid, **_NO_DIAGNOSTICS})
    for later, values in ratios.items():
        for delay, ratio in zip(delays, values, strict=False):
            if delay > 0 and _known(ratio):
                days = round(delay * DAYS_PER_MONTH, 6)
                facts = {"later": later, "delay_months": float(delay), "front_months": 0.0, "days": days}
                file.point(f"later={later:g} delay={delay:g} front=0", facts, ratio)
    yield file


def _risk(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Read every bisection step of every reference lottery. Option A is the reference lottery, and option B is the
    lottery that the bisection varies."""
    results = content.get("results")
    if not isinstance(results, list) or not results or "reference_point" not in results[0]:
        return
    file = TaskFile(_model_of(path, content), "risk", path.name, {})
    grid: list[list[int]] = []
    for result in results:
        point, axis, steps = result["reference_point"], result["axis"], result.get("choice_history") or ()
        axis = None if axis is None else str(axis).lower()
        if axis not in ("x", "y", None):
            raise ValueError(f"unknown axis {result['axis']!r}")
        reference = [float(point["p_L"]), 1 - point["p_L"] - point["p_H"], float(point["p_H"])]
        parts = [round(part * _TWELFTHS) for part in reference]
        condition = "reference=" + ",".join(f"{part}/{_TWELFTHS}" for part in parts)
        grid.append(parts)
        for step in steps if axis else ():
            q = _share_of(step["midpoint"])
            other = [0.0, 1 - q, q] if axis == "y" else [q, 1 - q, 0.0]
            answer = {"REF": "reference", "AXIS": "other"}.get(step["choice"])
            letter = _LETTER.search(str(step.get("response", "")))
            in_reply = letter is not None and {"A": "reference", "B": "other"}[letter[1].upper()] == answer
            file.unread += answer is not None and not in_reply
            file.add(
                "chooser",
                condition,
                {"reference": reference, "other": other, "outcomes": list(OUTCOMES)},
                answer,
                options=["reference", "other"],
                labels=["A", "B"],
                repetition=1,
                step=int(step["iteration"]) + 1,
                detail={"axis": axis, "q": q, **({} if in_reply else {"unread": True})},
            )
        value = None if axis is None else result["indifference_value"]
        file.point(condition, {"reference": reference}, value, axis=axis, answers=len(steps))
    longest = max(len(result.get("choice_history") or "_") for result in results)
    file.settings |= {"references": sorted(grid), "bisections": longest, **_NO_DIAGNOSTICS}
    yield file


def _social(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    model = _model_of(path, content)
    givers, proposers = content.get("dictator_proposer") or (), content.get("ultimatum_proposer") or ()
    responders = content.get("ultimatum_responder") or ()
    dictator = TaskFile(
        model, "dictator", path.name, {"pots": _values_of(givers, "pool_amount"), **_max_repetitions(givers)}
    )
    for trial in givers:
        pot = float(trial["pool_amount"])
        dictator.amount("giver", f"pot={pot:g}", {"pot": pot, "unit": 0.01}, trial, "offer_amount", pot)
    yield dictator
    offers = sorted({round(float(trial["offer_amount"]) / trial["pool_amount"], 6) for trial in responders})
    pots = _values_of([*proposers, *responders], "pool_amount")
    settings = {"pots": pots, **({"offers": offers} if offers else {}), **_max_repetitions(proposers)}
    ultimatum = TaskFile(model, "ultimatum", path.name, settings | _max_repetitions(responders, "responses"))
    for trial in proposers:
        pot = float(trial["pool_amount"])
        ultimatum.amount("proposer", f"pot={pot:g}", {"pot": pot}, trial, "offer_amount", pot)
    for trial in responders:
        pot, offer = float(trial["pool_amount"]), float(trial["offer_amount"])
        condition = f"pot={pot:g} offer={100 * offer / pot:.6g}%"
        choices = {"ACCEPT": "accept", "REJECT": "reject"}
        ultimatum.choice("responder", condition, {"pot": pot, "offer": offer}, trial, choices)
    yield ultimatum


def _trust(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    senders, returners = content.get("sender_trials") or (), content.get("receiver_trials") or ()
    trials = [*senders, *returners]
    shares = sorted({round(trial["sent_amount"] / trial["endowment"], 6) for trial in returners})
    settings = {
        "endowments": _values_of(trials, "endowment"),
        **({"sent": shares} if shares else {}),
        **_max_repetitions(senders),
    }
    file = TaskFile(_model_of(path, content), "trust", path.name, settings)
    for trial in senders:
        stake = float(trial["endowment"])
        facts = {"endowment": stake, "multiplier": float(trial["multiplier"])}
        file.amount("sender", f"endowment={stake:g}", facts, trial, "amount_sent", stake)
    for trial in returners:
        stake, sent, received = (float(trial[name]) for name in ("endowment", "sent_amount", "received_amount"))
        facts = {"endowment": stake, "multiplier": float(trial["multiplier"]), "sent": sent, "received": received}
        condition = f"endowment={stake:g} sent={100 * sent / stake:.6g}%"
        file.amount("returner", condition, facts, trial, "amount_returned", received)
    yield file


def _games(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Read the game of a file whose trials are in one list, if the game is known."""
    trials = content.get("trials")
    if not isinstance(trials, list) or not trials or not isinstance(trials[0], dict):
        return
    for game in _GAMES:
        if game.names <= set(trials[0]):
            grid = {setting: _values_of(trials, name) for setting, name in game.grid.items()}
            settings = {**game.bounds(trials[0]), **grid, **_max_repetitions(trials)}
            file = TaskFile(_model_of(path, content), game.task, path.name, settings)
            for trial in trials:
                game.enter(file, trial)
            yield file
            return


def _stag(file: TaskFile, trial: Trial) -> None:
    stag, share = float(trial["payoff"]), float(trial["x_multiplier"])
    facts = {"stag": stag, "hare": round(share * stag, 10)}
    file.choice("chooser", f"stag={stag:g} hare={share:g}", facts, trial, {"A": "hare", "B": "stag"})


def _beauty(file: TaskFile, trial: Trial) -> None:
    prize = float(trial["prize"])
    facts = {"players": BEAUTY_PLAYERS, "p": BEAUTY_FRACTION, "low": 0, "high": 100, "prize": prize}
    file.amount("guesser", f"prize={prize:g}", facts, trial, "decision", 100)


def _centipede(file: TaskFile, trial: Trial) -> None:
    node, scale = int(trial["current_turn"]), float(trial["magnitude"])
    payoffs = [[round(payoff * scale, 10) for payoff in pair] for pair in PAYOFFS]
    stated = [float(trial["take_payoff_you"]), float(trial["take_payoff_them"])]
    if not 1 <= node <= len(payoffs) or stated != payoffs[node - 1]:
        raise ValueError(f"node {node} does not pay {stated[0]:g} and {stated[1]:g} at scale {scale:g}")
    facts = {"node": node, "payoffs": payoffs, "end": [round(payoff * scale, 10) for payoff in END], "scale": scale}
    file.choice("mover", f"node={node} scale={scale:g}", facts, trial, {"TAKE": "take", "PASS": "pass"})


def _traveller(file: TaskFile, trial: Trial) -> None:
    scale = float(trial["magnitude"])
    low, high, bonus = (float(trial[name]) for name in ("low", "high", "bonus"))
    facts = {"low": low, "high": high, "bonus": bonus, "step": scale, "scale": scale}
    file.amount("claimant", f"bonus={bonus / scale:g} scale={scale:g}", facts, trial, "decision", high)


def _bounds(first: Trial) -> dict[str, Any]:
    """Return the bounds at scale 1, which are the same at all scales."""
    return {name: first[name] / first["magnitude"] for name in ("low", "high", "bonus")} | {"other_bonuses": []}


class _Game(NamedTuple):
    """A game whose trials are in one list."""

    task: str
    names: frozenset[str]
    """Fields that only this game's trials have."""
    grid: Mapping[str, str]
    """The settings of Ostrom's rules whose values are in the trials, each with the name of its field in the trials."""
    enter: Callable[[TaskFile, Trial], None]
    bounds: Callable[[Trial], dict[str, Any]] = lambda first: {}
    """Settings that are the same in all trials."""


_STAG_GRID = {"stags": "payoff", "hares": "x_multiplier"}
_CENTIPEDE_GRID = {"nodes": "current_turn", "scales": "magnitude"}
_GAMES = (
    _Game("stag_hunt", frozenset({"payoff", "x_multiplier", "decision"}), _STAG_GRID, _stag),
    _Game("centipede", frozenset({"current_turn", "take_payoff_you", "decision"}), _CENTIPEDE_GRID, _centipede),
    _Game("traveller", frozenset({"low", "high", "bonus", "decision"}), {"scales": "magnitude"}, _traveller, _bounds),
    _Game("beauty_contest", frozenset({"prize", "decision"}), {"prizes": "prize"}, _beauty),
)


_READERS: tuple[Callable[[Path, Mapping[str, Any]], Iterator[TaskFile]], ...] = (_time, _risk, _social, _trust, _games)
