"""The verb `collusion`. It tests in each double auction of a journal whether two seats of one side quoted alike beyond
competition, more than competitive traders with the same private values do."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from ostrom.analysis.selection import counted_games
from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError
from ostrom.core.errors import field as setting
from ostrom.core.estimates import Estimate, proportion
from ostrom.core.finding import MISSING, Column, Finding, Row, Table, decimals, number, share
from ostrom.core.settings import Display, Settings, requires
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.limits import Limits
from ostrom.experiment.store import PlanRunner
from ostrom.games.market.commands.cartel_talk import read_markets, talk_tables
from ostrom.games.market.commands.competition import competitive_games
from ostrom.games.market.double_auction import DOUBLE_AUCTION, DoubleAuctionRules
from ostrom.games.market.double_auction.parallel import (
    MIN_ROUNDS,
    Judgement,
    Parallel,
    judge,
    parallel,
    pool,
    quotes_of,
)
from ostrom.games.market.double_auction.rules import market_labels
from ostrom.journal.open import open_journal
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal

MAX_SHOWN_GAMES: Final = 20
"""The number of games that the printed table shows."""
CLAIM: Final = (
    "A flag says that two seats of one side quoted almost the same prices, worse for the other side than all "
    "competitive prices, more closely or more at the same time than in games of zero-intelligence, ZIP, GD, truthful "
    "and mixed traders with the same values. It does not show an agreement, an intention or a loss. Players that "
    "reason alike can be flagged, and a cartel that quotes at different prices is missed."
)
DESCRIPTION: Final = (
    "The shares with and without messages only describe these games. They differ in seats, prompts and players, so "
    "their difference is not an effect of messages."
)


class CollusionSettings(Settings):
    """Settings of the command `collusion`."""

    experiment: Annotated[str | None, Display(form="EXPERIMENT", positional=True)] = Field(
        None, description="Only this experiment's games, by id or name; by default, those of all experiments."
    )
    simulations: int = Field(
        99,
        ge=19,
        le=10_000,
        description="Number of competitive games of each population with which a game is compared.",
    )
    level: float = Field(
        0.05, gt=0, lt=1, description="Flag games whose p-value is at most this. It bounds the rate of false alarms."
    )
    seed: int | None = Field(None, description="Seed of the competitive games; drawn and shown if omitted.")
    judge: Annotated[str | None, Display(form="MODEL|BOT")] = Field(
        None, description="The model that reads the messages of each side of every game that it has not read yet."
    )
    games: int | None = Field(None, ge=1, description="Let the judge read at most this many games now.")
    planted: Annotated[str | None, Display(form="NAME")] = Field(
        None, description="A player whose sides are planted cartels; measures the judges' errors against it."
    )
    relations = (requires("games", "judge"),)


@dataclass(frozen=True)
class CollusionTest:
    """A game and the result of its test."""

    game: str
    experiment: str
    traders: int
    """The number of seats of a side."""
    rounds: int
    messages: bool
    observed: Parallel | None
    """The statistics; None if a side has only one seat or the game has too few rounds."""
    judgement: Judgement | None
    pair: str
    """The players with the most parallel quotes, with their labels."""
    players: tuple[str, ...] = ()
    """The names of the players in the order of their seats."""
    reference: Mapping[str, Sequence[Parallel]] = field(default_factory=dict, repr=False)
    """The competitive games of each population with which the game was compared."""

    def flagged(self, level: float) -> bool:
        """Return whether the p-value is at most the level."""
        return self.judgement is not None and self.judgement.p <= level


@verb("collusion", keeps=False, group="analyse")
def collusion(
    store: str | None,
    settings: CollusionSettings,
    runner: PlanRunner | None = None,
    limits: Limits | None = None,
    reporter: Reporter = SILENT,
) -> Finding:
    """Test double auctions for parallel quotes beyond competition, against competitive traders with the same values,
    and have a judge read what each side wrote."""
    if settings.judge is None and limits is not None:
        raise InputError(f"{limits.first_set} is for a judge; name one with {setting('judge', 'MODEL')}")
    least = 1 / (1 + settings.simulations)
    if settings.level < least:
        raise InputError(
            f"with {settings.simulations} simulations no p-value is below {least:.3g}; "
            "choose more simulations or a higher level"
        )
    seed = seed_or_random(settings.seed)
    with open_journal(store) as journal:
        records = list(_records(journal, settings.experiment))
        names = journal.names.known()
        if not records:
            where = settings.experiment or f"the journal {journal.label}"
            raise InputError(f"{where} has no finished double auction; 'ostrom bench double-auction' plays some")
        with reporter.bar("games", len(records)) as advance:
            tested = []
            for game, experiment, record in records:
                tested.append(_test(game, experiment, record, settings.simulations, seed, names.of))
                advance()
        if settings.judge is not None:
            assert runner is not None, "a judge needs a runner"
            read_markets(journal, settings.judge, settings.experiment, runner, limits or Limits(), settings.games)
        talk = talk_tables(journal, settings.experiment, settings.planted)
    return describe(tested, settings, seed, talk)


def _records(journal: Journal, experiment: str | None) -> Iterator[tuple[str, str, GameRecord]]:
    counted = counted_games(journal, experiment, None)
    for kept in journal.records(experiment):
        if kept.record.game == DOUBLE_AUCTION.name and (counted is None or kept.game in counted):
            yield kept.game, kept.experiment, kept.record


def _test(
    game: str, experiment: str, record: GameRecord, simulations: int, seed: int, name_of: Callable[[str], str]
) -> CollusionTest:
    rules = DoubleAuctionRules.model_validate(record.rules)
    quotes, values = quotes_of(record.events)
    traders, rounds = len(values) // 2, len(quotes)
    observed, judgement, pair = None, None, MISSING
    reference: Mapping[str, Sequence[Parallel]] = {}
    if traders > 1 and rounds >= MIN_ROUNDS:
        observed = parallel(quotes, values, rules.max_price)
        played = rules.model_copy(update={"rounds": rounds, "continuation": 1.0})
        # Each game has competitive games of its own, so that games are independent.
        reference = competitive_games(played, values, simulations, seed, game)
        judgement = judge(observed, reference)
        if observed.level > 0 or observed.timing > 0:
            labels = market_labels(len(values))
            pair = " and ".join(f"{labels[seat]} {name_of(record.seats[seat].player)}" for seat in observed.pair)
    players = tuple(name_of(seat.player) for seat in record.seats)
    talks = rules.messages != "none"
    return CollusionTest(game, experiment, traders, rounds, talks, observed, judgement, pair, players, reference)


def describe(
    tested: Sequence[CollusionTest], settings: CollusionSettings, seed: int, talk: Sequence[Table] = ()
) -> Finding:
    """Return the finding of tested games: the share of flagged games with and without messages, and every game."""
    level = settings.level
    counted = [one for one in tested if one.judgement is not None]
    flagged = sum(one.flagged(level) for one in counted)
    left_out = len(tested) - len(counted)
    sentences = [
        f"{number_of(flagged, 'game')} of {len(counted):,} flagged at the level {level:g}. If such "
        f"competitive traders played all games, at most {level * len(counted):,.3g} would be expected.",
        CLAIM,
    ]
    if left_out:
        sentences.append(
            f"{number_of(left_out, 'game')} not tested: a test needs two seats on each side and {MIN_ROUNDS} rounds."
        )
    if len({one.messages for one in counted}) > 1:
        sentences.append(DESCRIPTION)
    return Finding(
        verb="collusion",
        title="Parallel quotes beyond competition",
        facts={
            **{"seed": seed, "level": level, "simulations": settings.simulations, "games": len(tested)},
            **{"tested": len(counted), "flagged": flagged, "claim": CLAIM},
        },
        parts=[
            _groups_table(counted, level),
            *pooled_tables(counted, level),
            *_games_tables(counted, level),
            *talk,
        ],
        sentences=sentences,
        seed=seed,
        settings={"level": level, "simulations": settings.simulations},
        result=list(tested),
    )


def pooled_tables(tested: Sequence[CollusionTest], level: float) -> list[Table]:
    """Return the verdicts on several games together: on all games of an experiment, and on those of the same players if
    an experiment has several groups of players. There is no table without such games."""
    groups: dict[tuple[str, str], list[CollusionTest]] = {}
    for one in tested:
        counts = Counter(one.players)
        names = ", ".join(f"{number} × {name}" if number > 1 else name for name, number in sorted(counts.items()))
        groups.setdefault((one.experiment, "all games"), []).append(one)
        groups.setdefault((one.experiment, names), []).append(one)
    line_ups = Counter(experiment for experiment, names in groups if names != "all games")
    rows = []
    for (experiment, names), games in groups.items():
        if len(games) < 2 or (names == "all games" and line_ups[experiment] == 1):
            continue
        pooled = pool([one.observed for one in games if one.observed is not None], [one.reference for one in games])
        flagged = "yes" if pooled.p <= level else "no"
        rows.append(
            {"experiment": experiment, "players": names, "games": len(games), "p": pooled.p, "flagged": flagged}
        )
    columns = [
        Column("experiment", "experiment", spare=1),
        Column("players", "players", wraps=True),
        number("games", "games"),
        number("p", "p", decimals(3)),
        Column("flagged", "flagged"),
    ]
    caption = (
        "One verdict on all games of a row, which finds weaker cartels than a verdict on one game. It counts on the "
        "same players in all games, or on players that do not change with the game."
    )
    return [Table("pooled", columns, rows, title="Several games together", caption=caption)] if rows else []


def _groups_table(tested: Sequence[CollusionTest], level: float) -> Table:
    groups = {
        "without messages": [one for one in tested if not one.messages],
        "with messages": [one for one in tested if one.messages],
        "all": list(tested),
    }
    rows = [
        {"group": name, "tested": len(games), "flagged_share": _share_of_flagged(games, level)}
        for name, games in groups.items()
        if games
    ]
    columns = [
        Column("group", "games"),
        number("tested", "tested"),
        number("flagged_share", "flagged", share(), interval="brackets"),
    ]
    return Table(
        "groups",
        columns,
        rows,
        title="Flagged games",
        caption=f"Games with a p-value of at most {level:g}; the intervals are Wilson's.",
    )


def _share_of_flagged(games: Sequence[CollusionTest], level: float) -> Estimate:
    return proportion(sum(one.flagged(level) for one in games) / len(games), len(games))


def _games_tables(tested: Sequence[CollusionTest], level: float) -> list[Table]:
    """Return the table of all games for programs, and that of the smallest p-values for people."""
    ordered = sorted(tested, key=_p_value)
    columns = [
        Column("game", "game"),
        Column("experiment"),
        number("traders", "a side", spare=5),
        number("rounds", "rounds", spare=4),
        Column("messages", "messages", spare=6),
        number("level", "level", decimals(2), spare=2),
        number("timing", "timing", decimals(2), spare=3),
        number("p_level"),
        number("p_timing"),
        number("p", "p", decimals(3)),
        Column("flagged", "flagged"),
        Column("pair", "most parallel", spare=1, wraps=True),
    ]
    rows = [_row(one, level) for one in ordered]
    more = f" The {MAX_SHOWN_GAMES} games with the smallest p-values are shown." if len(rows) > MAX_SHOWN_GAMES else ""
    caption = f"Level and timing of parallel quotes; p is the p-value of both together.{more}"
    return [
        Table("tested_games", columns, rows, title="Games", on_terminal=False),
        Table(
            "games_for_people",
            columns,
            rows[:MAX_SHOWN_GAMES],
            title="Games, smallest p-value first",
            caption=caption,
            in_json=False,
            in_journal=False,
        ),
    ]


def _p_value(one: CollusionTest) -> float:
    return 1.0 if one.judgement is None else one.judgement.p


def _row(one: CollusionTest, level: float) -> Row:
    assert one.observed is not None
    assert one.judgement is not None
    return {
        **{"game": one.game, "experiment": one.experiment, "traders": one.traders, "rounds": one.rounds},
        **{"messages": "yes" if one.messages else "no", "pair": one.pair},
        **{"level": one.observed.level, "timing": one.observed.timing},
        **{"p_level": one.judgement.level, "p_timing": one.judgement.timing, "p": one.judgement.p},
        "flagged": "yes" if one.flagged(level) else "no",
    }
