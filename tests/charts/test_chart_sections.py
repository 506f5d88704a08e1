"""The sections of every game's report: each has its own anchor, and each chart its own name."""

import pytest

from ostrom.analysis.study import SubjectStudy, study_of_game
from ostrom.charts.catalogue import Catalogue, GameCharts, catalogue_of
from ostrom.charts.forms import Bars, Section
from ostrom.charts.words import share
from ostrom.core.plugins import GAMES

STUDIES = [study for name in GAMES if (study := study_of_game(GAMES[name])) and not isinstance(study, SubjectStudy)]


def _bars(name: str) -> Bars:
    return Bars(name, name, share("of rounds"), "{first}", "{high}", "")


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.game.name)
def test_every_section_and_chart_of_a_report_is_there_once(study):
    sections = catalogue_of(study).sections
    anchors = [section.anchor for section in sections]
    names = [picture.name for section in sections for picture in section.pictures]
    assert sorted(set(anchors)) == sorted(anchors)
    assert sorted(set(names)) == sorted(names)


def test_own_charts_come_first_in_a_section_that_every_game_has():
    own = (Section("answers", "Answers", (_bars("mine"),)), Section("answers", "More", (_bars("more"),)))
    study = study_of_game(GAMES["stag_hunt"])  # It has no measures of its own, which would add a section.
    assert study is not None
    sections = Catalogue(study, GameCharts(own)).sections
    assert [section.anchor for section in sections] == ["leaderboard", "outcomes", "answers"]
    assert [picture.name for picture in sections[-1].pictures][:3] == ["mine", "more", "repaired_or_defaulted"]
