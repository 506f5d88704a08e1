"""A key goes to a host that the user has tied to it, and to no other, whatever a file, a journal or a server says."""

import json
from collections.abc import Iterator

import pytest
from stranger import Stranger, stranger
from system_lab import Lab

from ostrom.testing.provider import Provider

PLANTED = {
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYplanted0",
    "GITHUB_TOKEN": "ghp_PlantedPlantedPlanted0123456789abcd",
    "OPENAI_API_KEY": "sk-proj-PlantedOpenAiSecret0123456789",
    "HOUSE_PASS": "quite-a-plain-sesame-opener",
}


@pytest.fixture
def planted(lab: Lab) -> Lab:
    lab.environment |= PLANTED
    return lab


@pytest.fixture
def elsewhere() -> Iterator[Stranger]:
    with stranger() as found:
        yield found


@pytest.mark.slow
def test_the_doctor_asks_no_server_of_a_strangers_bot(planted: Lab, elsewhere: Stranger) -> None:
    for name, variable in (("aws", "AWS_SECRET_ACCESS_KEY"), ("openai", "OPENAI_API_KEY"), ("keyless", None)):
        planted.bot(name, elsewhere.base_url, **({} if variable is None else {"key_env": variable}))
    done = planted.must("doctor", "--json", stored=False)
    assert elsewhere.heard() == b""
    found = {check["what"]: check["detail"] for check in json.loads(done.out)["doctor"]}
    assert f"ostrom keys allow AWS_SECRET_ACCESS_KEY {elsewhere.place}" in found["key for bot aws"]
    assert "was not asked" in found[f"server {elsewhere.base_url}"]


def test_a_journal_that_was_given_sends_no_key(planted: Lab, elsewhere: Stranger) -> None:
    """Somebody plays a game with a bot of no key, and gives away a journal in which the bot has one."""
    with Provider(models=("ash",)) as provider:
        planted.bot("ash", provider.base_url)
        planted.must("bench", "punish", "--include", "ash:3", "--games", 2, "--seats", 3, "--rule", "rounds=1")
    with planted.journal() as journal, journal._database.writing() as connection:
        given = {"base_url": elsewhere.base_url, "key_env": "GITHUB_TOKEN"}
        ((settings,),) = connection.exec_driver_sql("SELECT settings FROM experiments").fetchall()
        changed = json.loads(settings)
        for player in changed["players"]:
            player["bot"] |= given
        changed["games"] = 3
        connection.exec_driver_sql("UPDATE experiments SET planned = 3, settings = ?", (json.dumps(changed),))
    done = planted.run("resume")
    assert elsewhere.heard() == b""
    assert done.status == 2, done
    (line,) = done.complaints
    assert f"ostrom keys allow GITHUB_TOKEN {elsewhere.place}" in line
