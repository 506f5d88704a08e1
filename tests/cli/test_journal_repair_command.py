"""`ostrom journal`: check, repair and settle, as a user types them."""

import shutil
import sqlite3

from commandline import ostrom as run


def ostrom(*arguments, status=0):
    done = run(*arguments)
    assert done.returncode == status, done
    return done


def test_check_repair_and_settle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ostrom("bench", "punish", "--games", "1", "--seats", "3", "--rule", "rounds=1", "--seed", "1")
    assert "is sound" in ostrom("journal", "check").stdout
    with sqlite3.connect("ostrom.db") as file:
        file.execute("UPDATE games SET finals = 'x'")
    file.close()
    found = ostrom("journal", "check", status=1)
    assert "games.1.finals: x is not a JSON list of numbers" in found.stdout
    assert "ostrom journal repair\n" in found.stdout
    shutil.copy("ostrom.db", "a copy.db")
    copied = ostrom("journal", "check", "--store", "a copy.db", status=1)
    assert "ostrom journal repair --store 'a copy.db'\n" in copied.stdout
    assert "ostrom.damaged.db" in ostrom("journal", "repair").stdout
    assert "is sound" in ostrom("journal", "check").stdout
    assert "no calls that were sent" in ostrom("journal", "settle", "punish-1", "--charged", "0").stdout
    assert "it must be one of check, repair, settle" in ostrom("journal", "heal", status=2).stderr
