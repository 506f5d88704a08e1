"""While a game is under way, its seed, its sealed and private facts and its answers are in no page, stream, record or
export. Each place is also tried with its protection removed, which must be noticed. This is tried with a game for tests
and with every market that has secrets."""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

import ostrom
from ostrom.cli.main import app as command
from ostrom.core.plugins import GAMES
from ostrom.core.questions import Call, Line
from ostrom.experiment.plan import benchmark
from ostrom.games.market.double_auction import DOUBLE_AUCTION
from ostrom.journal import overview
from ostrom.journal import pages as journal_pages
from ostrom.journal.pages import PageReader, TurnCalls
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.players.models.briefing import PlainBriefing, briefing_for
from ostrom.web.api import messages
from ostrom.web.api.live import _game_events
from sealed_auction import AUCTION
from serving import client

SEED = 9_187_362_540_918_273
BID = 37.515625


@dataclass(frozen=True)
class Case:
    """A game of people, played until all but one seat have answered in a step after the first."""

    game: str
    """The name on the command line."""
    rules: dict[str, Any]
    answers: tuple[tuple[int, dict[str, Any]], ...]
    """The seat and the fields of each answer, in order. Events are stored with the answers of their step, so that a
    step with secrets is over before the last answer."""
    dealt: tuple[str, str]
    """The tag of the event that deals private values, and its field."""
    asked: int = 1
    """The seat that is asked in the end."""
    hidden: tuple[tuple[int, str], ...] = ()
    """The further secrets of each seat, as they are written."""
    seats: int = 2


SECRET_WORDS = "quincunx marmalade"
SEALED = Case(
    "sealed-auction",
    {"rounds": 2},
    ((0, {"bid": BID}), (1, {"bid": None}), (0, {"bid": BID})),
    ("dealt", "values"),
    hidden=((0, f"{BID:.2f}"[:-1]),),
)
MARKETS = {
    "double-auction": Case(
        "double-auction",
        {"rounds": 2, "tick": 0, "disclosure": "prices", "messages": "side", "talk": "at-once"},
        (
            *((0, {"message": SECRET_WORDS}), (1, {"message": "hello"}), (0, {"quote": BID}), (1, {"quote": 99})),
            *((0, {"message": SECRET_WORDS}), (1, {"message": "hello"}), (0, {"quote": BID})),
        ),
        ("values_dealt", "values"),
        hidden=((0, f"{BID:.2f}"[:-1]), (0, SECRET_WORDS)),
    ),
    "bargaining": Case(
        "bargaining",
        {"rounds": 2, "tick": 0, "disclosure": "prices", "messages": "none"},
        ((0, {"quote": BID}), (1, {"quote": 99}), (0, {"quote": BID})),
        ("values_dealt", "values"),
        hidden=((0, f"{BID:.2f}"[:-1]),),
    ),
    "auction": Case(
        "auction",
        {"rounds": 2, "tick": 0, "disclosure": "price", "fixed_values": True},
        ((0, {"bid": BID}), (1, {"bid": 80}), (0, {"bid": BID})),
        ("bidder_values_dealt", "values"),
        hidden=((0, f"{BID:.2f}"[:-1]),),
    ),
    "several-issues": Case(
        "several-issues",
        {"given": "61.37,44.19,23.83;57.71,48.29,31.43"},
        ((0, {"act": "submit", "text": "", "food": 2, "water": 1, "firewood": 0}), (1, {"act": "reject", "text": ""})),
        ("issues_dealt", "values"),
        hidden=((0, "166.9"), (1, "248.5")),  # what the deal is worth
    ),
    "alternating-offers": Case(
        "alternating-offers",
        {"tick": 0, "outside_options": "private", "outside": 45, "outside_second": 50},
        ((0, {"offer": 20}), (1, {"response": "reject"}), (1, {"offer": 30})),
        ("options_dealt", "outside"),
        asked=0,
    ),
}
"""Every registered market with secrets, by its name on the command line. Rules make the secrets continuous, so that
their digits are found nowhere by chance."""


def test_every_market_with_secrets_is_tried() -> None:
    markets = [game for game in GAMES.values() if game.play.__module__.startswith("ostrom.games.market.")]
    with_secrets = {game.command for game in markets if any(kind.has_secrets() for kind in game.events.values())}
    assert with_secrets == set(MARKETS), "add a case to MARKETS for a new market with secrets"


