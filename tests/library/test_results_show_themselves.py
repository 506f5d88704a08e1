"""Every public object is short in a terminal, and every result a table in a notebook and for Polars."""

import inspect
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from public_surface import lying_in, members, public_classes

import ostrom
from ostrom.charts.catalogue import WrittenReport
from ostrom.core import UnknownName
from ostrom.experiment.match import play

SHORT = {"duration": 6}
MOST = 2000


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One of each kind of result."""
    store = tmp_path_factory.mktemp("shown") / "lab.db"
    bench = ostrom.bench(game="punish", games=9, rules={"rounds": 2}, seed=1, store=store)
    asked = ostrom.bench(["fehr-schmidt"], game="battery", protocol="quick", tasks=["dictator"], seed=1, store=store)
    lab = ostrom.open(store)
    return {
        "game": ostrom.play(rules=SHORT, seed=3),
        "experiment": bench,
        "lab": lab,
        "experiments": lab.experiments,
        "games": lab.games(),
        "kept game": lab.games()[0],
        "ratings": bench.ratings(passes=2),
        "measures": bench.measures,
        "tables": bench.tables,
        "tournament": ostrom.tournament(games=2, rules=SHORT),
        "sweep": ostrom.sweep({"alpha": [0.2, 0.8]}, players=["TitForTat:2", "Parasite"], games=3, rules=SHORT),
        "evolution": ostrom.evolve("commons", ["TitForTat", "Parasite"], games=3, group_size=2, resamples=2),
        "solution": ostrom.solve("commons", ["TitForTat", "Parasite"], games=3, resamples=2),
        "design": ostrom.design({"alpha": "0:1"}, maximise=["welfare"], candidates=2, rounds=0, tables=2, games=1),
        "scores": asked.scores(),
        "power": ostrom.power(bench, games=10, difference=5, between=("FreeRider", "Cooperator"), repetitions=100),
        "response": ostrom.respond(["TitForTat"], game="repeated", rules={"rounds": 3}, games=2),
    }


def test_a_result_is_a_short_line_and_html(results: dict[str, Any]) -> None:
    for name, result in results.items():
        assert 5 < len(repr(result)) < MOST, name
        assert "\n" not in repr(result), name
        made = result._repr_html_()
        assert made.startswith("<div>"), name
        assert len(made) < 100_000, name


def test_a_result_is_a_table(results: dict[str, Any]) -> None:
    for name in (
        "game",
        "experiment",
        "lab",
        "games",
        "ratings",
        "tournament",
        "sweep",
        "evolution",
        "solution",
        "design",
    ):
        frame = results[name].to_frame()
        assert isinstance(frame, pl.DataFrame), name
        assert frame.height > 0, name
    assert results["tournament"].to_pandas()["win_rate"].between(0, 1).all()


def test_results_of_simulations_draw_themselves(results: dict[str, Any]) -> None:
    for name in ("tournament", "sweep", "evolution"):
        result = results[name]
        for chart in result.charts[:2]:
            assert result.chart(chart).to_dict()["title"], (name, chart)
        with pytest.raises(ostrom.InputError, match="no chart"):
            result.chart("nothing")


@pytest.mark.slow
def test_every_public_object_and_what_it_holds_is_short(results: dict[str, Any]) -> None:
    game = results["game"]
    inner = [game.record, game.rules, game.game, game.decisions[0], game.events[0], game.replay(), play(rules=SHORT)]
    inner += [ostrom.choose()[0], ostrom.Bot(name="b", model="m:n", personality="x" * 20_000), ostrom.Limits()]
    inner += [results["tournament"].standings, results["tournament"].standings[0], results["ratings"][0]]
    inner += [results["measures"][0], ostrom.Estimate(None, reason="r"), results["experiment"].report]
    inner += [ostrom.exploitability(["TitForTat", "AllD"], game="repeated", rules={"rounds": 3}, games=2)]
    inner += [WrittenReport(Path("report.html"), 1, 1, ["x" * 300] * 50), ostrom.Limits().of_player("x")]
    inner += [ostrom.ContributePunishRules(), *views_of_a_champion(), *ostrom.choose(game="repeated")]
    public = [getattr(ostrom, name) for name in ostrom.__all__]
    held = [*public, *(each for one in (*inner, *results.values()) for each in lying_in(one))]
    assert {type(each).__name__: len(repr(each)) for each in held if len(repr(each)) >= MOST} == {}
    seen = {base for each in held for base in type(each).__mro__}
    # Exceptions, and what users derive from, say no more than Python says of them.
    plain = {one for one in public_classes() if one.__repr__ in (object.__repr__, BaseException.__repr__)}
    wanted = {one: name for one, name in public_classes().items() if one not in seen | plain | {ostrom.Subject}}
    unseen = {f"{one.__name__}, by {name}" for one, name in wanted.items()}
    assert unseen == {"FractionArray, by ContributePunishRules.growth"}, "only batches have it"


def views_of_a_champion() -> list[ostrom.Context]:
    """What a champion is shown in the turns of a short game."""
    seen = []

    class Half(ostrom.Champion):
        """Gives half."""

        def decide(self, ctx: ostrom.Context) -> float:
            seen.append(ctx)
            return 0.5

    ostrom.play([Half, "Pavlov"], rules=SHORT)
    return seen


def test_every_public_method_and_property_says_what_it_is() -> None:
    found = [(one, name, inspect.getdoc(function)) for one in public_classes() for name, function in members(one)]
    assert len(found) > 100
    assert [f"{one.__name__}.{name}" for one, name, said in found if len((said or "").split()) < 2] == []


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    assert dir(ostrom) == sorted(ostrom.__all__)
    assert not [name for name in dir(ostrom) if name.startswith("_") and name != "__version__"]
    undocumented = [name for name in ostrom.__all__ if not (getattr(ostrom, name).__doc__ or "").strip()]
    assert undocumented == []


def test_names_of_others_are_text_in_a_notebook() -> None:
    def hostile(question: Any) -> dict[str, float]:
        """Gives half."""
        return {"contribution": 0.5, "lobby": 0.0}

    hostile.__name__ = "<script>alert(1)</script>"
    shown = ostrom.play([hostile, "Pavlov"], rules=SHORT)._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_a_listing_is_found_by_name_and_says_which_there_are(results: dict[str, Any]) -> None:
    ratings = results["ratings"]
    assert ratings["FreeRider"].rating.name == "FreeRider"
    assert len(ratings[:2]) == 2
    with pytest.raises(UnknownName, match="did you mean FreeRider"):
        ratings["FreeRidr"]
    with pytest.raises(UnknownName, match="table"):
        results["tables"]["sets"]


@pytest.mark.slow
def test_a_simulation_is_kept_and_opened_again(results: dict[str, Any], tmp_path: Path) -> None:
    kept = results["sweep"].keep(tmp_path / "lab.db", name="alphas")
    assert kept.charts == results["sweep"].charts
    assert kept.tables["points"].equals(results["sweep"].tables["points"])
    assert kept.chart().to_dict()["title"] == results["sweep"].chart().to_dict()["title"]
    assert kept.open(1).rules.alpha == 0.8
    assert [type(one).__name__ for one in ostrom.open(tmp_path / "lab.db").experiments] == ["KeptSimulation"]
    assert results["tournament"].keep(tmp_path / "lab.db").charts == ["wins", "finals"]
