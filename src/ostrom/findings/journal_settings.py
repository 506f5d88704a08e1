"""The settings by which verbs select games of a journal."""

from typing import Annotated

from pydantic import Field

from ostrom.analysis.pooling import PoolOption
from ostrom.analysis.selection import Part, Selection
from ostrom.core.settings import Display, Settings


def _meaning(name: str) -> str | None:
    return Selection.model_fields[name].description


class JournalSettings(Settings):
    """Settings of a verb that studies games of a journal: which games, and which of them are pooled."""

    game: Annotated[str | None, Display(form="GAME", positional=True)] = Field(None, description=_meaning("game"))
    experiment: Annotated[str | None, Display(form="EXPERIMENT")] = Field(
        None, description="Only this experiment's games, by id or name."
    )
    without_defaulted: Part | None = Field(None, description=_meaning("without_defaulted"))
    rules: Annotated[str | None, Display(form="DIGEST")] = Field(None, description=_meaning("rules"))
    pool: tuple[PoolOption, ...] = Field((), description=f"{_meaning('pool')} Repeatable.")

    @property
    def selection(self) -> Selection:
        """The selection of games. Raises InputError if it is invalid."""
        return Selection.select(
            self.experiment,
            game=self.game,
            without_defaulted=self.without_defaulted,
            rules=self.rules,
            pool=self.pool,
        )
