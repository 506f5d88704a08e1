"""The result files of EconBench, known by their structure: what a file holds tells which task it is, whatever its name.
Read here into the items and points of our tasks; records are made elsewhere.

What a file does not tell is as in the benchmark's protocol: the order in which options stood, the length of a month."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ostrom.core import RecordError
from ostrom.games.battery.events import SequenceEnded
from ostrom.games.battery.risk import OUTCOMES
from ostrom.importers.econbench_games import games_of
from ostrom.importers.econbench_trials import (
    TaskFile,
    enter_amount,
    enter_choice,
    known,
    model_of,
    most_asked,
    share_of,
    values_of,
)

MONTH = 30.42
"""Days."""
_TWELFTHS = 12
_LETTER = re.compile(r"(?:^|answer|result)\W*(?:option\W*)?([AB])\W*$", re.IGNORECASE)


def read_file(path: Path) -> list[TaskFile] | dict[str, Any]:
    """The tasks that a file tells about, none where it is of no known structure; or, of a file of published scores, its
    content. A file that cannot be read, or that is not as its structure demands, is refused with the reason."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RecordError(f"{path.name}: cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        return []
    if isinstance(content.get("metrics"), dict) and isinstance(content.get("model"), str):
        return content
    try:
        return [file for reader in _READERS for file in reader(path, content) if file.items or file.sequences]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
        raise RecordError(f"{path.name}: not as its kind of file should be: {what}") from error


def _time(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Indifference ratios by amount, one a delay. The first is that of no delay, which is no question. Where a list is
    shorter than the list of delays, its entries are those of the first ones."""
    delays, by_amount = content.get("labels"), content.get("datasets")
    if not isinstance(delays, list) or not isinstance(by_amount, dict):
        return
    ratios = {float(name.removeprefix("amount_")): values for name, values in by_amount.items()}
    grid = {"later": sorted(ratios), "delays": sorted(float(delay) for delay in delays if delay > 0), "fronts": [0.0]}
    file = TaskFile(model_of(path, content), "time", path.name, {**grid, **_no_diagnostics(1)})
    for later, values in ratios.items():
        for delay, ratio in zip(delays, values, strict=False):
            if delay > 0 and known(ratio):
                days = round(delay * MONTH, 6)
                facts = {"later": later, "delay_months": float(delay), "front_months": 0.0, "days": days}
                file.sequences.append(
                    SequenceEnded(
                        task="time",
                        condition=f"later={later:g} delay={delay:g} front=0",
                        purpose="score",
                        facts=facts,
                        outcome="point",
                        value=share_of(ratio),
                        answers=0,
                    )
                )
    yield file


def _risk(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Every bisection step of every reference lottery. Option A is the reference, option B the lottery on the axis."""
    results = content.get("results")
    if not isinstance(results, list) or not results or "reference_point" not in results[0]:
        return
    file = TaskFile(model_of(path, content), "risk", path.name, {})
    grid: list[list[int]] = []
    for result in results:
        point, axis, steps = result["reference_point"], result["axis"], result.get("choice_history") or ()
        axis = None if axis is None else str(axis).lower()
        if axis not in ("x", "y", None):
            raise ValueError(f"there is no axis {result['axis']!r}")
        reference = [float(point["p_L"]), 1 - point["p_L"] - point["p_H"], float(point["p_H"])]
        parts = [round(part * _TWELFTHS) for part in reference]
        condition = "reference=" + ",".join(f"{part}/{_TWELFTHS}" for part in parts)
        grid.append(parts)
        for taken in steps if axis else ():
            q = share_of(taken["midpoint"])
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
                options=("reference", "other"),
                labels=("A", "B"),
                repetition=1,
                step=int(taken["iteration"]) + 1,
                detail={"axis": axis, "q": q, **({} if read else {"unread": True})},
            )
        found = axis is not None and known(result["indifference_value"])
        file.sequences.append(
            SequenceEnded(
                task="risk",
                condition=condition,
                purpose="score",
                facts={"reference": reference},
                outcome="point" if found else "invalid",
                value=share_of(result["indifference_value"]) if found else None,
                axis=axis,
                answers=len(steps),
                reason=None if found else "the file holds no point",
            )
        )
    file.settings |= {
        "references": sorted(grid),
        "bisections": max(len(each.get("choice_history") or "_") for each in results),
    }
    file.settings |= _no_diagnostics(1)
    yield file


def _social(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    """Every trial of dictator and ultimatum."""
    model = model_of(path, content)
    givers, proposers = content.get("dictator_proposer") or (), content.get("ultimatum_proposer") or ()
    responders = content.get("ultimatum_responder") or ()
    dictator = TaskFile(model, "dictator", path.name, {"pots": values_of(givers, "pool_amount"), **most_asked(givers)})
    for trial in givers:
        pot = float(trial["pool_amount"])
        enter_amount(dictator, "giver", f"pot={pot:g}", {"pot": pot, "unit": 0.01}, trial, trial["offer_amount"], pot)
    yield dictator
    offers = sorted({round(float(trial["offer_amount"]) / trial["pool_amount"], 6) for trial in responders})
    pots = values_of([*proposers, *responders], "pool_amount")
    settings = {"pots": pots, **({"offers": offers} if offers else {}), **most_asked(proposers)}
    ultimatum = TaskFile(model, "ultimatum", path.name, settings | most_asked(responders, "responses"))
    for trial in proposers:
        pot = float(trial["pool_amount"])
        enter_amount(ultimatum, "proposer", f"pot={pot:g}", {"pot": pot}, trial, trial["offer_amount"], pot)
    for trial in responders:
        pot, offer = float(trial["pool_amount"]), float(trial["offer_amount"])
        condition = f"pot={pot:g} offer={100 * offer / pot:.6g}%"
        choices = {"ACCEPT": "accept", "REJECT": "reject"}
        enter_choice(ultimatum, "responder", condition, {"pot": pot, "offer": offer}, trial, choices)
    yield ultimatum


def _trust(path: Path, content: Mapping[str, Any]) -> Iterator[TaskFile]:
    senders, returners = content.get("sender_trials") or (), content.get("receiver_trials") or ()
    everybody = [*senders, *returners]
    shares = sorted({round(trial["sent_amount"] / trial["endowment"], 6) for trial in returners})
    settings = {
        "endowments": values_of(everybody, "endowment"),
        **({"sent": shares} if shares else {}),
        **most_asked(senders),
    }
    file = TaskFile(model_of(path, content), "trust", path.name, settings)
    for trial in senders:
        stake = float(trial["endowment"])
        facts = {"endowment": stake, "multiplier": float(trial["multiplier"])}
        enter_amount(file, "sender", f"endowment={stake:g}", facts, trial, trial["amount_sent"], stake)
    for trial in returners:
        stake, sent, received = (float(trial[name]) for name in ("endowment", "sent_amount", "received_amount"))
        facts = {"endowment": stake, "multiplier": float(trial["multiplier"]), "sent": sent, "received": received}
        condition = f"endowment={stake:g} sent={100 * sent / stake:.6g}%"
        enter_amount(file, "returner", condition, facts, trial, trial["amount_returned"], received)
    yield file


_READERS: tuple[Callable[[Path, Mapping[str, Any]], Iterator[TaskFile]], ...] = (
    _time,
    _risk,
    _social,
    _trust,
    games_of,
)


def _no_diagnostics(askings: int) -> dict[str, Any]:
    return {"askings": askings, "retest": 0.0, "reversals": 0, "dominance": 0, "triples": 0}
