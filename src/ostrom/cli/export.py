"""`ostrom export` writes contents of a journal to files: the record of a game, a page that replays a game, all records,
or the tidy tables."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from ostrom.charts.palette import with_names_and_colours
from ostrom.core import InputError, UnknownName
from ostrom.core.game import imported
from ostrom.core.text import number_of
from ostrom.journal import GameRecord, check_writable, read_record, write_record
from ostrom.journal.open import open_journal
from ostrom.journal.public import without_seed
from ostrom.journal.read import KeptGame
from ostrom.journal.record import write_records
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import out, print_json
from ostrom.web.pages import write_page, write_viewer


class ExportFormat(StrEnum):
    """The formats of files."""

    json = "json"
    html = "html"
    jsonl = "jsonl"
    parquet = "parquet"
    csv = "csv"


def export(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME|EXPERIMENT]",
            help="Games or experiments, by id, name or key. Several experiments are written as JSONL or tables. "
            "If omitted, everything is written, or, as HTML, the viewer without a game. HTML can also be made "
            "from a record file.",
        ),
    ] = None,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file; for Parquet and CSV, the folder.")
    ],
    format_: Annotated[
        ExportFormat | None,
        typer.Option(
            "--format",
            help="The format. By default, the extension of FILE determines it; without an extension, it is Parquet.",
        ),
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Write a game's record (JSON), a page that replays it with no server (HTML), many records (JSONL, one per
    line) or the tidy tables (Parquet, or CSV with --format csv, one file per table)."""
    chosen = format_ or _by_ending(output)
    name = names[0] if names else None
    of_one_game = chosen in (ExportFormat.html, ExportFormat.json)
    viewer = chosen is ExportFormat.html and name is None
    if of_one_game:
        check_writable(output)
    if names and len(names) > 1:
        with open_journal(store) as journal:
            games = _write_experiments(journal, names, chosen, output)
    elif viewer:
        write_viewer(output)
        games = 0
    elif of_one_game and name is not None and name.endswith(".json"):
        games = _write(with_names_and_colours(read_record(Path(name))), chosen, output)
    else:
        with open_journal(store) as journal:
            game, experiment = _game_or_experiment(journal, name)
            simulated = None if experiment is None else _simulation(journal, experiment, chosen, output)
            if simulated is not None:
                _print_simulation(simulated, output, chosen, json)
                return
            if of_one_game:
                games = _write(_only_game(journal, game, experiment, chosen), chosen, output)
            elif chosen is ExportFormat.jsonl:
                games = _write_lines(journal, _records(journal, game, experiment), output)
            else:
                # The function is imported here by its path, because only tables need the extra for studies.
                write_tables = imported("ostrom.charts.report:write_tables")
                games = write_tables(
                    journal, output, experiment=experiment, game=game, kind=chosen.value, watch=_watched
                )
    if json:
        print_json({"export": [{"file": str(output), "format": chosen.value, "games": games}]})
    elif viewer:
        out.print(f"viewer written to {output}; open it and drop a record on it")
    else:
        out.print(f"{number_of(games, 'game')} written to {output}")


def _write_experiments(journal: Journal, names: Sequence[str], chosen: ExportFormat, output: Path) -> int:
    """Write the games of several experiments. Return their number."""
    if chosen in (ExportFormat.html, ExportFormat.json):
        raise InputError("a file of this format holds one game; name one, or use .jsonl or a folder")
    experiments = list(dict.fromkeys(journal.experiment_id(name) for name in names))
    for experiment in experiments:
        if "simulation" in journal.settings(experiment):
            raise InputError(f"{experiment} is a simulation; export it separately")
    if chosen is ExportFormat.jsonl:
        games = chain.from_iterable(_records(journal, None, experiment) for experiment in experiments)
        return _write_lines(journal, games, output)
    only = {row.id for experiment in experiments for row in journal.games(experiment)}
    # Imported by its path, because it takes a while.
    write_tables = imported("ostrom.charts.report:write_tables")
    return int(write_tables(journal, output, only=only, kind=chosen.value, watch=_watched))


