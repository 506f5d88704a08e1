"""What the report of a game is made of: the charts and sentences of every game with finals, and what a game's part
`charts` adds. A chart is named like the measure that it draws."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeAlias

import altair as alt
import polars as pl

from ostrom.analysis.contrasts import Lead, lead_of
from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import PAIR, Measure
from ostrom.analysis.ratings.methods.multipass import TRUESKILL
from ostrom.analysis.standing import RatingSettings
from ostrom.analysis.study import Study, SubjectStudy
from ostrom.analysis.tables import Tables
from ostrom.charts.families import Cast
from ostrom.charts.forms import Bars, Drawing, Lines, Picture, Section, SingleLine
from ostrom.charts.matrix import PairMatrix
from ostrom.charts.palette import COLOURS, built_in_of
from ostrom.charts.render import WIDTH, AnyChart, styled
from ostrom.charts.sentences import Most, found_of, how_found, richest, span
from ostrom.charts.standings import LeaderboardColumn, PlayerStanding, common_sections
from ostrom.charts.strips import strip
from ostrom.charts.together import layered
from ostrom.charts.words import GINI, RANK, Unit, figures, quoted, share
from ostrom.core.outlets import legible
from ostrom.core.plugins import GAMES
from ostrom.core.text import number_of
from ostrom.journal.names import PlayerNames

Measured: TypeAlias = Mapping[str, pl.DataFrame]


class HumanValue(NamedTuple):
    """What is known of people in a game like this one."""

    quantity: str
    value: str
    source: str
    note: str = ""
    """What keeps it from being compared as it stands."""


class PublishedRating(NamedTuple):
    """How ratings were made that others publish of games like these."""

    source: str
    """Who publishes them."""
    draw_probability: float
    passes: int
    note: str = ""
    """What else to know."""

    @property
    def sentence(self) -> str:
        """How they were made, in words."""
        how = f"{self.passes} passes and a draw probability of {self.draw_probability:g}"
        return f"{self.source} published ratings made with {how}. {self.note}".rstrip()


@dataclass(frozen=True)
class GameCharts(Generic[Tables]):
    """What the part `charts` of a game with finals is: its own pictures and words, beside the common ones. Everything
    has a default."""

    sections: tuple[Section, ...] = ()
    """A section with the anchor of a common one stands before the common charts of that section; a picture with the
    name of a common one takes its place."""
    beside: tuple[LeaderboardColumn, ...] = ()
    """What stands beside the ratings in the leaderboard, behind the mean final."""
    compared: Mapping[str, Unit] = field(default_factory=dict)
    """What a comparison of two experiments shows before the mean final, and in which unit."""
    facts: Callable[[Tables], Sequence[str]] = lambda tables: ()
    """What else to say of what was played: 'with messages'."""
    course: Callable[[Measured], Sequence[str]] = lambda measured: ()
    """Sentences on how games went."""
    mosts: tuple[Most, ...] = ()
    """Of which measures it is said who does most."""
    label: Callable[[str], str] = str
    """What charts call a player."""
    people: tuple[HumanValue, ...] = ()
    """Human values for comparison, in the report and on the page."""
    published: tuple[PublishedRating, ...] = ()
    """Ratings that others publish of games that can be imported, and how they were made."""


@dataclass(frozen=True)
class Catalogue(Generic[Tables]):
    """The report of one game: all that it shows and says."""

    study: Study[Tables]
    own: GameCharts[Tables]

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Charts in the order of the page: who does best, the game's own, and how far the answers are the players'."""
        return _merged(common_sections(self.study.game), self._own_sections)

    @cached_property
    def _own_sections(self) -> tuple[Section, ...]:
        """The game's own; of a game that has measures and says nothing about charts, a plain one of each."""
        if self.own.sections or self.study.own is None:
            return self.own.sections
        clock = self.study.game.clock
        plain = tuple(plain_picture(measure, clock) for measure in self.study.own.measures.values())
        return (Section("measures", "What players do", plain),)

    @property
    def pictures(self) -> dict[str, Picture]:
        """Every chart by its name, in the order of the page."""
        return {picture.name: picture for section in self.sections for picture in section.pictures}

    @cached_property
    def beside(self) -> tuple[LeaderboardColumn, ...]:
        """What stands beside the ratings in the leaderboard."""
        unit = self.study.game.unit
        common = LeaderboardColumn("mean_final", f"mean final {unit}".strip(), Unit(unit, decimals=1))
        others = (
            LeaderboardColumn("median_final", "median", Unit(unit, decimals=0)),
            LeaderboardColumn("mean_rank", "mean rank", RANK),
        )
        return (common, *(self.own.beside or others))

    @cached_property
    def compared(self) -> dict[str, Unit]:
        """What a comparison of two experiments shows, and in which unit."""
        unit = self.study.game.unit
        own = dict(self.own.compared)
        if not own and self.study.own is not None:
            own = {
                name: plain_unit(one) for name, one in self.study.own.measures.items() if one.ratio and len(one.by) == 1
            }
        common = {"mean_final": Unit(unit, decimals=1)}
        return {**own, **common} if own else {**common, "mean_rank": RANK, "inequality": GINI}

    def facts(self, tables: Tables) -> str:
        """What was played, on one line."""
        games, clock = tables.games, f"{self.study.game.clock}s"
        said = [
            f"{number_of(len(games), 'game')} of {self.study.spoken}",
            f"{tables.seats['player'].n_unique()} players",
            f"{span(games['seats'])} seats",
            f"{span(games[clock])} {clock}",
            *self.own.facts(tables),
        ]
        return f"{', '.join(said)}."

    def sentences(
        self, tables: Tables, standings: Sequence[PlayerStanding], measured: Measured, cast: Cast
    ) -> list[str]:
        """The report in a few sentences, each one computed."""
        return [*self.findings(tables, standings, measured, cast), *how_found(tables, cast)]

    def findings(
        self, tables: Tables, standings: Sequence[PlayerStanding], measured: Measured, cast: Cast
    ) -> list[str]:
        """Of these sentences, those that say what was found."""
        unit, frame = self.study.game.unit, measured["mean_final"].drop_nulls("value")
        higher = self.study.game.better == "higher"
        verb = f"ends with {'the most' if higher else 'the least'} {unit}".rstrip() + " on average"
        alike = f"Games end with {{high}} {unit}".rstrip() + " on average."
        shown = figures(frame, unit, mean=True)
        first = [richest(frame, cast, shown, self._lead(tables, "mean_final", higher), verb=verb, alike=alike)]
        return found_of(
            standings,
            measured,
            cast,
            course=[*first, *self.own.course(measured)],
            mosts=self.own.mosts,
            leads=partial(self._lead, tables),
        )

    def _lead(self, tables: Tables, name: str, highest: bool = True) -> Lead | None:
        """Who leads by a measure of players."""
        ratio = self.study.measures[name].ratio
        figure = None if ratio is None else ratio(tables)
        return lead_of(figure, highest=highest) if isinstance(figure, Ratio) else None

    def published(self, tables: Tables) -> tuple[PublishedRating, ...]:
        """Ratings that others publish of these games, where any of them were imported."""
        return self.own.published if tables.games["source"].count() else ()

    def cast(self, players: Collection[str], tables: Sequence[Tables], names: PlayerNames | None = None) -> Cast:
        """How players look in charts: by the names of their journal; without one, as their ids are known."""
        if names is None:
            imported = bool(tables) and not any(one.games["source"].null_count() for one in tables)
            names = PlayerNames.of_players(players, imported=imported)
        said = names.all_of(players)
        shown = {player: self.own.label(player) if name == player else name for player, name in said.items()}
        return Cast.of(players, names=shown, built_in=built_in_of(self.study.game.name))


