"""Every command in a base installation, and where an extra is missing: it works, or says in one line what to install.
The extras are out of sight of a process that runs all commands one after the other; `make dist` tries them in real
environments."""

import json
import os
import shlex
import subprocess
import sys
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement

from installed import STAYS, TRIES, has, wrong
from ostrom.cli.main import COMMANDS
from ostrom.core.entry_points import COMMANDS_GROUP, declared

DRIVER = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout

allowed, tries = json.load(sys.stdin)
sys.stdin = None

class Limited:
    # Finds nothing of what is not allowed, as if it were not installed.
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first in allowed or first in sys.stdlib_module_names or first.startswith("_"):
            return self.finder.find_spec(name, path, target)
        return None

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = [Limited(finder) for finder in sys.meta_path]
from ostrom.cli.main import main

for words in tries:
    sys.argv, status = ["ostrom", *words], 0
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            main()
        except SystemExit as ended:
            status = ended.code or 0
    print(json.dumps([status, out.getvalue()[-2000:], err.getvalue()]), flush=True)
"""


def importable(extras: list[str]) -> set[str]:
    """The names under which Python imports what an installation with these extras has."""
    names, pending, seen = set[str](), [("ostrom", tuple(extras))], set()
    while pending:
        package, wanted = pending.pop()
        if (package, wanted) in seen:
            continue
        seen.add((package, wanted))
        try:
            found = distribution(package)
        except Exception:
            continue  # for another platform
        names |= {str(file).partition("/")[0].partition(".")[0] for file in found.files or ()}
        for line in found.requires or ():
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                pending.append((needed.name, tuple(sorted(needed.extras))))
    return names


def test_every_command_is_tried():
    tried = {one.words.split()[0] for one in TRIES}
    assert {*COMMANDS, *(name for name in declared(COMMANDS_GROUP) if "." not in name)} - tried == set()


@pytest.mark.slow
@pytest.mark.parametrize("extras", [[], pytest.param(["models"], marks=pytest.mark.long)], ids=str)
def test_a_command_works_or_names_the_extra_that_it_lacks(extras, tmp_path):
    tries = [one for one in TRIES if not (one.words.startswith(STAYS) and has(extras, one.needs))]
    told = json.dumps([sorted({*importable(extras), "ostrom"}), [shlex.split(one.words) for one in tries]])
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=told,
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "OPENAI_API_KEY": "nobody-is-asked", "COLUMNS": "80"},
        check=False,
    )
    ends = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(ends) == len(tries), done.stderr[-2_000:]
    faults = [wrong(one, extras, *end) for one, end in zip(tries, ends, strict=True)]
    assert not any(faults), "\n".join(fault for fault in faults if fault is not None)
