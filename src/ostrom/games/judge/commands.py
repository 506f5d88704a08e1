"""The verb `quotes`. It lists the most striking lines of games according to judges. It can also list the promises that
judges found, and compare them with the promises that a text pattern finds. A judge is asked about each game once."""

from collections.abc import Sequence
from typing import Annotated, Final

import polars as pl
import typer
from pydantic import Field

from ostrom.core import InputError
from ostrom.core.command import at_store
from ostrom.core.errors import field
from ostrom.core.finding import Column, Finding, Row, Table, decimals, number
from ostrom.core.game import Game
from ostrom.core.settings import Display, Settings, excludes, requires
from ostrom.core.text import number_of
from ostrom.core.verb import verb
from ostrom.experiment.limits import Limits
from ostrom.experiment.store import PlanRunner
from ostrom.games.judge.promises import PROMISES
from ostrom.games.judge.quotes import QUOTES
from ostrom.games.judge.readings import agreements, judged_messages, judged_promises, promise_tables
from ostrom.games.judge.readings import quotes as picked_quotes
from ostrom.games.judge.readings import unread as unread_games
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.terminal.judging import judge_of, judging_of, read, speaking_games

QUOTES_SHOWN: Final = 5
"""The number of quotes of each player that the printed table shows by default."""


class QuotesSettings(Settings):
    """Settings of the command `quotes`."""

    judge: Annotated[str | None, Display(form="MODEL|BOT")] = Field(
        None, description="The model that reads every game that it has not read yet."
    )
    promises: bool = Field(False, description="Judge which lines promise a contribution, instead of listing quotes.")
    experiment: Annotated[str | None, Display(form="EXPERIMENT")] = Field(
        None, description="Only messages of this experiment's games."
    )
    games: int | None = Field(None, ge=1, description="Read at most this many games now.")
    limit: Annotated[int | None, Display(default="5 in the table, all in JSON")] = Field(
        None, ge=1, description="Number of quotes of each player."
    )
    relations = (requires("games", "judge"), excludes("limit", "promises"))


@verb("quotes", keeps=False, group="analyse")
def quotes(store: str | None, settings: QuotesSettings, runner: PlanRunner, limits: Limits | None = None) -> Finding:
    """List the most striking lines that players said, best first, after a judge has read new games."""
    if settings.judge is None and limits is not None:
        raise InputError(f"{limits.first_set} is for a judge; name one with {field('judge', 'MODEL')}")
    with open_journal(store) as journal:
        if settings.judge is not None:
            kind = PROMISES if settings.promises else QUOTES
            _read(journal, kind, judge_of(settings.judge, kind), settings, runner, limits or Limits())
        if settings.promises:
            return describe_promises(journal, settings.experiment)
        return describe_quotes(journal, settings.experiment, settings.limit)


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Raise InputError, since readings are not resumed by `ostrom resume`. The error names the command that continues
    the reading by asking the same judge again."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    promises = " --promises" if row.kind == PROMISES.command else ""
    at = at_store(printable_url(context.params["store"]))
    raise InputError(f"{experiment} is a judge's reading; resume it with: ostrom quotes{promises} --judge JUDGE{at}")


def _read(
    journal: Journal, kind: Game, judge: Contestant, settings: QuotesSettings, runner: PlanRunner, limits: Limits
) -> None:
    """Let the judge read the games that it has not read yet."""
    sources = speaking_games(journal, settings.experiment)
    if not sources:
        where = settings.experiment or f"the journal {journal.label}"
        raise InputError(f"{where} has no finished game in which players speak; 'ostrom bench punish' plays some")
    read(journal, judging_of(kind, judge), sources, runner, limits, settings.games)


