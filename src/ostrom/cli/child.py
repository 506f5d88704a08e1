"""`python -m ostrom.cli.child ARGUMENTS`: the command `ostrom` as a server starts it. It stops as at
Ctrl-C when its standard input ends, which it does when the process that started it ends."""

import os
import signal
import threading

from ostrom.cli import start


def main() -> None:
    """Run a command, and stop it when standard input ends."""
    # A server that was started in the background ignores SIGINT, and its children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_stop_at_end_of_input, name="end of input", daemon=True).start()
    start()


def _stop_at_end_of_input() -> None:
    while os.read(0, 4096):
        continue
    # The reader of standard error is gone, too; messages must not fail.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
