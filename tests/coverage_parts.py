"""The studies of benchmarks/, for their thin form in the suite."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

BENCHMARKS = str(Path(__file__).parents[1] / "benchmarks")


def part(name: str) -> ModuleType:
    """The module `coverage_NAME` of the studies of coverage."""
    # Behind everything else: the package of the name `coverage` is not to be found there.
    sys.path.append(BENCHMARKS)
    try:
        return import_module(f"coverage_{name}")
    finally:
        sys.path.remove(BENCHMARKS)
