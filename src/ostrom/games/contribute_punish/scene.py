"""The scene of Contribute & Punish. It shows seats around a fund, their messages, and transfers of tokens."""

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Middle, Say, Set, Telling, Transfer, listed, sentence
from ostrom.core.promises import Promise, promise_in
from ostrom.core.scene import Card, Centre, Flow, Phase, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.games.contribute_punish.events import (
    FundShared,
    PunishContributed,
    Punished,
    PunishEnded,
    PunishMessageSaid,
    RoundEnded,
)
from ostrom.games.contribute_punish.rules import AT_ONCE, ContributePunishRules


def scene(rules: ContributePunishRules, seats: int) -> Scene:
    """Return a scene in which the seats, with their balances, are around the fund."""
    talk = "Messages at once" if rules.talk == AT_ONCE else "Messages"
    phases = [Phase(name="speak", title=talk)] if rules.messages else []
    phases += [Phase(name="give", title="Contributions"), Phase(name="share", title="Shares")]
    phases += [Phase(name="punish", title="Punishment")] if rules.punishment else []
    tokens = {"unit": "tokens", "digits": 0}
    return Scene(
        layout="table",
        title="Contribute & Punish",
        clock="round",
        horizon=rules.rounds,
        pace=1,
        final="balance",
        course="cooperation",
        quantities={
            "balance": Quantity(title="Holds", **tokens),
            "gave": Quantity(title="Gave this round", **tokens),
            "given": Quantity(title="Gave", **tokens),
            "spent": Quantity(title="Spent punishing", **tokens),
            "lost": Quantity(title="Lost to punishment", **tokens),
            "fund": Quantity(title="Fund", of="table", note="carried over", **tokens),
            "cooperation": Quantity(title="Given of what was held", of="table", percent=True, digits=0, low=0, high=1),
            "punishments": Quantity(title="Punishments a seat", of="table", digits=0, low=0, high=seats),
        },
        flows={
            "contribution": Flow(title="Contribution", of="balance"),
            "share": Flow(title="Share", of="balance", tone="good"),
            "punishment": Flow(title="Punishment", of="balance", takes=True, drawn="arrow", tone="bad"),
        },
        phases=tuple(phases),
        card=Card(quantity="balance", notes=(QuantityField(quantity="gave", title="gave"),)),
        centre=Centre(quantity="fund", title="Fund"),
        strip=Strip(bars="cooperation", ticks="punishments"),
        standing=(
            QuantityField(quantity="balance"),
            QuantityField(quantity="balance", title="Over the rounds", line=True),
            QuantityField(quantity="given"),
            QuantityField(quantity="spent"),
            QuantityField(quantity="lost"),
        ),
    )


