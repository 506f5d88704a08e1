"""Firefox, driven over WebDriver BiDi: its own remote agent speaks it, so that no driver has to be installed.
Playwright asks Debian's Firefox for commands that it does not know."""

import asyncio
import itertools
import os
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

_LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
_PATIENCE = 600
_PREFERENCES = {
    # Nothing but our own pages is asked for.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


class Firefox:
    """A running browser with one page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, itertools.count(1)
        self.context = ""
        self.complaints: list[str] = []
        """What pages said on the console as an error or a warning, and scripts that broke."""

    async def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command, and wait for what it gives; events that come meanwhile are heard."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async with asyncio.timeout(_PATIENCE):
            while True:
                message = await self._socket.receive_json()
                if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                    self.complaints.append(str(message["params"]["text"]))
                if message.get("id") == number:
                    assert message["type"] == "success", f"{method}: {message.get('message')}"
                    return message["result"]

    async def open(self, address: str, shows: str) -> None:
        """Open an address, and wait until an element that fits the selector is there."""
        await self.ask("browsingContext.navigate", context=self.context, url="about:blank", wait="complete")
        await self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")
        async with asyncio.timeout(_PATIENCE):
            while not await self.evaluate(f"document.querySelector({shows!r}) !== null"):
                await asyncio.sleep(0.1)

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        target = {"context": self.context}
        found = await self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert found["type"] == "success", found
        return found["result"].get("value")


@asynccontextmanager
async def firefox(program: str) -> AsyncIterator[Firefox]:
    """The browser, without a window, in a profile of its own, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        written = "".join(f"user_pref({name!r}, {_javascript(value)});\n" for name, value in _PREFERENCES.items())
        (Path(folder) / "user.js").write_text(written.replace("'", '"'))
        environment = {**os.environ, "HOME": folder, "MOZ_HEADLESS": "1"}
        process = await asyncio.create_subprocess_exec(
            program, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE, env=environment,
        )  # fmt: skip
        try:
            address = await _address(process)
            async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}/session") as socket:
                browser = Firefox(socket)
                await browser.ask("session.new", capabilities={})
                tree = await browser.ask("browsingContext.getTree")
                browser.context = tree["contexts"][0]["context"]
                await browser.ask("session.subscribe", events=["log.entryAdded"])
                yield browser
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


def _javascript(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


async def _address(process: asyncio.subprocess.Process) -> str:
    """The address of the browser's remote agent, from its output."""
    assert process.stderr is not None
    async with asyncio.timeout(_PATIENCE):
        while line := await process.stderr.readline():
            if result := _LISTENS.search(line):
                return result[1].decode()
    raise AssertionError("Firefox ended before it listened")
