"""A session file: all tables as one frozen model. The journal stores the model, so texts and catalogues in other files
are read when the file is loaded."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import Field

from ostrom.core import InputError
from ostrom.core.files import parse_toml
from ostrom.core.game import Game
from ostrom.experiment.described import read_toml
from ostrom.experiment.session.file_check import check_draft
from ostrom.experiment.session.file_draft import SessionDraft, read_draft
from ostrom.experiment.session.file_parts import (
    Consent,
    ParticipantPanel,
    Recording,
    SessionGame,
    SessionPages,
    SessionPart,
    SessionPayment,
    SessionSettings,
    Treatment,
)
from ostrom.experiment.session.file_questions import Belief, QuestionnaireQuestion, Quiz, QuizQuestion
from ostrom.experiment.session.file_rules import game_of, rules_of, seats_of
from ostrom.experiment.session.words import Words, words_of
from ostrom.players.people.instructions import instructions_of
from ostrom.players.people.texts import texts_of

ALL: Treatment = Treatment(name="all")
"""The treatment of sessions that declare none."""


class SessionFile(SessionPart):
    """A session: who plays which games, what participants read and are asked, and what they are paid."""

    session: SessionSettings
    """The name of the session, who joins it, and when it starts."""
    panel: ParticipantPanel | None = None
    """The panel that sends participants."""
    pages: SessionPages = SessionPages()
    """Texts of pages."""
    consent: Consent | None = None
    """The consent page."""
    recording: Recording = Recording()
    """Further data that are recorded, and the time for which personal data are kept."""
    quiz: Quiz | None = None
    """Comprehension questions before the games."""
    treatments: tuple[Treatment, ...] = (ALL,)
    """The treatments; without any there is one, named "all"."""
    games: tuple[SessionGame, ...] = Field(min_length=1)
    """The games, in the order of play."""
    beliefs: tuple[Belief, ...] = ()
    """Questions about what others will do or have done."""
    questionnaire: tuple[QuestionnaireQuestion, ...] = ()
    """Questions after the games."""
    payment: SessionPayment | None = None
    """The conversion of points to money. Without it, points are shown and no payment."""

    def treatment(self, name: str) -> Treatment:
        """Return the treatment with this name. Raise InputError if there is none."""
        for treatment in self.treatments:
            if treatment.name == name:
                return treatment
        names = ", ".join(treatment.name for treatment in self.treatments)
        raise InputError(f"the session has no treatment {name!r}; it has {names}")

    def game(self, name: str) -> SessionGame:
        """Return the game with this name in the session. Raise InputError if there is none."""
        for game in self.games:
            if game.name == name:
                return game
        raise InputError(f"the session has no game {name!r}; it has {', '.join(game.name for game in self.games)}")

    def game_of(self, game: SessionGame) -> Game:
        """Return the registered game that a game of the session plays."""
        return game_of(game)

    def rules_of(self, game: SessionGame, treatment: Treatment, *, practice: bool = False) -> Any:
        """Return the rules of a game in a treatment, for practice tables if `practice`."""
        return rules_of(game, treatment, practice=practice)

    def seats_of(self, game: SessionGame, treatment: Treatment) -> list[str]:
        """Return the composition of a table: "people" for each seat of a person, and then the names of players."""
        return seats_of(game, treatment)

    def quiz_questions(self, treatment: Treatment) -> Sequence[QuizQuestion]:
        """Return the comprehension questions of a treatment."""
        questions = () if self.quiz is None else self.quiz.questions
        return [question for question in questions if not question.treatments or treatment.name in question.treatments]

    def instructions(self, treatment: Treatment) -> str:
        """Return the instructions of a treatment in Markdown. Without own ones they are the games' texts."""
        return self.all_instructions[treatment.name]

    @cached_property
    def all_instructions(self) -> Mapping[str, str]:
        """The instructions of all treatments by name. They are put together only once, since every page has them."""
        shared = self.pages.instructions
        return {
            treatment.name: treatment.instructions or shared or "\n\n".join(self._game_texts(treatment))
            for treatment in self.treatments
        }

    def _game_texts(self, treatment: Treatment) -> Iterator[str]:
        for game in self.games:
            rules, language = self.rules_of(game, treatment), self.session.language
            text = instructions_of(self.game_of(game), rules, game.group, language)
            yield text if len(self.games) == 1 else f"## {self.title_of(game)}\n\n{text}"

    def title_of(self, game: SessionGame) -> str:
        """Return the title of a game in the session's language."""
        return texts_of(self.game_of(game).name, self.session.language).title

    @property
    def words(self) -> Words:
        """The words of participants' pages in the session's language."""
        return words_of(self.session.language, self.session.words)


class SessionMistakes(InputError):
    """A session file with mistakes. The text has a line for each."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


def load_session(path: Path) -> SessionFile:
    """Return the session of a file. Raise SessionMistakes with one line for each mistake."""
    return _checked(read_draft(read_toml(path)[1], path.parent))


def load_session_text(text: str) -> SessionFile:
    """Return the session of a file's text, which must not name other files. Raise SessionMistakes with one line for
    each mistake."""
    try:
        tables = parse_toml(text)
    except ValueError as error:
        raise SessionMistakes([f"the text is not valid TOML: {error}"]) from error
    return _checked(read_draft(tables, None))


def _checked(draft: SessionDraft) -> SessionFile:
    check_draft(draft)
    if draft.mistakes:
        raise SessionMistakes(draft.mistakes)
    return session_of(draft)


def session_of(draft: SessionDraft) -> SessionFile:
    """Return the session of a draft without mistakes."""
    return SessionFile(**{name: value for name, value in draft.parts().items() if value not in (None, ())})
