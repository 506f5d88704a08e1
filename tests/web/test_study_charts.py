"""The charts of reports over the API, as texts and as valid Vega-Lite specifications."""

from collections.abc import Iterator
from typing import Any

import pytest

from measured import COMMONS_CHARTS, PUNISH_CHARTS
from ostrom.games.battery.charts.boards import BOARDS
from studied import SUBJECTS, strict


def listed(catalogue: dict[str, Any]) -> list[str]:
    return [chart["name"] for section in catalogue["sections"] for chart in section["charts"]]


def parts(spec: Any) -> Iterator[dict[str, Any]]:
    """All nested parts of a specification."""
    if isinstance(spec, dict):
        yield spec
        for key, inner in spec.items():
            if key not in ("data", "datasets"):
                yield from parts(inner)
    elif isinstance(spec, list):
        for inner in spec:
            yield from parts(inner)


def holds_for_all_of(lab, kind: str) -> list[dict[str, Any]]:
    """Every chart of a catalogue, each of which can be drawn by a page that evaluates no text."""
    result = []
    for name in listed(lab.get(f"/api/charts?kind={kind}").json()):
        answer = lab.get(f"/api/charts/{name}?kind={kind}")
        assert answer.status_code == 200, name
        chart = strict(answer.text)
        assert chart["name"] == name
        assert chart["title"], name
        assert chart["definition"], name
        for part in parts(chart["spec"]):
            # A grid that wraps by itself stays empty where no text may be evaluated.
            assert "concat" not in part, name
            assert "url" not in part, name
        assert not {"config", "title", "$schema"} & set(chart["spec"]), name
        result.append(chart)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("catalogue", [PUNISH_CHARTS, COMMONS_CHARTS])
def test_every_chart_of_a_report_answers(lab, catalogue):
    charts = holds_for_all_of(lab, catalogue.study.command)
    # Strategies make no calls, so there are no answer times to draw.
    expected = [picture for name, picture in catalogue.pictures.items() if name != "answer_times"]
    assert [chart["name"] for chart in charts] == [one.name for one in expected]
    assert [chart["dots"] for chart in charts] == [one.dots for one in expected]


@pytest.mark.slow
def test_every_chart_of_the_battery_answers(lab):
    charts = holds_for_all_of(lab, "battery")
    boards = [f"board_{one.name}" for one in BOARDS]
    assert [chart["name"] for chart in charts] == [*boards, "card_1", "card_2", "card_3"]
    assert [chart["title"] for chart in charts[3:]] == ["exponential δ .9 μ .03", "fehr-schmidt", "refuser"]


def test_inks_follow_the_page(lab):
    config = lab.get("/api/charts").json()["config"]
    assert config["background"] is None
    assert config["axis"]["labelColor"] == "currentColor"
    assert config["text"]["color"] == "currentColor"


def test_a_chart_shows_the_players_that_are_wanted_and_changes_none_of_their_figures(lab):
    def figures(chart):
        rows = [row for rows in chart["spec"]["datasets"].values() for row in rows if "player" in row]
        return {row["player"]: (row["value"], row["low"], row["high"]) for row in rows}

    everybody = figures(lab.get("/api/charts/mean_final?experiment=talk").json())
    two = sorted(everybody)[:2]
    result = figures(lab.get("/api/charts/mean_final", params={"experiment": "talk", "player": two}).json())
    assert result == {player: everybody[player] for player in two}


def test_a_chart_of_one_experiment_counts_its_games_alone(lab):
    facts = lab.get("/api/charts?experiment=talk").json()["facts"]
    assert facts.startswith("6 games of Contribute & Punish, 5 players")


def test_where_nothing_is_left_catalogue_and_chart_say_why(lab):
    catalogue = lab.get("/api/charts?experiment=empty").json()
    assert catalogue["sections"] == []
    assert "has no finished games" in catalogue["facts"]
    chart = strict(lab.get("/api/charts/mean_final?experiment=empty").text)
    assert "no figures" in chart["title"]
    assert "has no finished games" in chart["subtitle"]
    battery = lab.get("/api/charts?kind=battery&experiment=empty").json()
    assert (battery["sections"], battery["short"]) == ([], [])
    assert lab.get("/api/charts/board_social?kind=battery&player=nobody").status_code == 200


def test_a_board_shows_the_subjects_that_are_wanted(lab):
    result = lab.get("/api/charts/board_social", params={"kind": "battery", "player": "fehr-schmidt"}).json()
    assert "fehr-schmidt scores" in result["title"]
    cards = listed(lab.get("/api/charts", params={"kind": "battery", "player": "fehr-schmidt"}).json())[3:]
    assert cards == [f"card_{SUBJECTS.index('fehr-schmidt') + 1}"]


@pytest.mark.parametrize("name", ["nothing", "nothing?kind=commons", "card_9?kind=battery", "card_x?kind=battery"])
def test_a_chart_that_there_is_none_of_is_not_found(lab, name):
    answer = lab.get(f"/api/charts/{name}")
    assert answer.status_code == 404
    assert "there is no chart called" in answer.json()["detail"]
