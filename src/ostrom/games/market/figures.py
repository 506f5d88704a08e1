"""Counts, sums and means that describe sealed markets as a whole, folded from their records one game at a time. They
are the figures by which an import is checked against its source."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ostrom.games.market.clearing import exact_price, is_half
from ostrom.games.market.csa import EXACT, CsaReference, LoggedMarket, residual_spread
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import Equilibrium, equilibrium, potential_gains
from ostrom.games.market.values import by_side
from ostrom.journal.record import GameRecord

ALL: Final = "all"
ROLES: Final = ("buyer", "seller")
_ABOVE: Final = (
    "asks above cost and price",
    "bids below value and price",
    "rounds with all asks above",
    "trades above",
    "trades below",
)


@dataclass(frozen=True)
class MarketRecord:
    """A finished game as its record has it. `first` limits its rounds."""

    record: GameRecord
    first: int | None = None

    def of(self, tag: str) -> list[dict[str, Any]]:
        """Return the events of one kind."""
        return [event for event in self.record.events if event["event"] == tag]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        return self.of("market_cleared")[: self.first]

    @property
    def values(self) -> list[float]:
        values: list[float] = self.of("values_dealt")[0]["values"]
        return values

    @property
    def distribution(self) -> str:
        name: str = self.of("values_dealt")[0]["distribution"]
        return name

    @property
    def roles(self) -> tuple[str, ...]:
        return market_roles(len(self.record.seats))

    @property
    def logged(self) -> dict[str, Any]:
        """The facts in the log of an imported game; empty for a game that was not imported."""
        events = self.of("market_logged")
        return events[0] if events else {}

    @property
    def payoffs(self) -> list[float]:
        payoffs: list[float] = self.rounds[-1]["payoffs"]
        return payoffs

    def scores(self, reference: CsaReference | None) -> Iterator[tuple[int, float, float | None]]:
        """Yield each seat that has a CSα in its log: the seat, this CSα, and that of a reference."""
        logged, rounds, roles = self.logged, self.rounds, self.roles
        potentials = potential_gains(self.values, roles)
        traded = {seat for trade in rounds[-1]["trades"] for seat in (trade["buyer"], trade["seller"])}
        spread = residual_spread(rounds[-1]["quotes"], roles, traded)
        always = all(event["trades"] for event in rounds)
        place = (logged.get("id", ""), logged.get("schema_version", ""), self.distribution)
        market = LoggedMarket(*place, roles, self.values, always, spread)
        for seat, csa in enumerate(logged.get("csa", ())):
            if csa is not None:
                potential = potentials[seat] * len(rounds)
                share = max(0.0, self.payoffs[seat] / potential) if potential else 0.0
                yield seat, csa, None if reference is None else reference.csa(market, seat, share)


@dataclass
class MarketFigures:
    """The figures of the games that were added."""

    reference: CsaReference | None = None
    counts: Counter[str] = field(default_factory=Counter)
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    numbers: Counter[str] = field(default_factory=Counter)
    """For each mean, the number of observations; the sum is in `sums`."""
    distributions: set[str] = field(default_factory=set)

    def add(self, market: MarketRecord) -> None:
        """Add a game."""
        theory = equilibrium(*by_side(market.values, market.roles))
        self.counts["games"] += 1
        self._add_game(market, theory)
        for event in market.rounds:
            self._add_round(market, event, theory)
        for event in market.of("message_said"):
            if market.first is None or event["round"] <= market.first:
                self._add_message(market, event)
        rounds = market.rounds
        for name, event in (("first round", rounds[0]), ("last round", rounds[-1])):
            for price in event["prices"]:
                self._observe(f"price deviation, {name}", abs(price - theory.price))
            self._observe(f"normalised surplus, {name}", _surplus(market.values, event) / theory.surplus)

    def _observe(self, name: str, value: float) -> None:
        self.sums[name] += value
        self.numbers[name] += 1

    def mean(self, name: str) -> float | None:
        """Return a mean, or None without observations."""
        return self.sums[name] / self.numbers[name] if self.numbers[name] else None

    def _add_game(self, market: MarketRecord, theory: Equilibrium) -> None:
        surplus = sum(_surplus(market.values, event) for event in market.rounds)
        largest = theory.surplus * len(market.rounds)
        self.sums["total surplus"] += surplus
        self.sums["max surplus"] += largest
        self.distributions.add(market.distribution)
        algorithms = "with algorithms" if market.logged.get("algorithms") else "models only"
        for name in (ALL, market.distribution, algorithms):
            self._observe(f"efficiency, {name}", surplus / largest if largest else 0.0)
        payoffs = [sum(gains) for gains in zip(*(event["gains"] for event in market.rounds), strict=True)]
        for payoff, role in zip(payoffs, market.roles, strict=True):
            self.counts["seats below 0"] += payoff < 0
            self.counts["seats at 0"] += payoff == 0
            self._observe(f"profit per round, {role}s", payoff / len(market.rounds))
        for _, csa, computed in market.scores(self.reference):
            self.counts["seats with CSα"] += 1
            self.sums["sum of CSα"] += csa
            if computed is not None:
                self.counts["seats in a solved cell"] += 1
                self.counts["exact"] += abs(computed - csa) <= EXACT

    def _add_round(self, market: MarketRecord, event: Mapping[str, Any], theory: Equilibrium) -> None:
        self.counts["trades"] += len(event["trades"])
        self.sums["sum of prices"] += sum(event["prices"])
        for trade in event["trades"]:
            if is_half(exact_price(trade["bid"], trade["ask"], market.record.rules["k"])):
                self.counts["half prices up" if trade["half_up"] else "half prices down"] += 1
        for price in event["prices"]:
            self._observe("trades above", price > theory.high)
            self._observe("trades below", price < theory.low)
            self._observe("price − competitive price", price - theory.price)
        asks = []
        for quote, value, role in zip(event["quotes"], market.values, market.roles, strict=True):
            if quote is None:
                continue
            self.counts["quotes"] += 1
            if role == "buyer":
                self.counts["quotes at a loss"] += quote > value
                self._observe("bids below value and price", quote < value and quote < theory.low)
            else:
                asks.append(quote)
                self.counts["quotes at a loss"] += quote < value
                self._observe("asks above cost and price", quote > value and quote > theory.high)
        if asks:
            self._observe("rounds with all asks above", min(asks) > theory.high)

    def _add_message(self, market: MarketRecord, event: Mapping[str, Any]) -> None:
        """Count a message, and whether only the sender's own side reads it."""
        self.counts["messages"] += 1
        role, to = market.roles[event["seat"]], event["to"]
        self.counts[f"messages of {role}s"] += 1
        self.counts[f"messages of {role}s to {role}s only"] += to == f"{role}s" or (
            isinstance(to, int) and market.roles[to] == role
        )


