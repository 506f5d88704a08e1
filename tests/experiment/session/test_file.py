"""A session file: its parts, and a line for each of its mistakes."""

from pathlib import Path
from textwrap import dedent

import pytest

from ostrom.core import InputError
from ostrom.experiment.session.file import SessionFile, load_session
from ostrom.experiment.session.file_parts import PEOPLE
from ostrom.experiment.session.words import DEFAULT_LANGUAGE, languages, phrase, placeholders, words_of

GOOD = """
[session]
name = "good"
title = "A good session"
participants = 24
start = "time"
start_at = 2026-12-01T10:00:00+01:00
[pages]
welcome = { file = "welcome.md" }
[consent]
text = "We record how answers are written."
[recording]
traces = true
retention_days = 30
[quiz]
on_failure = "screen_out"
[[quiz.questions]]
name = "q1"
text = "What do you earn?"
choices = ["12", "20"]
answer = "20"
[[quiz.questions]]
name = "q2"
text = "What does a point cost?"
type = "number"
answer = 1
treatments = ["punishment"]
[[treatments]]
name = "plain"
[[treatments]]
name = "punishment"
share = 2
messages = true
turns = "at once"
rules = { punishment = true }
seats = { people = 2, "FullContributor" = 2 }
[treatments.games.g1.rules]
punish_cost = 2
[[games]]
name = "g1"
game = "contributions"
preset = "fischbacher-gaechter-2010"
rules = { rounds = 4 }
group = 4
matching = "strangers"
tables = 2
practice = 1
practice_rules = { rounds = 2 }
[[beliefs]]
name = "b1"
game = "g1"
text = "What will the others give?"
minimum = 0
maximum = 20
quantity = "gave"
pay = { most = 2.0, loses = 0.1 }
[[questionnaire]]
name = "age"
text = "Your age"
type = "number"
minimum = 16
[payment]
currency = "EUR"
rate = 0.05
rounding = 0.1
"""

BAD = """
[session]
name = "two words"
title = "T"
participants = 22
start = "time"
join = "labels"
[panel]
participant = "PID"
[consent]
text = { file = "missing.md" }
[[quiz.questions]]
name = "q1"
text = ""
choices = ["12", "20"]
[[quiz.questions]]
name = "q2"
text = "Why?"
choices = ["12", "20"]
answer = "13"
[[treatments]]
name = "a"
rules = { roundz = 2 }
[[treatments]]
name = "a"
seats = { people = 3, "Nobody" = 2 }
[treatments.games.g9]
[[games]]
name = "g1"
game = "contributions"
preset = "unknown-1999"
group = 4
matchings = "strangers"
[[games]]
name = "g2"
game = "contribution"
group = 4
[[beliefs]]
name = "b1"
game = "g7"
text = "?"
minimum = 3
maximum = 2
quantity = "gave"
[payment]
currency = "EUR"
rate = 0.05
rounding = 0.003
[typo]
"""


def loaded(folder: Path, text: str) -> SessionFile:
    """Return the session of a file with this text."""
    (folder / "welcome.md").write_text("# Welcome\n")
    path = folder / "session.toml"
    path.write_text(text)
    return load_session(path)


def mistakes(folder: Path, text: str) -> list[str]:
    """Return the mistakes of a file, a line each."""
    with pytest.raises(InputError) as error:
        loaded(folder, dedent(text))
    return str(error.value).splitlines()


