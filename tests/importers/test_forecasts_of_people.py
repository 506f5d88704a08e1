"""Forecasters of people, learned people as players, and forecasts: on small made-up data, and the published scores on
the data of people where it is there."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from foreign_data import foreign
from ostrom.analysis.forecasts.contribution_types import fit_types, type_forecast
from ostrom.analysis.forecasts.levels import check_coverage, distance, error_bounds
from ostrom.analysis.forecasts.matrix_models import exchange_columns, exchange_rows, fit_network
from ostrom.analysis.forecasts.matrix_theories import THEORY_BY_NAME, logit_equilibrium
from ostrom.analysis.forecasts.persons import fit_persons, person_inputs
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.games.contributions import ContributionsRules
from ostrom.games.contributions.learned import DesignNumbers, History, learned_inputs
from ostrom.importers.studies.forecasts.contributions import games_for, power_of
from ostrom.importers.studies.forecasts.designs import terms_of_rules
from ostrom.importers.studies.forecasts.train import train_people
from ostrom.players.learned import LearnedFile, read_learned
from ostrom.players.roster import seat_players

RUNNER = CliRunner()


def payoffs(count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return draw.integers(1, 49, (4, count)).astype(float), draw.integers(1, 49, (4, count)).astype(float)


def learned_file(folder: Path, game: str, **more: object) -> Path:
    """A file of learned people whose network knows nothing."""
    inputs, outputs = (35, None) if game == "repeated" else (54, 21)
    zeros = np.zeros
    network = (
        [zeros((48, inputs)), zeros(48), zeros((48, 48)), zeros(48), zeros(48)]
        if outputs is None
        else [zeros((inputs, 48)), zeros(48), zeros((48, outputs)), zeros(outputs)]
    )
    tables = [[[1.0] + [0.0] * 20] * 6, [[1.0] + [0.0] * 20] * 6], [[[0.0] * 20 + [1.0]] * 6, [[0.0] * 20 + [1.0]] * 6]
    fields = {
        "game": game,
        "study": "made-up",
        "source": "made up",
        "terms": "none",
        "digest": "0",
        "split": "none",
        "fitted": {"decisions": 0, "people": 0, "games": 0},
        "scores": [],
        "networks": [[part.tolist() for part in network]],
        "type_shares": [0.5, 0.5],
        "type_tables": tables if outputs else [],
        "values": {"mixture": [0.5, 0.2, 0.3, 0.5]},
        **more,
    }
    path = folder / "made-up.people.json"
    path.write_text(LearnedFile.model_validate(fields).model_dump_json(), encoding="utf-8")
    return path


def test_the_network_does_not_depend_on_the_order_in_which_a_game_is_shown():
    own, other = payoffs(20)
    network = fit_network(own, other, np.full(20, 0.6), np.ones(20), fits=1, steps=3, hidden=4)
    shown = network.advantage(own, other)
    assert np.allclose(network.advantage(exchange_rows(own), exchange_rows(other)), -shown)
    assert np.allclose(network.advantage(exchange_columns(own), exchange_columns(other)), shown)


@pytest.mark.parametrize("name", ["level-1 logit", "quantal level-2", "logit equilibrium"])
def test_a_theory_recovers_its_precision(name):
    own, other = payoffs(300)
    theory = THEORY_BY_NAME[name]
    shares = theory.forecast(np.asarray([0.1]), own, other)
    assert theory.fit(own, other, shares, np.full(300, 40.0)) == pytest.approx([0.1], abs=0.002)


def test_the_logit_equilibrium_is_a_fixed_point():
    own, other = payoffs(50)
    row = logit_equilibrium(np.asarray([0.05]), own, other)
    column = logit_equilibrium(np.asarray([0.05]), other[[0, 2, 1, 3]], own[[0, 2, 1, 3]])
    gain = column * (own[0] - own[2]) + (1 - column) * (own[1] - own[3])
    assert np.allclose(row, 1 / (1 + np.exp(-0.05 * gain)), atol=1e-6)


def test_earlier_choices_tell_people_apart():
    own, other = payoffs(4000)
    person, trial = np.repeat(np.arange(200), 20), np.tile(np.arange(20), 200)
    # Half of the people choose the row with the larger sum, the others the opposite.
    sign = np.where(person % 2 == 0, 1, -1)
    chose = (sign * (own[0] + own[1] - own[2] - own[3]) > 0).astype(float)
    inputs = person_inputs(np.zeros(4000), own, other, chose, person, trial, np.ones(4000, dtype=bool))
    forecast = fit_persons(inputs[:, person < 100], chose[person < 100]).advantage(inputs)
    late = (person >= 100) & (trial >= 10)
    assert ((forecast > 0) == (chose > 0))[late].mean() > 0.9
    assert inputs[:, trial == 0][2:].any(axis=1).sum() == 0


def test_types_are_recovered_and_identified_by_earlier_decisions():
    draw = np.random.default_rng(3)
    person, order = np.repeat(np.arange(300), 10), np.tile(np.arange(10), 300)
    cell = draw.integers(0, 6, 3000)
    rider = person % 3 == 0
    chosen = np.where(rider, 0, np.minimum(20, 4 * cell))
    zeros = np.zeros(3000, dtype=int)
    legal = np.ones((1, 21))
    fit = fit_types(person, zeros, cell, chosen, legal, types=2)
    assert sorted(fit.shares) == pytest.approx([1 / 3, 2 / 3], abs=0.02)
    forecast = type_forecast(fit, person, order, zeros, cell, chosen)
    assert forecast.sum(axis=1) == pytest.approx(1)
    assert forecast[(order == 9), chosen[order == 9]].mean() > 0.9


def test_intervals_of_levels_hold_their_share_of_held_out_designs():
    draw = np.random.default_rng(4)
    terms = draw.normal(size=(160, 5))
    designs = np.repeat(np.arange(80), 2)
    outcomes = terms @ np.asarray([1.0, 0, 0.5, 0, 0]) + draw.normal(size=160)
    checks, held_out = check_coverage(terms, outcomes, designs)
    for check in checks:
        assert check.covered.low <= check.coverage <= check.covered.high
    assert np.corrcoef(held_out, outcomes)[0, 1] > 0.5
    assert error_bounds(np.arange(99.0), 0.9) == (4.0, 94.0)
    assert distance(terms[0], terms)[0] == 0


def test_the_power_of_an_experiment_is_that_of_a_t_test():
    assert power_of(1.0, 2.0, 64) == pytest.approx(0.8015, abs=1e-4)
    assert games_for(1.0, 2.0) == 64
    assert games_for(1e-9, 1.0) is None


def test_first_rounds_have_no_past_in_their_inputs():
    nothing = np.zeros(2)
    past = History(*[nothing] * len(History._fields))
    design = DesignNumbers(4.0, 2.0, *[0.0] * 7, 0.0, -1.0)
    inputs = np.stack(learned_inputs(design, past))
    assert inputs.shape == (54, 2)
    assert inputs[0].tolist() == [1, 1]
    assert not inputs[1:22].any()


@pytest.mark.parametrize("name", ["people:made-up", "people:made-up:types"])
def test_learned_people_play_contributions_alone_and_in_bulk_alike(name, tmp_path, monkeypatch):
    learned_file(tmp_path, "contributions")
    monkeypatch.chdir(tmp_path)
    done = RUNNER.invoke(app, f"run contributions --include {name}:3 --seed 5 --rounds 4 -o game.json --json".split())
    assert done.exit_code == 0, done.output
    assert f"learned-{name}" in done.stdout
    again = RUNNER.invoke(app, ["run", "--replay", "game.json"])
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize("name", ["people:made-up", "people:made-up:types"])
def test_learned_people_play_two_by_two_games(name, tmp_path, monkeypatch):
    learned_file(tmp_path, "repeated", type_shares=[0.3, 0.5, 0.2])
    monkeypatch.chdir(tmp_path)
    words = f"tournament repeated --include {name} --include AllC --games 20 --rounds 5 --seed 2 --json"
    done = RUNNER.invoke(app, words.split())
    assert done.exit_code == 0, done.output
    assert f'"learned-{name}"' in done.stdout


def test_files_of_learned_people_are_refused_in_one_line(tmp_path):
    path = learned_file(tmp_path, "repeated")
    for text, problem in (
        (f"people:{path}:twice", "write people:NAME or people:NAME:types"),
        (f"people:{path}", "has learned people of the game repeated"),
        (f"people:{tmp_path / 'none.json'}", "make it with 'ostrom train-people"),
    ):
        with pytest.raises(InputError, match=problem):
            seat_players("contributions", [text])
    path.write_text("{}")
    with pytest.raises(InputError, match="has no learned people"):
        read_learned(path)


def test_the_terms_of_a_design_are_those_of_its_rules():
    rules = ContributionsRules(preset="alsobay-2025", multiplier=2.0, punishment=True, punish_cost=2.0, punish_loss=4.0)
    terms = terms_of_rules(rules, 8)[0]
    assert terms.tolist() == pytest.approx([0, 1, 0, 0, 0, 0, 1, 1, 2, 0.25, np.log(8), 20, 2, 0])


@pytest.mark.long
def test_the_forecasters_of_first_choices_have_their_published_scores():
    rows = {row["forecaster"]: row for row in _scores("zhu-2025")}
    published = {
        "chance": 0.6931, "level-2 logit": 0.6010, "level-1 with trembles": 0.5677, "logit equilibrium": 0.5635,
        "quantal level-2": 0.5562, "level-1 logit": 0.5524, "mixture": 0.5360, "logistic": 0.5146,
    }  # fmt: skip
    for name, loss in published.items():
        assert rows[name]["loss"].value == pytest.approx(loss, abs=0.0005), name
    assert rows["network"]["loss"].value <= 0.51
    assert rows["network"]["gain"].low > 0
    assert rows["network and the person's earlier trials"]["loss"].value < rows["network"]["loss"].value - 0.01


@pytest.mark.long
def test_the_forecasters_of_contributions_have_their_published_scores():
    rows = {row["forecaster"]: row for row in _scores("alsobay-2025")}
    published = {"mean": (6.5489, 7.7468), "median": (4.9481, 9.1874), "others' last mean": (5.4846, 7.3594)}
    published |= {"linear": (3.9038, 5.9610), "own last": (2.8039, 6.7259)}
    for name, (absolute, square) in published.items():
        assert (rows[name]["absolute"].value, rows[name]["square"]) == pytest.approx((absolute, square), abs=6e-5), name
    assert rows["mean"]["loss"].value == pytest.approx(1.1296, abs=6e-5)
    assert rows["table by own last"]["loss"].value == pytest.approx(0.8357, abs=0.002)
    assert rows["network"]["loss"].value <= 0.80
    assert rows["network"]["gain"].low > 0


def _scores(study: str) -> list[dict[str, object]]:
    settings = train_people.settings(study=study, folder=foreign("people"))
    finding = train_people({"settings": settings, "reporter": _Silent()})
    return list(finding.parts[0].rows)


class _Silent:
    def note(self, text: str) -> None:
        pass
