"""Logs and results that are not what their formats say: importers skip them, name them and import the others. Valid
files are changed at one place each, by a seed; the long form changes many."""

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ostrom.core import InputError
from ostrom.importers import econbench, pgg_bench
from ostrom.journal.sql import Journal

VALUES: tuple[Any, ...] = (
    *(10**400, -(10**400), 2**63, 2**64 + 1, -1, 1e308, 0.5, 99_999_999, float("nan"), float("inf"), True),
    *("", None, [], {}, [None], ["x"], "9" * 5000, [[[[1]]]], {"a": [{"b": []}]}, {"type": "init"}),
    *("x\ud800", "a\0b", "a\u2028b", "\x1b]52;c;eA==\x07"),
)
"""Values for any place of a document."""
PIECES = ("\0", "\u2028", "[" * 100_000, "Infinity", "NaN", "9" * 5000, "1e999", "{", '"', "\ufeff", "\r")
"""Strings to insert into a text."""
KEPT = 3
"""Files per folder; one of them is changed."""


def log(number: int = 1, said: str = "all in") -> str:
    """One round of three players, as PGG-Bench writes it."""
    players = {f"Player{seat}_Game{number}_m{seat}": {"model_name": f"m{seat}"} for seat in (1, 2, 3)}
    settings = {"total_rounds": 1, "starting_amount": 20, "multiplier": 1.5, "enable_punishments": False}
    first, second, third = players
    rows: list[dict[str, Any]] = [
        {"type": "init", "game_id": number, "settings": settings, "short_name_map": players},
        {"type": "public_message", "round": 1, "player_id": first, "message": said},
        {"type": "public_message", "round": 1, "player_id": second, "message": "no"},
        {"type": "public_message", "round": 1, "player_id": third, "message": ""},
        {"type": "contribution", "round": 1, "player_id": first, "contribution": 4, "current_tokens": 16},
        {"type": "contribution", "round": 1, "player_id": second, "contribution": 0, "current_tokens": 20},
        {"type": "contribution", "round": 1, "player_id": third, "contribution": 0, "current_tokens": 20},
        {
            "type": "fund_distribution",
            **{"round": 1, "carry_in_fund": 0, "pot_before_mult": 4, "pot_after_mult": 6},
            **{"share_per_player": 2, "leftover_fund": 0},
        },
        {"type": "round_end", "round": 1, "balances": {"m1": 18, "m2": 22, "m3": 22}},
        {"type": "final", "final_tokens": {"m1": 18, "m2": 22, "m3": 22}},
    ]
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def results() -> Iterator[dict[str, Any]]:
    """Result files of EconBench, one of each structure."""
    yield {"model": "m", "labels": [0, 1, 12], "datasets": {"amount_100": [1, 0.9, 0.5]}}
    step = {"midpoint": 0.5, "choice": "REF", "response": "A", "iteration": 0}
    point = {"p_L": 0.25, "p_H": 0.25}
    risk = {"reference_point": point, "axis": "y", "choice_history": [step], "indifference_value": 0.4}
    yield {"model": "m", "results": [risk]}
    offer = {"pool_amount": 100, "offer_amount": 40, "trial_number": 1, "raw_response": "40"}
    yield {"model": "m", "dictator_proposer": [offer], "ultimatum_responder": [{**offer, "decision": "ACCEPT"}]}
    trust = {"endowment": 10, "multiplier": 3, "amount_sent": 5, "raw_response": "5"}
    yield {"model": "m", "sender_trials": [trust]}
    yield {"model": "m", "trials": [{"payoff": 10, "x_multiplier": 0.5, "decision": "A"}]}
    yield {"model": "m", "trials": [{"prize": 100, "decision": 33}]}
    yield {"model": "m", "metrics": {"patience": {"discount_factor": 0.9}, "altruism": {"mean_offer": 30}}}


