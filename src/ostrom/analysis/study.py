"""Studies. There are two kinds of studies. One is the study of a game with finals, with its tables and measures. The
other is the study of a family of tasks, by which subjects are scored. Both are looked up by the names of games in
records."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Generic, Protocol, TypeAlias, runtime_checkable

import polars as pl
from pydantic import BaseModel

from ostrom.analysis.common_measures import common_measures
from ostrom.analysis.left_out import Apart, By, Exclusions
from ostrom.analysis.measures import Measure
from ostrom.analysis.published_figures import PublishedFigure
from ostrom.analysis.role_measures import STUDIED_GAMES
from ostrom.analysis.tables import ABOUT, StoredRecords, Tables, common_tables, without_defaulted
from ostrom.analysis.traits import Trait
from ostrom.core import Event, EventRegistry, InputError, Play, Registry, Table, UnknownName
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.journal.sql import Journal


class NothingLeft(InputError):
    """Raised if there is no finished game to study, or if exclusions leave none."""


@dataclass(frozen=True)
class GameMeasures(Generic[Tables]):
    """The part `measures` of a game with finals. It has the tables and measures that the game adds to the common ones.
    A measure replaces the common measure of the same name."""

    measures: Registry[Measure[Tables]]
    tables: Callable[[StoredRecords], Tables] | None = None
    """A function that returns all tables of some records; by default the common tables."""
    about: Mapping[str, str] = field(default_factory=dict)
    """A description of each table that the game adds."""
    promises: Callable[[Tables], pl.DataFrame] | None = None
    """A function that returns the outcomes of the game's promises: game, round and seat, `promised`, `contributed` and
    `kept`. `contributed` and `kept` are missing if nothing was promised."""
    held: Callable[[Tables], pl.DataFrame] | None = None
    """A function that returns the amount that each seat had when it sent a message: game, round, seat and `held`. A
    promise of "everything" means this amount."""
    lesson: tuple[str, ...] = ()
    """The names of the measures that a session shows to its class, in this order; by default the game's own measures
    of players."""
    published: tuple[PublishedFigure, ...] = ()
    """Published figures of people."""
    traits: tuple[Trait, ...] = ()
    """The measures by which conclusions about players are drawn, with their words. Each is a sum over the player's
    seats, or a ratio of two."""


@dataclass(frozen=True)
class Study(Generic[Tables]):
    """The study of a game that has finals."""

    game: Game
    own: GameMeasures[Tables] | None

    @property
    def command(self) -> str:
        return self.game.command

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def spoken(self) -> str:
        return within(self.title)

    @property
    def records(self) -> tuple[str, ...]:
        return (self.game.name,)

    @property
    def installed(self) -> bool:
        """False if the study is based on the journal alone, because the game is not installed."""
        return self.game.play is not _not_installed

    @cached_property
    def measures(self) -> Registry[Measure[Tables]]:
        """All measures by name. The common measures come first, and then the game's own."""
        measures: Registry[Measure[Tables]] = Registry("measure")
        own = {} if self.own is None else dict(self.own.measures)
        for measure in common_measures(self.game):
            measures.add(measure.name, own.pop(measure.name, measure))
        for name, measure in own.items():
            measures.add(name, measure)
        return measures

    @cached_property
    def about(self) -> dict[str, str]:
        """A description of each table of the study."""
        return {**ABOUT, **({} if self.own is None else self.own.about)}

    def tables(self, records: StoredRecords) -> Tables:
        """Return the tables of some records. Records of other games are ignored."""
        if self.own is None or self.own.tables is None:
            return common_tables(self.game, records)  # type: ignore[return-value]
        return self.own.tables(records)

    def exported(self, records: StoredRecords) -> Mapping[str, pl.DataFrame]:
        """Return the tables of some records, by the names of their files."""
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
        """Return the tables without the games, or without the seats, that have defaulted answers. The tables also
        record all exclusions. These are the excluded games or seats, `void` games, and games that are not pooled
        (`apart`). `where` names the journal or the experiment in an error message. Raises `NothingLeft` if no game is
        left."""
        if not tables.games.height:
            simulated = sum(exclusion.games for exclusion in apart if exclusion.what == "simulations")
            excluded = [f"{len(void):,} void"] if void else []
            excluded += [f"{simulated:,} of simulations, on no leaderboard"] if simulated else []
            others = f" ({'; '.join(excluded)})" if excluded else ""
            raise NothingLeft(
                f"{where} has no finished games of {self.spoken}{others}; 'ostrom bench {self.command}' plays some"
            )
        tables = replace(tables, left_out=Exclusions(void=tuple(void), apart=tuple(apart)))
        if without is None:
            return tables
        rest = without_defaulted(tables, without)
        if not rest.games.height:
            raise NothingLeft(f"every {without} of {where} has a defaulted answer; without them nothing is left")
        return rest


