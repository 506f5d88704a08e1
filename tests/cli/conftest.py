"""What tests of commands share."""

import sys

import pytest

from ostrom.charts import render
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


@pytest.fixture
def without_pictures(monkeypatch):
    """Reports whose charts are empty files, for who looks at words and figures alone: most of the time goes into
    them."""
    monkeypatch.setattr(render, "svg", lambda chart, source="": "")
    monkeypatch.setattr(render, "png", lambda picture: b"")
    monkeypatch.setattr(render, "javascript", lambda: "")
