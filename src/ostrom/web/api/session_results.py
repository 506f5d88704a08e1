"""The results of a session as the host's page shows them to the class."""

from ostrom.charts import render
from ostrom.charts.class_groups import ChartedGroup, group_chart
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.state import SessionState
from ostrom.findings.class_results import GroupFigures, MeasuredGroups, class_results
from ostrom.journal.sql import Journal
from ostrom.web.api.charts import CONFIG, Chart, chart_of
from ostrom.web.api.session_host_shapes import ClassGame, ClassMeasure, ClassResults, ClassSeries


def results_of_session(journal: Journal, file: SessionFile, state: SessionState, experiment: str) -> ClassResults:
    """Return the results of a session whose tables are the games of an experiment."""
    results = class_results(journal, file, state, experiment)
    games = [
        ClassGame(
            name=game.name,
            game=game.game,
            title=game.title,
            clock=game.clock,
            tables=game.tables,
            measures=[_measure(measure, game.title, game.clock) for measure in game.measures],
        )
        for game in results.games
    ]
    return ClassResults(title=results.title, participants=results.participants, games=games, config=CONFIG)


def _measure(measure: MeasuredGroups, game: str, clock: str) -> ClassMeasure:
    return ClassMeasure(
        name=measure.name,
        title=measure.title,
        meaning=measure.definition,
        unit=measure.unit or None,
        series=[_series(group) for group in measure.groups],
        chart=_chart(measure, game, clock),
    )


def _series(group: GroupFigures) -> ClassSeries:
    return ClassSeries(
        name=group.name,
        kind=group.kind,
        source=group.source,
        note=group.note,
        games=group.games,
        mean=group.mean,
        low=group.low,
        high=group.high,
        values=list(group.by_turn),
    )


def _chart(measure: MeasuredGroups, game: str, clock: str) -> Chart | None:
    groups = [
        ChartedGroup(_chart_name(group), group.mean, group.low, group.high, group.by_turn, group.games)
        for group in measure.groups
    ]
    drawn = group_chart(groups, title=measure.title, unit=measure.unit, clock=clock)
    if drawn is None:
        return None
    return chart_of(measure.name, game, render.embedded(drawn), measure.definition, "")


def _chart_name(group: GroupFigures) -> str:
    """Return the name of a group in a chart; several publications may be about people of the same description."""
    return group.name if group.source is None or group.kind != "people" else f"{group.name} ({group.source})"
