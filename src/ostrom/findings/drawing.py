"""Draws charts of findings into files that the user names."""

from datetime import date
from pathlib import Path

from ostrom.core.errors import InputError, field
from ostrom.core.finding import Finding
from ostrom.core.game import imported


def check_picture(path: Path | None, setting: str) -> None:
    """Raise InputError if a setting names a file that is no picture."""
    if path is not None and path.suffix not in (".png", ".svg"):
        raise InputError(f"{field(setting)} draws a .png or a .svg file, not {path.name}")


def draw_first_chart(finding: Finding, path: Path | None, method: str) -> None:
    """Draw the first chart of a finding into a file, with a line on where its figures come from."""
    if path is None or finding.game is None:
        return
    source = imported("ostrom.analysis.provenance:source_line")(finding.game.title, method, day=f"{date.today()}")
    drawing = imported("ostrom.charts.render:svg")(finding.chart(), source)
    path.write_bytes(imported("ostrom.charts.render:png")(drawing) if path.suffix == ".png" else drawing.encode())
