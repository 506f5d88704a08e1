"""The games of Alsobay and others 2025, replayed by the rules of voluntary contributions. A text names everybody but
its own person, so the seats of a game are found by comparing its texts. Those who leave a round after it began count in
it or not; the texts do not say which, so both are tried."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from ostrom.core import RecordError
from ostrom.core.errors import PlayerFault
from ostrom.games.contributions.events import RoundPaid
from ostrom.games.contributions.play import CONTRIBUTION, MESSAGE, POINTS
from ostrom.games.contributions.points import LEAVE, STAY, points_field
from ostrom.games.contributions.rules import DEDUCT, REWARD
from ostrom.importers.studies.groups import replay_group
from ostrom.importers.studies.published import ReplayedGame

PRESET: Final = "alsobay-2025"
_CENT: Final = 1e-9


@dataclass(eq=False)
class GroupOfTexts:
    """A game, put together from the texts of its people. Names are those of the avatars."""

    key: str
    settings: dict[str, Any]
    people: dict[str, str]
    """The person behind each name, in the order of the seats. Those who left in the first round are unknown."""
    turns: dict[tuple[int, str], Mapping[str, Any]]
    """The round of a name as its own text has it."""
    listed: dict[tuple[int, str], int]
    """The contributions that only the texts of others have: of those who left in the round."""
    rounds: int

    @property
    def names(self) -> list[str]:
        return list(self.people)

    def playing(self, round_: int) -> list[str]:
        """Return the names with an own text of a round."""
        return [name for name in self.people if (round_, name) in self.turns]


@dataclass(eq=False)
class AlsobayReplays:
    """The replays of all games."""

    games: list[ReplayedGame] = field(default_factory=list)
    mismatches: list[str] = field(default_factory=list)
    rounds: int = 0
    """The number of rounds of people that were compared."""
    replayed: int = 0
    """The number of rounds of people whose payoffs come out."""
    counted: int = 0
    """The number of rounds in which those who left count."""
    uncounted: int = 0
    """The number of rounds in which they do not."""


def replay_games(table: pl.DataFrame, source: str) -> AlsobayReplays:
    """Return the replays of the games of a table of rounds."""
    replays = AlsobayReplays()
    for (key,), rows in table.group_by("game", maintain_order=True):
        try:
            group = group_of(str(key), rows.to_dicts())
        except RecordError as error:
            replays.rounds += rows.height
            replays.mismatches.append(str(error))
            continue
        _replay(group, source, replays)
    return replays


def group_of(key: str, rows: Sequence[Mapping[str, Any]]) -> GroupOfTexts:
    """Return the game of these rounds. Raise RecordError if a person's name cannot be determined."""
    by_person: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_person.setdefault(row["person"], []).append(row)
    seen = {person: {name for row in own for name in row["names"]} for person, own in by_person.items()}
    names = set().union(*seen.values())
    people: dict[str, str] = {}
    for person, others in seen.items():
        own = names - others
        if len(own) != 1:
            raise RecordError(f"game {key}: the name of person {person} cannot be determined")
        people[own.pop()] = person
    own_names = {person: name for name, person in people.items()}
    turns = {(row["round"], own_names[row["person"]]): row for row in rows}
    listed = {
        (row["round"], name): given
        for row in rows
        for name, given in zip(row["names"], row["others"], strict=True)
        if (row["round"], name) not in turns
    }
    # Who left in the first round has a name in the texts of others, and no text that could be matched to it.
    unknown = sorted(names - set(people))
    order = {**dict(sorted(people.items())), **{name: f"unknown {name.lower()}" for name in unknown}}
    return GroupOfTexts(key, _settings(rows), order, turns, listed, max(row["round"] for row in rows))


