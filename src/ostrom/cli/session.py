"""`ostrom session`: run a session of a file, list the ready ones, and check a file."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import typer
from typing_extensions import override

from ostrom.cli.session_data import export_data, forget
from ostrom.core import InputError
from ostrom.core.files import check_writable, write_text
from ostrom.core.outlets import complain
from ostrom.core.text import number_of
from ostrom.experiment.session.file import SessionFile, SessionMistakes
from ostrom.experiment.session.file_rules import game_of
from ostrom.experiment.session.ready import find_session, session_path
from ostrom.findings.session_lists import list_ready_sessions
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import ActionGroup, made_as
from ostrom.terminal.render import show
from ostrom.terminal.sheets import out, print_json

PLAY: Final = "play"
"""The action that runs a session. Its name may be left out: `ostrom session FILE`."""
REHEARSAL_SPEED: Final = 20.0
"""The speed of simulated people: a session of twenty minutes takes one."""


def open_file(name: str, *, json: bool = False) -> SessionFile:
    """Return the session of a file, or of a ready session. After mistakes, print one line for each, and exit with 2."""
    try:
        return find_session(name)
    except SessionMistakes as error:
        if json:
            print_json({"file": name, "mistakes": error.mistakes})
        else:
            for mistake in error.mistakes:
                complain(mistake)
        raise typer.Exit(2) from None


def list_(json: opt.Json = False) -> None:
    """List the sessions that are ready to run."""
    show(list_ready_sessions(), json=json)


def check(
    file: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A session file, or the name of a ready session.")],
    json: opt.Json = False,
) -> None:
    """Check a session file, and list all of its mistakes. The exit status is 2 if there are any."""
    session = open_file(file, json=json)
    if json:
        print_json({"file": file, "mistakes": [], "session": session.model_dump(mode="json")})
        return
    games = ", ".join(f"{part.name} ({game_of(part).title})" for part in session.games)
    people = number_of(session.session.participants, "participant")
    out.print(f"{session.session.title}: {people}, {games}.", markup=False, soft_wrap=True)
    treatments = number_of(len(session.treatments), "treatment")
    out.print(f"The file has {treatments} and no mistakes.", markup=False, soft_wrap=True)


def copy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a ready session.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The new file.")],
) -> None:
    """Copy a ready session to a file of your own."""
    path = session_path(name)
    if output.exists():
        raise InputError(f"{output} exists already; name a new file")
    check_writable(output)
    write_text(output, path.read_text(encoding="utf-8"))
    out.print(f"Written: {output}", markup=False, soft_wrap=True)


ListenAt = Annotated[
    str | None,
    typer.Option(
        "--host", help="The address to listen on; 0.0.0.0 lets other machines in, which need the code or a link."
    ),
]
ListenPort = Annotated[int | None, typer.Option("--port", min=0, max=65535, help="The port; 0 picks a free one.")]
PublicAddress = Annotated[
    str | None,
    typer.Option("--address", metavar="URL", help="The address that people open, if it differs, as behind a proxy."),
]
Proxy = Annotated[
    str | None, typer.Option("--proxy", metavar="ADDRESS", help="A reverse proxy whose X-Forwarded-For is believed.")
]
Rehearse = Annotated[
    bool,
    typer.Option(
        "--rehearse", help="Let simulated people take part, and print what they met. It uses a temporary journal."
    ),
]
Speed = Annotated[
    float,
    typer.Option(
        "--speed", min=0.0, max=1000.0, help="In a rehearsal: how much faster simulated people are; 0 is at once."
    ),
]
RehearsalModel = Annotated[
    str | None,
    typer.Option("--model", metavar="MODEL", help="In a rehearsal: a language model, or a bot, that takes all seats."),
]
Browsers = Annotated[
    int,
    typer.Option("--browsers", min=0, max=32, help="In a rehearsal: the number of participants in real browsers."),
]


def play(
    session: Annotated[
        str,
        typer.Argument(metavar="FILE|NAME", help="A session file, a ready session, or a stored session to continue."),
    ],
    host: ListenAt = None,
    port: ListenPort = None,
    address: PublicAddress = None,
    proxy: Proxy = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new session even if one of this name is unfinished.")
    ] = False,
    rehearse: Rehearse = False,
    speed: Speed = REHEARSAL_SPEED,
    model: RehearsalModel = None,
    browsers: Browsers = 0,
    store: opt.Store = None,
    simulated: Annotated[bool, typer.Option("--simulated", hidden=True)] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result of a rehearsal as one JSON document.")] = False,
) -> None:
    """Run a session with people: print where they join and the host's page. Ctrl-C stops."""
    if rehearse:
        from ostrom.cli.session_rehearse import rehearse_session

        rehearse_session(
            session, open_file(session, json=json), model=model, browsers=browsers, speed=speed, store=store, json=json
        )
        return
    if json or browsers or model is not None or speed != REHEARSAL_SPEED:
        raise InputError("--json, --model, --browsers and --speed are options of a rehearsal; add --rehearse")
    # The server is imported only here, since the other actions do not need it.
    from ostrom.cli.session_play import serve_session, stored_session

    is_file = session.endswith(".toml") or Path(session).is_file()
    plan = open_file(session) if is_file or new else None
    with open_journal(store, create=True) as journal:
        stored = None if plan is not None else stored_session(journal, session)
        found = plan or stored or open_file(session)
        place = {"host": host, "port": port, "proxy": proxy, "address": address}
        serve_session(journal, found, **place, store=store, rehearsal=simulated)  # type: ignore[arg-type]


class SessionActions(ActionGroup):
    """Commands of sessions. A first argument that is none of the actions is the file of the session to run."""

    title = "session"
    actions: ClassVar[Mapping[str, Callable[..., None]]] = {
        "list": list_,
        "check": check,
        "copy": copy,
        "export": export_data,
        "forget": forget,
        PLAY: play,
    }

    @override
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if PLAY in self.actions and args and args[0] not in self.actions and args[0] != "--help":
            args = [PLAY, *args]
        return super().parse_args(ctx, args)


@made_as(SessionActions)
def session() -> None:
    """Run a session with people from one file, or list the sessions that are ready to run."""