class Live:
    """A game of people under way."""

    def __init__(self, http: TestClient, journal: Journal, store: str, case: Case) -> None:
        players = ["human"] * case.seats
        self.body = {"game": case.game, "players": players, "seed": SEED, "rules": case.rules}
        started = http.post("/api/games", json=self.body).json()
        self.http, self.journal, self.store, self.case = http, journal, store, case
        self.experiment, self.tokens = started["experiment"], [seat["token"] for seat in started["seats"]]
        for seat, values in case.answers:
            self.give(seat, values)
        (row,) = journal.games(self.experiment)
        self.game = row.id
        tag, field = case.dealt
        dealt = next(event for event in journal.record(row.id).events if event["event"] == tag)[field]
        self.private = [own if isinstance(own, list) else [own] for own in dealt]
        self.values = [own[0] for own in self.private]

    def answer(self, seat: int, bid: float | None) -> None:
        self.give(seat, {"bid": bid})

    def give(self, seat: int, values: dict[str, Any]) -> None:
        headers = {"Ostrom-Seat": self.tokens[seat]}
        while (asked := self.http.get("/api/seat", headers=headers).json()["question"]) is None:
            time.sleep(0.01)
        body = {"question": asked["id"], "values": values}
        reply = self.http.post("/api/seat/answer", json=body, headers=headers)
        assert reply.status_code == 200, reply.text

    def secrets(self, seat: int | None = None) -> list[str]:
        """The secrets that a seat may not see, or the public."""
        others = [value for place, own in enumerate(self.private) if place != seat for value in own]
        hidden = [text for owner, text in self.case.hidden if owner != seat]
        return [str(SEED), *(f"{value:.2f}"[:-1] for value in others), *hidden]

    def get(self, path: str) -> str:
        reply = self.http.get(f"/api/{path}")
        assert reply.status_code == 200, reply.text
        return reply.text

    def command(self, *words: str) -> str:
        done = CliRunner().invoke(command, [*words, "--store", self.store])
        assert done.exit_code == 0, done.output
        return done.output

    def stream(self) -> str:
        service = self.http.app.state.service  # type: ignore[attr-defined]

        async def first() -> bytes:
            source = _game_events(service, self.game, 0)
            try:
                return (await anext(source)).data
            finally:
                await source.aclose()  # type: ignore[attr-defined]

        assert self.http.portal is not None
        data: bytes = self.http.portal.call(first)
        assert b'"events"' in data
        return data.decode()

    def export(self) -> str:
        file = Path(self.store.removeprefix("sqlite:///")).with_name("export.json")
        self.command("export", self.game, "-o", str(file))
        return file.read_text()


PLACES: dict[str, Callable[[Live], str]] = {
    "games": lambda live: live.get("games"),
    "game": lambda live: live.get(f"games/{live.game}"),
    "events": lambda live: live.get(f"games/{live.game}/events"),
    "stream": Live.stream,
    "record": lambda live: live.get(f"games/{live.game}/record"),
    "course": lambda live: live.get(f"games/{live.game}/course"),
    "messages": lambda live: live.get("messages"),
    "calls": lambda live: live.get(f"games/{live.game}/calls?turn=1"),
    "experiments": lambda live: live.get("experiments"),
    "experiment": lambda live: live.get(f"experiments/{live.experiment}"),
    "status": lambda live: live.command("status", "--json"),
    "list": lambda live: live.command("list", "experiments", "--json"),
    "list journal": lambda live: live.command("list", "journal", "--json"),
    "show": lambda live: live.command("show", live.game),
    "export": Live.export,
    "name": lambda live: live.journal.experiments()[0].name,
}


@pytest.fixture
def case() -> Case:
    return SEALED


@pytest.fixture
def live(tmp_path: Path, case: Case) -> Iterator[Live]:
    if AUCTION.name not in GAMES:
        GAMES.add(AUCTION)
    store = f"sqlite:///{tmp_path}/journal.db"
    with Journal.open(store, create=True) as journal, client(journal) as http:
        yield Live(http, journal, store, case)
        assert http.portal is not None
        http.portal.call(http.app.state.service.host.close)  # type: ignore[attr-defined]


def leaks(live: Live, place: str) -> list[str]:
    text = PLACES[place](live)
    return [secret for secret in live.secrets() if re.search(rf"(?<![\d.]){re.escape(secret)}", text)]


@pytest.mark.parametrize("case", [SEALED, *MARKETS.values()], ids=lambda case: case.game)
def test_nothing_secret_is_shown_anywhere(live: Live) -> None:
    assert {place: found for place in PLACES if (found := leaks(live, place))} == {}
    for seat, token in enumerate(live.tokens):
        text = live.http.get("/api/seat", headers={"Ostrom-Seat": token}).text
        assert [secret for secret in live.secrets(seat) if secret in text] == []
        if seat == live.case.asked:
            assert f"{live.values[seat]:.2f}"[:-1] in text


