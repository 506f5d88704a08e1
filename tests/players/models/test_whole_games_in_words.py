"""Whole games through prompts alone: in every wording, form and framing they can be played, and no prompt says who sits
where."""

import re
from functools import cache
from itertools import pairwise

import pytest
from asked import FakeConnection, play, player

from ostrom.core import GameChance, Line, LoggedChance, Provenance, Seat
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.players import CHAMPIONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.players.models.bots import list_bots
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import NAMES, Framing, pseudonyms
from ostrom.players.models.prompting import variants_of

MODELS = (
    *("gpt", "openai", "claude", "anthropic", "gemini", "gemma", "llama", "mistral", "mixtral", "qwen", "deepseek"),
    *("grok", "smollm", "palm", "bard", "falcon", "cohere", "command-r", "sonnet", "opus", "haiku", "kimi", "o3-mini"),
    *("language model", "chatbot", "champion", "artificial"),
)
VARIANTS = ("plain", "story", "terse")
FORMS = ("native", "tool", "prompted", "tags")
LABELS = ("Anna", "Ben", "Cleo", "Dan", "Eve")
OTHERWISE = {"unit": "francs", "scale": 10, "labels": LABELS, "order": (4, 2, 0, 1, 3)}


@cache
def names() -> tuple[str, ...]:
    """Every name that would tell who a player is."""
    bots = [name for bot in list_bots() for name in (bot.name, bot.model)]
    return (*CHAMPIONS, *PUNISHERS, *bots, "Quiet-Bot", *MODELS)


@cache
def telling() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name.lower()) for name in names())})")


def told_in(game: object, rules: object, framing: Framing, form: str, built_in: list) -> list[tuple[Line, ...]]:
    chance, connection = GameChance(11, 4), FakeConnection(form)
    models = [player(game.name, connection, framing, chance, personality="Be calm.") for _ in range(5 - len(built_in))]
    players = [*built_in[:1], *models, *built_in[1:]]
    decided = play(game, rules, players, chance, connection)
    assert all(answer.provenance is Provenance.ANSWERED for _, answer in decided), "every told answer is legal"
    return connection.sent


def commons(framing: Framing, form: str, **settings: object) -> list[tuple[Line, ...]]:
    chance = GameChance(11, 4)
    seated = [CHAMPIONS[name].sit(Seat(index), chance) for index, name in ((0, "Capitaliste"), (4, "Justicier"))]
    return told_in(COMMONS, CommonsRules(**{"turns": 8, **settings}), framing, form, seated)


def punish(framing: Framing, form: str, **settings: object) -> list[tuple[Line, ...]]:
    chance = GameChance(11, 4)
    seated = [
        PUNISHERS[name].sit(Seat(index), chance) for index, name in ((0, "AltruisticPunisher"), (4, "Retaliator"))
    ]
    return told_in(CONTRIBUTE_PUNISH, ContributePunishRules(**{"rounds": 4, **settings}), framing, form, seated)


