"""The question whether a key may go to a host, in a real terminal: only a typed yes lets it go."""

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import termios
import time
from pathlib import Path

import pytest
from stranger import Stranger, answer, stranger
from system_lab import OSTROM, PATIENCE, Lab

pytestmark = pytest.mark.slow

KEY = "quite-a-plain-sesame-opener"
QUESTION = b"Allow it from now on? [y/N]: "
REFUSED = b"may not go to"
COMMAND = ("bench", "punish", "--include", "ash:3", "--seats", 3, "--games", 1, "--rule", "rounds=1")
SHORT = ("--retries", 0, "--attempts", 1, "--patience", 0.1)


class Terminal:
    """The command in a terminal of its own, of which it is the master."""

    def __init__(self, lab: Lab) -> None:
        self._end, other = pty.openpty()
        self._process = subprocess.Popen(
            [OSTROM, *map(str, (*COMMAND, *SHORT)), "--store", lab.store],
            stdin=other,
            stdout=other,
            stderr=other,
            cwd=lab.folder,
            env=lab._surroundings() | {"TERM": "xterm", "HOUSE_PASS": KEY},
            start_new_session=True,
            preexec_fn=self._take_terminal,
        )
        os.close(other)
        self.shown = b""

    @staticmethod
    def _take_terminal() -> None:
        """Make standard input the terminal of the new session. A hangup, which some systems send to the command while
        it ends, is ignored: this test is about keys, and the status is to be the command's own."""
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def until(self, wanted: bytes) -> None:
        """Read what it shows, up to this."""
        while wanted not in self.shown:
            assert self._read(), self.shown

    def type(self, keys: bytes) -> None:
        """Press these keys once it waits for them. Python heeds an interrupt that comes between its last look for
        signals and its read only with the next key."""
        until = time.monotonic() + PATIENCE
        while not self._waits_for_keys():
            assert time.monotonic() < until, self.shown
            time.sleep(0.01)
        os.write(self._end, keys)

    def end(self) -> int:
        """Read to the end, and return the status of the command."""
        while self._read():
            pass
        status = self._process.wait(timeout=PATIENCE)
        os.close(self._end)
        return status

    def _waits_for_keys(self) -> bool:
        """Return whether it sleeps in a call whose first argument is standard input, or, if the system does not show
        calls, whether it sleeps."""
        folder = Path(f"/proc/{self._process.pid}")
        if (folder / "stat").read_text().rpartition(")")[2].split()[0] != "S":
            return False
        try:
            call = (folder / "syscall").read_text().split()
        except OSError:
            return True
        return call[1:2] == ["0x0"]

    def _read(self) -> bool:
        """Read what it shows next. False once it has closed the terminal."""
        assert select.select([self._end], [], [], PATIENCE)[0], self.shown
        try:
            piece = os.read(self._end, 65_536)
        except OSError:  # No process is at the other end any more.
            return False
        self.shown += piece
        return bool(piece)


def confirmed(lab: Lab) -> dict[str, list[str]]:
    file = lab.folder / "config" / "ostrom" / "keys.json"
    found: dict[str, list[str]] = json.loads(file.read_text()) if file.exists() else {}
    return found


def asked(lab: Lab, elsewhere: Stranger, keys: bytes) -> tuple[int, bytes]:
    """How it ends after these keys; it is not sent anything before."""
    lab.bot("ash", elsewhere.base_url, key_env="HOUSE_PASS")
    terminal = Terminal(lab)
    terminal.until(QUESTION)
    assert f"ash would send the key in HOUSE_PASS to {elsewhere.place}".encode() in terminal.shown.replace(
        b"\r\n", b" "
    )
    assert elsewhere.heard() == b""
    terminal.type(keys)
    status = terminal.end()
    assert KEY.encode() not in terminal.shown
    assert b"Traceback" not in terminal.shown
    return status, terminal.shown


def test_yes_lets_it_go_and_is_remembered(lab: Lab) -> None:
    with stranger(answer(b"{}", status="401 No")) as elsewhere:
        status, _ = asked(lab, elsewhere, b"y\n")
        assert f"Bearer {KEY}".encode() in elsewhere.heard()
        assert confirmed(lab) == {"HOUSE_PASS": [elsewhere.place]}
        assert status == 1  # the server has refused it


@pytest.mark.parametrize(
    ("keys", "ends"),
    [
        pytest.param(b"n\n", 2, id="no"),
        pytest.param(b"\x03", 130, id="Ctrl-C"),
        pytest.param(b"\x04", 130, id="Ctrl-D", marks=pytest.mark.long),
        pytest.param(b"\n", 2, id="Enter", marks=pytest.mark.long),
    ],
)
def test_anything_else_does_not(lab: Lab, keys: bytes, ends: int) -> None:
    with stranger() as elsewhere:
        status, shown = asked(lab, elsewhere, keys)
        assert elsewhere.heard() == b""
        assert confirmed(lab) == {}
        assert status == ends, shown
        assert (REFUSED in shown) == (ends == 2)


def test_without_a_terminal_it_is_refused_with_the_line_that_allows_it(lab: Lab) -> None:
    with stranger() as elsewhere:
        lab.bot("ash", elsewhere.base_url, key_env="HOUSE_PASS")
        lab.environment["HOUSE_PASS"] = KEY
        done = lab.run(*COMMAND)
        assert done.status == 2
        assert done.complaints == [
            f"ostrom: the model ash: the key in HOUSE_PASS may not go to {elsewhere.place}; "
            f"to allow it: ostrom keys allow HOUSE_PASS {elsewhere.place}"
        ]
        assert elsewhere.heard() == b""
