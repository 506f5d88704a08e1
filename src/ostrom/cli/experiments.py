"""`ostrom experiment` adds players to an experiment of a journal, and renames, tags, archives, restores or deletes
experiments."""

import sys
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import typer

from ostrom.core.errors import InputError
from ostrom.core.text import number_of
from ostrom.experiment.plan import experiment_of
from ostrom.experiment.store import SAME_VERSION_ONLY, check_versions, extend
from ostrom.findings.estimates import describe_estimate
from ostrom.journal.open import open_journal
from ostrom.journal.schema import PLAYING
from ostrom.players.roster import seat_models, seat_players
from ostrom.terminal import options as opt
from ostrom.terminal.console import go_on, ready
from ostrom.terminal.game_options import ActionGroup, made_as
from ostrom.terminal.render import show
from ostrom.terminal.sheets import out, print_json

Which = Annotated[str, typer.Argument(metavar="EXPERIMENT", help="The experiment, by id or name.")]


def rename(
    experiment: Which,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name of the experiment.")],
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Give an experiment another name; its id stays the same."""
    with open_journal(store) as journal:
        wanted = journal.experiment_id(experiment)
        journal.rename(wanted, name)
    _print({"experiment": wanted, "name": name}, f"{wanted} is called {name} now.", json)


def tag(
    experiment: Which,
    tags: Annotated[list[str] | None, typer.Argument(metavar="[TAG]", help="Tags to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Remove this tag; repeatable.")] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Add tags to an experiment, or remove some; 'ostrom status --tag TAG' shows the experiments with a tag."""
    with open_journal(store) as journal:
        wanted = journal.experiment_id(experiment)
        left = journal.tag(wanted, tags or [], remove or [])
    _print({"experiment": wanted, "tags": left}, f"{wanted} has {', '.join(left) or 'no tags'}.", json)


def archive(experiment: Which, store: opt.Store = None, json: opt.Json = False) -> None:
    """Leave an experiment out of lists and leaderboards; it is still found by its id or name."""
    _archive(experiment, store, json, archived=True)


def restore(experiment: Which, store: opt.Store = None, json: opt.Json = False) -> None:
    """Return an archived experiment to lists and leaderboards."""
    _archive(experiment, store, json, archived=False)


@opt.with_limits("policy")
def add(
    context: typer.Context,
    experiment: Which,
    include: opt.Include = None,
    llm: opt.Llm = None,
    players: opt.Players = None,
    games: Annotated[
        int | None, typer.Option(help="Games of each new player. (default: the number planned for each of the others)")
    ] = None,
    dry_run: opt.DryRun = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Add players to a benchmark, and play the games that they lack."""
    opt.load_players(players)
    with open_journal(store) as journal:
        wanted = journal.experiment_id(experiment)
        row = next(row for row in journal.experiments() if row.id == wanted)
        check_versions(journal, wanted, SAME_VERSION_ONLY)
        before = replace(experiment_of(row.name, row.settings), title=row.kind)
        if len({part.game.name for part in before.parts}) > 1:
            raise InputError(f"{wanted} has several games; a player can be added only to a benchmark of one game")
        newcomers = seat_players(before.parts[0].game.name, include, models=llm or []) if include else []
        newcomers = newcomers or seat_models(before.parts[0].game.name, llm or [])
        planned = opt.limited(context, before.with_players(newcomers, games))
        if dry_run:
            over = {game.key for game in journal.games(wanted) if game.state != PLAYING}
            show(describe_estimate(planned, over), json=json)
            return
        ready(planned)
        with journal.claim(wanted):  # The plan of a running experiment must not change.
            extend(planned, journal, wanted)
        go_on(context, planned, journal, wanted)


def delete(
    experiment: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Delete an experiment with all its games, for good."""
    with open_journal(store) as journal:
        wanted = journal.experiment_id(experiment)
        row = next(row for row in journal.experiments() if row.id == wanted)
        games = number_of(row.games + row.void + row.playing, "game")
        if not yes:
            if not sys.stdin.isatty():
                raise InputError(f"{wanted} ({games}) would be deleted for good; add --yes to confirm")
            typer.confirm(f"Delete {wanted} ({row.name}) with {games} for good?", abort=True)
        with journal.claim(wanted):  # A running experiment must not be deleted.
            journal.delete(wanted)
    _print({"experiment": wanted, "deleted": True}, f"{wanted} is deleted, with {games}.", json)


def _archive(experiment: str, store: str | None, json: bool, *, archived: bool) -> None:
    with open_journal(store) as journal:
        wanted = journal.experiment_id(experiment)
        journal.archive(wanted, archived=archived)
    word = "archived; 'ostrom status --archived' shows it" if archived else "back in lists and leaderboards"
    _print({"experiment": wanted, "archived": archived}, f"{wanted} is {word}.", json)


def _print(document: dict[str, Any], line: str, json: bool) -> None:
    if json:
        print_json(document)
    else:
        out.print(line, soft_wrap=True)


class ExperimentActions(ActionGroup):
    """Commands that change an experiment."""

    title = "experiment"
    actions: ClassVar = {
        "add": add,
        "rename": rename,
        "tag": tag,
        "archive": archive,
        "restore": restore,
        "delete": delete,
    }


@made_as(ExperimentActions)
def experiment() -> None:
    """Add players to an experiment, or rename, tag, archive or delete it."""
