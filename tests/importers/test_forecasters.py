"""`ostrom forecasters`: language models forecast people's choices on the board of other forecasters."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.importers.studies import zhu
from ostrom.importers.studies.forecasts.choices import choice_data
from ostrom.importers.studies.forecasts.model_questions import (
    GameQuestion,
    development_games,
    model_forecast,
    sampled_questions,
)
from ostrom.journal.sql import Journal
from ostrom.testing.provider import Provider

CELLS = ("AC", "AD", "BC", "BD")


def people(folder: Path, games: int = 60, persons: int = 12) -> Path:
    """Made-up people who take the row with the larger sum, three of four times."""
    draw = np.random.default_rng(7)
    payoffs = draw.integers(1, 49, (games, 4, 2))
    lines = []
    for person in range(persons):
        paragraphs = []
        for game in payoffs:
            better = game[:2, 0].sum() > game[2:, 0].sum()
            chosen = "A" if better == (draw.random() < 0.75) else "B"
            cells = [
                f"If you choose Row {cell[0]} and your opponent chooses Column {cell[1]}, you receive {own} and your "
                f"opponent receives {other}."
                for cell, (own, other) in zip(CELLS, game, strict=True)
            ]
            paragraphs.append("\n".join([*cells, f"You press <<{chosen}>>."]))
        lines.append(json.dumps({"participant": person, "experiment": "x", "text": "\n\n".join(paragraphs)}))
    folder.mkdir()
    (folder / "prompts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def ask(*arguments: object) -> dict:
    done = CliRunner().invoke(app, ["forecasters", "zhu-2025", *map(str, arguments), "--json"])
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def row_a_pays(text: str) -> bool:
    own = [int(part.split(" ", 1)[0]) for part in text.split("you receive ")[1:]]
    return sum(own[:2]) > sum(own[2:4])


@pytest.mark.slow
def test_a_model_stands_on_the_board_and_is_asked_once(tmp_path):
    folder, store = people(tmp_path / "people"), f"sqlite:///{tmp_path}/ostrom.db"
    prompts = []

    def knows(request):
        prompts.append("\n".join(str(message["content"]) for message in request["messages"]))
        return {"percent": 75 if row_a_pays(prompts[-1]) else 25}

    with Provider(models=("ash",), answers=knows) as provider:
        bot = tmp_path / "ash.json"
        bot.write_text(json.dumps({"model": "ash", "base_url": provider.base_url, "form": "native"}))
        arguments = (folder, "--llm", bot, "--questions", 10, "--store", store)
        found = ask(*arguments)
        count = len(prompts)
        assert ask(*arguments)["board"] == found["board"]
        assert len(prompts) == count == found["games"]
    assert "how many choose Row A?" in prompts[0]
    assert "zhu" not in prompts[0].casefold()
    rows = {row["forecaster"]: row for row in found["board"]}
    right = rows["ash (model)"]["accuracy"]["value"]
    assert rows["ash (model)"]["loss"]["value"] == pytest.approx(-right * np.log(0.75) - (1 - right) * np.log(0.25))
    assert (
        rows["ash (model)"]["loss"]["low"]
        <= rows["ash (model)"]["loss"]["value"]
        <= rows["ash (model)"]["loss"]["high"]
    )
    assert rows["chance"]["loss"]["value"] == pytest.approx(np.log(2))
    assert {"logistic", "network", "mixture"} < set(rows)
    assert rows["ash (model)"]["gain"] is not None
    assert rows["network"]["gain"] is None
    assert [row["unanswered"] for row in found["answers"]] == [0]
    with Journal.open(store) as journal:
        (experiment,) = journal.experiments()
        assert experiment.kind == "forecasters"
        assert {row.state for row in journal.games(experiment.id)} == {"finished"}
    with pytest.raises(InputError, match="repeat the same ostrom forecasters"):
        CliRunner().invoke(app, ["resume", experiment.id, "--store", store], catch_exceptions=False)


@pytest.mark.slow
def test_games_without_an_answer_are_left_out_and_counted(tmp_path):
    folder = people(tmp_path / "people")
    asked = []

    def sometimes(request):
        asked.append(request)
        game = str(request["messages"][-1]["content"]).partition("If you choose")[2][:300]
        return {"percent": 150 if sum(map(ord, game)) % 2 else 50}

    with Provider(models=("ash",), answers=sometimes) as provider:
        bot = tmp_path / "ash.json"
        bot.write_text(json.dumps({"model": "ash", "base_url": provider.base_url, "form": "native"}))
        arguments = (folder, "--llm", bot, "--questions", 10, "--attempts", 1, "--pause-at-defaults", 1)
        found = ask(*arguments, "--store", f"sqlite:///{tmp_path}/ostrom.db")
    (answers,) = found["answers"]
    assert answers["answered"] == found["games"]
    assert answers["unanswered"] == answers["questions"] - found["games"] > 0
    assert {row["forecaster"]: row for row in found["board"]}["ash (model)"]["loss"]["value"] == pytest.approx(
        np.log(2)
    )


def test_a_forecast_is_turned_with_the_rows_that_a_person_saw():
    table = pl.DataFrame(
        [
            ("1", 1, "1-2-3-4-5-6-7-8", 1, 2, 3, 4, 5, 6, 7, 8, True, "development"),
            ("2", 1, "1-2-3-4-5-6-7-8", 3, 4, 1, 2, 7, 8, 5, 6, True, "development"),
            ("3", 1, "1-2-3-4-5-6-7-8", 5, 6, 7, 8, 1, 2, 3, 4, True, "development"),
            ("4", 1, "1-2-3-4-5-6-7-8", 7, 8, 5, 6, 3, 4, 1, 2, True, "development"),
        ],
        schema=["person", "trial", "game", *zhu.PAYOFFS, "chose_a", "part"],
        orient="row",
    )
    for exchanged, shares in (
        ((1, 2, 3, 4, 5, 6, 7, 8), [0.8, 0.8, 0.2, 0.2]),
        ((7, 8, 5, 6, 3, 4, 1, 2), [0.2, 0.2, 0.8, 0.8]),
    ):
        question = GameQuestion("1-2-3-4-5-6-7-8", exchanged)
        forecast = model_forecast("ash", choice_data(table), table, [question], {question.game: 80.0})
        assert forecast.losses == pytest.approx(-np.log(shares))


def test_a_smaller_sample_is_the_beginning_of_a_larger_one():
    names = [f"{a}-2-3-4-5-6-7-8" for a in range(10, 50)]
    larger = sampled_questions(names, 30)
    assert sampled_questions(names[::-1], 12) == larger[:12]
    assert len({question.payoffs.index(8) for question in larger}) == 4
    assert development_games(pl.DataFrame({"game": ["b", "a", "c"], "part": ["development", "development", "x"]})) == [
        "a",
        "b",
    ]


def test_a_model_must_be_named(tmp_path):
    with pytest.raises(InputError, match="name a model that forecasts"):
        ask(tmp_path)


def test_two_models_of_one_name_are_refused(tmp_path):
    paths = [tmp_path / name / "ash.json" for name in ("first", "second")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(json.dumps({"model": "openai:ash"}))
    with pytest.raises(InputError, match="same name"):
        ask(tmp_path, "--llm", paths[0], "--llm", paths[1])
