"""Texts and numbers of a stranger's record are bounded: a description stays short, and a scene is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kept import punish
from ostrom.cli.main import app
from ostrom.core import RecordError
from ostrom.journal import read_record
from ostrom.journal.record import with_tellings, write_record

LONG = "W" * 3_000_000


@pytest.fixture
def document(tmp_path: Path) -> dict:
    write_record(tmp_path / "game.json", with_tellings(punish(1)))
    return json.loads((tmp_path / "game.json").read_text())


def written(tmp_path: Path, document: dict) -> Path:
    (tmp_path / "odd.json").write_text(json.dumps(document))
    return tmp_path / "odd.json"


@pytest.mark.parametrize("field", ["name", "player", "source"])
def test_a_description_of_a_game_with_long_names_is_short(tmp_path: Path, document: dict, field: str) -> None:
    plain = CliRunner().invoke(app, ["show", str(written(tmp_path, document))])
    if field == "source":
        document["source"] = LONG
    else:
        for seat in document["seats"]:
            seat[field] = LONG
    done = CliRunner().invoke(app, ["show", str(written(tmp_path, document))])
    assert done.exit_code == plain.exit_code == 0, done.output
    assert len(done.output) < 30 * len(plain.output)


@pytest.mark.parametrize("change", [{"digits": 1_000_000}, {"digits": -1}, {"title": LONG}, {"unit": LONG}])
def test_a_scene_with_endless_figures_or_labels_is_refused(tmp_path: Path, document: dict, change: dict) -> None:
    quantity = next(iter(document["scene"]["quantities"].values()))
    quantity.update(change)
    with pytest.raises(RecordError, match=r"scene") as refused:
        read_record(written(tmp_path, document))
    assert len(str(refused.value)) < 1_000
