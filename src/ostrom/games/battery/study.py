"""What the battery says about its subjects, as studies find it: every stated task names it as its measures."""

from typing import Final

from ostrom.analysis.study import SubjectStudy
from ostrom.games.battery.scores.table import SCORES, THEMES, human_reference, in_order, score_subjects
from ostrom.games.battery.subjects import is_subject
from ostrom.games.battery.tables import tables_by_task
from ostrom.games.battery.tasks import TASKS

BATTERY: Final = SubjectStudy(
    command="battery",
    title="The economic battery",
    records=tuple(task.game.name for task in TASKS.values()),
    scales=SCORES,
    themes=THEMES,
    exported=tables_by_task,
    score=score_subjects,
    in_order=in_order,  # type: ignore[arg-type]
    reference=human_reference,
    is_simulated=is_subject,
)
