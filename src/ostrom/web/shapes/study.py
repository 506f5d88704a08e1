"""Leaderboards, charts, tables, scores and messages."""

from typing import Any, Literal

from ostrom.web.shapes.base import Shape, Span

Messages = Literal["all", "on", "off"]
Defaulted = Literal["with", "games", "seats"]
"""With defaulted answers, without the games that hold some, or without the seats that gave some."""
Promised = Literal["any", "made", "kept", "broken", "none"]


class StudyItem(Shape):
    """A game that finished games of are there, and what they can be filtered by."""

    kind: str
    """What the command line calls it."""
    title: str
    games: int
    experiments: list["StudyExperiment"]
    players: list[str]
    messages: bool
    """Whether some games have messages and others have none."""
    subjects: bool
    """Whether subjects are scored by it, and not players rated."""
    speaks: bool
    """Whether anything was said in its games."""
    pairs: bool
    """Whether all of its games have two seats."""


class StudyExperiment(Shape):
    """An experiment with finished games of this kind."""

    id: str
    name: str
    games: int


class Studies(Shape):
    """What can be compared."""

    studies: list[StudyItem]


class RatingRow(Shape):
    """A player's place on the leaderboard."""

    place: int
    player: str
    label: str
    """What charts call it."""
    colour: str
    """Its colour in charts."""
    mu: float
    sigma: float
    games: int
    mean_final: float
    tier: int | None
    strength: Span | None
    """The order-free strength, with its interval."""
    lead: Span | None
    """The lead over the next in order-free strength."""
    differs_from_next: bool | None
    defaulted: float | None
    repaired: float | None


class RatingTable(Shape):
    """A leaderboard."""

    kind: str
    unit: str
    games: int
    passes: int
    draw_probability: float
    definition: str
    left_out: list[str]
    """What is not in it, in sentences."""
    rows: list[RatingRow]


class ChartEntry(Shape):
    """A chart of the catalogue."""

    name: str
    heading: str
    definition: str
    notes: str


class ChartSection(Shape):
    """Charts that belong together."""

    anchor: str
    title: str
    charts: list[ChartEntry]


class ChartCatalogue(Shape):
    """All charts of a report."""

    kind: str
    """What the command line calls it."""
    title: str
    facts: str
    short: list[str]
    """The report in a few sentences."""
    config: dict[str, Any]
    """The Vega-Lite configuration of all of them; its inks are `currentColor`."""
    sections: list[ChartSection]


class KeyEntry(Shape):
    """What a colour of a chart stands for."""

    text: str
    colour: str


class Chart(Shape):
    """A chart: words, and a Vega-Lite specification without title and configuration."""

    name: str
    heading: str
    title: str
    subtitle: str
    key: list[KeyEntry]
    dots: bool
    """So many marks that a browser should paint them, and not keep each as an element."""
    definition: str
    spec: dict[str, Any]


class TableInfo(Shape):
    """A table that can be read."""

    name: str
    columns: list[str]
    rows: int
    definition: str


class TableList(Shape):
    """All tables of some games."""

    tables: list[TableInfo]
    reason: str | None = None
    """Why there are none."""


class TablePage(Shape):
    """Some rows of a table."""

    name: str
    columns: list[str]
    rows: list[list[Any]]
    total: int
    offset: int
    reason: str | None = None
    """Why nothing is left to be put into tables."""


class ScoreCell(Span):
    """A score of a subject."""

    name: str


class ScoreRow(Shape):
    """A subject's scores."""

    subject: str
    label: str
    word: str | None
    """The subject's type, in words, where it has one."""
    scores: list[ScoreCell]
    words: list["ScoreWord"]
    """The scores whose value is a word, such as a strategy's label."""


class ScoreWord(Shape):
    """A score in a word; without one, the reason why."""

    name: str
    value: str | None
    reason: str | None


class ScoreColumn(Shape):
    """What a score is."""

    name: str
    title: str
    definition: str
    unit: str
    theme: str
    decimals: int


class ScoreTheme(Shape):
    """What some scores are about."""

    name: str
    title: str


class ScoreTable(Shape):
    """Scores of all subjects of a family of tasks."""

    kind: str
    columns: list[ScoreColumn]
    themes: list[ScoreTheme]
    """In their order."""
    rows: list[ScoreRow]
    people: ScoreRow
    """What is known of people, for comparison."""
    total: int
    """Subjects in all."""
    offset: int
    reason: str | None = None
    """Why there are no rows."""


class HeadlinePart(Shape):
    """A score that another is made of."""

    name: str
    top: float
    """Where its axis ends; it begins at nought."""
    note: str
    """What the figure counts, where its title does not say so."""


class Headline(Shape):
    """A score that a card begins with; it goes to 100."""

    name: str
    meaning: str
    parts: list[HeadlinePart]
    words: list[str]
    """Scores in words that belong to it."""
    labelled: bool
    """Whether the subject's label stands beside it."""


class SubjectCard(Shape):
    """What a family of tasks shows of a subject."""

    kind: str
    title: str
    """What the family is called."""
    row: ScoreRow
    people: ScoreRow
    """What is known of people, for comparison."""
    columns: list[ScoreColumn]
    themes: list[ScoreTheme]
    headlines: list[Headline]
    config: dict[str, Any]
    chart: Chart


class MessageRow(Shape):
    """Something that was said."""

    kind: str
    """The study of its game."""
    game: str
    experiment: str
    key: str
    round: int
    order: int
    """Its place within the round, from 1."""
    seat: int
    player: str
    text: str
    promised: float | None
    """What it promises to contribute; missing where nothing was, and where nobody knows."""
    contributed: float | None
    kept: bool | None
    """Whether it was kept; missing where nothing was promised."""
    event: int
    """Its place among the game's events, from 0: the moment that a link to it opens."""


class MessagePage(Shape):
    """Some of what was said."""

    messages: list[MessageRow]
    total: int
    offset: int
    promises: int
    """How many of them promise something."""
    kept: int
    broken: int
