"""Small games: records written by hand, and games of the built-in players."""

from collections.abc import Sequence

from ostrom.experiment import record_of
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Part
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.contribute_punish.tables import PunishTables, tables_of
from ostrom.journal.record import GameRecord
from ostrom.players.roster import seat_players


def turn(
    gave: Sequence[int], punish: Sequence[tuple[int, int, int]] = (), said: Sequence[tuple[int, str]] = ()
) -> dict:
    """One round: what each seat gave, (punisher, target, spend), and (seat, text) in the order of speaking."""
    return {"gave": list(gave), "punish": punish, "said": said}


def record(
    players: Sequence[str], *turns: dict, start: int = 20, provenance: dict[tuple[int, int, str], str] | None = None
) -> GameRecord:
    """A game; `provenance` names answers, as (round, seat, phase), that were not simply answered."""
    seats, balances, carry = len(players), [start] * len(players), 0
    events, answers = [], []

    def happened(tag, **content):
        events.append({"event": tag, "version": 1, **content})

    def answered(number, phase, seat, value):
        source = (provenance or {}).get((number, seat, phase), "answered")
        answers.append({"turn": number, "phase": phase, "seat": seat, "value": value, "provenance": source})

    for number, one in enumerate(turns, start=1):
        for seat, text in one["said"]:
            happened("message_said", round=number, seat=seat, text=text)
            answered(number, "message", seat, text)
        happened("contributed", round=number, start=balances, contributions=one["gave"])
        for seat, gave in enumerate(one["gave"]):
            answered(number, "contribution", seat, gave)
        pot = carry + sum(one["gave"])
        grown = pot * 8 // 5
        share, left = divmod(grown, seats)
        balances = [had - gave + share for had, gave in zip(balances, one["gave"], strict=True)]
        amounts = {"carry_in": carry, "pot": pot, "grown": grown, "share": share, "carry_out": left}
        happened("fund_shared", round=number, balances=balances, **amounts)
        balances, carry = list(balances), left
        for punisher, target, spend in one["punish"]:
            loss = 3 * spend
            amounts = {"asked": spend, "spend": spend, "damage": loss}
            happened("punished", round=number, punisher=punisher, target=target, **amounts)
            answered(number, "punishment", punisher, {"target": target, "spend": spend})
            balances[punisher] -= spend
            balances[target] -= loss
        happened("round_ended", round=number, balances=balances, carry=carry)
    winners = [seat for seat, end in enumerate(balances) if end == max(balances)]
    happened("game_ended", round=len(turns), balances=balances, winners=winners)
    return GameRecord(
        ostrom="0.1.0",
        game="contribute_punish",
        seed=1,
        number=0,
        rules={"rounds": len(turns), "start": start},
        seats=[{"seat": seat, "label": f"P{seat + 1}", "player": player} for seat, player in enumerate(players)],
        answers=answers,
        events=events,
    )


def tables(*records: GameRecord) -> PunishTables:
    """Their tables; the games are called g0, g1, …"""
    return tables_of((f"g{number}", "e", one) for number, one in enumerate(records))


def values(frame, *keys: str, column: str = "value") -> dict:
    """A column of a measure by its groups."""
    names = list(zip(*(frame[key].to_list() for key in keys or ("player",)), strict=True))
    return dict(zip([name[0] if len(name) == 1 else name for name in names], frame[column].to_list(), strict=True))


def played(games: int, seed: int, seats: int = 5) -> PunishTables:
    """The tables of the games that `ostrom bench punish` plays with this number and this seed."""
    cast = seat_players(CONTRIBUTE_PUNISH.name)
    part = Part(CONTRIBUTE_PUNISH, CONTRIBUTE_PUNISH.rules(), cast, seats, games, seed)
    return tables_of((key, "e", record_of(match)) for key, match in play_games(part.fixtures("")))
