"""Simulated subjects. Most have known preferences, which estimators must recover, and some have no preferences.
Importing this package registers all of them, in this order."""

from ostrom.games.battery.subjects import theories, unscored  # noqa: F401
from ostrom.games.battery.subjects.base import SUBJECTS, Division, Economicus, Subject, is_subject, subject, subject_of
from ostrom.players.strategy import parameter

__all__ = ["SUBJECTS", "Division", "Economicus", "Subject", "is_subject", "parameter", "subject", "subject_of"]
