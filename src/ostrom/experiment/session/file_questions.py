"""The questions of a session file: the quiz, beliefs and the questionnaire."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ostrom.experiment.session.file_parts import Line, Markdown, SessionPart, Word


class QuizQuestion(SessionPart):
    """A comprehension question."""

    name: Word
    """The name of the question in data."""
    text: Markdown
    """The question."""
    type: Literal["choice", "number"] = "choice"
    """The form of the answer."""
    choices: tuple[Line, ...] = ()
    """The options of a choice."""
    answer: str | float
    """The right answer: one of the choices, or a number."""
    feedback: str = Field("", max_length=5000)
    """The explanation after a wrong answer."""
    treatments: tuple[str, ...] = ()
    """The treatments in which the question is asked; by default all."""

    @model_validator(mode="after")
    def _check_answer(self) -> Self:
        if self.type == "number":
            if isinstance(self.answer, str) or self.choices:
                raise ValueError('with type = "number" the answer is a number, and there are no choices')
        elif len(self.choices) < 2 or len(set(self.choices)) < len(self.choices):
            raise ValueError('it needs at least two different choices, or type = "number"')
        elif self.answer not in self.choices:
            raise ValueError(f"the answer must be one of its choices, got {self.answer!r}")
        return self

    def is_right(self, value: object) -> bool:
        """Return whether a value is the right answer."""
        if self.type == "choice":
            return value == self.answer
        return isinstance(value, int | float) and abs(value - float(self.answer)) < 1e-9


class Quiz(SessionPart):
    """Comprehension questions before the games."""

    attempts: int = Field(3, ge=1, le=100)
    """The number of attempts at each question."""
    on_failure: Literal["screen_out", "continue"] = "continue"
    """What happens after the last wrong attempt: the participant is screened out, or sees the answer and continues."""
    questions: tuple[QuizQuestion, ...]
    """The questions."""

    @model_validator(mode="after")
    def _check_any(self) -> Self:
        # A bound of the field would also count invalid questions as missing.
        if not self.questions:
            raise ValueError("it needs at least one table [[quiz.questions]]")
        return self


class BeliefPay(SessionPart):
    """The payment of a belief: points = max(0, most − loses · |answer − truth|)."""

    most: float = Field(ge=0, le=1e9)
    """Points for an exact answer."""
    loses: float = Field(ge=0, le=1e9)
    """Points lost per unit of difference."""


class Belief(SessionPart):
    """A question about what others will do or have done."""

    name: Word
    """The name of the question in data."""
    game: str
    """The name of the game in this session."""
    when: Literal["before", "after"] = "before"
    """When it is asked: before or after the first table of the game."""
    text: Markdown
    """The question."""
    minimum: float
    """The smallest answer."""
    maximum: float
    """The largest answer."""
    unit: str = Field("", max_length=60)
    """The unit of the answer."""
    truth: Literal["others_mean"] = "others_mean"
    """What the answer is compared with: the mean of the other seats."""
    quantity: str
    """The quantity of the game's scene whose value in the first turn is the truth."""
    pay: BeliefPay | None = None
    """The payment; without one the answer is not paid."""

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        if self.minimum >= self.maximum:
            raise ValueError(f"minimum must be less than maximum, got {self.minimum:g} and {self.maximum:g}")
        return self

    def points_of(self, answer: float, truth: float) -> float:
        """Return the points for an answer."""
        return 0.0 if self.pay is None else max(0.0, self.pay.most - self.pay.loses * abs(answer - truth))


class QuestionnaireQuestion(SessionPart):
    """A question after the games."""

    name: Word
    """The name of the question in data."""
    text: Markdown
    """The question."""
    type: Literal["text", "number", "scale", "choice"] = "text"
    """The form of the answer."""
    required: bool = True
    """Whether it must be answered."""
    choices: tuple[Line, ...] = ()
    """The options of a choice."""
    steps: int | None = Field(None, ge=2, le=11)
    """The number of steps of a scale."""
    low: str = Field("", max_length=200)
    """The label of the first step of a scale."""
    high: str = Field("", max_length=200)
    """The label of the last step of a scale."""
    minimum: float | None = None
    """The smallest number."""
    maximum: float | None = None
    """The largest number."""

    @model_validator(mode="after")
    def _check_form(self) -> Self:
        if self.type == "choice" and (len(self.choices) < 2 or len(set(self.choices)) < len(self.choices)):
            raise ValueError("a choice needs at least two different choices")
        if self.type == "scale" and self.steps is None:
            raise ValueError("a scale needs the number of its steps")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError("minimum must not be more than maximum")
        fields = {"choice": ("choices",), "scale": ("steps", "low", "high"), "number": ("minimum", "maximum")}
        for kind, names in fields.items():
            extra = [name for name in names if kind != self.type and getattr(self, name) not in (None, "", ())]
            if extra:
                raise ValueError(f'{extra[0]} needs type = "{kind}", got type = "{self.type}"')
        return self

    @property
    def personal(self) -> bool:
        """True if the answer is personal data, which only free text is."""
        return self.type == "text"
