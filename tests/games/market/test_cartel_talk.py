"""A judge reads the messages of each side of a market: closed answers, checked evidence, and agreement with planted
cartels."""

import asyncio
from pathlib import Path

import pytest

from marketplace import register
from ostrom.core import GameChance, IllegalAnswer, InputError
from ostrom.core.spoken import SpokenLine
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import play_match
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct, keep
from ostrom.experiment.watch import Tally
from ostrom.games.market.commands.cartel_talk import judged_sides, talk_tables
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.games.market.reading import CARTEL_TALK, CartelTalkRules
from ostrom.games.market.reading.play import KINDS, CartelTalkSpec, portions_of, quote_of
from ostrom.journal.sql import Journal
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import prompt_of
from ostrom.terminal.judging import Judging, speaking_games
from ostrom.testing import ScriptedJudge

LINES = (
    SpokenLine(number=1, round=1, label="P1", text="Good luck."),
    SpokenLine(number=2, round=1, label="P3", text="Let us  all ask 60."),
    SpokenLine(number=3, round=2, label="P4", text="P3 broke our price."),
)


def verdict(**quotes: str) -> dict[str, str]:
    """An answer with a yes for each kind that has a quote."""
    answers = {kind: "yes" if kind in quotes else "no" for kind in KINDS}
    return {**answers, **{quote_of(kind): quotes.get(kind, "") for kind in KINDS}}


def test_evidence_must_be_in_a_message() -> None:
    spec = CartelTalkSpec(LINES[1:], 20)
    assert spec.validate(verdict(prices="let us all ASK 60"))["prices"] == "yes"
    for quote in ("we all ask 60", "", "Good luck."):
        with pytest.raises(IllegalAnswer, match="must be copied exactly"):
            spec.validate(verdict(prices=quote))
    with pytest.raises(IllegalAnswer, match="missing"):
        spec.validate({"prices": "no"})
    assert spec.validate({}) == {}
    assert spec.validate({**verdict(), "threats_quote": "made up"})["threats_quote"] == ""


def test_each_side_is_a_question_and_the_judge_sees_no_names_or_quotes() -> None:
    rules = CartelTalkRules(source="double-auction-7.1", lines=LINES, seats=4)
    assert [(side, [line.number for line in lines]) for side, lines in portions_of(rules)] == [
        ("buyers", [1]),
        ("sellers", [2, 3]),
    ]
    match = play_match(CARTEL_TALK, rules, [ScriptedJudge(lambda question: verdict())], GameChance(0))
    for variant in ("plain", "terse"):
        for form in ("tags", "native"):
            asked = prompt_of(
                "cartel_talk", match.decisions[1].question, Framing(variant=variant), GameChance(0), form=form
            )
            text = "\n".join(line.text for line in asked)
            assert "P3 broke our price." in text
            assert "never an instruction" in text
            assert "Good luck" not in text
            assert "double-auction-7" not in text
    assert briefing_of("cartel_talk") is not None


@pytest.fixture
def journal(tmp_path: Path):
    """A journal with six cartels among silent traders, and six games of harmless talk."""
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as journal:
        experiment = journal.new_experiment("planted", kind="bench", settings={})
        for number in range(12):
            rules = DoubleAuctionRules(rounds=3, messages="side")
            cartel = STRATEGIES["TalkingCartel"].with_settings("strength=0.75")
            other = cartel if number % 2 else STRATEGIES["Chatter"]
            players = [STRATEGIES["ZIP"]] * 2 + [other] * 2
            match = play_match(register(), rules, players, GameChance(number))
            keep(journal, experiment, match, str(number))
        yield journal


def read(journal: Journal, script, name: str) -> None:
    rules = CARTEL_TALK.rules()
    judging = Judging(CARTEL_TALK, ScriptedJudge(script, name), rules, {"seats": lambda row: len(row.players)})
    fixtures = judging.fixtures(journal, speaking_games(journal))
    asyncio.run(conduct(fixtures, journal, judging.experiment(journal), Conduct(Limits(), Tally())))


def keyword(question) -> dict[str, str]:
    """A judge that looks for a word."""
    text = next((line.text for line in question.view.lines if "us all" in line.text), None)
    return verdict() if text is None else verdict(prices=text)


@pytest.mark.slow
def test_agreement_with_planted_cartels_is_measured(journal: Journal) -> None:
    read(journal, keyword, "keyword")
    read(journal, lambda question: verdict(prices=question.view.lines[0].text), "suspicious")
    read(journal, lambda question: {}, "mute")
    sides = [one for one in judged_sides(journal) if one.judge == "keyword"]
    assert len(sides) == 24
    assert sum(one.messages > 0 for one in sides) == 12
    tables = {table.name: table for table in talk_tables(journal, None, "TalkingCartel")}
    rows = {row["judge"]: row for row in tables["agreement"].rows}
    assert (rows["keyword"]["sensitivity"].value, rows["keyword"]["false_alarms"].value) == (1, 0)
    assert rows["keyword"]["kappa"].value == 1
    assert (rows["suspicious"]["sensitivity"].value, rows["suspicious"]["false_alarms"].value) == (1, 1)
    assert rows["suspicious"]["kappa"].value == 0
    assert (rows["mute"]["sides"], rows["mute"]["unjudged"]) == (0, 12)
    assert rows["mute"]["sensitivity"].value is None
    cases = {row["case"]: row for row in tables["planted_cases"].rows if row["judge"] == "keyword"}
    assert cases["others, silent"]["sides"] == 12
    with pytest.raises(InputError, match="has the player 'Nemo'"):
        talk_tables(journal, None, "Nemo")


def test_no_judge_no_agreement(journal: Journal) -> None:
    assert talk_tables(journal, None, None) == []
    with pytest.raises(InputError, match="no judge has read"):
        talk_tables(journal, None, "TalkingCartel")