def changed(old: str, new: str) -> str:
    """Return the good file with one change."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_a_file_becomes_rules_and_tables_that_the_journal_can_keep(tmp_path):
    file = loaded(tmp_path, GOOD)
    (game,) = file.games
    plain, punishment = file.treatments
    assert file.pages.welcome == "# Welcome"
    assert file.rules_of(game, plain).model_dump(include={"rounds", "punishment", "messages"}) == {
        "rounds": 4,
        "punishment": False,
        "messages": False,
    }
    rules = file.rules_of(game, punishment, practice=True)
    assert (rules.rounds, rules.punishment, rules.punish_cost, rules.messages, rules.talk) == (
        2,
        True,
        2,
        True,
        "at-once",
    )
    assert rules.preset == game.preset
    assert file.seats_of(game, plain) == [PEOPLE] * 4
    assert file.seats_of(game, punishment) == [PEOPLE, PEOPLE, "FullContributor", "FullContributor"]
    assert [question.name for question in file.quiz_questions(plain)] == ["q1"]
    assert [question.name for question in file.quiz_questions(punishment)] == ["q1", "q2"]
    assert file.beliefs[0].points_of(5, 9) == pytest.approx(1.6)
    assert SessionFile.model_validate(file.model_dump(mode="json")) == file


def test_a_file_without_treatments_has_one(tmp_path):
    file = loaded(
        tmp_path, "[session]\nname='s'\ntitle='S'\nparticipants=2\n[[games]]\nname='g'\ngame='ultimatum'\ngroup=2\n"
    )
    assert [treatment.name for treatment in file.treatments] == ["all"]
    assert file.treatment("all") == file.treatments[0]
    with pytest.raises(InputError, match="no treatment 'punishment'"):
        file.treatment("punishment")


def test_every_mistake_has_a_line_with_its_place(tmp_path):
    lines = mistakes(tmp_path, BAD)
    assert [line.partition(": ")[0] for line in lines] == [
        "typo",
        "session.name",
        "consent.text",
        "quiz.questions.q1.text",
        "quiz.questions.q1.answer",
        "quiz.questions.q2",
        "payment",
        "games.g1.matchings",
        "beliefs.b1",
        "treatments.a",
        "panel.outcomes",
        "games.g2.game",
        "treatments.a.games.g9",
    ], "\n".join(lines)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("participants = 24", "participants = 26", "games.g1.group: groups do not divide 26 participants"),
        ("participants = 24", "participants = 0", "session.participants: must be at least 1, got 0"),
        ("rounds = 4", "roundz = 4", "games.g1.rules.roundz: unknown field; did you mean rounds"),
        ("rounds = 4", "rounds = 0", "games.g1.rules.rounds: must be at least 1, got 0"),
        ("rounds = 2 }", "rounds = -1 }", "games.g1.practice_rules.rounds: must be at least 1, got -1"),
        ("fischbacher-gaechter-2010", "fg-2010", "games.g1.preset: must be one of 'alsobay-2025'"),
        ('"contributions"', '"contribution"', "games.g1.game: there is no game called 'contribution'"),
        ('"FullContributor" = 2', '"FullContributr" = 2', "treatments.punishment.seats: there is no player of"),
        (
            '"FullContributor" = 2',
            '"FullContributor" = 3',
            "treatments.punishment.seats: has 5 seats, and games.g1.group is 4",
        ),
        (
            "{ punishment = true }",
            "{ punish = true }",
            "treatments.punishment.rules.punish: no game of the session has this",
        ),
        (
            "punish_cost = 2",
            "punish_cost = -1",
            "treatments.punishment.rules.punish_cost: in the game g1: must be at least 0",
        ),
        (
            "games.g1.rules]",
            "games.g2.rules]",
            "treatments.punishment.games.g2: there is no game of this name; there are g1",
        ),
        ('["punishment"]', '["punished"]', "quiz.questions.q2.treatments: there is no treatment 'punished'"),
        ('answer = "20"', "", "quiz.questions.q1.answer: is missing"),
        ("welcome.md", "welcom.md", "pages.welcome: there is no file"),
        ('[consent]\ntext = "We record how answers are written."', "", "recording.traces: needs the table [consent]"),
        ("how answers are written", "what you decide", "consent.text: must say that the way in which answers are"),
        ('text = "We record', 'text = "" #', "consent.text: must not be empty"),
        ("rounding = 0.1", "rounding = 0.003", "payment: rounding must be a multiple of 0.01"),
        ("rounding = 0.1", "rounding = 0", "payment.rounding: must be more than 0, got 0"),
        ("start_at = 2026-12-01T10:00:00+01:00", "", "session.start_at: is missing"),
        ('start = "time"', 'start = "host"', 'session.start_at: needs start = "time"'),
        ('name = "punishment"', 'name = "plain"', "treatments.plain: there are 2 entries of this name"),
        ('name = "q2"', 'name = "q1"', "quiz.questions.q1: there are 2 questions of this name"),
        ('game = "g1"', 'game = "g2"', "beliefs.b1.game: there is no game 'g2'; there are g1"),
        ('quantity = "gave"', 'quantity = "gift"', "beliefs.b1.quantity: must be one of "),
        ("[payment]", '[panel]\nparticipant = "PID"\n[payment]', "panel.outcomes: needs a code or an address for done"),
        ('title = "A good session"', "title = 3", "session.title: must be text"),
        ('title = "A good session"', "", "session.title: is missing"),
        ("minimum = 16", "steps = 5", 'questionnaire.age: steps needs type = "scale"'),
        ('start = "time"', 'language = "fr"\nstart = "time"', "session.language: there are no words in 'fr'"),
        (
            'matching = "strangers"\ntables = 2',
            'matching = "perfect-strangers"\ntables = 9',
            "games.g1.tables: perfect",
        ),
        ('start = "time"', 'replace_absent = "Nemo"\nstart = "time"', "session.replace_absent: there is no player"),
        ("practice = 1", 'fill = "human"', "games.g1.fill: 'human' must be one player who is not a person"),
        ("group = 4", "group = 21", "games.g1.group: contributions seats at most 20 players"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_is_right(tmp_path, old, new, expected):
    lines = mistakes(tmp_path, changed(old, new))
    assert any(line.startswith(expected) for line in lines), "\n".join(lines)


def test_a_single_mistake_causes_no_others(tmp_path):
    assert len(mistakes(tmp_path, changed("participants = 24", "participants = 26"))) == 1
    assert len(mistakes(tmp_path, changed('answer = "20"', ""))) == 1
    assert len(mistakes(tmp_path, changed("rounds = 4", "rounds = 0"))) == 1
    assert len(mistakes(tmp_path, changed("welcome.md", "welcom.md"))) == 1


def test_a_file_that_is_not_toml_is_one_mistake(tmp_path):
    (line,) = mistakes(tmp_path, "[session")
    assert "is not valid TOML" in line


def test_catalogues_have_the_same_keys_and_placeholders():
    english = words_of(DEFAULT_LANGUAGE)
    assert set(languages()) >= {"de", "en"}
    for language in languages():
        words = words_of(language, {})
        assert words.keys() == english.keys()
        different = [key for key, text in words.items() if placeholders(text) != placeholders(english[key])]
        assert not different, language


def test_the_words_of_another_language_come_from_a_file(tmp_path):
    (tmp_path / "fr.toml").write_text('[participate]\ncontinue = "Continuer"\n')
    french = 'language = "fr"\nwords = "fr.toml"\nstart = "time"'
    file = loaded(tmp_path, changed('start = "time"', french))
    assert phrase(file.words, "participate.continue") == "Continuer"
    assert file.words.keys() == words_of(DEFAULT_LANGUAGE).keys()
    (tmp_path / "fr.toml").write_text('[participate]\ncontinu = "Continuer"\n')
    (line,) = mistakes(tmp_path, changed('start = "time"', french))
    assert line.startswith("session.words: fr.toml: unknown key 'participate.continu'")
    (tmp_path / "fr.toml").write_text('[participate]\ncontinue = "Continuer {seconds}"\n')
    (line,) = mistakes(tmp_path, changed('start = "time"', french))
    assert "has the placeholder {seconds}, which the English text lacks" in line
