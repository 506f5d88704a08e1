"""`ostrom report`: the pictures and tables of an experiment in one folder, or two experiments side by side."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.analysis.leaderboard import RatingSettings, rate_players
from ostrom.analysis.left_out import LeftOut
from ostrom.analysis.provenance import StudyProvenance
from ostrom.analysis.selection import Selection
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.comparison import write_comparison
from ostrom.cli.chosen import (
    OneGame,
    PoolOption,
    Rules,
    WithoutDefaulted,
    chosen_by,
    planned_conduct,
    tables_of_store,
)
from ostrom.core import InputError
from ostrom.experiment.registration import Conduct
from ostrom.findings.ratings import BoardSettings, check_rating
from ostrom.findings.simulations import KeptSimulation
from ostrom.journal.open import open_journal
from ostrom.library.reports import family_here, folder_for, report_of_games, report_of_subjects
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import err, out, print_json

_BOARD_FIELDS: Final = BoardSettings.model_fields
Passes = Annotated[int, typer.Option(help=_BOARD_FIELDS["passes"].description)]
DrawProbability = Annotated[float, typer.Option(help=_BOARD_FIELDS["draw_probability"].description)]


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
    without_defaulted: WithoutDefaulted = None,
    rules: Rules = None,
    pool: PoolOption = None,
    passes: Passes = 200,
    draw_probability: DrawProbability = 0.1,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Draw the report of a game: one page that needs no network, and its pictures and tables."""
    if compare is not None and experiment is not None:
        raise InputError("--compare already names two experiments; leave out --experiment")
    check_rating(RatingSettings(passes, draw_probability))
    wanted = chosen_by(experiment, game, without_defaulted, rules, pool)
    if compare is None and experiment is not None and (simulated := _simulated(store, wanted, output)) is not None:
        _told(simulated, json)
        return
    with open_journal(store) as journal:
        subjects = family_here(journal, experiment, game, err.print)
    if subjects is not None and game is not None and (compare is not None or without_defaulted is not None):
        raise InputError(
            f"a report of {subjects.spoken} shows all subjects side by side and imputes no answer; "
            "leave out --compare and --without-defaulted"
        )
    left_out: list[LeftOut] = []
    planned = Conduct()
    with folder_for(output):
        if subjects is not None and compare is None:
            with open_journal(store) as journal:
                written, one = report_of_subjects(journal, subjects, output, experiment)
            made = [one]
        elif compare is not None:
            written, left_out, made = _compared(output, store, compare, wanted)
        else:
            chosen, one = tables_of_store(store, wanted)
            rated = rate_players(chosen, passes=passes, draw_probability=draw_probability)
            planned = planned_conduct(store, chosen, without_defaulted)
            with open_journal(store) as journal:
                names = journal.names.known()
            written = report_of_games(output, chosen, rated, passes, draw_probability, experiment, one, planned, names)
            left_out, made = [chosen.left_out], [one]
    if json:
        drawn = {"page": str(written.page), "charts": written.charts, "tables": written.tables}
        told = {"summary": list(written.short), "left_out": [one.as_record() for one in left_out]}
        told["provenance"] = [one.as_record() for one in made]
        found: dict[str, Any] = {} if compare is None else {"differences": list(written.differences)}
        found |= {} if planned.document is None else {"registered": planned.document}
        print_json({"report": {**drawn, **told, **found}})
        return
    _told(written, json)


def _simulated(store: str | None, wanted: Selection, output: Path) -> WrittenReport | None:
    """The report of a simulation; nothing where the experiment is none."""
    with open_journal(store) as journal:
        kept = KeptSimulation.of(journal, wanted.experiment or "")
        if kept is None:
            return None
        if wanted != Selection.select(wanted.experiment):
            raise InputError(f"{wanted.experiment} is a simulation: its report has no choice of games to make")
        with folder_for(output), games_bar("charts", len(kept.charts), "charts") as advance:
            return kept.write(output, lambda name: advance())


def _told(written: WrittenReport, json: bool) -> None:
    if json:
        drawn = {"page": str(written.page), "charts": written.charts, "tables": written.tables}
        print_json({"report": {**drawn, "summary": list(written.short)}})
        return
    for sentence in written.short:
        out.print(sentence)
    out.print(f"\n{written.charts} charts and {written.tables} tables: open {written.page}")


def _compared(
    output: Path, store: str | None, pair: tuple[str, str], wanted: Selection
) -> tuple[WrittenReport, list[LeftOut], list[StudyProvenance]]:
    """Two experiments side by side. One beside itself shows nothing; an id and a name may mean the same one."""
    with open_journal(store) as journal:
        names = journal.names.known()
        if len({journal.experiment_id(name) for name in pair}) == 1:
            raise InputError(f"--compare needs two different experiments; {pair[0]} and {pair[1]} are the same")
    (a, of_a), (b, of_b) = (tables_of_store(store, wanted.changed(experiments=(name,))) for name in pair)
    written = write_comparison(a, b, output, pair=pair, provenance=(of_a, of_b), names=names)
    return written, [a.left_out, b.left_out], [of_a, of_b]
