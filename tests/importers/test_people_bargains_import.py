"""CaSiNo and Deal or No Deal: every given payoff is replayed, odd lines are treated as the rule book says, and a log
that differs is named and not stored. Dialogues here are made up; figures are those of the rule book."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foreign_data import foreign
from issues_table import register
from ostrom.analysis.set_apart import with_people
from ostrom.core import InputError, Provenance
from ostrom.experiment import replay
from ostrom.importers import casino, deal_or_no_deal
from ostrom.journal.sql import Journal

register()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as opened:
        yield opened


@pytest.mark.slow
def test_all_given_dialogues_of_casino_have_the_figures_of_the_rule_book(journal: Journal) -> None:
    files = casino.files_in_folder(foreign("market") / "casino")
    report = casino.import_dialogues(files, journal)
    assert (report.games, report.replayed_exactly, report.new) == (130, 130, 130)
    assert (report.payoffs, report.points, report.deals, report.rejections) == (260, 4931, 129, 15)
    assert not report.mismatches
    assert not report.unreadable
    assert casino.import_dialogues(files, journal).new == 0


@pytest.mark.slow
def test_all_given_lines_of_deal_or_no_deal_have_the_figures_of_the_rule_book(journal: Journal) -> None:
    files = deal_or_no_deal.files_in_folder(foreign("market"))  # files are recognised by their content
    report = deal_or_no_deal.import_dialogues(files, journal)
    assert report.rows == 2042
    assert (report.agreed, report.agreed_points) == (1614, 12270)
    assert (report.not_agreed, report.not_agreed_points) == (227, 1715)
    assert report.agreed + report.not_agreed + report.no_agreement + report.disconnected == report.rows
    assert report.games == report.replayed_exactly == report.new
    assert 2 * report.games - report.one_sided == report.rows
    assert not report.mismatches
    assert not report.unreadable
    assert deal_or_no_deal.import_dialogues(files, journal).new == 0


# CaSiNo, with dialogues of our own.

HOSTILE = "Hello\x00 <script>alert(1)</script> \x1b[31m\u202e {{ 7 * 7 }} \ud800 😡"


def act(seat: int, text: str, **data: Any) -> dict[str, Any]:
    """A line of a dialogue."""
    return {"id": f"mturk_agent_{seat}", "text": text, "task_data": data}


def deal(seat: int, food: int, water: int, firewood: int) -> dict[str, Any]:
    """A submitted deal. Its numbers are texts, as in the log."""
    own = {"Food": str(food), "Water": str(water), "Firewood": str(firewood)}
    other = {good: str(3 - int(count)) for good, count in own.items()}
    return act(seat, "Submit-Deal", issue2youget=own, issue2theyget=other)


def dialogue(number: int, lines: list[dict[str, Any]], first: float, second: float) -> dict[str, Any]:
    """A dialogue of an agent 1 that wants food most and water least, and an agent 2 with the opposite order."""
    orders = (("Food", "Firewood", "Water"), ("Water", "Firewood", "Food"))
    return {
        "dialogue_id": number,
        "chat_logs": lines,
        "participant_info": {
            f"mturk_agent_{seat}": {
                "value2issue": dict(zip(("High", "Medium", "Low"), order, strict=True)),
                "outcomes": {"points_scored": points},
            }
            for seat, (order, points) in enumerate(zip(orders, (first, second), strict=True), start=1)
        },
    }


AGREED = dialogue(
    7,
    [
        act(2, HOSTILE),
        act(1, "Submit-Deal"),  # without data, this is only what the person wrote
        deal(2, 3, 3, 0),
        act(1, "Reject-Deal", data="reject_deal"),
        deal(1, 3, 0, 2),
        act(2, "Accept-Deal", data="accept_deal"),
    ],
    3 * 5 + 2 * 4,
    3 * 5 + 4,
)
WALKED = dialogue(8, [act(1, "Hi"), act(1, "Hello?"), act(2, "Walk-Away", data="walk_away")], 5, 5)


def casino_files(folder: Path, *dialogues: dict[str, Any], name: str = "some.json") -> list[Path]:
    """The files of a folder with these dialogues and with other files."""
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / name).write_text(json.dumps(dialogues), encoding="utf-8")
    (folder / "other.json").write_text('[{"chat": []}]', encoding="utf-8")
    return casino.files_in_folder(folder)


def test_dialogues_of_casino_are_replayed_with_the_first_speaker_first(tmp_path: Path, journal: Journal) -> None:
    files = casino_files(tmp_path, AGREED, WALKED)
    assert [path.name for path in files] == ["some.json"]
    report = casino.import_dialogues(files, journal)
    assert (report.games, report.replayed_exactly, report.payoffs, report.points) == (2, 2, 4, 52)
    assert (report.deals, report.rejections, report.walk_aways, report.new) == (1, 1, 1, 2)
    agreed, walked = sorted((record for _, _, record in journal.records()), key=lambda record: len(record.answers))[
        ::-1
    ]
    assert agreed.finals == [19, 23]  # the second agent spoke first
    assert agreed.events[0]["values"] == [[3, 5, 4], [5, 3, 4]]
    assert [answer.value["act"] for answer in agreed.answers] == ["say", "say", "submit", "reject", "submit", "accept"]
    # A person who speaks twice is answered by silence.
    assert [answer.value["act"] for answer in walked.answers] == ["say", "say", "say", "walk-away"]
    assert walked.answers[1].value["text"] == ""
    assert {answer.provenance for answer in agreed.answers} == {Provenance.IMPORTED}
    assert with_people(seat.player for seat in agreed.seats)
    assert replay(agreed).events[-1].points == [19, 23]


def test_a_dialogue_in_several_files_is_imported_once(tmp_path: Path, journal: Journal) -> None:
    casino_files(tmp_path, AGREED, WALKED)
    files = casino_files(tmp_path, AGREED, name="whole.json")
    report = casino.import_dialogues(files, journal)
    assert (report.games, report.repeated, report.new, report.mismatches) == (2, 1, 2, [])
    changed = {**AGREED, "chat_logs": [act(2, "Hi"), *AGREED["chat_logs"][1:]]}
    files = casino_files(tmp_path, changed, name="whole.json")
    assert "another dialogue has the same number" in casino.import_dialogues(files, journal).mismatches[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"participant_info": dialogue(7, [], 22, 19)["participant_info"]}, "the log gives"),
        ({"chat_logs": AGREED["chat_logs"][:2] + AGREED["chat_logs"][5:]}, "cannot be played"),
    ],
)
def test_a_dialogue_that_differs_from_the_rules_is_named(
    change: dict[str, Any], reason: str, tmp_path: Path, journal: Journal
) -> None:
    report = casino.import_dialogues(casino_files(tmp_path, {**AGREED, **change}, WALKED), journal)
    assert (report.games, report.replayed_exactly, report.new) == (2, 1, 1)
    assert reason in report.mismatches[0]
    assert "some.json, dialogue 7" in report.mismatches[0]


@pytest.mark.parametrize(
    "change",
    [
        {"chat_logs": []},
        {"chat_logs": AGREED["chat_logs"][:-1]},
        {"chat_logs": [*AGREED["chat_logs"], act(1, "Bye")]},
        {"chat_logs": [act(3, "Hi")]},
        {"chat_logs": [act(1, 5)]},  # type: ignore[arg-type]
        {"chat_logs": [{**deal(1, 1, 1, 1), "task_data": {"issue2youget": {}}}]},
        {"dialogue_id": "7"},
        {"participant_info": {"mturk_agent_2": {}}},
    ],
)
def test_a_dialogue_that_cannot_be_read_is_named_and_the_others_are_imported(
    change: dict[str, Any], tmp_path: Path, journal: Journal
) -> None:
    report = casino.import_dialogues(casino_files(tmp_path, {**AGREED, **change}, WALKED), journal)
    assert (report.games, report.new, len(report.unreadable)) == (1, 1, 1)
    assert report.unreadable[0].startswith("some.json, dialogue number 1")


def test_a_folder_without_dialogues_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    for find in (casino.files_in_folder, deal_or_no_deal.files_in_folder):
        with pytest.raises(InputError, match="neither in itself nor in its subfolders"):
            find(tmp_path)
        with pytest.raises(InputError, match="there is no folder"):
            find(tmp_path / "missing")


# Deal or No Deal, with lines of our own: 1 book, 3 hats and 1 ball.

OWN, OTHER = "1 1 3 2 1 3", "1 4 3 0 1 6"


def lines(
    choices: tuple[str, str],
    rewards: tuple[str, str],
    end: str,
    talk: str = "YOU: the hats ? <eos> THEM: ok <eos> YOU: ",
) -> list[str]:
    """Both lines of a dialogue."""
    turned = talk.replace("YOU", "@").replace("THEM", "YOU").replace("@", "THEM")
    return [
        f"{own} {words}<selection> {choice} <eos> reward={reward} {end} {other}"
        for own, other, words, choice, reward in (
            (OWN, OTHER, talk, choices[0], rewards[0]),
            (OTHER, OWN, turned, choices[1], rewards[1]),
        )
    ]


HATS, REST, ALL = "item0=0 item1=3 item2=0", "item0=1 item1=0 item2=1", "item0=1 item1=3 item2=1"
DEAL = lines((HATS, REST), ("6", "10"), "agree")
BOTH_WANT_ALL = lines((ALL, ALL), ("10", "10"), "disagree", "YOU: all <eos> THEM: ")
NO_AGREEMENT = lines(("no agreement",) * 2, ("no agreement",) * 2, "agree", "THEM: no <eos> YOU: ")
HALF_NO_AGREEMENT = lines(("no agreement", ALL), ("no agreement", "10"), "disagree", "THEM: hm <eos> YOU: ")
DISCONNECTED = lines(("disconnect",) * 2, ("disconnect",) * 2, "agree", "THEM: </b>{{ 1 }} \x07 <eos> YOU: ")
ONE_SIDE = lines((ALL, ALL), ("10", "10"), "disagree", "YOU: mine <eos> THEM: ")[:1]
AGREED_SIDE = lines((HATS, REST), ("6", "10"), "agree", "YOU: so ? <eos> THEM: ok <eos> YOU: ")[1:]


def imported(folder: Path, journal: Journal, *rows: str) -> deal_or_no_deal.DealOrNoDealReport:
    """The report of an import of these lines from a repository."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "data.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "README.txt").write_text("YOU: <selection>", encoding="utf-8")
    return deal_or_no_deal.import_dialogues(deal_or_no_deal.files_in_folder(folder), journal)


