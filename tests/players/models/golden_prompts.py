"""Prompts kept in files, one for a question of each phase and wording, so that a change of words is seen and meant.

`python tests/players/models/golden_prompts.py` writes them anew."""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from asked import FakeConnection, play, player

from ostrom.core import GameChance, Line
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.players.models.framing import Framing

FOLDER = Path(__file__).parent / "golden"
VARIANTS = ("plain", "story", "terse")


def prompts() -> dict[str, str]:
    """Every prompt that is kept, by the name of its file."""
    made: dict[str, str] = {}
    for variant in VARIANTS:
        for phase, prompt in _punish(Framing(variant=variant), "tags").items():
            made[f"punish-{variant}-{phase}.txt"] = _told(prompt)
        made[f"commons-{variant}-move.txt"] = _told(_commons(Framing(variant=variant), "tags"))
    renamed = Framing(unit="francs", scale=10, labels=("Anna", "Ben", "Cleo", "Dan", "Eve"), order=(4, 2, 0, 1, 3))
    for form in ("native", "tool", "prompted"):
        made[f"punish-plain-punishment-{form}.txt"] = _told(_punish(renamed, form)["punishment"])
    return made


def _punish(framing: Framing, form: str) -> dict[str, tuple[Line, ...]]:
    chance, connection = GameChance(7), FakeConnection(form, script=lambda prompt: _speech(prompt, form))
    players = [player("contribute_punish", connection, framing, chance) for _ in range(5)]
    play(CONTRIBUTE_PUNISH, ContributePunishRules(rounds=3), players, chance, connection)
    return {"message": connection.sent[-12], "contribution": connection.sent[-8], "punishment": connection.sent[-2]}


def _speech(prompt: tuple[Line, ...], form: str) -> str | None:
    """Something to say that differs from seat to seat; numbers are left to the connection, but for tags."""
    told = prompt[-1].text
    draw = random.Random(told)
    if form != "tags":
        return None
    if "<message>" in told:
        said = draw.choice(["I give half.", "Let's all give 10.", "", 'Who gave nothing? "Not me."'])
        return f"<message>{said}</message>"
    if "<contribution>" in told:
        return f"<contribution>{draw.randint(0, 12)}</contribution>"
    return None


def _commons(framing: Framing, form: str) -> tuple[Line, ...]:
    chance, connection = GameChance(7), FakeConnection("native")
    players = [player("commons", connection, framing, chance, conversation=1000) for _ in range(4)]
    play(COMMONS, CommonsRules(duration=12), players, chance, connection)
    return connection.sent[min(21, len(connection.sent) - 1)]


def _told(prompt: tuple[Line, ...]) -> str:
    return "".join(f"=== {line.role}\n{line.text}\n" for line in prompt)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, text in prompts().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
