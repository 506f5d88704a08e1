"""The scene of voluntary contributions: seats around a fund, with their messages, contributions and points."""

from typing import Any

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Middle, Say, Sentence, Set, Telling, Transfer, listed, sentence
from ostrom.core.scene import Card, Centre, Flow, Phase, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.games.contributions.events import (
    AssignedPoints,
    ContributionsEnded,
    ContributionsMessageSaid,
    PointsAssigned,
    RoundContributed,
    RoundPaid,
)
from ostrom.games.contributions.points import cost_of
from ostrom.games.contributions.rules import AT_ONCE, DEDUCT, KNOWN, ContributionsRules


def scene(rules: ContributionsRules, seats: int) -> Scene:
    """Return a scene in which the seats, with their earnings, are around the fund."""
    talk = "Messages at once" if rules.talk == AT_ONCE else "Messages"
    phases = [Phase(name="speak", title=talk)] if rules.messages else []
    phases.append(Phase(name="give", title="Contributions"))
    phases += [Phase(name="points", title="Points")] if rules.kinds else []
    tokens: dict[str, Any] = {"unit": "tokens"}
    flows = {"contribution": Flow(title="Contribution", tone="good")}
    if rules.punishment:
        flows["deduct"] = Flow(title="Deduction", takes=True, drawn="arrow", tone="bad")
    if rules.reward:
        flows["reward"] = Flow(title="Reward", drawn="arrow", tone="good")
    return Scene(
        layout="table",
        title="Voluntary contributions",
        clock="round",
        # Readers of a game that is under way may be players, who do not know a hidden number of rounds.
        horizon=rules.rounds if rules.end == KNOWN else None,
        pace=1 if rules.kinds else 2,
        final="earnings",
        course="contributed",
        quantities={
            "earnings": Quantity(title="Earned", **tokens),
            "gave": Quantity(title="Contributed this round", low=0, high=rules.endowment, **tokens),
            "outcome": Quantity(title="Earned this round", signed=True, **tokens),
            "fund": Quantity(title="Fund", of="table", digits=1, **tokens),
            "contributed": Quantity(title="Contributed of endowments", of="table", percent=True, low=0, high=1),
            "points": Quantity(title="Seats with points", of="table", digits=0, low=0, high=seats),
        },
        flows=flows,
        phases=tuple(phases),
        card=Card(quantity="earnings", notes=(QuantityField(quantity="gave", title="contributed"),)),
        centre=Centre(quantity="fund", title="Fund"),
        strip=Strip(bars="contributed", ticks="points"),
        standing=(
            QuantityField(quantity="earnings"),
            QuantityField(quantity="earnings", title="Over the rounds", line=True),
            QuantityField(quantity="gave", title="Last contribution"),
        ),
    )


