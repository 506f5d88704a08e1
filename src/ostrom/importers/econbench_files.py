"""The result files of EconBench, known by their structure: what a file holds tells which task it is, whatever its name.
Read here into the items and points of our tasks; records are made elsewhere.

What a file does not tell is as in the benchmark's protocol: the order in which options stood, the length of a month,
how many guess in the beauty contest."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ostrom.core import Fault, RecordError
from ostrom.core.files import parse_json
from ostrom.games.battery.centipede import END, PAYOFFS
from ostrom.games.battery.items import ItemAnswered, SequenceEnded
from ostrom.games.battery.risk import OUTCOMES
from ostrom.importers import UNEXPECTED, check_names, unreadable

MONTH = 30.42
"""Days."""
PLAYERS, PART = 15, 2 / 3
"""Of the beauty contest."""
_TWELFTHS = 12
_NO_DIAGNOSTICS = {"askings": 1, "retest": 0.0, "reversals": 0, "dominance": 0, "triples": 0}
_PLAIN: dict[str, Any] = {"step": 0, "options": [], "labels": [], "detail": {}}
_NAMED = re.compile(r"^.*?(?:_experiment|_results)_(?P<model>.+)$")
_NUMBER = re.compile(r"^\W*(\d[\d,]*(?:\.\d+)?)\W*$")
_LETTER = re.compile(r"(?:^|answer|result)\W*(?:option\W*)?([AB])\W*$", re.IGNORECASE)

Trial = Mapping[str, Any]
"""What a file tells of one question, and of its answer."""


@dataclass
class TaskFile:
    """What one file tells about one task of one model."""

    model: str
    task: str
    source: str
    settings: dict[str, Any]
    """The grid, as settings of our rules."""
    items: list[ItemAnswered] = field(default_factory=list)
    sequences: list[SequenceEnded] = field(default_factory=list)
    unread: int = 0
    """Answers that the file counts although the reply that it keeps holds none; they are marked in their details."""
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, role: str, condition: str, facts: Mapping[str, Any], answer: Any, **more: Any) -> None:
        """Enter an item; an answer that is none is one that could not be read."""
        self._asked[role, condition] += 1
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
                **{**_PLAIN, "repetition": self._asked[role, condition], **more},
            )
        )

    def point(self, condition: str, facts: Mapping[str, Any], value: Any, **more: Any) -> None:
        """Enter the end of a sequence: its point of indifference, or that the file holds none."""
        found = _known(value)
        self.sequences.append(
            SequenceEnded(
                task=self.task,
                condition=condition,
                purpose="score",
                facts=dict(facts),
                outcome="point" if found else "invalid",
                value=_share_of(value) if found else None,
                reason=None if found else "the file holds no point",
                **{"answers": 0, **more},
            )
        )

    def amount(self, role: str, condition: str, facts: Mapping[str, Any], trial: Trial, name: str, most: float) -> None:
        """Enter the number that a trial has under a name. One that no rule allows is no valid answer."""
        given = trial[name]
        valid = isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= most + 1e-9
        found = _NUMBER.match(str(trial.get("raw_response", "")))
        read = found is not None and valid and abs(float(found[1].replace(",", "")) - given) < 1e-6
        self.add(role, condition, facts, float(given) if valid else None, detail=self._detail(valid, read))

    def choice(
        self, role: str, condition: str, facts: Mapping[str, Any], trial: Trial, choices: Mapping[str, str]
    ) -> None:
        """Enter a choice; `choices` are the words of the file, in the order in which options stood, and what they
        mean."""
        answer = choices.get(str(trial["decision"]).strip().upper())
        said = re.sub(r"\W+", "", str(trial.get("raw_response", ""))).upper()
        detail = self._detail(answer is not None, answer is not None and choices.get(said) == answer)
        labels = list(choices) if set(choices) == {"A", "B"} else ["A", "B"]
        self.add(role, condition, facts, answer, options=list(choices.values()), labels=labels, detail=detail)

    def _detail(self, valid: bool, read: bool) -> dict[str, Any]:
        """Counts an answer that the reply does not say, and marks it."""
        self.unread += valid and not read
        return {"unread": True} if valid and not read else {}


def _model_of(path: Path, content: Mapping[str, Any]) -> str:
    """The model that a file is about: as it says itself, else by its name."""
    named = content.get("model_id") or content.get("model")
    match = _NAMED.match(path.stem)
    found = match["model"] if match else path.stem
    if isinstance(named, str) and named.strip():
        found = named.strip()
    check_names(path, found)
    return found


def _known(value: Any) -> bool:
    """Whether a file holds a value here: neither nothing nor what is not a number."""
    return value is not None and value == value


def _share_of(value: Any) -> float:
    """A number from 0 to 1; anything else is an error."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is not a number from 0 to 1")
    return float(value)


