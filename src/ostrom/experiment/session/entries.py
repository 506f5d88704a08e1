"""The entries of a session. The journal stores them in order, and only ever adds to them; `state` folds them into the
state of the session. Entries have no personal data: labels, messages and free texts are stored apart."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from ostrom.journal.schema import DAMAGED_ENTRY

Outcome = Literal["done", "screened_out", "no_consent", "timed_out", "unmatched", "returned", "ended"]
"""How a session ended for a participant."""


class Entry(BaseModel):
    """One entry. Most belong to a participant, by number."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    participant: int | None = None

    def data(self) -> dict[str, Any]:
        """Return the data of the entry, without its kind and participant."""
        return self.model_dump(mode="json", exclude={"kind", "participant"})


class Joined(Entry):
    """A person joined."""

    kind: Literal["joined"] = "joined"
    language: str = "en"


class Consented(Entry):
    """A participant agreed to the consent text, or did not."""

    kind: Literal["consented"] = "consented"
    version: str
    agreed: bool


class PageDone(Entry):
    """A participant went on from a page."""

    kind: Literal["page_done"] = "page_done"
    page: str
    """welcome, instructions, results, questionnaire or payment."""
    name: str = ""
    """The key of the table whose results were shown."""
    seconds: float | None = None
    """The seconds for which the page was shown, as the page reports them."""


class QuizAnswered(Entry):
    """A participant answered a comprehension question."""

    kind: Literal["quiz_answered"] = "quiz_answered"
    question: str
    value: JsonValue
    right: bool
    attempt: int


class QuizFailed(Entry):
    """A participant has no attempts left."""

    kind: Literal["quiz_failed"] = "quiz_failed"


class EnteredLobby(Entry):
    """A participant is ready to play."""

    kind: Literal["entered_lobby"] = "entered_lobby"


class Chatted(Entry):
    """A participant wrote a message in the lobby. Its text is a personal value, chat.NUMBER."""

    kind: Literal["chatted"] = "chatted"
    number: int


class TreatmentAssigned(Entry):
    """A participant was assigned to a treatment."""

    kind: Literal["treatment_assigned"] = "treatment_assigned"
    treatment: str


class CohortFormed(Entry):
    """People of a treatment begin the games together. Groups are formed among them."""

    kind: Literal["cohort_formed"] = "cohort_formed"
    treatment: str
    members: list[int]


class GroupFormed(Entry):
    """A group for one table."""

    kind: Literal["group_formed"] = "group_formed"
    key: str
    """The key of the table's game in the experiment."""
    game: str
    """The name of the game in the session's file."""
    table: int
    """The number of the table among those of the game, from 1."""
    group: int
    """The number of the group at this table, from 1."""
    treatment: str
    practice: bool = False
    seats: list[int | str]
    """The participant, or the player's name, of each seat."""
    filled: list[int] = []
    """The indices of seats that lacked people and were filled."""
    relaxed: bool = False
    """True if the people who were left could not be perfect strangers, so that strangers were drawn."""


class TableStarted(Entry):
    """A table began."""

    kind: Literal["table_started"] = "table_started"
    key: str


class Answered(Entry):
    """A participant answered a question of a game. The answer itself is in the game."""

    kind: Literal["answered"] = "answered"
    key: str
    question: str
    shown: str
    """The time at which the question was shown."""
    answered: str
    """The time at which the answer was accepted."""
    refused: int = 0
    """The number of refused answers before."""


class TableEnded(Entry):
    """A table ended."""

    kind: Literal["table_ended"] = "table_ended"
    key: str
    ending: Literal["finished", "void"]
    game: str | None = None
    """The id of the game in the journal."""
    points: dict[int, float] = {}
    """The points of each participant. Those of a replaced participant are the points until the replacement."""
    reason: str | None = None


class BeliefAnswered(Entry):
    """A participant stated a belief."""

    kind: Literal["belief_answered"] = "belief_answered"
    name: str
    value: float


class BeliefScored(Entry):
    """The truth about a belief is known."""

    kind: Literal["belief_scored"] = "belief_scored"
    name: str
    truth: float
    points: float


class QuestionnaireAnswered(Entry):
    """A participant answered a question of the questionnaire. A free text is a personal value, answer.NAME."""

    kind: Literal["questionnaire_answered"] = "questionnaire_answered"
    name: str
    value: JsonValue = None
    personal: bool = False


