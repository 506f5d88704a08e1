"""One game on the command line: told turn by turn, kept, played again, and taken out of a tournament."""

import json
import re

import pytest
from commandline import answer, document, seats
from commandline import ostrom as run

import ostrom
from ostrom.core.questions import distinct_names
from ostrom.core.telling import transcript_lines
from ostrom.games.commons import CommonsRules
from support import BUILT_IN

TABLE = seats("Justicier:2", "Parasite", "Capitaliste", "RandomPlayer", "AlwaysBetray")
GAME = ["run", *TABLE, "--duration", 8, "--seed", 34]


def test_v_tells_every_event_of_the_game_in_order():
    match = ostrom.play(
        ["Justicier:2", "Parasite", "Capitaliste", "RandomPlayer", "AlwaysBetray"],
        rules=CommonsRules(duration=8),
        seed=34,
    )
    names = distinct_names(match.names)
    by_event = transcript_lines(match.game, match.rules, match.events, names, opening=True)
    told = [line for lines in by_event for line in lines]
    assert answer(*GAME, "-v").splitlines()[: len(told)] == told


def test_v_shows_contributions_lobbying_alpha_synergy_cooperation_and_events():
    text = answer(*GAME, "-v")
    turns = re.findall(r"^turn (\d+): pot [\d,.]+ × S \d\.\d\d, α \d\.\d{3}, cooperation \d\.\d\d", text, re.MULTILINE)
    assert turns == [str(turn) for turn in range(1, len(turns) + 1)]
    assert len(re.findall(r"^  Justicier P[12] +gave 1\.00 ", text, re.MULTILINE)) == 2 * len(turns)
    assert re.search(r"^  Parasite .* lobby \+\d", text, re.MULTILINE)
    assert re.search(r"^  Capitaliste .* lobby -\d", text, re.MULTILINE)
    for event in ("golden age", "erosion", "vote", "excluded"):
        assert f"  {event}: " in text
    assert f"end after turn {turns[-1]}: " in text


def test_without_v_only_the_final_table_is_shown():
    text = answer(*GAME)
    assert "pot" not in text
    assert text == answer(*GAME, "-v")[-len(text) :]


def test_the_final_table_shows_every_seat_with_its_capital():
    rows = document(*GAME)["standings"]
    text = answer(*GAME)
    for row in rows:
        assert re.search(
            rf"^ *{row['rank']} +{row['label']} +{row['name']} +{row['capital']:,.2f} ", text, re.MULTILINE
        )


def test_a_written_game_is_replayed_and_agrees(tmp_path):
    file = tmp_path / "game.json"
    played = answer(*GAME, "--output", file)
    replayed = answer("run", "--replay", file)
    assert replayed.startswith(played)
    assert "agrees with the rules" in " ".join(replayed.split())
    found = document("run", "--replay", file)
    assert found.pop("replay")["agrees"] is True
    assert found == document(*GAME)


def test_a_replayed_game_is_told_and_written_again(tmp_path):
    file, again = tmp_path / "game.json", tmp_path / "again.json"
    text = answer(*GAME, "-v", "-o", file)
    assert answer("run", "--replay", file, "-v", "-o", again).startswith(text)
    first, second = json.loads(file.read_text()), json.loads(again.read_text())
    assert {given["provenance"] for given in second["answers"]} == {"replayed"}
    for part in ("seed", "number", "rules", "seats", "events"):
        assert second[part] == first[part]


@pytest.mark.parametrize("name", ["[bold]game.json", "game[/x].json"])
def test_a_files_name_is_shown_as_it_is(tmp_path, name):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    answer(*GAME, "--output", file)
    assert name in answer("run", "--replay", file).replace("\n", "")


@pytest.mark.parametrize("game", [0, 23, 59])
def test_a_game_of_a_tournament_is_played_alone(game):
    names = ["RandomPlayer", "Apprenant", "Justicier:2", "Parasite", "Pavlov"]
    options = [*seats(*names), "--games", 4, "--group-size", 4, "--duration", 9, "--seed", 6, "--alpha", 0.3]
    found = document("run", "--from-tournament", " ".join(map(str, options)), "--number", game)
    assert (found["seed"], found["number"]) == (6, game)
    table = [row["name"] for row in sorted(found["standings"], key=lambda row: row["seat"])]
    rules = CommonsRules(duration=9, alpha=0.3)
    end = ostrom.play(table, rules=rules, seed=6, number=game).events[-1]
    assert {row["seat"]: row["capital"] for row in found["standings"]} == dict(enumerate(end.capitals))


def test_the_games_of_a_tournament_add_up_to_its_standings():
    options = [*seats("RandomPlayer", "Pavlov", "Parasite"), "--games", 4, "--duration", 9, "--seed", 6]
    whole = document("tournament", *options)
    games = [document("run", "--from-tournament", " ".join(map(str, options)), "--number", game) for game in range(4)]
    for row in whole["standings"]:
        alone = [found["capital"] for game in games for found in game["standings"] if found["name"] == row["name"]]
        assert row["mean_capital"] == pytest.approx(sum(alone) / 4, rel=1e-12)
    assert whole["player_turns"] == sum(3 * game["turns"] for game in games)


def test_a_game_of_a_tournament_can_be_told_kept_and_replayed(tmp_path):
    file = tmp_path / "game.json"
    text = answer("run", "--from-tournament", "--games 2 --seed 6 --duration 9", "--number", 1, "-v", "-o", file)
    assert "seed 6, number 1" in text
    record = json.loads(file.read_text())
    assert (record["seed"], record["number"]) == (6, 1)
    assert [seat["player"] for seat in record["seats"]] == list(BUILT_IN)
    assert document("run", "--replay", file)["number"] == 1


def test_a_game_is_kept_where_a_journal_is_named(tmp_path):
    store = ["--store", tmp_path / "lab.db"]
    done = run(*GAME, *store)
    assert (done.returncode, done.stderr) == (0, "kept as commons-1.1\n")
    assert done.stdout == run(*GAME).stdout
    [row] = document("list", "experiments", *store)["experiments"]
    assert (row["id"], row["state"], row["games"]) == ("commons-1", "finished", 1)
