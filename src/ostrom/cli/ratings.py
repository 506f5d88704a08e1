"""`ostrom ratings` and `ostrom payoffs`: who is how strong, and what games paid."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import polars as pl
import typer
from rich.cells import cell_len

from ostrom.analysis.measures import head_to_head as head_to_head_of
from ostrom.analysis.ratings import LEAST_GAMES, results_of_table
from ostrom.analysis.ratings.method import describe_methods
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, TrueSkillSettings
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.selection import Part, RulesBoard
from ostrom.analysis.standing import Payoffs, Rated, RatingSettings, rate_players, rate_results, realised_payoffs
from ostrom.analysis.study import NothingLeft, Study, studies_of, study_called, study_of
from ostrom.cli.chosen import (
    OneGame,
    PoolOption,
    Rules,
    WithoutDefaulted,
    boards_of_store,
    chosen_by,
    stopping_note,
)
from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.core.text import clean, number_of, one_line
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.sheets import Column, Sheet, out, print_json

_TRUESKILL_FIELDS: Final = TrueSkillSettings.model_fields
Passes = Annotated[int, typer.Option(help=_TRUESKILL_FIELDS["passes"].description)]
DrawProbability = Annotated[float, typer.Option(help=_TRUESKILL_FIELDS["draw_probability"].description)]


def ratings(
    game: OneGame = None,
    passes: Passes = 200,
    draw_probability: DrawProbability = 0.1,
    experiment: opt.Experiment = None,
    without_defaulted: WithoutDefaulted = None,
    rules: Rules = None,
    pool: PoolOption = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE.csv", help="Rate any results: a table with the columns game, player and score."
        ),
    ] = None,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="With --from: the lowest score of a game is its best.")
    ] = False,
    order_free: Annotated[bool, typer.Option("--order-free", help=f"The same as --method {ORDER_FREE.name}.")] = False,
    method: Annotated[
        str | None,
        typer.Option(metavar="NAME[:setting=value,…]", help=f"Rank by a rating method: {describe_methods()}."),
    ] = None,
    head_to_head: Annotated[
        bool, typer.Option("--head-to-head", help="Show who ends ahead of whom, and how often, in place of ratings.")
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Rate the players of a game by the ranks at which their games ended, a board for each set of rules."""
    settings = RatingSettings(passes, draw_probability, _method_name(method, order_free=order_free))
    check_settings(settings)
    if results is not None:
        if game or experiment or without_defaulted or rules or pool or store or head_to_head:
            raise InputError("--from rates a file, and no games of a journal; leave out GAME and the journal's options")
        _rate_file(results, settings, lower_is_better=lower_is_better, json=json)
        return
    if lower_is_better:
        raise InputError("--lower-is-better is for --from; a game says itself which finals are better")
    boards = boards_of_store(store, chosen_by(experiment, game, without_defaulted, rules, pool))
    stopping = stopping_note(store, boards[0].tables)
    with open_journal(store) as journal:
        names = journal.names.known()
    if head_to_head:
        _show_pairs(boards, names, json=json)
        return
    rated = [(board, rate_players(board.tables, **asdict(settings))) for board in boards[:_BOARDS]]
    if json:
        made = [_board_record(board, mine, settings, names) for board, mine in rated]
        made[0] |= {} if stopping is None else {"stopping": stopping}
        print_json({**made[0], **({"others": made[1:]} if made[1:] else {})})
        return
    if stopping is not None:
        out.print(stopping)
    for place, (board, mine) in enumerate(rated):
        _print_head(board, names, first=place == 0, several=len(boards) > 1)
        unit = study_of(board.tables).game.unit or "final"
        out.print(ratings_sheet(mine, board.tables.games.height, settings, unit=unit, name_of=names.of))


_BOARDS: Final = 4
"""Boards that are shown at once; --rules shows the others."""


def _board_record(
    board: RulesBoard, rated: list[Rated], settings: RatingSettings, names: PlayerNames
) -> dict[str, Any]:
    return {
        "ratings": [{**one.as_record(), "label": names.of(one.rating.name)} for one in rated],
        "game": study_of(board.tables).command,
        "rules": board.rules or None,
        "games": board.tables.games.height,
        **settings.as_record(),
        "left_out": board.tables.left_out.as_record(),
    }


def _print_head(board: RulesBoard, names: PlayerNames, *, first: bool, several: bool) -> None:
    """What stands above a board. What holds for all of them is said above the first."""
    if not first:
        out.print(f"\nBy the rules {board.rules}:")
        return
    for sentence in board.tables.left_out.sentences(lambda player: clean(names.of(player))):
        out.print(sentence)
    if several:
        out.print(f"By the rules {board.rules}:")


