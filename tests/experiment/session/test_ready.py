"""The sessions that are ready to run."""

from ostrom.core.plugins import GAMES
from ostrom.experiment.session.file import load_session
from ostrom.experiment.session.ready import ready_files, ready_sessions

OUTSIDE = "harvest"
"""A game that is a package of its own."""


def test_every_ready_session_can_be_played_where_its_game_is_installed():
    rows = list(ready_sessions())
    assert len(rows) >= 10
    for row in rows:
        assert not [line for line in row["missing"] if OUTSIDE not in line or OUTSIDE in GAMES], row["name"]
        assert row["language"] == ("de" if row["name"].endswith("-de") else "en")


def test_translations_differ_in_texts_only():
    files = ready_files()
    german = [name for name in files if name.endswith("-de")]
    assert len(german) >= 3
    for name in german:
        english = structure(load_session(files[name.removesuffix("-de")]).model_dump(mode="json"))
        assert structure(load_session(files[name]).model_dump(mode="json")) == english, name


def structure(value):
    """Return a session without its texts."""
    texts = {
        "instructions",
        "title",
        "description",
        "language",
        "text",
        "feedback",
        "choices",
        "answer",
        "welcome",
        "low",
        "high",
        "unit",
    }
    if isinstance(value, dict):
        return {name: structure(inner) for name, inner in value.items() if name not in texts}
    if isinstance(value, list):
        return [structure(inner) for inner in value]
    return value.removesuffix("-de") if isinstance(value, str) else value


def test_instructions_are_the_games_own_texts_in_the_language_of_the_session():
    file = load_session(ready_files()["contributions-de"])
    without, punishment = (file.instructions(treatment) for treatment in file.treatments)
    assert "Strafpunkte" in punishment
    assert "Strafpunkte" not in without
    assert "Sie sind" not in without
    assert file.title_of(file.games[0]) == "Freiwillige Beiträge"
    two = load_session(ready_files()["ultimatum-dictator"])
    assert "## Dividing" in two.instructions(two.treatments[0])
