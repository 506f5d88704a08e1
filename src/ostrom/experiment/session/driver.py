"""The entries that follow from the state of a session without anybody's action: treatments, groups, tables, payments,
and the end."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from ostrom.core import InputError
from ostrom.core.chance import GameChance
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.assignment import assign_together, block_size, next_treatment
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import SessionGame, Treatment
from ostrom.experiment.session.matching import form_groups
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.state import Cohort, SessionState, Step, TableState

_TREATMENT = "session quota"
_BEFORE_LOBBY = ("welcome", "consent", "instructions", "quiz")
NO_PEOPLE = "no person was left at this table"


class DrivenSession(Protocol):
    """The parts of a running session from which entries follow."""

    file: SessionFile
    seed: int
    state: SessionState
    lobby_over: set[int]

    @property
    def is_open(self) -> bool:
        """True if further people can join."""

    def truth(self, key: str, quantity: str, participant: int) -> float | None:
        """Return the true value of a quantity about which a participant has a belief, or None if it is unknown."""

    def payment(self, person: Participant) -> list[e.AnyEntry]:
        """Return the entries of a participant's payment."""


def next_entries(live: DrivenSession) -> list[e.AnyEntry]:
    """Return the entries that follow from the present state, or none if there are none now."""
    state = live.state
    if state.ended is not None:
        return [entry for person in state.participants.values() for entry in _after_end(live, person)]
    for part in (_of_participants, _of_lobby, _of_groups, _of_tables, _of_end):
        if new := list(part(live)):
            return new
    return []


def _after_end(live: DrivenSession, person: Participant) -> Iterator[e.AnyEntry]:
    if person.outcome is None:
        finished = live.state.page_of(person).name in ("payment", "outcome")
        yield e.Released(participant=person.number, outcome="done" if finished else "ended")
    elif person.paid is None:
        yield from live.payment(person)


def _of_participants(live: DrivenSession) -> Iterator[e.AnyEntry]:
    for person in live.state.participants.values():
        yield from _of_participant(live, person)


def _of_participant(live: DrivenSession, person: Participant) -> Iterator[e.AnyEntry]:
    state, file, number = live.state, live.file, person.number
    if person.outcome is not None:
        if person.paid is None:
            yield from live.payment(person)
        return
    if person.consent is False and file.consent is not None and file.consent.required:
        yield e.Released(participant=number, outcome="no_consent")
        return
    page = state.page_of(person)
    if page.name in ("welcome", "consent"):
        return
    if person.treatment is None:
        yield e.TreatmentAssigned(participant=number, treatment=draw_treatment(live, number))
    elif person.quiz_failed and file.quiz is not None and file.quiz.on_failure == "screen_out":
        yield e.Released(participant=number, outcome="screened_out")
    elif page.name == "lobby" and person.lobby_at is None:
        yield e.EnteredLobby(participant=number)
    elif unscored := list(_scores(live, person)):
        yield from unscored
    elif page.name == "payment" and person.paid is None:
        yield from live.payment(person)
    elif page.name == "outcome":
        yield e.Released(participant=number, outcome="done")


def draw_treatment(live: DrivenSession, number: int) -> str:
    """Return the treatment of a new participant: at random among the places that are left, so that the planned people
    make whole groups. Further people are assigned by the shares."""
    file, state = live.file, live.state
    taken = Counter(person.treatment for person in state.participants.values() if person.outcome in (None, "done"))
    quotas = Counter(assign_together(range(1, file.session.participants + 1), file, seed=live.seed).values())
    free = {name: count - taken[name] for name, count in sorted(quotas.items()) if count > taken[name]}
    if not free:
        counts = {name: count for name, count in taken.items() if name is not None}
        return next_treatment(file.treatments, counts, seed=live.seed, number=number)
    places = [name for name, count in free.items() for _ in range(count)]
    drawn = GameChance(live.seed).uniform(_TREATMENT, number, 0)
    return places[min(len(places) - 1, int(drawn * len(places)))]


def _scores(live: DrivenSession, person: Participant) -> Iterator[e.AnyEntry]:
    """Yield the points of beliefs whose truth is known."""
    for belief in live.file.beliefs:
        if belief.name not in person.beliefs or belief.name in person.belief_points:
            continue
        table = live.state.table_of(Step(live.file.game(belief.game), 1), person.number)
        if table is None or table.ending != "finished":
            continue
        truth = live.truth(table.group.key, belief.quantity, person.number)
        if truth is not None:
            points = belief.points_of(person.beliefs[belief.name], truth)
            yield e.BeliefScored(participant=person.number, name=belief.name, truth=truth, points=points)


# The lobby.


def _of_lobby(live: DrivenSession) -> Iterator[e.AnyEntry]:
    state, file = live.state, live.file
    waiting = state.in_lobby()
    if not waiting:
        return
    if state.started is None and file.session.start != "full":
        yield from _released(person for person in waiting if person.number in live.lobby_over)
        return
    present = [person for person in waiting if person.absent_since is None]
    late = live.lobby_over if state.started is None or _more_come(live) else {person.number for person in waiting}
    room = file.session.participants - sum(len(cohort.members) for cohort in state.cohorts)
    for treatment in file.treatments:
        own = [person.number for person in present if person.treatment == treatment.name][: max(0, room)]
        members = _cohort_members(live, treatment, own, late)
        if members:
            room -= len(members)
            if state.started is None:
                yield e.Started(by="full")
            yield e.CohortFormed(treatment=treatment.name, members=members)
            return
    yield from _released(person for person in waiting if person.number in late)


