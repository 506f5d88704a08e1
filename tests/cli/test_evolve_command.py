"""`ostrom evolve`: what it prints, as tables and as a document, and what it refuses in one line."""

import json

import pytest
from commandline import answer, document, ostrom

import ostrom as lab
from ostrom.charts.render import embedded

HAWKS = "hawk,dove\n-0.5,2\n0,0\n"


@pytest.fixture
def hawks(tmp_path):
    file = tmp_path / "hawks.csv"
    file.write_text(HAWKS)
    return file


def test_a_matrix(hawks):
    found = document("evolve", "--matrix", hawks, "--seed", 1)["evolution"]
    assert found["players"] == ["hawk", "dove"]
    by_pair = {(row["resident"], row["mutant"]): row["value"] for row in found["fixations"]}
    assert by_pair["dove", "hawk"] == pytest.approx(0.8641155742462664, rel=1e-13)
    assert found["shares"][0]["low"] == found["shares"][0]["value"]
    assert len(found["gradient"]) == 101


def test_a_matrix_of_three_seats_in_json(tmp_path):
    file = tmp_path / "good.json"
    pays = [[[0.8 * (3 - sum((i, j, k))) - (i == 0) for k in (0, 1)] for j in (0, 1)] for i in (0, 1)]
    file.write_text(json.dumps({"players": ["give", "keep"], "payoffs": pays}))
    found = document("evolve", "--matrix", file, "--process", "replicator", "--seed", 1)["evolution"]
    assert found["group_size"] == 3
    assert found["shares"][1]["value"] > 0.99
    assert [row["stability"] for row in found["rest_points"]] == ["unstable", "stable"]


def test_strategies_of_a_game_are_played_for_it():
    options = ["--players", "AlwaysCoop", "--players", "Parasite", "--players", "Pavlov", "--group-size", 2]
    found = document("evolve", "commons", *options, "--games", 6, "--duration", 8, "--seed", 5, "--resamples", 10)
    told = found["evolution"]
    assert (told["compositions"], told["games"], told["source"]) == (6, 36, "The Commons")
    assert sum(row["value"] for row in told["shares"]) == pytest.approx(1.0)
    again = document("evolve", "commons", *options, "--games", 6, "--duration", 8, "--seed", 5, "--resamples", 10)
    assert again == found


@pytest.mark.parametrize("process", ["logit", "best-response", "ecological", "replicator"])
def test_every_dynamics_has_a_course(hawks, process):
    found = lab.evolve(matrix=hawks, process=process, steps=400, start=[0.1, 0.9])
    assert found.charts == ["shares", "trajectory"]
    assert found.tables["trajectory"]["step"].max() == 400
    assert found.to_frame()["value"][0] > 0.5


@pytest.mark.parametrize("structure", ["ring", "lattice"])
def test_a_structure_is_simulated(hawks, structure):
    found = lab.evolve(matrix=hawks, structure=structure, population=25, steps=300, runs=4, mutation=0.05, seed=2)
    assert found.model.structure == structure
    assert "simulated" in found.note
    assert found.to_frame()["value"].sum() == pytest.approx(1.0)
    same = lab.evolve(matrix=hawks, structure=structure, population=25, steps=300, runs=4, mutation=0.05, seed=2)
    assert same.to_frame().equals(found.to_frame())


def test_a_start_is_by_name(hawks):
    found = lab.evolve(matrix=hawks, process="replicator", steps=1, start={"dove": 0.9, "hawk": 0.1})
    assert found.tables["trajectory"]["value"][0] == pytest.approx(0.1)


def test_a_graph_from_a_file(hawks, tmp_path):
    graph = tmp_path / "star.txt"
    graph.write_text("hub a\nhub b\nhub c  # a star\n")
    found = lab.evolve(matrix=hawks, structure=graph, process="moran", steps=50, runs=2, mutation=0.1)
    assert found.model.population == 4


def test_agents_need_no_table(hawks):
    options = ["--agents", "--group-size", 8, "--population", 16, "--unit", 1000, "--steps", 3, "--runs", 2]
    found = document("evolve", "commons", *options, "--duration", 3, "--seed", 4)["evolution"]
    assert found["agents"]
    assert len(found["players"]) == 16
    assert sum(row["value"] for row in found["shares"]) == pytest.approx(1.0)


