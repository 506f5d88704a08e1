"""Commands that take a GAME: each game brings options of its own, made from its rules, and none shows another's. Which
game is meant is found in the arguments before they are parsed; only that game is imported."""

from collections.abc import Callable, Sequence
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException

from ostrom.core import InputError
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Setting, describe_rules, rule_text
from ostrom.terminal.options import RULES, Function, with_options

_COMMAND = "ostrom_command"
"""The attribute of a function that says what kind of command is made of it."""


class GameCommand(TyperCommand):
    """A command that takes a GAME, anywhere among its arguments. Without one it means the default game, or no game at
    all where it has no default."""

    game: Game | None = None
    """The game that it was made for."""
    named: bool = False
    """Whether the arguments named that game."""
    default: str | None = None
    """The game that is meant where none is named."""
    find: Callable[[str], Game] = staticmethod(GAMES.of_command)
    names: Callable[[], list[str]] = staticmethod(GAMES.commands)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> typer.Context:
        """Parse the arguments with the options of the game that they name."""
        if self.game is not None:
            try:
                return super().make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
            except TyperException as error:
                if not hasattr(error, "possibilities"):  # which tell of an option that there is not
                    raise
                option, usage = getattr(error, "option_name", ""), f"ostrom {self.name} {self.game.command} --help"
                raise InputError(f"{self.game.command} has no option {option}; '{usage}' lists its options") from error
        place = self._place_of_game(args)
        if place is None and (self.default is None or "--help" in args):
            return super().make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
        if place is None:
            return self.of(str(self.default)).make_context(info_name, args, parent, **extra)  # type: ignore[return-value]
        name, rest = args[place], [*args[:place], *args[place + 1 :]]
        made = self.of(name)
        if isinstance(made, GameCommand):
            made.named = True
        return made.make_context(f"{info_name} {name}", rest, parent, **extra)  # type: ignore[return-value]

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the arguments were parsed for."""
        return super().invoke(ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def of(self, name: str) -> TyperCommand:
        """The same command for one game; or one of its own that a package brings for this name."""
        if (own := f"{self.name}.{name}") in declared(COMMANDS_GROUP):
            brought = command_of(load(COMMANDS_GROUP, own), name)
            brought.params += [option for option in self.params if "--plugin" in option.opts]
            return brought
        game = self.find(name)
        assert self.callback is not None
        made = type(self)(
            name=self.name,
            callback=self.callback,
            params=[*self.params, *_rule_options(game, self.params)],
            help=f"{self.help}\n\n{game.title}: {game.summary}.",
            rich_markup_mode=self.rich_markup_mode,
        )
        made.game = game
        return made

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What stands behind the command in the line of usage."""
        pieces = super().collect_usage_pieces(ctx)
        return pieces if self.game is not None else ["[GAME]" if self.default else "GAME", *pieces]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help; without a game, with the names of all, none of which is imported for it."""
        if self.game is None:
            own = [name.partition(".")[2] for name in declared(COMMANDS_GROUP) if name.startswith(f"{self.name}.")]
            without = f" The default is {self.default}." if self.default else ""
            self.epilog = (
                f"GAME is one of: {', '.join([*self.names(), *own])}.{without}\n\n"
                f"'ostrom {self.name} GAME --help' shows the options of one, with its rules."
            )
        super().format_help(ctx, formatter)

    def _place_of_game(self, args: Sequence[str]) -> int | None:
        """Where the arguments name a game: at the first word that is neither an option nor an option's value. What
        follows an option that not every game has may be its value, unless it is a game's name."""
        takes_value = {name for each in self.params if not getattr(each, "is_flag", False) for name in each.opts}
        flags = {name for each in self.params for name in (*each.opts, *each.secondary_opts)} - takes_value
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
    """Say of a command's function that the command takes a GAME; `game_of` tells the function which one it was."""
    kinds = {"default": default, "find": staticmethod(find), "names": staticmethod(names)}
    return made_as(type("GameCommand", (GameCommand,), kinds))


