"""`ostrom publish`: some experiments as a static site."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from ostrom.core import InputError
from ostrom.core.text import number_of
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import out, print_json
from ostrom.web.publish import SiteRequest
from ostrom.web.publish import publish as write_site


def publish(
    experiments: Annotated[list[str], typer.Argument(metavar="EXPERIMENT...", help="By id or name.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="SITE", help="The folder to write; an earlier site there goes.")
    ],
    title: Annotated[
        str | None, typer.Option(help="What the site is called; by default, the name of the first experiment.")
    ] = None,
    description: Annotated[
        str | None, typer.Option(help="What previews of links say; by default, how many games, and who leads.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the site will lie, for the pictures of link previews.")
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Write experiments as a static site: leaderboard, charts, replays, messages, method and tables."""
    if url is not None and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc):
        raise InputError(f"--url must be an address such as https://example.org/study, got {url!r}")
    with open_journal(store) as journal:
        ids = list(dict.fromkeys(journal.experiment_id(name) for name in experiments))
        wanted = SiteRequest(ids, title or _name(journal, ids[0]), description, url)
        total = sum(row.state != "playing" for name in ids for row in journal.games(name))
        with games_bar("games", total) as advance:
            made = write_site(journal, wanted, output, advance)
    if json:
        print_json({"publish": {**made._asdict(), "page": str(made.page)}})
        return
    games = number_of(made.games, "game")
    out.print(f"{games} in {number_of(made.files, 'file')}, {made.size / 1e6:,.1f} MB: open {made.page}")


def _name(journal: Journal, experiment: str) -> str:
    return next(row.name for row in journal.experiments() if row.id == experiment) or experiment
