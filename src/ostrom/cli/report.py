"""`ostrom report`: the pictures and tables of an experiment in one folder, or two experiments side by side."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli.ratings import DrawProbability, Experiment, Passes, WithoutDefaulted
from ostrom.cli.studied import Part
from ostrom.experiment import options as opt

if TYPE_CHECKING:
    from ostrom.analysis.kinds import AnyTables
    from ostrom.analysis.left_out import LeftOut
    from ostrom.analysis.standing import Rated
    from ostrom.charts.report import Written

BATTERY = "battery"
OfGame = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="punish|commons|battery", help="Which game; the first that the journal holds, of these."
    ),
]


def report(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write; made where there is none.")
    ],
    experiment: Experiment = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Draw these two experiments side by side, by id or name."),
    ] = None,
    game: OfGame = None,
    without_defaulted: WithoutDefaulted = None,
    passes: Passes = 200,
    draw_probability: DrawProbability = 0.1,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Draw the report of a game: one page that needs no network, with pictures and tables beside it."""
    from ostrom.cli.ratings import check_settings
    from ostrom.cli.studied import tables_of_store
    from ostrom.core import InputError
    from ostrom.experiment.terminal import out, print_json

    if compare is not None and experiment is not None:
        raise InputError("--compare names its own two experiments; --experiment beside it would do nothing")
    check_settings(passes, draw_probability)
    from ostrom.analysis.standing import rate_players

    of_battery = compare is None and _is_of_battery(store, experiment, game)
    if game == BATTERY and (compare is not None or without_defaulted is not None):
        raise InputError(
            "the battery's report shows all subjects side by side and imputes no answer; "
            "--compare and --without-defaulted are for games that are played"
        )
    if compare is not None:
        _check_two(store, compare)
    left_out: list[LeftOut] = []
    with _made(output):
        if of_battery:
            written = _of_battery(output, store, experiment)
        elif compare is not None:
            written, left_out = _compared(output, store, compare, game, without_defaulted)
        else:
            chosen = tables_of_store(store, experiment, without_defaulted=without_defaulted or False, game=game)
            rated = rate_players(chosen, passes=passes, draw_probability=draw_probability)
            written = draw_report(
                output, chosen, rated, experiment=experiment, passes=passes, draw_probability=draw_probability
            )
            left_out = [chosen.left_out]
    if json:
        print_json(
            {
                "report": {
                    "page": str(written.page),
                    "charts": written.charts,
                    "tables": written.tables,
                    "summary": list(written.short),
                    "left_out": [one.as_record() for one in left_out],
                }
            }
        )
        return
    for sentence in written.short:
        out.print(sentence, markup=False)
    out.print(f"\n{written.charts} charts and {written.tables} tables: open {written.page}", markup=False)


def draw_report(
    output: Path,
    tables: "AnyTables",
    rated: "list[Rated]",
    *,
    experiment: str | None,
    passes: int,
    draw_probability: float,
) -> "Written":
    """Write the report of these tables and ratings."""
    from ostrom.charts.editions import edition_of, rating_note
    from ostrom.charts.names import names_of
    from ostrom.charts.report import write_report
    from ostrom.charts.standings import standings_of
    from ostrom.experiment.terminal import games_bar
    from ostrom.players.roster import every_built_in

    edition = edition_of(tables)
    with games_bar("charts", len(edition.pictures)) as (progress, task):
        return write_report(
            tables,
            standings_of(rated),
            output,
            title=edition.heading if experiment is None else f"{edition.heading}: {experiment}",
            names=names_of(tables),
            built_in=every_built_in(),
            rating_note=rating_note(passes, draw_probability),
            progress=lambda name: progress.advance(task),
        )


def _is_of_battery(store: str | None, experiment: str | None, game: str | None) -> bool:
    """Whether the report is to be that of the battery: where it is named, or where there is nothing else."""
    from ostrom.analysis.kinds import KINDS
    from ostrom.experiment.options import open_journal
    from ostrom.experiment.terminal import err
    from ostrom.games.battery.tables import PREFIX

    if game is not None:
        return game == BATTERY
    with open_journal(store) as journal:
        there = {row.game for row in journal.games(experiment) if row.state == "finished"}
    asked = any(name.startswith(PREFIX) for name in there)
    played = any(kind.record in there for kind in KINDS.values())
    if asked and played:
        err.print("there are answers to the battery too; --game battery reports on them", markup=False)
    return asked and not played


def _of_battery(output: Path, store: str | None, experiment: str | None) -> "Written":
    from ostrom.experiment.terminal import games_bar
    from ostrom.games.battery.charts.report import HEADING, charts_of, write_battery_report
    from ostrom.games.battery.commands import subjects_of_store
    from ostrom.games.battery.subjects import is_subject

    rows = subjects_of_store(store, experiment)
    with games_bar("charts", charts_of(rows)) as (progress, task):
        return write_battery_report(
            rows,
            output,
            title=HEADING if experiment is None else f"{HEADING}: {experiment}",
            built_in={one.subject for one in rows if is_subject(one.subject)},
            progress=lambda name: progress.advance(task),
        )


def _compared(
    output: Path, store: str | None, pair: tuple[str, str], game: str | None, without_defaulted: Part | None
) -> "tuple[Written, list[LeftOut]]":
    from ostrom.charts.comparison import write_comparison
    from ostrom.charts.names import names_of
    from ostrom.cli.studied import tables_of_store
    from ostrom.players.roster import every_built_in

    a, b = (tables_of_store(store, name, without_defaulted=without_defaulted or False, game=game) for name in pair)
    names = {**names_of(a), **names_of(b)}
    written = write_comparison(a, b, output, pair=pair, names=names, built_in=every_built_in())
    return written, [a.left_out, b.left_out]


def _check_two(store: str | None, pair: tuple[str, str]) -> None:
    """An experiment beside itself shows nothing; an id and a name may mean the same one."""
    from ostrom.core import InputError
    from ostrom.experiment.options import open_journal

    with open_journal(store) as journal:
        a, b = (journal.experiment_id(name) for name in pair)
    if a == b:
        raise InputError(f"--compare needs two experiments; {pair[0]} and {pair[1]} are the same one")


@contextmanager
def _made(output: Path) -> Iterator[None]:
    """The folder, while a report is written. One that was made for a report that failed goes again."""
    made = check_folder(output)
    try:
        yield
    except BaseException:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise


def check_folder(output: Path) -> list[Path]:
    """A folder that cannot be written is told before anything is computed. Returns the folders that had to be made, the
    innermost first."""
    from ostrom.core import InputError

    try:
        made = [folder for folder in (output, *output.parents) if not folder.exists()]
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {output}: {error.strerror}") from error
    return made
