"""The check that the people of a session can be seated: groups divide the people of each treatment, and perfect
strangers never meet twice."""

import math
from collections.abc import Sequence

from ostrom.core import InputError
from ostrom.core.text import number_of
from ostrom.experiment.session.file_draft import SessionDraft
from ostrom.experiment.session.file_parts import MAX_PARTICIPANTS, SessionGame, Treatment
from ostrom.experiment.session.file_rules import people_of
from ostrom.experiment.session.strangers import perfect_strangers

_MARGIN = 1e-9


def check_groups(draft: SessionDraft) -> None:
    """Add a mistake for each game whose groups do not divide the people, or whose perfect strangers would meet
    again."""
    session = draft.session
    invalid = len(draft.treatments) < len(draft.names["treatments"])
    if session is None or invalid:
        return
    treatments = draft.treatments or (Treatment(name="all"),)
    for part in draft.games:
        people = [people_of(part, treatment) for treatment in treatments]
        if not all(people):
            continue  # This is reported for the composition.
        if not part.fill and not divides(session.participants, treatments, people):
            draft.add(f"games.{part.name}.group", _remainder(session.participants, part, treatments, people))
        elif part.matching == "perfect-strangers":
            _check_strangers(draft, part, treatments, people, session.participants)


def shares_of(participants: int, treatments: Sequence[Treatment]) -> list[float]:
    """Return the number of people of each treatment in the balanced assignment, before rounding."""
    total = sum(treatment.share for treatment in treatments)
    return [participants * treatment.share / total for treatment in treatments]


def divides(participants: int, treatments: Sequence[Treatment], people: Sequence[int]) -> bool:
    """Return whether each treatment has whole groups."""
    groups = [share / size for share, size in zip(shares_of(participants, treatments), people, strict=True)]
    return all(count >= 1 - _MARGIN and abs(count - round(count)) < _MARGIN for count in groups)


def _remainder(participants: int, part: SessionGame, treatments: Sequence[Treatment], people: Sequence[int]) -> str:
    shares = shares_of(participants, treatments)
    if len(treatments) == 1:
        text = f"groups with {people[0]} people do not divide {participants} participants"
    else:
        counts = ", ".join(
            f"{share:g} in {treatment.name}" for treatment, share in zip(treatments, shares, strict=True)
        )
        text = f"groups do not divide {participants} participants, which are {counts}"
    near = [count for count in _near(participants) if divides(count, treatments, people)][:2]
    change = f"set session.participants to {' or '.join(str(count) for count in sorted(near))}, or " if near else ""
    return f"{text}; {change}name in fill who takes the empty seats"


def _near(participants: int) -> list[int]:
    counts = [count for count in range(1, MAX_PARTICIPANTS + 1) if count != participants]
    return sorted(counts, key=lambda count: (abs(count - participants), count))


def _check_strangers(
    draft: SessionDraft, part: SessionGame, treatments: Sequence[Treatment], people: Sequence[int], participants: int
) -> None:
    """Each table brings a person together with new people, who must not be more than there are."""
    for treatment, share, size in zip(treatments, shares_of(participants, treatments), people, strict=True):
        most = int((share - 1 + _MARGIN) // (size - 1)) if size > 1 else part.tables
        if part.tables > most:
            draft.add(
                f"games.{part.name}.tables",
                f"perfect strangers in groups of {size} can meet at most {number_of(most, 'time')} among the {share:g} "
                f"people of the treatment {treatment.name}, got {part.tables} tables",
            )
        elif size > 1:
            # Whether a plan exists is known only by constructing it; the session uses the same plan.
            try:
                perfect_strangers(math.ceil(share / size - _MARGIN) * size, size, part.tables)
            except InputError as error:
                draft.add(f"games.{part.name}.tables", f"{error} (treatment {treatment.name})")
