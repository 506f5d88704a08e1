"""The tables of a session file, as models. Each model checks its own fields; `file_check` checks what concerns several
tables."""

import re
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

from ostrom.core.chance import SEEDS
from ostrom.experiment.plan import MAX_SECONDS, SECONDS

PEOPLE: Final = "people"
"""The name of people in the composition of a table."""
NONE: Final = "none"
MAX_PARTICIPANTS: Final = 2000
MAX_TEXT: Final = 50_000
"""The largest number of characters of a text."""


def _one_word(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", text) or len(text) > 60:
        raise ValueError("it must be one word of at most 60 letters, digits, hyphens and underscores")
    return text


def _address(text: str) -> str:
    if not re.fullmatch(r"https?://\S{1,1990}", text):
        raise ValueError("it must be an address that begins with https:// or http://")
    return text


def _language(text: str) -> str:
    if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8})*", text):
        raise ValueError("it must be the code of a language, such as en or de")
    return text


Word = Annotated[str, AfterValidator(_one_word)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Markdown = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT)]
Composition: TypeAlias = dict[Line, Annotated[int, Field(ge=0, le=MAX_PARTICIPANTS)]]
RuleValues: TypeAlias = dict[str, JsonValue]
OutcomeName: TypeAlias = Literal["done", "screened_out", "no_consent", "timed_out", "unmatched", "returned"]


class SessionPart(BaseModel):
    """Base class of the tables of a session file; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class SessionSettings(SessionPart):
    """The name of a session, who joins it, and when it starts."""

    name: Word
    """The name of the session: one word."""
    title: Line
    """The title that participants see."""
    description: str = Field("", max_length=1000)
    """A sentence about the session, for lists."""
    language: Annotated[str, AfterValidator(_language)] = "en"
    """The language of the pages: en or de, or any other with `words`."""
    words: dict[str, str] | None = None
    """A TOML file with the words of the pages in another language. Words that it lacks are English."""
    participants: int = Field(ge=1, le=MAX_PARTICIPANTS)
    """The number of people who are to play."""
    spare: int = Field(0, ge=0, le=MAX_PARTICIPANTS)
    """The number of further people who may join. Those who find no group are released."""
    join: Literal["code", "labels", "links"] = "code"
    """How people join: with the join code, with the code and a label of the list, or with single-use links."""
    labels: tuple[Line, ...] = ()
    """The labels of participants, for join = "labels"."""
    start: Literal["host", "full", "time"] = "host"
    """When games start: when the host starts them, when groups are full, or at a time."""
    start_at: AwareDatetime | None = None
    """The time of the start with its offset from UTC, for start = "time"."""
    lobby_minutes: float = Field(20.0, gt=0, le=1440)
    """The longest wait in the lobby, in minutes. People without a group are then released."""
    lobby_chat: bool = False
    """Let people write messages to each other in the lobby."""
    seed: int | None = Field(None, ge=0, lt=SEEDS)
    """The seed of all draws. Without one it is drawn when the session is created."""
    after_restart: Literal["resume", "full"] = "resume"
    """The clocks of open questions after a restart of the server: they continue, or start again in full."""
    absent_seconds: float = Field(90.0, gt=0, le=MAX_SECONDS)
    """A person whose page has not been open for this number of seconds counts as absent."""
    replace_absent: Line = NONE
    """The player who takes the seat of an absent person automatically, or "none"."""


class PanelOutcome(SessionPart):
    """The code or the address with which a participant returns to the panel."""

    code: Line | None = None
    """The code that the participant enters at the panel."""
    address: Annotated[str, AfterValidator(_address)] | None = None
    """The address to which the participant returns."""

    @model_validator(mode="after")
    def _check_any(self) -> Self:
        if self.code is None and self.address is None:
            raise ValueError("it needs a code or an address")
        return self


class ParticipantPanel(SessionPart):
    """The panel that sends participants, such as Prolific."""

    participant: Line
    """The parameter of the address that identifies the participant."""
    parameters: tuple[Line, ...] = ()
    """All parameters that the address must have."""
    outcomes: dict[OutcomeName, PanelOutcome] = Field(default_factory=dict)
    """The code or address for each outcome: done, screened_out, no_consent, timed_out, unmatched or returned."""


class SessionPages(SessionPart):
    """Texts of pages, in Markdown."""

    welcome: Markdown | None = None
    """The text of the first page. Without one there is no such page."""
    instructions: Markdown | None = None
    """The instructions. By default they are the games' own texts."""


