"""The contents of a game's report: the charts and sentences that every game with finals has, and the charts and
sentences that the game adds in its part `charts`. A chart has the name of the measure that it draws."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeAlias

import altair as alt
import polars as pl

from ostrom.analysis.common_measures import log_final, unlogged
from ostrom.analysis.intervals import Ratio
from ostrom.analysis.leads import Lead, lead_of
from ostrom.analysis.measures import GAME, Measure
from ostrom.analysis.rating_settings import RatingSettings
from ostrom.analysis.ratings.methods.multipass import TRUESKILL
from ostrom.analysis.study import Study, SubjectStudy
from ostrom.analysis.tables import Tables
from ostrom.charts.families import Cast
from ostrom.charts.forms import Picture, Section
from ostrom.charts.palette import built_in_of
from ostrom.charts.plain import plain_picture, plain_unit
from ostrom.charts.render import WIDTH, AnyChart, layered, styled
from ostrom.charts.sentences import Most, finding_sentences, method_sentences, richest, span, typically
from ostrom.charts.standings import LeaderboardColumn, PlayerStanding, common_sections
from ostrom.charts.words import GINI, RANK, Unit, figures
from ostrom.core.outlets import legible
from ostrom.core.plugins import GAMES
from ostrom.core.text import number_of
from ostrom.journal.names import PlayerNames

Measured: TypeAlias = Mapping[str, pl.DataFrame]
"""The results of measures, by the name of the measure."""


class HumanValue(NamedTuple):
    """A published value of people in a game that is similar to this one."""

    quantity: str
    value: str
    source: str
    note: str = ""
    """A remark on the limits of a comparison with this value."""


class PublishedRating(NamedTuple):
    """The settings of published ratings of games like these."""

    source: str
    """The author or organisation that published the ratings."""
    draw_probability: float
    passes: int
    note: str = ""
    """A further remark."""

    @property
    def sentence(self) -> str:
        """The settings in words."""
        how = f"{self.passes} passes and a draw probability of {self.draw_probability:g}"
        return f"{self.source} published ratings made with {how}. {self.note}".rstrip()


@dataclass(frozen=True)
class GameCharts(Generic[Tables]):
    """The part `charts` of a game with finals. It has the charts and sentences that the game adds to the common ones.
    Every field has a default."""

    sections: tuple[Section, ...] = ()
    """The game's own sections. If a section has the anchor of a common section, its charts precede those of the common
    section. A picture replaces the common picture of the same name."""
    leaderboard: tuple[LeaderboardColumn, ...] = ()
    """The game's own columns of the leaderboard, after the mean final."""
    compared: Mapping[str, Unit] = field(default_factory=dict)
    """The measures that a comparison of two experiments shows before the mean final, with their units."""
    facts: Callable[[Tables], Sequence[str]] = lambda tables: ()
    """A function that returns further facts about the games, such as 'with messages'."""
    course: Callable[[Measured], Sequence[str]] = lambda measured: ()
    """A function that returns sentences on the course of games."""
    wording: Callable[[Tables], Callable[[str], str]] = lambda tables: str
    """A function that returns another function. The latter rewrites the game's own sentences in the words that these
    games use."""
    mosts: tuple[Most, ...] = ()
    """Measures about which a sentence names the leader, with the words of each sentence."""
    label: Callable[[str], str] = str
    """A function that returns a player's label in charts."""
    people: tuple[HumanValue, ...] = ()
    """Published values of people, for comparison in the report and on the page."""
    published: tuple[PublishedRating, ...] = ()
    """Published ratings of games that can be imported."""