def describe_quotes(journal: Journal, experiment: str | None = None, limit: int | None = None) -> Finding:
    """Return at most this many quotes of each player, and how much each judge has read."""
    picked, judges = picked_quotes(journal, experiment), unread_games(journal, experiment)
    names = journal.names.known()
    rows = [{**row, "name": names.of(row["player"])} for row in _first_of_each(picked, limit).to_dicts()]
    shown = _first_of_each(picked, limit or QUOTES_SHOWN).to_dicts()
    missing = "No game has been read for quotes yet; ostrom quotes --judge MODEL has a model read them."
    tables = [
        Table("quotes", [Column(name) for name in (*picked.columns, "name")], rows, title="Quotes", on_terminal=False),
        Table("judges", [Column(name) for name in judges.columns], judges.to_dicts(), on_terminal=False),
    ]
    if judges.height:
        hidden = picked.height - len(shown)
        more = f" {hidden:,} more are shown with --limit." if hidden else ""
        caption = f"Read by {', '.join(map(_reader, judges.to_dicts()))}.{more}"
        tables.append(_quotes_for_people([{**row, "speaker": names.of(row["player"])} for row in shown], caption))
    return Finding("quotes", "Quotes", {}, tables, sentences=() if judges.height else (missing,), result=picked)


def _first_of_each(quotes: pl.DataFrame, limit: int | None) -> pl.DataFrame:
    return quotes if limit is None else quotes.group_by("player", maintain_order=True).head(limit)


def _quotes_for_people(rows: Sequence[Row], caption: str) -> Table:
    columns = [
        Column("speaker", "player"),
        number("rating", "rating"),
        Column("game", "game"),
        number("round", "round", spare=1),
        Column("judge", "judge", spare=2),
        Column("text", "what it said", wraps=True, cell=_text_on_one_line),
    ]
    return Table(
        "quotes_for_people",
        columns,
        rows,
        title="Quotes, best first",
        caption=caption,
        notes=["ostrom show GAME tells the game in which a line was said."],
        in_json=False,
        in_journal=False,
    )


def _reader(judge: Row) -> str:
    silent = f", with no answer to {judge['defaulted']:,} of {judge['portions']:,} questions"
    return f"{judge['judge']} ({number_of(judge['games'], 'game')}{silent if judge['defaulted'] else ''})"


def _text_on_one_line(row: Row) -> str:
    return f"“{' '.join(row['text'].split())}”"


def describe_promises(journal: Journal, experiment: str | None = None) -> Finding:
    """Return the finding with the promises that judges found and the agreement of each judge with the text pattern."""
    judged = judged_messages(journal, experiment)
    tables = promise_tables(journal, experiment) if judged.height else []
    results = [agreement for table in tables for agreement in agreements(table, judged)]
    judges = dict.fromkeys(agreement.judge for agreement in results)
    promises = [{"judge": name, **row} for name in judges for row in judged_promises(judged, name).to_dicts()]
    missing = "No game has been read for promises yet; ostrom quotes --promises --judge MODEL has a model do it."
    columns = [
        Column("judge", "judge"),
        number("games"),
        number("messages", "messages"),
        number("both", "both", spare=4),
        number("pattern_only", "pattern only", spare=5),
        number("judge_only", "judge only", spare=6),
        number("neither", "neither", spare=7),
        number("unjudged", "not judged", spare=1),
        number("same_amount"),
        number("agreement", "agreement", decimals(2), spare=2, interval="brackets"),
        number("kappa", "κ", decimals(2), interval="brackets"),
        number("amount_agreement", "same amount", decimals(2), spare=3, interval="brackets"),
    ]
    agreement = Table(
        "agreement",
        columns,
        [{column.name: getattr(result, column.name) for column in columns} for result in results],
        title="Promises: the pattern and the judge",
        caption="Messages in which pattern and judge found a promise. κ is Cohen's; intervals are over games.",
        on_terminal=bool(results),
    )
    return Finding(
        verb="quotes",
        title="Promises",
        facts={"quotes": [], "promises": promises},
        parts=[agreement],
        sentences=() if results else (missing,),
        result=results,
    )