def within(title: str) -> str:
    """Return a title as it is written within a sentence, with a lower-case article."""
    return f"the {title[4:]}" if title.startswith("The ") else title


@dataclass(frozen=True, slots=True)
class Scale:
    """The description of a score."""

    name: str
    title: str
    theme: str
    definition: str
    decimals: int = 1
    words: bool = False
    """True if the value of the score is a word instead of a number."""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A score whose value is a word, such as a strategy's label. If there is no value, there is a reason."""

    value: str | None
    reason: str | None = None
    code: str | None = None
    """The reason as a single word, for programs."""

    def as_record(self) -> dict[str, str | None]:
        """Return the word as plain data, in the same form as other scores."""
        return {"value": self.value, "low": None, "high": None, "reason": self.reason}


@runtime_checkable
class Scored(Protocol):
    """All scores of a subject."""

    @property
    def subject(self) -> str:
        """The subject's name."""

    @property
    def scores(self) -> Mapping[str, Estimate]:
        """The scores that are numbers, by name."""

    @property
    def words(self) -> Mapping[str, Word]:
        """The scores that are words, by name."""

    @property
    def invalid(self) -> Mapping[str, Estimate]:
        """The shares of the subject's answers that are not valid."""

    @property
    def label(self) -> str | None:
        """The type of the subject in one word, if it has a type."""

    @property
    def items(self) -> int:
        """The number of events from which the scores are computed."""


@dataclass(frozen=True)
class SubjectStudy:
    """The measures of a family of games without final results. A subject is scored by several tasks. Each game is one
    task that one subject answered. All games of the family have the same instance of this class."""

    command: str
    title: str
    records: tuple[str, ...]
    """The names of the family's games in records."""
    scales: Sequence[Scale]
    """Every score, in the order of tables."""
    themes: Mapping[str, str]
    """The titles of the themes to which scales belong."""
    exported: Callable[[StoredRecords], Mapping[str, pl.DataFrame]]
    """A function that returns tables by the names of their files. Records of other games are ignored."""
    score: Callable[[StoredRecords], Sequence[Scored]]
    """A function that scores all subjects of these games, in the order of a report."""
    in_order: Callable[[Iterable[Scored]], list[Scored]]
    """A function that sorts scored subjects in the order of a report."""
    reference: Callable[[], Mapping[str, Estimate]]
    """A function that returns the scores of people by name. The reason of such an estimate names its source."""
    is_simulated: Callable[[str], bool]
    """A function that returns whether a subject is simulated, and not a model."""
    pooled: Callable[[str, str, Sequence[Scored]], Scored] | None = None
    """A function that returns one row of means over people, given the name of the row, its source, and the people. None
    if people are always shown one by one."""

    @property
    def spoken(self) -> str:
        return within(self.title)

    def no_answers(self, where: str) -> str:
        """Return the text of the error for missing answers. It has a command that asks subjects."""
        return f"{where} holds no answers to the {self.command}; 'ostrom bench {self.command}' asks for some"

    def scored(self, records: StoredRecords, where: str, subjects: Sequence[str] = ()) -> list[Scored]:
        """Return the scores of the subjects of these games, or of the named subjects. `where` names the journal or the
        experiment in an error. Raises `NothingLeft` if a subject has no answers."""
        games = [record for record in records if record[2].game in self.records]
        known = sorted({record.seats[0].player for _, _, record in games})
        if not known:
            raise NothingLeft(self.no_answers(where))
        for subject in subjects:
            if subject not in known:
                raise NothingLeft(f"{where} has no answers by {subject!r}; it has answers by {_list_names(known)}")
        return list(self.score(game for game in games if not subjects or game[2].seats[0].player in subjects))


