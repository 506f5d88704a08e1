"""Definitions that pages and reports show are plain text."""

import re

import pytest

from ostrom.analysis.study import Study, study_of_game
from ostrom.core.plugins import GAMES
from ostrom.core.text import plain_doc
from ostrom.games.battery.charts.data import TABLES
from ostrom.games.battery.scores.table import DEFINITIONS


def texts() -> list[str]:
    studies = [study for name in GAMES if isinstance(study := study_of_game(GAMES[name]), Study)]
    measures = [text for study in studies for one in study.measures.values() for text in (one.definition, one.notes)]
    return [*measures, *(one.definition for one in DEFINITIONS.values()), *(text for text, _ in TABLES.values())]


@pytest.mark.parametrize("text", sorted(set(texts())), ids=lambda text: text[:30])
def test_no_definition_has_backticks_or_modules(text):
    assert "`" not in text
    assert not re.search(r"\bostrom\.[a-z]", text)


def test_code_in_a_docstring_is_quoted():
    assert plain_doc("The column `n`\n    has\tthe games.") == "The column “n” has the games."


def test_a_figure_that_is_published_by_another_definition_says_so():
    notes = GAMES["contribute_punish"].part("measures").measures["punishment_spent_percent"].notes
    assert "with a different definition, which is not known" in notes
