"""What the final table of the Commons says of a seat beside its capital."""

from collections.abc import Sequence

from ostrom.core import Event
from ostrom.core.game import Figure, Figures
from ostrom.games.commons.events import GameEnded, SeatExcluded, TurnPlayed
from ostrom.games.commons.rules import CommonsRules


def figures(rules: CommonsRules, events: Sequence[Event]) -> Figures:
    """What each seat gave and lobbied, and when it was excluded; below, how the economy ended."""
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    excluded = {event.seat: event.turn for event in events if isinstance(event, SeatExcluded)}
    end = events[-1]
    assert isinstance(end, GameEnded)
    seats = range(len(end.capitals))
    played = [[turn for turn in turns if turn.present[seat]] for seat in seats]
    gave = [sum(turn.contributions[seat] for turn in played[seat]) / len(played[seat]) for seat in seats]
    lobbied = [sum(abs(turn.lobby[seat]) for turn in played[seat]) for seat in seats]
    last = turns[-1]
    return Figures(
        [
            Figure("capital", "", end.capitals),
            Figure("mean_contribution", "gave", gave, "{:.2f}".format),
            Figure(
                "lobbied", "lobbied" if rules.lobbying else "", lobbied, lambda sum_: f"{sum_:,.2f}" if sum_ else ""
            ),
            Figure(
                "excluded_after_turn",
                "excluded" if excluded else "",
                [excluded.get(seat) for seat in seats],
                lambda turn: f"turn {turn}" if turn else "",
            ),
        ],
        f"at the end: synergy {last.next_synergy:.2f}, α {last.alpha:.3f}, cooperation {last.cooperation:.2f}",
    )
