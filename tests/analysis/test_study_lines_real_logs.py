"""The lines of the real logs: every message is numbered, and the rules of judges preserve it."""

import json

from real_logs import log_lines, record_of

from games.spoken_lines import rounds_of
from ostrom.core.spoken import lines_of, portions, whole_lines
from ostrom.games.judge.promises import PromisesRules, portions_of
from ostrom.games.judge.quotes import QuotesRules


def some(count):
    """Logs from the whole range, as they are and as records."""
    logs = log_lines()
    for log in logs[:: max(1, len(logs) // count)]:
        yield log, record_of(log)


def test_every_message_that_is_not_silence_is_a_line_in_its_place():
    for log, record in some(60):
        said = [line for line in log if line["type"] == "public_message" and line["message"].strip()]
        lines = list(whole_lines(record.events))
        assert [(one.round, one.text) for one in lines] == [(one["round"], one["message"]) for one in said]
        assert [one.number for one in lines] == list(range(1, len(lines) + 1))


def test_rules_hold_labels_and_no_names_and_go_through_json():
    for _, record in some(20):
        lines = lines_of(record.events)
        names = {seat.player for seat in record.seats}
        for kind in (QuotesRules, PromisesRules):
            stored = json.dumps(kind(source="punish-1.1", lines=lines).model_dump(mode="json"))
            assert kind.model_validate(json.loads(stored)).lines == lines
        assert not {line.label for line in lines} & names
        assert not any(line.cut for line in lines)


def test_portions_hold_every_line_once_and_stay_within_bounds():
    for _, record in some(20):
        lines = lines_of(record.events)
        read = portions(lines, 60, 4000)
        assert [line for part in read for line in part] == list(lines)
        assert all(len(part) <= 60 for part in read)
        rounds = portions_of(PromisesRules(lines=lines))
        assert [line for part in rounds for line in part] == list(lines)
        assert all(len({line.round for line in part}) == 1 for part in rounds)


def test_two_rounds_are_never_read_together():
    assert [len(part) for part in portions_of(PromisesRules(lines=rounds_of(["a", "b"], ["c"])))] == [2, 1]
