"""Take the pictures of a session that the documentation shows: `make screenshots`. Simulated people play the ready
session of contributions over HTTP. One of them stops at a question, while the pages of the host and of a phone are
taken."""

import asyncio
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from playwright.sync_api import Browser, Page

from ostrom.experiment.session.file import load_session
from ostrom.experiment.session.ready import session_path
from ostrom.experiment.session.rehearsal.attendance import Participant, RehearsalLog
from ostrom.experiment.session.rehearsal.persons import PageForm, SimulatedPerson
from ostrom.experiment.session.rehearsal.rehearse import Visitor, rehearse, visitors_of
from ostrom.experiment.session.rehearsal.server import SessionLinks, session_server
from screenshots import DESK, IMAGES, PHONE, SCALE, chromium, save, settle

SESSION = "contributions"
SPEED = 60.0
STOPS_AT = 6
"""The number of answers in games after which the person with the phone stops."""
PATIENCE_S = 120.0


@dataclass
class Hesitant(SimulatedPerson):
    """A simulated person who stops at a question of a game until the pictures are taken."""

    answers: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)
    goes_on: threading.Event = field(default_factory=threading.Event)

    async def values(self, form: PageForm) -> dict[str, Any]:
        """Return drawn values, after the pause."""
        self.answers += form.kind == "game"
        if self.answers == STOPS_AT:
            self.stopped.set()
            while not self.goes_on.is_set():
                await asyncio.sleep(0.1)
        return await super().values(form)


class WithPhone(Participant):
    """A participant who looks at the page of a browser: only that page follows the session's states."""

    poll_s: ClassVar[float] = 0.2

    async def _follow(self) -> None:
        await asyncio.Event().wait()

    async def _wait(self) -> None:
        await asyncio.sleep(self.poll_s)
        await self._refresh()


@contextmanager
def playing() -> Iterator[tuple[SessionLinks, WithPhone, Hesitant, threading.Thread, threading.Event]]:
    """Serve a session, and play it in another thread as soon as the event is set."""
    file = load_session(session_path(SESSION))
    begins = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        journal = f"sqlite:///{folder}/journal.db"
        with session_server([SESSION, "--new", "--port", "0", "--store", journal]) as links:
            log, person = RehearsalLog(), Hesitant("with a phone")
            phone = WithPhone(links.address, links.code, person, log, speed=SPEED)
            visitors: list[Visitor] = [phone.attend]
            visitors += visitors_of(file, links, log, count=file.session.participants - 1, speed=SPEED)

            def play() -> None:
                begins.wait(PATIENCE_S)
                asyncio.run(rehearse(file, links, visitors, log, speed=SPEED))

            thread = threading.Thread(target=play, daemon=True)
            thread.start()
            yield links, phone, person, thread, begins
            if log.faults:
                raise SystemExit(f"participants met faults: {log.faults}")


def opened(browser: Browser, address: str, size: tuple[int, int]) -> Page:
    """Open a page in a window of its own."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, device_scale_factor=SCALE, reduced_motion="reduce", locale="en"
    )
    page = context.new_page()
    page.goto(address)
    return page


def take(page: Page, name: str) -> None:
    """Take a picture of a page when it is at rest."""
    settle(page)
    page.wait_for_timeout(1200)
    save(page.screenshot(), IMAGES / f"{name}.png")


def main() -> None:
    """Take all pictures."""
    with playing() as (links, phone, person, thread, begins), chromium() as browser:
        host = opened(browser, f"{links.address}/host#{links.host}", (DESK[0], 1000))
        host.get_by_role("button", name="Show to the class").click()
        take(host, "session-class")
        host.reload()
        begins.set()
        if not person.stopped.wait(PATIENCE_S):
            raise SystemExit("the person with the phone is not asked")
        page = opened(browser, "about:blank", PHONE)
        page.add_init_script(f"sessionStorage.setItem('ostrom-participant:{links.code}', '{phone.token}')")
        page.goto(f"{links.address}/join/{links.code}")
        take(page, "session-phone")
        host.wait_for_timeout(5000)  # The others come to their waits.
        take(host, "session-host")
        page.context.close()
        person.goes_on.set()
        thread.join(PATIENCE_S)
        host.get_by_role("radio", name="Results").check(force=True)
        take(host, "session-results")


if __name__ == "__main__":
    main()
