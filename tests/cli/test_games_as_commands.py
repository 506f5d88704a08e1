"""Each game has its own options, made from its rules; a file of the user's brings a game to every command; what does
not load is told in one line."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import answer, document, ostrom

from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.core.settings import describe_rules
from sampling import sampled

ROOT = Path(__file__).parents[2]
VOLUNTEERS = ROOT / "examples" / "volunteers.py"
PLUGIN = ["--plugin", VOLUNTEERS]
LAZY = {
    "ostrom.cli.serve:pages": "pages for people need the extra web",
    "ostrom.experiment.hosting:in_room": "prompts need the extra models",
}
"""What a command reaches by its path, so that it works without an extra that only some of its uses need."""


def options(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))


@pytest.mark.parametrize("command", GAMES.commands())
def test_a_games_help_shows_its_own_rules_and_no_others(command):
    shown = options(answer("run", command, "--help"))
    own = {rule.name.replace("_", "-") for rule in describe_rules(GAMES.of_command(command).rules) if rule.kind}
    assert {f"--{name}" for name in own} <= shown
    others = {
        f"--{rule.name.replace('_', '-')}"
        for other in GAMES.commands()
        for rule in describe_rules(GAMES.of_command(other).rules)
    }
    shared = options(answer("run", "--help"))
    assert (others - {f"--{name}" for name in own} - shared) & shown == set()


@pytest.mark.parametrize("command", ["run", "bench", "tournament", "audit"])
def test_the_help_without_a_game_names_all_games(command):
    text = " ".join(answer(command, "--help").split())
    assert all(name in text for name in GAMES.commands())
    assert "--alpha" not in text


@pytest.mark.parametrize("command", GAMES.commands())
def test_every_rule_has_a_meaning(command):
    assert [rule.name for rule in describe_rules(GAMES.of_command(command).rules) if not rule.meaning] == []


def test_the_rules_of_a_game_are_listed():
    rows = {row["name"]: row for row in document("list", "rules", "punish")["rules"]}
    assert rows["rounds"]["default"] == 10
    assert rows["rounds"]["range"] == "1 to 1,000"
    assert "rounds" in rows["rounds"]["meaning"]
    assert "max-spend" in answer("list", "rules", "punish")


def test_without_a_game_the_default_game_is_meant():
    assert document("run", "--seed", 1, "--turns", 2)["game"] == DEFAULT_GAME
    named = document("run", DEFAULT_GAME, "--seed", 1, "--turns", 2)
    assert document("run", "--seed", 1, DEFAULT_GAME, "--turns", 2) == named


def test_rules_by_option_and_by_name_are_the_same():
    by_option = document("run", "punish", "--rounds", 2, "--no-messages", "--seed", 1)
    assert by_option == document("run", "punish", "--rule", "rounds=2", "--rule", "messages=no", "--seed", 1)
    assert (by_option["rules"]["rounds"], by_option["rules"]["messages"]) == (2, False)


def test_an_option_of_another_game_is_refused_with_the_help_that_lists_its_own(complaint):
    line = complaint("run", "punish", "--alpha", 0.5)
    assert line == "ostrom: punish has no option --alpha; 'ostrom run punish --help' lists its options"


@pytest.mark.slow
def test_a_file_brings_a_game_to_every_command(tmp_path):
    store = f"sqlite:///{tmp_path}/journal.db"
    played = json.loads(ostrom("run", "volunteers", "--rounds", 2, "--seed", 1, *PLUGIN, "--json").stdout)
    assert (played["game"], played["rules"]["rounds"]) == ("volunteers", 2)
    assert [row["rank"] for row in played["standings"]] == sorted(row["rank"] for row in played["standings"])
    rules = json.loads(ostrom("list", "rules", "volunteers", *PLUGIN, "--json").stdout)["rules"]
    assert [rule["name"] for rule in rules] == ["rounds", "benefit", "cost"]
    told = ostrom("bench", *PLUGIN, "volunteers", "--seats", 2, "--games", 4, "--seed", 1, "--store", store)
    assert told.stdout.startswith("4 games of volunteers"), told.stderr
    assert "--cost" in ostrom("run", "volunteers", "--help", *PLUGIN).stdout
    assert "volunteers" in ostrom("list", "games", OSTROM_PLUGINS=str(VOLUNTEERS)).stdout
    # The journal is read without the plugin, too.
    assert "volunteers" in ostrom("status", "--store", store).stdout


@pytest.mark.slow
def test_the_next_steps_of_a_game_from_a_file_name_the_file_and_ratings_miss_it(tmp_path):
    store = ("--store", f"sqlite:///{tmp_path}/journal.db")
    done = ostrom("bench", *PLUGIN, "volunteers", "--seats", 2, "--games", 4, "--seed", 1, *store)
    steps = [line.removeprefix("Next").strip() for line in done.stdout.splitlines() if " ostrom " in line]
    assert len(steps) == 2
    for step in steps:
        assert f" --plugin {VOLUNTEERS} --store " in step
    with_plugin = ostrom(*shlex.split(steps[0])[1:])
    assert (with_plugin.returncode, "is not installed" in with_plugin.stderr) == (0, False)
    without = ostrom("ratings", *store)
    line = "the game 'volunteers' is not installed, so its roles and measures are not known, and figures may differ: "
    assert f"{line}load its plugin file volunteers.py" in " ".join(without.stderr.split())


def test_the_next_steps_name_the_file_of_players_as_a_plugin(tmp_path):
    players = ROOT / "examples" / "my_players.py"
    words = ["--players", players, "--include", "Bookkeeper:5", "--games", 1, "--seed", 1, "--rounds", 1]
    done = ostrom("bench", "punish", *words, "--store", tmp_path / "journal.db")
    steps = [line.removeprefix("Next").strip() for line in done.stdout.splitlines() if " ostrom " in line]
    assert len(steps) == 2
    for step in steps:
        assert f" --plugin {players} --store " in step
    assert ostrom(*shlex.split(steps[0])[1:]).returncode == 0


def test_records_name_the_file_that_adds_a_game_of_another_module(tmp_path):
    shutil.copy(VOLUNTEERS, tmp_path / "their_volunteers.py")
    file = tmp_path / "adds.py"
    file.write_text(
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom their_volunteers import VOLUNTEERS\n"
        "from ostrom.core.plugins import GAMES\nGAMES.add(VOLUNTEERS)\n"
    )
    done = ostrom("run", "volunteers", "--seed", 1, "--plugin", file, "-o", tmp_path / "game.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "game.json").read_text())["package"] == "adds.py"


@pytest.mark.slow
def test_a_file_brings_a_game_to_the_workers_of_a_tournament():
    arguments = ["--games", 4, "--group-size", 2, "--chunk-size", 2, "--seed", 1, "--json"]
    alone = json.loads(ostrom("tournament", "volunteers", *PLUGIN, *arguments).stdout)
    spread = json.loads(ostrom("tournament", "volunteers", *PLUGIN, *arguments, "--workers", 2).stdout)
    assert spread["standings"] == alone["standings"]


BROKEN = {"raise ValueError('one\\ntwo')": "ValueError: one two", "def broken(:": "SyntaxError"}


@pytest.mark.parametrize(("text", "said"), BROKEN.items(), ids=["raises", "no Python"])
def test_a_typed_plugin_that_does_not_load_is_refused_in_one_line(tmp_path, text, said):
    file = tmp_path / "broken.py"
    file.write_text(text)
    done = ostrom("run", "--plugin", file, "--seed", 1)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert said in line
    missing = ostrom("list", "--plugin", tmp_path / "nowhere.py")
    assert (missing.returncode, len(missing.stderr.splitlines())) == (2, 1)


def test_a_part_that_does_not_exist_is_refused_in_one_line(tmp_path):
    file = tmp_path / "volunteers.py"
    text = VOLUNTEERS.read_text(encoding="utf-8")
    for part, reason in (("nowhere.scene:SCENE", "No module named 'nowhere'"), ("ostrom.core:NO", "has no 'NO'")):
        declared = f'    unit="points",\n    scene="{part}",\n'
        file.write_text(text.replace('    unit="points",\n', declared), encoding="utf-8")
        done = ostrom("run", "volunteers", "--plugin", file, "--seed", 1, "-v")
        (line,) = done.stderr.splitlines()
        assert (done.returncode, reason in line) == (2, True), line
        assert f"the scene of volunteers, {part}, cannot be imported: " in line


def test_the_init_file_of_a_package_with_a_game_is_refused_in_one_line(tmp_path):
    file = shutil.copy(VOLUNTEERS, tmp_path / "__init__.py")
    done = ostrom("run", "volunteers", "--plugin", file, "--seed", 1)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, line.endswith("name a file outside the package that imports the game")) == (2, True)


def test_a_broken_plugin_of_the_environment_is_named_and_stops_nothing(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("raise ValueError('no')")
    done = ostrom("run", "--seed", 1, "--turns", 2, "--json", OSTROM_PLUGINS=str(file))
    assert done.returncode == 0
    assert json.loads(done.stdout)["game"] == DEFAULT_GAME
    (line,) = done.stderr.splitlines()
    assert "broken.py" in line
    assert "ValueError: no" in line


@pytest.mark.slow
def test_the_doctor_lists_plugins_and_what_failed(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("raise ValueError('no')")
    done = ostrom("doctor", "--plugin", VOLUNTEERS, "--plugin", file, "--json")
    found = {(one["group"], one["name"]): one for one in json.loads(done.stdout)["plugins"]}
    assert found["ostrom.games", "punish"]["package"] == "ostrom"
    assert found["file", "volunteers.py"]["state"] == "ok"
    assert found["file", "broken.py"]["state"] == "broken"
    assert "ValueError: no" in found["file", "broken.py"]["failure"]
    assert (done.returncode, done.stderr) == (1, "")


WITHOUT = """
import sys
from ostrom.core.entry_points import EXTRAS

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from ostrom.cli.main import main
sys.argv = ["ostrom", *sys.argv[1:]]
main()
"""


def without_extras(*arguments):
    words = [str(argument) for argument in arguments]
    return subprocess.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, encoding="utf-8", check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    sampled(["run --seed 1 --turns 2", "list games", "bench battery --help", "tournament --games 2 --seed 1"], 1),
)
def test_what_needs_no_extra_works_without_any(arguments):
    done = without_extras(*arguments.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [("serve", "web"), ("animate x.json -o x.gif", "video")],
)
def test_a_missing_extra_is_told_in_one_line(arguments, extra):
    done = without_extras(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(rf"ostrom: .*not installed: pip install 'ostrom\[{extra}\]'", line)


def test_what_is_reached_by_its_path_is_there():
    for path in LAZY:
        module, _, name = path.partition(":")
        assert hasattr(__import__(module, fromlist=[name]), name)


def test_where_not_everybody_fits_the_usual_number_sits_down():
    assert {one["name"] for one in document("run", "repeated", "--seed", "1")["standings"]} == {"AllC", "AllD"}


def test_a_model_sits_down_before_the_games_own_players(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "nobody-is-asked")
    planned = document("run", "repeated", "--llm", "openai:gpt-5-mini", "--rounds", "3", "--dry-run")["dry_run"]
    assert [model["calls"] for model in planned["models"].values()] == [3.0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["tournament", "volunteers", "--benefit", 20],
        ["sweep", "volunteers", "--vary", "seats=3,4"],
        ["sweep", "volunteers", "--vary", "seats=3,4", "--open", 1, "--number", 1],
    ],
)
def test_a_command_that_is_printed_names_the_file_that_brings_the_game(arguments, tmp_path):
    folder = tmp_path / "my $games"
    folder.mkdir()
    plugin = shutil.copy(VOLUNTEERS, folder)
    done = ostrom(*arguments, "--games", 2, "--seed", 1, "--plugin", plugin)
    command, *words = shlex.split(next(line for line in done.stdout.splitlines() if line.startswith("   ostrom run")))
    again = ostrom(*words)
    assert (command, again.returncode) == ("ostrom", 0), again.stderr
    assert "seed 1" in again.stdout


STOPPING = '''
import os
import signal
from pathlib import Path

from ostrom import Champion, register_champion


@register_champion
class Stopping(Champion):
    """Stops the run until it is allowed to play."""

    def decide(self, ctx):
        if not Path(__file__).with_name("allowed").exists():
            os.kill(os.getpid(), signal.SIGINT)
        return 1.0
'''


@pytest.mark.parametrize("option", ["--plugin", "--players"])
def test_the_line_that_resumes_a_run_names_the_files_that_it_needs(option, tmp_path):
    (tmp_path / "my $players").mkdir()
    file = tmp_path / "my $players" / "stopping.py"
    file.write_text(STOPPING)
    table = ["--include", "Stopping:2", "--include", "Parasite", "--turns", 2]
    done = ostrom("bench", "commons", *table, "--games", 1, "--seed", 1, option, file, folder=tmp_path)
    command, *words = shlex.split(done.stderr.partition("Resume with: ")[2])
    file.with_name("allowed").touch()
    again = ostrom(*words, folder=tmp_path)
    assert (command, again.returncode, again.stderr) == ("ostrom", 0, "")


def test_a_table_that_needs_an_even_number_has_its_usual_number_of_players():
    # Without Chatter, the number of its strategies is odd.
    done = ostrom("run", "double-auction", "--rounds", 2, "--seed", 1, "--exclude", "Chatter", "--json")
    assert (done.returncode, len(json.loads(done.stdout)["standings"])) == (0, 6)
