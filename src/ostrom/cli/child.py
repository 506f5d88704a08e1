"""`python -m ostrom.cli.child ARGUMENTS` runs the command `ostrom` in a process that a server starts. When the standard
input of this process ends, the command stops as after Ctrl-C. The standard input ends when the process that started
this one ends."""

import os
import signal
import threading

from ostrom.cli import start


def main() -> None:
    """Run a command, and stop it when standard input ends."""
    # A server that was started in the background ignores SIGINT, and its children inherit this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stop_at_end_of_input()
    start()


def stop_at_end_of_input() -> None:
    """Interrupt this process when its standard input ends."""
    threading.Thread(target=_wait_for_end_of_input, name="end of input", daemon=True).start()


def _wait_for_end_of_input() -> None:
    while os.read(0, 4096):
        continue
    # The process that reads standard error has ended too, so writing messages must not raise an error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
