"""Compiled programs are kept in the user's cache folder, unless JAX has one already."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from ostrom.sim.jax_engine import _keep_programs


class Config:
    def __init__(self, folder: str | None) -> None:
        self.jax_compilation_cache_dir = folder

    def update(self, name: str, value: object) -> None:
        setattr(self, name, value)


@pytest.mark.parametrize("own", [None, "/elsewhere"])
def test_programs_are_kept_in_the_users_cache(own: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    config = Config(own)
    _keep_programs.__wrapped__(SimpleNamespace(config=config))
    assert config.jax_compilation_cache_dir == (own or str(tmp_path / "ostrom" / "jax"))
    assert (tmp_path / "ostrom" / "jax").is_dir() == (own is None)