def _show_pairs(boards: Sequence[RulesBoard], names: PlayerNames, *, json: bool) -> None:
    """Who ends ahead of whom, a board for each set of rules."""
    found = [(board, head_to_head_of(board.tables)) for board in boards[:_BOARDS]]
    if json:
        made = [
            {
                "head_to_head": pairs.to_dicts(),
                "game": study_of(board.tables).command,
                "rules": board.rules or None,
                "games": board.tables.games.height,
                "left_out": board.tables.left_out.as_record(),
            }
            for board, pairs in found
        ]
        print_json({**made[0], **({"others": made[1:]} if made[1:] else {})})
        return
    for place, (board, pairs) in enumerate(found):
        _print_head(board, names, first=place == 0, several=len(boards) > 1)
        out.print(pairs_sheet(pairs, board.tables.games.height, names.of))


def pairs_sheet(pairs: pl.DataFrame, games: int, name_of: Callable[[str], str] = str) -> Sheet:
    """Every pair once, the one that ends ahead more often first; the most uneven come first."""
    ahead = pl.col("value") > 0.5
    alike = (pl.col("value") == 0.5) & (pl.col("player") < pl.col("other_player"))
    rows = pairs.filter(ahead | alike).sort(
        ["value", "n", "player", "other_player"], descending=[True, True, False, False]
    )
    columns: dict[Column, Callable[[dict[str, Any]], str]] = {
        Column("player", wraps=True): lambda row: name_of(row["player"]),
        Column("against", wraps=True): lambda row: name_of(row["other_player"]),
        Column("ahead", number=True): lambda row: _part(row["value"]),
        Column("95 % interval", number=True, spare=1): lambda row: (
            "–" if row["low"] is None else f"{_part(row['low'])} … {_part(row['high'])}"
        ),
        Column("games", number=True, spare=2): lambda row: f"{row['n']:,}",
    }
    caption = (
        "Share of meetings in which the player ended ahead of the other; ties count half. Each interval is of its pair "
        "alone: of many pairs, one in twenty is off. –: fewer than 6 games together."
    )
    return Sheet.of(f"Head to head · {number_of(games, 'game')}", rows.iter_rows(named=True), columns, caption=caption)


def _rate_file(path: Path, settings: RatingSettings, *, lower_is_better: bool, json: bool) -> None:
    """Rate the results that a file holds."""
    try:
        table = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = one_line(str(error).splitlines()[0])
        raise InputError(f"cannot read {path} as a table with commas: {reason}") from error
    results = results_of_table(table, lower_is_better=lower_is_better)
    rated = rate_results(results, lower_is_better=lower_is_better, **asdict(settings))
    if json:
        print_json({"ratings": [one.as_record() for one in rated], "games": results.games, **settings.as_record()})
        return
    out.print(ratings_sheet(rated, results.games, settings, unit="score"))


def check_settings(settings: RatingSettings) -> None:
    """Raise `InputError` for invalid settings, before anything is read or written."""
    _ = settings.trueskill, settings.choice


def _method_name(method: str | None, *, order_free: bool) -> str:
    if order_free and method not in (None, ORDER_FREE.name):
        raise InputError(f"--order-free ranks by {ORDER_FREE.name}, and --method by {method}; choose one of them")
    return ORDER_FREE.name if order_free else method or TRUESKILL.name


def ratings_sheet(
    rated: list[Rated],
    games: int,
    settings: RatingSettings,
    *,
    unit: str = "tokens",
    name_of: Callable[[str], str] = str,
) -> Sheet:
    """The ratings for people; `unit` is what games end with, `name_of` what to call a player."""
    placed = list(enumerate(rated, start=1))
    # What always stays is the place, the name and μ. Only where these have no room does a name run over lines: numbers
    # are never cut.
    kept = [[str(place), name_of(one.rating.name), f"{one.rating.mu:z.3f}"] for place, one in placed]
    least = sum(max(map(cell_len, column)) for column in zip(*kept, strict=True))
    columns: dict[Column, Callable[[tuple[int, Rated]], str]] = {
        Column("#", number=True): lambda row: str(row[0]),
        Column("player", wraps=least + 5 > out.width): lambda row: name_of(row[1].rating.name),
        Column("tier", number=True, spare=2): lambda row: _tier(row[1]),
        Column("ranks", number=True, spare=3): lambda row: _ranks(row[1]),
        Column("μ", number=True): lambda row: f"{row[1].rating.mu:z.3f}",
        Column("σ", number=True, spare=1): lambda row: f"{row[1].rating.sigma:.3f}",
        Column("games", number=True, spare=5): lambda row: f"{row[1].rating.games:,}",
        Column(unit, number=True, spare=4): lambda row: f"{row[1].mean_final:z,.2f}",
        Column("order-free strength", number=True, spare=7): lambda row: _strength(row[1]),
    }
    notes = [
        f"{unit.capitalize()}: mean at the end. Nobody in a tier is told apart from its first; ranks are those that a "
        "player may have; both hold for all players at once with 95 % confidence. Only differences of μ count."
    ]
    if any(one.answers.defaulted_share is not None for one in rated):
        columns[Column("defaulted", number=True, spare=3)] = lambda row: _part(row[1].answers.defaulted_share)
        columns[Column("repaired", number=True, spare=6)] = lambda row: _part(row[1].answers.repaired_share)
        notes.append("Defaulted: answers that the game gave in the player's place; – is not known.")
    reasons = dict.fromkeys(one.place.apart for one in rated if one.place is not None and one.place.apart)
    notes += [f"Apart: {reason}." for reason in reasons]
    if any(one.provisional for one in rated):
        notes.append(f"Provisional, behind the others: fewer than {LEAST_GAMES} games.")
    title = settings.choice.method.title
    if any(one.method_rating is not None for one in rated):
        columns[Column(title, number=True, spare=1)] = lambda row: _estimate(row[1].method_rating)
    return Sheet.of(
        f"{title} · {number_of(games, 'game')} · {settings.passes} passes · draw probability "
        f"{settings.draw_probability:g}",
        placed,
        columns,
        caption=" ".join(notes),
        best=sum(one.place is not None and one.place.tier == 1 for one in rated),
    )


