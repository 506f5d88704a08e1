"""The registry of rating methods: the contract of every method, and one from a plugin file."""

import pytest

from ostrom.analysis.leaderboard import rate_results
from ostrom.analysis.rating_settings import RatingSettings
from ostrom.analysis.ratings import RATING_METHODS, choose_method, results_of
from ostrom.analysis.ratings.method import describe_methods
from ostrom.core import InputError, UnknownName
from ostrom.core.plugins import load_file

GAMES = [[("a", 3.0), ("b", 2.0), ("c", 1.0)]] * 12 + [[("c", 2.0), ("b", 1.0)]] * 2

PLUGIN = """
from dataclasses import dataclass
from pydantic import Field
from ostrom.analysis.ratings import RATING_METHODS, RatingMethod
from ostrom.core.estimates import Estimate
from ostrom.core.settings import Settings

class MeanSettings(Settings):
    scale: float = Field(1.0, gt=0, description="Multiplies all ratings.")

@dataclass(frozen=True)
class MeanFit:
    estimates: dict[str, Estimate]

def fit_means(results, settings):
    means = results.mean_scores() * settings.scale
    return MeanFit({name: Estimate(float(mean)) for name, mean in zip(results.names, means)})

RATING_METHODS.add("worst", RatingMethod("worst", "Mean score", "the mean over games", MeanSettings, fit_means))
"""


@pytest.mark.parametrize("name", sorted(RATING_METHODS))
def test_every_method_rates_every_player_and_describes_itself(name):
    method = RATING_METHODS[name]
    assert method.name == name
    assert method.title[0].isupper()
    assert not method.description.endswith(".")
    assert all(field.description for field in method.settings.model_fields.values())
    fit = choose_method(name).fit(results_of(GAMES))
    assert set(fit.estimates) == {"a", "b", "c"}
    assert fit.estimates["a"] > float(fit.estimates["c"])
    assert f"{name} (" in describe_methods()


def test_a_plugin_file_brings_a_method_that_ranks(tmp_path, monkeypatch):
    monkeypatch.setattr(RATING_METHODS, "_entries", dict(RATING_METHODS))
    file = tmp_path / "means.py"
    file.write_text(PLUGIN)
    load_file(file)
    rated = rate_results(results_of(GAMES), passes=2, method="worst:scale=2")
    assert [one.rating.name for one in rated] == ["a", "b", "c"]
    assert rated[0].method_rating == 6.0
    assert rated[0].as_record()["rating"]["value"] == 6.0
    assert RatingSettings(method="worst:scale=2").as_record()["method"] == "worst:scale=2"


def test_the_record_of_the_two_usual_methods_has_the_flag_alone():
    assert RatingSettings().as_record() == {"passes": 200, "draw_probability": 0.1, "order_free": False}
    assert RatingSettings(method="order-free").as_record()["order_free"] is True


@pytest.mark.parametrize("spec", ["order-free:k=3", "trueskill:passes=3", "trueskill:3"])
def test_invalid_settings_are_errors(spec):
    with pytest.raises(InputError):
        _ = RatingSettings(method=spec).choice


def test_an_unknown_method_names_the_nearest():
    with pytest.raises(UnknownName, match=r"'nope'; use .*trueskill"):
        choose_method("nope")
    with pytest.raises(UnknownName, match="order-free"):
        choose_method("order_free")
