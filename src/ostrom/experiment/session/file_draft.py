"""The tables of a session file, read one by one. Parts with mistakes are left out, so that all mistakes of a file are
reported at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ostrom.core import InputError
from ostrom.core.files import MAX_SETTINGS_BYTES, read_bounded_text
from ostrom.core.text import clean, problem
from ostrom.experiment.session.file_parts import (
    Consent,
    ParticipantPanel,
    Recording,
    SessionGame,
    SessionPages,
    SessionPayment,
    SessionSettings,
    Treatment,
)
from ostrom.experiment.session.file_questions import Belief, QuestionnaireQuestion, Quiz
from ostrom.experiment.session.words import read_words

Part = TypeVar("Part", bound=BaseModel)

TABLES: Final[Mapping[str, type[BaseModel]]] = {
    "session": SessionSettings,
    "panel": ParticipantPanel,
    "pages": SessionPages,
    "consent": Consent,
    "recording": Recording,
    "quiz": Quiz,
    "payment": SessionPayment,
}
LISTS: Final[Mapping[str, type[BaseModel]]] = {
    "treatments": Treatment,
    "games": SessionGame,
    "beliefs": Belief,
    "questionnaire": QuestionnaireQuestion,
}
BOT: Final = "bot:"
"""The prefix of a bot file in the place of a player's name."""


NO_FILES: Final = "a session that is started on a page cannot name other files; run its file with ostrom session FILE"


@dataclass
class SessionDraft:
    """The valid parts of a session file, and all mistakes."""

    session: SessionSettings | None = None
    panel: ParticipantPanel | None = None
    pages: SessionPages | None = None
    consent: Consent | None = None
    recording: Recording | None = None
    quiz: Quiz | None = None
    payment: SessionPayment | None = None
    treatments: tuple[Treatment, ...] = ()
    games: tuple[SessionGame, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    questionnaire: tuple[QuestionnaireQuestion, ...] = ()
    names: dict[str, list[str]] = field(default_factory=dict)
    """The names of the entries of each list, with those of invalid entries."""
    tables: Mapping[str, Any] = field(default_factory=dict)
    """The tables of the file."""
    mistakes: list[str] = field(default_factory=list)

    def add(self, place: str, text: str) -> None:
        """Add a mistake at a place, such as games.g1.group."""
        self.mistakes.append(f"{place}: {text}")

    def parts(self) -> dict[str, Any]:
        """Return the valid parts by name."""
        return {part.name: getattr(self, part.name) for part in fields(self)[: len(TABLES) + len(LISTS)]}


def read_draft(tables: Mapping[str, Any], folder: Path | None) -> SessionDraft:
    """Return the parts of a file's tables. Texts and catalogues are read from files relative to the folder. Without a
    folder, naming a file is a mistake."""
    draft = SessionDraft(tables=tables)
    for name in tables:
        if name not in TABLES and name not in LISTS:
            draft.add(name, f"unknown table; {_hint(name, [*TABLES, *LISTS])}")
    for name, kind in TABLES.items():
        if name in tables:
            setattr(draft, name, _part(draft, name, tables[name], kind, folder))
    for name, kind in LISTS.items():
        setattr(draft, name, tuple(_entries(draft, name, kind, folder)))
    for name in ("session", "games"):
        if name not in tables:
            draft.add(name, f"is missing; the file needs the table [{name}]".replace("[games]", "[[games]]"))
    return draft


def _entries(draft: SessionDraft, name: str, kind: type[Part], folder: Path | None) -> Iterable[Part]:
    entries = draft.tables.get(name, [])
    draft.names[name] = []
    if not isinstance(entries, list):
        draft.add(name, f"must be a list of tables; write [[{name}]]")
        return
    for number, entry in enumerate(entries, 1):
        own = entry.get("name") if isinstance(entry, Mapping) else None
        label = own if isinstance(own, str) and own else str(number)
        draft.names[name].append(label)
        part = _part(draft, f"{name}.{clean(label)}", entry, kind, folder)
        if part is not None:
            yield part


def _part(draft: SessionDraft, place: str, table: Any, kind: type[Part], folder: Path | None) -> Part | None:
    before = len(draft.mistakes)
    if isinstance(table, Mapping):
        table = _with_files(draft, place, table, folder)
    try:
        part = kind.model_validate(table)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            draft.add(*described(place, details, table, kind))
        return None
    return part if len(draft.mistakes) == before else None


def described(place: str, details: ErrorDetails, table: Any, kind: type[BaseModel]) -> tuple[str, str]:
    """Return the place and the text of a validation error."""
    path = _path(details["loc"], table)
    where = ".".join([place, *path])
    if details["type"] == "missing":
        return where, "is missing"
    if details["type"] == "extra_forbidden":
        return where, f"unknown field; {_hint(path[-1], _fields_at(kind, details['loc'][:-1]))}"
    if details["type"] == "string_too_short":
        return where, "must not be empty"
    text = problem({**details, "loc": ()})
    return where, text.removeprefix("it ") if text.startswith("it must") else text


def _path(location: Sequence[int | str], table: Any) -> list[str]:
    """Return the location of an error with the names of entries instead of their numbers."""
    path = []
    for step in location:
        inner: Any = None
        if isinstance(table, Mapping):
            inner = table.get(step)
        elif isinstance(table, list) and isinstance(step, int) and step < len(table):
            inner = table[step]
        elif isinstance(step, str):
            continue  # The name of a branch of a union is no part of the file.
        label = inner.get("name") if isinstance(step, int) and isinstance(inner, Mapping) else None
        number = step + 1 if isinstance(step, int) else step
        if step != "[key]":
            path.append(clean(str(label or number)))
        table = inner
    return path


def _fields_at(kind: type[BaseModel], location: Sequence[int | str]) -> list[str]:
    """Return the fields of the table in which an unknown field is."""
    for step in location:
        field_info = kind.model_fields.get(str(step))
        models = [] if field_info is None else _models_in(field_info.annotation)
        if models:
            kind = models[0]
    return list(kind.model_fields)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in getattr(annotation, "__args__", ()) for model in _models_in(argument)]