def catalogue_of(study: Study[Tables]) -> Catalogue[Tables]:
    """The report of a study."""
    return Catalogue(study, study.game.part("charts") or GameCharts())


def _merged(common: Sequence[Section], own: Sequence[Section]) -> tuple[Section, ...]:
    """Both together. What has the name of a common chart stands in its place."""
    instead = {picture.name: picture for section in own for picture in section.pictures}
    known = {picture.name for section in common for picture in section.pictures}
    *first, last = (one.of(instead.get(picture.name, picture) for picture in one.pictures) for one in common)
    more = {one.anchor: one.of(each for each in one.pictures if each.name not in known) for one in own}
    joined = []
    for section in first:
        before = more.pop(section.anchor, section.of(()))
        joined.append(before.of((*before.pictures, *section.pictures)))
    return (*joined, *(section for section in more.values() if section.pictures), last)


def shown_sections(sections: Sequence[Section], measured: Measured) -> list[Section]:
    """The sections of a report without the optional charts that its games hold nothing for."""
    kept = [
        section.of(one for one in section.pictures if not one.optional or len(known(measured[one.source])))
        for section in sections
    ]
    return [section for section in kept if section.pictures]


def plain_picture(measure: Measure[Any], clock: str) -> Picture:
    """A chart of a measure that nobody has drawn: bars, lines or dots, as its rows are."""
    name, title, unit, said = measure.name, measure.title, plain_unit(measure), quoted(measure.title)
    if not measure.by:
        return Drawing(name, title, partial(_plain_dots, title, unit), dots=True)
    if measure.by == ("player",):
        return Bars(name, title, unit, f"{said}: {{first}} {{high}}, {{last}} {{low}}", f"{said}: {{high}}", "")
    if measure.by == PAIR:
        ends = f"{said}: {{first}} {{high}} on average, {{last}} {{low}}"
        return PairMatrix(name, title, unit, ends, f"{said}: {{high}}", "Pale: too few games for an interval.")
    if "player" in measure.by:
        ends = f"{said}: at the end {{first}} {{high}}, {{last}} {{low}}"
        return Lines(name, title, unit, ends, f"{said}: {{high}}", clock=clock)
    return SingleLine(name, title, unit, title, "Band: 95% interval.", COLOURS["Gemini"], clock=measure.by[0])


