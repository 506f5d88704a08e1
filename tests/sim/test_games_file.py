"""A tournament keeps every seat of every game, whatever the chunks, and nothing where it fails."""

import numpy as np
import polars as pl
import pytest

from ostrom.core import InputError
from ostrom.games.commons import CommonsRules
from ostrom.players.roster import choose
from ostrom.sim.tournament import tournament

NAMES = ["Pavlov", "Parasite", "Gradual", "RandomPlayer"]
HOW = {"games": 6, "seed": 3, "group_size": 3, "rules": CommonsRules(duration=8)}


def test_every_seat_of_every_game_is_kept(tmp_path, monkeypatch):
    file, other = tmp_path / "games.parquet", tmp_path / "again.parquet"
    result = tournament(choose(NAMES), keep=file, **HOW)
    kept = pl.read_parquet(file)
    assert len(kept) == result.games * 3
    assert kept["turns_in"].sum() == result.player_turns
    assert kept["table"].to_list() == np.repeat(np.arange(4), 18).tolist()
    for standing in result.standings:
        mine = kept.filter(pl.col("player") == standing.name)
        assert mine["final"].mean() == pytest.approx(standing.mean_final.value, rel=1e-12)
        assert mine["won"].mean() == pytest.approx(standing.win_rate.value, rel=1e-12)
        assert mine["contribution"].mean() == pytest.approx(standing.figures["contribution"].value, rel=1e-12)
    monkeypatch.setattr("ostrom.sim.tournament._BUFFERED_ROWS", 20)
    tournament(choose(NAMES), keep=other, chunk_size=5, **HOW)
    assert pl.read_parquet(other).equals(kept)


def test_a_tournament_that_fails_leaves_no_file(tmp_path):
    def broken(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(choose(NAMES), keep=tmp_path / "games.parquet", progress=broken, **HOW)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="name a file in an existing folder"):
        tournament(choose(NAMES), keep=tmp_path / "none" / "games.parquet", **HOW)
