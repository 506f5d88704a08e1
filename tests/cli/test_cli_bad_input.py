"""Bad input: one line on standard error, nothing on standard output, exit status 2."""

import json

import pytest
from commandline import GENTLE, WILD, ostrom, seats

import ostrom as lab
from ostrom.games.commons import CommonsRules

PAIR = seats("Wild", "Pavlov")


def complaint(*arguments, status=2, slower=False):
    """What is complained about, in one line; a user's champion in a tournament is also said to be slow."""
    result = ostrom(*arguments)
    lines = result.stderr.splitlines()
    assert "Traceback" not in result.stderr, lines[-1]
    assert result.returncode == status
    assert result.stdout == ""
    if slower:
        assert "which slows the tournament" in lines.pop(0)
    assert len(lines) == 1
    assert lines[0].startswith("ostrom: ")
    return lines[0]


@pytest.fixture(scope="module")
def record():
    match = lab.play(["Justicier:2", "Parasite", "RandomPlayer"], rules=CommonsRules(duration=5), seed=3)
    return lab.record_of(match).model_dump(mode="json")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run --include Pavlof --include Pavlov", "did you mean Pavlov?"),
        ("bench commons --until= --games 2", "invalid --until"),
        ("run --include titfortat --include Pavlov", "TitForTat"),
        ("tournament --exclude Justicer", "did you mean Justicier"),
        ("run --include Pavlov:0 --include Pavlov", "Pavlov:0"),
        ("tournament --include Pavlov:-2", "Pavlov:-2"),
        ("run --include Pavlov:x", "Pavlov:x"),
        ("run --include Pavlov:1001", "at most 1,000"),
        ("run --include Pavlov:1000000000000000", "Pavlov"),
        ("run --alpha 1.5", "alpha must be at most 1, got 1.5"),
        ("run --alpha -0.1", "alpha must be at least 0, got -0.1"),
        ("tournament --alpha nan", "alpha must be"),
        ("run --alpha much", "alpha must be a number, got 'much'"),
        ("run --include Pavlov", "one player only"),
        ("tournament --include Pavlov", "at least 2 players"),
        ("run --include Pavlov --include Parasite --exclude Pavlov", "one player only"),
        ("run --include Pavlov:2 --exclude Parasite", "not among the players"),
        ("run --duration 0", "duration must be at least 1, got 0"),
        ("run --turns 0", "turns must be at least 1, got 0"),
        ("run --endowment -5", "endowment must be more than 0, got -5"),
        ("run --endowment nan", "endowment must be"),
        ("tournament --endowment 1e308 --games 2 --seed 1 --json", "endowment"),
        ("run --endowment 1e308 --seed 1", "endowment"),
        ("run --erosion-intensity -1", "erosion_intensity must be at least 0, got -1"),
        ("run --erosion-intensity inf", "erosion_intensity must be at most 100"),
        ("run --seed -1", "seed -1"),
        ("tournament --seed 18446744073709551616", "2^64 - 1"),
        ("run --seed many", "--seed"),
        ("run chess", "'chess'"),
        ("tournament --games 0", "--games must be at least 1, got 0"),
        ("tournament --games 5000000000", "too many"),
        ("tournament --group-size 1", "--group-size must be at least 2, got 1"),
        ("tournament --group-size 17", "from 2 to 16"),
        ("bench commons --games 1180591620717411303424", "games are too many for one experiment; at most 2,147"),
        ("tournament --workers 0", "--workers must be at least 1, got 0"),
        ("tournament --chunk-size 0", "--chunk-size must be at least 1, got 0"),
        ("tournament --backend abacus", "abacus"),
        ("tournament --nope", "--nope"),
        ("compute", "compute"),
        ("list people", "people"),
        ("run --number 3", "must be given together"),
        ("run --players nowhere.py", "nowhere.py"),
        ("tournament --players Pavlov", "--players must be a Python file; --include seats a player by name"),
        ("run --replay nowhere.json", "nowhere.json"),
        ("run --output /dev/null/game.json", "/dev/null/game.json cannot be written"),
    ],
)
def test_what_cannot_be_is_refused(arguments, said):
    assert said in complaint(*arguments.split())


