"""The wording of prompts is what their golden files say."""

import difflib

from golden_prompts import FOLDER, prompts


def test_prompts_are_worded_as_kept() -> None:
    made = prompts()
    assert sorted(path.name for path in FOLDER.glob("*.txt")) == sorted(made)
    for name, text in made.items():
        kept = (FOLDER / name).read_text(encoding="utf-8")
        changes = "\n".join(difflib.unified_diff(kept.splitlines(), text.splitlines(), name, "now", lineterm=""))
        assert not changes, f"python tests/players/models/golden_prompts.py writes them anew\n{changes}"


def test_terse_prompts_are_short() -> None:
    """A model of 135 million parameters on one slow thread must get through; about 4 characters make a token."""
    made = prompts()
    for name, text in made.items():
        if "-terse-" in name:
            assert len(text) < (3000 if name.startswith("commons") else 1900), name
