"""Estimate the cost of an experiment without a call (dry run).

A sample of the games is played with neutral answers; prompts are composed, but not sent. The assumptions:

- Algorithms play as they will. A model gives a neutral legal answer: the middle of an amount, no choice if that is
  allowed and else the first option, a text of half the allowed words, the shortest list; else the game's fallback.
  Every first reply is legal, so that retries are extra.
- A prompt has one token per 4 characters; a reply has the typical number of tokens, or the model's maximum if that is
  less.
- Every call is charged separately at the model's price.
- Every entrant of every game is in the sample at least once; its mean per seat is multiplied by its appearances in the
  schedule. If the length of a game depends on the answers, the estimate is off accordingly.

The ceiling uses the same questions with every prompt and reply at its maximum length."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ostrom.core import Answer, Call, Driver, IllegalAnswer, Question, Table, seats, specs
from ostrom.core.text import number_of
from ostrom.experiment.limits import NOTHING, Limits, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.runner import take_seats
from ostrom.players.base import Price, RemotePlayer, Request, ask, is_remote
from ostrom.players.people.seat import is_person

CHARACTERS_PER_TOKEN = 4
TYPICAL_OUTPUT = 150
SAMPLE = 20


@dataclass(slots=True)
class ModelEstimate:
    """The expected calls of one model; means of a sample, so not integers."""

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    dollars: float | None = 0.0
    """None without a known price."""
    most_tokens: float = 0.0
    """With every prompt and reply at its maximum length."""
    most_dollars: float | None = 0.0

    @property
    def tokens(self) -> float:
        return self.input_tokens + self.output_tokens

    def add(self, other: "ModelEstimate", times: float = 1.0) -> None:
        """Add a multiple of another estimate; a sum with an unknown price is unknown."""
        for name in self.__slots__:
            value, increment = getattr(self, name), getattr(other, name)
            setattr(self, name, None if value is None or increment is None else value + increment * times)


@dataclass(slots=True)
class ScheduleEstimate:
    """The expected and the maximum cost of a schedule, by model."""

    games: int = 0
    sampled: int = 0
    models: dict[str, ModelEstimate] = field(default_factory=dict)

    @property
    def total(self) -> ModelEstimate:
        total = ModelEstimate()
        for model in self.models.values():
            total.add(model)
        return total


@dataclass(slots=True)
class _Entrant:
    """A contestant in one kind of game, summed over the sample."""

    model: str | None = None
    price: Price | None = None
    times: int = 0
    sums: ModelEstimate = field(default_factory=ModelEstimate)


def estimate(
    fixtures: Iterable[Fixture], *, typical_output: int = TYPICAL_OUTPUT, sample: int = SAMPLE
) -> ScheduleEstimate:
    """Estimate the cost of a schedule by playing a sample of its fixtures."""
    appearances: Counter[tuple[str, str]] = Counter()
    entrants: dict[tuple[str, str], _Entrant] = {}
    result = ScheduleEstimate()
    for fixture in fixtures:
        result.games += 1
        keys = [(fixture.game.name, contestant.name) for contestant in fixture.contestants]
        appearances.update(keys)
        if result.sampled < sample or any(key not in entrants for key in keys):
            result.sampled += 1
            _play(fixture, [entrants.setdefault(key, _Entrant()) for key in keys], typical_output)
    for key, entrant in entrants.items():
        if entrant.model is not None:
            model = result.models.setdefault(entrant.model, ModelEstimate())
            model.add(entrant.sums, appearances[key] / entrant.times)
    return result


def neutral(question: Question) -> specs.Value:
    """Return a neutral legal answer, or the declared fallback."""
    try:
        return question.spec.validate(_middle(question.spec))
    except IllegalAnswer:
        return question.fallback


def _play(fixture: Fixture, entrants: Sequence[_Entrant], typical_output: int) -> None:
    players = take_seats(fixture)
    for entrant, player in zip(entrants, players, strict=True):
        entrant.times += 1
        if is_remote(player):
            entrant.model, entrant.price = player.endpoint.model, player.endpoint.price
    table = Table(seats(len(players)), fixture.chance)

    def decide(question: Question) -> Answer:
        index = question.seat.index
        player = players[index]
        if is_remote(player):
            return _compose(player, question, entrants[index], typical_output)
        return ask(fixture.contestants[index].name, player, question)

    Driver(fixture.game.play(fixture.rules, table)).play_on(decide)


def _compose(player: RemotePlayer, question: Question, entrant: _Entrant, typical_output: int) -> Answer:
    request = player.compose(question, ())
    characters = sum(len(line.text) for line in request.prompt)
    output, price = min(request.most_output, typical_output), entrant.price
    entrant.sums.add(
        ModelEstimate(
            calls=1,
            input_tokens=characters / CHARACTERS_PER_TOKEN,
            output_tokens=output,
            dollars=None if price is None else price(round(characters / CHARACTERS_PER_TOKEN), output),
            most_tokens=request.most_input + request.most_output,
            most_dollars=None if price is None else request.most_cost,
        )
    )
    answer = Answer(neutral(question))
    reply = json.dumps(answer.value)
    player.remember(question, [Call(1, "", player.endpoint.model, request.settings, request.prompt, reply)], answer)
    return answer


def _middle(spec: specs.Spec) -> object:
    if isinstance(spec, specs.Amount):
        middle = (spec.low + spec.high) / 2
        return int(middle) if spec.whole else middle
    if isinstance(spec, specs.Choice):
        return None if None in spec.options else spec.options[0]
    if isinstance(spec, specs.Text):
        return " ".join(["word"] * (spec.max_words // 2))
    if isinstance(spec, specs.Fields):
        return {name: _middle(entry) for name, entry in spec.specs.items()}
    if isinstance(spec, specs.Several):
        return [_middle(spec.of)] * spec.fewest
    return None


@dataclass(frozen=True, slots=True)
class CallsWithinBudget:
    """The number of concurrent calls of a model that a budget allows, since each reserves its maximum cost."""

    calls: int
    request: Request

    def describe(self, model: str) -> str:
        """Return a sentence for users."""
        cost = f"${self.request.most_cost:,.4f}" if self.request.most_cost else "nothing"
        tokens = self.request.most_input + self.request.most_output
        return (
            f"the budget allows {number_of(self.calls, 'call')} of {model} at once: until it is back, one counts as "
            f"{tokens:,} tokens and {cost}, with a reply of {self.request.most_output:,} tokens"
        )


def calls_within_budget(
    fixtures: Iterable[Fixture], limits: Limits, spent: Spent = NOTHING
) -> dict[str, CallsWithinBudget]:
    """Return the number of concurrent calls by model, computed from its first question; empty without a budget."""
    if limits.budget is None and limits.token_budget is None:
        return {}
    by_model: dict[str, CallsWithinBudget] = {}
    for fixture in islice(fixtures, SAMPLE):
        players = take_seats(fixture)
        driver = Driver(fixture.game.play(fixture.rules, Table(seats(len(players)), fixture.chance)))
        for question in driver.step or ():
            player = players[question.seat.index]
            if is_remote(player) and not is_person(player.endpoint.model) and player.endpoint.model not in by_model:
                request = player.compose(question, ())
                by_model[player.endpoint.model] = CallsWithinBudget(_max_calls(limits, spent, request), request)
        driver.close()
    return by_model


def _max_calls(limits: Limits, spent: Spent, request: Request) -> int:
    bounds = [limits.calls, limits.per_provider]
    if limits.token_budget is not None:
        bounds.append((limits.token_budget - spent.tokens) // max(1, request.most_input + request.most_output))
    if limits.budget is not None and request.most_cost > 0:
        bounds.append(int((limits.budget - spent.dollars) / request.most_cost))
    return max(0, min(bounds))
