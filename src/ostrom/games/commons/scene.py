"""The scene of the Commons. It is a dashboard of capitals, the economy and contributions over the turns."""

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Leave, Mark, Sentence, Set, Telling, listed, sentence
from ostrom.core.scene import Bound, Panel, Quantity, QuantityField, Scene
from ostrom.core.telling import Presentation, Teller
from ostrom.games.commons.events import CommonsEnded, Erosion, GoldenAge, SeatExcluded, TurnPlayed, VoteHeld
from ostrom.games.commons.rules import CommonsRules

_MAX_LISTED_TARGETS = 6
"""The largest number of targets that the sentence on a vote names."""


def scene(rules: CommonsRules, seats: int) -> Scene:
    """Return a scene in which capitals are lines, the economy is a step chart, and contributions are a heatmap."""
    return Scene(
        layout="dashboard",
        title="The Commons",
        clock="turn",
        horizon=rules.turns,
        pace=10,
        final="capital",
        course="cooperation",
        quantities={
            "capital": Quantity(title="Capital", digits=2),
            "gain": Quantity(title="This turn", digits=2, signed=True),
            "contribution": Quantity(title="Contributions", digits=2, low=0, high=1),
            "lobby": Quantity(title="Lobbied", digits=2, signed=True),
            "cooperation": Quantity(title="Cooperation", of="table", digits=2, low=0, high=1),
            "synergy": Quantity(
                title="Synergy", of="table", digits=2, low=rules.synergy_lowest, high=rules.synergy_highest
            ),
            "alpha": Quantity(
                title="α, redistribution", of="table", digits=3, low=0, high=1, note="1 equal shares, 0 by contribution"
            ),
            "pot": Quantity(title="Pot", of="table", digits=2),
            "erosion": Quantity(title="Kept money ×", of="table", digits=3),
        },
        figures=("cooperation", "synergy", "alpha", "pot", "erosion"),
        panels=(
            Panel(kind="lines", quantity="capital"),
            Panel(
                kind="steps",
                quantity="cooperation",
                bounds=(
                    Bound(value=rules.golden_age_from, text="golden age", tone="gold"),
                    Bound(value=rules.erosion_below, text="erosion", tone="bad"),
                ),
            ),
            Panel(kind="steps", quantity="synergy"),
            Panel(kind="steps", quantity="alpha"),
            Panel(kind="heat", quantity="contribution", words=("nothing", "everything")),
        ),
        standing=(
            QuantityField(quantity="capital"),
            QuantityField(quantity="gain"),
            QuantityField(quantity="contribution", title="Gave"),
        ),
        colour="contribution",
    )


class CommonsTeller(Teller):
    """Describes the events of a game of the Commons, one after the other."""

    def __init__(self, rules: CommonsRules, seats: int) -> None:
        self._rules = rules
        self._seats = seats
        self._vote: tuple[int, list[int | None]] = (0, [])

    @override
    def opening(self) -> Telling:
        rules = self._rules
        values = {"capital": (0.0,) * self._seats, "synergy": rules.synergy, "alpha": rules.alpha}
        length = f"{rules.turns} turns" if rules.turns else f"about {rules.duration} turns, and no known end"
        return Telling(
            text=(sentence(f"{self._seats} seats, {rules.endowment:g} for each every turn, {length}"),),
            effects=(Set(values=values),),
        )

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case TurnPlayed():
                return _tell_turn(event)
            case GoldenAge():
                words = f"cooperation {event.cooperation:.2f}, synergy rises to {event.synergy:.2f}"
                return _news(event.turn, sentence("golden age"), sentence(words), Mark(tone="gold"), lasts=1.2)
            case Erosion():
                words = f"cooperation {event.cooperation:.2f}, synergy falls to {event.synergy:.2f}"
                return _news(event.turn, sentence("erosion"), sentence(words), Mark(tone="bad"), lasts=1.2)
            case VoteHeld():
                return self._tell_vote(event)
            case SeatExcluded():
                left = sentence(event.seat, f" leaves by {event.votes} votes")
                effects = Leave(seat=event.seat), Mark(tone="bad")
                return _news(event.turn, sentence("excluded"), left, *effects, lasts=3)
            case CommonsEnded():
                return _tell_end(event)
            case _:
                raise TypeError(f"not an event of the Commons: {event!r}")

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        return [(seat, _row(event, seat)) for seat in range(self._seats)] if isinstance(event, TurnPlayed) else []

    def _tell_vote(self, event: VoteHeld) -> Telling:
        """Describe a vote. It has no title if all seats voted as in the turn before."""
        turn, votes = self._vote
        again = turn == event.turn - 1 and votes == event.votes
        self._vote = (event.turn, event.votes)
        words = _votes(event.votes)
        if again:
            return Telling(turn=event.turn, text=(sentence("vote: ", *words),), joined=True, lasts=0.2)
        return _news(event.turn, sentence("vote"), sentence(*words), lasts=0.2)


