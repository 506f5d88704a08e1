"""Alsobay, Rand, Watts and Almaatouq 2025: repeated public goods with 14 varied parameters, in the form of Psych-201.
A row is a person's round. The words of the chat are not in the data."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.core import RecordError
from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    in_figures,
    mean_of,
    read_people,
)
from ostrom.importers.studies.split import part_of, rule_sentence

NAME: Final = "alsobay-2025"
ENDOWMENT: Final = 20
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
        "contribution": own,
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


def figures_of(table: pl.DataFrame) -> list[StudyFigure]:
    """Return counts, and means of contributions, of punishment and of reward."""
    given = table["contribution"]
    free = table.filter(~pl.col("all_or_nothing"))["contribution"]
    figures = [
        StudyFigure("people who contributed", table["person"].n_unique()),
        StudyFigure("games", table["game"].n_unique()),
        StudyFigure("designs", table["design"].n_unique()),
        StudyFigure("contributions", table.height),
        mean_of("mean contribution", given),
        mean_of("contributed nothing", given == 0),
        mean_of("contributed everything", given == ENDOWMENT),
        mean_of("any amount: contributed nothing", free == 0),
        mean_of("any amount: contributed everything", free == ENDOWMENT),
    ]
    figures += [
        mean_of(f"mean contribution in round {number}", table.filter(pl.col("round") == number)["contribution"])
        for number in (1, 2, 3, 5, 10, 15, 20)
    ]
    shares = table.group_by("person", "game").agg(
        pl.col("contribution").mean() / ENDOWMENT,
        *(pl.col(name).first() for name in _ARMS.values()),
    )
    for words, column in _ARMS.items():
        for state, on in (("without", False), ("with", True)):
            figures.append(
                mean_of(f"people's mean share {state} {words}", shares.filter(pl.col(column) == on)["contribution"])
            )
    punished = table.filter("punishment")
    rewarded = table.filter("reward")
    figures += [
        mean_of("punishment: seat-rounds with one", punished["deducted"] > 0),
        mean_of("punishment: spent", punished["deducted"] / punished["punish_loss"] * punished["punish_cost"]),
        mean_of("punishment: lost", punished["suffered"]),
        mean_of("reward: seat-rounds with one", rewarded["rewarded"] > 0),
        mean_of("reward: spent", rewarded["rewarded"] / rewarded["reward_gain"] * rewarded["reward_cost"]),
        mean_of("reward: received", rewarded["received"]),
    ]
    return figures


_ARMS: Final[Mapping[str, str]] = {
    "punishment": "punishment",
    "chat": "chat",
    "reward": "reward",
    "all-or-nothing": "all_or_nothing",
    "opt-out": "opt_out",
    "a known horizon": "horizon",
    "peers' outcomes": "outcomes",
}
STUDY: Final = PublishedStudy(
    NAME,
    "Repeated public goods of 14 parameters",
    "Alsobay, Rand, Watts and Almaatouq 2025, in the form of Psych-201",
    "Apache-2.0 for the repository of Psych-201; the study's own archive has its own terms",
    read,
)