def _plain_dots(title: str, unit: Unit, frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    return styled(strip(frame, cast, unit=unit), title=title, subtitle="A stroke is the median.")


def plain_unit(measure: Measure[Any]) -> Unit:
    """How the figures of a measure are written where nobody says it otherwise."""
    return share(measure.title) if measure.unit == "share" else Unit(measure.unit or measure.title, decimals=2)


def known(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a measure's table that have a figure."""
    return frame.filter(pl.col("value").cast(pl.Float64).is_finite().fill_null(False))


def drawn(picture: Picture, frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The chart of a measure's table; rows without a figure are left out, and with none left it says so."""
    rows = known(frame)
    return picture.draw(rows, cast) if len(rows) else _empty(picture)


def _empty(picture: Picture) -> alt.LayerChart:
    blank = pl.DataFrame({"words": ["These games have nothing to measure here."]})
    words = alt.Chart(blank).mark_text(fontSize=13, opacity=0.7).encode(text=alt.Text("words:N"))
    return styled(layered(words, width=WIDTH, height=60), title=f"{picture.heading}: no figures")


# Ratings in words.

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
    """What the leaderboard of a report shows; `note` says how its ratings were made."""
    return " ".join(part for part in (RATING_DEFINITION, note, SHARES) if part)


# Families of tasks, by which subjects are scored.


class SubjectBoard(NamedTuple):
    """A leaderboard of subjects."""

    name: str
    heading: str
    definition: str
    draw: Callable[[Sequence[Any], Cast], AnyChart]
    """Of subjects that were scored."""


class HeadlineComponent(NamedTuple):
    """A score that another is made of."""

    name: str
    top: float
    """Where its axis ends; it begins at nought."""
    note: str = ""
    """What the figure counts, where its title does not say so."""


class HeadlineScore(NamedTuple):
    """A score that a subject's card begins with; it goes to 100."""

    name: str
    meaning: str
    parts: tuple[HeadlineComponent, ...]
    words: tuple[str, ...] = ()
    """Scores in words that belong to it."""
    labelled: bool = False
    """Whether the subject's label stands beside it."""


@dataclass(frozen=True, repr=False)
class WrittenReport:
    """What a report wrote."""

    page: Path
    charts: int
    tables: int
    short: tuple[str, ...]
    differences: tuple[Mapping[str, Any], ...] = ()
    """Of a comparison: every difference with its interval and its test."""

    def __repr__(self) -> str:
        return f"<Report {self.page}: {number_of(self.charts, 'chart')}, {number_of(self.tables, 'table')}>"

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(legible(sentence))}</li>" for sentence in self.short)
        return f"<div><strong>{escape(str(self.page))}</strong><ul>{said}</ul></div>"


@dataclass(frozen=True)
class SubjectCharts:
    """What the part `charts` of a family of tasks is."""

    boards: tuple[SubjectBoard, ...]
    card: Callable[[Any, str], AnyChart]
    """What the tasks show of a subject, under a label."""
    card_definition: str
    headlines: tuple[HeadlineScore, ...]
    tables: Mapping[str, tuple[str, Callable[[Sequence[Any]], pl.DataFrame]]]
    """By name: what a table of subjects is, and the table."""
    facts: Callable[[Sequence[Any]], str]
    sentences: Callable[[Sequence[Any], Cast], list[str]]
    write: Callable[..., WrittenReport]
    """Writes the report of subjects into a folder, whole, or leaves the folder as it was; given also its `title`, the
    `cast` of the subjects, `notes` that come first among the sentences, and `progress`, which is told the name of each
    chart."""

    def cast(self, study: SubjectStudy, subjects: Collection[str], names: PlayerNames | None = None) -> Cast:
        """How subjects look in every chart: by the names of their journal; without one, as their ids are known."""
        said = (names or PlayerNames.of_players(subjects)).all_of(subjects)
        return Cast.of(subjects, names=said, built_in=built_in_of(study.records[0]))


def subject_charts(study: SubjectStudy) -> SubjectCharts:
    """The charts of a family of tasks."""
    found: SubjectCharts = GAMES[study.records[0]].part("charts")
    return found
