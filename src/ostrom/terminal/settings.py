"""Options of commands, derived from the settings of verbs. Each field of the settings has an option. This module also
reads the settings that the user typed."""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, TypeVar

import typer

from ostrom.core.settings import Setting, Settings, settings_of
from ostrom.terminal.options import OPTIONS_OF_LIMITS, Function, given, with_options

Kind = TypeVar("Kind", bound=Settings)


def option_name(name: str) -> str:
    """Return the option of a field: `--group-size` for group_size, `--from` for from_."""
    return f"--{name.rstrip('_').replace('_', '-')}"


def as_option(name: str, value: str | None) -> str:
    """Return a field as an option of a command, with its value if one is given. Every limit has a separate option."""
    if name == "limits" and value is not None:
        return option_name(OPTIONS_OF_LIMITS[value])
    return option_name(name) if value is None else f"{option_name(name)} {value}"


def with_settings(model: type[Settings], *, without: Collection[str] = ()) -> Callable[[Function], Function]:
    """Return a decorator that gives a command an option for each field whose value fits in one word, except fields in
    `without`. `read_settings` reads the options."""
    spoken = [setting for setting in settings_of(model) if setting.kind and setting.name not in without]
    return with_options({setting.name: _option(setting) for setting in spoken})


def read_settings(context: typer.Context, model: type[Kind], **values: Any) -> Kind:
    """Return the settings that the user typed, together with the given values. Raise InputError if they are invalid."""
    return model.of({**typed_settings(context, model), **values})


def typed_settings(context: typer.Context, model: type[Settings]) -> Mapping[str, Any]:
    """Return the fields that the user typed, without defaults."""
    names = [name for name in model.model_fields if name in context.params and given(context, name)]
    return {name: context.params[name] for name in names}


def _option(setting: Setting) -> Any:
    if setting.positional:
        return _argument(setting)
    flag = setting.kind == "yes|no"
    name = option_name(setting.name)
    switch = f"{name}/--no-{name[2:]}" if flag and setting.default is True else name
    names = [switch, f"-{setting.short}"] if setting.short else [switch]
    names += [option_name(setting.alias)] if setting.alias else []
    option = typer.Option(
        *names,
        metavar=None if flag else setting.kind,
        help=help_text(setting),
        show_default=False,
        rich_help_panel=setting.group or None,
    )
    if flag:
        return Annotated[bool | None, option]
    if setting.length is not None:
        return Annotated[tuple[(str,) * setting.length] | None, option]  # type: ignore[misc]
    if setting.required:
        return Annotated[str, option]
    return Annotated[list[str] | None, option] if setting.many else Annotated[str | None, option]


def _argument(setting: Setting) -> Any:
    """Return the positional argument of a command for a setting."""
    form = setting.kind  # where there may be several, typer adds an ellipsis
    argument = typer.Argument(
        metavar=form if setting.required else f"[{form}]", help=help_text(setting), show_default=False
    )
    if setting.required:
        return Annotated[list[str], argument] if setting.many else Annotated[str, argument]
    return Annotated[list[str] | None, argument] if setting.many else Annotated[str | None, argument]


def help_text(setting: Setting) -> str:
    """Return the help of an option: its meaning, its range and its default."""
    default = setting.default_text or default_text(setting.default)
    aside = "; ".join(part for part in (setting.range, f"default {default}" if default else "") if part)
    return f"{setting.meaning} ({aside})".strip() if aside else setting.meaning


def default_text(value: Any) -> str:
    """Return a default as users write it, or an empty text if there is no default to show."""
    if value is None or value is False or value == ():
        return ""
    if value is True:
        return "yes"
    if isinstance(value, tuple):
        return ", ".join(map(default_text, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)
