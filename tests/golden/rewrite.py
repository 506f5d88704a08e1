"""Golden transcripts: for every game one readable game under a fixed seed, with every line that is told of it.

`python tests/golden/rewrite.py` writes them anew after a change of rules, champions or wording that is meant; the
difference then shows in review what the change did to a whole game."""

from pathlib import Path

import ostrom
from ostrom.arena import Match
from ostrom.games.commons import CommonsRules
from ostrom.games.contribute_punish import ContributePunishRules
from ostrom.table.seats import told_apart

FOLDER = Path(__file__).parent

TABLES = {
    "commons": {
        "players": ["Justicier:2", "Parasite", "Capitaliste", "RandomPlayer", "AlwaysBetray"],
        "rules": CommonsRules(duration=8, erosion_intensity=2.0),
        "seed": 34,
    },
    "contribute_punish": {
        "players": ["Cooperator", "AltruisticPunisher", "Retaliator", "AntisocialPunisher", "RandomGiver"],
        "rules": ContributePunishRules(rounds=5),
        "seed": 7,
    },
}
"""What is played for each game; chosen so that everything that can happen in the game happens."""


def path_of(game: str) -> Path:
    """Where a game's transcript is kept."""
    return FOLDER / f"{game}.txt"


def play(game: str) -> Match:
    """The game that the transcript tells."""
    table = TABLES[game]
    return ostrom.play(table["players"], game=game, rules=table["rules"], seed=table["seed"])


def transcript(match: Match) -> list[str]:
    """A header with all that decides the game, then every line of every event."""
    header = [f"game: {match.game.name}", f"seed: {match.seed}", f"number: {match.number}", "rules:"]
    header += [f"  {name}: {value}" for name, value in match.rules.model_dump(mode="json").items()]
    header += ["seats:", *(f"  P{seat}: {name}" for seat, name in enumerate(match.names, start=1)), ""]
    names = told_apart(match.names)
    return header + [line for event in match.events for line in match.game.tell(event, names)]


def main() -> None:
    """Write every transcript."""
    for game in ostrom.GAMES:
        path_of(game).write_text("\n".join(transcript(play(game))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
