"""Results of the games of a journal: standings, ratings, measures, scores, charts, reports. Figures are computed on
demand and cached until the journal changes."""

import os
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from enum import Enum
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeAlias, overload

import polars as pl
from typing_extensions import override

from ostrom.analysis.default_bounds import SCHEMA, default_bounds
from ostrom.analysis.leaderboard import RatedPlayer
from ostrom.analysis.measures import Measure
from ostrom.analysis.pooling import PoolOption
from ostrom.analysis.rating_settings import BY_AIM, DRAW_PROBABILITY, PASSES, RatingSettings
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE
from ostrom.analysis.selection import (
    Part,
    Selection,
    answered_games,
    describe_place,
    scored_subjects,
    select_boards,
    select_tables,
)
from ostrom.analysis.study import NothingLeft, Scored, SubjectStudy, Word, most_first, study_by_command, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import WrittenReport, catalogue_of, draw_picture, subject_charts
from ostrom.charts.render import AnyChart
from ostrom.charts.report import TableFormat, write_tables
from ostrom.charts.standings import RATINGS, ratings_frame, standings_of
from ostrom.core import InputError, UnknownName
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Finding
from ostrom.core.listing import Listing, Tables, brief
from ostrom.core.plugins import GAMES, find_game
from ostrom.core.verb import Reporter
from ostrom.findings.ratings import check_rating, rate_games
from ostrom.findings.report import family_in, report_games, report_subjects
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.journal.overview import GameRow
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal
from ostrom.library.games import StoredGame, calls_table
from ostrom.library.verbs import Result
from ostrom.terminal.progress import games_bar


def _note(line: str) -> None:
    warnings.warn(line, UserWarning, stacklevel=4)


class _Warnings(Reporter):
    """A reporter that issues notes as Python warnings."""

    @override
    def note(self, text: str) -> None:
        _note(text)

    @override
    def bar(self, title: str, total: int | None, unit: str = "games") -> AbstractContextManager[Callable[..., None]]:
        return games_bar(title, total, unit)


class _Stay(Enum):
    """Marks an argument of `where` that was not given. None cannot mark it, because None restores a default."""

    AS_IT_WAS = "as it was"

    def __repr__(self) -> str:
        return self.value


_AS_IT_WAS: Final = _Stay.AS_IT_WAS
_AsItWas: TypeAlias = Literal[_Stay.AS_IT_WAS]
_EVERY_GAME: Final[tuple[PoolOption, ...]] = (
    "players",
    "copies",
    "exercises",
    "people",
    "practice",
    "replaced",
    "rosters",
)
"""The pooling for games that are only listed and not compared."""