@dataclass(frozen=True)
class Catalogue(Generic[Tables]):
    """The report of one game: its charts and sentences."""

    study: Study[Tables]
    own: GameCharts[Tables]

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections in the order of the page: the best players, the game's own sections, and answer quality."""
        return _merged(common_sections(self.study.game), self._own_sections)

    @cached_property
    def _own_sections(self) -> tuple[Section, ...]:
        """The game's own sections, and a plain chart of each measure that no other chart draws."""
        common = common_sections(self.study.game)
        drawn = {picture.source for section in (*common, *self.own.sections) for picture in section.pictures}
        others = [measure for name, measure in self.study.measures.items() if name not in drawn]
        of_games = [measure for measure in others if measure.by == GAME]
        of_players = [measure for measure in others if measure.by != GAME]
        title = "Other measures" if self.own.sections else "What players do"
        plain = (self._plain("games", "Whole games", of_games), self._plain("measures", title, of_players))
        return (*self.own.sections, *(section for section in plain if section.pictures))

    def _plain(self, anchor: str, title: str, measures: Sequence[Measure[Any]]) -> Section:
        clock = self.study.game.clock
        return Section(anchor, title, tuple(plain_picture(measure, clock) for measure in measures))

    @property
    def pictures(self) -> dict[str, Picture]:
        """All charts by name, in the order of the page."""
        return {picture.name: picture for section in self.sections for picture in section.pictures}

    @cached_property
    def leaderboard(self) -> tuple[LeaderboardColumn, ...]:
        """The measures that have columns in the leaderboard."""
        unit = self.study.game.unit
        others = (
            LeaderboardColumn("median_final", "median", Unit(unit, decimals=0)),
            LeaderboardColumn("mean_rank", "mean rank", RANK),
        )
        return self.own.leaderboard or others

    @cached_property
    def compared(self) -> dict[str, Unit]:
        """The measures that a comparison of two experiments shows, and their units."""
        unit = self.study.game.unit
        own = dict(self.own.compared)
        if not own and self.study.own is not None:
            own = {
                name: plain_unit(measure)
                for name, measure in self.study.own.measures.items()
                if measure.ratio and len(measure.by) == 1
            }
        common = {"mean_final": Unit(unit, decimals=1)}
        return {**own, **common} if own else {**common, "mean_rank": RANK, "inequality": GINI}

    def facts(self, tables: Tables) -> str:
        """Return a line of facts about the games."""
        games, clock = tables.games, f"{self.study.game.clock}s"
        parts = [
            f"{number_of(len(games), 'game')} of {self.study.spoken}",
            f"{tables.seats['player'].n_unique()} players",
            f"{span(games['seats'])} seats",
            f"{span(games[clock])} {clock}",
            *self.own.facts(tables),
        ]
        return f"{', '.join(parts)}."

    def sentences(
        self, tables: Tables, standings: Sequence[PlayerStanding], measured: Measured, cast: Cast
    ) -> list[str]:
        """Return the sentences that summarise the report. They are computed from its figures."""
        return [*self.findings(tables, standings, measured, cast), *method_sentences(tables, standings, cast)]

    def findings(
        self, tables: Tables, standings: Sequence[PlayerStanding], measured: Measured, cast: Cast
    ) -> list[str]:
        """Return those sentences of the summary that state findings."""
        unit, frame = self.study.game.unit, measured["mean_final"].drop_nulls("value")
        higher = self.study.game.better == "higher"
        negative = bool((tables.seats["final"] < 0).any())
        verb = f"ends with {'the most' if higher else 'the least'} {unit}".rstrip() + typically(unit, negative=negative)
        alike = f"Games end with {{high}} {unit}".rstrip() + " on average."
        unit_of_finals = figures(frame, unit, mean=True)
        typical = log_final(tables, roles=self.study.game.roles is not None)
        typical_frame = typical.estimates().with_columns(unlogged(name) for name in ("value", "low", "high"))
        lead = lead_of(typical, highest=higher)
        first = [richest(frame, typical_frame, cast, unit_of_finals, lead, verb=verb, alike=alike)]
        word = self.own.wording(tables)
        return finding_sentences(
            standings,
            measured,
            cast,
            course=[*first, *map(word, self.own.course(measured))],
            mosts=[Most(most.measure, *map(word, most[1:])) for most in self.own.mosts],
            leads=partial(self._lead, tables),
        )

    def _lead(self, tables: Tables, name: str) -> Lead | None:
        """Return the leader by a measure of players."""
        ratio = self.study.measures[name].ratio
        figure = None if ratio is None else ratio(tables)
        return lead_of(figure) if isinstance(figure, Ratio) else None

    def published(self, tables: Tables) -> tuple[PublishedRating, ...]:
        """Return the published ratings of these games if any of the games were imported. Otherwise return no
        ratings."""
        return self.own.published if tables.games["source"].count() else ()

    def cast(self, players: Collection[str], tables: Sequence[Tables], names: PlayerNames | None = None) -> Cast:
        """Return the looks of players in charts. `names` has the names in the journal. Without `names`, players have
        their ids as names."""
        if names is None:
            imported = bool(tables) and not any(part.games["source"].null_count() for part in tables)
            names = PlayerNames.of_players(players, imported=imported)
        ids = names.all_of(players)
        labels = {player: self.own.label(player) if name == player else name for player, name in ids.items()}
        built_in = built_in_of(self.study.game.name)
        return Cast.of(players, names=labels, families=names.families(players), built_in=built_in)


def catalogue_of(study: Study[Tables]) -> Catalogue[Tables]:
    """Return the report of a study."""
    return Catalogue(study, study.game.part("charts") or GameCharts())


def _merged(common: Sequence[Section], own: Sequence[Section]) -> tuple[Section, ...]:
    """Return the common sections and the game's own sections. A chart of the game replaces the common chart of the same
    name."""
    replacements = {picture.name: picture for section in own for picture in section.pictures}
    common_names = {picture.name for section in common for picture in section.pictures}
    more: dict[str, Section] = {}
    for section in own:
        pictures = [picture for picture in section.pictures if picture.name not in common_names]
        earlier = more.get(section.anchor, section.of(()))
        more[section.anchor] = earlier.of((*earlier.pictures, *pictures))
    joined = []
    for section in common:
        before = more.pop(section.anchor, section.of(()))
        shared = (replacements.get(picture.name, picture) for picture in section.pictures)
        joined.append(before.of((*before.pictures, *shared)))
    *first, last = joined
    return (*first, *(section for section in more.values() if section.pictures), last)