def test_every_chart_says_what_it_shows(hawks):
    found = lab.evolve(matrix=hawks, beta=0.1)
    titles = {name: embedded(found.chart(name)).title for name in found.charts}
    assert list(titles) == ["shares", "gradient", "invasions", "fixations", "alpha"]
    assert titles["gradient"] == "hawk and dove live side by side, at 80% hawk"
    assert titles["invasions"] == "Selection favours no player over hawk; every other player can be invaded"
    with pytest.raises(lab.InputError, match="there is no chart 'simplex'"):
        found.chart("simplex")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("evolve --players Pavlof", "did you mean Pavlov?"),
        ("evolve --process moron", "--process must be one of"),
        ("evolve --matrix {file} --population 1", "--population must be at least 2, got 1"),
        ("evolve commons --players Pavlov --group-size 6 --population 5 --games 1", "smaller than a group of 6"),
        ("evolve --matrix {file} --beta nan", "--beta must be"),
        ("evolve --matrix {file} --mutation often", "'small' or a probability"),
        ("evolve --matrix {file} --mutation 2", "at most 1"),
        ("evolve --matrix {file} --structure tree", "ring, lattice or the file of a graph"),
        ("evolve --matrix {file} --structure lattice --population 7", "do not form a lattice"),
        ("evolve --matrix {file} --structure ring --process wright-fisher", "by fermi or moran"),
        ("evolve --matrix {file} --start hawk=2", "add up to 1"),
        ("evolve --matrix {file} --start hawk", "NAME=SHARE"),
        ("evolve --matrix {file} --start eagle=1", "who is not among the players"),
        ("evolve commons --matrix {file}", "leave out commons"),
        ("evolve --matrix {file} --players Pavlov", "leave out --players"),
        ("evolve --matrix {file} --from x", "leave one out"),
        ("evolve --matrix {file} --alpha 0.5", "--matrix brings the payoffs; leave out --alpha"),
        ("evolve --from x --no-voting", "--from brings the payoffs; leave out --voting"),
        ("solve --matrix {file} --alpha 0.5", "--matrix brings the payoffs; leave out --alpha"),
        ("evolve --agents --games 5", "agents uses no payoff table; leave out --games"),
        ("evolve --agents --workers 1", "leave out --workers"),
        ("evolve --agents --resamples 5", "leave out --resamples"),
        ("evolve --matrix {file} --process replicator --population 30", "is infinite; leave out --population"),
        ("evolve --matrix {file} --process logit --mutation 0.1", "is infinite; leave out --mutation"),
        ("evolve --matrix {file} --process ecological --structure ring", "is infinite; leave out --structure"),
        ("evolve --matrix {file}.gone", "cannot be read: No such file"),
        ("evolve --players Pavlov --players Pavlov --games 1", "named twice"),
        ("evolve --group-size 16 --process replicator --games 1", "compositions"),
        ("evolve --alpha 2", "alpha must be at most 1"),
        ("evolve --matrix {file} --agents", "agents needs a game to play"),
        ("evolve --agents --process moran", "by fermi or wright-fisher"),
        ("evolve --process replicator --matrix {file} --rate 0", "--rate must be at least 1e-09"),
        ("evolve --matrix {file} --population 1180591620717411303424", "--population must be at most 1,000,000"),
        ("evolve --matrix {file} --beta 1e308", "--beta must be at most"),
        ("evolve --matrix {file} --unit 0", "--unit must be at least 1e-09"),
        ("evolve --matrix {file} --resamples 1180591620717411303424", "--resamples must be at most 100,000"),
        ("evolve --players Pavlov --players Parasite --group-size 1180591620717411303424", "compositions of two"),
        ("solve --matrix {file} --resamples 1180591620717411303424", "--resamples must be at most 100,000"),
    ],
)
def test_what_cannot_be_is_refused(arguments, said, hawks):
    done = ostrom(*arguments.format(file=hawks).split())
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a line of names"),
        ("a,b\n1,2\n", "2 lines"),
        ("a,b\n1,2\n3,x\n", "'x' is not a valid payoff"),
        ("a,b\n1,2\n3,nan\n", "'nan' is not a valid payoff"),
        ("a,a\n1,2\n3,4\n", "named twice"),
        (",a,b\nb,1,2\na,3,4\n", "in the same order"),
        ('{"players": ["a"]}', '"payoffs"'),
        ('{"players": ["a", "b"], "payoffs": [[1, 2], [3]]}', "equally many in each row"),
        ('{"players": ["a", "b"], "payoffs": [1, 2]}', "rows and columns"),
        ("{", "line 1"),
    ],
)
def test_a_malformed_matrix_is_refused(text, said, tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(lab.InputError, match=said.replace("[", r"\[")):
        lab.evolve(matrix=file)


@pytest.mark.parametrize("command", ["evolve", "solve"])
def test_an_experiment_without_self_play_is_evolved_and_solved(command, tmp_path):
    store = ["--store", tmp_path / "lab.db", "--seed", 1]
    three = [word for name in ("TitForTat", "AllD", "AllC") for word in ("--include", name)]
    answer("bench", "repeated", *three, "--rounds", 4, "--per-pair", 1, *store)
    assert "3 of 6 groups never met" in " ".join(answer(command, "--from", "repeated-1", *store).split())


@pytest.mark.parametrize("command", ["evolve", "solve"])
def test_payoffs_say_which_games_of_an_experiment_are_used(command, tmp_path):
    store = ["--store", tmp_path / "lab.db", "--seed", 1]
    names = ("TitForTat", "AllD", "AllC", "Grim")
    four = [word for name in names for word in ("--include", name)]
    answer("bench", "repeated", *four, "--rounds", 4, "--per-pair", 1, *store)
    three = [word for name in names[:3] for word in ("--players", name)]
    text = " ".join(answer(command, "--from", "repeated-1", *three, *store).split())
    assert "6 of 12 games are used" in text
    assert "the chosen players" in text