def paths(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every place within a document."""
    if place:
        yield place
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from paths(entry, (*place, key))


def changed(document: Any, draw: random.Random) -> Any:
    """Return the document with one value replaced or removed."""
    result = copy.deepcopy(document)
    *way, last = draw.choice(list(paths(result)))
    holder = result
    for key in way:
        holder = holder[key]
    if draw.random() < 0.1:
        del holder[last]
    else:
        holder[last] = draw.choice(VALUES)
    return result


def torn(text: str, draw: random.Random) -> str:
    """Return the text with a string inserted or characters removed at one place."""
    place = draw.randrange(len(text))
    return text[:place] + draw.choice(PIECES) + text[place + draw.choice((0, 1, 40)) :]


def hostile_log(draw: random.Random) -> str:
    rows = [json.loads(line) for line in log().split("\n")]
    row = draw.randrange(len(rows))
    rows[row] = changed(rows[row], draw)
    text = "\n".join(json.dumps(row) for row in rows)
    return torn(text, draw) if draw.random() < 0.3 else text


def hostile_result(draw: random.Random) -> str:
    text = json.dumps(changed(draw.choice(list(results())), draw))
    return torn(text, draw) if draw.random() < 0.3 else text


def import_one_hostile(number: int, folder: Path, journal: Journal) -> int:
    """Import two folders with one hostile file each and return the number of skipped files. Reports must be valid
    JSON."""
    draw = random.Random(number)
    logs, files = folder / f"logs-{number}", folder / f"results-{number}"
    logs.mkdir()
    files.mkdir()
    for place in range(1, KEPT):
        (logs / f"{place}.jsonl").write_text(log(place + 1))
    (logs / "0.jsonl").write_bytes(hostile_log(draw).encode("utf-8", "surrogatepass"))
    found = pgg_bench.import_logs(pgg_bench.logs_in(logs), journal, name=f"logs {number}")
    assert found.new >= KEPT - 1, "the others are imported"
    skipped = [*found.unreadable, *(one.file for one in found.mismatches)]
    assert found.new + len(skipped) == KEPT
    assert all(line.startswith("0.jsonl") for line in skipped), skipped
    for place, content in enumerate(results()):
        (files / f"{place + 1}.json").write_text(json.dumps({**content, "model": f"m{place}"}))
    (files / "0.json").write_bytes(hostile_result(draw).encode("utf-8", "surrogatepass"))
    report = econbench.import_results(
        *econbench.read_results(econbench.results_in(files)), journal, name=f"results {number}"
    )
    assert report.new >= 7
    assert all(line.startswith("0.json") for line in [*report.unreadable, *report.ignored]), report
    told = json.dumps([asdict(found), asdict(report)], allow_nan=False)
    assert all("\n" not in line for line in [*found.unreadable, *report.unreadable]), told
    return len(skipped) + len(report.unreadable) + len(report.ignored)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}", create=True) as opened:
        yield opened


@pytest.mark.slow
def test_importers_skip_and_name_unreadable_files(tmp_path: Path, journal: Journal) -> None:
    assert sum(import_one_hostile(number, tmp_path, journal) for number in range(15)) > 5


@pytest.mark.long
def test_importers_survive_many_changes(tmp_path: Path, journal: Journal) -> None:
    for number in range(1000, 3000):
        import_one_hostile(number, tmp_path, journal)


def test_separators_of_lines_within_a_message_are_part_of_it(tmp_path: Path, journal: Journal) -> None:
    said = "one\u2028two\u2029three\x85four\x1dfive"
    (tmp_path / "a.jsonl").write_text(log(said=said), encoding="utf-8")
    found = pgg_bench.import_logs(pgg_bench.logs_in(tmp_path), journal)
    assert (found.new, found.unreadable) == (1, [])
    answers = journal.record(journal.games()[0].id).answers
    assert [one.value for one in answers if one.phase == "message"] == [said, "no", ""]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[" * 100_000, "nested"),
        ('{"model": ' + "9" * 5000 + "}", "digits"),
        (f'{{"model": {10**400}}}', "beyond 2^64"),
        ("\0\0\0", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_a_folder_without_a_usable_file_is_refused_with_the_reason(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(InputError, match=says.replace("^", r"\^")):
        econbench.read_results(econbench.results_in(tmp_path))
