"""What is installed and what is shipped, read from the lock files: packages of Python from requirements/, packages of
the pages from frontend/package-lock.json, and which of these stand in the built pages."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FRONTEND = ROOT / "frontend"
PAGES = ROOT / "src" / "ostrom" / "web" / "pages"


class Pin(NamedTuple):
    """One version of a package of Python, with the SHA-256 of each of its files."""

    name: str
    version: str
    hashes: tuple[str, ...]


def read_pins(lock: str) -> list[Pin]:
    """The pins of requirements/LOCK.txt; a package has two where Python 3.11 wants an older version."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8").replace("\\\n", " ")
    pins = []
    for line in text.splitlines():
        if found := re.match(r"([\w.-]+)==([^\s;]+)", line):
            pins.append(Pin(canonicalize_name(found[1]), found[2], tuple(re.findall(r"sha256:([0-9a-f]{64})", line))))
    return pins


class Module(NamedTuple):
    """A package of the pages: where npm puts it, and what the lock file says of it."""

    path: str
    name: str
    version: str
    license: str | None
    integrity: str
    dependencies: tuple[str, ...]
    """Their paths."""


def read_modules() -> dict[str, Module]:
    """Every package of frontend/package-lock.json by its path."""
    entries = json.loads((FRONTEND / "package-lock.json").read_text("utf-8"))["packages"]
    return {path: _module(path, entry, entries) for path, entry in entries.items() if path}


def _module(path: str, entry: dict[str, Any], entries: dict[str, Any]) -> Module:
    wanted = {**entry.get("dependencies", {}), **entry.get("optionalDependencies", {})}
    found = tuple(sorted({place for name in wanted if (place := _place(name, path, entries))}))
    name = path.rpartition("node_modules/")[2]
    return Module(path, name, entry["version"], entry.get("license"), entry["integrity"], found)


def _place(name: str, wanting: str, entries: dict[str, Any]) -> str | None:
    """Where a package that another wants is: in its own folder first, then in those around it, as Node looks."""
    around = wanting
    while True:
        place = f"{around}/node_modules/{name}".lstrip("/")
        if place in entries:
            return place
        if not around:
            return None  # optional, and not there
        around = around.rpartition("node_modules/")[0].rstrip("/")


def read_bundle() -> list[dict[str, str]]:
    """The packages whose modules stand in the built pages, as vite listed them: name, version, identifier and text."""
    lists = [json.loads(path.read_text("utf-8")) for path in sorted(PAGES.glob("licenses*.json"))]
    if not lists:
        raise SystemExit("the pages are not built: make pages")
    return list({(entry["name"], entry["version"]): entry for entries in lists for entry in entries}.values())


def shipped(modules: dict[str, Module]) -> list[Module]:
    """The packages of the bundle and all that they depend on, for some carry code of these inside their own files."""
    by_name = {(module.name, module.version): path for path, module in modules.items()}
    pending = [by_name[entry["name"], entry["version"]] for entry in read_bundle()]
    found: set[str] = set()
    while pending:
        path = pending.pop()
        if path not in found:
            found.add(path)
            pending += modules[path].dependencies
    return sorted(
        {(m.name, m.version): m for m in (modules[path] for path in found)}.values(), key=lambda m: (m.name, m.version)
    )
