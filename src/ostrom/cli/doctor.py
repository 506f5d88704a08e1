"""`ostrom doctor` shows the installed packages, how to install packages that are missing, and all plugins with their
errors."""

import importlib.metadata
import importlib.util
import platform
import sys
from typing import Annotated, Any

import numpy as np
import typer

from ostrom.core.entry_points import EXTRAS, GROUPS, cores, declared, load, missing_extra, plugins, system
from ostrom.core.errors import InputError
from ostrom.core.plugins import DEFAULT_GAME, GAMES, files
from ostrom.experiment import play
from ostrom.players.models.probe import survey
from ostrom.players.roster import choose
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
from ostrom.terminal import options as opt
from ostrom.terminal.sheets import Column, Sheet, out, print_json
from ostrom.web.pages import pages_folder

_REQUIRED_PACKAGES = ("numpy", "scipy", "pydantic", "sqlalchemy", "typer", "rich")
_OWN = "ostrom"


def doctor(
    servers: Annotated[
        bool, typer.Option("--servers", help="Also check that the servers in bot files answer.")
    ] = False,
    json: opt.Json = False,
) -> None:
    """Check this installation and its plugins."""
    checks = _checks(servers)
    plugin_states = _plugins()
    if json:
        print_json({"doctor": checks, "plugins": plugin_states})
    else:
        columns = [Column("what"), Column("state"), Column("detail", wraps=True)]
        out.print(Sheet("doctor", columns, [list(check.values()) for check in checks]))
        out.print()
        columns = [Column("plugins"), Column("package"), Column("state"), Column("names", wraps=True)]
        out.print(Sheet("plugins", columns, _plugin_lines(plugin_states)))
    if any(check["state"] == "broken" for check in (*checks, *plugin_states)):
        raise typer.Exit(1)


def _checks(servers: bool) -> list[dict[str, Any]]:
    return [
        _check("ostrom", "ok", importlib.metadata.version("ostrom")),
        _check("python", "ok" if sys.version_info >= (3, 11) else "broken", platform.python_version()),
        *(_package(name) for name in _REQUIRED_PACKAGES),
        *(_extra(package, *how) for package, *how in dict.fromkeys(EXTRAS.values()) if package != "jax"),
        _jax(),
        _check("system", *system()),
        _check("cores", "ok", str(cores())),
        _plays(),
        _pages(),
        # A key itself is never shown, only the name of its variable.
        *(_check(finding.what, finding.state, finding.detail) for finding in survey(ask=servers)),
    ]


def _check(what: str, state: str, detail: str) -> dict[str, Any]:
    return {"what": what, "state": state, "detail": detail}


def _package(name: str) -> dict[str, Any]:
    try:
        return _check(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return _check(name, "broken", f"not installed; pip install {name}")


def _extra(name: str, serves: str, extra: str) -> dict[str, Any]:
    package = _package(name)
    if package["state"] == "ok":
        return package
    return _check(name, "absent", f"optional, for {serves}: pip install 'ostrom[{extra}]'")


def _jax() -> dict[str, Any]:
    try:
        import jax
    except ImportError:
        return _check("jax", "absent", "optional, for --backend jax: pip install 'ostrom[jax]'")
    return _check("jax", "ok", f"{jax.__version__} on {', '.join(str(device) for device in jax.devices())}")


def _pages() -> dict[str, Any]:
    try:
        return _check("pages", "ok", str(pages_folder()))
    except InputError as error:
        return _check("pages", "absent", str(error))


def _plays() -> dict[str, Any]:
    """Check that both engines give the same result for a short game."""
    game = GAMES[DEFAULT_GAME]
    assert game.finals is not None
    rules, entries = game.rules(turns=5), [entry for entry in choose() if entry.rows is not None]
    batch = play_batch(Batch(game, rules, entries, np.arange(len(entries))[:, None], np.asarray([0]), 1))
    alone = game.finals(play([entry.name for entry in entries], rules=rules, seed=1).events)
    agree = [*alone] == batch.finals[:, 0].tolist()
    return _check("engines", "ok" if agree else "broken", "single game and batch agree" if agree else "they disagree")


def _plugins() -> list[dict[str, Any]]:
    """Load every plugin. Return the group, name, package, version, state and failure of each plugin. The state of a
    plugin that lacks an extra is absent, not broken."""
    lacking: dict[tuple[str, str], str] = {}
    for group in GROUPS:
        for name in declared(group):
            try:
                load(group, name)
            except InputError as error:
                if isinstance(error.__cause__, ModuleNotFoundError) and missing_extra(error.__cause__) is not None:
                    lacking[group, name] = str(error)
    len(GAMES)  # This registers all games, and notes those that fail.
    states = []
    for plugin in plugins():
        lacks = lacking.get((plugin.group, plugin.name))
        state = "absent" if lacks is not None else "ok" if plugin.failure is None else "broken"
        description = {name: getattr(plugin, name) for name in ("group", "name", "package", "version")}
        states.append({**description, "state": state, "failure": lacks or plugin.failure})
    return states + [
        {"group": "file", "name": file.name, "package": str(file), "version": "", "state": "ok", "failure": None}
        for file in files()
    ]


def _plugin_lines(plugin_states: list[dict[str, Any]]) -> list[list[str]]:
    """Return one line per group and package for plugins that work. Each other plugin has its own line with the
    reason."""
    lines: dict[tuple[str, str, str, str], list[str]] = {}
    for plugin in plugin_states:
        works = plugin["state"] == "ok"
        package = f"{plugin['package']} {plugin['version']}".strip()
        line = (plugin["group"].removeprefix("ostrom."), package, plugin["state"], "" if works else plugin["name"])
        lines.setdefault(line, []).append(plugin["name"] if works else f"{plugin['name']}: {plugin['failure']}")
    return [[*line[:3], ", ".join(names)] for line, names in lines.items()]
