"""Simulated subjects with known preferences: the truth that estimators must recover, and some about whom there is no
truth. Importing this package registers all of them."""

from ostrom.games.battery.subjects.base import SUBJECTS, Subject, is_subject, subject, subject_of
from ostrom.games.battery.subjects.choosing import Division
from ostrom.games.battery.subjects.discounters import Exponential, Hyperbolic, Magnitude, QuasiHyperbolic
from ostrom.games.battery.subjects.economicus import Economicus
from ostrom.games.battery.subjects.gamblers import ExpectedUtility, Prospect
from ostrom.games.battery.subjects.social import ConditionalCooperator, FehrSchmidt
from ostrom.games.battery.subjects.thinkers import BackwardInducer, LevelK, Selfish
from ostrom.games.battery.subjects.unscored import AlwaysA, AlwaysFirst, Constant, Malformed, Random, Refuser
from ostrom.players.strategy import parameter

_ALL: dict[str, type[Subject]] = {
    "exponential": Exponential,
    "quasi-hyperbolic": QuasiHyperbolic,
    "hyperbolic": Hyperbolic,
    "magnitude": Magnitude,
    "expected-utility": ExpectedUtility,
    "prospect": Prospect,
    "fehr-schmidt": FehrSchmidt,
    "level-k": LevelK,
    "conditional-cooperator": ConditionalCooperator,
    "backward-inducer": BackwardInducer,
    "selfish": Selfish,
    "random": Random,
    "always-a": AlwaysA,
    "always-first": AlwaysFirst,
    "constant": Constant,
    "refuser": Refuser,
    "malformed": Malformed,
}
for _name, _subject in _ALL.items():
    subject(_name)(_subject)

__all__ = ["SUBJECTS", "Division", "Economicus", "Subject", "is_subject", "parameter", "subject", "subject_of"]