def test_all_is_shown_when_the_game_is_over(live: Live) -> None:
    live.answer(1, None)
    while json.loads(live.get(f"games/{live.game}"))["state"] == "playing":
        time.sleep(0.01)
    record = json.loads(live.get(f"games/{live.game}/record"))
    assert (record["seed"], record["events"][0]["values"]) == (SEED, live.values)
    own, other = (json.dumps(seen) for seen in record["seen"])  # as each seat saw it
    assert f"{live.values[0]:.2f}"[:-1] in own
    assert f"{live.values[1]:.2f}"[:-1] not in own
    assert f"{live.values[0]:.2f}"[:-1] not in other
    assert json.loads(live.get(f"games/{live.game}"))["seed"] == str(SEED)
    told = json.dumps(json.loads(live.get(f"games/{live.game}/events"))["told"])
    assert f"{live.values[1]:.2f}"[:-1] in told
    assert leaks(live, "experiment")[0] == str(SEED)


def planted_events(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    monkeypatch.setattr(journal_pages, "public_events", lambda _, events: list(events))


def planted_record(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    monkeypatch.setattr(journal_pages, "public_record", lambda record: record)


def planted_settings(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    monkeypatch.setattr(overview, "public_settings", lambda settings: settings)


def planted_header(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    header = PageReader.game
    monkeypatch.setattr(PageReader, "game", lambda pages, name: replace(header(pages, name), seed=SEED))


def planted_key(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    row = journal_pages.game_row
    monkeypatch.setattr(journal_pages, "game_row", lambda head: replace(row(head), key=f"seed {SEED}"))


def planted_name(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    live.journal.rename(live.experiment, f"seed {SEED}")


def planted_row(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    row = journal_pages.game_row
    monkeypatch.setattr(journal_pages, "game_row", lambda head: replace(row(head), players=[f"{live.values[1]}"]))


def planted_course(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    monkeypatch.setattr("ostrom.web.api.games.course_of", lambda record: [live.values[0]])


def planted_message(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    page = messages.message_page

    def leaky(service: Any, search: Any) -> messages.MessagePage:
        return page(service, search).model_copy(update={"messages": [row]})

    said = {"game": live.game, "experiment": live.experiment, "key": "", "seat": 0, "player": "human", "event": 0}
    facts = {**said, "kind": live.case.game, "round": 1, "order": 0, "text": str(live.values[1]), "pieces": []}
    rest = {"promised": None, "contributed": None, "kept": None, "before": [], "after": []}
    row = messages.MessageRow(**facts, **rest)
    monkeypatch.setattr(messages, "message_page", leaky)


def planted_calls(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    prompt = (Line("user", f"your value is {live.values[0]}"),)
    call = Call(1, "2026-01-01T00:00:00.000+00:00", "m", {}, prompt, reply="<bid>1</bid>")
    page = TurnCalls([((1, "bid", 0), call)], {}, playing=False)
    monkeypatch.setattr(PageReader, "calls", lambda pages, game, turn: page)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch, Live], None]] = {
    "games": planted_key,
    "game": planted_header,
    "events": planted_events,
    "stream": planted_events,
    "record": planted_record,
    "course": planted_course,
    "messages": planted_message,
    "calls": planted_calls,
    "experiments": planted_name,
    "experiment": planted_settings,
    "status": planted_settings,
    "list": planted_name,
    "list journal": planted_row,
    "export": planted_record,
    "show": planted_record,
    "name": planted_name,
}
"""What shows a secret at each place: its protection removed, or a secret added to its source."""


def test_every_place_has_a_planted_leak() -> None:
    assert set(PLANTED) == set(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_a_leak_that_is_planted_is_found(live: Live, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[place](monkeypatch, live)
    assert leaks(live, place) != []


@pytest.mark.slow
@pytest.mark.parametrize("case", MARKETS.values(), ids=lambda case: case.game)
@pytest.mark.parametrize("place", PLACES)
def test_a_leak_that_is_planted_in_a_market_is_found(live: Live, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[place](monkeypatch, live)
    assert leaks(live, place) != []


@pytest.mark.parametrize("case", MARKETS.values(), ids=lambda case: case.game)
def test_a_value_that_is_planted_in_the_prompts_of_a_market_is_found(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A briefing puts all private values into the labels of seats."""
    briefing = type(briefing_for(GAMES.of_command(live.case.game)))
    known = ", ".join(f"{value:.2f}" for value in live.values)
    monkeypatch.setattr(briefing, "labels", lambda *_: (f"P1, {known}", f"P2, {known}"))
    other = live.http.post("/api/games", json=live.body).json()
    headers = {"Ostrom-Seat": other["seats"][0]["token"]}
    while (page := live.http.get("/api/seat", headers=headers)).json()["question"] is None:
        time.sleep(0.01)
    assert [secret for secret in live.secrets(0) if secret in page.text] != []


def test_a_leak_that_is_planted_in_the_prompt_of_a_seat_is_found(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    context = PlainBriefing.context
    leaky = {"known": {"seed": SEED}}
    monkeypatch.setattr(PlainBriefing, "context", lambda *told: {**context(*told), **leaky})
    live.answer(1, None)
    other = live.http.post("/api/games", json=live.body).json()
    headers = {"Ostrom-Seat": other["seats"][0]["token"]}
    while (page := live.http.get("/api/seat", headers=headers)).json()["question"] is None:
        time.sleep(0.01)
    assert str(SEED) in page.text


def test_a_default_name_has_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = benchmark(AUCTION, [], AUCTION.rules(), 2, None, SEED)
    assert str(SEED) not in planned.called


def test_a_finished_game_hides_the_seed_that_live_games_of_its_experiment_share(live: Live) -> None:
    """Of an experiment of two games, the first is over; its seed gives the values of the second."""
    finished = ostrom.play(["Truthful", "Timid"], game=AUCTION, seed=SEED)
    under_way = live.journal.new_experiment("under way", kind="sealed-auction", planned=2)
    live.journal.add_game(under_way, ostrom.record_of(finished), key="first")
    (row,) = live.journal.games(under_way)
    game = row.id
    assert live.journal.record(game).seed == SEED
    assert live.journal.record(game, public=True).seed is None
    folder = Path(live.store.removeprefix("sqlite:///")).parent
    for name, file in ((game, "game.json"), (under_way, "games.jsonl")):
        live.command("export", name, "-o", str(folder / file))
        assert str(SEED) not in (folder / file).read_text()
    over = live.journal.new_experiment("over", kind="sealed-auction", planned=1)
    live.journal.add_game(over, ostrom.record_of(finished), key="only")
    live.command("export", over, "-o", str(folder / "over.jsonl"))
    assert str(SEED) in (folder / "over.jsonl").read_text()


def test_a_record_of_a_live_game_can_be_read_and_drawn(live: Live) -> None:
    record = GameRecord.model_validate_json(live.get(f"games/{live.game}/record"))
    assert record.scene is not None
    assert record.seed is None
    assert record.answers == []
    assert len(record.told) == len(record.events)


@pytest.mark.slow
def test_given_values_are_shown_nowhere_before_the_game_is_over(live: Live) -> None:
    """The rules of a market may have private values, and rules are sealed by the same mark as facts in events."""
    if DOUBLE_AUCTION.name not in GAMES:
        GAMES.add(DOUBLE_AUCTION)
    given, players = "91.37,64.81;17.53,33.29", ["human", "Truthful", "Sniper", "Sniper"]
    # The quote of a truthful trader would be a value.
    rules = {"rounds": 2, "tick": 0, "given": given, "disclosure": "prices"}
    body = {"game": "double-auction", "players": players, "rules": rules}
    started = live.http.post("/api/games", json=body).json()
    live.experiment = started["experiment"]
    (row,) = live.journal.games(live.experiment)
    live.game = row.id
    headers = {"Ostrom-Seat": next(seat["token"] for seat in started["seats"] if seat.get("token"))}
    values = given.replace(";", ",").split(",")

    def answer(turn: int) -> str:
        while (asked := live.http.get("/api/seat", headers=headers).json()["question"] or {}).get("turn") != turn:
            time.sleep(0.01)
        content = {"question": asked["id"], "values": {"quote": 50}}
        assert live.http.post("/api/seat/answer", json=content, headers=headers).status_code == 200
        return json.dumps(asked)

    seen = answer(1)
    assert [value for value in values if value in seen] == values[:1]
    while len(live.journal.record(live.game).events) < 2:
        time.sleep(0.01)
    shown = {place: [value for value in values if value in PLACES[place](live)] for place in PLACES}
    assert {place: found for place, found in shown.items() if found} == {}
    answer(2)
    while json.loads(live.get(f"games/{live.game}"))["state"] == "playing":
        time.sleep(0.01)
    assert json.loads(live.get(f"games/{live.game}/record"))["rules"]["given"] == given
