"""How a game of Harvest is shown: seats around the stock, what they say and propose, what they take and what it costs
them."""

from ostrom.core import Event
from ostrom.core.effects import Mark, Middle, Say, Set, Telling, Transfer, listed, sentence
from ostrom.core.scene import Card, Centre, Flow, Phase, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom_harvest.events import Collapsed, GameEnded, Harvested, MessageSaid, QuotaVoted, RoundEnded, Sanctioned
from ostrom_harvest.rules import HarvestRules


def scene(rules: HarvestRules, seats: int) -> Scene:
    """Seats with what they hold around the stock."""
    phases = [Phase(name="speak", title="Messages")] if rules.messages else []
    phases += [Phase(name="vote", title="Vote on the quota")] if rules.voting else []
    phases += [Phase(name="harvest", title="Harvest")]
    phases += [Phase(name="sanction", title="Sanctions")] if rules.sanctioning else []
    phases += [Phase(name="grow", title="Regrowth")]
    standing = [QuantityField(quantity="held"), QuantityField(quantity="held", title="Over the rounds", line=True)]
    standing += [QuantityField(quantity="fined"), QuantityField(quantity="offences")] if rules.sanctioning else []
    tonnes = {"unit": "tonnes", "digits": 2}
    return Scene(
        layout="table",
        title="Harvest",
        clock="round",
        horizon=rules.rounds,
        pace=1,
        final="held",
        course="stock",
        quantities={
            "held": Quantity(title="Holds", **tonnes),
            "took": Quantity(title="Took this round", **tonnes),
            "proposed": Quantity(title="Proposed quota", **tonnes),
            "fined": Quantity(title="Fines", **tonnes),
            "offences": Quantity(title="Offences", digits=0),
            "stock": Quantity(title="Stock", of="table", low=0, high=rules.capacity, **tonnes),
            "quota": Quantity(title="Quota", of="table", note="for each seat", **tonnes),
            "noticed": Quantity(title="Offences in the round", of="table", digits=0, low=0, high=seats),
        },
        flows={
            "harvest": Flow(title="Harvest", of="held", tone="good"),
            "fine": Flow(title="Fine", of="held", tone="bad"),
        },
        phases=tuple(phases),
        card=Card(quantity="held", notes=(QuantityField(quantity="took", title="took"),)),
        centre=Centre(quantity="stock", title="Stock"),
        strip=Strip(bars="stock", ticks="noticed" if rules.sanctioning else None),
        standing=tuple(standing),
    )


