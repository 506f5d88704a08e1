"""`ostrom report`: the pictures and tables of an experiment in one folder, or two experiments side by side."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.analysis.left_out import LeftOut
from ostrom.analysis.provenance import Provenance, provenance_of
from ostrom.analysis.standing import Rated, rate_players
from ostrom.analysis.study import SubjectStudy, most_first, study_called, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import Written, catalogue_of, rating_note, subject_charts
from ostrom.charts.comparison import write_comparison
from ostrom.charts.report import write_report
from ostrom.charts.standings import standings_of
from ostrom.cli import ratings
from ostrom.cli.chosen import (
    Chosen,
    OfGame,
    OneGame,
    PoolOption,
    Rules,
    WithoutDefaulted,
    planned_conduct,
    tables_of_store,
)
from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.core.plugins import GAMES
from ostrom.experiment import options as opt
from ostrom.experiment.options import open_journal
from ostrom.experiment.registration import Conduct
from ostrom.experiment.terminal import err, games_bar, out, print_json


def report(
    game: OneGame = None,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write; created if missing.")
    ],
    experiment: opt.Experiment = None,
    compare: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Compare two experiments, by id or name.")
    ] = None,
    of: OfGame = None,
    without_defaulted: WithoutDefaulted = None,
    rules: Rules = None,
    pool: PoolOption = None,
    passes: ratings.Passes = 200,
    draw_probability: ratings.DrawProbability = 0.1,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Draw the report of a game: one page that needs no network, and its pictures and tables."""
    if compare is not None and experiment is not None:
        raise InputError("--compare already names two experiments; leave out --experiment")
    ratings.check_settings(passes, draw_probability)
    game = game or of
    subjects = _subjects(store, experiment, game)
    if subjects is not None and game is not None and (compare is not None or without_defaulted is not None):
        raise InputError(
            f"a report of {subjects.spoken} shows all subjects side by side and imputes no answer; "
            "leave out --compare and --without-defaulted"
        )
    wanted = Chosen(experiment, game, without_defaulted, rules, pool)
    left_out: list[LeftOut] = []
    planned = Conduct()
    with _made(output):
        if subjects is not None and compare is None:
            written, one = _of_subjects(subjects, output, store, experiment)
            made = [one]
        elif compare is not None:
            written, left_out, made = _compared(output, store, compare, wanted)
        else:
            chosen, one = tables_of_store(store, wanted)
            rated = rate_players(chosen, passes=passes, draw_probability=draw_probability)
            planned = planned_conduct(store, chosen, without_defaulted)
            written = draw_report(output, chosen, rated, passes, draw_probability, experiment, one, planned)
            left_out, made = [chosen.left_out], [one]
    if json:
        drawn = {"page": str(written.page), "charts": written.charts, "tables": written.tables}
        told = {"summary": list(written.short), "left_out": [one.as_record() for one in left_out]}
        told["provenance"] = [one.as_record() for one in made]
        found: dict[str, Any] = {} if compare is None else {"differences": list(written.differences)}
        found |= {} if planned.document is None else {"registered": planned.document}
        print_json({"report": {**drawn, **told, **found}})
        return
    for sentence in written.short:
        out.print(sentence)
    out.print(f"\n{written.charts} charts and {written.tables} tables: open {written.page}")


def draw_report(
    output: Path,
    tables: GameTables,
    rated: list[Rated],
    passes: int,
    draw_probability: float,
    experiment: str | None,
    made: Provenance,
    planned: Conduct = Conduct(),  # noqa: B008 - it is a value
) -> Written:
    """Write the report of these tables and ratings."""
    catalogue = catalogue_of(study_of(tables))
    with games_bar("charts", len(catalogue.pictures)) as advance:
        return write_report(
            tables,
            standings_of(rated),
            output,
            title=catalogue.study.title if experiment is None else f"{catalogue.study.title}: {experiment}",
            rating_note=rating_note(passes, draw_probability),
            notes=planned.notes,
            registered=planned.registered,
            provenance=made,
            progress=lambda name: advance(),
        )


def _subjects(store: str | None, experiment: str | None, game: str | None) -> SubjectStudy | None:
    """The family of tasks whose subjects are to be reported on: where it is named, or where there is nothing else."""
    with open_journal(store) as journal:
        finished = [row.game for row in journal.games(experiment) if row.state == "finished"]
        here = most_first(Counter(finished), journal)
    if game is not None:
        named = study_called(game, here)
        return named if isinstance(named, SubjectStudy) else None
    families = [study for study in here if isinstance(study, SubjectStudy)]
    if not families:
        return None
    if len(families) < len(here):
        for one in families:
            err.print(f"there are answers to {one.spoken} too; 'ostrom report {one.command}' shows them")
        return None
    return families[0]


def _of_subjects(
    study: SubjectStudy, output: Path, store: str | None, experiment: str | None
) -> tuple[Written, Provenance]:
    with open_journal(store) as journal:
        where = f"the journal {journal.label}" if experiment is None else f"the experiment {experiment}"
        rows = study.scored(journal.records(experiment), where)
        results = journal.ended.results(study.records, experiment)
        games = [GAMES[name] for name in study.records]
        made = provenance_of(journal, study.title, games, results, typed_command())
    charts = subject_charts(study)
    with games_bar("charts", len(charts.boards) + len(rows)) as advance:
        written = charts.write(
            rows,
            output,
            title=study.title if experiment is None else f"{study.title}: {experiment}",
            built_in={one.subject for one in rows if study.is_simulated(one.subject)},
            provenance=made,
            progress=lambda name: advance(),
        )
    return written, made


def _compared(
    output: Path, store: str | None, pair: tuple[str, str], wanted: Chosen
) -> tuple[Written, list[LeftOut], list[Provenance]]:
    """Two experiments side by side. One beside itself shows nothing; an id and a name may mean the same one."""
    with open_journal(store) as journal:
        if len({journal.experiment_id(name) for name in pair}) == 1:
            raise InputError(f"--compare needs two different experiments; {pair[0]} and {pair[1]} are the same")
    (a, of_a), (b, of_b) = (tables_of_store(store, wanted._replace(experiment=name)) for name in pair)
    return write_comparison(a, b, output, pair=pair, provenance=(of_a, of_b)), [a.left_out, b.left_out], [of_a, of_b]


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
    try:
        made = [folder for folder in (output, *output.parents) if not folder.exists()]
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {output}: {error.strerror}") from error
    return made
