"""Estimators of behaviour, one module for each, and the registry of their names. Each reads a table of decisions and
returns a `result.FitResult`: parameters with intervals, the membership of each player, and an out-of-sample score."""

from collections.abc import Mapping
from typing import Final

FITS: Final[Mapping[str, str]] = {
    "strategies": "ostrom.analysis.fits.strategies:STRATEGIES",
    "conditional": "ostrom.analysis.fits.conditional:CONDITIONAL",
    "types": "ostrom.analysis.fits.contribution_types:TYPES",
    "hierarchical": "ostrom.analysis.fits.hierarchical:HIERARCHICAL",
    "qre": "ostrom.analysis.fits.quantal:QRE",
    "level-k": "ostrom.analysis.fits.quantal:LEVEL_K",
    "social": "ostrom.analysis.fits.social:SOCIAL",
}
"""The import path of each estimator. A module is imported when its estimator is used."""
