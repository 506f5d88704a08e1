"""Hosting: games that are played in this process, with people or without, stopped and gone on with, and nothing that
was decided lost or asked twice."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ostrom.core import Fault, InputError, Provenance
from ostrom.experiment import hosting
from ostrom.experiment.hosting import Host, Hosted, in_room, result_of
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import replay
from ostrom.experiment.plan import WAIT, Experiment, experiment_of
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.journal.record import RecordedAnswer
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import HumanSeat
from people import PUNISHERS, answer_to, game_with, sit_through


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


def planned_again(journal: Journal, experiment: str) -> Experiment:
    row = next(row for row in journal.experiments() if row.id == experiment)
    return experiment_of(row.name, row.settings)


def answers_of(journal: Journal, experiment: str) -> list[RecordedAnswer]:
    (row,) = journal.games(experiment)
    return journal.record(row.id).answers


async def until_asked(seat: HumanSeat, phase: str) -> None:
    """Answer until this is asked, and leave it open."""
    while seat.question is None or seat.question.key[2] != phase:
        if seat.question is None:
            await seat.changed(seat.version)
        else:
            await seat.answer(seat.question.id, answer_to(seat.question.schema))


def test_a_person_plays_with_algorithms_to_the_end(journal: Journal) -> None:
    async def play() -> Hosted:
        host = Host(journal)
        hosted = await host.start(game_with(["human", *PUNISHERS], rounds=2))
        assert host.running() == [hosted.experiment]
        seat = hosted.room.seats[0]
        assert host.seats(hosted.experiment) == host.seats(hosted.name) == [seat]
        assert host.seat(str(seat.token)) == (hosted, seat)
        assert host.seat("another") is None
        await sit_through(seat)
        outcome = await hosted.wait()
        assert (outcome.finished, outcome.stopped) == (1, None)
        assert host.running() == []
        return hosted

    hosted = asyncio.run(play())
    (row,) = journal.games(hosted.experiment)
    assert (row.state, row.players) == ("finished", ("human", *PUNISHERS))
    record = journal.record(row.id)
    replay(record)
    ending = hosted.room.seats[0].ending
    assert ending is not None
    assert ending.result == result_of(record)
    assert [one.final for one in ending.result.standings] == sorted(record.events[-1]["balances"], reverse=True)


def test_equal_ends_share_a_rank_and_the_story_is_the_last_round(journal: Journal) -> None:
    async def play() -> Hosted:
        hosted = await Host(journal).start(game_with(["FreeRider"] * 3, rounds=2))
        await hosted.wait()
        return hosted

    hosted = asyncio.run(play())
    (row,) = journal.games(hosted.experiment)
    result = result_of(journal.record(row.id))
    assert [one.rank for one in result.standings] == [2.0, 2.0, 2.0]
    assert [line.partition(":")[0] for line in result.story if line.startswith("Contributions")] == ["Contributions"]
    assert not any("  " in line for line in result.story)
    assert {column.title: column.values for column in result.columns}["Gave"] == (0, 0, 0)


@pytest.mark.slow
def test_a_game_of_algorithms_alone_is_kept_as_it_goes_and_can_be_gone_on_with(journal: Journal) -> None:
    async def begin() -> str:
        host = Host(journal)
        hosted = await host.start(game_with(["Pavlov", "Parasite"], "commons", turns=2000))
        await host.close()
        assert host.running() == []
        return hosted.experiment

    experiment = asyncio.run(begin())
    (row,) = journal.games(experiment)
    assert row.state == "playing"
    before = answers_of(journal, experiment)

    async def go_on() -> None:
        hosted = await Host(journal).start(planned_again(journal, experiment), experiment)
        assert (await hosted.wait()).finished == 1

    asyncio.run(go_on())
    assert answers_of(journal, experiment)[: len(before)] == before


def test_who_does_not_answer_is_asked_once_and_the_game_goes_on_with_the_fallback(journal: Journal) -> None:
    async def play() -> Hosted:
        hosted = await Host(journal).start(game_with(["human", *PUNISHERS], seconds=0.02, rounds=2))
        assert (await hosted.wait()).finished == 1
        return hosted

    hosted = asyncio.run(play())
    own = [answer for answer in answers_of(journal, hosted.experiment) if answer.seat == 0]
    assert len(own) == 6
    assert {(answer.provenance, answer.fault) for answer in own} == {(Provenance.DEFAULTED, Fault.ABSENT)}
    (row,) = journal.games(hosted.experiment)
    assert [call.attempt for _, call in journal.calls(row.id)] == [1] * 6
    seat = hosted.room.seats[0]
    assert seat.decided[1] == "Round 1, contribution: no answer came in time; the game entered 0"
    assert seat.decided[2] == "Round 1, punishment: no answer came in time; the game entered nobody"
    assert seat.missed == 6
    assert "unavailable" not in {tally.state for tally in hosted.tally.models.values()}


def test_by_policy_a_game_is_void_when_a_person_does_not_answer(journal: Journal) -> None:
    async def play() -> Hosted:
        planned = game_with(["human", *PUNISHERS], seconds=0.02, rounds=2)
        hosted = await Host(journal).start(replace(planned, limits=Limits(policy="void")))
        assert (await hosted.wait()).void == 1
        return hosted

    hosted = asyncio.run(play())
    ending = hosted.room.seats[0].ending
    assert ending is not None
    assert ending.state == "void"
    assert ending.reason == "P1 gave no answer in time"
    (row,) = journal.games(hosted.experiment)
    assert row.reason == "P1 gave no answer in turn 1 (message): absent: no answer came within 0.02 s"
    assert (row.code, row.seat) == ("absent", 0)


def test_a_table_is_told_who_failed_by_the_name_it_knows_and_nothing_of_a_model(journal: Journal) -> None:
    async def play() -> Hosted:
        planned = game_with(["human", "Pavlov"], game="commons", wait=60.0, turns=2)
        host = Host(journal)
        hosted = await host.start(planned)
        (row,) = journal.games(hosted.experiment)
        failed = "P2 gave no answer in turn 1 (move): 4 calls failed in transit; the last one: 401 of http://lab:8080"
        with pytest.MonkeyPatch.context() as patched:
            void = [replace(row, state="void", reason=failed, code="denied", seat=1)]
            patched.setattr(journal, "games", lambda experiment: void)
            await host.close()
        return hosted

    hosted = asyncio.run(play())
    ending = hosted.room.seats[0].ending
    assert ending is not None
    assert hosted.room.labels is not None
    assert ending.reason == f"{hosted.room.labels[1]} gave no answer"
    assert not hosted.room.labels[1].startswith("P2")


def test_a_person_who_thinks_keeps_no_model_and_no_other_person_waiting(journal: Journal) -> None:
    async def play() -> None:
        host = Host(journal)
        planned = game_with(["human"] * 5, rounds=1, messages=False)
        limits = Limits(calls=1, per_provider=1, timeout=0.01)
        hosted = await host.start(replace(planned, limits=limits))
        seats = list(hosted.room.seats.values())
        for seat in seats:
            while seat.question is None:
                await seat.changed(seat.version)
        await asyncio.sleep(0.05)  # longer than a call may take
        assert [seat.state for seat in seats] == ["asked"] * 5
        await asyncio.gather(*(sit_through(seat) for seat in seats))
        assert (await hosted.wait()).finished == 1

    asyncio.run(play())


def test_a_stop_withdraws_the_question_records_no_call_and_the_game_goes_on_where_it_was(journal: Journal) -> None:
    async def begin() -> str:
        host = Host(journal)
        hosted = await host.start(game_with(["human", "human", *PUNISHERS], rounds=2))
        first, second = hosted.room.seats.values()
        await asyncio.gather(until_asked(first, "contribution"), until_asked(second, "contribution"))
        assert first.question is not None
        await first.answer(first.question.id, {"contribution": 11})
        await host.close()
        assert (first.state, second.state) == ("stopped", "stopped")
        assert "it continues at this link" in str(second.ending and second.ending.reason)
        assert host.running() == []
        with pytest.raises(InputError, match="stopping"):
            await host.start(game_with(["human", *PUNISHERS]))
        return hosted.experiment

    experiment = asyncio.run(begin())
    (row,) = journal.games(experiment)
    assert row.state == "playing"
    before, calls = answers_of(journal, experiment), journal.calls(row.id)
    assert next(a.value for a in before if (a.phase, a.seat) == ("contribution", 0)) == 11
    assert not any(a.phase == "contribution" and a.seat == 1 for a in before)
    assert len(calls) == sum(answer.seat in (0, 1) for answer in before)

    async def go_on() -> Hosted:
        hosted = await Host(journal).start(planned_again(journal, experiment), experiment)
        first, second = hosted.room.seats.values()
        while second.question is None:
            await second.changed(second.version)
        # What was decided is not asked again, and is told.
        assert second.question.key == (1, 1, "contribution", 1)
        assert first.question is None
        await second.answer(second.question.id, {"contribution": 2})
        await asyncio.gather(sit_through(first), sit_through(second))
        assert (await hosted.wait()).finished == 1
        assert "Round 1, contribution: 11" in first.decided
        return hosted

    asyncio.run(go_on())
    after = answers_of(journal, experiment)
    assert [answer for answer in after if answer in before] == before
    assert [call for _, call in journal.calls(row.id)][:1] == [calls[0][1]]
    assert {answer.provenance for answer in after} == {Provenance.ANSWERED}
    replay(journal.record(row.id))


def test_links_stay_when_a_game_is_gone_on_with_unless_new_ones_are_wanted(journal: Journal) -> None:
    async def play() -> None:
        host = Host(journal)
        hosted = await host.start(game_with(["human", *PUNISHERS], rounds=1))
        await host.close()
        other = Host(journal)
        again = await other.start(planned_again(journal, hosted.experiment), hosted.experiment)
        old, kept = hosted.room.seats[0], again.room.seats[0]
        assert (kept.token, kept.digest) == (None, old.digest)
        assert other.seat(str(old.token)) == (again, kept)
        assert kept.version > old.version
        with pytest.raises(InputError, match="already being played here"):
            await other.start(planned_again(journal, hosted.experiment), hosted.experiment)
        await other.close()
        third = Host(journal)
        newest = await third.start(planned_again(journal, hosted.experiment), hosted.experiment, new_links=True)
        assert third.seat(str(old.token)) is None
        assert third.seat(str(newest.room.seats[0].token)) is not None
        await third.renew(newest, 0)
        assert [one.digest for one in journal.seats.of(hosted.experiment)] == [newest.room.seats[0].digest]
        await third.close()

    asyncio.run(play())


def test_an_experiment_that_another_process_plays_is_refused_at_once(journal: Journal) -> None:
    async def play() -> None:
        host = Host(journal)
        hosted = await host.start(game_with(["human", *PUNISHERS], rounds=1))
        await host.close()
        with journal.claim(hosted.experiment):
            other = Host(journal)
            with pytest.raises(InputError):
                await other.start(planned_again(journal, hosted.experiment), hosted.experiment)
            assert other.hosted(hosted.experiment) is None

    asyncio.run(play())


def test_people_are_seated_for_one_game_only() -> None:
    planned = game_with(["human", *PUNISHERS])
    (part,) = planned.parts
    for wrong in (replace(part, games=2), replace(part, fixed=False)):
        with pytest.raises(InputError, match="ostrom run GAME --include human"):
            replace(planned, parts=(wrong,)).check()


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 100_000.0])
def test_a_time_that_cannot_be_is_refused(seconds: float) -> None:
    with pytest.raises(InputError, match="seconds for an answer"):
        game_with(["human", *PUNISHERS], seconds=seconds).check()


def test_the_time_for_an_answer_is_kept_with_the_plan(journal: Journal) -> None:
    planned = game_with(["human", *PUNISHERS], seconds=77)
    assert experiment_of("again", planned.settings).seconds == 77
    assert experiment_of("again", planned.settings).people == [0]
    assert "seconds" not in game_with(list(PUNISHERS)).settings


def test_the_wait_for_people_is_kept_with_the_plan_and_usual_where_a_plan_has_none() -> None:
    planned = game_with(["human", *PUNISHERS], wait=77)
    again = experiment_of("again", planned.settings)
    assert again.wait == in_room(again)[1].seats[0].wait == 77
    old = {name: value for name, value in planned.settings.items() if name != "wait"}
    assert in_room(experiment_of("old", old))[1].seats[0].wait == WAIT
    assert "wait" not in game_with(list(PUNISHERS)).settings


@pytest.mark.parametrize("wait", [-1.0, float("nan"), float("inf"), 100_000.0])
def test_a_wait_that_cannot_be_is_refused(wait: float) -> None:
    with pytest.raises(InputError, match="from 0 to 86,400"):
        game_with(["human", *PUNISHERS], wait=wait).check()


def test_a_person_is_asked_several_tasks_one_after_another_and_goes_on_after_a_stop(journal: Journal) -> None:
    planned = replace(
        plan_battery(BatterySettings(subject=("human:p01",), protocol="quick", task=("dictator", "stag_hunt"), seed=3)),
        seconds=60.0,
    )
    asked: list[str] = []

    async def begin() -> str:
        host = Host(journal)
        hosted = await host.start(planned)
        seat = hosted.room.seats[0]
        assert hosted.questions == sum(part.rules.questions for part in planned.parts)
        while seat.answered < 17:
            if seat.question is None:
                await seat.changed(seat.version)
                continue
            asked.append(seat.question.id)
            await seat.answer(seat.question.id, answer_to(seat.question.schema))
        await host.close()
        return hosted.experiment

    async def go_on(experiment: str) -> HumanSeat:
        hosted = await Host(journal).start(planned_again(journal, experiment), experiment)
        assert hosted.before == 17
        await sit_through(hosted.room.seats[0])
        assert (await hosted.wait()).finished == 1
        return hosted.room.seats[0]

    experiment = asyncio.run(begin())
    assert len(set(asked)) == len(asked), "questions of different tasks have different names"
    seat = asyncio.run(go_on(experiment))
    assert seat.ending is not None
    assert seat.ending.state == "over"
    rows = journal.games(experiment)
    assert {row.state for row in rows} == {"finished"}
    assert {row.players for row in rows} == {("human:p01",)}
    records = [journal.record(row.id) for row in rows]
    assert sum(len(record.answers) for record in records) == 17 + seat.answered
    for record in records:
        replay(record)


def test_play_without_people_pauses_after_many_answers_and_can_be_resumed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hosting, "MAX_ANSWERS", 40)

    async def play() -> Hosted:
        host = Host(journal, resume_command=lambda name: f"ostrom resume {name}")
        hosted = await host.start(game_with([*PUNISHERS, *PUNISHERS], rounds=50))
        outcome = await hosted.wait()
        assert (outcome.finished, outcome.stopped) == (0, "interrupted")
        return hosted

    hosted = asyncio.run(play())
    assert f"stopped after 40 answers; resume with: ostrom resume {hosted.experiment}" in capsys.readouterr().err
    assert 40 <= len(answers_of(journal, hosted.experiment)) < 100
