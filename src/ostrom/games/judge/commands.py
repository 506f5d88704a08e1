"""`ostrom quotes`: the most striking lines of games, as judges picked them; or what judges took for promises, beside
what a pattern finds. A judge is asked about each game once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Annotated, Any

import typer

from ostrom.core import GameChance, InputError
from ostrom.core.command import at_store
from ostrom.core.errors import spell_fields
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game, make_rules
from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE, lines_of
from ostrom.experiment.match import Fixture
from ostrom.experiment.store import check_models
from ostrom.games.judge.promises import PROMISES
from ostrom.games.judge.quotes import QUOTES
from ostrom.games.judge.readings import agreements, judged_messages, judged_promises, promise_tables
from ostrom.games.judge.readings import quotes as picked_quotes
from ostrom.games.judge.readings import unread as unread_games
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.overview import GameRow
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files, bot_of_model, load_bot
from ostrom.players.roster import ModelContestant, description
from ostrom.terminal import options as opt
from ostrom.terminal.console import budget_word, conducted, confirm_keys
from ostrom.terminal.settings import as_option
from ostrom.terminal.sheets import Column, Sheet, out, print_json

_LISTED = ("player", "rating", "game", "round", "judge", "text")
_SHOWN = 5
"""Quotes of a player in the table, unless more are asked for."""


@opt.with_limits()
def quotes(
    context: typer.Context,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL|BOT", help="The model that reads every game it has not read yet.")
    ] = None,
    promises: Annotated[
        bool, typer.Option("--promises", help="Judge which lines promise a contribution, instead of listing quotes.")
    ] = False,
    experiment: Annotated[
        str | None, typer.Option(metavar="EXPERIMENT", help="Only messages of this experiment's games.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Read at most this many games now.", min=1)] = None,
    limit: Annotated[int | None, typer.Option(help="Quotes of each player. \\[table: 5, JSON: all]", min=1)] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """List the most striking lines that players said, best first, after a judge has read what is new."""
    if judge is None:
        for option in (*opt.LIMIT_OPTIONS, "games"):
            if opt.given(context, option):
                raise InputError(f"--{option.replace('_', '-')} is for a judge; name one with --judge MODEL")
    if promises and limit is not None:
        raise InputError("--limit is for quotes; leave it out with --promises")
    with open_journal(store) as journal:
        if judge is not None:
            _read(context, journal, PROMISES if promises else QUOTES, judge)
        if promises:
            _list_promises(journal, experiment, json=json)
        else:
            _list_quotes(journal, experiment, limit, json=json)


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Say how to go on with what a judge reads: by asking the same judge again."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    promises = " --promises" if row.kind == PROMISES.command else ""
    at = at_store(printable_url(context.params["store"]))
    raise InputError(f"{experiment} is a judge's reading; resume it with: ostrom quotes{promises} --judge JUDGE{at}")


def judge_of(name: str, game: Game) -> Contestant:
    """The judge that a user means: a bot by its name or its file, or a model."""
    known = name in bot_files() or name.endswith(".json") or ":" not in name
    bot = load_bot(name) if known else bot_of_model(name)
    if bot.grammar:
        raise InputError(f"{name} cannot judge: its bot file sets a grammar, and a judge's answers have none")
    return ModelContestant(bot, game.name)


@dataclass(frozen=True)
class Judging:
    """One judge and what it is to read. A judge that is described otherwise, or reads by other rules, is another one;
    what there is to read may grow."""

    kind: Game
    """What it reads for: quotes or promises."""
    judge: Contestant
    rules: Any
    """Without source and lines, which each game brings."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides how it reads, as plain data."""
        rules = self.rules.model_dump(mode="json", exclude={"source", "lines"})
        return {"game": self.kind.name, "judge": description(self.judge), "rules": rules}

    def experiment(self, journal: Journal, *, create: bool = True) -> str | None:
        """The experiment that holds its readings: the one that is there, or a new one."""
        for row in journal.experiments():
            if row.kind == self.kind.command and row.settings == self.settings:
                return row.id
        name = f"{self.kind.command} by {self.judge.name}"
        return journal.new_experiment(name, kind=self.kind.command, settings=self.settings) if create else None

    def unread(self, journal: Journal, experiment: str | None, sources: Sequence[GameRow]) -> list[GameRow]:
        """Those of the games that it has not read to the end."""
        read = {row.key for row in journal.games(experiment) if row.state != "playing"} if experiment else set()
        return [row for row in sources if row.id not in read]

    def fixtures(self, journal: Journal, sources: Sequence[GameRow]) -> Iterator[Fixture]:
        """A reading of each game in which something was said, made when it is its turn."""
        for row in sources:
            if lines := lines_of(journal.record(row.id).events):
                rules = make_rules(self.kind, {**self.settings["rules"], "source": row.id, "lines": lines})
                # A reading draws no chance.
                yield Fixture(row.id, self.kind, rules, [self.judge], GameChance(0, 0))


def judging_of(kind: Game, judge: Contestant, **rules: Any) -> Judging:
    """How a judge reads, with these rules or the usual ones."""
    return Judging(kind, judge, make_rules(kind, rules))


def speaking_games(journal: Journal, experiment: str | None = None) -> list[GameRow]:
    """The finished games of an experiment, or all, of those kinds in which seats speak."""
    finished = (row for row in journal.games(experiment) if row.state == "finished")
    return [row for row in finished if row.game in GAMES and MESSAGE in GAMES[row.game].events]


