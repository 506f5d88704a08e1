"""The page of docs about session files has every field of the models."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_page_has_every_field_as_it_is():
    spec = importlib.util.spec_from_file_location("make_session_file", DOCS / "make_session_file.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (DOCS / "session-file.md").read_text(encoding="utf-8")
    assert module.filled(page) == page, "run python docs/make_session_file.py"
