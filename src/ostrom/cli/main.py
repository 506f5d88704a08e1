"""The command `ostrom`: the group of all commands. Errors are printed in one line. The module of a command is imported
when the command is called. Plugins are read from the arguments before commands are resolved."""

import errno
import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from difflib import get_close_matches
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typing_extensions import override

from ostrom.core import entry_points
from ostrom.core.entry_points import COMMANDS_GROUP, declared, group_of, missing_extra, summary_of, verbs_of
from ostrom.core.errors import Disagreement, InputError, OstromError
from ostrom.core.files import TOO_MANY_FILES, is_file_limit
from ostrom.core.outlets import TerminalStream, complain
from ostrom.version import VERSION

GROUPS: Final = {
    "Play": {
        "demo": "ostrom.cli.demo:demo",
        "run": "ostrom.cli.run:run",
        "session": "ostrom.cli.session:session",
        "bench": "ostrom.findings.bench:bench",
        "resume": "ostrom.cli.run:resume",
        "tournament": "ostrom.findings.tournament:tournament",
        "serve": "ostrom.cli.serve:serve",
    },
    "Analyse": {
        "status": "ostrom.findings.status:status",
        "ratings": "ostrom.findings.ratings:ratings",
        "payoffs": "ostrom.findings.payoffs:payoffs",
        "report": "ostrom.findings.report:report",
        "power": "ostrom.findings.power:power",
    },
    "Theory": {
        "evolve": "ostrom.findings.evolve:evolve",
        "solve": "ostrom.findings.solve:solve",
        "sweep": "ostrom.cli.sweep:sweep",
        "respond": "ostrom.findings.respond:respond",
        "design": "ostrom.findings.design:design",
    },
    "Show": {
        "show": "ostrom.findings.games:show",
        "list": "ostrom.findings.lists:list_",
        "animate": "ostrom.cli.animate:animate",
        "publish": "ostrom.web.publish:publish",
    },
    "Keep": {
        "import": "ostrom.cli.importing:import_",
        "export": "ostrom.cli.export:export",
        "experiment": "ostrom.cli.experiments:experiment",
        "label": "ostrom.cli.label:label",
        "journal": "ostrom.cli.journal:journal",
        "doctor": "ostrom.cli.doctor:doctor",
        "keys": "ostrom.cli.keys:keys",
        "new": "ostrom.cli.new:new",
    },
}
COMMANDS: Final = {name: path for commands in GROUPS.values() for name, path in commands.items()}
"""The import path of each command, in the order of the help. Verbs that are not in this list follow these commands.
Games add further commands through entry points."""


@cache
def own_commands() -> Mapping[str, str]:
    """Return the package's own commands and the verbs of findings, with their import paths. Nothing is imported."""
    return COMMANDS | {name: path for name, path in verbs_of("ostrom.findings").items() if name not in COMMANDS}


FOLLOW_UPS: Final = {
    "tournament": "ostrom.cli.follow_ups:TOURNAMENT",
    "respond": "ostrom.cli.follow_ups:RESPOND",
    "design": "ostrom.cli.follow_ups:DESIGN",
}
"""For each verb, the import path of an object that adds the commands to type next to the verb's finding."""
_PLUGIN_OPTION: Final = entry_points.PLUGIN_OPTION
_PLUGIN_FILES: Final = "ostrom.plugins"
"""The key, in a command's context, of the plugin files that the option names."""
_SEATS: Final = "ostrom.seats"
"""The key, in a command's context, of the function that serves seats to people. `terminal.console` reads it."""
_OPTIONS: Final = [
    (f"{_PLUGIN_OPTION} FILE.py", "Load games, players and commands from a file; repeatable."),
    ("--install-completion", "Let your shell complete commands and options."),
    ("--show-completion", "Print the completion script, to be put into a file."),
    ("--version", "Show the version."),
    ("--help", "Show this help, or the options of a command."),
]
_DOCTOR: Final = "doctor"
"""The command that lists broken plugins. It therefore runs even if plugins are broken."""


