"""The texts of a game for people: the game's briefing in their language, without sentences that are meant for language
models, and the words around it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from ostrom.core import Fault
from ostrom.core.files import parse_toml
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.players.models.briefing import Briefing, briefing_in, briefing_of, framing_of
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import NO_SEAT, Framing, plain
from ostrom.players.models.optional_fields import ConditionalField, OptionalField
from ostrom.players.people.seat import GameResult

AS_MODELS: Final = ""
"""The language of people who read the same texts as models, word for word."""
ENGLISH: Final = "en"
_FOLDER: Final = Path(__file__).parent / "phrases"
_DECIMAL_COMMA: Final = frozenset({"de"})
_MODEL_WORDS: Final = re.compile(r"\b(?:an instruction to you|form of your answer|your reply|language model)\b", re.I)
"""Words of sentences that are meant for language models."""
_FOR_MODELS: Final = re.compile(rf"[ ]?[^.\n]*{_MODEL_WORDS.pattern}[^.\n]*\.", re.I)
"""A sentence that is meant for language models. To search for it takes quadratic time, so its words come first."""
_HYPOTHETICAL: Final = ", as you would if the amounts were paid"
"""A clause of hypothetical questions, which is wrong in a game that is paid."""


@dataclass(frozen=True)
class PeopleTexts:
    """The texts of one game in one language."""

    game: Game
    language: str
    """The language, or an empty text for the same texts as models."""
    briefing: Briefing
    framing: Framing
    phrases: Mapping[str, str]
    names: Mapping[str, str]

    def name(self, name: str) -> str:
        """Return the word for a name in code, such as that of a field; by default the name itself."""
        word = self.briefing.word(name)
        if word != name or not self.names:
            return word
        kind, _, label = name.rpartition("_")
        own = self.briefing.words.get(kind, self.names.get(kind)) if kind else None
        return self.names.get(name, name if own is None else f"{own} {label}")

    def phrase(self, key: str, **values: Any) -> str:
        """Return a phrase with its placeholders replaced."""
        return self.phrases[key].format(**values)

    def text(self, text: str) -> str:
        """Return a text of the game as people read it."""
        return text if self.language == AS_MODELS else for_people(text, paid=not self.game.instrument)

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.briefing.words.get("title", self.game.title)

    @property
    def unit(self) -> str:
        """The unit of amounts."""
        return self.framing.unit

    @property
    def no_seat(self) -> str:
        """The word for the answer with which a person chooses none of the seats."""
        return self.phrases.get("no_seat", NO_SEAT)

    @property
    def clock(self) -> str:
        """The unit of the game's time."""
        return self.name(self.game.clock)

    def result(self, result: GameResult) -> GameResult:
        """Return a result in the language of the texts. Sentences about the last events are left out if they are in
        another language."""
        if self.language in (AS_MODELS, ENGLISH):
            return result
        columns = tuple(replace(column, title=self.name(column.title)) for column in result.columns)
        return replace(result, unit=self.unit, columns=columns, story=())

    def refusal(self, reason: str, fault: Fault, fields: Sequence[AnswerField]) -> str:
        """Return the reason of a refusal in the language of the texts. The reason begins with the name of its field, if
        it is about one."""
        if self.language in (AS_MODELS, ENGLISH):
            return reason
        for field in fields:
            if any(reason.startswith(f"{name}: ") for name in (field.name, *field.properties())):
                return self.phrase("refused", name=field.name, range=self.range(field))
        if fault is not Fault.ILLEGAL:
            return self.phrases["incomplete"]
        return self.briefing.words.get("combination", self.phrases["combination"])

    def range(self, field: AnswerField) -> str:
        """Return the valid values of a field in words."""
        if isinstance(field, OptionalField | ConditionalField):
            return self.range(field.of)
        if isinstance(field, NumberField):
            low, high = (plain(bound).replace(".", self.framing.decimal) for bound in field.bounds())
            return self.phrase("whole_number" if field.whole else "number", low=low, high=high)
        if isinstance(field, ChoiceField):
            return self.phrase("choice", options=", ".join(self.name(label) for label, _ in field.options))
        if isinstance(field, TextField):
            return self.phrase("text", words=field.max_words)
        return field.describe()


def for_people(text: str, *, paid: bool = True) -> str:
    """Return a text without sentences that are meant for language models. If the game is `paid`, also leave out that
    its amounts are hypothetical."""
    lines = [_FOR_MODELS.sub("", line).strip() if _MODEL_WORDS.search(line) else line for line in text.split("\n")]
    return "\n".join(lines).replace(_HYPOTHETICAL if paid else "\0", "")


def texts_of(game: str, language: str = AS_MODELS) -> PeopleTexts:
    """Return the texts of a game, by its name in records. A game without texts in the language has English ones."""
    briefing = briefing_of(game) if language == AS_MODELS else briefing_in(game, language)
    phrases, names = _phrases(briefing.language)
    framing = framing_of(game)
    if briefing.language != ENGLISH:
        decimal = "," if briefing.language in _DECIMAL_COMMA else "."
        framing = replace(framing, unit=briefing.unit, decimal=decimal)
    shown = AS_MODELS if language == AS_MODELS else briefing.language
    return PeopleTexts(GAMES[game], shown, briefing, framing, phrases, names)


@cache
def _phrases(language: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    tables = parse_toml((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return tables["phrases"], tables.get("names", {})
