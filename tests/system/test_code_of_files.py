"""A journal, a record or an experiment file may name modules, files of players and bots; none is imported or read
because of that. Only installed packages and paths that the user typed are."""

import json

import pytest
from stranger import stranger
from system_lab import Lab

CODE = """
from pathlib import Path
Path(__file__).with_name("executed").touch()
from ostrom import strategy
@strategy(game="commons")
def strange(view): return 0
"""
TOUCHED = "executed"


@pytest.fixture
def given(lab: Lab) -> Lab:
    """A folder with a module that tells whether it was executed, and a finished and an unfinished experiment."""
    (lab.folder / "strange.py").write_text(CODE)
    lab.must("bench", "commons", "--include", "Pavlov:3", "--seats", 3, "--games", 2, "--rule", "turns=2", "--seed", 1)
    return lab


def _rewrite(lab: Lab, **changes: object) -> None:
    """Change what the journal says of its experiment, as whoever gave it may have done."""
    with lab.journal() as journal, journal._database.writing() as connection:
        ((settings,),) = connection.exec_driver_sql("SELECT settings FROM experiments").fetchall()
        changed = json.dumps({**json.loads(settings), "games": 9, **changes})
        connection.exec_driver_sql("UPDATE experiments SET planned = 9, settings = ?", (changed,))


NAMES = ("strange.py", "./strange.py", "strange", "strange:strange", "strange:strange:2", "strange.json")


@pytest.mark.parametrize("name", NAMES)
def test_a_player_that_a_journal_names(given: Lab, name: str) -> None:
    with stranger() as elsewhere:
        bot = {"model": "x", "base_url": elsewhere.base_url}
        (given.folder / "strange.json").write_text(json.dumps(bot))
        _rewrite(given, players=[name] * 3, plugins=["strange.py"])
        done = given.run("resume")
        assert elsewhere.heard() == b"", "nor is the file of a bot read"
    assert (done.status, len(done.complaints)) == (2, 1), done
    assert "has no player called" in done.complaints[0]
    assert "--players FILE.py" in done.complaints[0]
    assert not (given.folder / TOUCHED).exists()


@pytest.mark.slow
def test_a_game_that_a_journal_names(given: Lab) -> None:
    for name in ("strange", "strange.py", "strange:strange"):
        _rewrite(given, game=name)
        with given.journal() as journal, journal._database.writing() as connection:
            connection.exec_driver_sql("UPDATE games SET game = ?, package = 'strange.py'", (name,))
            connection.exec_driver_sql("UPDATE experiments SET kind = ?", (name,))
        done = given.run("resume")
        assert (done.status, len(done.complaints)) == (2, 1), done
        assert "--plugin FILE.py" in done.complaints[0]
        for command in (("status",), ("list", "games"), ("show", "commons-1.1"), ("ratings",), ("export", "commons-1")):
            given.run(*command)
    assert not (given.folder / TOUCHED).exists()


@pytest.mark.slow
def test_a_record_and_an_experiment_file_name_code(given: Lab) -> None:
    given.must("export", "commons-1", "-o", given.folder / "games.jsonl")
    record = json.loads((given.folder / "games.jsonl").read_text().splitlines()[0])
    for change in ({"package": "strange.py"}, {"game": "strange", "package": "strange"}, {"plugins": ["strange.py"]}):
        path = given.folder / "given.json"
        path.write_text(json.dumps({**record, **change}))
        given.run("run", "--replay", path, stored=False)
        given.run("show", path, stored=False)
    table = '[[games]]\ngame = "commons"\nseats = 3\n'
    for first in (
        'plugins = ["strange.py"]',
        'players = ["strange.py"]',
        'include = ["strange.py"]',
        'include = ["strange"]',
    ):
        (given.folder / "given.toml").write_text(f"{first}\n{table}")
        done = given.run("bench", "--file", "given.toml")
        assert (done.status, len(done.complaints)) == (2, 1), done
    assert not (given.folder / TOUCHED).exists()


def test_what_the_user_types_is_executed(given: Lab) -> None:
    """The same module, named by the user: what the tests above look for would be seen."""
    _rewrite(given, players=["strange"] * 3)
    given.run("resume", "--players", "strange.py")
    assert (given.folder / TOUCHED).exists()
