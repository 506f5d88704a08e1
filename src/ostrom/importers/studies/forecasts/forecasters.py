"""The verb `forecasters`: language models forecast the decisions of people in a study, and stand on one board with the
theories, regressions and networks of `train-people`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
import polars as pl
import typer
from pydantic import Field

from ostrom.analysis.forecasts.scores import score_rows, score_table
from ostrom.core import GameChance, InputError
from ostrom.core.command import at_store
from ostrom.core.errors import field
from ostrom.core.finding import Column, Finding, Table, number
from ostrom.core.game import make_rules
from ostrom.core.settings import Display, Settings
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture
from ostrom.experiment.store import PlanRunner, check_models
from ostrom.games.forecasting import FORECASTING
from ostrom.importers.studies import zhu
from ostrom.importers.studies.forecasts.choices import NETWORK, choice_data, score_choices
from ostrom.importers.studies.forecasts.model_questions import (
    LEAST_SHARE,
    GameQuestion,
    choices_in,
    development_games,
    model_forecast,
    restricted,
    sampled_questions,
)
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files, bot_of_model, load_bot
from ostrom.players.roster import ModelContestant, description
from ostrom.terminal.console import budget_word, confirm_keys

KIND: Final = "forecasters"
REMARK: Final = (
    "Language models may have read these data: the study was published, so a low loss of theirs is no evidence that "
    "they forecast people who were never observed."
)


class ForecastersSettings(Settings):
    """Settings of the command `forecasters`."""

    study: Annotated[Literal["zhu-2025"], Display(form="STUDY", positional=True)] = Field(
        description="The study: zhu-2025 (choices in 2×2 games)."
    )
    folder: Annotated[Path, Display(form="DIR", positional=True)] = Field(
        description="Your folder with the files of the study."
    )
    llm: Annotated[tuple[str, ...], Display(form="MODEL|BOT")] = Field(
        (), description="A model that forecasts people; repeatable."
    )
    questions: int = Field(
        100, ge=10, le=10_000, description="The number of development games about which each model is asked."
    )


@verb("forecasters", keeps=False, group="analyse")
def forecasters(
    store: str | None,
    settings: ForecastersSettings,
    runner: PlanRunner,
    limits: Limits | None = None,
    reporter: Reporter = SILENT,
) -> Finding:
    """Ask models to forecast decisions of people, and score them beside theories, regressions and learned people."""
    if not settings.llm:
        raise InputError(f"name a model that forecasts with {field('llm', 'MODEL')}; 'train-people' scores the others")
    models = [forecaster_of(name) for name in dict.fromkeys(settings.llm)]
    if len({model.name for model in models}) < len(models):
        raise InputError(f"two models of {field('llm')} have the same name; rename one bot file")
    reading = zhu.STUDY.read(settings.folder, False)
    given = reading.tables["decisions"].filter(pl.col("part") != "held-out")
    if set(given["part"].unique()) != {"fitted", "development"}:
        raise InputError(f"{settings.folder} has not enough decisions of {settings.study} to fit and to score")
    questions = sampled_questions(development_games(given), settings.questions)
    with open_journal(store, create=True) as journal:
        answers = {
            model.name: _answers(model, questions, journal, runner, limits or Limits(), reporter) for model in models
        }
    return _finding(given, questions, answers, reading.split, reporter)


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Raise InputError, since forecasts are not resumed by `ostrom resume`. The error names the command."""
    at = at_store(printable_url(context.params["store"]))
    raise InputError(f"{experiment} is a model's forecasts of people; repeat the same ostrom {KIND}{at} to continue")


def forecaster_of(name: str) -> Contestant:
    """Return the model or bot with this name. Raise InputError if the bot sets a grammar for answers."""
    known = name in bot_files() or name.endswith(".json") or ":" not in name
    bot = load_bot(name) if known else bot_of_model(name)
    if bot.grammar:
        raise InputError(f"{name} cannot forecast people: its bot file sets a grammar for answers")
    return ModelContestant(bot, FORECASTING.name)