def _write_lines(journal: Journal, games: Iterable[KeptGame], output: Path) -> int:
    """Write records, one per line, with the names and colours of players. Return the number of games."""
    names = journal.names.known()
    return write_records(output, (with_names_and_colours(game.record, names) for game in games))


def _simulation(journal: Journal, experiment: str, chosen: ExportFormat, output: Path) -> int | None:
    """Write the tables, charts and files of a simulation into a folder. Return the number of files, or None if the
    experiment is not a simulation."""
    if "simulation" not in journal.settings(experiment):
        return None
    # The class is imported here by its path, because only charts and tables need the extra for studies.
    simulation = imported("ostrom.findings.keeping:StoredSimulation").of(journal, experiment)
    if simulation is None:
        return None
    if chosen is not ExportFormat.parquet:
        raise InputError(f"{experiment} is a simulation, which is exported as a folder; leave out the extension")
    return int(simulation.export(output))


def _print_simulation(files: int, output: Path, chosen: ExportFormat, json: bool) -> None:
    if json:
        print_json({"export": [{"file": str(output), "format": chosen.value, "games": 0, "files": files}]})
    else:
        out.print(f"{number_of(files, 'file')} of a simulation written to {output}")


def _by_ending(output: Path) -> ExportFormat:
    ending = output.suffix.lower().removeprefix(".")
    if output.is_dir() or not ending:
        return ExportFormat.parquet
    if ending == ExportFormat.csv:
        raise InputError(
            "there are several tables, each in a file of its own; name a folder, as in -o tables --format csv"
        )
    if ending not in ExportFormat.__members__:
        raise InputError(f"unknown format .{ending}; use .json, .html, .jsonl or a folder, or give --format")
    return ExportFormat(ending)


def _game_or_experiment(journal: Journal, name: str | None) -> tuple[str | None, str | None]:
    """Return the ids of the game and the experiment with this name. Only one of them is set; a game takes
    precedence."""
    if name is None:
        return None, None
    try:
        return journal.game_id(name), None
    except UnknownName as no_game:
        try:
            return None, journal.experiment_id(name)
        except UnknownName as neither:
            near = neither.nearest or no_game.nearest
            shown = "'ostrom list journal' shows every game, 'ostrom list experiments' every experiment"
            raise UnknownName("game or experiment", name, near, catalogue=shown) from None


def _write(record: GameRecord, chosen: ExportFormat, output: Path) -> int:
    """Write one record, as a page or as a file for the viewer. Return the number of games."""
    write_page(output, record) if chosen is ExportFormat.html else write_record(output, record)
    return 1


def _only_game(journal: Journal, game: str | None, experiment: str | None, chosen: ExportFormat) -> GameRecord:
    there = [row.id for row in journal.games(experiment) if row.state == "finished"] if game is None else [game]
    if not there:
        raise InputError("there is no finished game to export")
    if len(there) > 1:
        holder = "a page" if chosen is ExportFormat.html else "a JSON file"
        raise InputError(
            f"{holder} can hold only one of the {len(there):,} games; name one, such as {there[0]}, or use .jsonl"
        )
    return with_names_and_colours(journal.record(there[0], public=True), journal.names.known())


def _records(journal: Journal, game: str | None, experiment: str | None) -> Iterator[KeptGame]:
    """Yield the selected games, with a progress bar."""
    if game is not None:
        return iter([KeptGame(game, game.rpartition(".")[0], journal.record(game, public=True))])
    rows = [row for row in journal.experiments() if experiment in (None, row.id)]
    under_way = {row.id for row in rows if row.state == "unfinished"}
    return _watched(_without_seeds(journal.records(experiment), under_way), sum(row.games for row in rows))


def _without_seeds(games: Iterable[KeptGame], under_way: Collection[str]) -> Iterator[KeptGame]:
    """Yield the games. Games of unfinished experiments are given without their seed and their sealed rules, because all
    games of an experiment share them."""
    for game in games:
        hidden = game.experiment in under_way
        yield game._replace(record=without_seed(game.record)) if hidden else game


def _watched(games: Iterable[KeptGame], planned: int) -> Iterator[KeptGame]:
    with games_bar("games", planned) as advance:
        for game in games:
            yield game
            advance()
