"""The arithmetic of voluntary contributions on the rounds of people in a published study, to the unit."""

import csv
import json
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from foreign_data import foreign
from ostrom.games.contributions import ContributionsRules
from ostrom.games.contributions.rules import income_of, payoffs_of

pytestmark = pytest.mark.slow

HEADER = re.compile(r"money multiplier of ([\d.]+)\.")
DEDUCTION = re.compile(
    r"Per unit deduction, the punisher spends (\d+) coins?, causing the punished player to lose (\d+)"
)
REWARD = re.compile(r"Per unit reward, the rewarder spends (\d+) coins? and grants (\d+) coins?")


class PersonRound(NamedTuple):
    """A round as one person's text has it. Amounts of points are in coins lost or granted."""

    own: int
    others: dict[str, int]
    deducts: int
    deducted: int
    rewards: int
    rewarded: int
    payoff: int


def coins(pattern: str, text: str) -> list[int]:
    return [int(amount) for amount in re.findall(pattern, text)]


def rounds_in(text: str) -> Iterator[PersonRound]:
    """The rounds of a person, up to the one in which it left."""
    for part in re.split(r"^## Round \d+", text, flags=re.M)[1:]:
        own = coins(r"You contributed <<(\d+) coins?>>", part)
        payoff = coins(r"(?m)^You: .*?Total round gains/losses are ([+-]?\d+) coins?", part)
        if not own or not payoff:
            continue
        summary = next(line for line in part.splitlines() if line.startswith("You: "))
        yield PersonRound(
            own[0],
            {name: int(amount) for name, amount in re.findall(r"(?m)^(?!You )(.+?) contributed (\d+) coins?\.", part)},
            # What one spends is in the text of each act; what one receives is in the summary.
            sum(coins(r"deducted (\d+) coins? from (?!you)", "".join(re.findall(r"You <<(.*?)>>", part)))),
            sum(coins(r"(\d+) coins? deducted by other players", summary)),
            sum(coins(r"granting them (\d+) coins?", "".join(re.findall(r"You <<(.*?)>>", part)))),
            sum(coins(r"(\d+) coins? rewarded other players", summary)),
            payoff[0],
        )


@cache
def rules_of(header: str) -> ContributionsRules:
    deduction, reward = DEDUCTION.search(header), REWARD.search(header)
    settings: dict[str, object] = {"multiplier": float(HEADER.search(header)[1])}
    if deduction:
        settings |= {"punishment": True, "punish_cost": int(deduction[1]), "punish_loss": int(deduction[2])}
    if reward:
        settings |= {"reward": True, "reward_cost": int(reward[1]), "reward_gain": int(reward[2])}
    return ContributionsRules(preset="alsobay-2025", **settings)


def payoff(rules: ContributionsRules, row: PersonRound, without: set[str]) -> float:
    """The payoff by the rules of the game, without the contributions of these others."""
    contributions = [row.own, *(given for name, given in row.others.items() if name not in without)]
    column = np.asarray(contributions, dtype=float)[:, None]
    income = income_of(column, column >= 0, rules).income[:1]
    deducts, deducted = row.deducts / rules.punish_loss, row.deducted / rules.punish_loss
    rewards, rewarded = row.rewards / rules.reward_gain, row.rewarded / rules.reward_gain
    assert all(float(points).is_integer() for points in (deducts, deducted, rewards, rewarded))
    spent = deducts * rules.punish_cost + rewards * rules.reward_cost
    one = np.ones((1, 1))
    return float(payoffs_of(income, spent * one, deducted * one, rewarded * one, rules)[0, 0])


def test_the_rounds_of_people_have_their_published_payoffs() -> None:
    folder = foreign("people") / "alsobay2025publicGoodsGame"
    rows = replayed = 0
    with zipfile.ZipFile(folder / "prompts.jsonl.zip") as archive, archive.open("prompts.jsonl") as lines:
        for line in lines:
            header, _, text = json.loads(line)["text"].partition("# GAME STARTS")
            rules = rules_of(header.strip())
            played = list(rounds_in(text))
            for place, row in enumerate(played):
                later = played[place + 1].others if place + 1 < len(played) else row.others
                left = set(row.others) - set(later)
                rows += 1
                # The text does not say whether a seat that leaves in a round counts in it.
                replayed += any(payoff(rules, row, without) == row.payoff for without in ((set(), left)))
    # For the other 97 rows, a person's own text does not say who left, or the source is inconsistent.
    assert (rows, replayed) == (45_996, 45_899)


def test_the_profits_of_a_study_without_points_come_out() -> None:
    with (foreign("humans") / "fg2010.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    groups: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault((row["session"], row["group"], row["period"]), []).append(row)
    rules = ContributionsRules(preset="fischbacher-gaechter-2010")
    assert {len(group) for group in groups.values()} == {4}
    replayed = 0
    for group in groups.values():
        contributions = np.asarray([[float(row["cont"])] for row in group])
        incomes = income_of(contributions, contributions >= 0, rules).income[:, 0]
        replayed += sum(abs(income - float(row["profit"])) < 1e-9 for income, row in zip(incomes, group, strict=True))
    assert replayed == len(rows) == 1_400
