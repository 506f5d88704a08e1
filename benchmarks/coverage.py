"""Whether what the product prints holds: the coverage of every interval and the error rate of every verdict, in worlds
whose truth is known. Each part is a module `coverage_NAME.py` beside this one, with its `STUDIES`.

    python benchmarks/coverage.py                        every part, 2,000 worlds each (hours)
    python benchmarks/coverage.py --only means --worlds 200
    python benchmarks/coverage.py --jobs 8 --write       into the tables of docs/inference.md and validity.md
    python benchmarks/coverage.py --keep FOLDER          goes on where it was stopped

Parts whose real games are not at hand (OSTROM_DATA) leave those lines out and say so. The suite runs a thin form."""

import os

if __name__ == "coverage":
    # Numba asks for the package of that name, which counts lines, and finds this file beside the benchmark that runs.
    raise ImportError("this is a command and no package")

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(setting, "1")

import argparse  # noqa: E402 - only now, so that nothing starts threads
import json  # noqa: E402
import re  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from concurrent.futures import ProcessPoolExecutor  # noqa: E402
from dataclasses import asdict  # noqa: E402
from importlib import import_module  # noqa: E402
from pathlib import Path  # noqa: E402

from worlds import Row, Study, provenance, table  # noqa: E402

HERE = Path(__file__).resolve().parent
PAGES = tuple(HERE.parent / "docs" / name for name in ("inference.md", "validity.md"))
PARTS = tuple(sorted(path.stem.removeprefix("coverage_") for path in HERE.glob("coverage_*.py")))


def lines_of(part: str, place: int, worlds: int, keep: Path | None) -> tuple[list[Row], float]:
    """The lines of one study of a part, and the seconds it took; those that lie in the folder are not made anew."""
    file = keep and keep / f"{part}-{place}-{worlds}.json"
    if file and file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
        return [Row(**line) for line in found["lines"]], found["seconds"]
    started = time.process_time()
    study: Study = import_module(f"coverage_{part}").STUDIES[place]
    lines, seconds = list(study(worlds)), time.process_time() - started
    if file:
        file.write_text(json.dumps({"lines": [asdict(line) for line in lines], "seconds": seconds}), encoding="utf-8")
    return lines, seconds


def write(part: str, content: str) -> None:
    """Put a part's table between its markers in the docs."""
    pattern = rf"(<!-- coverage:{part} -->\n).*?(<!-- /coverage:{part} -->)"
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        text, found = re.subn(pattern, lambda match: f"{match[1]}{content}\n{match[2]}", text, flags=re.DOTALL)
        if found:
            page.write_text(text, encoding="utf-8")
            return
    names = " and ".join(page.name for page in PAGES)
    raise SystemExit(f"{names} have no place for {part!r}: it takes <!-- coverage:{part} --> and its end")


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=2000, help="so many of each")
    parser.add_argument("--only", metavar="NAME", action="append", choices=PARTS, help=", ".join(PARTS))
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--write", action="store_true", help="put the tables into the pages of docs")
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="keep what is made there, to go on after a stop")
    asked = parser.parse_args()
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    parts = asked.only or PARTS
    with ProcessPoolExecutor(asked.jobs) as pool:
        under_way = {
            part: [
                pool.submit(lines_of, part, place, asked.worlds, asked.keep)
                for place in range(len(import_module(f"coverage_{part}").STUDIES))
            ]
            for part in parts
        }
        for part, studies in under_way.items():
            found = [study.result() for study in studies]
            seconds = sum(taken for _, taken in found)
            command = f"python benchmarks/coverage.py --only {part} --worlds {asked.worlds}"
            content = f"{table(line for lines, _ in found for line in lines)}\n\n{provenance(command)}"
            print(f"## {part} ({seconds:,.0f} s of processor time)\n\n{content}\n", flush=True)
            if asked.write:
                write(part, content)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
