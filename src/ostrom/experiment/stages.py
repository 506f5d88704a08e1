"""Experiments that are played in stages: after each, the games so far say whether to stop, or who sits down next.

A stage ends when fixed numbers of games are over, on any machine and after any interruption: a process that goes
on finds the same stages, and what each shows is a matter of its games alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ostrom.analysis.intervals import looks_at
from ostrom.analysis.ratings import GameResults, results_of
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.experiment.adaptive import next_tables, stages_of
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.schedule import ADAPTIVE
from ostrom.experiment.until import Look, Rule, look_at
from ostrom.journal.overview import GameRow
from ostrom.journal.sql import Journal


def check_stages(planned: Experiment) -> None:
    """Refuse a rule or a schedule that the experiment's games cannot be played by."""
    if planned.until is None and planned.schedule != ADAPTIVE:
        return
    games = {part.game.name for part in planned.parts}
    if len(games) > 1:
        raise InputError(
            f"{field('until')} and {field('schedule', 'adaptive')} go by one game; play the others in experiments of "
            "their own"
        )
    part = planned.parts[0]
    names = [one.name for one in part.contestants]
    if planned.until is not None:
        Rule.read(planned.until).check(part.game, names)
    if planned.schedule == ADAPTIVE:
        if len(planned.parts) > 1 or part.fixed or part.pairs:
            raise InputError("an adaptive schedule is of one game between more players than seats, with one seed")
        if len(set(names)) < len(names):
            raise InputError("an adaptive schedule seats each player once; leave out the number behind the colon")
        if len(names) == part.seats:
            raise InputError("everybody sits at every table, so an adaptive schedule has nothing to choose")


def stages(planned: Experiment) -> tuple[int, ...]:
    """How many games are over at the end of each stage."""
    if planned.until is not None:
        return looks_at(planned.games)
    part = planned.parts[0]
    return stages_of(planned.games, len(part.contestants), part.seats)


def play_stages(planned: Experiment, journal: Journal, experiment: str, play: Callable[[Experiment], object]) -> None:
    """Play an experiment stage by stage, each by `play`, until its rule holds or all games are over."""
    for games in stages(planned):
        stage = stage_of(planned, journal, experiment, games)
        if not _is_over(journal, experiment, [fixture.key for fixture in stage.fixtures()]):
            play(stage)
        found = look(planned, journal, experiment, games)
        if found is not None and found.holds:
            journal.end_plan(experiment, games)
            return


def stage_of(planned: Experiment, journal: Journal, experiment: str, games: int) -> Experiment:
    """Return the first games of an experiment; those before the last stage are over."""
    stage = replace(planned, most=games)
    return replace(stage, parts=(_seated(planned, journal, experiment, games),)) if _adapts(planned) else stage


def look(planned: Experiment, journal: Journal, experiment: str, games: int) -> Look | None:
    """Return what the first games show for the rule, or None without a rule."""
    if planned.until is None:
        return None
    part = planned.parts[0]
    keys = [fixture.key for fixture in replace(planned, most=games).fixtures()]
    return look_at(journal, experiment, Rule.read(planned.until), part.game, keys, planned.games)


def last_look(planned: Experiment, journal: Journal, experiment: str) -> Look | None:
    """What the rule goes by at the last look that all games of are over; None where there is none."""
    over = sum(row.state in ("finished", "void") for row in journal.games(experiment))
    done = [games for games in stages(planned) if games <= over] if planned.until is not None else []
    return look(planned, journal, experiment, done[-1]) if done else None


def _adapts(planned: Experiment) -> bool:
    return planned.schedule == ADAPTIVE


def _is_over(journal: Journal, experiment: str, keys: Sequence[str]) -> bool:
    over = {row.key for row in journal.games(experiment) if row.state in ("finished", "void")}
    return over.issuperset(keys)


def _seated(planned: Experiment, journal: Journal, experiment: str, games: int) -> Part:
    """The part of an adaptive experiment, with the seating of its first games. Of games that were begun,
    the journal says; the others follow from the stages before."""
    part = planned.parts[0]
    names = [one.name for one in part.contestants]
    begun = {row.key: row for row in journal.games(experiment)}
    tables: list[Sequence[int]] = []
    for end in stages(planned):
        if end > games:
            break
        so_far = _results(part, [begun[str(number)] for number in range(len(tables)) if str(number) in begun])
        chosen = next_tables(so_far, names, part.seats, tables, end, planned.games, part.seed)
        for number, table in enumerate(chosen, len(tables)):
            row = begun.get(str(number))
            tables.append(table if row is None else [names.index(player) for player in row.players])
    return replace(part, seating=tables)


def _results(part: Part, rows: Sequence[GameRow]) -> GameResults | None:
    """Who ended with what; None where no game is finished."""
    sign = 1 if part.game.better == "higher" else -1
    found = [
        [(player, sign * final) for player, final in zip(row.players, row.finals, strict=True) if final is not None]
        for row in rows
        if row.state == "finished" and row.finals is not None
    ]
    compared = [game for game in found if len(game) > 1]
    return results_of(compared) if compared else None