class Replaced(Entry):
    """A player decides in a participant's place from now on. The participant keeps what was earned."""

    kind: Literal["replaced"] = "replaced"
    by: str
    """The name of the player."""
    automatic: bool = False
    key: str | None = None
    """The table at which the participant was replaced."""
    question: str | None = None
    """The question that was open."""
    points: float | None = None
    """The points at that table until then."""


class Absent(Entry):
    """A participant's page has not been open for a while."""

    kind: Literal["absent"] = "absent"


class Returned(Entry):
    """An absent participant's page is open again."""

    kind: Literal["returned"] = "returned"


class Extended(Entry):
    """The host gave more time, to a participant or to all people at a table."""

    kind: Literal["extended"] = "extended"
    key: str | None = None
    seconds: float


class Paused(Entry):
    """The host paused the session or a table."""

    kind: Literal["paused"] = "paused"
    scope: str = "all"
    """'all', or the key of a table."""


class Resumed(Entry):
    """The host let the session or a table continue."""

    kind: Literal["resumed"] = "resumed"
    scope: str = "all"


class Notice(Entry):
    """The host sent a notice to a participant, or to all."""

    kind: Literal["notice"] = "notice"
    text: str


class Released(Entry):
    """The session is over for a participant before its end."""

    kind: Literal["released"] = "released"
    outcome: Outcome
    by_host: bool = False


class Drawn(Entry):
    """The game that is paid was drawn for a participant."""

    kind: Literal["drawn"] = "drawn"
    game: str
    words: str
    """How the draw is recomputed."""


class Paid(Entry):
    """The payment of a participant was computed."""

    kind: Literal["paid"] = "paid"
    lines: list[dict[str, JsonValue]]
    """The lines of the payment: words, points and amount."""
    total: str
    code: str


class Started(Entry):
    """The games began."""

    kind: Literal["started"] = "started"
    by: Literal["host", "time", "full"]


class Served(Entry):
    """A server began to run the session, at first or after a restart."""

    kind: Literal["served"] = "served"


class Ended(Entry):
    """The session ended."""

    kind: Literal["ended"] = "ended"
    by_host: bool = False


class PersonLabelled(Entry):
    """The host entered whether a person or a model answered."""

    kind: Literal["person_labelled"] = "person_labelled"
    person: Literal["person", "model", "unknown"]


class LinkRenewed(Entry):
    """A participant got a new link."""

    kind: Literal["link_renewed"] = "link_renewed"


class TraceRecorded(Entry):
    """Numbers that describe how an answer was written."""

    kind: Literal["trace"] = "trace"
    question: str
    numbers: dict[str, float | None]


class Forgotten(Entry):
    """Personal data were deleted."""

    kind: Literal["forgotten"] = "forgotten"
    what: dict[str, int] = {}
    """The numbers of deleted values by kind."""


class Damaged(Entry):
    """An entry whose content was lost. It changes nothing."""

    kind: Literal["damaged"] = "damaged"


AnyEntry = (
    Joined
    | Consented
    | PageDone
    | QuizAnswered
    | QuizFailed
    | EnteredLobby
    | Chatted
    | TreatmentAssigned
    | CohortFormed
    | GroupFormed
    | TableStarted
    | Answered
    | TableEnded
    | BeliefAnswered
    | BeliefScored
    | QuestionnaireAnswered
    | Replaced
    | Absent
    | Returned
    | Extended
    | Paused
    | Resumed
    | Notice
    | Released
    | Drawn
    | Paid
    | Started
    | Served
    | Ended
    | PersonLabelled
    | LinkRenewed
    | TraceRecorded
    | Forgotten
    | Damaged
)

_ADAPTER: Final[TypeAdapter[AnyEntry]] = TypeAdapter(Annotated[AnyEntry, Field(discriminator="kind")])


def read_entry(kind: str, participant: int | None, data: Mapping[str, Any]) -> AnyEntry:
    """Return a stored entry. A repair of the journal leaves a mark in place of damaged content."""
    if kind == DAMAGED_ENTRY or set(data) == {DAMAGED_ENTRY}:
        return Damaged(participant=participant)
    return _ADAPTER.validate_python({"kind": kind, "participant": participant, **data})
