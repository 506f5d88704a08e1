"""Sentences that name a player are about figures that no few rich games decide: an interval of such a figure covers too
rarely where the sample misses the rich games."""

import pytest

from ostrom.analysis.measures import TAILED
from ostrom.analysis.study import Study, study_of_game
from ostrom.charts.catalogue import catalogue_of
from ostrom.core.plugins import GAMES

STUDIED = {"contribution_percent"}
"""Bounded figures in which rich games weigh more, but whose sentence named no player in 760 worlds of equal players
(docs/inference.md)."""
NAMES = [name for name in GAMES if isinstance(study_of_game(GAMES[name]), Study)]


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_names_the_first_by_a_figure_with_long_tails(name):
    study = study_of_game(GAMES[name])
    mosts = {most.measure for most in catalogue_of(study).own.mosts}
    assert {measure for measure in mosts if study.measures[measure].interval == TAILED} <= STUDIED


def test_some_measures_have_long_tails():
    measures = study_of_game(GAMES["contribute_punish"]).measures
    assert measures["mean_final"].interval == TAILED
