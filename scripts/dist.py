"""Build the wheel and the source archive into dist/ and try both in empty environments: the base, each extra, all of
them: `python scripts/dist.py [EXTRA …]`, where none names all. Whatever is installed is one of the versions in
requirements/, with its hashes."""

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from installed import STAYS, TRIES, has, wrong

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
APART = ("axelrod", "dev", "docs")
"""Axelrod is installed without what it declares; the others are no part of what users run."""
SERVED = re.compile(r"http://127\.0\.0\.1:\d+\S*")


def providers(project: dict[str, list[str]]) -> list[str]:
    """The extras that bring a provider's own library, which has a lock of its own."""
    return [name for name, needs in project.items() if any(f"{name}," in need or f",{name}]" in need for need in needs)]


def build() -> tuple[Path, Path]:
    """The wheel, built from the source archive, and the archive."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(DIST)], ROOT)
    (archive,) = DIST.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder, filter="data")
        (inside,) = Path(folder).iterdir()
        _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(DIST)], inside)
    (wheel,) = DIST.glob("*.whl")
    return wheel, archive


def install(package: Path, extras: Sequence[str], lock: str, folder: Path) -> Path:
    """An empty environment with our package and these extras, and the path of its `ostrom`."""
    uv = str(Path(sys.executable).parent / "uv")
    _run([uv, "venv", "--quiet", "--python", sys.executable, str(folder)], ROOT)
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    named = f"ostrom[{','.join(extras)}]" if extras else "ostrom"
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{named} @ {package.as_uri()} --hash=sha256:{digest}\n")
    python = str(folder / "bin" / "python")
    locked = [uv, "pip", "install", "--quiet", "--python", python, "--require-hashes"]
    if package.suffix == ".gz":  # what builds it comes from the locks too
        _run([*locked, "-r", str(ROOT / "requirements" / "build.txt")], folder)
    pins = str(ROOT / "requirements" / f"{lock}.txt")
    _run([*locked, "--no-build-isolation", "-c", pins, "-r", str(wanted)], folder)
    return folder / "bin" / "ostrom"


def try_commands(ostrom: Path, extras: Sequence[str]) -> list[str]:
    """Every command once, outside a checkout; what is wrong."""
    faults: list[str | None] = []
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OSTROM"))}
    environment = {**clean, "OPENAI_API_KEY": "nobody-is-asked", "COLUMNS": "80"}
    with tempfile.TemporaryDirectory() as folder:
        for one in TRIES:
            words = [str(ostrom), *shlex.split(one.words)]
            if one.words.startswith(STAYS) and has(extras, one.needs):
                faults.append(_served(words, folder, environment))
                continue
            done = subprocess.run(
                words, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=600
            )
            faults.append(wrong(one, extras, done.returncode, done.stdout, done.stderr))
        page = Path(folder, "game.html")
        faults.append(None if page.is_file() and "<script" in page.read_text("utf-8") else "game.html is no page")
    return [fault for fault in faults if fault]


def _served(words: list[str], folder: str, environment: dict[str, str]) -> str | None:
    """Start what waits for somebody, open the page that it names, and stop it."""
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if found := SERVED.search(line):
                with urllib.request.urlopen(found[0].split("#")[0], timeout=30) as page:
                    return None if b"<script" in page.read() else f"{shlex.join(words[1:])}: no page at {found[0]}"
        return f"{shlex.join(words[1:])} named no address: {said}"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def _run(words: list[str], folder: Path) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{shlex.join(words)}\n{done.stdout[-2_000:]}{done.stderr[-4_000:]}")


def main() -> None:
    """Build and try; exits with 1 where something is wrong."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    libraries = providers(project)
    usual = [name for name in project if name not in (*APART, *libraries)]
    wheel, archive = build()
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes; {archive.name}: {archive.stat().st_size:,} bytes", flush=True)
    plans = {"base": (wheel, [], "dev"), "base from source": (archive, [], "dev"), "all": (wheel, usual, "dev")}
    plans |= {name: (wheel, [name], "dev") for name in usual}
    plans |= {name: (wheel, [name, "models"], "providers") for name in libraries}
    wanted = sys.argv[1:] or list(plans)
    failed = False
    for name in wanted:
        package, extras, lock = plans[name]
        with tempfile.TemporaryDirectory() as folder:
            faults = try_commands(install(package, extras, lock, Path(folder)), extras)
        failed = failed or bool(faults)
        print(f"{name}: {'all commands work or name what they lack' if not faults else 'WRONG'}", flush=True)
        print("".join(f"{fault}\n" for fault in faults), end="", flush=True)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