class PunishTeller(Teller):
    """Describes the events of a game of Contribute & Punish, one after the other."""

    def __init__(self, rules: ContributePunishRules, seats: int) -> None:
        self._rules = rules
        self._seats = seats
        self._round = 0
        self._fund = 0
        self._punishments = 0
        self._balances = [rules.start] * seats
        self._given, self._spent, self._lost = [0] * seats, [0] * seats, [0] * seats
        self._promises: dict[int, Promise] = {}
        """The promises of this round, by seat."""

    @override
    def opening(self) -> Telling:
        rules, nothing = self._rules, (0.0,) * self._seats
        sentences = [
            f"{self._seats} seats, {rules.start:,} tokens each, {rules.rounds} rounds; "
            f"what is given is multiplied by {rules.multiplier:g} and shared equally"
        ]
        if rules.punishment:
            sentences.append(f"each token spent on punishing takes {rules.ratio} from its target")
        values = {"balance": tuple(self._balances), "given": nothing, "spent": nothing, "lost": nothing, "fund": 0}
        return Telling(text=tuple(map(sentence, sentences)), effects=(Set(values=values),))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case PunishMessageSaid():
                effects = (*self._opened(event.round), Say(seat=event.seat, text=event.text))
                if (promise := promise_in(event.text)) is not None:
                    self._promises[event.seat] = promise
                return Telling(turn=event.round, phase="speak", effects=effects)
            case PunishContributed():
                return self._contributed(event)
            case FundShared():
                return self._shared(event)
            case Punished():
                return self._punished(event)
            case RoundEnded():
                self._balances, self._fund = event.balances, event.carry
                return Telling(
                    turn=event.round,
                    title=sentence("balances"),
                    effects=(Set(values={"balance": tuple(event.balances), "fund": event.carry}), Mark()),
                )
            case PunishEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of Contribute & Punish: {event!r}")

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        match event:
            case PunishContributed():
                gave = enumerate(zip(event.contributions, event.start, strict=True))
                return [(seat, f"{given:>5} of {start}") for seat, (given, start) in gave]
            case RoundEnded():
                return [(seat, f"{held:>5}") for seat, held in enumerate(event.balances)]
            case _:
                return []

    def _opened(self, round_: int) -> tuple[Set, ...]:
        """Return the visual effects that open a round, if this is the first event of the round."""
        if round_ == self._round:
            return ()
        self._round, self._punishments, self._promises = round_, 0, {}
        return (Set(values={"gave": (None,) * self._seats, "cooperation": None, "punishments": 0}),)

    def _contributed(self, event: PunishContributed) -> Telling:
        effects: list[Set | Transfer | Mark] = [*self._opened(event.round)]
        paid, held = sum(event.contributions), sum(event.start)
        part = paid / held if held else 0.0
        carried = self._fund
        self._fund += paid
        self._given = [sum(pair) for pair in zip(self._given, event.contributions, strict=True)]
        self._balances = [start - given for start, given in zip(event.start, event.contributions, strict=True)]
        effects += [
            Transfer(kind="contribution", source="each", target="table", amount=tuple(event.contributions)),
            Set(
                values={
                    "balance": tuple(self._balances),
                    "gave": tuple(event.contributions),
                    "given": tuple(self._given),
                    "fund": self._fund,
                    "cooperation": part,
                }
            ),
            *self._broken(event),
        ]
        together = f"together {paid:,} of {held:,}" + (f" ({part:.0%})" if held else "")
        notes = [f"{paid:,} given, {part:.0%} of what they hold", *([f"{carried:,} carried over"] if carried else [])]
        return Telling(
            turn=event.round,
            phase="give",
            title=sentence("contributions"),
            text=(sentence(together),),
            effects=tuple(effects),
            middle=Middle(title="Fund", figure=f"{self._fund:,}", notes=tuple(notes)),
        )

    def _broken(self, event: PunishContributed) -> list[Mark]:
        """Return the marks of seats that broke their promises. A promise of more than the seat has is always broken."""
        marks = []
        for seat, promise in sorted(self._promises.items()):
            promised = event.start[seat] if promise.amount is None else promise.amount
            given = event.contributions[seat]
            if given < promised:
                words = sentence(seat, f" promised {promised:,} and gave {given:,}")
                marks.append(Mark(tone="bad", kind="promise broken", text=words))
        return marks

    def _shared(self, event: FundShared) -> Telling:
        self._balances, self._fund = event.balances, event.carry_out
        carried = f" (with {event.carry_in} carried over)" if event.carry_in else ""
        left = f", {event.carry_out} left over" if event.carry_out else ""
        notes = [f"{event.share:,} to each seat", *([f"{event.carry_out:,} left over"] if event.carry_out else [])]
        return Telling(
            turn=event.round,
            phase="share",
            title=sentence("fund"),
            text=(sentence(f"{event.pot}{carried} grows to {event.grown}, {event.share} for each{left}"),),
            effects=(
                Set(values={"fund": event.grown}),
                Transfer(kind="share", source="table", target="each", amount=(float(event.share),) * self._seats),
                Set(values={"balance": tuple(event.balances), "fund": event.carry_out}),
            ),
            middle=Middle(
                title="The fund grows",
                figure=f"{event.pot:,} × {self._rules.multiplier:g} = {event.grown:,}",
                notes=tuple(notes),
            ),
        )

    def _punished(self, event: Punished) -> Telling:
        refund = f" ({event.asked - event.spend} refunded)" if event.asked > event.spend else ""
        self._punishments += 1
        self._balances = list(self._balances)
        self._balances[event.punisher] -= event.spend
        self._balances[event.target] -= event.damage
        self._spent[event.punisher] += event.spend
        self._lost[event.target] += event.damage
        return Telling(
            turn=event.round,
            phase="punish",
            text=(
                sentence(event.punisher, f" spends {event.spend}{refund} and takes {event.damage} from ", event.target),
            ),
            effects=(
                Transfer(
                    kind="punishment", source=event.punisher, target=event.target, amount=event.damage, cost=event.spend
                ),
                Set(
                    values={
                        "balance": tuple(self._balances),
                        "spent": tuple(self._spent),
                        "lost": tuple(self._lost),
                        "punishments": self._punishments,
                    }
                ),
                Mark(tone="bad"),
            ),
        )


def _tell_end(event: PunishEnded) -> Telling:
    verb = "win" if len(event.winners) > 1 else "wins"
    return Telling(
        turn=event.round,
        phase="end",
        title=sentence("the end"),
        text=(sentence(*listed(event.winners), f" {verb} with {event.balances[event.winners[0]]}"),),
        effects=(Set(values={"balance": tuple(event.balances)}),),
    )


PRESENTATION = Presentation(scene, PunishTeller)