def test_lines_of_deal_or_no_deal_become_games_of_two_sides(tmp_path: Path, journal: Journal) -> None:
    odd = (*BOTH_WANT_ALL, *NO_AGREEMENT, *HALF_NO_AGREEMENT, *DISCONNECTED, *ONE_SIDE, *AGREED_SIDE)
    # The two sides of a dialogue need not be neighbours.
    report = imported(tmp_path, journal, DEAL[1], *odd, DEAL[0])
    assert (report.rows, report.games, report.one_sided, report.new) == (12, 7, 2, 7)
    assert (report.agreed, report.agreed_points, report.not_agreed, report.not_agreed_points) == (3, 26, 4, 40)
    assert (report.no_agreement, report.disconnected, report.without_choice_agree) == (3, 2, 4)
    assert not report.mismatches
    finals = sorted(tuple(record.finals or ()) for _, _, record in journal.records())
    assert finals == [(0, 0)] * 5 + [(6, 10)] * 2
    for _, _, record in journal.records():
        assert replay(record).rules.goods == "books, hats, balls"
        assert with_people(seat.player for seat in record.seats)
        assert record.events[0]["counts"] == [1, 3, 1]
    again = imported(tmp_path, journal, *DEAL, *odd)
    assert (again.games, again.new) == (7, 0)