def _settings(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the rules of a game."""
    first = rows[0]
    settings: dict[str, Any] = {
        "preset": PRESET,
        "rounds": max(row["round"] for row in rows),
        "end": "known" if first["horizon"] else "hidden",
        "multiplier": first["multiplier"],
        "contribution": "all-or-nothing" if first["all_or_nothing"] else "any",
        "default": "opt-out" if first["opt_out"] else "opt-in",
        "messages": first["chat"],
        "talk": "at-once",
        "show_outcomes": first["outcomes"],
        "show_actors": first["actors"] is True,
    }
    if first["punishment"]:
        settings |= {"punishment": True, "punish_cost": first["punish_cost"], "punish_loss": first["punish_loss"]}
    if first["reward"]:
        settings |= {"reward": True, "reward_cost": first["reward_cost"], "reward_gain": first["reward_gain"]}
    return settings


def _replay(group: GroupOfTexts, source: str, replays: AlsobayReplays) -> None:
    """Replay a game, with those who leave counted or not, round by round."""
    count = {round_: _counts(group, round_) for round_ in sorted({round_ for round_, _ in group.listed})}
    replays.counted += sum(count.values())
    replays.uncounted += len(count) - sum(count.values())
    answers = dict(_answers(group, {round_ for round_, counts in count.items() if counts}))
    replays.rounds += len(group.turns)
    wrong: dict[int, int] = {}
    for round_ in range(1, group.rounds + 1):
        rows = len(group.playing(round_))
        if differ := rows - _payoffs_right(group, round_, count.get(round_, False)):
            wrong[round_] = differ
            replays.mismatches.append(
                f"game {group.key}, round {round_}: {differ} of {rows} payoffs are not those of the rules"
            )
    replays.replayed += len(group.turns) - sum(wrong.values())
    if wrong:
        return
    try:
        match = replay_group(group.settings, list(group.people.values()), answers)
    except (RecordError, PlayerFault) as error:
        replays.mismatches.append(f"game {group.key}: {error}")
        return
    paid = {event.round: event.outcomes for event in match.events if isinstance(event, RoundPaid)}
    for (round_, name), turn in group.turns.items():
        ours = paid[round_][group.names.index(name)] if round_ in paid else None
        if ours is None or abs(ours - turn["payoff"]) > _CENT:
            replays.mismatches.append(f"game {group.key}, round {round_}: the game pays {name} otherwise")
            return
    replays.games.append(ReplayedGame(f"game {group.key}", match, source))


def _counts(group: GroupOfTexts, round_: int) -> bool:
    """Return whether those who left in a round count in it, which is what most payoffs of the round say."""
    with_them, without = (_payoffs_right(group, round_, counts) for counts in (True, False))
    return with_them >= without


def _payoffs_right(group: GroupOfTexts, round_: int, counts: bool) -> int:
    """Return the number of payoffs of a round that come out if those who left count, or do not."""
    names = group.playing(round_)
    given = [group.turns[round_, name]["contribution"] for name in names]
    if counts:
        given += [amount for (at, _), amount in group.listed.items() if at == round_]
    settings = group.settings
    fund = int(sum(given) * settings["multiplier"] + 0.5)
    share = int(fund / len(given) + 0.5)
    right = 0
    for name in names:
        turn = group.turns[round_, name]
        spent = _units(turn, "deducted", "punish_loss") * (turn["punish_cost"] or 0)
        spent += _units(turn, "rewarded", "reward_gain") * (turn["reward_cost"] or 0)
        payoff = 20 - turn["contribution"] + share - spent - turn["suffered"] + turn["received"]
        right += abs(payoff - turn["payoff"]) < _CENT
    return right


def _units(turn: Mapping[str, Any], coins: str, each: str) -> int:
    return turn[coins] // turn[each] if turn[each] else 0


def _answers(group: GroupOfTexts, counted: set[int]) -> Iterator[tuple[tuple[int, str, int], Any]]:
    """Yield the answers of all seats by round, phase and seat. `counted` has the rounds in which those who left
    count."""
    for seat, name in enumerate(group.names):
        gone = next((round_ for round_ in range(1, group.rounds + 1) if (round_, name) not in group.turns), None)
        last = group.rounds if gone is None else gone
        for round_ in range(1, last + 1):
            # The words of the chat are not in the texts.
            yield (round_, MESSAGE, seat), ""
            if round_ != gone:
                turn = group.turns[round_, name]
                yield (round_, CONTRIBUTION, seat), {STAY: STAY, CONTRIBUTION: turn["contribution"]}
                yield (round_, POINTS, seat), _points(group, turn, counted)
            elif round_ in counted and (round_, name) in group.listed:
                yield (round_, CONTRIBUTION, seat), {STAY: STAY, CONTRIBUTION: group.listed[round_, name]}
                yield (round_, POINTS, seat), {STAY: LEAVE}
                yield (round_ + 1, MESSAGE, seat), ""
                yield (round_ + 1, CONTRIBUTION, seat), {STAY: LEAVE}
            else:
                yield (round_, CONTRIBUTION, seat), {STAY: LEAVE}


def _points(group: GroupOfTexts, turn: Mapping[str, Any], counted: set[int]) -> dict[str, Any]:
    """Return the points that a person assigned in a round to each of the others who take part in it."""
    points: dict[str, Any] = {STAY: STAY}
    for name, deducted, rewarded in zip(turn["names"], turn["deducted_from"], turn["rewarded_to"], strict=True):
        if (turn["round"], name) in group.listed and turn["round"] not in counted:
            continue
        seat = group.names.index(name)
        if turn["punish_loss"]:
            points[points_field(DEDUCT, seat)] = deducted // turn["punish_loss"]
        if turn["reward_gain"]:
            points[points_field(REWARD, seat)] = rewarded // turn["reward_gain"]
    return points