@pytest.mark.parametrize("play_one", [commons, punish])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("form", FORMS)
def test_no_prompt_tells_who_sits_where(play_one, variant: str, form: str) -> None:
    for framing in (Framing(variant=variant), Framing(variant=variant, **OTHERWISE)):
        prompts = play_one(framing, form)
        assert len(prompts) > 20
        for prompt in prompts:
            text = "\n".join(line.text for line in prompt)
            lower = text.lower()
            assert telling().search(lower) is None
            assert not re.search(r"\bseats? \d|\bplayer \d|\bindex\b", lower)
            assert prompt[0].role == "system"
            assert prompt[0].text.startswith("Be calm.\n\n")
            assert [line.role for line in prompt[1:]] == ["user", "assistant"] * (len(prompt) // 2 - 1) + ["user"]
            if play_one is punish:
                assert "the absolute amount does not matter" in text
                assert re.search(r"end with more \w+ than the others", text)
                assert framing.labels is None or not re.search(r"\bP\d\b", text)
            if framing.labels is not None:
                assert "token" not in lower


@pytest.mark.parametrize(
    ("play_one", "settings", "gone"),
    [
        (punish, {"messages": False}, r"messag|said|quot|speak|meeting"),
        (punish, {"punishment": False}, r"punish|reckoning"),
        (punish, {"max_spend": 0}, r"punish|reckoning"),
        (commons, {"lobbying": False}, r"lobb|council"),
        (commons, {"voting": False}, r"vote|exclu"),
        (commons, {"erosion": False}, r"eros|erode|kept this turn x"),
    ],
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_the_rules_leave_out_is_not_told(play_one, settings: dict, gone: str, variant: str) -> None:
    for prompt in play_one(Framing(variant=variant), "tags", **settings):
        for line in prompt:
            assert not re.search(gone, line.text.lower())


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_setting_is_told(variant: str) -> None:
    odd = {"start": 37, "multiplier": 1.73, "message_words": 41, "message_rounds": 2, "ratio": 7, "max_spend": 13}
    told = punish(Framing(variant=variant), "tags", **odd, max_fraction=0.37, max_absolute=91, rounds=6)[0][0].text
    for number in ("37", "1.73", "41", "2", "7", "13", "37%", "91", "6"):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", told), number
    odd = {"endowment": 83.0, "alpha": 0.43, "sensitivity": 0.0021, "erosion_intensity": 1.7, "synergy": 1.61}
    more = {"synergy_lowest": 1.17, "synergy_highest": 2.93, "golden_age_from": 0.77, "growth": 0.13}
    told = commons(Framing(variant=variant), "tags", **odd, **more, erosion_below=0.47, shrinkage=0.061)[0][0].text
    for number in ("83", "0.43", "0.0021", "1.7", "1.61", "1.17", "2.93", "0.77", "0.13", "0.47", "0.061", "8"):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", told), number


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_shadow_of_the_future_is_told(variant: str) -> None:
    connection, chance = FakeConnection("tags"), GameChance(2)
    players = [player("commons", connection, Framing(variant=variant), chance) for _ in range(2)]
    play(COMMONS, CommonsRules(duration=6), players, chance, connection)
    rules = connection.sent[0][0].text
    assert "80%" in rules
    assert "turn 6" in rules
    assert "0.076639" in rules
    assert "vote" not in rules.lower(), "with 2 players there is none"


@pytest.mark.parametrize("variant", VARIANTS)
def test_anonymous_punishers_are_not_named(variant: str) -> None:
    connection, chance = FakeConnection("native", seed=5), GameChance(2)
    players = [player("contribute_punish", connection, Framing(variant=variant), chance) for _ in range(5)]
    play(CONTRIBUTE_PUNISH, ContributePunishRules(rounds=4, anonymous=True), players, chance, connection)
    for prompt in connection.sent:
        me = re.search(r"(?:You are|you are|You:) (P\d)", prompt[0].text)[1]
        assert set(re.findall(r"(P\d) spent", prompt[1].text)) <= {me}
    assert any(re.search(r"P\d lost \d", prompt[1].text) for prompt in connection.sent)


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_seats_of_one_moment_are_told_the_same_but_for_themselves(variant: str) -> None:
    connection, chance = FakeConnection("tags", seed=3), GameChance(2)
    players = [player("contribute_punish", connection, Framing(variant=variant), chance) for _ in range(5)]
    play(CONTRIBUTE_PUNISH, ContributePunishRules(rounds=3), players, chance, connection)
    asked = [prompt for prompt in connection.sent if "<contribution>" in prompt[-1].text][-5:]
    for one, other in pairwise(asked):
        for mine, theirs in zip(one, other, strict=True):
            pairs = list(zip(mine.text.split("\n"), theirs.text.split("\n"), strict=True))
            different = [pair for pair in pairs if pair[0] != pair[1]]
            assert all(re.search(r"[Yy]ou|Choose from|contribution", line) for pair in different for line in pair)
            assert len(different) <= 3


def test_three_wordings_of_each_game() -> None:
    for game in (COMMONS, CONTRIBUTE_PUNISH):
        assert variants_of(briefing_of(game.name)) == sorted(VARIANTS)


def test_pseudonyms_are_the_same_for_all_and_say_nothing() -> None:
    assert len(set(NAMES)) >= 64
    assert not [n for n in NAMES for word in names() if word.lower() in n.lower()]
    assert pseudonyms(GameChance(1, 2), 5) == pseudonyms(GameChance(1, 2), 5)
    drawn = {pseudonyms(GameChance(1, game), 5) for game in range(50)}
    assert len(drawn) == 50
    many = pseudonyms(GameChance(1), 1000)
    assert len({name.casefold() for name in many}) == 1000
    assert len(pseudonyms(LoggedChance({}), 3)) == 3
