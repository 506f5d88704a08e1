"""The verb `write`. A model is asked for a strategy as code. The code is checked and played in a process without
rights, and the model gets errors and results back. The best strategy is written to a file that can take a seat."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from pydantic import Field

from ostrom.core import GameChance, InputError, PlayerFault, Question
from ostrom.core.chance import seed_or_random
from ostrom.core.command import at_store
from ostrom.core.errors import field
from ostrom.core.estimates import CONFIDENCE, Estimate
from ostrom.core.files import check_writable
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Display, Settings
from ostrom.core.text import clean
from ostrom.core.verb import verb
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture, play_match
from ostrom.experiment.store import PlanRunner, check_models
from ostrom.games.writing import NONE, WRITING, Attempt
from ostrom.games.writing.commands.trial import MAX_OPPONENTS, Trial, distance, try_strategy
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files, bot_of_model, load_bot
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.prompting import rules_text
from ostrom.players.roster import ModelContestant, choose, description
from ostrom.players.strategy import StrategyEntry
from ostrom.players.written import check_platform, entry_of_code, plain_question
from ostrom.players.written.player import FAMILY, digest_of
from ostrom.terminal.console import budget_word, confirm_keys

KIND: Final = "write"
_MAX_EXAMPLE: Final = 6_000
_MAX_SHOWN_OPPONENTS: Final = 12


class WriteSettings(Settings):
    """Settings of the command `write`."""

    llm: Annotated[str, Display(form="MODEL|BOT")] = Field("", description="The model that writes the strategy.")
    game: Annotated[str, Display(form="GAME")] = Field("", description="The game for which it is written.")
    tries: int = Field(5, ge=1, le=100, description="How often the model is asked; it sees all earlier outcomes.")
    rule: Annotated[tuple[str, ...], Display(form="NAME=VALUE")] = Field(
        (), description="A rule of the game that differs from its default; repeatable."
    )
    games: int = Field(4, ge=2, le=1_000, description="Games against each known strategy.")
    output: Annotated[Path | None, Display(form="FILE.py", short="o", default="EXPERIMENT.py")] = Field(
        None, description="The file of the best strategy that passes."
    )
    seed: int | None = Field(None, description="Seed of all games; drawn and shown if omitted.")


@verb("write", keeps=False, group="play")
def write(store: str | None, settings: WriteSettings, runner: PlanRunner, limits: Limits | None = None) -> Finding:
    """Ask a model for a strategy as code, play it in a process without rights, and write it to a file."""
    check_platform()
    if not settings.llm or not settings.game:
        raise InputError("name a model and a game, as in 'ostrom write --llm openai:gpt-5-mini --game repeated'")
    if settings.output is not None:
        if settings.output.suffix != ".py":
            raise InputError(f"{field('output')} must be a .py file, not {settings.output.name}")
        check_writable(settings.output)
    game = GAMES.of_command(settings.game)
    task = Task(game, make_rules(game, _parsed(settings.rule)), author_of(settings.llm), settings)
    with open_journal(store, create=True) as journal:
        confirm_keys([task.author])
        check_models([task.author], limits or Limits())
        experiment = task.experiment(journal)
        tries = _ask(task, journal, experiment, runner, limits or Limits())
    return _finding(task, experiment, tries, settings.output or Path(f"{experiment}.py"))


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Raise InputError, since strategies are not resumed by `ostrom resume`. The error names the command."""
    at = at_store(printable_url(context.params["store"]))
    raise InputError(f"{experiment} is a model's strategies; repeat the same ostrom write{at}, with its --seed")


def author_of(name: str) -> Contestant:
    """Return the model or bot with this name. Raise InputError if the bot sets a grammar for answers."""
    known = name in bot_files() or name.endswith(".json") or ":" not in name
    bot = load_bot(name) if known else bot_of_model(name)
    if bot.grammar:
        raise InputError(f"{name} cannot write code: its bot file sets a grammar for answers")
    return ModelContestant(bot, WRITING.name)


def _parsed(rules: Sequence[str]) -> dict[str, Any]:
    """Return rules that are written as NAME=VALUE."""
    parsed: dict[str, Any] = {}
    for rule in rules:
        name, equals, value = rule.partition("=")
        if not equals:
            raise InputError(f"{field('rule', rule)}: write it as NAME=VALUE")
        try:
            parsed[name.strip().replace("-", "_")] = json.loads(value)
        except ValueError:
            parsed[name.strip().replace("-", "_")] = value
    return parsed