def _tier(one: Rated) -> str:
    if one.place is None:
        return "–"
    if one.place.tier is not None:
        return str(one.place.tier)
    return "provisional" if one.place.provisional else "apart"


def _ranks(one: Rated) -> str:
    if one.place is None or one.place.ranks is None:
        return "–"
    best, worst = one.place.ranks
    return str(best) if best == worst else f"{best}–{worst}"


def _strength(one: Rated) -> str:
    return _estimate(None if one.place is None else one.place.strength)


def _estimate(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "–"
    span = "" if estimate.low is None or estimate.high is None else f" ({estimate.low:+z.2f} to {estimate.high:+z.2f})"
    return f"{estimate.value:+z.2f}{span}"


def _part(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%"


def payoffs(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game; if omitted, all in the journal.")
    ] = None,
    experiment: opt.Experiment = None,
    without_defaulted: Annotated[
        bool, typer.Option("--without-defaulted", help="Leave out games with a defaulted answer.")
    ] = False,
    rules: Rules = None,
    pool: PoolOption = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Show what each player earned: overall and, in two-player games, by seat and by opponent."""
    with open_journal(store) as journal:
        there = sorted({row.game for row in journal.games(experiment) if row.state == "finished"})
        here = [one for one in studies_of(there, journal) if isinstance(one, Study)]
        names = journal.names.known()
    studies = here if game is None else [study_called(game, here)]
    without: Part | None = "games" if without_defaulted else None
    found, nothing, left_out = [], None, {}
    for study in studies:
        try:
            tables = boards_of_store(store, chosen_by(experiment, study.command, without, rules, pool))[0].tables
        except NothingLeft as error:
            nothing = error
        else:
            found += realised_payoffs(tables)
            left_out[tables.kind] = tables.left_out
    if not found:
        raise nothing or InputError("there are no played games here; 'ostrom bench GAME' plays some")
    if json:
        paid = [{**asdict(one), "name": names.of(one.player), "payoff": one.payoff.as_record()} for one in found]
        print_json({"payoffs": paid, "left_out": {game: one.as_record() for game, one in left_out.items()}})
        return
    for game in dict.fromkeys(one.game for one in found):
        for sentence in left_out[game].sentences(lambda player: clean(names.of(player))):
            out.print(sentence)
        out.print(_sheet(game, [one for one in found if one.game == game], names))
        out.print()


def _sheet(game: str, found: Sequence[Payoffs], names: PlayerNames) -> Sheet:
    """A row a player: its mean payoff, by seat, and against each of the others."""
    players = list(dict.fromkeys(one.player for one in found))
    cells = {(one.player, one.seat, one.against): one for one in found}
    seats = sorted({one.seat for one in found if one.seat is not None})
    some = any(one.defaulted for one in found)
    others = [player for player in players if any(one.against == player for one in found)]
    columns: dict[Column, Callable[[Payoffs], str]] = {
        Column("player", wraps=True): lambda one: names.of(one.player),
        Column("games", number=True): lambda one: f"{one.games:,}",
        Column("payoff", number=True): _mean,
        Column("95 % interval", number=True): lambda one: (
            "–" if one.payoff.low is None else f"{one.payoff.low:z,.2f} … {one.payoff.high:z,.2f}"
        ),
        **({Column("defaulted", number=True): lambda one: f"{one.defaulted:,}"} if some else {}),
        **{Column(f"as seat {seat + 1}", number=True): partial(_of, cells, seat=seat, against=None) for seat in seats},
        **{
            Column(f"vs {names.of(other)}", number=True, spare=1 + place): partial(_of, cells, seat=None, against=other)
            for place, other in enumerate(others)
        },
    }
    whole = sorted((cells[name, None, None] for name in players), key=lambda one: -(one.payoff.value or 0.0))
    return Sheet.of(f"{game.replace('_', ' ')}: realised payoffs", whole, columns)


def _of(cells: Mapping[Any, Payoffs], whole: Payoffs, *, seat: int | None, against: str | None) -> str:
    return _mean(cells.get((whole.player, seat, against)))


def _mean(one: Payoffs | None) -> str:
    return "–" if one is None or one.payoff.value is None else f"{one.payoff.value:z,.2f}"
