"""The state of a participant of a session, as the pages of participants get it, and the requests of those pages."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ostrom.web.api.seats import SeatResult, SeatState
from ostrom.web.replies import Shape

MAX_TEXT: int = 4000
"""The largest number of characters of a text that a participant may send."""
OutcomeName = Literal["done", "screened_out", "no_consent", "timed_out", "unmatched", "returned", "ended"]


class Door(Shape):
    """A session as everybody with its join code may see it."""

    title: str
    language: str
    words: dict[str, str]
    """The texts of participants' pages in the session's language, by key."""
    join: Literal["code", "labels", "links"]
    """The way in which people join: with the code, with the code and a label, or with single-use links."""
    asks_label: bool
    """True if a label must be given at the door."""
    parameters: list[str]
    """The parameters that the address must have, for example those of a panel."""
    open: bool
    """True if further people can join."""


class JoinRequest(Shape):
    """A request to take part."""

    code: str = Field(max_length=40)
    label: str | None = Field(None, max_length=200)
    link: str | None = Field(None, max_length=200)
    """The secret part of a single-use link."""
    parameters: dict[str, Annotated[str, Field(max_length=500)]] = Field({}, max_length=40)
    key: str | None = Field(None, min_length=22, max_length=200)
    """A secret that the page has drawn, of 128 random bits or more. The same key gets the same place again."""


class JoinReply(Shape):
    """The token of a new participant."""

    token: str
    participant: str


class SessionTitle(Shape):
    """The title and language of a session."""

    title: str
    language: str


class SessionProgress(Shape):
    """The place of a participant among the steps of the session."""

    step: int
    steps: int


class TextPage(Shape):
    """A text to read, such as the welcome text or instructions."""

    kind: Literal["text"]
    name: str
    title: str
    text: str
    """HTML, which the server made from Markdown; it has no scripts and no images."""
    game: str | None
    """The name of the game to which instructions belong."""


class ConsentPage(Shape):
    """The consent text."""

    kind: Literal["consent"]
    text: str
    """HTML, as in `TextPage`."""
    version: str
    required: bool


class QuizQuestion(Shape):
    """A comprehension question."""

    name: str
    text: str
    type: Literal["choice", "number"]
    choices: list[str]
    minimum: float | None
    maximum: float | None
    state: Literal["open", "right", "wrong"]
    """The state of the question: unanswered, or the last answer was right or wrong."""
    feedback: str | None


class QuizPage(Shape):
    """The comprehension questions."""

    kind: Literal["quiz"]
    questions: list[QuizQuestion]
    attempts_left: int


class ChatLine(Shape):
    """A message in the lobby."""

    who: str
    text: str
    you: bool


class LobbyPage(Shape):
    """The lobby, in which people wait for the start."""

    kind: Literal["lobby"]
    people: int
    """The number of people in the lobby."""
    needed: int
    """The number of people with whom the session or the group is full."""
    starts: str
    """'host', 'full', or the time of the start in ISO format."""
    waits_s: float
    """The seconds until people without a group are released."""
    chat: list[ChatLine]
    may_chat: bool


class GamePage(Shape):
    """The participant's seat at a table."""

    kind: Literal["game"]
    practice: bool
    title: str
    label: str
    seats: int
    seat: SeatState


class WaitingPage(Shape):
    """A wait for others."""

    kind: Literal["waiting"]
    reason: str


class BeliefPage(Shape):
    """A question about what others will do."""

    kind: Literal["belief"]
    name: str
    text: str
    minimum: float
    maximum: float
    unit: str
    rule: str
    """The rule by which the answer is paid, in words; empty if it is not paid."""


class ResultsPage(Shape):
    """The result of a table."""

    kind: Literal["results"]
    title: str
    practice: bool
    points: float | None
    """The participant's points; None if the table has no result."""
    result: SeatResult | None


class SurveyQuestion(Shape):
    """A question of the questionnaire."""

    name: str
    text: str
    type: Literal["text", "number", "scale", "choice"]
    choices: list[str]
    steps: int | None
    low: str | None
    high: str | None
    minimum: float | None
    maximum: float | None
    required: bool


class QuestionnairePage(Shape):
    """The questionnaire."""

    kind: Literal["questionnaire"]
    questions: list[SurveyQuestion]


class PaymentLine(Shape):
    """One line of a payment."""

    words: str
    points: float | None
    amount: str
    """The amount of money as a decimal number, without the currency."""


class DrawWords(Shape):
    """The published draw of the paid game, in words."""

    words: str


class PaymentPage(Shape):
    """The payment."""

    kind: Literal["payment"]
    currency: str
    lines: list[PaymentLine]
    total: str
    code: str
    """The code by which the participant and the host identify the payment."""
    draw: DrawWords | None


class OutcomePage(Shape):
    """The end of the session for a participant."""

    kind: Literal["outcome"]
    outcome: OutcomeName
    text: str
    code: str | None
    """The code to enter in the panel."""
    address: str | None
    """The address that leads back to the panel."""
    total: str | None
    currency: str | None


SessionPage = Annotated[
    TextPage
    | ConsentPage
    | QuizPage
    | LobbyPage
    | GamePage
    | WaitingPage
    | BeliefPage
    | ResultsPage
    | QuestionnairePage
    | PaymentPage
    | OutcomePage,
    Field(discriminator="kind"),
]


class ParticipantState(Shape):
    """All that a participant's page shows."""

    version: int
    """A number that increases with every change."""
    session: SessionTitle
    participant: str
    label: str | None
    progress: SessionProgress
    connected_elsewhere: bool
    """True if the session is also open in another window of this participant."""
    notice: str | None
    """The last notice of the host."""
    paused: bool
    traces: bool
    """True if the pages record how answers are written."""
    instructions: str | None
    """The instructions as HTML, once they have been shown; participants can read them again."""
    page: SessionPage


class Trace(Shape):
    """Numbers that describe how an answer was written. They contain nothing that was typed."""

    pastes: int = Field(0, ge=0, le=1_000_000)
    keys: int = Field(0, ge=0, le=1_000_000)
    characters: int = Field(0, ge=0, le=1_000_000)
    focus_lost: int = Field(0, ge=0, le=1_000_000)
    first_key_s: float | None = Field(None, ge=0, le=1_000_000)
    """The seconds from the moment at which the question was shown to the first key."""
    total_s: float | None = Field(None, ge=0, le=1_000_000)


class StepRequest(Shape):
    """A participant's input on the open page, or a request to go on."""

    page: str = Field(max_length=60)
    """The kind of the open page. Further values are 'chat', a message in the lobby, and 'leave'."""
    name: str | None = Field(None, max_length=100)
    """The name of the open text or belief."""
    values: dict[str, Any] = Field({}, max_length=200)
    shown: float | None = Field(None, ge=0, le=10_000_000)
    """The seconds for which the page was shown."""
    trace: Trace | None = None


class SessionAnswer(Shape):
    """An answer to the open question of a game."""

    question: str = Field(max_length=200)
    values: dict[str, Any]
    trace: Trace | None = None


class WordList(Shape):
    """The texts of participants' pages, by key."""

    language: str
    words: dict[str, str]
