"""Commands with an argument GAME. Each game has its own options, which are derived from its rules. The game is
determined from the arguments before they are parsed, so that no other game is imported."""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import Annotated, Any, ClassVar, Final

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.game import Game, imported
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Setting, describe_rules, rule_text
from ostrom.core.verb import Verb
from ostrom.terminal.options import RULES, Function, with_options

_COMMAND = "ostrom_command"
"""The attribute under which a function stores the class of its command."""


_FORMS: Final = {"<int>": "INTEGER", "<float>": "NUMBER", "<str>": "TEXT", "<path>": "FILE", "<bool>": ""}
"""The forms of values in help texts, by Typer's names for the types of the values."""


class PlainHelp:
    """Help in plain text, like the help of `ostrom` itself. Options are listed under the headings of their groups,
    without frames."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, and, if the command has actions, the actions."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            title = getattr(parameter, "rich_help_panel", None) or usual
            sections.setdefault(title, []).append((_plain_form(record[0], usual), _plain_note(record[1])))
        self.format_commands(ctx, formatter)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the actions of a group with their complete summaries."""
        names = self.list_commands(ctx) if hasattr(self, "list_commands") else []
        commands = [(name, self.get_command(ctx, name)) for name in names]  # type: ignore[attr-defined]
        if commands:
            with formatter.section("Commands"):
                formatter.write_dl([(name, _first_paragraph(command.help)) for name, command in commands])

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line. An argument that may be omitted is in brackets."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [re.sub(r"^\{(.*)\}$", r"\1", piece).replace("[[", "[").replace("]]", "]") for piece in pieces]


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


def _plain_form(text: str, kind: str) -> str:
    if kind == "Arguments":
        return text.partition(" ")[0]
    for typed, form in _FORMS.items():
        text = text.replace(typed, form)
    return re.sub(r"<int range>|<integer range>|<int [^>]*>", "INTEGER", text).rstrip()


def _plain_note(text: str) -> str:
    """Return a help text with notes on defaults and ranges in round brackets, as in the help of settings."""
    text = re.sub(r"\s*\[((?:default|required|env var)[^\]]*)\]$", r" (\1)", text)
    text = re.sub(r";?\s*\[?\d+<=x<=\d+\]?(?=\)|$)", "", text)
    return text.replace(" (required)", "").replace("(default: ", "(default ")


class PlainCommand(PlainHelp, TyperCommand):
    """A command without an argument GAME."""


class GameCommand(PlainHelp, TyperCommand):
    """A command with an argument GAME, which may be anywhere among its arguments. If no game is named, the command uses
    its default game, if it has one."""

    game: Game | None = None
    named: bool = False
    """True if the arguments named the game."""
    default: str | None = None
    """The game that is used if no game is named."""
    find: Callable[[str], Game] = staticmethod(GAMES.of_command)
    names: Callable[[], list[str]] = staticmethod(GAMES.commands)

    @override
    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> typer.Context:
        if self.game is not None:
            try:
                return super().make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
            except TyperException as error:
                if not hasattr(error, "possibilities"):  # Only errors for unknown options have this attribute.
                    raise
                option, usage = getattr(error, "option_name", ""), f"ostrom {self.name} {self.game.command} --help"
                raise InputError(f"{self.game.command} has no option {option}; '{usage}' lists its options") from error
        place = self._place_of_game(args)
        if place is None and (self.default is None or "--help" in args):
            return super().make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
        if place is None:
            return self.of(str(self.default)).make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
        name, rest = args[place], [*args[:place], *args[place + 1 :]]
        command = self.of(name)
        if isinstance(command, GameCommand):
            command.named = True
        return command.make_context(f"{info_name} {name}", rest, parent, **extra)  # type: ignore[return-value]

    @override
    def invoke(self, ctx: Any) -> Any:
        return super().invoke(ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def of(self, name: str) -> TyperCommand:
        """Return this command for one game, or the separate command that a package declares for this name."""
        if (own := f"{self.name}.{name}") in declared(COMMANDS_GROUP):
            separate = command_of(load(COMMANDS_GROUP, own), name)
            separate.params += [option for option in self.params if "--plugin" in option.opts]
            return separate
        game = self.find(name)
        assert self.callback is not None
        command = type(self)(
            name=self.name,
            callback=self.callback,
            params=[*self.params, *_rule_options(game, self.params)],
            help=f"{self.help}\n\n{game.title}: {game.summary}.",
            rich_markup_mode=self.rich_markup_mode,
        )
        command.game = game
        return command

    @override
    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)
        return pieces if self.game is not None else ["[GAME]" if self.default else "GAME", *pieces]

    @override
    def format_help(self, ctx: Any, formatter: Any) -> None:
        if self.game is None:
            own = [name.partition(".")[2] for name in declared(COMMANDS_GROUP) if name.startswith(f"{self.name}.")]
            without = f" The default is {self.default}." if self.default else ""
            names = f"GAME is one of: {', '.join([*self.names(), *own])}.{without}"
            # Lines are broken here, since Typer would break names at their hyphens. \b preserves the lines.
            lines = textwrap.wrap(names, formatter.width - 2, break_on_hyphens=False)
            self.epilog = (
                "\b\n"
                + "\n".join(lines)
                + (f"\n\n'ostrom {self.name} GAME --help' shows the options of one game, with its rules.")
            )
        super().format_help(ctx, formatter)

    def _place_of_game(self, args: Sequence[str]) -> int | None:
        """Return the index of the game among the arguments. The game is the first word that is neither an option nor
        the value of an option. The word after an option that only some games have may be the value of this option. It
        is taken as its value unless it is the name of a game."""
        takes_value = {
            name for parameter in self.params if not getattr(parameter, "is_flag", False) for name in parameter.opts
        }
        flags = {
            name for parameter in self.params for name in (*parameter.opts, *parameter.secondary_opts)
        } - takes_value
        known = set(self.names()) | {name.partition(".")[2] for name in declared(COMMANDS_GROUP)}
        before = ""
        for place, word in enumerate(args):
            if word == "--":
                return None
            value = before in takes_value
            unsure = before.startswith("-") and before not in flags and "=" not in before
            before = "" if value else word
            if not value and not word.startswith("-") and (word in known or not unsure):
                return place
        return None