def _surplus(values: Sequence[float], event: Mapping[str, Any]) -> float:
    return float(sum(values[trade["buyer"]] - values[trade["seller"]] for trade in event["trades"]))


@dataclass(frozen=True)
class MarketFilter:
    """A choice of games, and of their first rounds."""

    distribution: str | None = None
    models_only: bool = False
    first: int | None = None

    def chosen(self, record: GameRecord) -> MarketRecord | None:
        """Return the game with its chosen rounds, or None if it is not chosen."""
        market = MarketRecord(record, self.first)
        if not market.rounds or (self.distribution is not None and market.distribution != self.distribution):
            return None
        return None if self.models_only and market.logged.get("algorithms") else market


def group_of(record: GameRecord) -> tuple[str, int, bool]:
    """Return what games of one group have in common: the game, the number of seats, and whether they talk."""
    return record.game, len(record.seats), record.rules.get("messages", "none") != "none"


def lines_of(figures: MarketFigures) -> list[tuple[str, str, float | int | None]]:
    """Return the figures in their order: the section, the name and the value."""
    counts, sums = figures.counts, figures.sums
    rows: list[tuple[str, str, float | int | None]] = [
        *(("counts", name, counts[name]) for name in ("games", "quotes", "trades", "messages")),
        *(("counts", name, counts[name]) for name in ("half prices up", "half prices down")),
        *(("sums", name, sums[name]) for name in ("sum of prices", "total surplus", "max surplus")),
        *(("counts", name, counts[name]) for name in ("quotes at a loss", "seats below 0", "seats at 0")),
        *_csa_lines(figures),
    ]
    tables = ("with algorithms", "models only")
    distributions = sorted(name for name in figures.distributions)
    rows += [("counts", f"games, {name}", figures.numbers[f"efficiency, {name}"]) for name in tables]
    rows += [("shares", f"efficiency, {name}", figures.mean(f"efficiency, {name}")) for name in (ALL, *tables)]
    rows += [("shares", f"efficiency, {name}", figures.mean(f"efficiency, {name}")) for name in distributions]
    rows += [("means of 3", f"profit per round, {role}s", figures.mean(f"profit per round, {role}s")) for role in ROLES]
    for name in ("price deviation", "normalised surplus"):
        kind = "means" if name == "price deviation" else "shares"
        rows += [(kind, f"{name}, {end}", figures.mean(f"{name}, {end}")) for end in ("first round", "last round")]
    rows += [("shares", name, figures.mean(name)) for name in _ABOVE]
    rows.append(("means", "price − competitive price", figures.mean("price − competitive price")))
    for role in ROLES:
        names = (f"messages of {role}s", f"messages of {role}s to {role}s only")
        rows += [("counts", name, counts[name]) for name in names if counts[names[0]]]
    return rows


def _csa_lines(figures: MarketFigures) -> list[tuple[str, str, float | int | None]]:
    counts = figures.counts
    if not counts["seats with CSα"]:
        return []
    rows: list[tuple[str, str, float | int | None]] = [
        ("means of 3", "sum of CSα", figures.sums["sum of CSα"]),
        ("counts", "seats with CSα", counts["seats with CSα"]),
    ]
    if figures.reference is not None:
        rows += [("counts", name, counts[name]) for name in ("seats in a solved cell", "exact")]
    return rows