def _list_names(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


AnyStudy: TypeAlias = Study[Any] | SubjectStudy

_studies: Final[dict[str, Study[Any]]] = {}


def study_of_game(game: Game) -> AnyStudy | None:
    """Return the study of a game. Return None if the game has neither finals nor a family of tasks."""
    if game.finals is None:
        family = game.part("measures")
        return family if isinstance(family, SubjectStudy) else None
    known = _studies.get(game.name)
    if known is None or known.game is not game:
        known = _studies[game.name] = Study(game, game.part("measures"))
        STUDIED_GAMES[game.name] = game
    return known


def study_of(tables: Tables) -> Study[Tables]:
    """Return the study of these tables."""
    study = study_of_game(GAMES[tables.kind]) if tables.kind in GAMES else _studies.get(tables.kind)
    assert isinstance(study, Study)
    return study


def stored_study(journal: Journal, name: str) -> Study[Any] | None:
    """Return the study of a game that is not installed, with the common tables and measures. The study is based on the
    finals and the scene in the journal. Return None if the journal has neither."""
    if name not in _studies:
        row = next((row for row in journal.ended.games([name]) if row.finals is not None), None)
        if row is None:
            return None
        scene: Mapping[str, Any] = journal.origin(row.id).scene or {}
        final = scene.get("quantities", {}).get(scene.get("final"), {})
        clock = scene.get("clock")
        _studies[name] = Study(
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
    return _studies[name]


class _NoRules(BaseModel):
    """The rules of a game that is not installed. In tables, these rules have no columns."""


def _not_installed(rules: _NoRules, table: Table) -> Play:
    raise InputError("the package of this game is not installed; install it to play")


def _no_finals(events: Sequence[Event]) -> list[float | None]:
    raise LookupError("finals are those of the journal")


def study_by_command(command: str, journal_studies: Iterable[AnyStudy] = ()) -> AnyStudy:
    """Return the study of this command or game, preferably one of `journal_studies`. Raises `UnknownName` if there is
    no such study."""
    journal_studies = list(journal_studies)
    for study in journal_studies:
        if study.command == command:
            return study
    for study in journal_studies:
        if command in study.records:
            return study
    named = study_of_game(GAMES.of_command(command)) if command in GAMES.commands() or command in GAMES else None
    # Games are tried one after the other, since their measures may be slow to import.
    every = (study_of_game(GAMES[name]) for name in GAMES)
    match = named or next((study for study in every if study is not None and study.command == command), None)
    if match is None:
        known = ", ".join(study.command for study in all_studies())
        raise UnknownName("study", command, [], text=f"there is no study of {command!r}; it must be one of {known}")
    return match


def all_studies() -> list[AnyStudy]:
    """Return the studies of all installed games. The studies of played games come first."""
    return studies_of(GAMES)


def studies_of(records: Iterable[str], journal: Journal | None = None) -> list[AnyStudy]:
    """Return the studies of the games with these names in records, in the same order. Families of tasks come last. A
    game that is not installed is studied from the journal if it has the game's finals. Other games without a study are
    ignored."""
    studies: dict[str, AnyStudy] = {}
    for name in records:
        study: AnyStudy | None
        if name in GAMES:
            study = study_of_game(GAMES[name])
        else:
            study = None if journal is None else stored_study(journal, name)
        if study is not None:
            studies.setdefault(study.command, study)
    return sorted(studies.values(), key=lambda study: isinstance(study, SubjectStudy))


def most_first(finished: Mapping[str, int], journal: Journal | None = None) -> list[AnyStudy]:
    """Return the studies of games, those with the most games first. Families of tasks come last. `finished` has the
    number of games by name in records."""
    return studies_of(sorted(finished, key=lambda name: -finished[name]), journal)
