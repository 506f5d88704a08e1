"""Protocols: their numbers of questions, and the errors of invalid ones."""

import pytest

from games.battery.interviews import SCRIPTS, ended, interview, valid
from ostrom.core import InputError
from ostrom.games.battery.commands.plan import PROTOCOLS, load_protocol
from ostrom.games.battery.stated import TASKS

FURTHER = ("garp", "loss", "ambiguity")


def questions(protocol):
    return sum(rules.questions for rules in protocol.values())


def test_the_full_protocol_by_its_counts():
    full = load_protocol("full")
    assert {task: rules.questions for task, rules in full.items()} == {
        "time": 3038,
        "risk": 2822,
        "dictator": 30,
        "ultimatum": 1290,
        "trust": 210,
        "stag_hunt": 90,
        "public_goods": 120,
        "centipede": 90,
        "traveller": 60,
        "beauty_contest": 30,
        "matching_pennies": 600,
        "garp": 25,
        "loss": 120,
        "ambiguity": 54,
    }
    assert questions(full) == 8579
    # Without the further tasks and the traveller's other bonuses, the published grid:
    assert questions(full) - sum(full[task].questions for task in FURTHER) - 30 == 8350


def test_the_quick_protocol_keeps_every_task_and_role_in_about_300_questions():
    quick = load_protocol("quick")
    assert list(quick) == list(TASKS)
    assert 250 <= questions(quick) <= 320
    for task, rules in quick.items():
        if hasattr(rules, "cells"):
            assert {cell.role for cell in rules.cells()} == set(TASKS[task].roles)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_number_of_questions_is_known_in_advance(protocol):
    rules = load_protocol(protocol)
    asked = {task: ended(interview(task, SCRIPTS.get(task, valid), rules[task])).items for task in rules}
    assert asked == {task: one.questions for task, one in rules.items()}


def test_a_protocol_file_selects_tasks_and_sets_their_rules(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[time]\nlater = [100]\ndelays = [6, 12]\nfronts = [0]\n[dictator]\nrepetitions = 3\n")
    protocol = load_protocol(path)
    assert list(protocol) == ["time", "dictator"]
    assert protocol["time"].delays == (6, 12)
    assert protocol["time"].bisections == 10
    assert protocol["dictator"].questions == 9
    assert load_protocol(str(path)) == protocol


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[dictater]", "there is no task called 'dictater'; did you mean dictator?"),
        ("[xyz]", "there is no task called 'xyz'; it must be one of time, risk,"),
        (
            "[dictator]\npot = [1]",
            "dictator has no setting 'pot'; it must be one of controls, control_answers, pots, repetitions",
        ),
        ("dictator = 3", "dictator must be a table of settings"),
        ("", "names no task"),
        ("[dictator", "is not valid TOML"),
        ("[dictator]\npots = []", "dictator.pots: it must hold at least one number"),
        ("[dictator]\npots = [-10, 10]", "dictator.pots: -10 is not allowed; every number must be above 0"),
        ("[dictator]\npots = [10, 10]", "dictator.pots: the numbers must be sorted"),
        ("[dictator]\npots = [nan]", "dictator.pots: every number must be finite"),
        ("[dictator]\npots = 10", "dictator.pots must be a list, got 10"),
        ("[dictator]\nrepetitions = 0", "dictator.repetitions must be at least 1, got 0"),
        ("[time]\ndelays = [12, 6]", "time.delays: the numbers must be sorted, each larger than the one before"),
        ("[time]\ndelays = [0, 6]", "time.delays: 0 is not allowed"),
        ("[time]\nfronts = [-1]", "time.fronts: -1 is not allowed; no number may be below 0"),
        ("[time]\naskings = 2", "time.askings: it must be odd"),
        ("[time]\nbisections = 0", "time.bisections must be at least 1"),
        ("[risk]\nreferences = [[1, 2, 3]]", "the probabilities of the reference 1, 2, 3 do not sum to one"),
        ("[risk]\nreferences = [[-1, 7, 6]]", "the probabilities of the reference -1, 7, 6 do not sum to one"),
        ("[risk]\nreferences = [[0, 12, 0]]", "the reference 0, 12, 0 has only one possible outcome"),
        ("[risk]\nreferences = []", "at least one lottery"),
        ("[risk]\nreferences = [[4, 4, 4], [4, 4, 4]]", "must differ"),
        ("[ultimatum]\noffers = [0.5, 1.5]", "ultimatum.offers: every number must be a share, from 0 to 1"),
        ("[ambiguity]\nknown = [0.5, 1.0]", "every number must be a probability between 0 and 1"),
        ("[centipede]\nnodes = [7]", "nodes must be sorted and different, each from 1 to 6"),
        ("[centipede]\npayoffs = [[-1, 2]]", "centipede.payoffs.0.0 must be at least 0"),
        ("[traveller]\nhigh = 2", "high must be at least 3"),
        ("[traveller]\nother_bonuses = [2]", "differ from the bonus, which is 2"),
        ("[beauty_contest]\nlow = 100", "high must be above low"),
        ("[garp]\nbudgets = [[100, 0, 1]]", "garp.budgets.0.1 must be more than 0"),
    ],
)
def test_the_error_of_an_invalid_file_is_one_line_that_names_it(tmp_path, text, reason):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load_protocol(path)
    assert reason in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_name_that_is_neither_protocol_nor_file(tmp_path):
    with pytest.raises(InputError, match="no protocol called 'quickk'; it must be full or quick, or a TOML file"):
        load_protocol("quickk")
    with pytest.raises(InputError, match="cannot be read"):
        load_protocol(tmp_path)
