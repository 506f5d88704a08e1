"""The settings of an operation of the lab (a verb). They are one frozen model, whose fields have descriptions, bounds
and relations. The options of a command, the keyword arguments of the library, the fields of a page's dialog and the
plan in a journal are derived from it.

Errors name fields with `field("group_size")`; each surface spells them in its own way: a command as `--group-size`, the
library as `group_size`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias, Union, get_args, get_origin

import annotated_types as bounds
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticUndefined

from ostrom.core.errors import InputError, field
from ostrom.core.text import problem

__all__ = ["Display", "Setting", "Settings", "excludes", "field", "field_like", "requires", "settings_of"]

_KINDS: Final[Mapping[Any, str]] = {int: "INTEGER", float: "NUMBER", str: "TEXT"}
_BOUNDS: Final[Mapping[type, str]] = {
    bounds.Ge: "{.ge:,}",
    bounds.Gt: "above {.gt:,}",
    bounds.Le: "{.le:,}",
    bounds.Lt: "below {.lt:,}",
}


@dataclass(frozen=True)
class Display:
    """The form in which all surfaces display a field; used as an annotation of the field."""

    form: str = ""
    """The syntax of a value, such as NAME=SHARE."""
    group: str = ""
    """The heading under which help texts and dialogs list the field."""
    default: str = ""
    """The default value in words, if the default is computed."""
    short: str = ""
    """The letter of a short option."""
    many: bool = False
    """True if the field has several values although its type is not a sequence."""
    positional: bool = False
    """True if the field is a positional argument of commands."""
    alias: str = ""
    """The name of this field in most other verbs. Commands accept both names."""


Relation: TypeAlias = Callable[[frozenset[str], Any], str | None]
"""A check of settings: a function of the names of the fields that the user set, and of the settings, which returns an
error message or None."""


def excludes(*names: str) -> Relation:
    """Return a relation that allows at most one of these fields."""

    def check(explicit: frozenset[str], settings: Any) -> str | None:
        conflicts = [name for name in names if name in explicit]
        if len(conflicts) < 2:
            return None
        return f"{field(conflicts[0])} and {field(conflicts[1])} exclude each other; leave one out"

    return check


def requires(name: str, *others: str, **values: Any) -> Relation:
    """Return a relation that applies if the field `name` is set. At least one of `others` must then be set too, and
    each field in `values` must have the given value (or one of them)."""

    def check(explicit: frozenset[str], settings: Any) -> str | None:
        if name not in explicit:
            return None
        if others and not explicit.intersection(others):
            return f"{field(name)} needs {' or '.join(field(other) for other in others)}"
        for other, value in values.items():
            allowed = value if isinstance(value, tuple) else (value,)
            if getattr(settings, other) not in allowed:
                return f"{field(name)} needs {' or '.join(field(other, value) for value in allowed)}"
        return None

    return check


class Settings(BaseModel):
    """Base class of all settings; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    relations: ClassVar[tuple[Relation, ...]] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the settings with these values. Raise InputError if a field is invalid or unknown, or if fields
        exclude or need each other."""
        unknown = [name for name in values if name not in cls.model_fields]
        if unknown:
            known = ", ".join(field(name) for name in cls.model_fields)
            raise InputError(f"there is no setting {unknown[0]!r}; there are {known}")
        try:
            settings = cls.model_validate(dict(values))
        except ValidationError as error:
            raise InputError(_problem(error)) from None
        for relation in cls.relations:
            error_text = relation(frozenset(settings.model_fields_set), settings)
            if error_text is not None:
                raise InputError(error_text)
        return settings

    def as_record(self) -> dict[str, Any]:
        """Return the settings as plain data, for the plan in a journal."""
        return self.model_dump(mode="json")


def field_like(model: type[BaseModel], name: str, default: Any, **changes: float) -> Any:
    """Return a field for a page's request, with the description and bounds of the field `name` of `model`. Bounds in
    `changes` replace those of `model`."""
    info = model.model_fields[name]
    limits: dict[str, Any] = {}
    for bound in info.metadata:
        if type(bound) in _BOUNDS:
            limits |= asdict(bound)
    for side in (("ge", "gt"), ("le", "lt")):
        if changes.keys() & set(side):
            limits = {key: value for key, value in limits.items() if key not in side}
    return Field(default, description=info.description, **{**limits, **changes})


def _merged(errors: list[ErrorDetails]) -> ErrorDetails:
    """Return one error for a value that is in none of several lists of allowed words. Pydantic reports a separate error
    for each list."""
    literal_errors = [error for error in errors if error["type"] == "literal_error"]
    expected = [str(error["ctx"]["expected"]).replace(" or ", ", ") for error in literal_errors]
    return {**errors[0], "ctx": {"expected": ", ".join(expected)}}


def _problem(error: ValidationError) -> str:
    errors = error.errors(include_url=False)
    # For a union of literals, pydantic reports one error per literal.
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
    """INTEGER, NUMBER, TEXT, yes|no, a choice such as a|b, or the syntax that the field declares. It is empty for other
    types."""
    range: str
    meaning: str
    many: bool = False
    """True if the setting has several values."""
    group: str = ""
    default_text: str = ""
    short: str = ""
    positional: bool = False
    alias: str = ""
    required: bool = False
    length: int | None = None
    """The number of values, if it is fixed."""


def settings_of(model: type[BaseModel]) -> list[Setting]:
    """Return the fields of a model in their order, with kinds, ranges and meanings."""
    return [_setting(name, info) for name, info in model.model_fields.items()]


def describe_rules(model: type[BaseModel]) -> list[Setting]:
    """Return the rules of a game with their defaults, ranges and meanings. The kind of a rule with several values is
    empty, since one word cannot describe it. A rule with a single possible value is left out."""
    rules = [rule for rule in settings_of(model) if not _is_fixed(model.model_fields[rule.name])]
    return [replace(rule, kind="") if rule.many else rule for rule in rules]


def _is_fixed(info: FieldInfo) -> bool:
    """Return whether a field has a single possible value, because its model narrows a field of another model."""
    annotation = plain_type(info.annotation)
    return get_origin(annotation) is Literal and len(get_args(annotation)) == 1


def rule_text(value: Any) -> str:
    """Return the value of a rule as users write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _setting(name: str, info: FieldInfo) -> Setting:
    default = None if info.default is PydanticUndefined else info.default
    display = next((item for item in info.metadata if isinstance(item, Display)), Display())
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
        alias=display.alias,
        required=info.is_required(),
        length=len(get_args(annotation)) if fixed else None,
    )


def plain_type(annotation: Any) -> Any:
    """Return the type of a field without None and without annotations."""
    if get_origin(annotation) is Annotated:
        return plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
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
