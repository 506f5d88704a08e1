"""The studies of the two games with measures of their own, as tests read them."""

from ostrom.analysis.study import Study, study_by_command
from ostrom.charts.catalogue import Catalogue, catalogue_of


def _study(command: str) -> Study:
    found = study_by_command(command)
    assert isinstance(found, Study)
    return found


PUNISH, COMMONS = _study("punish"), _study("commons")
MEASURES = PUNISH.measures
COMPARABLE = tuple(name for name, measure in MEASURES.items() if measure.ratio)
PUNISH_CHARTS: Catalogue = catalogue_of(PUNISH)
COMMONS_CHARTS: Catalogue = catalogue_of(COMMONS)
PICTURES, SECTIONS = PUNISH_CHARTS.pictures, PUNISH_CHARTS.sections
COMPARED = tuple(PUNISH_CHARTS.compared)
