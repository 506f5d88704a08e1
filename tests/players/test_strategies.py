"""Players from outside, in every game: classes and functions, from programs, files, packages and notebooks."""

import importlib.metadata
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import ostrom
from ostrom.core import InputError, PlayerFault, UnknownName, entry_points, plugins
from ostrom.core.entry_points import failures
from ostrom.core.plugins import GAMES
from ostrom.games.battery.subjects import SUBJECTS
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players import roster, strategy
from ostrom.players.strategy import Strategy, parameter

EXAMPLE = Path(__file__).parents[2] / "examples/my_players.py"
OTHERS = ["Cooperator", "FreeRider", "Retaliator"]


@pytest.fixture(autouse=True)
def registries(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(strategy, "_BY_GAME", {})
    monkeypatch.setattr(strategy, "_BY_MODULE", {})
    monkeypatch.setattr(plugins, "_files", {})
    for registry in (CHAMPIONS, SUBJECTS):
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    roster.load_installed.cache_clear()
    yield
    roster.load_installed.cache_clear()


class Halver(Strategy):
    """Gives half of what it holds. It punishes nobody."""

    def answer(self, question, draw):
        return {"message": "", "contribution": question.view.balance // 2}.get(
            question.phase, {"target": None, "spend": 0}
        )


def contributions(match, seat=0):
    return [
        decision.answer.value
        for decision in match.decisions
        if decision.question.seat.index == seat and decision.question.phase == "contribution"
    ]


@pytest.mark.parametrize("game", ["punish", "contribute_punish", GAMES["contribute_punish"]])
def test_a_registered_class_plays_under_its_name(game):
    ostrom.strategy(game=game)(Halver)
    match = ostrom.play(["Halver", *OTHERS], game="punish", seed=3)
    first, *_ = contributions(match)
    assert (match.names[0], first) == ("Halver", match.rules.start // 2)
    entry = roster.built_in_players("contribute_punish")["Halver"]
    assert (entry.description, entry.origin) == ("Gives half of what it holds", __name__)
    assert "Halver" not in roster.built_in_players("commons")


def test_a_class_sits_down_without_being_registered():
    match = ostrom.play([Halver, *OTHERS], game="punish", seed=3)
    assert match.names[0] == "Halver"


def test_a_function_plays_trust_with_and_without_chance():
    @ostrom.strategy(game="trust")
    def nothing(question):
        return 0

    @ostrom.strategy(game="trust", name="dice")
    def drawing(question, draw):
        drawn.append((question.phase, draw(), draw()))
        return 0

    drawn = []
    matches = [ostrom.play(["dice", "nothing"], game="trust", seed=4) for _ in range(2)]
    assert matches[0].names == ("dice", "nothing")
    once, again = drawn
    assert once == again
    assert once[1] != once[2]


def test_a_strategy_of_the_commons_plays_its_games_and_tournaments():
    @ostrom.strategy(game="commons")
    class Stubborn(Strategy):
        """Gives 0.3."""

        def answer(self, question, draw):
            return {"contribution": 0.3, "lobby": 0.0, "vote": None}

    with pytest.raises(PlayerFault, match=r"Stubborn \(seat P1\) broke the rules in turn 1"):
        ostrom.play(["Stubborn", "Pavlov"], seed=1)
    rules = ostrom.CommonsRules(turns=4)
    match = ostrom.play(["Stubborn", "Pavlov", "TitForTat"], rules=rules, seed=1)
    result = ostrom.tournament(ostrom.choose(["Stubborn", "Pavlov", "TitForTat"]), games=2, seed=1, rules=rules)
    assert result.slow == ("Stubborn",)
    finals = {row.name: row.mean_final.value for row in result.standings}
    assert finals == pytest.approx(dict(zip(match.names, GAMES["commons"].finals(match.events), strict=True)))


def test_what_a_strategy_raises_is_named_with_seat_and_turn():
    def broken(question, draw):
        raise KeyError("gone")

    with pytest.raises(PlayerFault, match=r"^broken \(seat P2\) raised KeyError: 'gone' in turn 1$"):
        ostrom.play(["Cooperator", broken, "FreeRider"], game="punish")


def test_parameters_are_set_after_a_colon():
    @ostrom.strategy(game="punish")
    @dataclass
    class Part(Halver):
        """Gives a part."""

        part: float = parameter(0.5, 0.0, 1.0, "the part that it gives")

        def answer(self, question, draw):
            given = super().answer(question, draw)
            return int(question.view.balance * self.part) if question.phase == "contribution" else given

    match = ostrom.play(["Part:part=0.25", *OTHERS], game="punish", seed=1)
    assert match.names[0] == "Part:part=0.25"
    assert contributions(match)[0] == match.rules.start // 4
    assert roster.descriptions("contribute_punish")[-1]["parameters"] == ["part=0.5"]
    with pytest.raises(InputError, match="part must be a number from 0 to 1"):
        ostrom.play(["Part:part=2", *OTHERS], game="punish")


def test_a_file_brings_players_to_several_games():
    assert ostrom.load_players_file(EXAMPLE) == ["Bookkeeper", "coin", "generous"]
    punished = ostrom.play(["Bookkeeper", *OTHERS], game="punish", seed=2)
    assert any(getattr(event, "punisher", None) == 0 for event in punished.events)
    assert ostrom.play(["coin", "selfish"], game="trust", seed=2).names == ("coin", "selfish")
    match = ostrom.play(["generous:share=0.25", "selfish"], game="dictator", seed=1)
    assert match.events[-1].payoffs == [75.0, 25.0]
    assert ostrom.load_players_file(EXAMPLE) == ["Bookkeeper", "coin", "generous"]


def test_a_file_that_names_no_such_game_or_a_taken_name_is_refused(tmp_path):
    text = "from ostrom import strategy\n@strategy(game={game!r})\ndef {name}(question): return 0\n"
    unknown, taken = tmp_path / "unknown.py", tmp_path / "taken.py"
    unknown.write_text(text.format(game="punsih", name="mine"))
    with pytest.raises(UnknownName, match="did you mean punish"):
        ostrom.load_players_file(unknown)
    taken.write_text(text.format(game="punish", name="Cooperator"))
    with pytest.raises(InputError, match="two entries for the player 'Cooperator'"):
        ostrom.load_players_file(taken)


def test_packages_bring_players_through_entry_points(monkeypatch, tmp_path, capsys):
    (tmp_path / "lab_players.py").write_text(
        "from ostrom import strategy\n@strategy(game='punish')\ndef from_a_package(question):\n    return 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    points = {
        "ostrom.players": [
            importlib.metadata.EntryPoint("lab", "lab_players", "ostrom.players"),
            importlib.metadata.EntryPoint("broken", "no_such_module", "ostrom.players"),
        ]
    }
    found = importlib.metadata.entry_points
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [*found(group=group), *points.get(group, [])])
    plugins.declared.cache_clear()
    roster.load_installed.cache_clear()
    try:
        assert "from_a_package" in roster.built_in_players("contribute_punish")
    finally:
        monkeypatch.undo()
        plugins.declared.cache_clear()
        roster.load_installed.cache_clear()
    # The library is silent; the command line names what is noted.
    assert capsys.readouterr() == ("", "")
    (broken,) = [plugin for plugin in failures() if plugin.where == "no_such_module"]
    assert "ModuleNotFoundError" in str(broken.failure)
    entry_points._failures.clear()  # or commands of later tests name it


CELL = """
import dataclasses
import ostrom
from ostrom.core.plugins import GAMES
from ostrom.games.battery.stated import TASKS
from ostrom.players.models.briefing import briefing_of

def cell(amount):
    namespace = {"__name__": "__main__", "ostrom": ostrom, "amount": amount}
    exec('''
@ostrom.strategy(game="trust")
def mine(question):
    return amount

class Mine(ostrom.Champion):
    def decide(self, ctx):
        return amount / 10
ostrom.register_champion(Mine)
def play(rules, table):
    yield []
''', namespace)
    own = {"name": "stated_mine", "command": "stated-mine", "play": namespace["play"], "briefing": None}
    made[amount] = GAMES.add(dataclasses.replace(GAMES["stated_trust"], **own, title=f"My {amount}"))
    print(TASKS["mine"].game is made[amount], TASKS["mine"].game.title, briefing_of("stated_mine") is not told)

made, told = {}, None
cell(1)
told = briefing_of("stated_mine")
cell(2)
print(ostrom.play(["mine", "selfish"], game="trust").decisions[0].answer.value)
print(ostrom.play(["Mine", "Pavlov"], rules=ostrom.CommonsRules(turns=1)).events[0].contributions[0])
for name, game in (("selfish", "trust"), ("mine", "trsut")):
    try:
        exec(f'''
@ostrom.strategy(game={game!r}, name={name!r})
def other(question):
    return 0
ostrom.play([{name!r}, "selfish"], game="trust")
''', {"__name__": "__main__", "ostrom": ostrom})
    except ostrom.InputError as error:
        print(error)
"""


@pytest.mark.slow
def test_a_cell_that_is_run_again_replaces_its_own_and_nothing_else(tmp_path):
    script = tmp_path / "notebook.py"
    script.write_text(CELL)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    first, second, amount, given, taken, unknown = done.stdout.splitlines()
    assert (first, second) == ("True My 1 True", "True My 2 True")
    assert (float(amount), float(given)) == (2.0, 0.2)
    assert "two entries for the subject 'selfish'" in taken
    assert "did you mean trust" in unknown


def test_the_same_definition_may_come_again_and_another_may_not():
    ostrom.strategy(game="punish")(Halver)
    ostrom.strategy(game="punish")(Halver)
    with pytest.raises(InputError, match="two entries for the player 'Halver'"):
        ostrom.strategy(game="punish", name="Halver")(lambda question: 0)


@pytest.mark.slow
def test_players_and_plugin_files_reach_every_game_on_the_command_line(tmp_path):
    def standings(*arguments):
        command = [sys.executable, "-m", "ostrom", "run", *arguments, "--seed", "1", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        return {row["name"] for row in json.loads(done.stdout)["standings"]}

    names = ["--include", "Bookkeeper", "--include", "Cooperator:2"]
    assert standings("punish", "--players", str(EXAMPLE), *names) == {"Bookkeeper", "Cooperator"}


def test_what_is_no_strategy_is_refused():
    with pytest.raises(InputError, match=r"must derive from ostrom\.Strategy"):
        ostrom.strategy(game="punish")(dict)
    with pytest.raises(InputError, match="is not a player"):
        ostrom.play([3, "Cooperator"], game="punish")
