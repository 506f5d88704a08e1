"""What a judge of quotes is given: the lines of one game, and how many it may pick."""

from pydantic import BaseModel, ConfigDict, Field

from ostrom.games.spoken import SpokenLines


class QuotesRules(BaseModel):
    """Everything that can be set about one judge's reading of one game."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = Field("", max_length=200)
    """The id of the game in which the lines were said; the judge is not told."""
    lines: SpokenLines = ()

    picks: int = Field(5, ge=1, le=100)
    """How many lines may be picked at most, of each portion that is read at once."""
    best: int = Field(10, ge=1, le=100)
    """The highest rating; the lowest is 0."""
    reason_words: int = Field(60, ge=1, le=1000)
    portion_lines: int = Field(60, ge=1, le=1000)
    """How many lines are read at once."""
    portion_words: int = Field(4000, ge=1, le=100_000)
    """How many words are read at once, unless a single line has more."""
