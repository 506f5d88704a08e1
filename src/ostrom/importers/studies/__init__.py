"""Readers of published studies of people, one module for each study, and the registry of their names."""

from collections.abc import Mapping
from typing import Final

STUDIES: Final[Mapping[str, str]] = {
    "alsobay-2025": "ostrom.importers.studies.alsobay:STUDY",
    "bruhin-2019": "ostrom.importers.studies.bfs2019:STUDY",
    "dal-bo-2011": "ostrom.importers.studies.df2011:STUDY",
    "fischbacher-2010": "ostrom.importers.studies.fg2010:STUDY",
    "fudenberg-2012": "ostrom.importers.studies.frd2012:STUDY",
    "herrmann-2008": "ostrom.importers.studies.htg2008:STUDY",
    "moblab-2024": "ostrom.importers.studies.moblab:STUDY",
    "wang-2014": "ostrom.importers.studies.wxz2014:STUDY",
    "zhu-2025": "ostrom.importers.studies.zhu:STUDY",
}
"""The import path of each study. A module is imported when its study is read."""