@dataclass(frozen=True)
class Task:
    """The task that a model gets."""

    game: Game
    rules: Any
    author: Contestant
    settings: WriteSettings

    @cached_property
    def seed(self) -> int:
        """The seed of all games."""
        return seed_or_random(self.settings.seed)

    @cached_property
    def known(self) -> list[StrategyEntry]:
        """The known strategies, which are the opponents of a trial."""
        if self.game.finals is None:
            raise InputError(f"{self.game.command} has no finals, so strategies cannot be compared")
        known = [entry for entry in choose(game=self.game.name) if entry.plays_by_default][:MAX_OPPONENTS]
        if not known:
            raise InputError(f"{self.game.command} has no strategies against which another could be tried")
        return known

    @cached_property
    def known_trials(self) -> dict[str, Trial]:
        """The trials of the known strategies."""
        return {entry.name: self.trial(entry) for entry in self.known}

    def trial(self, player: Contestant) -> Trial:
        """Return the trial of a strategy."""
        return try_strategy(self.game, self.rules, player, self.known, self.settings.games, self.seed)

    @cached_property
    def description(self) -> tuple[str, str]:
        """The rules of the game in words, and questions of it as data."""
        size = self.game.seats.usual or max(2, self.game.seats.fewest)
        table = [self.known[index % len(self.known)] for index in range(size)]
        match = play_match(self.game, self.rules, table, GameChance(self.seed, 0))
        asked: dict[str, list[Question]] = {}
        for decision in match.decisions:
            asked.setdefault(decision.question.phase, []).append(decision.question)
        briefing, framing = briefing_of(self.game.name), framing_of(self.game.name)
        words = rules_text(briefing, match.decisions[0].question, framing, GameChance(self.seed, 0))
        examples = []
        for own in asked.values():
            for place in dict.fromkeys([0, min(len(own) - 1, 2 * size)]):
                examples.append(json.dumps(plain_question(own[place])))
        return words, "\n".join(text for text in examples if len(text) <= _MAX_EXAMPLE) or examples[0][:_MAX_EXAMPLE]

    def request(self, number_: int, attempts: Sequence[Attempt]) -> Fixture:
        """Return the request for a strategy."""
        words, example = self.description
        rules = {
            "game": self.game.command,
            "description": words,
            "example": example,
            "known": tuple(entry.name for entry in self.known),
            "attempts": tuple(attempts),
        }
        return Fixture(f"try-{number_}", WRITING, make_rules(WRITING, rules), [self.author], GameChance(self.seed, 0))

    def experiment(self, journal: Journal) -> str:
        """Return the experiment of this task. It is created if there is none."""
        settings = {
            "game": self.game.name,
            "rules": self.rules.model_dump(mode="json"),
            "author": description(self.author),
            "games": self.settings.games,
            "seed": self.seed,
        }
        for row in journal.experiments():
            if row.kind == KIND and row.settings == settings:
                return row.id
        name = f"{self.game.command} by {self.author.name}"
        return journal.new_experiment(name, kind=KIND, settings=settings)


@dataclass(frozen=True)
class Try:
    """A strategy that the model wrote, and what came of it."""

    number: int
    code: str
    like: str
    plan: str
    problem: str
    """The reason why the strategy does not pass; empty if it passes."""
    trial: Trial | None

    def attempt(self, known: Mapping[str, Trial]) -> Attempt:
        """Return what the model is shown of this try."""
        if self.trial is None:
            return Attempt(code=self.code, outcome=f"It failed. {self.problem}")
        lines = [
            f"against {name}: you {own:.4g}, the others {other:.4g} on average"
            for name, own, other in zip(
                self.trial.opponents, self.trial.own.mean(axis=1), self.trial.others.mean(axis=1), strict=True
            )
        ]
        above = sum(one.mean > self.trial.mean for one in known.values())
        rank = f"{above} of {len(known)} known strategies earn more against the same opponents."
        outcome = f"It passed. Your mean is {self.trial.mean:.4g}; {rank}"
        return Attempt(code=self.code, outcome="\n".join([outcome, *lines[:_MAX_SHOWN_OPPONENTS]]))


def _ask(task: Task, journal: Journal, experiment: str, runner: PlanRunner, limits: Limits) -> list[Try]:
    """Return the tries. Those that the journal has are not asked for again."""
    tries: list[Try] = []
    attempts: list[Attempt] = []
    for number_ in range(1, task.settings.tries + 1):
        request = task.request(number_, attempts)
        if not _finished(journal, experiment, request.key):
            outcome = runner.conduct([request], journal, experiment, limits, task.settings.tries)
            for problem in outcome.problems("the request"):
                runner.warn(problem)
            if not _finished(journal, experiment, request.key):
                spent = outcome.stopped == "budget"
                reason = budget_word(journal, experiment, limits) if spent else "the model did not answer"
                runner.stop(
                    f"{reason}; {len(tries)} of {task.settings.tries} tries are finished. Run the same again with "
                    f"{field('seed', str(task.seed))} to continue"
                )
                break
        tries.append(evaluate(task, number_, *_answer(journal, experiment, request.key)))
        attempts.append(tries[-1].attempt(task.known_trials))
    return tries


