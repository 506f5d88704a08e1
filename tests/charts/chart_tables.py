"""Small tables made by hand, in the shapes that measures give, and a few games written out as tidy tables."""

import polars as pl

from measured import PICTURES
from ostrom.analysis.tables import MESSAGES
from ostrom.charts.matrix import PairMatrix
from ostrom.charts.standings import RATINGS
from ostrom.games.contribute_punish.tables import GAMES, PUNISHMENTS, ROUNDS, SEATS, PunishTables

HOSTILE = '</script><script>alert("x")</script><b>&amp;\n{{1+1}} ${x} \u202e__proto__'
BY_ROUND = {"balance_by_round", "rank_by_round", "contribution_percent_by_round", "punishment_spent_percent_by_round"}
TOTALS = {"aggregate_contribution_by_round", "aggregate_punishment_by_round"}
BY_SEAT = {"seat_effects"}
PAIRS = {name for name, picture in PICTURES.items() if isinstance(picture, PairMatrix)}
STRIPS = {name for name, picture in PICTURES.items() if picture.dots}


def players(count: int) -> list[str]:
    """Names of models of every family, and of none."""
    families = ("claude", "gpt-5", "gemini", "llama", "mistral", "deepseek", "qwen", "grok", "nobody")
    return [f"{families[index % len(families)]}-{index}" for index in range(count)]


def per_player(names: list[str]) -> pl.DataFrame:
    """The first player has the highest value, the last the lowest; one has no interval."""
    values = [(len(names) - place) / (len(names) + 1) for place in range(len(names))]
    return pl.DataFrame(
        {
            "player": names,
            "value": values,
            "low": [None if place == 1 else value * 0.9 for place, value in enumerate(values)],
            "high": [None if place == 1 else value * 1.1 for place, value in enumerate(values)],
            "n": [12] * len(names),
            **dict.fromkeys(("base", "random"), [0.4] * len(names)),
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64},
    )


def per_round(names: list[str], last: int = 4) -> pl.DataFrame:
    """Lines that all but meet at the end, the hardest case for their labels."""
    rows = [
        (name, turn, 0.5 + (0.001 if turn == last else 0.02) * (len(names) - place), 0.4, 0.9, 12)
        for place, name in enumerate(names)
        for turn in range(1, last + 1)
    ]
    return pl.DataFrame(rows, schema=["player", "round", "value", "low", "high", "n"], orient="row")


def total() -> pl.DataFrame:
    """All players together, round by round."""
    return pl.DataFrame(
        {
            "round": [1, 2, 3, 4, 5],
            "value": [0.6, 0.4, 0.5, 0.55, 0.3],
            "low": [0.5, 0.3, 0.4, 0.45, 0.2],
            "high": [0.7, 0.5, 0.6, 0.65, 0.4],
            "n": [12] * 5,
        }
    )


def dots(names: list[str]) -> pl.DataFrame:
    """Three dots a player; the first has the highest."""
    rows = [(name, value) for place, name in enumerate(names) for value in (0.0, 0.5, 1.0 - place / 1000)]
    return pl.DataFrame(rows, schema=["player", "value"], orient="row")


def per_pair(names: list[str]) -> pl.DataFrame:
    """Every two players; the first has the highest value with everybody, the last the lowest."""
    both = per_player(names).join(pl.DataFrame({"other_player": names}), how="cross")
    return both.filter(pl.col("player") != pl.col("other_player")) if len(names) > 1 else both


def frame_for(name: str, names: list[str]) -> pl.DataFrame:
    """A table of the shape that the chart of this name draws."""
    if name in TOTALS:
        return total()
    if name in BY_ROUND:
        return per_round(names)
    if name in STRIPS:
        return dots(names)
    if name in PAIRS:
        return per_pair(names)
    frame = per_player(names)
    if name in BY_SEAT:
        return frame.with_columns(seat=pl.int_range(len(names))).drop("player")
    return frame.with_columns(pl.col("low", "high").fill_null(pl.col("value"))) if name == RATINGS else frame


def small_tables(names: tuple[str, str, str] = ("alpha", "beta", "gamma"), games: int = 3) -> PunishTables:
    """Games of three seats and five rounds in which the first gives most and the last punishes it."""
    played, seats, rounds, hits, words = [], [], [], [], []
    for number in range(games):
        game, held = f"g{number}", [20, 20, 20]
        for turn in range(1, 6):
            given = [min(held[0], 10 + number), min(held[1], 5), min(held[2], turn % 2)]
            share = sum(given) * 8 // 5 // 3
            post = [held[seat] - given[seat] + share for seat in range(3)]
            hits.append((game, turn, 1, 2, 0, names[2], names[0], 1, 1, 3))
            hits.append((game, turn, 2, 0, 2, names[0], names[2], 1, 1, 3))
            end = [post[0] - 4, post[1], post[2] - 4]
            words.append((game, turn, 1, 0, names[0], f"I will contribute {given[0]} tokens.", 5 * turn))
            for seat in range(3):
                spend, damage = (1, 3) if seat != 1 else (0, 0)
                row = (held[seat], given[seat], share, post[seat], spend, damage, end[seat], "answered")
                rounds.append((game, turn, seat, names[seat], *row))
            held = end
        played.append((game, "e1", "contribute_punish", 3, 5, 1.6, 20, True, False, None, 7, number, 1, 0, 45))
        seats += [(game, seat, names[seat], held[seat], int(seat == 1), 0, 15, 0) for seat in range(3)]
    ranked = _frame(seats, SEATS).with_columns(
        rank=pl.col("final").rank("average", descending=True).over("game").cast(pl.Float64)
    )
    return PunishTables(
        games=_frame(played, GAMES),
        seats=ranked,
        rounds=_frame(rounds, ROUNDS),
        punishments=_frame(hits, PUNISHMENTS),
        messages=_frame(words, MESSAGES),
    )


def _frame(rows: list[tuple], schema: dict) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")
