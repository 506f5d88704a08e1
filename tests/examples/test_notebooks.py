"""The notebooks run from top to bottom, in the kernel that readers have, and show what they promise."""

import ast
import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import ostrom

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TRAINING = "train_a_policy"
"""Takes a minute or two, so it runs by itself only."""


def executed(notebook: Any, folder: Path) -> Any:
    """The notebook with its outputs; a cell that raises fails the test."""
    NotebookClient(
        notebook, timeout=1800, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook


def outputs(notebook: Any) -> list[dict[str, Any]]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def kinds(notebook: Any) -> set[str]:
    return {kind for output in outputs(notebook) for kind in output.get("data", {})}


def in_one_kernel() -> Any:
    """All notebooks as one, with short sizes: a kernel takes longer to start than most of them to run."""
    whole = nbformat.v4.new_notebook()
    for path in NOTEBOOKS:
        if path.stem == TRAINING:
            continue
        cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
        for cell in cells:
            for long, short in (("games=10", "games=2"), ('"games": 24', '"games": 9'), ("games=20", "games=2")):
                cell.source = cell.source.replace(long, short)
            cell.source = cell.source.replace("0:1:0.1", "0:1:0.5").replace("1.2:2.8:0.2", "1.2:2.8:0.8")
            cell.source = cell.source.replace('protocol="quick"', 'protocol="quick", tasks=["dictator", "time"]')
        whole.cells += cells
        whole.cells.append(nbformat.v4.new_code_cell("%reset -f"))
    return whole


def test_every_notebook_runs_and_shows_tables_charts_and_replays_in_place(tmp_path: Path) -> None:
    done = executed(in_one_kernel(), tmp_path)
    assert {"text/html", "image/svg+xml"} <= kinds(done)
    shown = [output["data"].get("text/html", "") for output in outputs(done) if "data" in output]
    assert sum(text.startswith("<iframe srcdoc=") for text in shown) == 2
    assert any("<progress" in text for text in shown), "a benchmark shows how far it is"
    assert not any("http://" in text.replace("http://www.w3.org", "") for text in shown if "<iframe" not in text)
    errors = [output.text for output in outputs(done) if output.get("name") == "stderr"]
    assert errors == []


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_notebook_runs_by_itself(path: Path, tmp_path: Path) -> None:
    assert "text/html" in kinds(executed(nbformat.read(path, 4), tmp_path))


def test_notebooks_are_kept_without_outputs_and_use_public_names_only() -> None:
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells), path.name
        for cell in cells:
            tree = ast.parse("".join(cell["source"]))
            used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
            named = {node.attr for node in used if isinstance(node.value, ast.Name) and node.value.id == "ostrom"}
            assert named <= set(ostrom.__all__), path.name
            assert not [node.attr for node in used if node.attr.startswith("_")], path.name