class Results(ABC):
    """The results of games of a whole journal, or of one experiment. By default, games with different rules and copies
    of the same game are not pooled. The method `where` can pool them."""

    def __init__(self, store: str | None, selection: Selection) -> None:
        self.store = store
        """The address or path of the journal; None is the default one."""
        self.selection = selection
        """The selection of games."""
        self._cache: dict[str, tuple[int, Any]] = {}

    def where(
        self,
        *,
        game: str | _AsItWas | None = _AS_IT_WAS,
        rules: str | _AsItWas | None = _AS_IT_WAS,
        without_defaulted: Part | _AsItWas | None = _AS_IT_WAS,
        pool: Collection[PoolOption] | _AsItWas | None = _AS_IT_WAS,
    ) -> Self:
        """Return the results of another selection of games. `game` selects one game, and `rules` the games whose rules
        have this digest. `without_defaulted` ("games" or "seats") leaves out the games or seats with defaulted answers.
        `pool` combines games with different "rules", "players", "copies", "exercises", "people", "practice", "replaced"
        or "rosters". An argument that is not given keeps the present selection, and None restores the default."""
        fields: dict[str, Any] = {"game": game, "rules": rules, "without_defaulted": without_defaulted, "pool": pool}
        other = self._copy()
        changed = {name: value for name, value in fields.items() if value is not _AS_IT_WAS}
        other.selection = self.selection.changed(**changed)
        return other

    @abstractmethod
    def _copy(self) -> Self: ...

    def games(self, *, player: str | None = None, game: str | None = None, state: str | None = "finished") -> "Games":
        """Return the games. `player` and `game` select the games of one player, or of one kind. `state` selects the
        games in one state, and None means all states. If rules or games without defaulted answers are selected, only
        finished games are returned."""
        with open_journal(self.store) as journal:
            rows = self._rows(journal, state, game or self.selection.game)
        selected = (row for row in rows if player is None or player in row.players)
        return Games([StoredGame(row, self.store) for row in selected])

    @property
    def calls(self) -> pl.DataFrame:
        """The calls to models in the games that `games` lists, including games in other states. Columns include prompt,
        reply, latency, tokens and cost."""
        with open_journal(self.store) as journal:
            return calls_table(journal, experiment=self.selection.experiment, only=self._ids(journal))

    def _rows(self, journal: Journal, state: str | None, game: str | None) -> list[GameRow]:
        """Return the selected games."""
        rows = journal.games(self.selection.experiment, state)
        if game is not None:
            names = _records_of(game)
            rows = [row for row in rows if row.game in names]
        if (family := family_in(journal, self.selection.experiment, game, lambda line: None)) is not None:
            only = answered_games(journal, family, self.selection.changed(game=game))
            return [row for row in rows if only is None or row.id in only]
        if self.selection.without_defaulted == "seats":
            raise InputError(
                "without_defaulted='seats' leaves out single seats, but here only whole games can be left out; "
                "choose 'games'"
            )
        if self.selection.rules is None and self.selection.without_defaulted is None:
            return rows
        pool = _EVERY_GAME if self.selection.rules is not None else ("rules", *_EVERY_GAME)
        (board,) = select_boards(journal, self.selection.changed(game=game, pool=pool), _note)
        ids = set(board.tables.games["game"])
        return [row for row in rows if row.id in ids]

    def _ids(self, journal: Journal) -> set[str] | None:
        """Return the ids of the selected games; None means all."""
        if self.selection.whole:
            return None
        return {row.id for row in self._rows(journal, None, self.selection.game)}

    def _computed(self, name: str, compute: Callable[[Journal], Any]) -> Any:
        """Return a cached value. The value is computed again if the journal has changed."""
        with open_journal(self.store) as journal:
            revision = journal.revision()
            entry = self._cache.get(name)
            if entry is None or entry[0] != revision:
                entry = self._cache[name] = (revision, compute(journal))
        return entry[1]

    def _tables(self) -> GameTables:
        tables: GameTables = self._computed("tables", lambda journal: select_tables(journal, self.selection, _note)[0])
        return tables

    def _family(self) -> SubjectStudy | None:
        family: SubjectStudy | None = self._computed(
            "family",
            lambda journal: family_in(journal, self.selection.experiment, self.selection.game, lambda line: None),
        )
        return family

    @property
    def tables(self) -> Tables:
        """The tidy tables by name: games, seats, answers, messages, and the tables that the game declares."""
        family = self._family()
        if family is None:
            tables = self._tables()
            return Tables(tables.parts, study_of(tables).about)
        with open_journal(self.store) as journal:
            only = answered_games(journal, family, self.selection)
            records = journal.records(self.selection.experiment)
            return Tables(family.exported(record for record in records if only is None or record.game in only))

    @property
    def measures(self) -> Listing[Measure[Any]]:
        """The measures with their definitions."""

        def record(measure: Measure[Any]) -> dict[str, str]:
            return {name: getattr(measure, name) for name in ("name", "title", "unit", "definition")}

        return Listing("Measures", study_of(self._tables()).measures.values(), record, attrgetter("name"))

    def measure(self, name: str) -> pl.DataFrame:
        """Return a measure with its intervals. The table has a row for each player, or for each group that the measure
        distinguishes."""
        tables = self._tables()
        frame: pl.DataFrame = study_of(tables).measures[name].function(tables)
        return frame

    @property
    def standings(self) -> pl.DataFrame:
        """A row for each player, the best first: games, mean final with its interval, median final and mean rank."""
        tables = self._tables()
        study = study_of(tables)
        means = study.measures["mean_final"].function(tables)
        rows = means.select("player", games="n", mean_final="value", mean_final_low="low", mean_final_high="high")
        for name in ("median_final", "mean_rank"):
            values = study.measures[name].function(tables).select("player", pl.col("value").alias(name))
            rows = rows.join(values, on="player", how="left")
        return rows.sort("mean_final", descending=study.game.better == "higher", nulls_last=True)

    @property
    def default_bounds(self) -> pl.DataFrame:
        """Bounds of measures under defaulted answers: a row for each measure and player with defaulted answers, with
        the figure as recorded, the figure without their seats, and the lowest and the highest that it could be."""
        tables = self._tables()
        bounds = default_bounds(study_of(tables).measures, tables)
        return pl.DataFrame(schema=SCHEMA) if bounds is None else bounds.frame

    def to_frame(self) -> pl.DataFrame:
        """Return the standings. For subjects, return their scores."""
        return self.standings if self._family() is None else self.scores().to_frame()

    def ratings(
        self,
        *,
        passes: int = PASSES,
        draw_probability: float = DRAW_PROBABILITY,
        order_free: bool = False,
        method: str = BY_AIM,
    ) -> "Ratings":
        """Return the ratings of the players with tiers, the best player first, like `ostrom ratings`. By default the
        method follows the aim of the game: it rates players by the ranks at which games ended, or by payoffs. `method`
        names one of `ostrom.analysis.ratings.RATING_METHODS`; `order_free=True` is the same as
        `method="order-free"`."""
        rating = check_rating(RatingSettings(passes, draw_probability, ORDER_FREE.name if order_free else method))

        def rate(journal: Journal) -> Finding:
            return rate_games(journal, self.selection, rating, _Warnings(), most=1)

        finding: Finding = self._computed(f"ratings {rating}", rate)
        return Ratings(**{attribute.name: getattr(finding, attribute.name) for attribute in fields(finding)})

    def scores(self, subjects: Sequence[str] = ()) -> "Scores":
        """Return the battery's scores of all subjects, or of the named ones, like `ostrom scores`."""
        with open_journal(self.store) as journal:
            family, game = self._scored_family(journal), self.selection.game
            if family is None:
                where = describe_place(journal, self.selection.experiments)
                raise NothingLeft(f"{where} has no answers from which subjects can be scored")
            if game is not None and study_by_command(game, [family]) is not family:
                raise InputError(f"{game} rates players, and scores no subjects; see ratings()")
            only = answered_games(journal, family, self.selection)
            return Scores(scored_subjects(journal, family, self.selection.experiment, subjects, only))

    def _scored_family(self, journal: Journal) -> SubjectStudy | None:
        """Return the family of tasks with the most finished games."""
        finished = Counter(row.game for row in journal.games(self.selection.experiment, FINISHED))
        studies = most_first(finished, journal)
        return next((study for study in studies if isinstance(study, SubjectStudy)), None)

    @property
    def charts(self) -> list[str]:
        """The names of the charts."""
        family = self._family()
        if family is not None:
            return [*(board.name for board in subject_charts(family).boards), "card"]
        return list(catalogue_of(study_of(self._tables())).pictures)

    def chart(self, name: str | None = None, *, subject: str | None = None) -> AnyChart:
        """Return a chart of the report as an Altair chart. Without a name, return the first chart. The chart named
        `card` shows one subject of the battery."""
        name = self.charts[0] if name is None else name
        if name not in self.charts:
            raise UnknownName("chart", name, [], catalogue=f"there are {brief(self.charts, 600)}")
        family = self._family()
        if family is not None:
            return _chart_of_subjects(family, list(self.scores()), name, subject, self._names())
        tables = self._tables()
        catalogue = catalogue_of(study_of(tables))
        cast = catalogue.cast(tables.all_seats["player"].to_list(), [tables], self._names())
        picture = catalogue.pictures[name]
        frame = ratings_frame(standings_of(list(self.ratings()))) if name == RATINGS else self.measure(picture.source)
        return draw_picture(picture, frame, cast)

    def _names(self) -> PlayerNames:
        with open_journal(self.store) as journal:
            return journal.names.known()

    def report(self, folder: str | os.PathLike[str]) -> WrittenReport:
        """Write the report into a folder: one page that needs no network, its pictures and its tables."""
        family = self._family()
        with open_journal(self.store) as journal:
            if family is not None:
                finding = report_subjects(journal, family, self.selection, Path(folder), _Warnings())
            else:
                finding = report_games(journal, self.selection, Path(folder), reporter=_Warnings())
        written: WrittenReport = finding.result
        return written

    def export(self, folder: str | os.PathLike[str], kind: TableFormat = "parquet") -> int:
        """Write the tidy tables of the games that `games` lists into a folder, as "parquet" or "csv". Return the number
        of games."""
        with open_journal(self.store) as journal:
            ids = self._ids(journal)
            return write_tables(journal, Path(folder), experiment=self.selection.experiment, only=ids, kind=kind)


