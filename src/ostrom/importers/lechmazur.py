"""Imports the public markets of BAZAAR, PACT and emergent_collusion, which share one format. The games of PACT, which
have one buyer and one seller, are games of bargaining, the others double auctions. Every game is replayed by Ostrom's
rules from its recorded values, messages and quotes. Trades, prices, payoffs and the surplus of the log are compared
with the replay, and a game is stored only if all of them are equal. A log has one JSON object per line, distinguished
by `type`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from ostrom.core import LoggedChance, OstromError, Provenance, RecordError
from ostrom.core.game import Game
from ostrom.core.outlets import complain
from ostrom.core.text import number_of
from ostrom.experiment import Match, make_rules, play_match
from ostrom.experiment.store import keep
from ostrom.games.market.bargaining import BARGAINING
from ostrom.games.market.double_auction import DOUBLE_AUCTION, DoubleAuctionRules
from ostrom.games.market.double_auction.events import MarketCleared, MarketClosed, MarketLogged
from ostrom.games.market.double_auction.play import HALF, QUOTE, TIES
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import potential_gains, regrets_of
from ostrom.games.market.talk import MESSAGE, SPEAKING
from ostrom.games.market.values import by_side, efficient_surplus
from ostrom.importers import (
    UNEXPECTED,
    ImportReport,
    Name,
    check_names,
    experiment_of,
    files_in,
    print_report,
    read_typed_lines,
    recognised_files,
    unreadable,
)
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.players.base import ReplayContestant
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "lechmazur"
SOURCES: Final = "the logs of BAZAAR, PACT or emergent_collusion"
MAX_WORDS: Final = 100
"""The largest number of words in a message that the page of PACT names. No message is longer than 42 words."""
TOLERANCE: Final = 1e-9
"""The largest difference between two equal shares, which are computed in different orders."""
_RECIPIENTS: Final = {"all_traders": "all", "all_buyers": "buyers", "all_sellers": "sellers"}
_REQUIRED_FIELDS: Final = {
    "conversation": ("round", "player_id", "recipient_id", "message"),
    "bid_ask": ("round", "agent_id", "price"),
    "trade": ("round", "buyer_id", "seller_id", "bid", "ask", "cleared_price", "clearing_random_pick"),
    "round_end": ("round", "data"),
    "final": ("data",),
}


@dataclass(frozen=True)
class MarketLog:
    """The log of one game. Seats are ordered as B1, B2 and so on, then S1, S2 and so on."""

    path: Path
    game_id: str
    schema_version: str
    setup: Mapping[str, Any]
    seats: Mapping[str, int]
    """The seat of each trader, by its id."""
    players: tuple[str, ...]
    """The model or the algorithm at each seat."""
    values: tuple[float, ...]
    rows: tuple[Mapping[str, Any], ...]
    """All lines of the log after the first."""

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the lines of one type, in order."""
        return [row for row in self.rows if row["type"] == kind]

    def by_seat(self, figures: Mapping[str, float]) -> list[float]:
        """Return figures by trader in the order of the seats."""
        return [float(figures[trader]) for trader in self.seats]


class MarketMismatch(NamedTuple):
    """A difference between a log and Ostrom's rules."""

    file: str
    round: int | None
    what: str

    def __str__(self) -> str:
        place = self.file if self.round is None else f"{self.file}, round {self.round}"
        return f"{place}: {self.what}"


def read_log(path: Path) -> MarketLog:
    """Read the log of a finished game; raise `RecordError` with the line and the reason if it is not complete."""
    return _validate(path, read_typed_lines(path, "a market", _REQUIRED_FIELDS))


def _validate(path: Path, rows: Sequence[Mapping[str, Any]]) -> MarketLog:
    first, setup = rows[0], rows[0].get("data")
    agents = setup.get("agents") if isinstance(setup, dict) else None
    if not isinstance(setup, dict) or not isinstance(agents, dict) or not agents:
        raise RecordError(f"{path.name}: line 1: init lacks data with agents; this is no log of a market")
    game_id = str(first.get("game_id", path.stem))
    traders = sorted(agents, key=lambda trader: (agents[trader]["role"], int(trader[1:])))
    players = tuple(str(agents[trader]["model_name"]) for trader in traders)
    check_names(path, game_id, *players)
    roles = [agents[trader]["role"] for trader in traders]
    if tuple(roles) != market_roles(len(traders)):
        raise RecordError(f"{path.name}: line 1: the market does not have as many buyers as sellers")
    values = tuple(
        float(agents[trader]["valuation" if agents[trader]["role"] == "buyer" else "cost"]) for trader in traders
    )
    log = MarketLog(
        path=path,
        game_id=game_id,
        schema_version=str(first.get("schema_version", "")),
        setup=setup,
        seats={trader: seat for seat, trader in enumerate(traders)},
        players=players,
        values=values,
        rows=tuple(rows[1:]),
    )
    for row in log.rows:
        for name in ("player_id", "agent_id", "buyer_id", "seller_id"):
            if name in row and row[name] not in log.seats:
                raise RecordError(f"{path.name}: round {row.get('round')}: {row['type']} names no trader of the game")
    return log


