"""Draw the pictures of README and docs: `python docs/make_pictures.py`."""

import re
from pathlib import Path

from rich.console import Console

import ostrom
from ostrom.terminal.render import sheet_of

IMAGES = Path(__file__).parent / "images"


def terminal(title: str, command: str, shown: object, file: str) -> None:
    """Save the output of a command as a picture of a terminal, without fetching a font."""
    console = Console(record=True, width=92, file=open("/dev/null", "w"), force_terminal=True, highlight=False)  # noqa: SIM115
    console.print(f"[bold green]$[/] {command}\n")
    console.print(shown)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title=title), flags=re.DOTALL)
    (IMAGES / file).write_text(svg, encoding="utf-8")


def main() -> None:
    """Draw all pictures."""
    result = ostrom.tournament(ostrom.choose(), games=20, group_size=4, seed=42)
    command = "ostrom tournament --group-size 4 --games 20 --seed 42"
    terminal("ostrom", command, sheet_of(result.parts[0]), "tournament.svg")


if __name__ == "__main__":
    main()
