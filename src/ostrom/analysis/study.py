"""What is studied: the games of one kind that have finals, each with its tables and measures, by which two experiments
can be compared; and the tasks of one family, by which subjects are scored. Both are found through the games themselves,
by what records call them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Generic, Protocol, TypeAlias, runtime_checkable

import polars as pl
from pydantic import BaseModel

from ostrom.analysis.left_out import Apart, By, LeftOut
from ostrom.analysis.measures import Measure, common_measures
from ostrom.analysis.tables import ABOUT, Kept, Tables, common_tables, without_defaulted
from ostrom.core import Event, EventRegistry, InputError, Play, Registry, Table, UnknownName
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.journal.sql import Journal


class NothingLeft(InputError):
    """There is nothing to study: no game was finished, or nothing of them is left."""


@dataclass(frozen=True)
class GameMeasures(Generic[Tables]):
    """What the part `measures` of a game with finals is: its own tables and measures, beside the common ones. A measure
    that is named like a common one takes its place."""

    measures: Registry[Measure[Tables]]
    tables: Callable[[Kept], Tables] | None = None
    """All tables of some records; without it, they are the common ones."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What each of its own tables holds."""
    promises: Callable[[Tables], pl.DataFrame] | None = None
    """What became of its messages: game, round and seat, `promised`, `contributed` and `kept`; the latter are missing
    where nothing was promised."""
    held: Callable[[Tables], pl.DataFrame] | None = None
    """What each seat held when it spoke, which is what "everything" means in a promise: game, round, seat, `held`."""


@dataclass(frozen=True)
class Study(Generic[Tables]):
    """The study of a game that has finals."""

    game: Game
    own: GameMeasures[Tables] | None

    @property
    def command(self) -> str:
        """What the command line calls it."""
        return self.game.command

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def spoken(self) -> str:
        return within(self.title)

    @property
    def records(self) -> tuple[str, ...]:
        """What records call its games."""
        return (self.game.name,)

    @cached_property
    def measures(self) -> Registry[Measure[Tables]]:
        """Every measure by its name: the common ones, then the game's own."""
        found: Registry[Measure[Tables]] = Registry("measure")
        own = {} if self.own is None else dict(self.own.measures)
        for measure in common_measures(self.game):
            found.add(measure.name, own.pop(measure.name, measure))
        for name, one in own.items():
            found.add(name, one)
        return found

    @cached_property
    def about(self) -> dict[str, str]:
        """What each of its tables holds."""
        return {**ABOUT, **({} if self.own is None else self.own.about)}

    def tables(self, records: Kept) -> Tables:
        """The tables of some records; those of other games are passed over."""
        if self.own is None or self.own.tables is None:
            return common_tables(self.game, records)  # type: ignore[return-value]
        return self.own.tables(records)

    def exported(self, records: Kept) -> Mapping[str, pl.DataFrame]:
        """The tables by the names of their files."""
        return self.tables(records).parts

    def chosen(
        self,
        tables: Tables,
        *,
        void: Sequence[str],
        where: str,
        without: By | None = None,
        apart: Sequence[Apart] = (),
    ) -> Tables:
        """The tables of the games that are meant; at least one game. They know what was left out of them: the `void`
        games, those, or the seats, for which the game answered, and what is not pooled with them. `where` says in
        words which games were looked at."""
        if not tables.games.height:
            simulated = sum(one.games for one in apart if one.what == "simulations")
            aside = [f"{len(void):,} void"] if void else []
            aside += [f"{simulated:,} of simulations, on no leaderboard"] if simulated else []
            others = f" ({'; '.join(aside)})" if aside else ""
            raise NothingLeft(
                f"{where} has no finished games of {self.spoken}{others}; 'ostrom bench {self.command}' plays some"
            )
        tables = replace(tables, left_out=LeftOut(void=tuple(void), apart=tuple(apart)))
        if without is None:
            return tables
        kept = without_defaulted(tables, without)
        if not kept.games.height:
            raise NothingLeft(f"every {without} of {where} has a defaulted answer; without them nothing is left")
        return kept


def within(title: str) -> str:
    """A title as it stands within a sentence: its article is small."""
    return f"the {title[4:]}" if title.startswith("The ") else title


@dataclass(frozen=True, slots=True)
class Scale:
    """A score in words."""

    name: str
    title: str
    theme: str
    definition: str
    decimals: int = 1
    words: bool = False
    """Its value is a word and no number."""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A score whose value is a word, such as a strategy's label; without one there is a reason."""

    value: str | None
    reason: str | None = None
    code: str | None = None
    """The reason in a word, for programs."""

    def as_record(self) -> dict[str, str | None]:
        """The word in the form of every score."""
        return {"value": self.value, "low": None, "high": None, "reason": self.reason}


@runtime_checkable
class Scored(Protocol):
    """All that a study says about a subject."""

    @property
    def subject(self) -> str:
        """Its name."""

    @property
    def scores(self) -> Mapping[str, Estimate]:
        """Every score that is a number, by name."""

    @property
    def words(self) -> Mapping[str, Word]:
        """Every score that is a word."""

    @property
    def invalid(self) -> Mapping[str, Estimate]:
        """The shares of its answers that are not valid."""

    @property
    def label(self) -> str | None:
        """Its type in a word, where it has one."""

    @property
    def items(self) -> int:
        """How many events it was scored by."""


