"""`ostrom doctor`: what is installed here, what is missing, and how to get it."""

import importlib.metadata
import importlib.util
import os
import platform
import sys
from typing import Any

import typer

from ostrom.experiment import options as opt
from ostrom.experiment import play
from ostrom.experiment.terminal import Column, Sheet, out, print_json
from ostrom.games.commons import CommonsRules
from ostrom.games.commons.events import GameEnded
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players.models.probe import survey
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

_NEEDED = ("numpy", "scipy", "pydantic", "sqlalchemy", "typer", "rich")
_EXTRAS = {
    "polars": ("ratings and reports", "study"),
    "altair": ("charts", "study"),
    "vl-convert-python": ("charts", "study"),
    "pillow": ("films", "video"),
    "imageio-ffmpeg": ("films", "video"),
    "psycopg": ("a journal in PostgreSQL", "postgres"),
    "pydantic-ai-slim": ("language models", "models"),
    "distributed": ("more machines", "cluster"),
}


def doctor(json: opt.Json = False) -> None:
    """Look at this installation and say what works."""
    checks = _checks()
    if json:
        print_json({"doctor": checks})
    else:
        columns = [Column("what"), Column("state"), Column("detail", wraps=True)]
        out.print(Sheet("doctor", columns, [list(check.values()) for check in checks]))
    if any(check["state"] == "broken" for check in checks):
        raise typer.Exit(1)


def _checks() -> list[dict[str, Any]]:
    return [
        _check("ostrom", "ok", importlib.metadata.version("ostrom")),
        _check("python", "ok" if sys.version_info >= (3, 11) else "broken", platform.python_version()),
        *(_package(name) for name in _NEEDED),
        *(_extra(name, *what) for name, what in _EXTRAS.items()),
        _jax(),
        _check("cores", "ok", str(len(os.sched_getaffinity(0)))),
        _plays(),
        *_models(),
    ]


def _check(what: str, state: str, detail: str) -> dict[str, Any]:
    return {"what": what, "state": state, "detail": detail}


def _package(name: str) -> dict[str, Any]:
    try:
        return _check(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return _check(name, "broken", f"not installed; pip install {name}")


def _extra(name: str, serves: str, extra: str) -> dict[str, Any]:
    found = _package(name)
    if found["state"] == "ok":
        return found
    return _check(name, "absent", f"optional, for {serves}: pip install 'ostrom[{extra}]'")


def _jax() -> dict[str, Any]:
    if importlib.util.find_spec("jax") is None:
        return _check("jax", "absent", "optional, for --backend jax: pip install 'ostrom[jax]'")
    import jax

    return _check("jax", "ok", f"{jax.__version__} on {', '.join(str(device) for device in jax.devices())}")


def _models() -> list[dict[str, Any]]:
    """Which keys and which servers are there. Nothing of a key is shown but the name of its variable."""
    return [_check(found.what, found.state, found.detail) for found in survey()]


def _plays() -> dict[str, Any]:
    """Play one short game through both engines and see whether they agree."""
    import numpy as np

    rules, entries = CommonsRules(turns=5), [entry for entry in CHAMPIONS.values() if entry.rows is not None]
    batch = play_batch(Batch(rules, entries, np.arange(len(entries))[:, None], np.asarray([0]), 1))
    end = play([entry.name for entry in entries], rules=rules, seed=1).events[-1]
    agree = isinstance(end, GameEnded) and end.capitals == batch.capital[:, 0].tolist()
    return _check("engines", "ok" if agree else "broken", "single game and batch agree" if agree else "they disagree")