def _records_of(game: str) -> Collection[str]:
    """Return the names in records of a game, or of a family of tasks."""
    return [find_game(game).name] if game in GAMES or game in GAMES.commands() else study_by_command(game).records


def _chart_of_subjects(
    family: SubjectStudy, rows: list[Scored], name: str, subject: str | None, names: PlayerNames
) -> AnyChart:
    charts = subject_charts(family)
    cast = charts.cast(family, [row.subject for row in rows], names)
    if name != "card":
        return next(board for board in charts.boards if board.name == name).draw(rows, cast)
    row = next((row for row in rows if subject in (None, row.subject)), None)
    if row is None:
        raise InputError(f"there is no subject {subject!r}; there are {brief(row.subject for row in rows)}")
    return charts.card(row, cast.label(row.subject))


class Games(Listing[StoredGame]):
    """Games of a journal."""

    def __init__(self, games: Sequence[StoredGame]) -> None:
        super().__init__("Games", games, StoredGame.as_record, attrgetter("id"))


class Ratings(Result):
    """A result with the ratings of players. It is also a sequence of the rated players, the best first."""

    @cached_property
    def players(self) -> Listing[RatedPlayer]:
        """The players, the best first. They can also be accessed by name."""
        rows = {row["player"]: row for row in self.parts[0].rows}

        def row_of(player: RatedPlayer) -> Mapping[str, Any]:
            return rows[player.rating.name]

        return Listing("Ratings", self.result, row_of, attrgetter("rating.name"), self.parts[0].caption)

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[RatedPlayer]:
        return iter(self.players)

    @overload
    def __getitem__(self, place: int | str) -> RatedPlayer: ...
    @overload
    def __getitem__(self, place: slice) -> Listing[RatedPlayer]: ...
    def __getitem__(self, place: int | str | slice) -> RatedPlayer | Listing[RatedPlayer]:
        """Return a player by place or by name, or several players."""
        return self.players[place]