class ContributionsTeller(Teller):
    """Describes the events of a game of voluntary contributions, one after the other."""

    def __init__(self, rules: ContributionsRules, seats: int) -> None:
        self._rules, self._seats = rules, seats
        self._income = [0.0] * seats
        """The incomes of this round, before points."""

    @override
    def opening(self) -> Telling:
        rules = self._rules
        rounds = f"{rules.rounds} round{'s' if rules.rounds > 1 else ''}" if rules.end == KNOWN else "several rounds"
        words = (
            f"{self._seats} seats, {rules.endowment:,} tokens each in every round, {rounds}; contributions are "
            f"multiplied by {rules.multiplier:g} and shared equally"
        )
        sentences = [sentence(words)]
        if rules.punishment:
            sentences.append(sentence(f"a deduction point costs {rules.punish_cost:g} and takes {rules.punish_loss:g}"))
        if rules.reward:
            sentences.append(sentence(f"a reward point costs {rules.reward_cost:g} and gives {rules.reward_gain:g}"))
        return Telling(text=tuple(sentences), effects=(Set(values={"earnings": (0.0,) * self._seats}),))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case ContributionsMessageSaid():
                return Telling(turn=event.round, phase="speak", effects=(Say(seat=event.seat, text=event.text),))
            case RoundContributed():
                return self._contributed(event)
            case PointsAssigned():
                return self._assigned(event)
            case RoundPaid():
                return self._paid(event)
            case ContributionsEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of voluntary contributions: {event!r}")

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        match event:
            case RoundContributed() if event.contributions is not None:
                return [
                    (seat, f"{given:>5,} of {self._rules.endowment:,}" if given is not None else "leaves the game")
                    for seat, given in enumerate(event.contributions)
                    if given is not None or seat in event.left
                ]
            case RoundPaid() if event.outcomes is not None:
                return [
                    (seat, f"{outcome:+10,.5g}  total {earned:10,.10g}")
                    for seat, (outcome, earned) in enumerate(zip(event.outcomes, event.earnings, strict=True))
                    if outcome is not None
                ]
            case _:
                return []

    def _contributed(self, event: RoundContributed) -> Telling:
        # Until the end of a game that shows sums only, readers get None in place of the contributions.
        each = event.contributions
        count = self._seats if each is None else sum(given is not None for given in each)
        part = event.total / (count * self._rules.endowment) if count else 0.0
        values: dict[str, Any] = {"fund": event.fund, "contributed": min(part, 1.0)}
        flows: tuple[Transfer, ...] = ()
        if each is not None:
            values["gave"] = tuple(each)
            amounts = tuple(given or 0 for given in each)
            self._income = [event.share + self._rules.endowment - given for given in amounts]
            flows = (Transfer(kind="contribution", source="each", target="table", amount=amounts),)
        text = [sentence(f"together {event.total:,} ({part:.0%}), which becomes {event.fund:,.6g}")]
        text += _leaving(event.left)
        return Telling(
            turn=event.round,
            phase="give",
            title=sentence("contributions"),
            text=tuple(text),
            effects=(*flows, Set(values=values), *([] if self._rules.kinds else [Mark()])),
            middle=Middle(
                title="The fund grows",
                figure=f"{event.total:,} × {self._rules.multiplier:g} = {event.fund:,.6g}",
                notes=(f"{event.share:,.6g} for each",),
            ),
        )

    def _assigned(self, event: PointsAssigned) -> Telling:
        points: list[AssignedPoints] = list(event.points or ())
        effects: list[Any] = [self._arrow(row) for row in points]
        if event.points is not None:
            effects.append(Set(values={"points": len({row.giver for row in points})}))
        tone = "bad" if any(row.kind == DEDUCT for row in points) else "plain"
        text = [_points_words(row) for row in points] + _leaving(event.left)
        return Telling(
            turn=event.round,
            phase="points",
            title=sentence("points" if points or event.points is None else "no points"),
            text=tuple(text),
            effects=(*effects, Mark(tone=tone)),
        )

    def _arrow(self, row: AssignedPoints) -> Transfer:
        rules = self._rules
        effect = rules.punish_loss if row.kind == DEDUCT else rules.reward_gain
        income = self._income[row.target] if row.kind == DEDUCT and rules.punish_scale == "percent" else 100.0
        return Transfer(
            kind=row.kind,
            source=row.giver,
            target=row.target,
            amount=row.points * effect * income / 100.0,
            cost=cost_of(row.kind, row.points, rules),
        )

    def _paid(self, event: RoundPaid) -> Telling:
        values: dict[str, Any] = {}
        if event.outcomes is not None:
            values = {"outcome": tuple(event.outcomes), "earnings": tuple(event.earnings)}
        return Telling(turn=event.round, title=sentence("the round is paid"), effects=(Set(values=values),))


def _leaving(left: list[int]) -> list[Sentence]:
    verb = " leaves" if len(left) == 1 else " leave"
    return [sentence(*listed(left), f"{verb} the game")] if left else []


def _points_words(row: AssignedPoints) -> Sentence:
    kind = "deduction" if row.kind == DEDUCT else "reward"
    plural = "s" if row.points > 1 else ""
    return sentence(row.giver, f" assigns {row.points} {kind} point{plural} to ", row.target)


def _tell_end(event: ContributionsEnded) -> Telling:
    best = max(round(earned, 9) for earned in event.earnings)
    winners = [seat for seat, earned in enumerate(event.earnings) if round(earned, 9) == best]
    verb = " earns most, " if len(winners) == 1 else " earn most, "
    return Telling(
        turn=event.round,
        phase="end",
        title=sentence(f"end after round {event.round}"),
        text=(sentence(*listed(winners), f"{verb}{best:,.6g}"),),
        effects=(Set(values={"earnings": tuple(event.earnings)}), Mark(tone="gold")),
        joined=True,
    )


PRESENTATION = Presentation(scene, ContributionsTeller)
