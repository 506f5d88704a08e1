"""Settings of a verb: one frozen model whose fields have descriptions, bounds and relations to each other. Options of a
command, keyword arguments of the library, fields of a page's dialog and the plan in a journal are made from it.

Errors name fields with `field("group_size")`; each surface spells them in its own way: a command as `--group-size`, the
library as `group_size`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias, Union, get_args, get_origin

import annotated_types as bounds
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticUndefined

from ostrom.core.errors import InputError, field
from ostrom.core.text import problem

__all__ = ["Display", "Setting", "Settings", "excludes", "field", "requires", "settings_of"]

_KINDS: Final[Mapping[Any, str]] = {int: "INTEGER", float: "NUMBER", str: "TEXT"}
_BOUNDS: Final[Mapping[type, str]] = {
    bounds.Ge: "{.ge:,}",
    bounds.Gt: "above {.gt:,}",
    bounds.Le: "{.le:,}",
    bounds.Lt: "below {.lt:,}",
}


@dataclass(frozen=True)
class Display:
    """Annotation of a field: how surfaces show it."""

    form: str = ""
    """The form of a value, such as NAME=SHARE."""
    group: str = ""
    """The heading under which help texts and dialogs list it."""
    default: str = ""
    """The default in words, where it is computed."""
    short: str = ""
    """A letter that stands for the field where names may be short."""
    many: bool = False
    """Whether it has several values, where the type does not say so."""
    positional: bool = False
    """Whether commands take it by position."""


Relation: TypeAlias = Callable[[frozenset[str], Any], str | None]
"""Returns what is wrong with the fields that were given, or None."""


def excludes(*names: str) -> Relation:
    """Return a relation that allows at most one of these fields."""

    def check(given: frozenset[str], settings: Any) -> str | None:
        present = [name for name in names if name in given]
        if len(present) < 2:
            return None
        return f"{field(present[0])} and {field(present[1])} exclude each other; leave one out"

    return check


def requires(name: str, *others: str, **values: Any) -> Relation:
    """Return a relation by which a field needs one of the others, or another field to have a value (or one of them)."""

    def check(given: frozenset[str], settings: Any) -> str | None:
        if name not in given:
            return None
        if others and not given.intersection(others):
            return f"{field(name)} needs {' or '.join(field(other) for other in others)}"
        for other, wanted in values.items():
            allowed = wanted if isinstance(wanted, tuple) else (wanted,)
            if getattr(settings, other) not in allowed:
                return f"{field(name)} needs {' or '.join(field(other, value) for value in allowed)}"
        return None

    return check


class Settings(BaseModel):
    """Base of all settings; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    relations: ClassVar[tuple[Relation, ...]] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the settings with these values. Raise InputError for an invalid or unknown field, or fields that
        exclude or need each other."""
        unknown = [name for name in values if name not in cls.model_fields]
        if unknown:
            known = ", ".join(field(name) for name in cls.model_fields)
            raise InputError(f"there is no setting {unknown[0]!r}; there are {known}")
        try:
            settings = cls.model_validate(dict(values))
        except ValidationError as error:
            raise InputError(_problem(error)) from None
        given = frozenset(settings.model_fields_set)
        for relation in cls.relations:
            fault = relation(given, settings)
            if fault is not None:
                raise InputError(fault)
        return settings

    def as_record(self) -> dict[str, Any]:
        """Return the settings as plain data, for the plan in a journal."""
        return self.model_dump(mode="json")


def _merged(errors: list[ErrorDetails]) -> ErrorDetails:
    """Return one error for all lists of words of which a value is in none."""
    expected = [
        str(each["ctx"]["expected"]).replace(" or ", ", ") for each in errors if each["type"] == "literal_error"
    ]
    return {**errors[0], "ctx": {"expected": ", ".join(expected)}}


def _problem(error: ValidationError) -> str:
    """Return the first problem in one line, with the field marked."""
    errors = error.errors(include_url=False)
    # Of a choice between several lists of words, no single list is what is wrong.
    first = errors[0] if len(errors) == 1 or errors[0]["type"] != "literal_error" else _merged(errors)
    location = [part for part in first["loc"] if not isinstance(part, str) or not re.search(r"[^\w.-]", part)]
    name = str(location[0]) if location else ""
    return problem({**first, "loc": (field(name),) if name else ()})


@dataclass(frozen=True)
class Setting:
    """One field of settings or one rule of a game, for help texts, dialogs and reference tables."""

    name: str
    default: Any
    kind: str
    """INTEGER, NUMBER, TEXT, yes|no, a choice such as a|b, or the form that the field declares; empty for what one word
    does not say."""
    range: str
    meaning: str
    many: bool = False
    """Whether it has several values."""
    group: str = ""
    default_text: str = ""
    short: str = ""
    positional: bool = False
    required: bool = False
    length: int | None = None
    """The number of its values, where that is fixed."""


def settings_of(model: type[BaseModel]) -> list[Setting]:
    """Return the fields of a model in their order, with kinds, ranges and meanings."""
    return [_setting(name, info) for name, info in model.model_fields.items()]


def _setting(name: str, info: FieldInfo) -> Setting:
    default = None if info.default is PydanticUndefined else info.default
    display = next((each for each in info.metadata if isinstance(each, Display)), Display())
    annotation = plain_type(info.annotation)
    sequence = get_origin(annotation) in (tuple, list)
    inner = plain_type(get_args(annotation)[0]) if sequence else annotation
    fixed = get_origin(annotation) is tuple and Ellipsis not in get_args(annotation)
    return Setting(
        name=name,
        default=default,
        kind=display.form or kind_of(inner),
        range=range_of(info),
        meaning=" ".join((info.description or "").split()),
        many=sequence or display.many,
        group=display.group,
        default_text=display.default,
        short=display.short,
        positional=display.positional,
        required=info.is_required(),
        length=len(get_args(annotation)) if fixed else None,
    )


def plain_type(annotation: Any) -> Any:
    """Return the type of a field without None and without annotations."""
    if get_origin(annotation) is Annotated:
        return plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        parts = [each for each in get_args(annotation) if each is not NoneType]
        return plain_type(parts[0]) if len(parts) == 1 else annotation
    return annotation


def kind_of(annotation: Any) -> str:
    """Return the kind of a plain type: INTEGER, NUMBER, TEXT, yes|no or a choice; empty for all others."""
    if annotation is bool:
        return "yes|no"
    if get_origin(annotation) is Literal:
        return "|".join(str(value) for value in get_args(annotation))
    return _KINDS.get(annotation, "")


def range_of(info: FieldInfo) -> str:
    """Return the allowed values of a bounded field in words; empty for an unbounded one."""
    words = {type(bound): _BOUNDS[type(bound)].format(bound) for bound in info.metadata if type(bound) in _BOUNDS}
    low = words.get(bounds.Ge) or words.get(bounds.Gt)
    high = words.get(bounds.Le) or words.get(bounds.Lt)
    if low and high:
        return f"{low} to {high}"
    if low:
        return f"from {low}" if bounds.Ge in words else low
    return f"up to {high}" if high else ""