class OstromCommands(TyperGroup):
    """All commands: those of Ostrom itself and those of other installed packages."""

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        own = own_commands()
        return [*own, *(name for name in declared(COMMANDS_GROUP) if "." not in name and name not in own)]

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        try:
            function = (
                _imported(own_commands()[cmd_name])
                if cmd_name in own_commands()
                else entry_points.load(COMMANDS_GROUP, cmd_name)
            )
        except ModuleNotFoundError as error:
            raise missing_extra(error) or error from error
        # The class is recognised by its name, so that it is not imported for other commands.
        if type(function).__name__ == "Verb":
            follow = [_imported(FOLLOW_UPS[cmd_name])] if cmd_name in FOLLOW_UPS else []
            function = _imported("ostrom.terminal.verbs:command_from")(function, *follow)
        command_of = _imported("ostrom.terminal.game_options:command_of")
        command = command_of(function, cmd_name)
        command.params += command_of(_plugins, cmd_name).params
        return command

    @override
    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        if incomplete.startswith("-"):
            return super(TyperGroup, self).shell_complete(ctx, incomplete)
        item = _imported("typer._click.shell_completion:CompletionItem")
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [item(name, help=_summary(name)) for name in names]

    @override
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = self.list_commands(ctx)
        if args[0] not in known:
            near = get_close_matches(args[0], known, n=2)
            hint = f"did you mean {' or '.join(near)}?" if near else "'ostrom --help' lists all"
            raise InputError(f"there is no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Load the plugins that the arguments and the environment name, and parse the rest."""
        files = ctx.meta.setdefault(_PLUGIN_FILES, [])
        ctx.meta[_SEATS] = _serve_seats
        rest = load_plugins(args, files)
        entry_points.note_files(_PLUGIN_OPTION, files)
        return super().parse_args(ctx, rest)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and name installed plugins that did not load."""
        message = ""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            raise missing_extra(error) or error from error
        except InputError as error:
            message = str(error)
            raise
        finally:
            if ctx.invoked_subcommand != _DOCTOR:
                for plugin in entry_points.failures():
                    if plugin.failure and plugin.failure not in message:
                        where = plugin.where if plugin.where == plugin.package else f"{plugin.where}, {plugin.package}"
                        complain(f"skipped the plugin {plugin.name} ({where}): {plugin.failure}")

    def _groups(self, ctx: Any) -> dict[str, list[str]]:
        """Return the names of all commands by their group in the help. Verbs name their own group."""
        groups = {group: list(commands) for group, commands in GROUPS.items()}
        for name in self.list_commands(ctx):
            if name not in COMMANDS:
                own = own_commands().get(name) or declared(COMMANDS_GROUP)[name].value
                groups.setdefault(group_of(own).capitalize() or "Further commands", []).append(name)
        return groups

    @override
    def format_help(self, ctx: Any, formatter: Any) -> None:
        # The help is plain, with summaries that are read from source files, so that it is fast.
        formatter.write_usage("ostrom", "COMMAND [OPTIONS]")
        formatter.write_paragraph()
        formatter.write_text(self.help or "")
        for group, names in self._groups(ctx).items():
            with formatter.section(group):
                formatter.write_dl([(name, _summary(name)) for name in names], col_max=12)
        with formatter.section("Options"):
            formatter.write_dl(_OPTIONS)


def _summary(name: str) -> str:
    """Return the first sentence about a command, read from source text."""
    if name in own_commands():
        return summary_of(own_commands()[name])
    point = declared(COMMANDS_GROUP)[name]
    return summary_of(point.value) or f"From the package {entry_points.package_of(point)}."


def _plugins(
    plugin: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.py", help="Load games and players from this file; repeatable.", expose_value=False),
    ] = None,
) -> None:
    """Do nothing. This function only declares the option for the help of every command. The values of the option are
    read before commands are resolved."""


def _serve_seats(*place: Any, **options: Any) -> Any:
    """Serve seats to people. The module is imported only when this is called, since only games with people need the
    extra `web`."""
    return _imported("ostrom.cli.serve:pages")(*place, **options)


def _imported(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def load_plugins(args: Sequence[str], files: list[str] | None = None) -> list[str]:
    """Load the plugins that the environment and the arguments name. Return the other arguments. The plugin files are
    added to `files`. Raise InputError if a named plugin does not load, unless the command is the doctor, which lists
    it."""
    files = [] if files is None else files
    rest: list[str] = []
    words = iter(args)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif name != _PLUGIN_OPTION:
            rest.append(word)
        elif (file := value if equals else next(words, None)) is None:
            raise InputError(f"{_PLUGIN_OPTION} needs a Python file")
        else:
            files.append(file)
    if files or "OSTROM_PLUGINS" in os.environ:
        _imported("ostrom.core.plugins:load_variable")()
    for file in files:
        try:
            _imported("ostrom.core.plugins:load_file")(file)
        except InputError as error:
            if rest[:1] != [_DOCTOR]:
                raise
            entry_points.note(entry_points.Plugin("file", Path(file).name, file, file, "", str(error)))
    return rest


def plugins_as_options(context: typer.Context) -> list[str]:
    """Return the options that name plugins, as part of a printed command. Plugins that the environment names need no
    option."""
    return [word for file in context.meta.get(_PLUGIN_FILES, []) for word in (_PLUGIN_OPTION, file)]


app = typer.Typer(
    name="ostrom",
    cls=OstromCommands,
    help="A laboratory for economic behaviour: models, algorithms, simulated subjects and people at one table.",
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def lab(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """Show the help if no command is given."""
    if version:
        typer.echo(f"ostrom {VERSION}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run a command. Exit with 2 for invalid input, with 1 if it did not finish; a traceback is a bug."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the terminal lacks are replaced, which is not an error.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if any("://" in word for word in sys.argv):
        _imported("ostrom.core.command:hide_passwords")()
    with redirect_stdout(_safe_stream(sys.stdout, 1)), redirect_stderr(_safe_stream(sys.stderr, 2)):
        try:
            code = _run()
        except KeyboardInterrupt:  # The interrupt came before a command began, or after its end.
            code = _INTERRUPTED
        try:
            sys.stdout.flush()
        except OSError as error:
            code = _handle_output_error(error)
    if code == _INTERRUPTED and "jax" in sys.modules:
        os._exit(code)  # JAX crashes in an orderly exit after an interrupt.
    sys.exit(code)


_INTERRUPTED = 130


def _safe_stream(stream: TextIO | None, number: int) -> Any:
    """Return the stream without control sequences. A closed stream is replaced by the null device with the same file
    descriptor. Otherwise, the next file that is opened, such as a journal, would get this descriptor, and output would
    be written into that file."""
    if stream is None:
        null = os.open(os.devnull, os.O_RDWR)
        if null != number:
            os.dup2(null, number)
        stream = os.fdopen(number, "w", encoding="utf-8", closefd=False)
    return TerminalStream(stream)


def _run() -> int | None:
    try:
        code: int | None = app(standalone_mode=False)
    except typer.Abort:
        code = _INTERRUPTED
    except TyperException as error:
        complain(error.format_message())
        return 2
    except OSError as error:
        if is_file_limit(error):
            complain(TOO_MANY_FILES)
            return 2
        if error.filename is not None and error.errno != errno.EPIPE:
            complain(f"{error.filename} cannot be used: {error.strerror}")
            return 2
        return _handle_output_error(error)
    except OstromError as error:
        complain(_spelled(error))
        return 1 if isinstance(error, Disagreement) else 2
    except Exception as error:
        if (damage := _damage()) is not None:
            complain(damage)
            return 2
        traceback.print_exception(error)  # This is a bug. The traceback is printed here, without control sequences.
        return 1
    if code == _INTERRUPTED:
        complain("stopped")
    return code


def _spelled(error: OstromError) -> str:
    """Return the text of an error with settings spelled as options."""
    if not isinstance(error, InputError):
        return str(error)
    return error.spelled(_imported("ostrom.terminal.settings:as_option"))


def _damage() -> str | None:
    """Return a description of damage to a journal that the command has read, or None if there is no damage."""
    if "ostrom.journal.open" not in sys.modules:
        return None
    try:
        damage: str | None = _imported("ostrom.journal.open:damage_of_journals")()
    except OstromError as error:
        return str(error)
    except Exception:
        return None  # The first error is reported.
    return damage


def _handle_output_error(error: OSError) -> int:
    """Handle an error of standard output. A closed pipe (EPIPE) is not an error."""
    if error.errno not in (errno.EPIPE, errno.ENOSPC):
        raise error
    if error.errno == errno.ENOSPC:
        complain("the output cannot be written: no space is left on its device")
    # Buffered output would fail again at the end of the interpreter.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
