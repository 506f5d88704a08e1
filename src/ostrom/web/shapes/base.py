"""What all shapes have in common."""

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A shape; what it does not know is an error, in both directions."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Problem(Shape):
    """Why a request was refused."""

    detail: str
    """In one line: what is wrong, and what would be right."""


class Span(Shape):
    """An estimate with its uncertainty; without a value, the reason why there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