@dataclass(frozen=True)
class SubjectStudy:
    """What the part `measures` of a game without finals can be: several tasks by which subjects are scored, each game a
    task that one subject answered. All games of the family name the same."""

    command: str
    """What the command line calls it."""
    title: str
    records: tuple[str, ...]
    """What records call its games."""
    scales: Sequence[Scale]
    """Every score, in the order of tables."""
    themes: Mapping[str, str]
    """What scores are about: titles by the names that scales have."""
    exported: Callable[[Kept], Mapping[str, pl.DataFrame]]
    """The tables by the names of their files; records of other games are passed over."""
    score: Callable[[Kept], Sequence[Scored]]
    """Everyone who answered in these games, in the order of a report."""
    in_order: Callable[[Iterable[Scored]], list[Scored]]
    """Subjects that were scored one by one, in the order of a report."""
    reference: Callable[[], Mapping[str, Estimate]]
    """What is known of people, by score; the reason is the source."""
    is_simulated: Callable[[str], bool]
    """Whether a subject comes with the family, and is no model."""

    @property
    def spoken(self) -> str:
        return within(self.title)

    def nobody(self, where: str) -> str:
        """That there are no answers, and what asks for some."""
        return f"{where} holds no answers to the {self.command}; 'ostrom bench {self.command}' asks for some"

    def scored(self, records: Kept, where: str, subjects: Sequence[str] = ()) -> list[Scored]:
        """The subjects that answered in these games, or those of them that are named, scored; at least one. `where`
        says in words which games were looked at."""
        mine = [one for one in records if one[2].game in self.records]
        there = sorted({record.seats[0].player for _, _, record in mine})
        if not there:
            raise NothingLeft(self.nobody(where))
        for wanted in subjects:
            if wanted not in there:
                raise NothingLeft(f"{where} has no answers by {wanted!r}; it has answers by {_named(there)}")
        return list(self.score(one for one in mine if not subjects or one[2].seats[0].player in subjects))


def _named(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


AnyStudy: TypeAlias = Study[Any] | SubjectStudy

_made: Final[dict[str, Study[Any]]] = {}


def study_of_game(game: Game) -> AnyStudy | None:
    """The study of a game; none where it has no finals and its measures are not those of a family of tasks."""
    if game.finals is None:
        family = game.part("measures")
        return family if isinstance(family, SubjectStudy) else None
    known = _made.get(game.name)
    if known is None or known.game is not game:
        known = _made[game.name] = Study(game, game.part("measures"))
    return known


def study_of(tables: Tables) -> Study[Tables]:
    """Which study these are tables of."""
    found = study_of_game(GAMES[tables.kind]) if tables.kind in GAMES else _made.get(tables.kind)
    assert isinstance(found, Study)
    return found


def stored_study(journal: Journal, name: str) -> Study[Any] | None:
    """The study of a game that is not installed, by what the journal keeps of it: finals and scene. It has the common
    tables and measures; none where nothing was kept."""
    if name not in _made:
        row = next((row for row in journal.ended.games([name]) if row.finals is not None), None)
        if row is None:
            return None
        scene: Mapping[str, Any] = journal.origin(row.id).scene or {}
        final = scene.get("quantities", {}).get(scene.get("final"), {})
        clock = scene.get("clock")
        _made[name] = Study(
            Game(
                name=name,
                title=scene.get("title") or name.replace("_", " ").capitalize(),
                summary="a game that is not installed",
                seats=Seats(1, 1_000_000),
                rules=_NoRules,
                view=object,
                play=_not_installed,
                events=EventRegistry(),
                clock=clock if clock in ("round", "turn", "question") else "round",
                unit=final.get("unit", ""),
                better="lower" if scene.get("better") == "lower" else "higher",
                finals=_no_finals,
            ),
            None,
        )
    return _made[name]


class _NoRules(BaseModel):
    """The rules of a game that is not installed: whatever they are, they have no columns."""


def _not_installed(rules: _NoRules, table: Table) -> Play:
    raise InputError("the package of this game is not installed; install it to play")


def _no_finals(events: Sequence[Event]) -> list[float | None]:
    raise LookupError("finals are those of the journal")


def study_called(command: str, here: Iterable[AnyStudy] = ()) -> AnyStudy:
    """The study that a user names, by its command or as records call its game, one of those `here` before any other."""
    here = list(here)
    own = [study for study in here if study.command == command] + [study for study in here if command in study.records]
    if own:
        return own[0]
    found = study_of_game(GAMES.of_command(command)) if command in GAMES.commands() or command in GAMES else None
    # One game after the other, until it is found: what measures are made of can take long to import.
    each = (study_of_game(GAMES[name]) for name in GAMES)
    found = found or next((study for study in each if study is not None and study.command == command), None)
    if found is None:
        known = ", ".join(study.command for study in all_studies())
        raise UnknownName("study", command, [], text=f"there is no study of {command!r}; it must be one of {known}")
    return found


def all_studies() -> list[AnyStudy]:
    """The studies of all games that are installed, those of played games first."""
    return studies_of(GAMES)


def studies_of(records: Iterable[str], journal: Journal | None = None) -> list[AnyStudy]:
    """The studies of games by what records call them. Those that are not installed are studied by what the journal
    keeps of them, where there is one; those that cannot be studied are passed over. The first to be named comes first,
    families of tasks last."""
    found: dict[str, AnyStudy] = {}
    for name in records:
        study: AnyStudy | None
        if name in GAMES:
            study = study_of_game(GAMES[name])
        else:
            study = None if journal is None else stored_study(journal, name)
        if study is not None:
            found.setdefault(study.command, study)
    return sorted(found.values(), key=lambda study: isinstance(study, SubjectStudy))


def most_first(finished: Mapping[str, int], journal: Journal | None = None) -> list[AnyStudy]:
    """The studies of some games, counted by what records call them: the most games first, families of tasks last."""
    return studies_of(sorted(finished, key=lambda name: -finished[name]), journal)