class HarvestTeller(Teller):
    """Folds the events of a game of Harvest."""

    def __init__(self, rules: HarvestRules, seats: int) -> None:
        self._rules, self._seats = rules, seats
        self._round = self._noticed = 0
        self._held, self._fined, self._offences = [0.0] * seats, [0.0] * seats, [0] * seats

    def opening(self) -> Telling:
        """The stock is as the rules say, and nobody holds anything."""
        rules, nothing = self._rules, (0.0,) * self._seats
        what = f"{self._seats} seats share a stock of {rules.stock:g} tonnes for {rules.rounds} rounds; below "
        what += f"{rules.collapse:g} it collapses"
        values = {"held": nothing, "fined": nothing, "offences": nothing, "stock": rules.stock}
        return Telling(text=(sentence(what),), effects=(Set(values=values),))

    def tell(self, event: Event) -> Telling:
        """What an event means."""
        match event:
            case MessageSaid():
                effects = (*self._opened(event.round), Say(seat=event.seat, text=event.text))
                return Telling(turn=event.round, phase="speak", effects=effects)
            case QuotaVoted():
                return self._voted(event)
            case Harvested():
                return self._harvested(event)
            case Sanctioned():
                return self._sanctioned(event)
            case RoundEnded():
                return self._ended(event)
            case Collapsed():
                words = sentence(f"{event.left:.2f} tonnes are left, and do not grow back")
                effects = (Mark(tone="bad"),)
                return Telling(
                    turn=event.round, phase="grow", title=sentence("collapse"), text=(words,), effects=effects
                )
            case GameEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of Harvest: {event!r}")

    def rows(self, event: Event) -> list[tuple[int, str]]:
        """What each seat proposed, took and holds."""
        match event:
            case QuotaVoted():
                return [(seat, f"proposes {_told(one):>8}") for seat, one in enumerate(event.proposals)]
            case Harvested():
                return [(seat, f"takes    {_told(one):>8}") for seat, one in enumerate(event.harvests)]
            case _:
                return []

    def _opened(self, round_: int) -> tuple[Set, ...]:
        """What the first event of a round says beside its own news: nobody has taken anything yet."""
        if round_ == self._round:
            return ()
        self._round, self._noticed = round_, 0
        nothing = (None,) * self._seats
        return (Set(values={"took": nothing, "proposed": nothing, "quota": None, "noticed": 0}),)

    def _voted(self, event: QuotaVoted) -> Telling:
        quota = "there is no quota" if event.quota is None else f"the quota is {event.quota:.2f} tonnes"
        return Telling(
            turn=event.round,
            phase="vote",
            title=sentence(quota),
            effects=(
                *self._opened(event.round),
                Set(values={"proposed": tuple(event.proposals), "quota": event.quota}),
            ),
        )

    def _harvested(self, event: Harvested) -> Telling:
        opened = self._opened(event.round)
        self._held = [held + taken for held, taken in zip(self._held, event.harvests, strict=True)]
        taken, asked = sum(event.harvests), sum(event.requests)
        rationed = f" of {asked:.2f} asked for" if asked > event.stock else ""
        return Telling(
            turn=event.round,
            phase="harvest",
            title=sentence(f"{taken:.2f}{rationed} taken from {event.stock:.2f}"),
            text=(sentence(f"{event.sustainable:.2f} would grow back"),),
            effects=(
                *opened,
                Transfer(kind="harvest", source="table", target="each", amount=tuple(event.harvests)),
                Set(values={"held": tuple(self._held), "took": tuple(event.harvests), "stock": event.left}),
            ),
            middle=Middle(
                title="Stock",
                figure=f"{event.left:,.2f}",
                notes=(f"{taken:,.2f} taken", f"{event.sustainable:,.2f} would grow back"),
            ),
        )

    def _sanctioned(self, event: Sanctioned) -> Telling:
        self._noticed += 1
        self._held[event.seat] -= event.fine
        self._fined[event.seat] += event.fine
        self._offences[event.seat] = event.offence
        how = f" is fined {event.fine:.2f}" if event.fine else " is warned"
        values = {
            "held": tuple(self._held),
            "fined": tuple(self._fined),
            "offences": tuple(self._offences),
            "noticed": self._noticed,
        }
        return Telling(
            turn=event.round,
            phase="sanction",
            text=(sentence(event.seat, f"{how}: {event.excess:.2f} above the quota, offence {event.offence}"),),
            effects=(
                Transfer(kind="fine", source=event.seat, target="table", amount=event.fine),
                Set(values=values),
                Mark(tone="bad"),
            ),
        )

    def _ended(self, event: RoundEnded) -> Telling:
        self._held = list(event.holdings)
        words = f"the stock grows to {event.stock:.2f}" if event.stock else "nothing grows back"
        return Telling(
            turn=event.round,
            phase="grow",
            text=(sentence(words),),
            effects=(Set(values={"held": tuple(event.holdings), "stock": event.stock}), Mark()),
        )


def _told(amount: float | None) -> str:
    return "–" if amount is None else f"{amount:.2f}"


def _tell_end(event: GameEnded) -> Telling:
    verb = "win" if len(event.winners) > 1 else "wins"
    best = event.holdings[event.winners[0]]
    return Telling(
        turn=event.round,
        phase="end",
        title=sentence("the end"),
        text=(sentence(*listed(event.winners), f" {verb} with {best:,.2f} tonnes"),),
        effects=(Set(values={"held": tuple(event.holdings)}),),
    )


PRESENTATION = Presentation(scene, HarvestTeller)
