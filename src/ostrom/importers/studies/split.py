"""The rule that splits published studies into a given and a held-out part, and the given part into fitted and
development data. The rule depends on names alone, so that it is the same on every machine and in every analysis."""

import hashlib
from typing import Final, Literal, TypeAlias

StudyPart: TypeAlias = Literal["fitted", "development", "held-out"]
_GIVEN: Final = "0123456789ab"
_DEVELOPMENT: Final = "0123"
RULE: Final = (
    "Split: by the SHA-256, in hex, of {key}; first digit c–f: held out; of the others, second digit 0–3: development; "
    "all others: fitted."
)


def part_of(key: str) -> StudyPart:
    """Return the part of the data to which a key belongs."""
    digits = hashlib.sha256(key.encode("utf-8")).hexdigest()
    if digits[0] not in _GIVEN:
        return "held-out"
    return "development" if digits[1] in _DEVELOPMENT else "fitted"


def rule_sentence(key: str) -> str:
    """Return the rule as a sentence. `key` describes the text that is hashed."""
    return RULE.format(key=key)
