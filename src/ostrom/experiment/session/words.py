"""The words of participants' pages, by key, in the language of a session. A catalogue is a TOML file with tables of
keys; `participate.continue` is the key `continue` of the table `participate`. Words have placeholders in braces."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final, TypeAlias

from ostrom.core import InputError
from ostrom.experiment.described import read_toml

FOLDER: Final = Path(__file__).parent / "words"
DEFAULT_LANGUAGE: Final = "en"

Words: TypeAlias = Mapping[str, str]


def languages() -> list[str]:
    """Return the languages with a complete catalogue."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def words_of(language: str, own: Words | None = None) -> Words:
    """Return the words of a language. Words in `own` take precedence; words that are in neither are English."""
    known = _complete(language) if language in languages() else {}
    return {**_complete(DEFAULT_LANGUAGE), **known, **(own or {})}


@cache
def _complete(language: str) -> Words:
    return _flat(read_toml(FOLDER / f"{language}.toml")[1])


def read_words(path: Path) -> dict[str, str]:
    """Return the words of a user's catalogue. Raise InputError if it has keys or placeholders that the English one
    lacks."""
    english, own = _complete(DEFAULT_LANGUAGE), _flat(read_toml(path)[1])
    for key, text in own.items():
        if key not in english:
            raise InputError(f"{path.name}: unknown key {key!r}; the catalogue {DEFAULT_LANGUAGE}.toml has all keys")
        if extra := placeholders(text) - placeholders(english[key]):
            names = ", ".join(f"{{{name}}}" for name in sorted(extra))
            raise InputError(f"{path.name}: {key} has the placeholder {names}, which the English text lacks")
    return own


def placeholders(text: str) -> set[str]:
    """Return the names of the placeholders of a text. Raise InputError for braces that are not placeholders."""
    try:
        fields = [field for field in Formatter().parse(text) if field[1] is not None]
    except ValueError as error:
        raise InputError(f"{text!r} is not a text with placeholders: {error}") from None
    for _, name, form, conversion in fields:
        if form or conversion or not str(name).isidentifier():
            raise InputError(f"{text!r}: a placeholder is a name in braces, such as {{seconds}}")
    return {str(name) for _, name, _, _ in fields}


def phrase(words: Words, key: str, **values: Any) -> str:
    """Return the text of a key with its placeholders replaced by values."""
    return words[key].format(**values) if values else words[key]


def _flat(tables: Mapping[str, Any]) -> dict[str, str]:
    words = {}
    for table, entries in tables.items():
        if not isinstance(entries, Mapping):
            raise InputError(f"{table} must be in a table, such as [participate]")
        for key, text in entries.items():
            if not isinstance(text, str):
                raise InputError(f"{table}.{key} must be text")
            words[f"{table}.{key}"] = text
    return words
