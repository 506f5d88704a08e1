"""The command line. Each command has its own file, and `main` only assembles the commands."""

import signal


def start() -> None:
    """Run the command `ostrom`. An interrupt while modules are still being imported ends it without a message."""
    heeded = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ostrom.cli.main import main  # Imported after interrupts are handled.

    signal.signal(signal.SIGINT, heeded)
    main()
