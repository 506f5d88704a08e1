"""Alsobay, Rand, Watts and Almaatouq 2025: repeated public goods with 14 varied parameters, in the form of Psych-201.
A row is a person's round. The words of the chat are not in the data."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.core import RecordError
from ostrom.importers.studies.alsobay_figures import figures_of
from ostrom.importers.studies.alsobay_games import replay_games
from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    in_figures,
    read_people,
)
from ostrom.importers.studies.split import part_of, rule_sentence

NAME: Final = "alsobay-2025"
_START: Final = "# GAME STARTS"
_ARM: Final = "After seeing each player's contributions, players can impose deductions"
_SEATS: Final = re.compile(r"group of (\d+) players")
_MULTIPLIER: Final = re.compile(r"money multiplier of ([\d.]+)\.")
_DEDUCTION: Final = re.compile(
    r"Per unit deduction, the punisher spends (\d+) coins?, causing .*? to lose (\d+) coins?"
)
_REWARD: Final = re.compile(r"Per unit reward, the rewarder spends (\d+) coins? and grants (\d+) coins?")
_ROUND: Final = re.compile(r"^## Round (\d+)(?: of (\d+))?:$")
_OWN: Final = re.compile(r"^You contributed <<(\d+) coins?>>\.$")
_OTHER: Final = re.compile(r"^(?!You )(.+?) contributed (\d+) coins?\.$")
_DEDUCTED: Final = re.compile(r"^You <<deducted (\d+) coins? from (.+)>>\.$")
_REWARDED: Final = re.compile(r"^You <<rewarded (.+), granting them (\d+) coins?>>\.$")
_SUFFERED: Final = re.compile(r"(\d+) coins? deducted by other players")
_RECEIVED: Final = re.compile(r"(\d+) coins? rewarded other players")
_ACTOR: Final = re.compile(r"^(?!You)(.+?) (?:deducted \d+ coins? from you|rewarded you, granting you \d+ coins?)\.$")
_PAYOFF: Final = re.compile(r"Total round gains/losses are ([+-]?\d+) coins?")


def read(folder: Path, whole: bool) -> StudyReading:
    """Return the rounds of people, and the counts and means of contributions and points."""
    path = find_file(folder, ("alsobay2025publicGoodsGame/prompts.jsonl.zip", "prompts.jsonl.zip", "prompts.jsonl"))
    rows: list[dict[str, Any]] = []
    people: list[tuple[str, str, str]] = []
    for line in read_people(path):
        header, start, body = line["text"].partition(_START)
        if not start:
            raise RecordError(f"{path.name}: participant {line['participant']}: there is no line {_START!r}")
        names = {"person": str(line["participant"]), "game": str(line["experiment"])}
        design = _design_of(path, header)
        people.append((names["person"], names["game"], design["design"]))
        rows += [{**names, **design, **round_} for round_ in _rounds(body)]
    table = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        rounds=pl.col("round").max().over("game"),
        horizon=pl.col("horizon").max().over("game"),
        outcomes=pl.col("outcomes").max().over("game"),
        actors=pl.col("actors").max().over("game"),
    )
    present = pl.DataFrame(people, schema=["person", "game", "design"], orient="row")
    parts = {design: part_of(f"alsobay2025:{design}") for design in present["design"].unique()}
    part = pl.col("design").replace_strict(parts, return_dtype=pl.String)
    table, present = table.with_columns(part=part), present.with_columns(part=part)
    figures = [
        StudyFigure("people", in_figures(present, whole=whole).height),
        *figures_of(in_figures(table, whole=whole)),
    ]
    rule = rule_sentence("'alsobay2025:' and the text of the design without its line on deductions")
    return StudyReading({"rounds": table, "people": present}, figures, rule)


def _design_of(path: Path, header: str) -> dict[str, Any]:
    """Return the parameters of a design that its text states. Both arms of a design, with and without punishment, have
    the same text in the column `design`."""
    header = header.strip()
    design = "\n".join(line for line in header.split("\n") if not line.startswith(_ARM)).strip()
    seats, multiplier = _SEATS.search(header), _MULTIPLIER.search(header)
    if seats is None or multiplier is None:
        raise RecordError(f"{path.name}: a design states no number of players or no multiplier")
    deduction, reward = _DEDUCTION.search(header), _REWARD.search(header)
    return {
        "design": design,
        "seats": int(seats[1]),
        "multiplier": float(multiplier[1]),
        "opt_out": "in the public fund and can choose to withdraw" in header,
        "all_or_nothing": "either contribute all" in header,
        "chat": "You cannot communicate" not in header,
        "punishment": deduction is not None,
        "punish_cost": None if deduction is None else int(deduction[1]),
        "punish_loss": None if deduction is None else int(deduction[2]),
        "reward": reward is not None,
        "reward_cost": None if reward is None else int(reward[1]),
        "reward_gain": None if reward is None else int(reward[2]),
    }


def _rounds(body: str) -> Iterator[dict[str, Any]]:
    """Yield the rounds in which a person contributed."""
    block: list[str] = []
    for line in [*body.split("\n"), "## Round 0:"]:
        if _ROUND.match(line):
            if block and (row := _round(block)) is not None:
                yield row
            block = [line]
        elif block:
            block.append(line)


def _round(block: list[str]) -> dict[str, Any] | None:
    head = _ROUND.match(block[0])
    own = next((int(match[1]) for line in block if (match := _OWN.match(line))), None)
    if head is None or own is None:
        return None
    others = {match[1]: int(match[2]) for line in block if (match := _OTHER.match(line))}
    summary = next((line for line in block if line.startswith("You: ")), "")
    deducted = [match for line in block if (match := _DEDUCTED.match(line))]
    rewarded = [match for line in block if (match := _REWARDED.match(line))]
    payoff = _PAYOFF.search(summary)
    return {
        "round": int(head[1]),
        "horizon": head[2] is not None,
        "outcomes": any("Total round gains/losses" in line and not line.startswith("You: ") for line in block),
        "actors": _actors(block, summary),
        "contribution": own,
        "names": list(others),
        "others": list(others.values()),
        "deducted_from": _by_seat(others, ((match[2], match[1]) for match in deducted)),
        "rewarded_to": _by_seat(others, ((match[1], match[2]) for match in rewarded)),
        "deducted": sum(int(match[1]) for match in deducted),
        "targets": len(deducted),
        "rewarded": sum(int(match[2]) for match in rewarded),
        "suffered": _coins(_SUFFERED, summary),
        "received": _coins(_RECEIVED, summary),
        "payoff": None if payoff is None else int(payoff[1]),
    }


def _actors(block: list[str], summary: str) -> bool | None:
    """Return whether a round shows who assigned points to the person; None if there were no points."""
    if any(_ACTOR.match(line) for line in block):
        return True
    return False if _coins(_SUFFERED, summary) or _coins(_RECEIVED, summary) else None


def _by_seat(others: Mapping[str, int], acts: Iterable[tuple[str, str]]) -> list[int]:
    """Return the coins that a person took from, or granted to, each of the others, in their order."""
    coins = dict.fromkeys(others, 0)
    for name, amount in acts:
        if name in coins:
            coins[name] += int(amount)
    return list(coins.values())


def _coins(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return 0 if match is None else int(match[1])


def read_with_games(folder: Path, whole: bool) -> StudyReading:
    """Return the rounds of people, the figures, and the replayed games."""
    reading = read(folder, whole)
    table = in_figures(reading.tables["rounds"], whole=whole)
    replays = replay_games(table, "prompts.jsonl")
    reading.games, reading.mismatches = replays.games, replays.mismatches
    reading.figures += [
        StudyFigure("rounds of people compared with the rules", replays.rounds),
        StudyFigure("rounds of people replayed", replays.replayed),
        StudyFigure("rounds in which those who left count", replays.counted),
        StudyFigure("rounds in which those who left do not count", replays.uncounted),
    ]
    reading.notes += [
        "A game is stored if every payoff is that of the rules. Those who left in a round count in it or not, by what "
        "the payoffs of the round say.",
        "The words of the chat are not in the data: in stored games with chat, every message is empty. If there "
        "are no points in a game, the data do not show whether names of givers were shown; stored games then do not.",
    ]
    return reading


STUDY: Final = PublishedStudy(
    NAME,
    "Repeated public goods of 14 parameters",
    "Alsobay, Rand, Watts and Almaatouq 2025, in the form of Psych-201",
    "Apache-2.0 for the repository of Psych-201; the study's own archive has its own terms",
    read_with_games,
)
TABLES: Final = replace(STUDY, read=read)
"""The study without the replay of its games, which takes a minute."""
