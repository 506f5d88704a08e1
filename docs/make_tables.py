"""Fill in the tables of docs/commons.md: `python docs/make_tables.py`. Each is between comments that name it."""

import re
from pathlib import Path

from ostrom.games.commons import CommonsRules
from ostrom.players.roster import choose
from ostrom.sim.standings import Standing
from ostrom.sim.tournament import tournament

PAGE = Path(__file__).parent / "commons.md"
SEED = 42


def by_name(*, games: int, group_size: int | None, lobbying: bool) -> dict[str, Standing]:
    """Return a tournament's standings."""
    rules = CommonsRules(lobbying=lobbying)
    result = tournament(choose(), games=games, group_size=group_size, seed=SEED, rules=rules)
    return {standing.name: standing for standing in result.standings}


def wins(standing: Standing) -> str:
    """Return the win rate in percent, with its interval."""
    won = standing.win_rate
    return f"{100 * (won.value or 0):.1f} ({100 * (won.low or 0):.1f}–{100 * (won.high or 0):.1f})"


def table(*, games: int, group_size: int | None) -> str:
    """Return the table with and without lobbying."""
    on = by_name(games=games, group_size=group_size, lobbying=True)
    off = by_name(games=games, group_size=group_size, lobbying=False)
    lines = [
        "| | wins, lobbying | wins, no lobbying | capital, lobbying | capital, no lobbying |",
        "|---|---|---|---|---|",
    ]
    for name, standing in on.items():
        capitals = (f"{each[name].mean_final.value or 0:,.0f}" for each in (on, off))
        lines.append(f"| {name} | {wins(standing)} | {wins(off[name])} | {' | '.join(capitals)} |")
    return "\n".join(lines)


def main() -> None:
    """Update the page."""
    text = PAGE.read_text(encoding="utf-8")
    made = {"fours": table(games=20, group_size=4), "sixteen": table(games=2000, group_size=None)}
    for name, content in made.items():
        pattern = rf"(<!-- {name} -->\n).*?(\n<!-- end of {name} -->)"
        text, found = re.subn(
            pattern, lambda found, content=content: found[1] + content + found[2], text, flags=re.DOTALL
        )
        if not found:
            raise SystemExit(f"{PAGE} has no place for the table {name!r}")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
