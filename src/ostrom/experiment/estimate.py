"""What a schedule will come to, without a single call: for `--dry-run`.

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
from collections.abc import Iterable
from dataclasses import dataclass, field

from ostrom.core import (
    Amount,
    Answer,
    Call,
    Choice,
    Driver,
    Fields,
    IllegalAnswer,
    Question,
    Several,
    Spec,
    Table,
    Text,
    Value,
    seats,
)
from ostrom.experiment.match import Fixture
from ostrom.experiment.remote_match import take_seats
from ostrom.players.base import Price, RemotePlayer, ask, is_remote

CHARACTERS_PER_TOKEN = 4
TYPICAL_OUTPUT = 150
SAMPLE = 20


@dataclass(slots=True)
class ModelEstimate:
    """What the calls of one model will come to."""

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    dollars: float | None = 0.0
    """None where no price is known."""
    most_tokens: float = 0.0
    most_dollars: float | None = 0.0

    @property
    def tokens(self) -> float:
        """Both ways together."""
        return self.input_tokens + self.output_tokens


@dataclass(slots=True)
class ScheduleEstimate:
    """What a schedule will come to, and at most; averages of a sample, so not whole."""

    games: int = 0
    sampled: int = 0
    models: dict[str, ModelEstimate] = field(default_factory=dict)

    @property
    def calls(self) -> float:
        """Calls of all models."""
        return sum(model.calls for model in self.models.values())

    @property
    def tokens(self) -> float:
        """Tokens of all models."""
        return sum(model.tokens for model in self.models.values())

    @property
    def most_tokens(self) -> float:
        """Tokens of all models if every prompt and reply is at its bound."""
        return sum(model.most_tokens for model in self.models.values())

    @property
    def dollars(self) -> float | None:
        """Dollars for all models, or None if the price of one is not known."""
        return _total(model.dollars for model in self.models.values())

    @property
    def most_dollars(self) -> float | None:
        """Dollars if every prompt and reply is at its bound."""
        return _total(model.most_dollars for model in self.models.values())


@dataclass(slots=True)
class _Seat:
    """The requests of one seat in one sampled game, added up."""

    calls: int = 0
    characters: int = 0
    output: int = 0
    cost: float = 0.0
    most_input: int = 0
    most_output: int = 0
    most_cost: float = 0.0


@dataclass(slots=True)
class _Entrant:
    """One contestant in one kind of game, over the sample."""

    model: str | None = None
    price: Price | None = None
    times: int = 0
    sums: _Seat = field(default_factory=_Seat)


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
            _play(fixture, who, entrants, typical_output)
    for key, entrant in entrants.items():
        if entrant.model is not None:
            model = result.models.setdefault(entrant.model, ModelEstimate())
            _add(model, entrant, appearances[key] / entrant.times)
    return result


def neutral(question: Question) -> Value:
    """A legal answer that takes no side, or the declared fallback."""
    try:
        return question.spec.validate(_middle(question.spec))
    except IllegalAnswer:
        return question.fallback


def _play(
    fixture: Fixture,
    who: list[tuple[str, str]],
    entrants: dict[tuple[str, str], _Entrant],
    typical_output: int,
) -> None:
    players = take_seats(fixture)
    for key, player in zip(who, players, strict=True):
        entrant = entrants.setdefault(key, _Entrant())
        entrant.times += 1
        if is_remote(player):
            entrant.model, entrant.price = player.endpoint.model, player.endpoint.price
    table = Table(seats(len(players)), fixture.chance)

    def decide(question: Question) -> Answer:
        index = question.seat.index
        player = players[index]
        if is_remote(player):
            return _compose(player, question, entrants[who[index]], typical_output)
        return ask(fixture.contestants[index].name, player, question)

    Driver(fixture.game.play(fixture.rules, table)).play_on(decide)


def _compose(player: RemotePlayer, question: Question, entrant: _Entrant, typical_output: int) -> Answer:
    request = player.compose(question, ())
    sums = entrant.sums
    sums.calls += 1
    characters = sum(len(line.text) for line in request.prompt)
    output = min(request.most_output, typical_output)
    sums.characters += characters
    sums.output += output
    if entrant.price is not None:
        sums.cost += entrant.price(round(characters / CHARACTERS_PER_TOKEN), output)
    sums.most_input += request.most_input
    sums.most_output += request.most_output
    sums.most_cost += request.most_cost
    answer = Answer(neutral(question))
    reply = json.dumps(answer.value)
    player.remember(question, [Call(1, "", player.endpoint.model, request.settings, request.prompt, reply)], answer)
    return answer


def _middle(spec: Spec) -> object:
    if isinstance(spec, Amount):
        middle = (spec.low + spec.high) / 2
        return int(middle) if spec.whole else middle
    if isinstance(spec, Choice):
        return None if None in spec.options else spec.options[0]
    if isinstance(spec, Text):
        return " ".join(["word"] * (spec.max_words // 2))
    if isinstance(spec, Fields):
        return {name: _middle(each) for name, each in spec.specs.items()}
    if isinstance(spec, Several):
        return [_middle(spec.of)] * spec.fewest
    return None


def _add(model: ModelEstimate, entrant: _Entrant, factor: float) -> None:
    sums = entrant.sums
    model.calls += sums.calls * factor
    model.input_tokens += sums.characters / CHARACTERS_PER_TOKEN * factor
    model.output_tokens += sums.output * factor
    model.most_tokens += (sums.most_input + sums.most_output) * factor
    if entrant.price is None or model.dollars is None or model.most_dollars is None:
        model.dollars = model.most_dollars = None
        return
    model.most_dollars += sums.most_cost * factor
    model.dollars += sums.cost * factor


def _total(parts: Iterable[float | None]) -> float | None:
    total = 0.0
    for part in parts:
        if part is None:
            return None
        total += part
    return total