def _answers(
    model: Contestant,
    questions: Sequence[GameQuestion],
    journal: Journal,
    runner: PlanRunner,
    limits: Limits,
    reporter: Reporter,
) -> dict[str, float]:
    """Return the percentages that a model states, by game. Questions that the journal has are not asked again."""
    identity = {"game": FORECASTING.name, "study": zhu.NAME, "forecaster": description(model)}
    rows = [row for row in journal.experiments() if row.kind == KIND and row.settings == identity]
    over = set() if not rows else {row.key for row in journal.games(rows[0].id) if row.state != "playing"}
    fixtures = [_fixture(question, model) for question in questions if question.game not in over]
    if fixtures:
        confirm_keys([model])
        check_models([model], limits)
        reporter.note(f"asking {model.name} about {number_of(len(fixtures), 'game')}")
    elif not rows:
        return {}
    experiment = (
        rows[0].id
        if rows
        else journal.new_experiment(f"{zhu.NAME} forecast by {model.name}", kind=KIND, settings=identity)
    )
    if fixtures:
        outcome = runner.conduct(fixtures, journal, experiment, limits, len(over) + len(fixtures))
        for problem in outcome.problems("the question about"):
            runner.warn(problem)
        if outcome.pausing is not None:
            runner.warn(outcome.pausing)
        if outcome.stopped or outcome.unfinished:
            spent = outcome.stopped == "budget"
            reason = budget_word(journal, experiment, limits) if spent else "not every question was answered"
            runner.stop(f"{reason}. Run the same again{' with a larger budget' if spent else ''} to continue")
    return _stated(journal, experiment, {question.game for question in questions})


def _fixture(question: GameQuestion, model: Contestant) -> Fixture:
    # A question draws no random numbers.
    return Fixture(question.game, FORECASTING, make_rules(FORECASTING, question.rules), [model], GameChance(0, 0))


def _stated(journal: Journal, experiment: str, games: set[str]) -> dict[str, float]:
    """Return the valid answers of an experiment to questions about these games."""
    percents: dict[str, float] = {}
    for row in journal.games(experiment):
        if row.key in games and row.state == "finished":
            for event in journal.record(row.id).events:
                if event["event"] == "share_forecast":
                    percents[row.key] = float(event["percent"])
    return percents


def _finding(
    given: pl.DataFrame,
    questions: list[GameQuestion],
    answers: Mapping[str, Mapping[str, float]],
    split: str,
    reporter: Reporter,
) -> Finding:
    common = {question.game for question in questions if all(question.game in own for own in answers.values())}
    counts = [
        {"model": name, "questions": len(questions), "answered": len(own), "unanswered": len(questions) - len(own)}
        for name, own in answers.items()
    ]
    parts = [_answers_table(counts)]
    sentences = [REMARK, f"The games are a fixed sample of the development part. {split}"]
    scores: list[dict[str, Any]] = []
    if len(common) > 1:
        reporter.note("fitting the other forecasters without the development part")
        board, scores = _board(given, [one for one in questions if one.game in common], answers)
        parts.insert(0, board)
        sentences.insert(
            0,
            f"All forecasters are scored on the same choices. {NETWORK.capitalize()} is the forecaster of learned "
            "people, fitted without these games. A model is asked about a game, not about a person, so it is to be "
            f"compared with the forecasters that do not know a person's earlier trials. Its answers below "
            f"{LEAST_SHARE:.1%} or above {1 - LEAST_SHARE:.1%} are scored as these.",
        )
    else:
        sentences.insert(0, "There are not two games that every model answered, so nothing is scored.")
    if any(row["unanswered"] for row in counts):
        sentences.append("Games without a valid answer of every model are left out for all forecasters.")
    return Finding(
        verb="forecasters",
        title=f"{zhu.STUDY.title}: forecasters, with language models",
        facts={"study": zhu.NAME, "source": zhu.STUDY.source, "terms": zhu.STUDY.terms, "games": len(common)},
        parts=parts,
        sentences=sentences,
        result=scores,
    )


def _board(
    given: pl.DataFrame, questions: list[GameQuestion], answers: Mapping[str, Mapping[str, float]]
) -> tuple[Table, list[dict[str, Any]]]:
    """Return the board of forecasters on the choices of these games, as a table and as rows."""
    data = choice_data(given)
    baselines, games = score_choices(data)
    rows = choices_in(given, {question.game for question in questions})
    forecasts = [restricted(one, rows) for one in baselines]
    # The word keeps a bot's name apart from the names of other forecasters, such as the reference.
    forecasts += [model_forecast(f"{name} (model)", data, given, questions, own) for name, own in answers.items()]
    scores = score_rows(forecasts, games[rows], None, NETWORK)
    title = f"First choices in {len(np.unique(games[rows]))} games that were not fitted · {int(rows.sum()):,} choices"
    return score_table(scores, "board", title, "game", NETWORK), scores


def _answers_table(counts: Sequence[Mapping[str, Any]]) -> Table:
    columns = [
        Column("model", "model"),
        number("questions", "questions"),
        number("answered", "answered"),
        number("unanswered", "without a valid answer"),
    ]
    return Table("answers", columns, list(counts), title="Questions to models")
