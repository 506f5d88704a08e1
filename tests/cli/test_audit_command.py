"""`ostrom audit` as a user calls it: a table, a sentence, a document, a picture, and an audit shown again."""

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.games.audit.commands import sentence
from ostrom.games.audit.effects import Audit
from ostrom.journal.sql import Journal
from ostrom.terminal.settings import as_option
from ostrom.testing.provider import Provider
from ostrom.testing.provider.answers import requested_answer

SMALL = ["--situations", "4", "--seed", "3"]


def called(*arguments):
    done = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.exception
    return done


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path}/journal.db"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A journal with a small finished audit, which tests only read."""
    url = f"sqlite:///{tmp_path_factory.mktemp('finished')}/journal.db"
    called("punish", "--model", "Cooperator", "--situations", 2, "--seed", 3, "--store", url)
    return url


@pytest.mark.slow
def test_a_planted_label_bias_is_told_drawn_and_kept(store, tmp_path):
    picture = tmp_path / "audit.svg"
    done = called("commons", "--model", "scripted:label-bias", *SMALL, "--store", store, "-o", picture)
    assert "96 questions to scripted:label-bias: 4 situations of commons (move)" in done.stderr
    assert "seed 3" in done.stderr
    assert "comes from labels" in " ".join(done.stdout.split())
    drawn = picture.read_text(encoding="utf-8")
    for word in ("labels", "Elm", "noise", "in combination", "comes from labels"):
        assert word in drawn


@pytest.mark.slow
def test_the_document_holds_every_factor_with_its_interval(store):
    done = called("punish", "--model", "scripted:unbiased", *SMALL, "--store", store, "--json")
    found = json.loads(done.stdout)["audit"]
    assert {factor["factor"] for factor in found["factors"]} == {
        *("wording", "labels", "order", "seat", "currency", "scale")
    }
    for factor in found["factors"]:
        assert factor["share"]["low"] <= factor["share"]["value"] <= factor["share"]["high"]
        assert sum(level["answers"] for level in factor["levels"]) == 96
    assert (found["answers"], found["defaulted"], found["aspect"]) == (96, 0, "contribution")
    assert found["summary"].startswith("No factor can be distinguished from chance")
    again = json.loads(called("--experiment", found["experiment"], "--store", store, "--json").stdout)["audit"]
    assert again == found


@pytest.mark.slow
def test_a_bias_for_what_is_shown_first_is_found_in_a_task(store):
    done = called("stag-hunt", "--model", "scripted:first-bias", "--seed", 3, "--store", store, "--json")
    found = json.loads(done.stdout)["audit"]
    assert "8 situations of stag-hunt (chooser)" in done.stderr
    leading = found["factors"][0]
    assert (leading["factor"], found["aspect"], found["game"]) == ("order", "choice of stag", "stated_stag_hunt")
    assert leading["share"]["low"] > 0
    assert [level["level"] for level in leading["levels"]] in (
        ["stag first", "hare first"],
        ["hare first", "stag first"],
    )
    again = json.loads(called("--experiment", found["experiment"], "--store", store, "--json").stdout)["audit"]
    assert again == found


@pytest.mark.slow
@pytest.mark.parametrize("form", ["native", "tags"])
def test_a_task_is_put_to_a_model_in_every_way(form, store, tmp_path):
    with Provider(models=("ash",), keep=True) as provider:
        bot = tmp_path / "ash.json"
        bot.write_text(json.dumps({"model": "ash", "base_url": provider.base_url, "form": form}))
        arguments = ("traveller", "--model", bot, "--situations", 2, "--seed", 3, "--store", store, "--json")
        found = json.loads(called(*arguments).stdout)["audit"]
        assert provider.account()["requests"] == 48
    assert (found["answers"], found["defaulted"]) == (48, 0)
    assert {factor["factor"] for factor in found["factors"]} == {"wording", "currency", "scale"}


@pytest.mark.slow
def test_the_layout_of_prompts_is_a_factor_if_it_is_varied(store, tmp_path):
    def answer(request):
        """Claim the most if the personality stands before the rules, as in layout 1, and else the least."""
        claim = requested_answer(request).schema["properties"]["claim"]
        patient = request["messages"][0]["content"].startswith("You are patient.")
        return {"claim": claim["maximum" if patient else "minimum"]}

    with Provider(models=("ash",), answers=answer) as provider:
        bot = {"model": "ash", "base_url": provider.base_url, "form": "tags", "personality": "You are patient."}
        file = tmp_path / "ash.json"
        file.write_text(json.dumps(bot))
        arguments = ("traveller", "--model", file, *SMALL, "--store", store, "--vary-layout", "--json")
        result = json.loads(called(*arguments).stdout)["audit"]
    assert (result["answers"], result["defaulted"]) == (96, 0)
    leading = result["factors"][0]
    assert (leading["factor"], leading["share"]["value"]) == ("layout", pytest.approx(1.0))
    assert {level["level"]: (level["mean"], level["answers"]) for level in leading["levels"]} == {
        "1": (pytest.approx(1.0), 48),
        "2": (pytest.approx(0.0, abs=1e-9), 48),
    }
    with Journal.open(store) as journal:
        layouts = Counter(call.layout for game in journal.games() for _, call in journal.calls(game.id))
    assert layouts == {1: 48, 2: 48}


