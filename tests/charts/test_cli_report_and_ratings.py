"""`ostrom ratings` and `ostrom report` on a small journal: documents for programs, sheets for people, refusals."""

import json

import pytest
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.experiment import make_rules, record_of
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Part
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.sql import Journal
from ostrom.players.roster import seat_players
from ostrom.terminal.sheets import out


def call(*arguments):
    """What a command prints, wherever its lines break; what it refuses is raised."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None:
        raise done.exception
    return " ".join(done.stdout.split())


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    cast = seat_players(CONTRIBUTE_PUNISH.name, [], [])[:5]
    with Journal.open(url, create=True) as journal:
        for name, talk in (("talk", True), ("silence", False)):
            rules = make_rules(CONTRIBUTE_PUNISH, {"messages": talk, "rounds": 5})
            experiment = journal.new_experiment(name, kind="punish")
            for key, match in play_games(Part(CONTRIBUTE_PUNISH, rules, cast, 4, 6, 1).fixtures("")):
                journal.add_game(experiment, record_of(match), key=key)
        journal.new_experiment("empty", kind="punish")
    return url


def test_ratings_are_a_document_with_the_best_first(store):
    found = json.loads(call("ratings", "--store", store, "--pool", "rules", "--passes", 20, "--json"))
    rows = found["ratings"]
    assert found["games"] == 12
    assert len(rows) == 5
    # Who has few games comes behind the others, in no tier.
    order = [(row["provisional"], -row["mu"]) for row in rows]
    assert order == sorted(order)
    ranked = [row["tier"] for row in rows if not row["provisional"]]
    assert ranked == sorted(ranked)
    assert [row["tier"] for row in rows if row["provisional"]] == [None] * (5 - len(ranked))
    assert {"name", "mu", "sigma", "games", "mean_final", "tier"} <= set(rows[0])


def test_the_order_free_strength_can_rank(store):
    found = json.loads(call("ratings", "--store", store, "--pool", "rules", "--passes", 5, "--order-free", "--json"))
    assert found["order_free"] is True
    strengths = [row["strength"]["value"] for row in found["ratings"] if not row["provisional"]]
    assert strengths == sorted(strengths, reverse=True)
    by_name = call("ratings", "--store", store, "--pool", "rules", "--passes", 5, "--method", "order-free", "--json")
    assert json.loads(by_name) == found


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--method", "order_free"), "did you mean order-free?"),
        (("--method", "order-free:k=3"), "there is no setting 'k'"),
        (("--method", "trueskill", "--order-free"), "choose one of them"),
    ],
)
def test_an_invalid_rating_method_is_an_error(store, options, complaint):
    with pytest.raises(InputError, match=complaint):
        call("ratings", "--store", store, *options)


def test_who_ends_ahead_of_whom_is_a_table_of_pairs(store):
    whole = json.loads(call("ratings", "--store", store, "--pool", "rules", "--head-to-head", "--json"))
    pairs = {(row["player"], row["other_player"]): row for row in whole["head_to_head"]}
    assert len(pairs) == 20
    for (one, other), row in pairs.items():
        assert row["value"] + pairs[other, one]["value"] == pytest.approx(1)
        assert 1 <= row["n"] <= whole["games"] == 12
    shown = call("ratings", "--store", store, "--pool", "rules", "--head-to-head")
    assert "Head to head · 12 games" in shown
    assert "95 % interval" in shown


def test_ratings_of_one_experiment_count_its_games_only(store):
    found = json.loads(call("ratings", "--store", store, "--experiment", "talk", "--passes", 5, "--json"))
    assert found["games"] == 6


def test_different_rules_are_two_boards(store):
    found = json.loads(call("ratings", "--store", store, "--passes", 5, "--json"))
    (other,) = found["others"]
    assert (found["games"], other["games"]) == (6, 6)
    (apart,) = found["left_out"]["apart"]
    assert f"messages off in place of on (rules {other['rules']})" in apart["sentence"]
    shown = call("ratings", "--store", store, "--passes", 5)
    assert shown.count("6 games · 5 passes") == 2
    alone = json.loads(call("ratings", "--store", store, "--passes", 5, "--rules", other["rules"], "--json"))
    assert alone["ratings"] == other["ratings"]


def test_ratings_are_a_sheet_for_people(store):
    shown = call("ratings", "--store", store, "--passes", 5, "--pool", "rules")
    assert "12 games · 5 passes · draw probability 0.1" in shown
    assert "tier" in shown
    assert "Players of one tier cannot be told apart from its leader." in shown
    assert "differs significantly" not in shown


@pytest.mark.slow
def test_a_report_is_written_and_summed_up(store, tmp_path):
    folder = tmp_path / "new" / "folder"
    found = json.loads(call("report", "-o", folder, "--store", store, "--pool", "rules", "--passes", 5, "--json"))
    (made,) = found["report"]["provenance"]
    assert json.loads((folder / "provenance.json").read_text())["rules"] == made["rules"]
    assert len(made["rules"]) == 2
    assert (tmp_path / "new" / "folder" / "report.html").is_file()
    assert found["report"]["charts"] == 35
    assert any("leads the ratings" in sentence for sentence in found["report"]["summary"])


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_two_experiments_are_reported_side_by_side(store, tmp_path):
    shown = call("report", "-o", tmp_path, "--store", store, "--compare", "talk", "silence")
    assert "“talk”" in shown
    assert "without messages" in shown
    assert (tmp_path / "charts" / "retaliation_rate.svg").is_file()
    assert "6 pairs of games share seed and seating" in shown


@pytest.mark.usefixtures("unpainted")
def test_a_comparison_is_a_document_with_every_difference(store, tmp_path):
    found = json.loads(call("report", "-o", tmp_path, "--store", store, "--compare", "talk", "silence", "--json"))
    rows = [row for row in found["report"]["differences"] if row["measure"] == "mean_final"]
    assert rows[0]["player"] == "all"
    assert {"value", "low", "high", "p", "corrected", "differs", "reason", "pairs"} <= set(rows[0])
    assert rows[0]["pairs"] == 6
    assert all(row["differs"] == (row["corrected"] is not None and row["corrected"] <= 0.05) for row in rows)


@pytest.mark.usefixtures("unpainted")
def test_what_cannot_be_reported_is_refused_in_a_sentence(store, tmp_path):
    with pytest.raises(InputError, match="the experiment empty has no finished games"):
        call("ratings", "--store", store, "--experiment", "empty")
    with pytest.raises(InputError, match="exclude each other"):
        call("report", "-o", tmp_path, "--store", store, "--experiment", "talk", "--compare", "talk", "silence")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        call("report", "-o", tmp_path / "file", "--store", store)


def test_numbers_are_never_cut(store, monkeypatch):
    rated = json.loads(call("ratings", "--store", store, "--passes", 5, "--json"))["ratings"]
    for width in (30, 40, 60, 80, 200):
        monkeypatch.setattr(out, "_width", width)
        shown = call("ratings", "--store", store, "--passes", 5)
        assert "…" not in shown or width < 40
        for one in rated:
            assert f"{one['mu']:.3f}" in shown
            assert f"{one['sigma']:.3f}" in shown or width < 40


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        (("--passes", 0), "passes must be at least 1, got 0"),
        (("--passes", 1_000_000_000), "passes must be at most 10,000"),
        (("--draw-probability", 2), "draw_probability must be less than 1"),
        (("--draw-probability", "nan"), "draw_probability"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_made(store, tmp_path, settings, complaint):
    for command in (("ratings",), ("report", "-o", tmp_path / "new" / "folder")):
        with pytest.raises(InputError, match=complaint) as refused:
            call(*command, "--store", store, *settings)
        assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_fails_leaves_no_folder_behind(store, tmp_path):
    for chosen in ("empty", "nothing of that name"):
        with pytest.raises(InputError):
            call("report", "-o", tmp_path / "new" / "folder", "--store", store, "--experiment", chosen)
    assert list(tmp_path.iterdir()) == []


def test_an_experiment_is_not_compared_with_itself(store, tmp_path):
    with Journal.open(store) as journal:
        known = journal.experiment_id("talk")
    for other in ("talk", known):
        with pytest.raises(InputError, match="are the same"):
            call("report", "-o", tmp_path / "new", "--store", store, "--compare", "talk", other)
    assert list(tmp_path.iterdir()) == []