def _tell_turn(event: TurnPlayed) -> Telling:
    present = event.present
    values = {
        "capital": tuple(event.capitals),
        "gain": tuple(gain if is_in else None for gain, is_in in zip(event.gains, present, strict=True)),
        "contribution": tuple(
            contribution if is_in else None for contribution, is_in in zip(event.contributions, present, strict=True)
        ),
        "cooperation": event.cooperation,
        "synergy": event.synergy,
        "alpha": event.alpha,
        "pot": event.pot,
        "erosion": event.erosion,
    }
    if any(event.lobby):
        values["lobby"] = tuple(event.lobby)
    words = (
        f"pot {event.pot:,.2f} × S {event.synergy:.2f}, α {event.alpha:.3f}, "
        f"cooperation {event.cooperation:.2f}, kept money × {event.erosion:.3f}"
    )
    return Telling(turn=event.turn, text=(sentence(words),), effects=(Set(values=values),))


def _row(event: TurnPlayed, seat: int) -> str:
    capital = f"capital {event.capitals[seat]:10,.2f}"
    if not event.present[seat]:
        return f"is out                     {capital}"
    spent = f"  lobby {event.lobby[seat]:+z,.2f}" if event.lobby[seat] else ""
    return f"gave {event.contributions[seat]:4.2f}  gain {event.gains[seat]:9,.2f}  {capital}{spent}"


def _news(turn: int, title: Sentence, text: Sentence, *effects: Leave | Mark, lasts: float = 1) -> Telling:
    return Telling(turn=turn, title=title, text=(text,), effects=effects, joined=True, lasts=lasts)


def _votes(votes: list[int | None]) -> list[str | int]:
    """Return the voters of each target. The targets with the most votes come first."""
    against: dict[int, list[int]] = {}
    for voter, target in enumerate(votes):
        if target is not None:
            against.setdefault(target, []).append(voter)
    parts: list[str | int] = []
    by_votes = sorted(against.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    for target, voters in by_votes[:_MAX_LISTED_TARGETS]:
        names: list[str | int] = listed(voters) if len(voters) <= 3 else [f"{len(voters)} seats"]
        parts += [*(["; "] if parts else []), *names, " against ", target]
    if len(by_votes) > _MAX_LISTED_TARGETS:
        parts.append(f"; and against {len(by_votes) - _MAX_LISTED_TARGETS} more")
    return parts


def _tell_end(event: CommonsEnded) -> Telling:
    verb = "win" if len(event.winners) > 1 else "wins"
    best = event.capitals[event.winners[0]]
    return Telling(
        turn=event.turn,
        phase="end",
        title=sentence(f"end after turn {event.turn}"),
        text=(sentence(*listed(event.winners), f" {verb} with {best:z,.2f}"),),
        effects=(Set(values={"capital": tuple(event.capitals)}), Mark(tone="gold")),
        joined=True,
    )


PRESENTATION = Presentation(scene, CommonsTeller)
