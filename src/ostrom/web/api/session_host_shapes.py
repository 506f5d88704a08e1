"""A session as its host sees it, and the host's requests."""

from typing import Any, Literal

from pydantic import Field

from ostrom.web.api.charts import Chart
from ostrom.web.api.participation_shapes import OutcomeName
from ostrom.web.replies import Shape

HostAction = Literal[
    "start",
    "pause",
    "resume",
    "extend",
    "replace",
    "notice",
    "release",
    "renew_link",
    "end",
    "label_person",
]


class SessionHead(Shape):
    """The session itself."""

    id: str
    name: str
    title: str
    code: str
    """The join code."""
    address: str
    """The address at which people join."""
    qr: str
    """The address as a QR code, in SVG."""
    state: Literal["open", "running", "ended"]
    created: str
    started: str | None
    paused: bool
    language: str
    joins: Literal["code", "labels", "links"]
    starts: str
    """'host', 'full', or the time of the start in ISO format."""
    participants: int
    """The number of people who are to play."""
    traces: bool
    players: list[str]
    """The players that can replace a person."""


class SessionCounts(Shape):
    """The numbers of participants by stage."""

    joined: int
    consented: int
    in_quiz: int
    in_lobby: int
    playing: int
    done: int
    released: int


class QuizScore(Shape):
    """The answers of a participant to the comprehension questions."""

    right: int
    questions: int
    attempts: int
    passed: bool | None
    """None while the questions are open."""


class ParticipantFlag(Shape):
    """A plain description of something unusual in the way in which a participant's answers were written."""

    name: str
    description: str


class HostParticipant(Shape):
    """A participant as the host sees it."""

    participant: str
    label: str | None
    treatment: str | None
    page: str
    """The kind of the page on which the participant is."""
    waiting_for: list[str]
    """The participants for whom this one waits."""
    answering_since_s: float | None
    """The seconds since the open question was shown."""
    left_s: float | None
    """The seconds that remain for the open question."""
    absent_since_s: float | None
    """The seconds since the participant's page was last seen; None while it is open."""
    refused: int
    """The number of refused answers."""
    missed: int
    """The number of questions without an answer in time."""
    quiz: QuizScore | None
    table: str | None
    """The key of the participant's table."""
    points: float | None
    payment: str | None
    """The payment in the session's currency, once it is known."""
    outcome: OutcomeName | None
    replaced_by: str | None
    person: Literal["person", "model", "unknown"]
    """What the host entered about who answered."""
    flags: list[ParticipantFlag]


class HostSeat(Shape):
    """A seat at a table."""

    label: str
    participant: str | None
    player: str
    """The player that decides at this seat."""
    state: Literal["waiting", "asked", "absent", "replaced", "player", "over"]


class HostTable(Shape):
    """A table as the host sees it."""

    key: str
    game: str
    """The name of the game in the session's file."""
    title: str
    table: int
    group: int
    treatment: str
    practice: bool
    seats: list[HostSeat]
    turn: int | None
    turns: int | None
    state: Literal["playing", "finished", "void", "stopped"]
    paused: bool
    game_id: str | None


class TreatmentCount(Shape):
    """The number of participants of a treatment."""

    name: str
    participants: int


class HostMessage(Shape):
    """A message for the host, such as a table that failed, or a notice that was sent."""

    at: str
    text: str


class HostState(Shape):
    """All that the host's page shows."""

    version: int
    session: SessionHead
    counts: SessionCounts
    participants: list[HostParticipant]
    tables: list[HostTable]
    treatments: list[TreatmentCount]
    messages: list[HostMessage]


class HostRequest(Shape):
    """An action of the host."""

    action: HostAction
    participant: str | None = Field(None, max_length=60)
    table: str | None = Field(None, max_length=200)
    seconds: float | None = Field(None, gt=0, le=86_400)
    player: str | None = Field(None, max_length=200)
    text: str | None = Field(None, max_length=1000)


class HostReply(Shape):
    """The state after an action, and the link that an action created."""

    state: HostState
    link: str | None
    """The new link of a participant. It is shown only once."""


class PaymentRow(Shape):
    """The payment of one participant."""

    participant: str
    label: str | None
    code: str
    treatment: str | None
    outcome: OutcomeName | None
    points: float | None
    lines: list[str]
    """The lines of the payment in words."""
    currency: str
    total: str | None
    draw: str | None


class Payments(Shape):
    """The payments of all participants."""

    currency: str
    total: str
    rows: list[PaymentRow]


class ClassSeries(Shape):
    """The values of one group, over the whole game and by turn."""

    name: str
    """The treatment, 'people' or 'models'."""
    kind: Literal["class", "people", "models"]
    """The origin: this session, published human values, or models' games in the journal."""
    source: str | None
    """The publication, or the conditions of the games; None for the class."""
    note: str
    """The limits of a comparison with these values."""
    games: int | None
    """The number of games; None for published values."""
    mean: float | None
    low: float | None
    high: float | None
    """The 95% interval of the mean, or the range that the publication gives."""
    values: list[float | None]
    """The mean by turn; empty if only an overall mean is known."""


class ClassMeasure(Shape):
    """One measure of a game, for the class and beside it."""

    name: str
    title: str
    meaning: str
    unit: str | None
    series: list[ClassSeries]
    chart: Chart | None
    """The values by turn or by treatment as a chart."""


class ClassGame(Shape):
    """The results of one game of the session."""

    name: str
    game: str
    title: str
    clock: str
    tables: int
    measures: list[ClassMeasure]


class ClassResults(Shape):
    """The results of a session for showing to the class. They contain no names."""

    title: str
    participants: int
    games: list[ClassGame]
    config: dict[str, Any]
    """The Vega-Lite configuration of the charts; its colours are `currentColor`."""