class Consent(SessionPart):
    """The consent page."""

    text: Markdown
    """The information about the study, in Markdown."""
    version: Line = "1"
    """The version of the text. It is stored with each consent."""
    required: bool = True
    """Release people who do not consent."""


class Recording(SessionPart):
    """Further data that are recorded, and the time for which personal data are kept."""

    traces: bool = False
    """Record how answers are written: pasting, keys per character, focus lost, time to the first key. The consent text
    must say so."""
    retention_days: int | None = Field(None, ge=1, le=36_500)
    """The number of days after which personal data are due for deletion."""


class TreatmentGame(SessionPart):
    """The changes of a treatment in one of the games."""

    rules: RuleValues = Field(default_factory=dict)
    """Rules of this game."""
    seats: Composition | None = None
    """The composition of tables of this game."""


class Treatment(SessionPart):
    """A treatment: changes of the rules and of the composition of tables."""

    name: Word
    """The name of the treatment."""
    share: float = Field(1.0, gt=0, le=1000)
    """The weight of the treatment in the balanced assignment."""
    rules: RuleValues = Field(default_factory=dict)
    """Rules of every game that has them."""
    games: dict[str, TreatmentGame] = Field(default_factory=dict)
    """Changes in single games, by their names."""
    messages: bool | None = None
    """Turn messages on or off in games that have them."""
    turns: Literal["in turn", "at once"] | None = None
    """The order of messages in games that have such a rule."""
    instructions: Markdown | None = None
    """The instructions of this treatment."""
    seats: Composition | None = None
    """The composition of a table: the number of people, and of other players by name. People have the first seats."""


class SessionGame(SessionPart):
    """A game of the session, played at one or more tables in a row."""

    name: Word
    """The name of the game in this session."""
    game: Line
    """The command of a registered game."""
    preset: str | None = None
    """A preset of the game's rules."""
    rules: RuleValues = Field(default_factory=dict)
    """Rules of the game."""
    group: int = Field(ge=1, le=MAX_PARTICIPANTS)
    """The number of seats at a table, for people and other players."""
    matching: Literal["partners", "strangers", "perfect-strangers"] = "partners"
    """Who meets at the next table: the same group, a random group, or people who have not met in this game."""
    tables: int = Field(1, ge=1, le=1000)
    """The number of tables in a row."""
    practice: int = Field(0, ge=0, le=100)
    """The number of practice tables before the first table. They do not count."""
    practice_rules: RuleValues = Field(default_factory=dict)
    """Rules of practice tables that differ."""
    seconds: float = Field(SECONDS, ge=1, le=MAX_SECONDS)
    """The time for an answer, in seconds. After it, the game's fallback is entered."""
    fill: str = ""
    """The player who takes seats that lack people. Without one, incomplete groups are released."""
    counts: bool = True
    """Whether the game can be paid."""


class SessionPayment(SessionPart):
    """The conversion of points to money."""

    currency: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=12)]
    """The currency, such as EUR."""
    participation: float = Field(0.0, ge=0, le=1e6)
    """The participation fee."""
    rate: float = Field(ge=0, le=1e6)
    """The money per point."""
    counts: Literal["all", "one"] = "all"
    """The games that are paid: all, or one at random by a published draw."""
    rounding: float = Field(0.01, gt=0, le=1e6)
    """Payments are rounded to a multiple of this amount, which is a whole number of hundredths."""
    round_to: Literal["up", "nearest"] = "up"
    """The direction of rounding."""
    release: float = Field(0.0, ge=0, le=1e6)
    """The payment of people who found no group."""
    least: float = Field(0.0, ge=0, le=1e6)
    """The smallest payment."""

    @model_validator(mode="after")
    def _check_rounding(self) -> Self:
        if abs(self.rounding * 100 - round(self.rounding * 100)) > 1e-9:
            raise ValueError(f"rounding must be a multiple of 0.01, such as 0.1 or 0.5, got {self.rounding:g}")
        return self
