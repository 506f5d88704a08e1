"""A journal whose replies another experiment takes over."""

from pathlib import Path

import pytest
from stored_journals import make

from ostrom.core import InputError
from ostrom.experiment.reuse import open_source


def test_the_source_is_only_read(tmp_path: Path) -> None:
    make("schema_10", f"sqlite:///{tmp_path / 'old.db'}")
    content = (tmp_path / "old.db").read_bytes()
    with pytest.raises(InputError, match="opened for reading only"):
        open_source(str(tmp_path / "old.db"))
    assert (tmp_path / "old.db").read_bytes() == content
    with pytest.raises(InputError, match="there is no journal"):
        open_source(str(tmp_path / "missing.db"))
