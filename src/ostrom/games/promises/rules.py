"""What a judge of promises is given: the lines of one game."""

from pydantic import BaseModel, ConfigDict, Field

from ostrom.games.spoken import SpokenLines


class PromisesRules(BaseModel):
    """Everything that can be set about one judge's reading of one game."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = Field("", max_length=200)
    """The id of the game in which the lines were said; the judge is not told."""
    lines: SpokenLines = ()

    portion_lines: int = Field(20, ge=1, le=1000)
    """How many lines of a round are read at once."""
    portion_words: int = Field(4000, ge=1, le=100_000)
    """How many words are read at once, unless a single line has more."""
