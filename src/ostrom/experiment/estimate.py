"""Estimate the cost of an experiment without a call (dry run).

A sample of the games is played with neutral answers; prompts are composed, but not sent. The assumptions:

- Algorithms play as usual. A model gives a neutral legal answer: the middle of an amount; no choice if that is allowed,
  and otherwise the first option; a text of half the allowed words; the shortest list; and the game's fallback for all
  other questions. Every first reply is legal, so retries are not included.
- A prompt has one token per 4 characters. A reply has the typical number of tokens, or the model's maximum if that is
  less.
- Every call is charged separately at the model's price.
- With a prompt cache, the longest prefix that an earlier prompt of the same model had is read from the cache. It has at
  least 1,024 tokens, in blocks of 128. The rest of a prompt of at least this length is written to the cache. Concurrent
  calls share less than this, and a cache forgets a prefix after minutes.
- Every entrant of every game is in the sample at least once. Its mean per seat is multiplied by its appearances in the
  schedule. If the length of a game depends on the answers, the estimate is off accordingly.

The ceiling uses the same questions with every prompt and reply at its maximum length."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol, TypeAlias

from ostrom.core import Answer, Call, Driver, IllegalAnswer, Question, Table, Usage, seats, specs
from ostrom.core.prefixes import CHARACTERS_PER_TOKEN, SHORTEST_TOKENS, prefix_digests, prompt_text
from ostrom.experiment.limits import NOTHING, Limits, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.runner import take_seats
from ostrom.players.base import Price, RemotePlayer, Request, ask, is_remote
from ostrom.players.people.seat import is_person

TYPICAL_OUTPUT = 150
SAMPLE = 20


@dataclass(slots=True)
class ModelEstimate:
    """The expected calls, tokens and dollars of one model. They are means over a sample, so they need not be
    integers."""

    calls: float = 0.0
    input_tokens: float = 0.0
    cached_tokens: float = 0.0
    """The number of input tokens that a prompt cache can serve."""
    output_tokens: float = 0.0
    dollars: float | None = 0.0
    """The expected cost; None if the model's price is unknown."""
    cached_dollars: float | None = 0.0
    """The expected cost with a prompt cache."""
    most_tokens: float = 0.0
    """The number of tokens if every prompt and reply has its maximum length."""
    most_dollars: float | None = 0.0

    @property
    def tokens(self) -> float:
        return self.input_tokens + self.output_tokens

    @property
    def cached_share(self) -> float:
        """The share of the input that a prompt cache can serve."""
        return self.cached_tokens / self.input_tokens if self.input_tokens else 0.0

    def add(self, other: "ModelEstimate", times: float = 1.0) -> None:
        """Add a multiple of another estimate. A sum is unknown if one of its prices is unknown."""
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
    """The usage of a contestant in one kind of game, added up over the sample."""

    model: str | None = None
    price: Price | None = None
    times: int = 0
    sums: ModelEstimate = field(default_factory=ModelEstimate)


_Prefixes: TypeAlias = defaultdict[str, set[tuple[int, bytes]]]
"""The length and digest of each prefix of earlier prompts, by model."""


def estimate(
    fixtures: Iterable[Fixture], *, typical_output: int = TYPICAL_OUTPUT, sample: int = SAMPLE
) -> ScheduleEstimate:
    """Estimate the cost of a schedule by playing a sample of its fixtures."""
    appearances: Counter[tuple[str, str]] = Counter()
    entrants: dict[tuple[str, str], _Entrant] = {}
    prefixes: _Prefixes = defaultdict(set)
    result = ScheduleEstimate()
    for fixture in fixtures:
        result.games += 1
        keys = [(fixture.game.name, contestant.name) for contestant in fixture.contestants]
        appearances.update(keys)
        if result.sampled < sample or any(key not in entrants for key in keys):
            result.sampled += 1
            _play(fixture, [entrants.setdefault(key, _Entrant()) for key in keys], prefixes, typical_output)
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


def _play(fixture: Fixture, entrants: Sequence[_Entrant], prefixes: _Prefixes, typical_output: int) -> None:
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
            return _compose(player, question, entrants[index], prefixes[player.endpoint.model], typical_output)
        return ask(fixture.contestants[index].name, player, question)

    Driver(fixture.game.play(fixture.rules, table)).play_on(decide)