def _finished(journal: Journal, experiment: str, key: str) -> bool:
    return any(row.key == key and row.state == "finished" for row in journal.games(experiment))


def _answer(journal: Journal, experiment: str, key: str) -> tuple[str, str, str]:
    """Return the code, the named strategy and the plan of a finished request. They are empty without a valid answer."""
    row = next(row for row in journal.games(experiment) if row.key == key and row.state == "finished")
    for event in journal.record(row.id).events:
        if event["event"] == "strategy_written":
            return _without_fence(event["code"]), event["like"], event["plan"]
    return "", NONE, ""


def _without_fence(code: str) -> str:
    """Return the code without a fence of backticks around it."""
    lines = code.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1].strip() == "```":
        lines = lines[1:-1]
    return "\n".join(lines) + "\n"


def evaluate(task: Task, number_: int, code: str, like: str, plan: str) -> Try:
    """Return a try with its trial, or with the reason why the code does not pass."""
    if not code.strip():
        return Try(number_, "", like, plan, "there was no valid answer", None)
    try:
        trial = task.trial(entry_of_code(f"{FAMILY}:try-{number_}@{digest_of(code)}", code))
    except PlayerFault as fault:
        return Try(number_, code, like, plan, clean(str(fault), 600), None)
    return Try(number_, code, like, plan, "", trial)


def _finding(task: Task, experiment: str, tries: Sequence[Try], output: Path) -> Finding:
    passed = [one for one in tries if one.trial is not None]
    best = max(passed, key=lambda one: one.trial.mean if one.trial else -math.inf, default=None)
    sentences = []
    if best is None:
        sentences.append("No strategy passed, so no file was written.")
    else:
        check_writable(output)
        output.write_text(best.code, encoding="utf-8")
        sentences.append(
            f"Try {best.number} is the best that passed. It is in {output}; seat it with --include {FAMILY}:{output}."
        )
    return Finding(
        verb="write",
        title=f"{task.game.title}: strategies by {task.author.name}",
        facts={
            "game": task.game.command,
            "author": task.author.name,
            "experiment": experiment,
            "seed": task.seed,
            "games": task.settings.games,
            "opponents": [entry.name for entry in task.known],
            "file": str(output) if best else None,
        },
        parts=[_tries_table(task, tries)],
        sentences=sentences,
        result=list(tries),
    )


def _tries_table(task: Task, tries: Sequence[Try]) -> Table:
    columns = [
        number("try", "try"),
        number("mean", f"mean {task.game.unit}", decimals(2), interval="beside", interval_heading="95 % interval"),
        number("above", "known that earn more"),
        Column("like", "stated like", wraps=True),
        number("from_stated", "distance from stated", decimals(3)),
        Column("nearest", "nearest known", wraps=True),
        number("from_nearest", "distance", decimals(3)),
        Column("problem", "problem", wraps=True),
    ]
    caption = (
        f"Games against {len(task.known)} known strategies, {task.settings.games} each. The interval is for other "
        "games against the same strategies. Distances are between fingerprints, the answers in the same games: 0 if "
        "two strategies answer alike, at most 1. Stated: the known strategy that the model itself named as most like "
        "its plan. Distances have no interval: they describe these games."
    )
    return Table("tries", columns, [_row(task, one) for one in tries], title="Tries", caption=caption)


def _row(task: Task, one: Try) -> dict[str, Any]:
    row = {"try": one.number, "like": one.like, "plan": one.plan, "problem": one.problem}
    empty = {"mean": None, "above": None, "from_stated": None, "nearest": "", "from_nearest": None}
    if one.trial is None:
        return {**row, **empty}
    known = task.known_trials
    gaps = {name: distance(one.trial, trial) for name, trial in known.items()}
    comparable = {name: gap for name, gap in gaps.items() if math.isfinite(gap)}
    nearest = min(comparable, key=lambda name: comparable[name], default="")
    return {
        **row,
        "mean": mean_estimate(one.trial),
        "above": sum(trial.mean > one.trial.mean for trial in known.values()),
        "from_stated": comparable.get(one.like),
        "nearest": nearest,
        "from_nearest": comparable.get(nearest),
    }


def mean_estimate(trial: Trial) -> Estimate:
    """Return the mean over opponents with equal weight, and its t interval over other games against them."""
    from scipy.special import stdtrit

    opponents, games = trial.own.shape
    error = math.sqrt(float(trial.own.var(axis=1, ddof=1).sum()) / games) / opponents
    reach = float(stdtrit(opponents * (games - 1), (1 + CONFIDENCE) / 2)) * error
    return Estimate(trial.mean, trial.mean - reach, trial.mean + reach)