def game_of_log(log: MarketLog) -> Game:
    """Return the game of a log: a market of one buyer and one seller is bargaining."""
    return BARGAINING if len(log.seats) == 2 else DOUBLE_AUCTION


def rules_of_log(log: MarketLog) -> DoubleAuctionRules:
    """Return the rules of a logged game. They are the same for all games of a source, so that these can be pooled: the
    private values and the name of their distribution are facts of the game."""
    speaks = bool(log.setup.get("communication_enabled"))
    longest = max((len(row["message"].split()) for row in log.of("conversation")), default=0)
    settings: dict[str, Any] = {
        "rounds": log.setup["num_rounds"],
        "values": "mixed",
        # With one seat on each side, a message to the other seat is a message to all.
        "messages": "none" if not speaks else "all" if len(log.seats) == 2 else "addressed",
        "talk": "in-turn" if len(log.seats) == 2 else "at-once",
        "message_words": max(MAX_WORDS, longest),
    }
    rules: DoubleAuctionRules = make_rules(game_of_log(log), settings)
    return rules


def facts_of_log(log: MarketLog) -> dict[str, Any]:
    """Return what the log says besides the moves: the private values, the log's name for their distribution, the seats
    of algorithms, and the conditional surplus alpha of each seat."""
    agents, scores = log.setup["agents"], log.of("final")[-1]["data"].get("seat_csa_map") or {}
    logged = MarketLogged(
        id=log.game_id,
        schema_version=log.schema_version,
        algorithms=[seat for trader, seat in log.seats.items() if not agents[trader].get("is_llm", True)],
        csa=[scores.get(trader) for trader in log.seats],
    )
    distribution = str(log.setup.get("distribution", "unknown"))
    return {"values": list(log.values), "distribution": distribution, "logged": logged}


def _answers(log: MarketLog, rules: DoubleAuctionRules) -> dict[tuple[int, str, int], Any]:
    """Return every seat's answers. A missing message counts as silence."""
    addressed = rules.messages == "addressed"
    silence = {"to": "all", "text": ""} if addressed else ""
    answers: dict[tuple[int, str, int], Any] = {
        (round_, MESSAGE, seat): silence for round_ in range(1, rules.rounds + 1) for seat in log.seats.values()
    }
    for row in log.of("conversation"):
        to = row["recipient_id"]
        recipient = _RECIPIENTS[to] if to in _RECIPIENTS else log.seats[to]
        message = {"to": recipient, "text": row["message"]} if addressed else row["message"]
        answers[row["round"], MESSAGE, log.seats[row["player_id"]]] = message
    for row in log.of("bid_ask"):
        answers[row["round"], QUOTE, log.seats[row["agent_id"]]] = _whole(row["price"])
    return answers


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise ValueError(f"{value!r} is not a whole number")
    return int(value)


def _orders(log: MarketLog) -> dict[tuple[str, int], tuple[int, ...]]:
    """Return the orders of seats that decided ties, half prices and turns to speak. Trades are logged in the order of
    matching; of equal quotes, those that traded were ranked before the others."""
    orders: dict[tuple[str, int], list[int]] = {}
    for row in log.of("conversation"):
        orders.setdefault((SPEAKING, row["round"]), []).append(log.seats[row["player_id"]])
    for row in log.of("trade"):
        buyer, seller = log.seats[row["buyer_id"]], log.seats[row["seller_id"]]
        orders.setdefault((TIES, row["round"]), []).extend((buyer, seller))
        favoured = (seller, buyer) if row["clearing_random_pick"] else (buyer, seller)
        orders.setdefault((HALF, row["round"]), []).extend(favoured)
    return {place: tuple(seats) for place, seats in orders.items()}


def replay_log(log: MarketLog) -> Match:
    """Replay the game of a log."""
    rules = rules_of_log(log)
    answers = _answers(log, rules)
    contestants = [ReplayContestant(player, answers) for player in log.players]
    chance = LoggedChance(_orders(log), facts_of_log(log))
    return play_match(game_of_log(log), rules, contestants, chance, provenance=Provenance.IMPORTED)


def check_log(log: MarketLog) -> tuple[Match | None, MarketMismatch | None]:
    """Replay a log; return the match, and the first mismatch between the log and the rules."""
    try:
        match = replay_log(log)
        return match, next(_differences(log, match), None)
    except (OstromError, *UNEXPECTED) as error:
        return None, MarketMismatch(log.path.name, None, f"the log cannot be played: {error}")


