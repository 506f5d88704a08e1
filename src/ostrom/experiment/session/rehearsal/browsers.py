"""Participants of a rehearsal in real browsers: they read the state of the session over HTTP, and fill in the forms of
the page itself. Needs Playwright (`pip install 'ostrom[browsers]'`) and an installed Chromium."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlencode

from playwright.async_api import Browser, Locator, Page, async_playwright
from playwright.async_api import Error as PlaywrightError
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.text import one_line
from ostrom.experiment.session.rehearsal.attendance import Participant, RehearsalLog
from ostrom.experiment.session.rehearsal.client import ConnectionLost, HttpReply
from ostrom.experiment.session.rehearsal.persons import RehearsalPerson
from ostrom.experiment.session.rehearsal.server import SessionLinks

CHROMIUM: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The names of programs that can be used, best first."""
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
PAGE_TIMEOUT_MS: Final = 60_000
POLL_S: Final = 0.3
KEY_DELAY_MS: Final = 30
"""The time between two keys."""


@dataclass(frozen=True, slots=True)
class Typing:
    """The way in which texts and numbers are entered in a page."""

    way: Literal["keys", "fill", "paste"] = "keys"
    """Key by key, as a value that a program sets, or from the clipboard."""
    delay_ms: float = KEY_DELAY_MS
    """The time between two keys."""
    pause_s: float = 0.0
    """The time before the first key."""


BY_KEYS: Final = Typing()
_PASTE: Final = """(field, text) => {
  const clipboard = new DataTransfer();
  clipboard.setData("text/plain", text);
  field.focus();
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
}"""
"""Does what a browser does at a paste. The clipboard itself is the same for all pages of a browser."""
_DRAWN: Final = "version => Number(document.querySelector('main[data-version]')?.dataset.version ?? -1) >= version"


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a browser within a `with` block. Raise InputError if none is installed."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        raise InputError("no browser is installed: apt-get install chromium, or rehearse without --browsers")
    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=options)
        try:
            yield browser
        finally:
            await browser.close()


class BrowserParticipant(Participant):
    """A participant in a browser. Its page alone follows the session."""

    def __init__(
        self,
        browser: Browser,
        links: SessionLinks,
        person: RehearsalPerson,
        log: RehearsalLog,
        *,
        speed: float,
        phone: bool = False,
        typing: Typing = BY_KEYS,
    ) -> None:
        super().__init__(links.address, links.code, person, log, speed=speed)
        self._typing = typing
        self._browser, self._address, self._phone = browser, links.address, phone
        self._page: Page | None = None

    @override
    async def attend(self, joining: Mapping[str, Any] | None = None) -> None:
        size = PHONE if self._phone else DESK
        context = await self._browser.new_context(viewport=size, has_touch=self._phone)  # type: ignore[arg-type]
        context.set_default_timeout(PAGE_TIMEOUT_MS)
        try:
            self._page = await context.new_page()
            self._page.on("pageerror", lambda error: self._log.faults.append(f"{self.name}: the page failed: {error}"))
            await super().attend(joining)
        except PlaywrightError as error:
            self._log.faults.append(f"{self.name}: {one_line(str(error), 300)}")
        finally:
            await context.close()

    @override
    async def _join(self, joining: Mapping[str, Any]) -> HttpReply:
        assert self._page is not None
        query = urlencode(joining.get("parameters", {}))
        link = f"#{joining['link']}" if "link" in joining else ""
        await self._page.goto(f"{self._address}/join/{self._code}{f'?{query}' if query else ''}{link}")
        if "label" in joining:
            await self._page.locator("#label").fill(joining["label"])
        async with self._page.expect_response(lambda reply: reply.url.endswith("/api/participate/join")) as reply:
            await self._page.get_by_test_id("join").click()
        answer = await reply.value
        return HttpReply(answer.status, await answer.json())

    @override
    async def _follow(self) -> None:
        await asyncio.Event().wait()

    @override
    async def _wait(self) -> None:
        await asyncio.sleep(POLL_S)
        await self._refresh()

    @override
    async def _send(self, path: str, body: Mapping[str, Any], page: Mapping[str, Any]) -> HttpReply:
        assert self._page is not None
        assert self._state is not None
        button = "send" if path == "answer" else "go-on"
        try:
            await self._page.wait_for_function(_DRAWN, arg=self._state["version"])
            for name, value in body["values"].items():
                await self._enter(name, value)
            async with self._page.expect_response(lambda reply: reply.url.endswith(f"/participate/{path}")) as reply:
                await self._page.locator("main").get_by_test_id(button).first.click()
            answer = await reply.value
            return HttpReply(answer.status, await answer.json())
        except PlaywrightError as error:
            raise ConnectionLost(f"the page {page['kind']} cannot be filled in: {one_line(str(error), 300)}") from error

    async def _enter(self, name: str, value: Any) -> None:
        """Enter a value in the inputs of a field. A field with a single possible value has none."""
        assert self._page is not None
        inputs = self._page.locator(f'main [name="{name}"]')
        if value is None or not await inputs.count():
            return
        first = inputs.first
        match await first.evaluate("one => one.type"):
            case "radio":
                text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
                await self._page.locator(f'main [name="{name}"][value="{text}"]').check(force=True)
            case "select-one":
                await first.select_option(str(value))
            case _:
                await self._type(first, _as_text(value))

    async def _type(self, field: Locator, text: str) -> None:
        """Enter a text in the way of this participant. A folded field is opened first."""
        await field.evaluate("one => one.closest('details')?.setAttribute('open', '')")
        await field.fill("")
        await asyncio.sleep(self._typing.pause_s)
        if self._typing.way == "keys":
            await field.press_sequentially(text, delay=self._typing.delay_ms)
        elif self._typing.way == "fill":
            await field.fill(text)
        else:
            await field.evaluate(_PASTE, text)


def _as_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
