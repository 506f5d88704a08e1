"""Reads others' logs and replays them through our rules, one file a source. Here is what importers share."""

from pathlib import Path
from typing import Any

from ostrom.core import InputError
from ostrom.journal.sql import Journal


def files_in(folder: Path, suffix: str, what: str) -> list[Path]:
    """The files of a folder that end so, in the order of their names; at least one. `what` says what they are."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {what}")
    files = sorted(folder.glob(f"*{suffix}"))
    if not files:
        raise InputError(f"{folder} has no {suffix} file; name the folder with {what}")
    return files


def experiment_of(journal: Journal, name: str, settings: dict[str, Any]) -> str:
    """The experiment of this name, which imported games are kept under; made where there is none."""
    known = next((row.id for row in journal.experiments() if row.name == name), None)
    return known or journal.new_experiment(name, kind="import", settings=settings)