def _hint(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"


_TEXTS: Final = frozenset({"welcome", "instructions", "text"})
"""The fields whose texts may be in files of their own."""


def _with_files(draft: SessionDraft, place: str, table: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    """Return a table in which texts and catalogues are read from their files, and bot files have absolute paths."""
    changed: dict[str, Any] = {}
    for name, value in table.items():
        if name in _TEXTS and isinstance(value, Mapping):
            changed[name] = _read(draft, f"{place}.{name}", value.get("file", ""), folder, _text)
        elif name == "words" and isinstance(value, str):
            changed[name] = _read(draft, f"{place}.{name}", value, folder, read_words)
        elif name in ("fill", "replace_absent") and isinstance(value, str):
            changed[name] = _bot_path(draft, f"{place}.{name}", value, folder)
        elif name == "seats" and isinstance(value, Mapping):
            own_place = f"{place}.{name}"
            changed[name] = {_bot_path(draft, own_place, player, folder): count for player, count in value.items()}
        elif name == "games" and isinstance(value, Mapping):
            changed[name] = {
                game: _with_files(draft, f"{place}.games.{game}", own, folder) if isinstance(own, Mapping) else own
                for game, own in value.items()
            }
        else:
            changed[name] = value
    return changed


def _bot_path(draft: SessionDraft, place: str, name: str, folder: Path | None) -> str:
    if folder is None and (name.startswith(BOT) or "/" in name or "\\" in name):
        draft.add(place, f"{clean(name, 80)}: {NO_FILES}")
        return "none"
    if folder is None or not name.startswith(BOT):
        return name
    return str((folder / name.removeprefix(BOT)).resolve())


def _read(draft: SessionDraft, place: str, name: object, folder: Path | None, read: Callable[[Path], Any]) -> Any:
    """Return the content of a file. After a mistake, return a value that causes no second one."""
    if not isinstance(name, str) or not name:
        draft.add(place, 'must be text or { file = "NAME.md" }')
        return "?" if read is _text else None
    if folder is None:
        draft.add(place, NO_FILES)
        return "?" if read is _text else None
    path = folder / name
    if not path.is_file():
        draft.add(place, f"there is no file {clean(str(path), 200)}")
        return "?" if read is _text else None
    try:
        return read(path)
    except InputError as error:
        draft.add(place, str(error))
    return "?" if read is _text else None


def _text(path: Path) -> str:
    try:
        return read_bounded_text(path, MAX_SETTINGS_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{path.name} cannot be read: {reason}") from error
