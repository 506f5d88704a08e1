"""Games as tasks of Inspect: `inspect eval ostrom/GAME --model …`. The model under test has one seat or all seats, and
strategies play the other seats. Prompts are the same as in experiments of Ostrom, and are sent through Inspect's model
interface. The scores are the measures of Ostrom's report. Inspect imports this module by its entry point."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from ostrom.analysis.measures import by_player
from ostrom.analysis.study import Study, study_of_game
from ostrom.core import Answer, Call, Driver, GameChance, InputError, Provenance, Question, Table, Usage, seats
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.telling import transcript_lines
from ostrom.experiment.match import Decision, Match, record_of
from ostrom.journal.record import IN_LOGS, GameRecord
from ostrom.players.base import Contestant, Endpoint, Player, Reply, Unanswered, ask
from ostrom.players.models.bots import Bot, Form
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.player import BriefedPlayer
from ostrom.players.roster import contestants_of, opponents_of, take_seat

_ROLES: Mapping[str, type[Any]] = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant}
_STOP_REASONS = {"max_tokens": "length", "model_length": "length"}
"""Inspect's names for stop reasons, mapped to those of Ostrom's reader of replies."""


def task_of(game: Game) -> Callable[..., Task]:
    """Return the Inspect task of a game."""

    def play_game(
        games: int = 10,
        players: str | list[str] | None = None,
        seat: int | str = 0,
        seats: int | None = None,
        rules: dict[str, Any] | None = None,
        seed: int = 0,
        attempts: int = 3,
        form: Form = "tags",
    ) -> Task:
        """Play this many games. `players` have the other seats, by default the game's first built-in players. `seat` is
        the model's seat, by number or role; 'roles' gives it each role in turn, and 'all' gives it all `seats`. `rules`
        are settings by name. Game k of the seed is the same game for every model. After `attempts` failed attempts at a
        question, its fallback is used."""
        if games < 1 or attempts < 1:
            raise InputError("games and attempts must be at least 1")
        valid_rules = make_rules(game, rules)
        others = _others(game, players, seat, seats)
        count = (seats or game.seats.usual or game.seats.fewest) if seat == "all" else len(others) + 1
        game.check_seats(count)
        own = _own_seats(game, seat, count)
        rules_json = valid_rules.model_dump(mode="json")
        samples = [
            Sample(
                id=f"{game.name}-{number}",
                input=f"{game.title}: {game.summary}. Game {number} of seed {seed}.",
                metadata={"game": game.name, "rules": rules_json, "seed": seed, "number": number, "seats": places},
            )
            for number, places in zip(range(games), cycle(own))
        ]
        return Task(
            dataset=MemoryDataset(samples, name=game.name),
            solver=play([opponent.name for opponent in others], attempts, form),
            scorer=result(),
            version=game.version,
        )

    play_game.__name__ = game.name
    decorated: Callable[..., Task] = task(name=game.name)(play_game)
    return decorated


def _own_seats(game: Game, seat: int | str, count: int) -> list[list[int]]:
    """Return the model's seats in each of the first games. Later games repeat this sequence."""
    if seat == "all":
        return [list(range(count))]
    if seat != "roles":
        return [[game.find_seat(seat, count)]]
    if game.roles is None:
        raise InputError(f"the seats of {game.command} have no roles; give the number of a seat")
    return [[game.find_seat(role, count)] for role in dict.fromkeys(game.role_names(count))]


def _others(game: Game, players: str | list[str] | None, seat: int | str, seats: int | None) -> list[Contestant]:
    if seat == "all":
        if players:
            raise InputError("the model holds all seats; omit the players, or give it one seat")
        return []
    names = [name.strip() for name in players.split(",")] if isinstance(players, str) else players
    return opponents_of(game, names, others=None if seats is None else seats - 1)