def test_a_player_that_looks_at_the_game_alone_is_not_moved(store):
    done = called("punish", "--model", "ConditionalCooperator", *SMALL, "--store", store)
    assert "decides the same in a situation, however the question is put" in " ".join(done.stdout.split())


def test_a_dry_run_says_the_size_and_asks_nobody(tmp_path):
    done = called("punish", "--model", "scripted:unbiased", "--seed", 1, "--dry-run")
    assert "192 questions" in done.stdout
    assert (
        json.loads(called("punish", "--model", "Cooperator", "--dry-run", "--json").stdout)["audit"]["questions"] == 192
    )


@pytest.mark.parametrize(
    ("low", "told"),
    [(0.2, "comes from factors in combination"), (-0.1, "do not depend on how the question is put")],
)
def test_what_factors_do_in_combination_is_not_passed_over(low, told):
    found = Audit((), Estimate(0.5, low, 0.8), Estimate(0.5, 0.2, 0.8), 0.5, 0.1, 8, 192)
    assert told in sentence(found, "somebody")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["dictator", "--model", "scripted:unbiased", "--seats", "4"], "for one player"),
        (["dictatr", "--model", "scripted:unbiased"], "did you mean dictator"),
        (["ultimatum", "--model", "scripted:unbiased", "--phase", "giver"], "it has proposer, responder"),
        (["dictator", "--model", "exponental"], "no player called"),
        (["dictator", "--model", "scripted:unbiased", "--rule", "potts=3"], "pots, repetitions"),
        (["punish"], "name a game and a model"),
        (["chess", "--model", "scripted:unbiased"], "no game called 'chess'"),
        (["audit", "--model", "scripted:unbiased"], "there is no audit of audit"),
        (["punish", "--model", "scripted:nobody"], "no scripted player called"),
        (["punish", "--model", "scripted:unbiased", "--repeats", "1"], "repeats must be at least 2, got 1"),
        (["punish", "--model", "scripted:unbiased", "-o", "audit.pdf"], "use .svg or .png"),
        (["punish", "--model", "scripted:unbiased", "--phase", "vote"], "it has contribution, punishment"),
        (["punish", "--model", "scripted:unbiased", "--seats", "0"], "at least 3 players; the table has 0"),
        (["dictator", "--model", "scripted:unbiased", "--seats", "0"], "seats must be 1 or left out"),
        (["punish", "--model", "scripted:unbiased", "--budget", "1"], "limits='budget' is for models; audit one"),
        (["punish", "--model", "Cooperator", "--game-calls", "1", "--dry-run"], "limits='game_calls' is for models"),
        (["punish", "--model", "scripted:unbiased", "--aspect", "target"], "'target'; they have contribution"),
        (["stag-hunt", "--model", "scripted:unbiased", "--aspect", "hare"], "they have choice of stag"),
        (["punish", "--model", "Cooperator", "--aspect", "spend", "--dry-run"], "they have contribution"),
    ],
)
def test_bad_input_is_told_in_one_line_before_anybody_is_asked(arguments, reason, store, tmp_path):
    with pytest.raises(InputError, match=reason):
        called(*arguments, "--store", store)
    assert not (tmp_path / "journal.db").exists()


@pytest.mark.slow
def test_an_audit_without_a_model_goes_on_without_limits_alone(store):
    called("punish", "--model", "Cooperator", "--situations", 2, "--seed", 3, "--store", store)
    for words in (["audit", "--experiment", "audit-1"], ["resume", "audit-1"]):
        done = CliRunner().invoke(app, [*words, "--budget", "1", "--store", store])
        assert done.exception.spelled(as_option) == "--budget is for models; none plays in audit-1"
    limits = ["--limit-player", "Cooperator:calls=1"]
    done = CliRunner().invoke(app, ["resume", "audit-1", *limits, "--store", store])
    assert done.exception.spelled(as_option) == "--limit-player is for models; none plays in audit-1"
    with pytest.raises(InputError, match="no aspect 'vote'; they have contribution"):
        called("--experiment", "audit-1", "--aspect", "vote", "--store", store)


@pytest.mark.parametrize(
    "option",
    [
        ["--seconds", "5"],
        ["--wait", "5"],
        ["--host", "127.0.0.1"],
        ["--port", "0"],
        ["--new-links"],
        ["--cluster", "4"],
    ],
)
def test_resuming_an_audit_refuses_options_for_tables_and_clusters(option, finished):
    done = CliRunner().invoke(app, ["resume", "audit-1", *option, "--store", finished])
    assert isinstance(done.exception, InputError)
    assert (
        str(done.exception)
        == f"an audit asks only one player, Cooperator, in this process; leave out {option[0][2:].replace('-', '_')}"
    )