def _differences(log: MarketLog, match: Match) -> Iterator[MarketMismatch]:
    """Yield a mismatch for every round whose trades or payoffs differ, then for the figures of the whole game."""
    cleared = {event.round: event for event in match.events if isinstance(event, MarketCleared)}
    for row in log.of("round_end"):
        event, data = cleared[row["round"]], row["data"]
        trades = [trade for trade in log.of("trade") if trade["round"] == event.round]
        logged = [_logged_trade(log, trade) for trade in trades]
        ours = [(trade.buyer, trade.seller, trade.bid, trade.ask, trade.price, trade.half_up) for trade in event.trades]
        if logged != ours:
            yield MarketMismatch(log.path.name, event.round, f"trades: the log says {logged}, the rules give {ours}")
        payoffs = log.by_seat(data["payoff_map"])
        if payoffs != event.payoffs:
            words = f"payoffs so far: the log says {payoffs}, the rules give {event.payoffs}"
            yield MarketMismatch(log.path.name, event.round, words)
        surplus = sum(event.gains)
        if data["round_surplus"] != surplus:
            words = f"surplus: the log says {data['round_surplus']}, the rules give {surplus}"
            yield MarketMismatch(log.path.name, event.round, words)
    if len(log.of("round_end")) != len(cleared):
        yield MarketMismatch(log.path.name, None, f"the log has {len(log.of('round_end'))} rounds, not {len(cleared)}")
    yield from _final_differences(log, match)


def _logged_trade(log: MarketLog, row: Mapping[str, Any]) -> tuple[Any, ...]:
    numbers = (float(row["bid"]), float(row["ask"]), float(row["cleared_price"]))
    return (log.seats[row["buyer_id"]], log.seats[row["seller_id"]], *numbers, bool(row["clearing_random_pick"]))


def _final_differences(log: MarketLog, match: Match) -> Iterator[MarketMismatch]:
    """Yield a mismatch for every figure of the last line of the log that differs from ours."""
    end = match.events[-1]
    assert isinstance(end, MarketClosed)
    final = log.of("final")[-1]["data"]
    roles = market_roles(len(end.values))
    surplus = sum(end.payoffs)
    largest = end.round * efficient_surplus(*by_side(end.values, roles))
    potentials = potential_gains(end.values, roles)
    shares = [
        max(0.0, payoff / (potential * end.round)) if potential else 0.0
        for payoff, potential in zip(end.payoffs, potentials, strict=True)
    ]
    cleared = [event for event in match.events if isinstance(event, MarketCleared)]
    regrets = regrets_of(end.values, roles, end.payoffs, [event.quotes for event in cleared], match.rules.max_price)
    figures: dict[str, tuple[Sequence[float], Sequence[float]]] = {
        "regrets": (log.by_seat(final["seat_regret_map"]), regrets),
        "payoffs": (log.by_seat(final["final_payoff_map"]), end.payoffs),
        "largest gains": (log.by_seat(final["seat_max_potential_surplus_map"]), potentials),
        "surplus shares": (log.by_seat(final["seat_surplus_share_map"]), shares),
        "total and largest surplus": ((final["total_surplus"], final["max_surplus"]), (surplus, largest)),
        "efficiency": ((final["market_efficiency"],), (surplus / largest,)),
    }
    for what, (logged, ours) in figures.items():
        if any(abs(one - other) > TOLERANCE for one, other in zip(logged, ours, strict=True)):
            yield MarketMismatch(log.path.name, None, f"{what}: the log says {logged}, the rules give {ours}")


def logs_in(folder: Path) -> list[Path]:
    """Return the log files of a folder, sorted by name. If the folder has none (for example, if it holds the
    repositories of several sources), return the logs in all of its subfolders; these are recognised by their
    content."""
    if any(folder.glob("*.jsonl")):
        return files_in(folder, ".jsonl", SOURCES)
    files = recognised_files(folder, ".jsonl", _is_log, SOURCES)
    complain(
        f"importing {number_of(len(files), 'file')} in {number_of(len({path.parent for path in files}), 'folder')}"
    )
    return files


def _is_log(beginning: str) -> bool:
    first = beginning.partition("\n")[0]
    return '"type":"init"' in first.replace(" ", "") and '"agents"' in first and '"num_buyers"' in first


def import_logs(
    files: Sequence[Path], journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> ImportReport:
    """Import logs into the experiment of this name; games that it already has are not changed. One log is in memory at
    a time."""
    report = ImportReport()
    experiment = experiment_of(journal, name, {"source": SOURCES.removeprefix("the ")})
    for path in files:
        progress()
        try:
            log = read_log(path)
        except (RecordError, *UNEXPECTED) as error:
            report.unreadable.append(unreadable(path, error))
            continue
        report.games += 1
        match, mismatch = check_log(log)
        if mismatch is not None:
            report.mismatches.append(mismatch)
        elif match is not None:
            report.replayed_exactly += 1
            report.new += keep(journal, experiment, match, log.game_id, source=path.name)
    return report


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the .jsonl files, or one above it.")],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import the markets of BAZAAR, PACT or emergent_collusion; importing again changes nothing."""
    files = logs_in(folder)
    with open_journal(store, create=True) as journal, games_bar("logs", len(files)) as advance:
        report = import_logs(files, journal, progress=advance, name=name)
    print_report(report, json)
