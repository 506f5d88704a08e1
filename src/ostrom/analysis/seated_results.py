"""Computes the results of games in the form that ratings need, from the tables of games and seats. This module also
describes in one line what the ratings measure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from ostrom.analysis.design import estimand
from ostrom.analysis.ratings import GameResults, results_of
from ostrom.analysis.ratings.covariates import with_covariates
from ostrom.analysis.study import NothingLeft, study_of
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError

MESSAGE_LENGTH: Final = "message_length"


def rated_results(tables: GameTables, adjust: Sequence[str] = ()) -> GameResults:
    """Return the finals of the games in which at least two seats are left. Finals are negated if lower finals are
    better. A seat without a final is not rated. The covariates are the columns `adjust` (see `_covariates_of`). Raises
    `NothingLeft` if no game has two seats, and `InputError` for unknown columns."""
    games: dict[str, list[tuple[str, float]]] = {}
    seats: dict[str, list[int]] = {}
    sign = sign_of(tables)
    for game, seat, player, final in tables.seats.select("game", "seat", "player", "final").iter_rows():
        if final is not None:
            games.setdefault(game, []).append((player, sign * final))
            seats.setdefault(game, []).append(seat)
    compared = [game for game, rows in games.items() if len(rows) > 1]
    if not compared:
        raise NothingLeft("no game has two seats without defaulted answers, so there are no players to compare")
    seated = {game: seats[game] for game in compared}
    results = results_of(
        [games[game] for game in compared],
        _roles_of(tables, seated),
        draws_of(tables, compared),
        clusters=_clusters_of(tables, compared),
        weighted=tables.design.adaptive,
    )
    if not adjust:
        return results
    return with_covariates(results, [(name, _covariates_of(tables, seated, name)) for name in dict.fromkeys(adjust)])


def _covariates_of(tables: GameTables, seats: Mapping[str, Sequence[int]], name: str) -> list[list[Any]]:
    """Return a covariate of each seat, game by game: the number of the seat, its role, the number of characters of its
    messages, or a column of the table of seats. Raises `InputError` for an unknown name."""
    if name == "seat":
        return [[f"{seat + 1}" for seat in own] for own in seats.values()]
    if name == "role":
        game = study_of(tables).game
        if game.roles is None:
            raise InputError(f"the seats of {study_of(tables).spoken} have no roles, so ratings cannot be adjusted")
        sizes = dict(tables.games.select("game", "seats").iter_rows())
        names = {size: game.role_names(size) for size in set(sizes.values())}
        return [[names[sizes[game]][seat] for seat in own] for game, own in seats.items()]
    if name == MESSAGE_LENGTH:
        length = tables.messages.group_by("game", "seat").agg(pl.col("text").str.len_chars().sum())
        said = {(game, seat): value for game, seat, value in length.iter_rows()}
        return [[said.get((game, seat), 0) for seat in own] for game, own in seats.items()]
    known = [column for column in tables.seats.columns if column not in _NO_COVARIATES]
    if name not in known:
        raise InputError(
            f"seats have no {name} for which ratings could be adjusted; there are seat, role, {MESSAGE_LENGTH}"
            + "".join(f", {column}" for column in known)
        )
    entry = {(game, seat): value for game, seat, value in tables.seats.select("game", "seat", name).iter_rows()}
    return [[entry[game, seat] for seat in own] for game, own in seats.items()]


_NO_COVARIATES: Final = ("game", "seat", "player", "final", "rank", "imported")
"""Columns of the table of seats that are identities or results."""


def _roles_of(tables: GameTables, seats: Mapping[str, Sequence[int]]) -> list[list[int]] | None:
    """Return the number of each seat's role, game by game. Return None if seats have no roles."""
    game = study_of(tables).game
    if game.roles is None:
        return None
    sizes = dict(tables.games.select("game", "seats").iter_rows())
    groups = {size: game.seat_groups(size) for size in set(sizes.values())}
    return [[groups[sizes[name]][seat] for seat in own] for name, own in seats.items()]


def _clusters_of(tables: GameTables, games: Sequence[str]) -> list[int] | None:
    """Return the number of each game's cluster. Return None if the design has no clusters. Raises `InputError` for an
    unknown column."""
    column = tables.design.cluster
    if column is None:
        return None
    if column not in tables.games.columns:
        raise InputError(f"the games have no column {column}; there are {', '.join(tables.games.columns)}")
    entry = dict(tables.games.select("game", pl.col(column).cast(pl.String)).iter_rows())
    numbers: dict[str | None, int] = {}
    return [numbers.setdefault(entry[game], len(numbers)) for game in games]


def draws_of(tables: GameTables, games: Sequence[str]) -> list[int]:
    """Return a number for each game. Games with the same random draws have the same number. A game without a seed,
    which was played by another program, has a number of its own."""
    numbers: dict[Any, int] = {}
    draw_of: dict[str, int] = {}
    for game, seats, seed, number_ in tables.games.select("game", "seats", "seed", "number").iter_rows():
        key = game if seed is None else (seats, seed, number_)
        draw_of[game] = numbers.setdefault(key, len(numbers))
    return [draw_of[game] for game in games]


def sign_of(tables: GameTables) -> int:
    """Return 1 if higher finals are better, and otherwise -1."""
    return 1 if study_of(tables).game.better == "higher" else -1


def estimand_of(tables: GameTables) -> str:
    """Return one line on what the figures of these games measure."""
    seatings = tables.seats.group_by("game", maintain_order=True).agg("player")["player"].to_list()
    line = estimand(seatings, tables.design, study_of(tables).spoken)
    return " ".join(part for part in (line, tables.design.said, uneven_roles(tables)) if part)


MAX_UNEVEN_SHARE: Final = 0.02
"""The part of a player's seats that may be in another role than in an even schedule without a remark. One seat more or
less is never remarked, since many numbers of games allow no even schedule."""


def uneven_roles(tables: GameTables) -> str:
    """Return a sentence about the player whose roles are the least even, or nothing if roles are even or there are
    none. Roles are even if a player has each role as often as a random seat would have it."""
    game = study_of(tables).game
    if game.roles is None:
        return ""
    sizes = dict(tables.games.select("game", "seats").iter_rows())
    roles = {size: game.role_names(size) for size in set(sizes.values())}
    counts: Counter[tuple[str, str]] = Counter()
    expected: defaultdict[tuple[str, str], float] = defaultdict(float)
    total: Counter[str] = Counter()
    places = tables.seats.select("game", "seat", "player")
    for (name, seat, player), number in Counter(places.iter_rows()).items():
        own = roles[sizes[name]]
        counts[player, own[seat]] += number
        total[player] += number
        for role, times in Counter(own).items():
            expected[player, role] += number * times / len(own)
    extra = {key: counts[key] - even for key, even in expected.items()}
    most = max(extra, key=lambda key: extra[key] / total[key[0]], default=None)
    if most is None or extra[most] <= 1 or extra[most] / total[most[0]] <= MAX_UNEVEN_SHARE:
        return ""
    player, role = most
    return (
        f"Roles are uneven: {player} has {counts[most]:,} of its {total[player]:,} seats as {role}, and an even "
        f"schedule would have {expected[most]:,.6g}."
    )
