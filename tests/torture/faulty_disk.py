"""Compiles `faulty_disk.c`, and says how a program is started over it."""

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
HOW_TO_GET_IT = "the disk with faults takes Linux and a C compiler; to get one: sudo apt-get install gcc libc6-dev"


def build(folder: Path) -> Path | None:
    """The library, made anew in this folder; None where there is nothing to make it with."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    library = folder / "faulty_disk.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, SOURCE, "-ldl"]
    subprocess.run(command, check=True)
    return library
