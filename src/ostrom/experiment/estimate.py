"""`--dry-run`: what an experiment will come to, without a single call.

A sample of the games is played with made-up answers and everything is composed, nothing sent. What is assumed:

- A player that answers at once plays as it will. A model gives a neutral legal answer: the middle of an amount, no
  choice where choosing nothing is allowed and else the first option, a text of half the words allowed, as few entries
  as a list may have; where that is not legal, the game's declared fallback. Every first reply is legal: re-asks and
  retries come on top.
- A prompt's tokens are its characters divided by 4; a reply comes to the typical number of tokens given, or to the most
  that the model may write, if that is less.
- Every call is charged by itself, at the model's own price.
- Every entrant of every game is in the sample at least once; an entrant's average per seat taken is multiplied by how
  often it sits in the whole schedule. The length of a game may depend on what is answered, as the exclusion of a seat
  does; then the estimate is off by as much.

The ceiling takes the same questions with every prompt and every reply at its bound.
"""

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
    """What the calls of one model will come to; averages of a sample, so not whole."""

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    dollars: float | None = 0.0
    """None where no price is known."""
    most_tokens: float = 0.0
    """If every prompt and reply is at its bound."""
    most_dollars: float | None = 0.0

    @property
    def tokens(self) -> float:
        return self.input_tokens + self.output_tokens

    def add(self, other: "ModelEstimate", times: float = 1.0) -> None:
        """Add another one several times; of a sum in which one has no price, none is known."""
        for name in self.__slots__:
            one, more = getattr(self, name), getattr(other, name)
            setattr(self, name, None if one is None or more is None else one + more * times)


@dataclass(slots=True)
class ScheduleEstimate:
    """What a schedule will come to, and at most."""

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
    """One contestant in one kind of game, over the sample."""

    model: str | None = None
    price: Price | None = None
    times: int = 0
    sums: ModelEstimate = field(default_factory=ModelEstimate)


def estimate(
    fixtures: Iterable[Fixture], *, typical_output: int = TYPICAL_OUTPUT, sample: int = SAMPLE
) -> ScheduleEstimate:
    """Estimate a schedule; its fixtures are gone through once, and a few of them played."""
    appearances: Counter[tuple[str, str]] = Counter()
    entrants: dict[tuple[str, str], _Entrant] = {}
    result = ScheduleEstimate()
    for fixture in fixtures:
        result.games += 1
        who = [(fixture.game.name, contestant.name) for contestant in fixture.contestants]
        appearances.update(who)
        if result.sampled < sample or any(entrant not in entrants for entrant in who):
            result.sampled += 1
            _play(fixture, [entrants.setdefault(key, _Entrant()) for key in who], typical_output)
    for key, entrant in entrants.items():
        if entrant.model is not None:
            model = result.models.setdefault(entrant.model, ModelEstimate())
            model.add(entrant.sums, appearances[key] / entrant.times)
    return result


def neutral(question: Question) -> specs.Value:
    """A legal answer that takes no side, or the declared fallback."""
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
        return {name: _middle(each) for name, each in spec.specs.items()}
    if isinstance(spec, specs.Several):
        return [_middle(spec.of)] * spec.fewest
    return None


@dataclass(frozen=True, slots=True)
class Room:
    """How many calls of a model a budget allows at once, as every call reserves the most that it can come to."""

    calls: int
    request: Request

    def said(self, model: str) -> str:
        """A sentence for users."""
        cost = f"${self.request.most_cost:,.4f}" if self.request.most_cost else "nothing"
        tokens = self.request.most_input + self.request.most_output
        return (
            f"the budget allows {number_of(self.calls, 'call')} of {model} at once: until it is back, one counts as "
            f"{tokens:,} tokens and {cost}, with a reply of {self.request.most_output:,} tokens"
        )


def rooms(fixtures: Iterable[Fixture], limits: Limits, spent: Spent = NOTHING) -> dict[str, Room]:
    """The room for the calls of each model, by its first question; nothing where there is no budget."""
    if limits.budget is None and limits.token_budget is None:
        return {}
    found: dict[str, Room] = {}
    for fixture in islice(fixtures, SAMPLE):
        players = take_seats(fixture)
        driver = Driver(fixture.game.play(fixture.rules, Table(seats(len(players)), fixture.chance)))
        for question in driver.step or ():
            player = players[question.seat.index]
            if is_remote(player) and not is_person(player.endpoint.model) and player.endpoint.model not in found:
                request = player.compose(question, ())
                found[player.endpoint.model] = Room(_calls_within(limits, spent, request), request)
        driver.close()
    return found


def _calls_within(limits: Limits, spent: Spent, request: Request) -> int:
    most = [limits.calls, limits.per_provider]
    if limits.token_budget is not None:
        most.append((limits.token_budget - spent.tokens) // max(1, request.most_input + request.most_output))
    if limits.budget is not None and request.most_cost > 0:
        most.append(int((limits.budget - spent.dollars) / request.most_cost))
    return max(0, min(most))