def takes_game(
    *,
    default: str | None = None,
    find: Callable[[str], Game] = GAMES.of_command,
    names: Callable[[], list[str]] = GAMES.commands,
) -> Callable[[Function], Function]:
    """Return a decorator that marks a function as a command with an argument GAME. In the function, `game_of` returns
    the game."""
    kinds = {"default": default, "find": staticmethod(find), "names": staticmethod(names)}
    return made_as(type("GameCommand", (GameCommand,), kinds))


def made_as(kind: type[TyperCommand] | type[TyperGroup]) -> Callable[[Function], Function]:
    """Return a decorator that marks a function with the class of its command or group of commands."""

    def mark(function: Function) -> Function:
        setattr(function, _COMMAND, kind)
        return function

    return mark


class ActionGroup(PlainHelp, TyperGroup):
    """A command with subcommands, such as `ostrom journal check`."""

    title: ClassVar[str]
    actions: ClassVar[Mapping[str, Callable[..., None]]]

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.actions)

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.actions:
            names = ", ".join(self.actions)
            raise InputError(f"there is no 'ostrom {self.title} {cmd_name}'; it must be one of {names}")
        return command_of(self.actions[cmd_name], cmd_name)


def command_of(source: Any, name: str) -> TyperCommand:
    """Return the command of a verb, a function or a Typer application."""
    if isinstance(source, Verb):
        # Imported by its path, because the module of verbs imports this one.
        source = imported("ostrom.terminal.verbs:command_from")(source)
    app = source
    if not isinstance(source, typer.Typer):
        kind: type[Any] = getattr(source, _COMMAND, PlainCommand)
        if issubclass(kind, TyperGroup):
            app = typer.Typer(cls=kind, add_completion=False, no_args_is_help=True, rich_markup_mode=None)
            app.callback()(source)
        else:
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(name, cls=kind)(source)
    command: TyperCommand = typer.main.get_command(app)  # type: ignore[assignment]
    command.name = name
    return command


def game_of(context: typer.Context) -> Game:
    """Return the game for which a command was called."""
    game: Game | None = getattr(context.command, "game", None)
    assert game is not None, "the command needs a game"
    return game


def is_named(context: typer.Context) -> bool:
    """Return whether the user named a game."""
    return bool(getattr(context.command, "named", False))


def rule_settings(context: typer.Context) -> dict[str, Any]:
    """Return the rules that the user gave, either as separate options or as --rule NAME=VALUE."""
    game = game_of(context)
    settings: dict[str, Any] = dict(context.meta.get(RULES, {}))
    for text in context.params.get("rule") or []:
        name, equals, value = text.partition("=")
        name = name.replace("-", "_")
        if not equals or name not in game.rules.model_fields:
            known = ", ".join(game.rules.model_fields)
            raise InputError(
                f"--rule {text!r} is not a rule of {game.command}; write NAME=VALUE, where NAME is one of {known}"
            )
        settings[name] = value
    return settings


def rules_as_options(context: typer.Context) -> list[str]:
    """Return the options by which the user gave rules. They are part of commands that are printed for the user."""
    words: list[str] = []
    for name, value in context.meta.get(RULES, {}).items():
        option = name.replace("_", "-")
        words += [f"--{option}" if value else f"--no-{option}"] if isinstance(value, bool) else [f"--{option}", value]
    return words


def _rule_options(game: Game, shared: Sequence[Any]) -> list[TyperOption]:
    """Return an option for each rule whose value fits in one word. A rule is skipped if another option has its name."""
    taken = {name for option in shared for name in (*option.opts, *option.secondary_opts)}
    options: dict[str, Any] = {}
    for rule in describe_rules(game.rules):
        option = f"--{rule.name.replace('_', '-')}"
        if not rule.kind or option in taken:
            continue
        flag = rule.kind == "yes|no"
        option_info = typer.Option(
            f"{option}/--no-{option[2:]}" if flag else option,
            metavar=None if flag else rule.kind,
            help=_help(rule),
            show_default=False,
            rich_help_panel="Rules",
            expose_value=False,
            callback=_store_rule,
        )
        # The name of a rule may be a keyword of Python, which a parameter must not be.
        name = f"{rule.name}_" if iskeyword(rule.name) else rule.name
        options[name] = Annotated[bool | None, option_info] if flag else Annotated[str | None, option_info]

    @with_options(options)
    def rules() -> None:
        """Do nothing. This function only carries the options."""

    return [option for option in command_of(rules, "rules").params if isinstance(option, TyperOption)]


def _help(rule: Setting) -> str:
    default = "" if rule.default is None else f"default {rule_text(rule.default)}"
    aside = "; ".join(part for part in (rule.range, default) if part)
    return f"{rule.meaning} ({aside})".strip() if aside else rule.meaning


def _store_rule(context: typer.Context, rule: typer.CallbackParam, value: Any) -> Any:
    """Store the value of a rule in the context. The rules of the game validate it later."""
    if value is not None:
        name = str(rule.name)
        word = name.removesuffix("_")
        context.meta.setdefault(RULES, {})[word if iskeyword(word) else name] = value
    return value
