"""Texts of players appear on every page as text, and are never executed."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from kept import punish
from ostrom.journal.record import RecordedSeat
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

Serve = Callable[..., str]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
RUN = "window.ran = true"
SHORT = [
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f"<svg onload='{RUN}'><animate onbegin='{RUN}' attributeName=x dur=1s>",
    f"<a href='javascript:{RUN}'>win $20</a>",
    f"javascript:{RUN}",
    f"[a link](javascript:{RUN})",
    f"<iframe srcdoc='<script>parent.{RUN[7:]}</script>'></iframe>",
    f"</script></textarea></title><script>{RUN}</script>",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"${{{RUN}}} #{{{RUN}}} <%= {RUN} %>",
    "<style>* { display: none }</style>",
    "<base href='https://example.org/'><meta http-equiv=refresh content='0;url=https://example.org/'>",
    "<form action='https://example.org/'><button autofocus>I'll contribute $5</button></form>",
    "\u202eyllatot siht daer\u202c \u2066left\u2069 \u200f\u061c",
    "Z\u0351\u036b\u0343\u036aA\u0334\u0335\u031cL\u0321\u034a\u0360G\u0321O\u0321",
    "null",
    "undefined",
    "__proto__",
    "%00%0d%0aSet-Cookie: a=b",
    "half a character \ud83d and a NUL \x00.",
]
LONG = "wide " + "W" * 99_995
_BROKEN = "[\ud800-\udfff\ufffd?\x00]"
NAMES = 60
"""Characters of a player's name that are taken from the text."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Games in which everything that somebody can name or say is hostile; the last one has the long word."""
    url = f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment(SHORT[0], kind="punish", planned=len(SHORT) + 1)
        for number, text in enumerate([*SHORT, LONG]):
            names = [text[:NAMES], SHORT[1], "N" * 2_000 if text is LONG else f"model {number}"]
            seats = [RecordedSeat(seat=seat, label=f"P{seat + 1}", player=name) for seat, name in enumerate(names)]
            record = punish(number, text=text).model_copy(update={"seats": seats})
            journal.add_game(experiment, record, key=f"<b>{number}</b>")
    return url


@pytest.fixture(scope="module")
def base(served: Serve, store: str) -> str:
    return served(store)


@pytest.fixture
def watched(page: Page, base: str) -> Iterator[Page]:
    """A page of which nothing may ask for anything elsewhere or open a dialog."""
    asked: list[str] = []
    dialogs: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    yield page
    own = {urlsplit(base).netloc, ""}
    assert [url for url in asked if urlsplit(url).netloc not in own or urlsplit(url).scheme == "javascript"] == []
    assert dialogs == []


def safe(page: Page) -> None:
    """Nothing ran, nothing was made of the text, and the page is as wide as its window."""
    assert page.evaluate("window.ran === undefined && window.parent.ran === undefined")
    made = "script:not([src]), iframe, base, body style, form[action]"
    assert page.evaluate("made => document.querySelectorAll(made).length", made) == 0
    handlers = "[...document.querySelectorAll('*')].filter(e => e.getAttributeNames().some(n => n.startsWith('on')))"
    assert page.evaluate(f"{handlers}.length") == 0
    links = "[...document.querySelectorAll('a[href]')].filter(a => a.protocol === 'javascript:')"
    assert page.evaluate(f"{links}.length") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"


def held(page: Page, text: str) -> bool:
    """True if the page has exactly this text; half a character or a NUL becomes a replacement character."""
    shown = re.sub(_BROKEN, "", page.evaluate("document.body.textContent"))
    return re.sub(_BROKEN, "", text) in shown


def opened(page: Page, base: str, place: str, ready: str) -> None:
    page.goto("about:blank")
    page.goto(f"{base}#/{place}")
    expect(page.locator(ready).first).to_be_visible()


def test_the_policy_of_every_answer_is_strict_and_the_page_has_no_inline_script(base: str) -> None:
    for path in ("", "index.html", "api/lab", "api/messages"):
        with urlopen(f"{base}{path}") as answer:
            assert answer.headers["Content-Security-Policy"] == POLICY
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            body = answer.read().decode()
        if not path:
            assert not re.search(r"<script(?![^>]*\bsrc=)", body)
            assert not re.search(r"<style|\sstyle=|\son\w+=", body)


def test_home_and_an_experiment_show_hostile_names_as_text(watched: Page, base: str) -> None:
    opened(watched, base, "", "[aria-label='Experiments'] li")
    safe(watched)
    assert held(watched, SHORT[0])
    opened(watched, base, "experiments/punish-1", "table tbody tr")
    safe(watched)
    assert held(watched, SHORT[1])


def test_games_show_what_was_said_as_text_at_every_moment(watched: Page, base: str) -> None:
    for number, text in enumerate([*SHORT, LONG]):
        watched.goto(f"{base}#/games/punish-1.{number + 1}?at=3")
        expect(watched.get_by_text(f"Imported from game_{number}.jsonl")).to_be_attached()
        expect(watched.get_by_text("Round 1, P2 speaks").first).to_be_visible()
        assert held(watched, text[:200]), text[:200]
        safe(watched)
        for key, moment in (("Home", r"punish-1\.\d+(\?at=0)?$"), ("End", "at=8$")):
            watched.keyboard.press(key)
            expect(watched).to_have_url(re.compile(moment))
            safe(watched)


def test_messages_show_what_was_said_as_text(watched: Page, base: str) -> None:
    opened(watched, base, "messages", "[aria-label='Found'] li")
    expect(watched.get_by_text("not read yet")).to_have_count(0)
    safe(watched)
    for text in SHORT:
        assert held(watched, text), ascii(text)
    opened(watched, base, "messages?text=wide", "[aria-label='Found'] li mark")
    safe(watched)
    watched.get_by_role("button", name=re.compile("^Show all")).first.click()
    assert held(watched, "W" * 5_000)
    safe(watched)


def test_a_search_for_hostile_words_marks_them_and_runs_nothing(watched: Page, base: str) -> None:
    opened(watched, base, "messages", "[aria-label='Found'] li")
    for text in SHORT[:5]:
        watched.get_by_label("Words").fill(text)
        expect(watched.locator("mark").first).to_be_visible()
        safe(watched)


def test_leaderboard_and_charts_show_hostile_names_as_text(watched: Page, base: str) -> None:
    opened(watched, base, "compare", "[data-player]")
    safe(watched)
    # Charts and leaderboards cut long names.
    assert held(watched, SHORT[1][:20])
    for name in ("trueskill", "final_strip", "balance_by_round", "promise_keeping"):
        section = watched.locator(f"[id='chart-{name}']")
        section.scroll_into_view_if_needed()
        expect(section.locator("[data-drawn='drawn']")).to_be_attached()
        safe(watched)


def test_no_page_scrolls_sideways_on_a_phone(new_page: Callable[..., Page], base: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    for place, ready in (
        ("", "[aria-label='Experiments'] li"),
        ("experiments/punish-1", "table tbody tr"),
        (f"games/punish-1.{len(SHORT) + 1}?at=3", "text=P2 speaks"),
        ("games/punish-1.14?at=8", "h1"),
        ("messages?text=wide", "mark"),
        ("compare", "[data-player]"),
    ):
        page.goto(f"{base}#/{place}")
        expect(page.locator(ready).first).to_be_visible()
        safe(page)
