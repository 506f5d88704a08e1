"""Draw the pictures of the battery for the docs: `python docs/make_battery_gallery.py`. Six simulated subjects answer
the full protocol with seed 1."""

import re
import tempfile
from pathlib import Path

from ostrom.experiment.store import run_experiment
from ostrom.games.battery.charts import write_report
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.games.battery.scores.table import score_subjects
from ostrom.journal.sql import Journal

GALLERY = Path(__file__).parent / "gallery"
SUBJECTS = (
    "exponential:delta=0.9,noise=0.03",
    "quasi-hyperbolic:noise=0.03",
    "expected-utility:r=0.5,noise=0.03",
    "fehr-schmidt:noise=0.03",
    "level-k:k=2",
    "random",
)
KEPT = {
    "board_rationality": "battery_rationality",
    "board_social": "battery_social",
    "board_cooperation": "battery_cooperation",
}


def small(picture: str) -> str:
    """Round positions and shapes to a hundredth of a pixel; figures in the text keep all their digits."""
    return re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d+\.\d\d)\d+", r"\1", tag[0]), picture)


def main() -> None:
    """Ask the questions, score the answers, and save the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        with Journal.open(f"sqlite:///{folder}/battery.db", create=True) as journal:
            run_experiment(plan_battery(BatterySettings(subject=tuple(SUBJECTS), protocol="full", seed=1)), journal)
            rows = score_subjects(journal.records())
        write_report(rows, Path(folder) / "report", title="The battery")
        drawn = Path(folder) / "report" / "charts"
        place = 1 + next(index for index, row in enumerate(rows) if row.subject.startswith("quasi-hyperbolic"))
        for name, kept in {**KEPT, f"card_{place}": "battery_card"}.items():
            (GALLERY / f"{kept}.svg").write_text(small((drawn / f"{name}.svg").read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
