"""`python -m ostrom.cli.child ARGUMENTS`: the command `ostrom` in a process that a server starts. When its standard
input ends, it stops as after Ctrl-C. Standard input ends when the process that started it ends."""

import os
import signal
import threading

from ostrom.cli import start


def main() -> None:
    """Run a command, and stop it when standard input ends."""
    # A server that was started in the background ignores SIGINT, and its children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stop_at_end_of_input()
    start()


def stop_at_end_of_input() -> None:
    """Interrupt this process when its standard input ends."""
    threading.Thread(target=_wait_for_end_of_input, name="end of input", daemon=True).start()


def _wait_for_end_of_input() -> None:
    while os.read(0, 4096):
        continue
    # The reader of standard error has ended too. Messages must not cause an error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
