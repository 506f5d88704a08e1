"""The real logs of PGG-Bench as records: their numbers are copied into our events without applying a rule. The logs are
not part of this repository; $OSTROM_DATA is their folder."""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path

from foreign_data import foreign
from ostrom.games.contribute_punish.tables import PunishTables, tables_of
from ostrom.journal.record import GameRecord

ROOT = Path(__file__).parents[2]


def log_files() -> list[Path]:
    """Every log."""
    return sorted(foreign("pgg_bench").glob("*.jsonl"))


@cache
def log_lines() -> tuple[tuple[dict, ...], ...]:
    """Every log as its lines."""
    return tuple(tuple(map(json.loads, path.read_text(encoding="utf-8").splitlines())) for path in log_files())


@cache
def real_tables() -> PunishTables:
    """The tables of all logs."""
    records = [record_of(lines) for lines in log_lines()]
    return tables_of((str(record.number), "pgg_bench", record) for record in records)


def record_of(lines: tuple[dict, ...]) -> GameRecord:
    """One log as a record of ours."""
    init, final = lines[0], lines[-1]
    settings = init["settings"]
    ids = list(init["short_name_map"])
    seat_of = {one: seat for seat, one in enumerate(ids)}
    models = [init["short_name_map"][one]["model_name"] for one in ids]
    assert len(set(models)) == len(models), "balances are keyed by model"
    start = [settings["starting_amount"]] * len(ids)
    given, answers, events = defaultdict(dict), [], []

    def happened(tag, **content):
        events.append({"event": tag, "version": 1, **content})

    def answered(line, phase, seat, value):
        answers.append({"turn": line["round"], "phase": phase, "seat": seat, "value": value, "provenance": "imported"})

    for line in lines:
        kind, turn = line["type"], line.get("round")
        if kind == "public_message":
            seat = seat_of[line["player_id"]]
            happened("message_said", round=turn, seat=seat, text=line["message"])
            answered(line, "message", seat, line["message"])
        elif kind == "contribution":
            seat = seat_of[line["player_id"]]
            given[turn][seat] = (line["contribution"], line["current_tokens"])
            answered(line, "contribution", seat, line["contribution"])
        elif kind == "fund_distribution":
            paid = [given[turn][seat] for seat in range(len(ids))]
            share = line["share_per_player"]
            happened("contributed", round=turn, start=start, contributions=[gave for gave, _ in paid])
            happened(
                "fund_shared",
                round=turn,
                carry_in=line["carry_in_fund"],
                pot=int(line["pot_before_mult"]),
                grown=line["pot_after_mult"],
                share=share,
                carry_out=line["leftover_fund"],
                balances=[left + share for _, left in paid],
            )
        elif kind == "punishment":
            punisher, target = seat_of[line["punisher_id"]], seat_of[line["target_id"]]
            spend, damage = int(line["punisher_spend"]), int(line["target_damage"])
            happened("punished", round=turn, punisher=punisher, target=target, asked=spend, spend=spend, damage=damage)
            answered(line, "punishment", punisher, {"target": target, "spend": spend})
        elif kind == "round_end":
            start = [int(line["balances"][model]) for model in models]
            happened("round_ended", round=turn, balances=start, carry=line["carry_over_fund"])
    ends = [int(final["final_tokens"][model]) for model in models]
    winners = [seat for seat, end in enumerate(ends) if end == max(ends)]
    happened("game_ended", round=settings["total_rounds"], balances=ends, winners=winners)
    return GameRecord(
        ostrom="0.1.0",
        game="contribute_punish",
        seed=None,
        number=init["game_id"],
        source="pgg_bench",
        rules={"rounds": settings["total_rounds"], "start": settings["starting_amount"]},
        seats=[{"seat": seat, "label": f"P{seat + 1}", "player": model} for seat, model in enumerate(models)],
        answers=answers,
        events=events,
    )
