"""Play the sample games of the viewer: `python scripts/samples.py`. They are games of our own players with fixed seeds,
written to frontend/samples/ before the viewer is built."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import ostrom
from ostrom.journal.record import with_tellings

SAMPLES = Path(__file__).parent.parent / "frontend" / "samples" / "samples.json"


class Sample(NamedTuple):
    """A game worth watching, and why."""

    name: str
    title: str
    text: str
    game: str
    players: list[str]
    seed: int
    rules: dict[str, Any]


GAMES = [
    Sample(
        "exclusion",
        "The Commons: two are voted out",
        "Two judges vote the free riders out, one after the other, and a golden age begins",
        "commons",
        ["Justicier:2", "Parasite", "Apprenant", "Capitaliste", "Opportuniste", "Detective", "TitForTat"],
        1,
        {"turns": 60},
    ),
    Sample(
        "sixteen",
        "The Commons: all sixteen champions",
        "Every built-in champion at one table, with lobbying, erosion, votes and no known end",
        "commons",
        [],
        42,
        {"duration": 40},
    ),
    Sample(
        "endgame",
        "Contribute & Punish: the last round",
        "The fund grows among punishers, until one who promised to give keeps everything in the last round",
        "contribute_punish",
        ["ConditionalCooperator", "AltruisticPunisher", "RandomGiver", "Retaliator", "EndgameDefector"],
        3,
        {},
    ),
    Sample(
        "ruin",
        "Contribute & Punish: ruin",
        "A free rider, one who punishes the generous and one who punishes whoever leads: in the end nobody has much",
        "contribute_punish",
        ["Cooperator", "FreeRider", "AltruisticPunisher", "LeaderPunisher", "AntisocialPunisher"],
        1,
        {},
    ),
    Sample(
        "trust",
        "Trust, betrayed",
        "One sends everything it has, which triples on the way; the other keeps it",
        "trust",
        ["fehr-schmidt", "selfish"],
        3,
        {},
    ),
]


def main() -> None:
    """Play them all. Answers and arrays say once more what the events say, and are left out."""
    samples = []
    for sample in GAMES:
        rules = ostrom.GAMES[sample.game].rules(**sample.rules)
        match = ostrom.play(sample.players or None, game=sample.game, rules=rules, seed=sample.seed)
        record = with_tellings(ostrom.record_of(match)).model_dump(mode="json", exclude={"answers"})
        samples.append({"name": sample.name, "title": sample.title, "text": sample.text, "record": record})
    SAMPLES.parent.mkdir(exist_ok=True)
    SAMPLES.write_text(json.dumps(samples, allow_nan=False, separators=(",", ":")), encoding="utf-8")
    print(f"{len(samples)} sample games written to {SAMPLES.parent.name}/{SAMPLES.name}")


if __name__ == "__main__":
    main()
