"""Bot files: what they may hold, where they are found, and one clear line for each that will not do."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ostrom.core import InputError
from ostrom.games.commons.players import CHAMPIONS
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.players.models.bots import Bot, Price, bot_files, bot_of_model, list_bots, load_bot

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OSTROM_BOTS", str(tmp_path))
    return tmp_path


def write(folder, name, text):
    path = folder / f"{name}.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_a_bot_is_called_what_its_file_is_called(folder):
    write(folder, "mild", {"model": "openai:gpt-5-mini", "personality": "You are mild."})
    bot = load_bot("mild")
    assert (bot.name, bot.model, bot.temperature, bot.form) == ("mild", "openai:gpt-5-mini", 0.3, None)
    assert load_bot(folder / "mild.json") == bot


def test_a_bot_survives_as_plain_data(folder):
    fields = {
        "model": "m",
        "base_url": "http://127.0.0.1:1/v1/",
        "reasoning": 200,
        "price": {"input": 1, "output": 2.5},
    }
    write(folder, "whole", {**fields, "form": "tags", "grammar": True, "temperature": None})
    bot = load_bot("whole")
    assert bot.base_url == "http://127.0.0.1:1/v1"
    assert bot.price == Price(input=1, output=2.5)
    assert Bot.model_validate(json.loads(json.dumps(bot.model_dump()))) == bot
    assert hash(bot) == hash(Bot.model_validate(bot.model_dump()))


def test_a_folder_of_the_users_own_comes_before_the_projects(folder):
    write(folder, "haggler", {"model": "openai:mine"})
    assert load_bot("haggler").model == "openai:mine"
    assert "warden" in bot_files()


def test_a_model_alone_has_no_personality():
    bot = bot_of_model("openai-chat:gpt-5-mini")
    assert (bot.name, bot.model, bot.personality) == ("openai-chat:gpt-5-mini", "openai-chat:gpt-5-mini", "")
    with pytest.raises(InputError, match="one word"):
        bot_of_model("gpt 5")


BAD = {
    "broken JSON": ('{"model": "m"', "not a JSON file"),
    "no object": ("[1]", "one JSON object"),
    "nothing": ("", "not a JSON file"),
    "a field twice": ('{"model": "a:b", "model": "a:c"}', "set twice"),
    "no model": ({}, '"model" is missing'),
    "an empty model": ({"model": ""}, "model: "),
    "an unknown field": ({"model": "a:b", "temprature": 1}, "unknown field 'temprature'; the fields are model, pers"),
    "a name": ({"model": "a:b", "name": "x"}, "unknown field 'name'"),
    "a wrong type": ({"model": "a:b", "temperature": "hot"}, "temperature: .*number"),
    "a number as text": ({"model": "a:b", "max_tokens": "100"}, "max_tokens: .*integer"),
    "too hot": ({"model": "a:b", "temperature": 3}, "temperature: .*less than or equal to 2"),
    "not a number": ('{"model": "a:b", "temperature": NaN}', "temperature: "),
    "no such form": ({"model": "a:b", "form": "xml"}, "form: .*'native', 'tool', 'prompted' or 'tags'"),
    "no such effort": ({"model": "a:b", "reasoning": "huge"}, "reasoning: must be off, minimal, low"),
    "reasoning past the limit": ({"model": "a:b", "reasoning": 8192}, "reasoning: must be less than max_tokens"),
    "grammar without tags": ({"model": "a:b", "grammar": True}, 'grammar: needs "form": "tags"'),
    "half a price": ({"model": "a:b", "price": {"input": 1}}, "price.output: "),
    "a negative price": ({"model": "a:b", "price": {"input": -1, "output": 1}}, "price.input: "),
    "an extra price": (
        {"model": "a:b", "price": {"input": 1, "output": 1, "x": 1}},
        "'price.x'; the fields are input, o",
    ),
    "no address": ({"model": "m", "base_url": "localhost:80"}, "base_url: must be the address"),
    "a key in the address": ({"model": "m", "base_url": "http://u:secretsecret@h/v1"}, "base_url: must be a plain"),
    "a key for a name": ({"model": "m", "key_env": "sk-verysecretindeed"}, "key_env: must be the name"),
    "another key": ({"model": "m", "key_env": "sk_verysecretindeed"}, "key_env: must be the name"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_in_one_line_that_names_it(folder, what):
    content, reason = BAD[what]
    path = write(folder, "bad", content)
    with pytest.raises(InputError, match=reason) as error:
        load_bot("bad")
    text = str(error.value)
    assert text.startswith(str(path))
    assert "\n" not in text
    assert "secret" not in text
    # The list of bots skips it.
    assert "bad" not in [bot.name for bot in list_bots()]


def test_text_that_is_not_utf8_is_refused(folder):
    (folder / "bad.json").write_bytes(b'{"model": "\xff"}')
    with pytest.raises(InputError, match="not a JSON file"):
        load_bot("bad")


def test_an_unknown_bot_is_answered_with_the_nearest(folder):
    with pytest.raises(InputError, match="no bot called 'hagler'; did you mean haggler"):
        load_bot("hagler")
    with pytest.raises(InputError, match="no bot file"):
        load_bot(folder / "none.json")


def test_a_folder_that_is_not_there_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("OSTROM_BOTS", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"OSTROM_BOTS names .* not a folder"):
        load_bot("haggler")


def test_the_projects_bots_load_and_tell_nothing_about_themselves(monkeypatch):
    monkeypatch.delenv("OSTROM_BOTS", raising=False)
    monkeypatch.chdir(REPOSITORY)
    bots = list_bots()
    assert len(bots) >= 5
    assert any(bot.base_url == "http://127.0.0.1:8080/v1" for bot in bots)
    assert len({bot.personality for bot in bots}) == len(bots)
    names = {bot.name for bot in bots} | set(CHAMPIONS) | set(PUNISHERS)
    models = {word for bot in bots for word in re.split(r"[:/ -]", bot.model) if not word.isdigit() and word != "local"}
    for bot in bots:
        words = set(re.findall(r"\w+", bot.personality.casefold()))
        assert words
        assert not words & {name.casefold() for name in names | models}


def test_the_projects_bots_are_found_from_anywhere(monkeypatch, tmp_path):
    monkeypatch.delenv("OSTROM_BOTS", raising=False)
    monkeypatch.chdir(tmp_path)
    assert load_bot("haggler").name == "haggler"


def test_bots_are_listed_without_the_client_libraries():
    code = (
        "import sys; from ostrom.players.models.bots import list_bots; list_bots(); "
        "import ostrom.players.models.probe; "
        "print([name for name in ('pydantic_ai', 'openai', 'httpx', 'httpx2') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=REPOSITORY)
    assert result.stdout.strip() == "[]"
