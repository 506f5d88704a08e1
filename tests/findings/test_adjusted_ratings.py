"""The verb `ratings` with covariates and the further methods, from a file."""

import pytest

import ostrom
from ostrom.core import InputError


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "results.csv"
    rows = ["game,player,score,role"]
    for number in range(30):
        seller, buyer = ("a", "b") if number % 3 else ("b", "a")
        rows += [f"{number},{seller},{2 + number % 2},seller", f"{number},{buyer},{2 if number % 5 else 3},buyer"]
    path.write_text("\n".join(rows))
    return path


def test_effects_of_covariates_have_a_table_of_their_own(file):
    finding = ostrom.ratings(from_=file, method="davidson", adjust=("role",))
    effects = next(part for part in finding.parts if part.name == "covariates")
    assert [row["covariate"] for row in effects.rows] == ["role=seller"]
    assert effects.rows[0]["effect"].low is not None
    assert "adjusted for role=seller" in finding.parts[0].caption
    assert "By this rating" in finding.parts[0].caption


def test_shares_are_shown_with_their_meaning(file):
    finding = ostrom.ratings(from_=file, method="nash-averaging")
    assert "an opponent that wants to end ahead sends the player" in finding.parts[0].caption
    assert sum(row["rating"].value for row in finding.parts[0].rows) == pytest.approx(1)


def test_a_method_without_covariates_is_refused(file):
    with pytest.raises(InputError, match="does not adjust for covariates"):
        ostrom.ratings(from_=file, adjust=("role",))
