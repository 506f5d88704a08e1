"""What tests of commands share."""

import sys

import pytest

from ostrom.cli.main import main


@pytest.fixture
def complaint(monkeypatch, capsys):
    """Run a command that is refused: what it says, in one line."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["ostrom", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        said = capsys.readouterr()
        assert (caught.value.code, said.out) == (2, "")
        [line] = said.err.splitlines()
        return line

    return run
