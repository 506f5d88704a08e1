"""docs/measures.md says what the registry says."""

from real_logs import ROOT

from measured import COMMONS, MEASURES
from ostrom.analysis.study import study_called

PAGE = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")


def test_every_definition_is_in_the_docs_word_for_word():
    both = [*MEASURES.values(), *COMMONS.measures.values(), *study_called("repeated").measures.values()]
    stale = [measure.name for measure in both if f"`{measure.name}`: {measure.unit}," not in PAGE]
    stale += [measure.name for measure in both if measure.definition not in PAGE or measure.notes not in PAGE]
    assert not stale, "run python docs/make_measures.py"


def test_every_part_is_filled_in():
    for part in ("definitions", "commons", "repeated", "aggregate", "published", "promises"):
        inside = PAGE.split(f"<!-- {part} -->")[1].split(f"<!-- end of {part} -->")[0]
        assert len(inside) > 100