def _values_of(trials: Sequence[Trial], name: str) -> list[float]:
    """The different values that trials have under a name, sorted."""
    return sorted({float(trial[name]) for trial in trials})


def _most_asked(trials: Sequence[Trial], name: str = "repetitions") -> dict[str, int]:
    """How often a cell was asked at most, as a setting."""
    numbers = [int(trial["trial_number"]) for trial in trials if isinstance(trial.get("trial_number"), int)]
    return {name: max(numbers)} if numbers and max(numbers) > 0 else {}


def read_file(path: Path) -> list[TaskFile] | dict[str, Any]:
    """The tasks that a file tells about, none where it is of no known structure; or, of a file of published scores, its
    content. A file that cannot be read, or that is not as its structure demands, is refused with the reason."""
    try:
        content = parse_json(path.read_text(encoding="utf-8"), finite=False)
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
    """Indifference ratios by amount, one a delay. The first is that of no delay, which is no question. Where a list is
    shorter than the list of delays, its entries are those of the first ones."""
    delays, by_amount = content.get("labels"), content.get("datasets")
    if not isinstance(delays, list) or not isinstance(by_amount, dict):
        return
    ratios = {float(name.removeprefix("amount_")): values for name, values in by_amount.items()}
    grid = {"later": sorted(ratios), "delays": sorted(float(delay) for delay in delays if delay > 0), "fronts": [0.0]}
    file = TaskFile(_model_of(path, content), "time", path.name, {**grid, **_NO_DIAGNOSTICS})
    for later, values in ratios.items():
        for delay, ratio in zip(delays, values, strict=False):
            if delay > 0 and _known(ratio):
                days = round(delay * MONTH, 6)
                facts = {"later": later, "delay_months": float(delay), "front_months": 0.0, "days": days}
                file.point(f"later={later:g} delay={delay:g} front=0", facts, ratio)
    yield file


