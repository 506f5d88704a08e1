"""Simulated subjects with known preferences: the truth that estimators must recover, and some about whom there is no
truth. Importing this package registers all of them."""

from ostrom.players.subjects.base import SUBJECTS, Parameter, Subject
from ostrom.players.subjects.contestant import SubjectContestant, is_subject, subject_of
from ostrom.players.subjects.discounters import Exponential, Hyperbolic, Magnitude, QuasiHyperbolic
from ostrom.players.subjects.gamblers import ExpectedUtility, Prospect
from ostrom.players.subjects.social import ConditionalCooperator, FehrSchmidt
from ostrom.players.subjects.thinkers import BackwardInducer, LevelK, Selfish
from ostrom.players.subjects.unscored import AlwaysA, AlwaysFirst, Constant, Malformed, Random, Refuser

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
    SUBJECTS.add(_name, _subject)

__all__ = ["SUBJECTS", "Parameter", "Subject", "SubjectContestant", "is_subject", "subject_of"]