@solver
def play(players: Sequence[str], attempts: int, form: Form) -> Solver:
    """Play the game of a sample, with these players at the other seats."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        match = await _SampleGame(state, players, attempts, form).play()
        lines_by_event = transcript_lines(match.game, match.rules, match.events, match.names)
        transcript().info("\n".join(line for lines in lines_by_event for line in lines), source="ostrom")
        state.metadata[IN_LOGS] = record_of(match).model_dump(mode="json")
        state.completed = True
        return state

    return solve


class _SampleGame:
    """One game with the model under test at its seats."""

    def __init__(self, state: TaskState, players: Sequence[str], attempts: int, form: Form) -> None:
        about = state.metadata
        self._state, self._attempts = state, attempts
        self._game = GAMES[about["game"]]
        self._rules = make_rules(self._game, about["rules"])
        self._chance = GameChance(about["seed"], about["number"])
        others = contestants_of(self._game, players) if players else []
        own, count = list(about["seats"]), len(about["seats"]) + len(others)
        self._model: Model = get_model()
        bot = Bot(name=str(self._model), model=str(self._model).replace(" ", "-"), form=form)
        endpoint, framing = Endpoint(bot.model, "inspect", None), framing_of(self._game.name)
        self._own = {
            place: BriefedPlayer(bot, endpoint, form, briefing_of(self._game.name), framing, self._chance)
            for place in own
        }
        places = [place for place in range(count) if place not in own]
        self._others: dict[int, Player] = {
            place: take_seat(other, place, self._chance) for place, other in zip(places, others, strict=True)
        }
        names = dict(zip(places, (other.name for other in others), strict=True))
        self._names = [names.get(place, bot.name) for place in range(count)]
        self._state.messages = []

    async def play(self) -> Match:
        """Play to the end."""
        table = Table(seats(len(self._names)), self._chance)
        driver, decisions = Driver(self._game.play(self._rules, table)), []
        while driver.step is not None:
            # Questions are asked concurrently. No player sees another's answer before all have answered.
            answers = await collect(*(self._answer(question) for question in driver.step))
            decisions += [Decision(question, answer) for question, answer in zip(driver.step, answers, strict=True)]
            driver.advance(list(answers))
        names = tuple(self._names)
        return Match(self._game, self._rules, self._chance, names, tuple(decisions), tuple(table.events))

    async def _answer(self, question: Question) -> Answer:
        place = question.seat.index
        if place in self._others:
            return ask(self._names[place], self._others[place], question)
        player, past = self._own[place], list[Call]()
        answer: Answer | None = None
        while answer is None:
            answer = await self._attempt(player, question, past)
            if answer is None and len(past) >= self._attempts:
                answer = Answer(question.fallback, Provenance.DEFAULTED, fault=past[-1].fault)
        player.remember(question, past, answer)
        return answer

    async def _attempt(self, player: BriefedPlayer, question: Question, past: list[Call]) -> Answer | None:
        """Ask the question once more. Return None if the reply has no legal answer. Inspect repeats a request after a
        transport error. If the last request fails too, its error becomes the error of the sample."""
        prompt = player.compose(question, past).prompt
        messages: list[ChatMessage] = [_ROLES.get(line.role, ChatMessageUser)(content=line.text) for line in prompt]
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        output = await self._model.generate(messages)
        self._note(messages, output)
        reply = _reply(output)
        call = Call(len(past) + 1, at, output.model, {}, tuple(prompt), reply=reply.text, usage=reply.usage)
        try:
            answer = player.read(question, reply)
        except Unanswered as unanswered:
            past.append(replace(call, fault=unanswered.fault, error=unanswered.reason))
            return None
        past.append(call)
        refused = len(past) > 1
        return Answer(answer.value, Provenance.REPAIRED if refused else Provenance.ANSWERED, cut=answer.cut)

    def _note(self, messages: list[ChatMessage], output: ModelOutput) -> None:
        """Add the rules, if they are not there yet, and then each question with its reply to the sample's
        conversation."""
        known = {message.text for message in self._state.messages if message.role == "system"}
        new_rules = [message for message in messages if message.role == "system" and message.text not in known]
        self._state.messages += [*new_rules, messages[-1], output.message]
        self._state.output = output


def _reply(output: ModelOutput) -> Reply:
    tokens = output.usage
    usage = Usage(tokens.input_tokens, tokens.output_tokens) if tokens is not None else Usage()
    stop_reason = _STOP_REASONS.get(output.stop_reason, output.stop_reason)
    return Reply(output.completion, usage, None, stop_reason, {"model": output.model})


@metric
def measures() -> Metric:
    """Compute the measures of Ostrom's report over all games of the log, for the model under test."""

    def compute(scores: list[SampleScore]) -> Value:
        records = [
            (str(sample.sample_id), "inspect", GameRecord.model_validate((sample.score.metadata or {})[IN_LOGS]))
            for sample in scores
        ]
        own = (scores[0].score.metadata or {})["player"]
        values: dict[str, str | int | float | bool | None] = {**player_measures(records).get(own, {})}
        return values

    return compute


def player_measures(records: Sequence[tuple[str, str, GameRecord]]) -> dict[str, dict[str, float]]:
    """Return the measures by player. Only measures with one figure per player, or one figure per role of a player, are
    included. Each of `records` has a game id, an experiment id and a record."""
    study = study_of_game(GAMES[records[0][2].game])
    if not isinstance(study, Study):
        return {}
    tables = study.tables(records)
    values: dict[str, dict[str, float]] = {}
    for whole in study.measures.values():
        if "player" not in whole.by:
            continue
        for measure, frame in by_player(whole, whole.function(tables)):
            for row in frame.drop_nulls("value").iter_rows(named=True):
                values.setdefault(row["player"], {})[measure.name] = float(row["value"])
    return values


@scorer(metrics=[mean(), measures()])
def result() -> Scorer:
    """Score the mean final payoff of the model's seats, even in games where a lower payoff is better. The metadata has
    the game."""

    async def score(state: TaskState, target: Target) -> Score:
        record = GameRecord.model_validate(state.metadata[IN_LOGS])
        game = GAMES[record.game]
        events = [game.events.decode(event) for event in record.events]
        finals = [None] * len(record.seats) if game.finals is None else game.finals(events)
        own = list(state.metadata["seats"])
        payoffs = [final for place in own if (final := finals[place]) is not None]
        metadata = {IN_LOGS: state.metadata[IN_LOGS], "player": record.seats[own[0]].player}
        explanation = ", ".join(f"{seat.player} {final}" for seat, final in zip(record.seats, finals, strict=True))
        value = sum(payoffs) / len(payoffs) if payoffs else 0.0
        return Score(value=float(value), explanation=explanation, metadata=metadata)

    return score


TASKS = {name: task_of(game) for name, game in GAMES.items() if not game.instrument}
"""Every playable game, by its name in records."""