def _risk(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Every bisection step of every reference lottery. Option A is the reference, option B the lottery on the axis."""
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
        for taken in steps if axis else ():
            q = _share_of(taken["midpoint"])
            other = [0.0, 1 - q, q] if axis == "y" else [q, 1 - q, 0.0]
            answer = {"REF": "reference", "AXIS": "other"}.get(taken["choice"])
            letter = _LETTER.search(str(taken.get("response", "")))
            read = letter is not None and {"A": "reference", "B": "other"}[letter[1].upper()] == answer
            file.unread += answer is not None and not read
            file.add(
                "chooser",
                condition,
                {"reference": reference, "other": other, "outcomes": list(OUTCOMES)},
                answer,
                options=["reference", "other"],
                labels=["A", "B"],
                repetition=1,
                step=int(taken["iteration"]) + 1,
                detail={"axis": axis, "q": q, **({} if read else {"unread": True})},
            )
        value = None if axis is None else result["indifference_value"]
        file.point(condition, {"reference": reference}, value, axis=axis, answers=len(steps))
    longest = max(len(each.get("choice_history") or "_") for each in results)
    file.settings |= {"references": sorted(grid), "bisections": longest, **_NO_DIAGNOSTICS}
    yield file


def _social(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Every trial of dictator and ultimatum."""
    model = _model_of(path, content)
    givers, proposers = content.get("dictator_proposer") or (), content.get("ultimatum_proposer") or ()
    responders = content.get("ultimatum_responder") or ()
    dictator = TaskFile(
        model, "dictator", path.name, {"pots": _values_of(givers, "pool_amount"), **_most_asked(givers)}
    )
    for trial in givers:
        pot = float(trial["pool_amount"])
        dictator.amount("giver", f"pot={pot:g}", {"pot": pot, "unit": 0.01}, trial, "offer_amount", pot)
    yield dictator
    offers = sorted({round(float(trial["offer_amount"]) / trial["pool_amount"], 6) for trial in responders})
    pots = _values_of([*proposers, *responders], "pool_amount")
    settings = {"pots": pots, **({"offers": offers} if offers else {}), **_most_asked(proposers)}
    ultimatum = TaskFile(model, "ultimatum", path.name, settings | _most_asked(responders, "responses"))
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
    everybody = [*senders, *returners]
    shares = sorted({round(trial["sent_amount"] / trial["endowment"], 6) for trial in returners})
    settings = {
        "endowments": _values_of(everybody, "endowment"),
        **({"sent": shares} if shares else {}),
        **_most_asked(senders),
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
    """The game of a file with one list of trials, if it is one that is known."""
    trials = content.get("trials")
    if not isinstance(trials, list) or not trials or not isinstance(trials[0], dict):
        return
    for game in _GAMES:
        if game.names <= set(trials[0]):
            grid = {setting: _values_of(trials, name) for setting, name in game.grid.items()}
            settings = {**game.bounds(trials[0]), **grid, **_most_asked(trials)}
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
    facts = {"players": PLAYERS, "p": PART, "low": 0, "high": 100, "prize": prize}
    file.amount("guesser", f"prize={prize:g}", facts, trial, "decision", 100)


def _centipede(file: TaskFile, trial: Trial) -> None:
    node, scale = int(trial["current_turn"]), float(trial["magnitude"])
    payoffs = [[round(one * scale, 10) for one in piles] for piles in PAYOFFS]
    told = [float(trial["take_payoff_you"]), float(trial["take_payoff_them"])]
    if not 1 <= node <= len(payoffs) or told != payoffs[node - 1]:
        raise ValueError(f"node {node} does not pay {told[0]:g} and {told[1]:g} at scale {scale:g}")
    facts = {"node": node, "payoffs": payoffs, "end": [round(one * scale, 10) for one in END], "scale": scale}
    file.choice("mover", f"node={node} scale={scale:g}", facts, trial, {"TAKE": "take", "PASS": "pass"})


def _traveller(file: TaskFile, trial: Trial) -> None:
    scale = float(trial["magnitude"])
    low, high, bonus = (float(trial[name]) for name in ("low", "high", "bonus"))
    facts = {"low": low, "high": high, "bonus": bonus, "step": scale, "scale": scale}
    file.amount("claimant", f"bonus={bonus / scale:g} scale={scale:g}", facts, trial, "decision", high)


def _bounds(first: Trial) -> dict[str, Any]:
    """The bounds at scale 1, which are the same at all scales."""
    return {name: first[name] / first["magnitude"] for name in ("low", "high", "bonus")} | {"other_bonuses": []}


class _Game(NamedTuple):
    """A game whose trials stand in one list."""

    task: str
    names: frozenset[str]
    """What its trials hold that no other's do."""
    grid: Mapping[str, str]
    """Settings of our rules, each with the name under which trials have its values."""
    enter: Callable[[TaskFile, Trial], None]
    bounds: Callable[[Trial], dict[str, Any]] = lambda first: {}
    """Settings that are the same in all trials."""


_STAG = {"stags": "payoff", "hares": "x_multiplier"}
_NODES = {"nodes": "current_turn", "scales": "magnitude"}
_GAMES = (
    _Game("stag_hunt", frozenset({"payoff", "x_multiplier", "decision"}), _STAG, _stag),
    _Game("centipede", frozenset({"current_turn", "take_payoff_you", "decision"}), _NODES, _centipede),
    _Game("traveller", frozenset({"low", "high", "bonus", "decision"}), {"scales": "magnitude"}, _traveller, _bounds),
    _Game("beauty_contest", frozenset({"prize", "decision"}), {"prizes": "prize"}, _beauty),
)


_READERS: tuple[Callable[[Path, Mapping[str, Any]], Iterator[TaskFile]], ...] = (_time, _risk, _social, _trust, _games)
