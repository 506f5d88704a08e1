"""Games of the Commons that can be checked by hand: every turn is written out."""

from collections.abc import Sequence

from ostrom.games.commons.measures import CommonsTables, tables_of
from ostrom.journal.record import GameRecord


def turn(
    gave: Sequence[float | None],
    capitals: Sequence[float],
    *,
    lobby: Sequence[float] | None = None,
    votes: Sequence[int | None] | None = None,
    out: int | None = None,
    synergy: float = 1.8,
) -> dict:
    """One turn: what each seat gave (None: it is out), what it holds after it, what it spent on lobbying, whom it voted
    against, and who is voted out."""
    return {"gave": gave, "capitals": capitals, "lobby": lobby, "votes": votes, "out": out, "synergy": synergy}


def record(
    players: Sequence[str], *turns: dict, provenance: dict[tuple[int, int], str] | None = None, **rules: object
) -> GameRecord:
    """A game; `provenance` names moves, as (turn, seat), that were not simply answered."""
    events, answers = [], []
    nobody = [0.0] * len(players)
    for number, one in enumerate(turns, start=1):
        present = [gave is not None for gave in one["gave"]]
        given = [gave or 0.0 for gave in one["gave"]]
        cooperation = sum(given) / sum(present)
        events.append(
            {
                "event": "turn_played",
                "version": 1,
                "turn": number,
                "present": present,
                "contributions": given,
                "lobby": list(one["lobby"] or nobody),
                "alpha": 0.5,
                "synergy": one["synergy"],
                "pot": 100 * sum(given),
                "shares": nobody,
                "erosion": 1.0,
                "gains": nobody,
                "capitals": list(one["capitals"]),
                "cooperation": cooperation,
                "next_synergy": one["synergy"],
            }
        )
        if one["votes"]:
            events.append({"event": "vote_held", "version": 1, "turn": number, "votes": list(one["votes"])})
        if one["out"] is not None:
            cast = one["votes"].count(one["out"])
            events.append({"event": "seat_excluded", "version": 1, "turn": number, "seat": one["out"], "votes": cast})
        for seat, gave in enumerate(one["gave"]):
            if gave is not None:
                source = (provenance or {}).get((number, seat), "answered")
                value = {"contribution": gave}
                answers.append({"turn": number, "phase": "move", "seat": seat, "value": value, "provenance": source})
    last = list(turns[-1]["capitals"])
    winners = [seat for seat, end in enumerate(last) if end == max(last)]
    events.append({"event": "game_ended", "version": 1, "turn": len(turns), "capitals": last, "winners": winners})
    return GameRecord(
        ostrom="0.1.0",
        game="commons",
        seed=1,
        number=0,
        rules={"turns": len(turns), **rules},
        seats=[{"seat": seat, "label": f"P{seat + 1}", "player": player} for seat, player in enumerate(players)],
        answers=answers,
        events=events,
    )


def tables(*records: GameRecord) -> CommonsTables:
    """Their tables; the games are called g0, g1, …"""
    return tables_of((f"g{number}", "e", one) for number, one in enumerate(records))


VOTED = record(
    ["ann", "ben", "cid"],
    turn([1.0, 0.5, 0.0], [100.0, 150.0, 200.0], votes=[None, 2, None]),
    turn([1.0, 0.5, 0.0], [200.0, 290.0, 400.0], lobby=[0.0, -15.0, 20.0], votes=[2, 2, None], out=2, synergy=1.9),
    turn([0.5, 0.0, None], [300.0, 400.0, 400.0], lobby=[20.0, 29.0, 0.0], synergy=2.0),
    provenance={(1, 1): "defaulted", (2, 1): "repaired"},
)
"""Three turns; Cid is voted out after the second and keeps its 400, which Ben reaches."""
SHORT = record(["ann", "ben"], turn([1.0, 0.0], [80.0, 120.0]))
"""One turn of two seats, which have no vote."""
