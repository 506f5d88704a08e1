"""Look every pin up in a copy of the OSV database: `python scripts/audit.py PyPI.zip npm.zip`. Archives and folders of
OSV records in JSON are taken; nothing is fetched, so that the check is the same on a machine without a network.

Ends with 1 where a pin is affected. Without a copy it says so in one line, which is no failure."""

import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from pins import read_modules, read_pins

LOCKS = ("base", "build", "dev", "local-model", "node", "players", "uv")
ABSENT = (
    "audit: nothing was checked: no database of known vulnerabilities comes with the project, and none is asked over "
    "the network; with a copy of OSV's: make audit ADVISORIES='PyPI.zip npm.zip'"
)


class Package(NamedTuple):
    """A package in the words of the database."""

    ecosystem: str
    name: str


class Finding(NamedTuple):
    """A pin that an advisory is about."""

    package: Package
    version: str
    advisory: str
    summary: str
    fixed: tuple[str, ...]

    def __str__(self) -> str:
        mended = f"fixed in {', '.join(self.fixed)}" if self.fixed else "no fixed version"
        return (
            f"{self.package.name} {self.version} ({self.package.ecosystem}): {self.advisory}: {self.summary}; {mended}"
        )


def all_pins() -> dict[Package, set[str]]:
    """The versions of everything that make installs, but for the peers of make bench."""
    found: dict[Package, set[str]] = {}
    for lock in LOCKS:
        for pin in read_pins(lock):
            found.setdefault(Package("PyPI", pin.name), set()).add(pin.version)
    for module in read_modules().values():
        found.setdefault(Package("npm", module.name), set()).add(module.version)
    return found


def read_advisories(source: Path) -> Iterator[dict[str, Any]]:
    """The records of an archive, or of a folder and those in it."""
    if source.is_dir():
        for path in sorted(source.rglob("*.json")):
            yield json.loads(path.read_bytes())
        return
    with zipfile.ZipFile(source) as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                yield json.loads(archive.read(name))


def semantic(version: str) -> tuple[Any, ...]:
    """A key that sorts versions of npm as semver.org says: a pre-release comes before its release."""
    numbers, _, rest = version.removeprefix("v").partition("+")[0].partition("-")
    release = tuple(int(part) if part.isdigit() else 0 for part in numbers.split("."))
    parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in rest.split(".") if part)
    return (*release, 0, 0, 0)[:3], not parts, parts


def pythonic(version: str) -> Version:
    """A key that sorts versions of Python packages; what is no version comes first."""
    try:
        return Version(version)
    except InvalidVersion:
        return Version("0.dev0")


def in_range(version: str, events: list[dict[str, str]], key: Callable[[str], Any]) -> bool:
    """Whether a version is between what introduces a fault and what ends it."""
    at = key(version)
    inside = False
    kinds = ("introduced", "last_affected", "fixed")
    marks = [(kind, key(event[kind])) for event in events for kind in kinds if kind in event]
    for kind, mark in sorted(marks, key=lambda entry: (entry[1], kinds.index(entry[0]))):
        if kind == "introduced" and at >= mark:
            inside = True
        elif (kind == "fixed" and at >= mark) or (kind == "last_affected" and at > mark):
            inside = False
    return inside


def is_affected(version: str, affected: dict[str, Any], key: Callable[[str], Any]) -> bool:
    """Whether a record's entry for a package names a version, or has it in a range."""
    ranges = [each["events"] for each in affected.get("ranges", ()) if each.get("type") in ("ECOSYSTEM", "SEMVER")]
    return version in affected.get("versions", ()) or any(in_range(version, events, key) for events in ranges)


def look_up(pins: dict[Package, set[str]], record: dict[str, Any]) -> Iterator[Finding]:
    """What one record says of the pins."""
    if record.get("withdrawn"):
        return
    for affected in record.get("affected", ()):
        ecosystem, name = affected["package"]["ecosystem"], affected["package"]["name"]
        package = Package(ecosystem, canonicalize_name(name) if ecosystem == "PyPI" else name)
        key = pythonic if ecosystem == "PyPI" else semantic
        for version in sorted(pins.get(package, ())):
            if is_affected(version, affected, key):
                events = [event for each in affected.get("ranges", ()) for event in each["events"]]
                fixed = tuple(
                    sorted({event["fixed"] for event in events if re.match(r"v?\d+\.", event.get("fixed", ""))})
                )
                summary = " ".join((record.get("summary") or record.get("details") or "no summary").split())[:200]
                yield Finding(package, version, record["id"], summary, fixed)


def main(sources: list[str]) -> int:
    """Check the pins against the copies given."""
    if not sources:
        print(ABSENT)
        return 0
    pins, records, findings = all_pins(), 0, set()
    known: set[str] = set()
    for source in sources:
        try:
            for record in read_advisories(Path(source)):
                records += 1
                known |= {affected["package"]["ecosystem"] for affected in record.get("affected", ())}
                findings.update(look_up(pins, record))
        except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError) as error:
            print(f"audit: {source} is no copy of the OSV database: {type(error).__name__}: {error}", file=sys.stderr)
            return 2
    for finding in sorted(findings):
        print(finding)
    for ecosystem in sorted({package.ecosystem for package in pins} - known):
        print(f"audit: no record is about {ecosystem}: its packages were not checked")
    print(f"audit: {sum(map(len, pins.values()))} versions, {records} records: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