def shown_sections(sections: Sequence[Section], measured: Measured) -> list[Section]:
    """Return the sections of a report. Optional charts for which the games have no data are left out."""
    rest = [
        section.of(
            picture
            for picture in section.pictures
            if not picture.optional or len(finite_rows(measured[picture.source]))
        )
        for section in sections
    ]
    return [section for section in rest if section.pictures]


def finite_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a measure's table that have a finite figure."""
    return frame.filter(pl.col("value").cast(pl.Float64).is_finite().fill_null(False))


def draw_picture(picture: Picture, frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Return the chart of a measure's table, without the rows that have no figure. If no rows remain, the chart says
    so."""
    rows = finite_rows(frame)
    # A measure that the author of a game wrote may lack intervals or numbers of games.
    missing = [name for name in ("low", "high", "n") if name not in rows.columns]
    rows = rows.with_columns(pl.lit(None, dtype=pl.Float64).alias(name) for name in missing)
    return picture.draw(rows, cast) if len(rows) else _empty(picture)


def _empty(picture: Picture) -> alt.LayerChart:
    blank = pl.DataFrame({"words": ["These games have nothing to measure here."]})
    words = alt.Chart(blank).mark_text(fontSize=13, opacity=0.7).encode(text=alt.Text("words:N"))
    return styled(layered(words, width=WIDTH, height=60), title=f"{picture.heading}: no figures")


# Sentences about ratings.

RATING_DEFINITION: Final = (
    f"{TRUESKILL.title}: {TRUESKILL.description}. Only differences in μ are meaningful. By these games, no player of a "
    "tier differs significantly from the tier's first."
)
SHARES: Final = (
    "Also shown, as shares of a player's answers: defaulted (given by the game in its place) and repaired (legal only "
    "after a rejected reply); – where unknown, as for imported games."
)


def rating_note(settings: RatingSettings) -> str:
    """Return the settings of a leaderboard in a sentence or two."""
    note = f"Here: {settings.passes} passes, draw probability {settings.draw_probability:g}."
    method = settings.choice.method
    if method is TRUESKILL:
        return note
    return f"{note} Ranked by {method.title}: {method.description}."


def rating_definition(note: str = "") -> str:
    """Return the definition of a report's leaderboard. `note` describes the settings of its ratings."""
    return " ".join(part for part in (RATING_DEFINITION, note, SHARES) if part)


# Families of tasks that score subjects.


class SubjectBoard(NamedTuple):
    """A leaderboard of subjects."""

    name: str
    heading: str
    definition: str
    draw: Callable[[Sequence[Any], Cast], AnyChart]
    """A function that draws the scored subjects."""


class HeadlineComponent(NamedTuple):
    """A component of a headline score."""

    name: str
    top: float
    """The upper end of the component's axis, which begins at 0."""
    note: str = ""
    """The unit of the figure, if the title does not have it."""


class HeadlineScore(NamedTuple):
    """A score at the top of a subject's card, up to 100."""

    name: str
    meaning: str
    parts: tuple[HeadlineComponent, ...]
    words: tuple[str, ...] = ()
    """The names of scores that are words and are shown with this score."""
    labelled: bool = False
    """True if the subject's label is shown with this score."""


@dataclass(frozen=True, repr=False)
class WrittenReport:
    """The files and sentences of a written report."""

    page: Path
    charts: int
    tables: int
    short: tuple[str, ...]
    differences: tuple[Mapping[str, Any], ...] = ()
    """The differences of a comparison, with intervals and tests."""

    def __repr__(self) -> str:
        return f"<Report {self.page}: {number_of(self.charts, 'chart')}, {number_of(self.tables, 'table')}>"

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(legible(sentence))}</li>" for sentence in self.short)
        return f"<div><strong>{escape(str(self.page))}</strong><ul>{items}</ul></div>"


@dataclass(frozen=True)
class SubjectCharts:
    """The part `charts` of a family of tasks."""

    boards: tuple[SubjectBoard, ...]
    card: Callable[[Any, str], AnyChart]
    """A function that draws a subject's card under a label."""
    card_definition: str
    headlines: tuple[HeadlineScore, ...]
    tables: Mapping[str, tuple[str, Callable[[Sequence[Any]], pl.DataFrame]]]
    """Tables of subjects by name. Each has a description and the function that computes it."""
    facts: Callable[[Sequence[Any]], str]
    sentences: Callable[[Sequence[Any], Cast], list[str]]
    write: Callable[..., WrittenReport]
    """A function that writes the report of subjects into a folder. If writing fails, the folder is unchanged. Further
    arguments are the `title`, the `cast` of the subjects, `notes` that precede the sentences, and `progress`, which is
    called with the name of each chart."""

    def cast(self, study: SubjectStudy, subjects: Collection[str], names: PlayerNames | None = None) -> Cast:
        """Return the labels, colours and symbols of subjects in charts. Labels are the journal's `names`, or ids by
        default."""
        return Cast.named(subjects, names or PlayerNames.of_players(subjects), built_in_of(study.records[0]))


def subject_charts(study: SubjectStudy) -> SubjectCharts:
    """Return the charts of a family of tasks."""
    charts: SubjectCharts = GAMES[study.records[0]].part("charts")
    return charts