def _compose(
    player: RemotePlayer, question: Question, entrant: _Entrant, prefixes: set[tuple[int, bytes]], typical_output: int
) -> Answer:
    request = player.compose(question, ())
    tokens = sum(len(line.text) for line in request.prompt) / CHARACTERS_PER_TOKEN
    cached = _cached_tokens(prompt_text((line.role, line.text) for line in request.prompt), prefixes)
    cached = min(cached, int(tokens))
    written = round(tokens) - cached if tokens >= SHORTEST_TOKENS else 0
    output, price = min(request.most_output, typical_output), entrant.price
    entrant.sums.add(
        ModelEstimate(
            calls=1,
            input_tokens=tokens,
            cached_tokens=cached,
            output_tokens=output,
            dollars=None if price is None else price(Usage(round(tokens), output)),
            cached_dollars=None if price is None else price(Usage(round(tokens), output, cached, written)),
            most_tokens=request.most_input + request.most_output,
            most_dollars=None if price is None else request.most_cost,
        )
    )
    answer = Answer(neutral(question))
    reply = json.dumps(answer.value)
    player.remember(question, [Call(1, "", player.endpoint.model, request.settings, request.prompt, reply)], answer)
    return answer


def _cached_tokens(text: str, prefixes: set[tuple[int, bytes]]) -> int:
    """Return the number of tokens in the longest prefix that this text has in common with an earlier prompt. Also add
    the prefixes of this text to those of earlier prompts."""
    own = list(prefix_digests(text))
    longest = max((end for end, digest in own if (end, digest) in prefixes), default=0)
    prefixes.update(own)
    return longest // CHARACTERS_PER_TOKEN


def _middle(spec: specs.Spec) -> object:
    if isinstance(spec, specs.Amount):
        middle = (spec.low + spec.high) / 2
        return int(middle) if spec.whole else middle
    if isinstance(spec, specs.Choice):
        return None if None in spec.options else spec.options[0]
    if isinstance(spec, specs.Text):
        return " ".join(["word"] * (spec.max_words // 2))
    if isinstance(spec, specs.Fields):
        values: dict[str, object] = {}
        for name, entry in spec.specs.items():
            asked = not isinstance(entry, specs.When) or entry.asked(values)  # type: ignore[arg-type]
            values[name] = _middle(entry) if asked else None
        return values
    if isinstance(spec, specs.Optional | specs.When):
        return _middle(spec.of)
    if isinstance(spec, specs.Several):
        return [_middle(spec.of)] * spec.fewest
    return None


MAX_SAMPLED_TABLES: Final = 2_000
"""The largest number of games of a plan whose players are counted. All other games are assumed to have players in the
same proportions."""


class SchedulePlan(Protocol):
    """A plan whose games can be estimated."""

    @property
    def games(self) -> int: ...

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games."""


def expected_decisions(planned: SchedulePlan) -> float:
    """Return the expected number of decisions of models in all games of a plan, from a sample."""
    sampled = estimate(islice(planned.fixtures(), MAX_SAMPLED_TABLES))
    return sampled.total.calls * planned.games / max(1, sampled.games)


@dataclass(frozen=True, slots=True)
class CallsWithinBudget:
    """The number of concurrent calls of a model that a budget allows. The budget limits this number because each call
    reserves its maximum cost."""

    calls: int
    request: Request

    @property
    def reserved(self) -> str:
        """A text with the maximum cost of a call, which each call reserves."""
        if self.request.most_cost:
            return f"${self.request.most_cost:,.4f}"
        return f"{self.request.most_input + self.request.most_output:,} tokens"


def describe_rooms(rooms: Mapping[str, CallsWithinBudget]) -> list[str]:
    """Return sentences on the concurrent calls that a budget allows. Models with the same numbers share a sentence."""
    models: dict[tuple[int, str], list[str]] = {}
    for model, room in rooms.items():
        models.setdefault((room.calls, room.reserved), []).append(model)
    sentences = []
    for (calls, reserved), names in models.items():
        subject = "Each call" if len(models) == 1 else f"Each call of {', '.join(names)}"
        sentences.append(f"{subject} reserves up to {reserved} until its answer is in; {calls:,} can run at once.")
    return sentences


def calls_within_budget(
    fixtures: Iterable[Fixture], limits: Limits, spent: Spent = NOTHING
) -> dict[str, CallsWithinBudget]:
    """Return the number of concurrent calls that the budget allows, by model. It is computed from the first question to
    each model. Without a budget, the result is empty."""
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