def _cohort_members(live: DrivenSession, treatment: Treatment, own: Sequence[int], late: set[int]) -> list[int]:
    """Return the people of a treatment who can begin now."""
    file, state = live.file, live.state
    unit = block_size(file, treatment)
    if file.session.start != "full" and not any(cohort.treatment == treatment.name for cohort in state.cohorts):
        # At the start, all whole groups begin together. Empty seats are filled only if all games allow it.
        count = len(own) // unit * unit
        return list(own[:count])
    smallest = unit
    if file.session.start == "full":
        sizes = [file.seats_of(game, treatment).count("people") for game in file.games]
        smallest = max(unit, *sizes)
        if any(game.tables > 1 and game.matching != "partners" for game in file.games):
            quotas = Counter(assign_together(range(1, file.session.participants + 1), file, seed=live.seed).values())
            smallest = max(smallest, quotas[treatment.name])
    if len(own) >= smallest:
        return list(own[: len(own) // smallest * smallest])
    expired = [number for number in own if number in late]
    count = len(own) // unit * unit
    return list(own[:count]) if expired and count else []


def _more_come(live: DrivenSession) -> bool:
    """Return whether further people may enter the lobby."""
    people = live.state.participants.values()
    coming = (person for person in people if person.outcome is None and person.absent_since is None)
    return live.is_open or any(live.state.page_of(person).name in _BEFORE_LOBBY for person in coming)


def _released(people: Iterator[Participant]) -> Iterator[e.AnyEntry]:
    for person in people:
        yield e.Released(participant=person.number, outcome="unmatched")


# Groups and tables.


def _of_groups(live: DrivenSession) -> Iterator[e.AnyEntry]:
    for cohort in live.state.cohorts:
        for game in live.file.games:
            members = [live.state.participants[number] for number in cohort.members]
            if _are_grouped(live.state, game, cohort):
                continue
            if all(_is_at(live.state, person, game) for person in members if person.active):
                yield from _groups(live, cohort, game)
                return  # The numbers of further groups depend on these.
            break


def _are_grouped(state: SessionState, game: SessionGame, cohort: Cohort) -> bool:
    """Return whether the groups of a game are formed, or no person is left to play it."""
    step = Step(game, 1)
    people = [state.participants[number] for number in cohort.members]
    return not any(person.active for person in people) or any(
        state.table_of(step, person.number) is not None for person in people
    )


def _is_at(state: SessionState, person: Participant, game: SessionGame) -> bool:
    step = state.step_of(person)
    return step is not None and step.game.name == game.name


def _groups(live: DrivenSession, cohort: Cohort, game: SessionGame) -> Iterator[e.AnyEntry]:
    """Yield the groups of all tables of a game for people who begin it together. People for whom there is no group are
    released with what they have earned."""
    file, state = live.file, live.state
    treatment = file.treatment(cohort.treatment)
    people = [state.participants[number] for number in cohort.members]
    members = [person.number for person in people if person.outcome is None or person.replaced_by is not None]
    size = file.seats_of(game, treatment).count("people")
    if not game.fill and len(members) % size:
        count = len(members) // size * size
        yield from _released(state.participants[number] for number in members[count:])
        members = members[:count]
    for practice, tables in ((True, game.practice), (False, game.tables)):
        for table in range(1, tables + 1):
            formed = [
                group
                for group in state.tables.values()
                if (group.group.game, group.group.table, group.group.practice) == (game.name, table, practice)
            ]
            yield from _form(file, game, treatment, members, table, live.seed, practice, len(formed) + 1)


def _form(
    file: SessionFile,
    game: SessionGame,
    treatment: Treatment,
    members: Sequence[int],
    table: int,
    seed: int,
    practice: bool,
    first: int,
) -> list[e.GroupFormed]:
    if not members:
        return []
    try:
        return form_groups(file, game, treatment, members, table=table, seed=seed, practice=practice, first_group=first)
    except InputError:
        # People have left, and those who remain cannot be strangers to each other at every table.
        relaxed = game.model_copy(update={"matching": "strangers"})
        groups = form_groups(
            file, relaxed, treatment, members, table=table, seed=seed, practice=practice, first_group=first
        )
        return [group.model_copy(update={"relaxed": True}) for group in groups]


def _of_tables(live: DrivenSession) -> Iterator[e.AnyEntry]:
    state = live.state
    if state.paused:
        return
    for table in state.tables.values():
        if table.started or table.ending is not None or table.paused:
            continue
        people = [state.participants[number] for number in table.people]
        active = [person for person in people if person.active]
        if people and not active:
            yield e.TableEnded(key=table.group.key, ending="void", reason=NO_PEOPLE)
        elif all(_is_ready(state, person, table) for person in active):
            yield e.TableStarted(key=table.group.key)


def _is_ready(state: SessionState, person: Participant, table: TableState) -> bool:
    step = state.step_of(person)
    return step is not None and state.table_of(step, person.number) is table


def _of_end(live: DrivenSession) -> Iterator[e.AnyEntry]:
    state = live.state
    people = state.participants.values()
    over = people and all(person.outcome is not None for person in people)
    if over and state.started is not None and not live.is_open and not any(map(_is_played, state.tables.values())):
        yield e.Ended()


def _is_played(table: TableState) -> bool:
    return table.started and table.ending is None