@pytest.mark.parametrize(
    ("options", "number", "said"),
    [
        ("--games 3 --seed 1 --group-size 4", 5460, "games 0 to 5459"),
        ("--games 3 --seed 1", -1, "games 0 to 2"),
        ("--games 3", 1, "--seed"),
        ("--games 3 --seed 1 'open", 1, "cannot be read"),
        ("--games 3 --seed 1 --nope", 1, "--nope"),
    ],
)
def test_a_game_that_no_tournament_has_is_refused(options, number, said):
    assert said in complaint("run", "--from-tournament", options, "--number", number)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nosuchmodule", "ModuleNotFoundError"),
        ("def broken(:", "SyntaxError"),
        ("raise ValueError('one\\ntwo')", "ValueError: one two"),
        ("raise SystemExit", "SystemExit"),
        ("x = 1", "registers no player"),
        (GENTLE.replace("Gentle", "Pavlov"), "two entries"),
        ("from ostrom import register_champion\n@register_champion\nclass No:\n    pass", "must derive"),
    ],
)
@pytest.mark.parametrize("command", ["run", "list"])
def test_a_file_of_champions_that_does_not_import_is_refused(tmp_path, command, text, said):
    file = tmp_path / "mine.py"
    file.write_text(text)
    assert said in complaint(command, "--players", file)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("return 1.7", "broke the rules in turn 3: contribution: 1.7"),
        ("return -0.01", "broke the rules in turn 3: contribution: -0.01"),
        ("return float('nan')", "broke the rules in turn 3: contribution: nan"),
        ("return None", "broke the rules in turn 3: contribution: None"),
        ("return '1'", "broke the rules in turn 3: contribution: '1'"),
        ("return True", "broke the rules in turn 3: contribution: True"),
        ("raise KeyError('no\\nidea')", "raised KeyError"),
        ("return 1 / 0", "raised ZeroDivisionError: division by zero in turn 3"),
        ("raise SystemExit", "SystemExit"),
    ],
)
@pytest.mark.parametrize("command", ["run", "tournament"])
def test_a_champion_that_breaks_the_rules_is_named_with_its_turn(tmp_path, command, deed, said):
    file = tmp_path / "wild.py"
    file.write_text(WILD.format(deed=deed))
    settings = ["--players", file, *PAIR, "--seed", 1, "--turns", 5]
    settings += ["--games", 3] if command == "tournament" else ["--output", tmp_path / "game.json"]
    text = complaint(command, *settings, slower=command == "tournament")
    assert said in text
    assert "Wild (seat P1)" in text
    assert "turn 3" in text
    assert not (tmp_path / "game.json").exists()


@pytest.mark.slow
def test_jax_refuses_a_champion_in_plain_python(tmp_path):
    file = tmp_path / "gentle.py"
    file.write_text(GENTLE)
    arguments = ["--backend", "jax", "--players", file, *seats("Gentle", "Pavlov"), "--games", 2]
    assert "Gentle plays in plain Python" in complaint("tournament", *arguments, slower=True)


@pytest.mark.parametrize("place", [".", "plain/game.json"])
def test_an_output_that_cannot_be_written_is_refused(tmp_path, place):
    (tmp_path / "plain").touch()
    assert "cannot be written" in complaint("run", "--output", tmp_path / place)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[: len(text) // 2], "cut off"),
        (lambda text: text.replace('"version": 2, "ostrom"', '"version": 9, "ostrom"'), "version 9"),
        (lambda text: text.replace("ostrom-game", "other"), "not a game's record"),
        (lambda text: "", "not a complete record"),
        (lambda text: "[" * 100_000, "record"),
        (lambda text: text.replace('"alpha": 0.5', '"alpha": 3', 1), "alpha must be at most 1, got 3"),
    ],
)
def test_a_record_that_is_not_whole_or_of_another_kind_is_refused(tmp_path, record, change, said):
    file = tmp_path / "game.json"
    file.write_text(change(json.dumps(record)))
    assert said in complaint("run", "--replay", file)


def test_settings_beside_a_record_are_refused(tmp_path, record):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert "--alpha" in complaint("run", "--replay", file, "--alpha", 0.3)


def test_a_record_that_disagrees_is_told_in_one_line_and_is_not_a_success(tmp_path, record):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record | {"events": record["events"][:-1]}))
    assert "events" in complaint("run", "--replay", file, status=1)