def _read(context: typer.Context, journal: Journal, kind: Game, name: str) -> None:
    """Let the judge read what it has not read, and say where it was stopped."""
    judge = judge_of(name, kind)
    limits = opt.limits(context)
    sources = speaking_games(journal, context.params["experiment"])
    if not sources:
        where = context.params["experiment"] or f"the journal {journal.label}"
        raise InputError(f"{where} holds no finished game in which players speak; 'ostrom bench punish' plays some")
    judging = judging_of(kind, judge)
    unread = judging.unread(journal, judging.experiment(journal, create=False), sources)
    readings = judging.fixtures(journal, unread)
    first = next(readings, None)
    if first is None:
        if len(unread) == len(sources):
            raise InputError(f"no player said anything in {len(sources):,} games, so there is nothing to read")
        return
    confirm_keys([judge])
    check_models([judge], limits)
    experiment = judging.experiment(journal)
    assert experiment is not None
    most = context.params["games"] or len(unread)
    planned = len(journal.games(experiment)) + min(most, len(unread))
    journal.patience.told = complain
    outcome = conducted(islice(chain([first], readings), most), journal, experiment, limits, planned)
    for model, reason in outcome.unavailable.items():
        complain(f"{model} is unavailable: {reason}")
    for game, reason in list(outcome.faulted.items())[:5]:
        complain(f"the reading of {game} could not continue: {reason}")
    for reason in (*outcome.reached, *([outcome.pausing] if outcome.pausing else [])):
        complain(spell_fields(reason, as_option))
    if outcome.stopped or outcome.unfinished:
        spent = outcome.stopped == "budget"
        why = budget_word(journal, experiment, limits) if spent else "not everything was read"
        more = " with a larger budget" if spent else ""
        read = sum(row.state != "playing" for row in journal.games(experiment))
        complain(f"{why}; {read:,} readings are finished. Run the same command{more} to continue")
        raise typer.Exit(1)


def _list_quotes(journal: Journal, experiment: str | None, limit: int | None, *, json: bool) -> None:
    table, read = picked_quotes(journal, experiment), unread_games(journal, experiment)
    most = limit if limit is not None or json else _SHOWN
    shown = table if most is None else table.group_by("player", maintain_order=True).head(most)
    names = journal.names.known()
    if json:
        told = [{**row, "name": names.of(row["player"])} for row in shown.to_dicts()]
        print_json({"quotes": told, "judges": read.to_dicts()})
        return
    if not read.height:
        out.print("No game has been read for quotes yet; ostrom quotes --judge MODEL has a model read them.")
        return
    rows: list[Sequence[str]] = [
        [names.of(player), str(rating), game, str(round_), judge, _on_one_line(text)]
        for player, rating, game, round_, judge, text in shown.select(*_LISTED).iter_rows()
    ]
    columns = [
        Column("player"),
        Column("rating", number=True),
        Column("game"),
        Column("round", number=True, spare=1),
        Column("judge", spare=2),
        Column("what it said", wraps=True),
    ]
    left = f" {table.height - len(rows):,} more with --limit." if table.height > len(rows) else ""
    readers = ", ".join(_reader(**row) for row in read.to_dicts())
    out.print(Sheet("Quotes, best first", columns, rows, caption=f"Read by {readers}.{left}"))
    out.print("ostrom show GAME tells the game in which a line was said.", style="dim")


def _reader(judge: str, games: int, defaulted: int, portions: int) -> str:
    silent = f", with no answer to {defaulted:,} of {portions:,} questions" if defaulted else ""
    return f"{judge} ({games:,} {'game' if games == 1 else 'games'}{silent})"


def _on_one_line(text: str) -> str:
    return f"“{' '.join(text.split())}”"


def _list_promises(journal: Journal, experiment: str | None, *, json: bool) -> None:
    judged = judged_messages(journal, experiment)
    tables = promise_tables(journal, experiment) if judged.height else []
    found = [one for of_game in tables for one in agreements(of_game, judged)]
    if json:
        judges = dict.fromkeys(one.judge for one in found)
        promised = [{"judge": name, **row} for name in judges for row in judged_promises(judged, name).to_dicts()]
        print_json({"quotes": [], "promises": promised, "agreement": [one.as_record() for one in found]})
        return
    if not found:
        out.print("No game has been read for promises yet; ostrom quotes --promises --judge MODEL has a model do it.")
        return
    counts = {"messages": 0, "both": 4, "pattern only": 5, "judge only": 6, "neither": 7, "not judged": 1}
    figures = {"agreement": 2, "κ": 0, "same amount": 3}
    columns = [Column("judge"), *(Column(name, number=True, spare=rank) for name, rank in (counts | figures).items())]
    rows: list[Sequence[str]] = [
        [
            one.judge,
            *(f"{n:,}" for n in (one.messages, one.both, one.pattern_only, one.judge_only, one.neither, one.unjudged)),
            *(_figure(estimate) for estimate in (one.agreement, one.kappa, one.amount_agreement)),
        ]
        for one in found
    ]
    caption = "Messages in which pattern and judge found a promise. κ is Cohen's; intervals are over games."
    out.print(Sheet("Promises: the pattern and the judge", columns, rows, caption=caption))


def _figure(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return _rounded(estimate.value)
    return f"{_rounded(estimate.value)} ({_rounded(estimate.low)} to {_rounded(estimate.high)})"


def _rounded(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # no minus before a zero
