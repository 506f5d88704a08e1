"""Experiments and games."""

from typing import Any, Literal

from pydantic import Field

from ostrom.web.shapes.base import Shape

GameState = Literal["playing", "finished", "void"]
SeatDoing = Literal["unopened", "here", "thinking", "answered", "away", "over", "void", "stopped"]


class GameKind(Shape):
    """A game that can be started from a page."""

    command: str
    """What the command line calls it: 'punish'."""
    name: str
    """What records call it: 'contribute_punish'."""
    title: str
    """What people call it: 'Contribute & Punish'."""
    summary: str
    fewest_seats: int
    most_seats: int
    usual_seats: int | None
    """How many sit at a table if nobody says otherwise; missing where a game does not say."""
    players: list[str]
    """Who can be seated, without 'human', which always can."""
    rules: dict[str, Any]
    """The JSON schema of its rules, with their defaults."""


class LabInfo(Shape):
    """What this server is."""

    version: str
    journal: str
    """The journal's name, never with a password."""
    revision: int
    starts: bool
    """Whether games can be started here."""
    address: str | None
    """Where others in the network find these pages; missing where this machine alone does."""
    games: list[GameKind]


class ModelRow(Shape):
    """How the calls of one model went in an experiment."""

    model: str
    calls: int
    failed: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """Dollars; missing where no price is known."""
    mean_latency: float | None
    faults: dict[str, int]


class ExperimentItem(Shape):
    """An experiment and how far it is."""

    id: str
    name: str
    kind: str
    """The command of its game, 'battery', 'audit', 'mixed', … as it was entered."""
    created: str
    state: Literal["unfinished", "open", "finished"]
    running: bool
    """Whether this server is playing it now."""
    planned: int | None
    finished: int
    playing: int
    void: int
    answers: int
    events: int
    defaulted: int
    repaired: int
    cost: float | None
    """Dollars in all; missing where no model was called, or a price is not known."""
    players: list[str]


class ExperimentDetail(ExperimentItem):
    """All of an experiment but its games."""

    settings: dict[str, Any]
    models: list[ModelRow]
    runs: int
    seats: list["SeatLink"]
    """The links of its people, where this server is playing it."""


class SeatLink(Shape):
    """Where a person takes a seat; only who hosts the game sees it."""

    seat: int
    label: str
    token: str
    state: SeatDoing
    """Whether its link was never opened, its person waits for the first question, is asked, has answered and waits for
    others, or has no page open; and how the game ended."""
    missed: int
    """How many questions the game answered in this person's place."""


class SeatLinks(Shape):
    """The links of all people at a table."""

    seats: list[SeatLink]


class ExperimentPage(Shape):
    """Some of the experiments, the newest first."""

    experiments: list[ExperimentItem]
    total: int
    offset: int


class GameItem(Shape):
    """A game without what happened in it."""

    id: str
    experiment: str
    key: str
    game: str
    """What records call it."""
    command: str
    """What the command line calls it."""
    title: str
    players: list[str]
    """By seat."""
    state: GameState
    rounds: int | None
    source: str | None
    reason: str | None
    """Why it is void."""


class GameHead(GameItem):
    """A game with its rules and the number of its events so far."""

    rules: dict[str, Any]
    labels: list[str]
    """By seat: P1, P2, …"""
    seed: int | None
    events: int
    subject: str | None
    """Of a task of the battery, the subject whose card belongs to it."""


class GameCourse(Shape):
    """How a game went, in a line."""

    cooperation: list[float]
    """By round or turn, the quantity that the game's scene names for this; of a long game, means of several turns."""
    finals: list[float]
    """By seat, what each held in the end; empty while nobody knows."""
    winners: list[int]
    """Their seats."""


class GamePage(Shape):
    """Some of the games, in the order in which they were begun, the newest first."""

    games: list[GameItem]
    total: int
    offset: int


class EventPage(Shape):
    """Some of what happened in a game, in order."""

    events: list[dict[str, Any]]
    told: list[dict[str, Any]]
    """How each of them is told, as in a record; empty where its game is not installed."""
    first: int
    """The place of the first of them, counted from 0."""
    total: int
    state: GameState


class StartGame(Shape):
    """A game to be started from a page."""

    game: str
    """Its command."""
    players: list[str]
    """One entry a seat, in order; 'human' is a person who gets a link."""
    seed: int | None = None
    rules: dict[str, Any] = Field({})
    seconds: float = 300.0
    """How long a person may take for one answer."""
    wait: float = 600.0
    """How long the table waits for people to open their links before their time counts."""


class Started(Shape):
    """A game that was started, or gone on with."""

    experiment: str
    name: str
    seats: list[SeatLink]
