"""`ostrom session list`, `check` and `copy`."""

from commandline import document, ostrom


def test_ready_sessions_are_listed():
    rows = {row["name"]: row for row in document("session", "list")["sessions"]}
    assert {"contributions", "contributions-de", "commons", "ultimatum-dictator", "beauty-contest"} <= rows.keys()
    assert rows["contributions-de"]["language"] == "de"
    table = ostrom("session", "list").stdout
    assert "double-auction" in table


def test_a_mistake_is_a_line_and_the_exit_status_is_2(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text("[session]\nname = 'a b'\ntitle = 'T'\nparticipants = 0\n[[games]]\nname = 'g'\ngame = 'nim'\n")
    done = ostrom("session", "check", file)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["session.name", "session.participants", "games.g.group"]


def test_a_copy_of_a_ready_session_is_sound(tmp_path):
    file = tmp_path / "own.toml"
    assert ostrom("session", "copy", "contributions", "-o", file).returncode == 0
    assert document("session", "check", file)["mistakes"] == []
    assert "exists already" in ostrom("session", "copy", "contributions", "-o", file).stderr