def test_the_first_speaker_has_the_first_seat(tmp_path: Path, journal: Journal) -> None:
    talk = "THEM: hello <eos> YOU: the hats ? <eos> THEM: "
    imported(tmp_path, journal, *lines((HATS, REST), ("6", "10"), "agree", talk))
    ((_, _, record),) = journal.records()
    assert record.finals == [10, 6]
    assert record.events[0]["values"] == [[4, 0, 6], [1, 2, 3]]
    assert [answer.value["act"] for answer in record.answers] == ["say", "say", "end-talk", "take", "take"]


def test_equal_dialogues_are_two_games(tmp_path: Path, journal: Journal) -> None:
    assert imported(tmp_path, journal, *DEAL, *DEAL).new == 2
    assert imported(tmp_path, journal, *DEAL, *DEAL).new == 0


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (lines((HATS, REST), ("7", "10"), "agree"), "the log gives the reward 7, and the choice is worth 6"),
        (lines((ALL, REST), ("10", "10"), "agree"), "the log says that there is a deal, and the rules give no-deal"),
        (lines((HATS, REST), ("6", "10"), "disagree"), "the log says that there is no deal, and the rules give deal"),
    ],
)
def test_a_dialogue_that_differs_from_the_rules_is_named_with_its_lines(
    rows: list[str], reason: str, tmp_path: Path, journal: Journal
) -> None:
    report = imported(tmp_path, journal, *NO_AGREEMENT, *rows)
    assert (report.games, report.replayed_exactly, report.new) == (2, 1, 1)
    assert reason in report.mismatches[0]
    assert "data.txt, lines 3 and 4" in report.mismatches[0]


def test_lines_that_cannot_be_read_are_named(tmp_path: Path, journal: Journal) -> None:
    broken = (
        DEAL[0].replace("1 4 3 0 1 6", "1 4 3 0 1 5"),
        "words",
        DEAL[0].replace("YOU:", "WE:"),
        DEAL[0].replace(HATS, "disconnect"),
        DEAL[0].replace("1 3", "1 2", 1),
    )
    report = imported(tmp_path, journal, *DEAL, *broken)
    assert (report.games, report.new) == (1, 1)
    assert [text.split(":")[0] for text in report.unreadable] == [
        f"data.txt, line {number}" for number in (3, 4, 5, 6, 7)
    ]
