"""What tests of charts share."""

import pytest

from ostrom.charts import render


@pytest.fixture
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports whose pictures are empty: for tests of words, tables and refusals. To paint one takes seconds, and other
    tests look at every picture."""
    monkeypatch.setattr(render, "svg", lambda chart, source="": "<svg/>")
    monkeypatch.setattr(render, "png", lambda picture: b"\x89PNG")