class Scores(Listing[Scored]):
    """Subjects of the battery and their scores."""

    def __init__(self, scored: Sequence[Scored]) -> None:
        super().__init__("Scores", scored, _score, lambda subject_scores: subject_scores.subject)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each subject and score. A row has the value with its interval. If the score is a word, the
        row has the word. If there is no value, the row has the reason."""
        rows = []
        for scored in self:
            rows += [
                {"subject": scored.subject, "score": name, **_number(estimate)}
                for name, estimate in scored.scores.items()
            ]
            rows += [{"subject": scored.subject, "score": name, **_word(word)} for name, word in scored.words.items()]
        return pl.DataFrame(rows, schema=_SCORES)


_NUMBERS: Final = ("value", "low", "high")
_SCORES: Final = {
    **dict.fromkeys(("subject", "score"), pl.String),
    **dict.fromkeys(_NUMBERS, pl.Float64),
    **dict.fromkeys(("word", "reason", "code"), pl.String),
}


def _number(score: Estimate) -> dict[str, Any]:
    numbers = dict(zip(_NUMBERS, score, strict=True))
    return {**numbers, "word": None, "reason": score.reason, "code": None if score.code is None else str(score.code)}


def _word(score: Word) -> dict[str, Any]:
    code = None if score.code is None else str(score.code)
    return {**dict.fromkeys(_NUMBERS), "word": score.value, "reason": score.reason, "code": code}


def _score(scored: Scored) -> dict[str, Any]:
    """Return the scores that fit a table in a notebook."""
    numbers = {name: score for name, score in scored.scores.items() if score.value is not None}
    words = {name: word.value for name, word in scored.words.items() if word.value is not None}
    return {"subject": scored.subject, **numbers, **words}