def made_as(kind: type[TyperCommand] | type[TyperGroup]) -> Callable[[Function], Function]:
    """Say of a function what kind of command, or group of commands, is made of it."""

    def mark(function: Function) -> Function:
        setattr(function, _COMMAND, kind)
        return function

    return mark


def command_of(brought: Any, name: str) -> TyperCommand:
    """A command of a function, or of an application of Typer's, that one of our modules or a package brings."""
    if not isinstance(brought, typer.Typer):
        function: Any = brought
        kind: type[Any] = getattr(brought, _COMMAND, TyperCommand)
        if issubclass(kind, TyperGroup):
            brought = typer.Typer(cls=kind, add_completion=False, no_args_is_help=True)
            brought.callback()(function)
        else:
            brought = typer.Typer(add_completion=False)
            brought.command(name, cls=kind)(function)
    made: TyperCommand = typer.main.get_command(brought)  # type: ignore[assignment]
    made.name = name
    return made


def game_of(context: typer.Context) -> Game:
    """The game that a command was called for."""
    game: Game | None = getattr(context.command, "game", None)
    assert game is not None, "the command takes a game"
    return game


def is_named(context: typer.Context) -> bool:
    """Whether the user named a game."""
    return bool(getattr(context.command, "named", False))


def rule_settings(context: typer.Context) -> dict[str, Any]:
    """The rules that the user gave: as options of their own, and as --rule NAME=VALUE."""
    game = game_of(context)
    settings: dict[str, Any] = dict(context.meta.get(RULES, {}))
    for given in context.params.get("rule") or []:
        name, equals, value = given.partition("=")
        name = name.replace("-", "_")
        if not equals or name not in game.rules.model_fields:
            known = ", ".join(game.rules.model_fields)
            raise InputError(f"--rule {given!r} is not a rule of {game.command}; write NAME=VALUE with {known}")
        settings[name] = value
    return settings


def rules_as_options(context: typer.Context) -> list[str]:
    """The rules that were given as options, as they would be typed again."""
    words: list[str] = []
    for name, value in context.meta.get(RULES, {}).items():
        option = name.replace("_", "-")
        words += [f"--{option}" if value else f"--no-{option}"] if isinstance(value, bool) else [f"--{option}", value]
    return words


def _rule_options(game: Game, shared: Sequence[Any]) -> list[TyperOption]:
    """An option for each rule that a word can say. One whose name another option has is left to --rule."""
    taken = {name for option in shared for name in (*option.opts, *option.secondary_opts)}
    options: dict[str, Any] = {}
    for rule in describe_rules(game.rules):
        option = f"--{rule.name.replace('_', '-')}"
        if not rule.kind or option in taken:
            continue
        flag = rule.kind == "yes|no"
        made = typer.Option(
            f"{option}/--no-{option[2:]}" if flag else option,
            metavar=None if flag else rule.kind,
            help=_help(rule),
            show_default=False,
            rich_help_panel="Rules",
            expose_value=False,
            callback=_keep,
        )
        # A rule may be called by a word of Python's, which no parameter can be.
        name = f"{rule.name}_" if iskeyword(rule.name) else rule.name
        options[name] = Annotated[bool | None, made] if flag else Annotated[str | None, made]

    @with_options(options)
    def rules() -> None:
        """Serves its options only."""

    return [option for option in command_of(rules, "rules").params if isinstance(option, TyperOption)]


def _help(rule: Setting) -> str:
    default = "" if rule.default is None else f"default {rule_text(rule.default)}"
    aside = "; ".join(part for part in (rule.range, default) if part)
    return f"{rule.meaning} ({aside})".strip().replace("[", "\\[") if aside else rule.meaning


def _keep(context: typer.Context, rule: typer.CallbackParam, value: Any) -> Any:
    """Keep what was given for a rule; the game's own model says whether it is allowed."""
    if value is not None:
        name = str(rule.name)
        word = name.removesuffix("_")
        context.meta.setdefault(RULES, {})[word if iskeyword(word) else name] = value
    return value
