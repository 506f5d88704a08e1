"""`python -m ostrom.cli.child ARGUMENTS`: the command `ostrom` as a server starts it. It stops in order, as at Ctrl-C,
when the process that started it is gone: its standard input is then at its end. So every run can be stopped."""

import os
import signal
import threading

from ostrom.cli import start


def main() -> None:
    """Run a command, and stop it when standard input ends."""
    # A server in the background may have been started without it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_stop_at_end_of_input, name="end of input", daemon=True).start()
    start()


def _stop_at_end_of_input() -> None:
    while os.read(0, 4096):
        continue
    # Who read what this command says is gone, too: a word on the way to the end must not fail.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
