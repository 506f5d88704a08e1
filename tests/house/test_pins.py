"""Whatever is installed has its version and hashes in requirements/ or package-lock.json, which name no host."""

import json
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def entries(lock: Path) -> list[str]:
    """Its requirements, each as one line."""
    text = re.sub(r"^#.*\n", "", lock.read_text(), flags=re.MULTILINE).replace("\\\n", "")
    return text.splitlines()


def pins(name: str) -> dict[str, set[str]]:
    """The versions of each package; there are two where Python 3.11 wants an older one."""
    found: dict[str, set[str]] = {}
    for entry in entries(ROOT / "requirements" / f"{name}.txt"):
        package, version = re.match(r"([\w.-]+)==([\w.+]+)", entry).groups()
        found.setdefault(canonicalize_name(package), set()).add(version)
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_each_requirement_has_one_version_and_hashes(lock: Path):
    assert entries(lock)
    for entry in entries(lock):
        assert re.match(r"[\w.-]+==[\w.+]+( ;|\s)", entry), entry
        assert HASH.search(entry), entry
        assert "://" not in entry


def test_what_runs_and_what_builds_are_part_of_one_resolution():
    dev = pins("dev")
    for part in ("base", "build"):
        assert all(versions <= dev[package] for package, versions in pins(part).items())


def test_the_lock_has_what_the_project_declares():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = declared["project"]
    extras = chain.from_iterable(project["optional-dependencies"].values())
    wanted = [*project["dependencies"], *extras, *declared["build-system"]["requires"]]
    # Two lists make the development environment: the second has what is installed without what it declares.
    locked = pins("dev") | pins("players")
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement} is neither in requirements/dev.txt nor in players.txt: make lock"
        assert all(requirement.specifier.contains(version) for version in versions), f"{requirement}: make lock"


def test_every_installation_asks_for_hashes_or_fetches_nothing():
    makefile = (ROOT / "Makefile").read_text()
    variables = dict(re.findall(r"^(PIP|LOCKED|OURS)\s*:= (.*)$", makefile, flags=re.MULTILINE))
    assert "--require-hashes" in variables["LOCKED"]
    assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(variables["OURS"].split())
    assert not re.search(r"^\t.*(\$\(PIP\)|pip install)", makefile, flags=re.MULTILINE)
    for script in [*(ROOT / "scripts").glob("*.sh"), ROOT / ".ci" / "run"]:
        for line in script.read_text().splitlines():
            assert "-m pip install" not in line or "--require-hashes" in line, f"{script.name}: {line}"
            assert not re.search(r"npm\[@\].* install", line), (
                f"{script.name}: npm install does not keep to the lock file"
            )


def test_every_package_of_the_pages_has_its_hash_and_no_host():
    text = (ROOT / "frontend" / "package-lock.json").read_text()
    packages = {path: entry for path, entry in json.loads(text)["packages"].items() if path}
    assert packages
    assert all(entry.get("integrity", "").startswith("sha512-") for entry in packages.values())
    assert '"resolved"' not in text
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "frontend" / ".npmrc").read_text()
