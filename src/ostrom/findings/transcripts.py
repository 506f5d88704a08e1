"""Transcripts of a session, one for each participant, in the form of the data set Psych-201: the text that the person
read, with the person's own answers, and nothing else, in `<<…>>`.

Texts of people and models are escaped, so `<<` and `>>` occur only around answers. Answers are JSON; a plain word is
written without quotation marks.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any, Final, NamedTuple

from ostrom.core import InputError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.participants import participant_name
from ostrom.experiment.session.payment import game_titles
from ostrom.findings.session_data import ANSWER, PersonDecision, SessionData
from ostrom.journal.sql import Journal

FILE_NAME: Final = "prompts.jsonl"
MAX_TRANSCRIPT_CHARACTERS: Final = 20_000_000
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_RESERVED: Final = frozenset({"true", "false", "null", "NaN", "Infinity"})
_CHOICE: Final = re.compile(r"^(.*?): <<(.*)>>$", re.MULTILINE)
_ESCAPED: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e"})
_LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""Line ends other than \\n. Readers of lines would count them, so they become \\n in texts."""


class TranscriptAnswer(NamedTuple):
    """An answer in a transcript."""

    place: str
    """The question: a table, turn and phase, or a belief or a question of the questionnaire."""
    value: Any


def transcripts(data: SessionData, prompts: Mapping[tuple[str, int, str, int], str]) -> Iterator[dict[str, Any]]:
    """Yield the transcript of each participant. `prompts` has the texts that people read, by key, turn, phase and
    seat."""
    by_person: dict[int, list[PersonDecision]] = {number: [] for number in data.participants}
    for decision in data.decisions():
        by_person[decision.participant].append(decision)
    for number in data.participants:
        lines = [f"# {_plain(data.file.session.title)}", *_instructions(data, number)]
        times: list[float | None] = []
        for line, seconds in (*_games(data, by_person[number], prompts), *_questions(data, number)):
            lines.append(line)
            times += [seconds] if _CHOICE.search(line) else []
        content = {
            "text": "\n".join(lines),
            "experiment": data.session.id,
            "participant": participant_name(number),
        }
        milliseconds = [None if seconds is None else round(seconds * 1000) for seconds in times]
        treatment = data.state.participants[number].treatment
        yield {**content, "RTs": milliseconds, "treatment": treatment}


def _instructions(data: SessionData, number: int) -> list[str]:
    treatment = data.state.treatment_of(data.state.participants[number])
    text = None if treatment is None else data.file.instructions(treatment)
    return [] if text is None else [_plain(text)]


def _games(
    data: SessionData, decisions: list[PersonDecision], prompts: Mapping[tuple[str, int, str, int], str]
) -> Iterator[tuple[str, float | None]]:
    titles, last = game_titles(data.file), ""
    for decision in decisions:
        group, answer = decision.table.group, decision.answer
        if group.key != last:
            last = group.key
            practice = ", practice" if group.practice else ""
            yield f"## {titles[group.game]} ({group.key}{practice}), seat {answer.seat + 1}", None
        prompt = prompts.get((group.key, answer.turn, answer.phase, answer.seat))
        if prompt:
            yield _plain(prompt), None
        place = f"{group.key}, turn {answer.turn}, {answer.phase}"
        if decision.own:
            yield f"{place}: <<{format_choice(answer.value)}>>", decision.seconds
        else:
            who = f"{decision.decided_by} decided" if decision.decided_by else "no answer; the game entered"
            yield f"{place}: {_plain(who)} {_plain(format_choice(answer.value))}", None


def _questions(data: SessionData, number: int) -> Iterator[tuple[str, float | None]]:
    """Yield beliefs and the answers of the questionnaire. Free texts are there only if the data have them."""
    beliefs = {belief.name: belief for belief in data.file.beliefs}
    for _, entry in data.of_kind(e.BeliefAnswered):
        if entry.participant == number and entry.name in beliefs:
            yield _plain(beliefs[entry.name].text), None
            yield f"belief {entry.name}: <<{format_choice(entry.value)}>>", None
    questions = {question.name: question for question in data.file.questionnaire}
    for _, entry in data.of_kind(e.QuestionnaireAnswered):
        value = data.personal.get((number, ANSWER + entry.name)) if entry.personal else entry.value
        if entry.participant == number and entry.name in questions and value is not None:
            yield _plain(questions[entry.name].text), None
            yield f"questionnaire {entry.name}: <<{format_choice(value)}>>", None


def format_choice(value: Any) -> str:
    """Return an answer as it is written between `<<` and `>>`: JSON on one line without `<` and `>`, or a plain
    word."""
    if isinstance(value, str) and _WORD.fullmatch(value) and value not in _RESERVED:
        return value
    return json.dumps(value).translate(_ESCAPED)


def parse_choice(text: str) -> Any:
    """Return the answer that `format_choice` has written."""
    if _WORD.fullmatch(text) and text not in _RESERVED:
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise InputError(f"{text[:60]!r} is not an answer of a transcript") from None


def read_answers(text: str) -> list[TranscriptAnswer]:
    """Return the answers of a transcript in their order."""
    return [TranscriptAnswer(unescape(match[1]), parse_choice(match[2])) for match in _CHOICE.finditer(text)]


def _plain(text: str) -> str:
    """Return a text in which `<` and `>` are escaped and all line ends are \\n."""
    return _LINE_ENDS.sub("\n", escape(text, quote=False)).encode("utf-8", "replace").decode()


def prompts_of(journal: Journal, data: SessionData) -> dict[tuple[str, int, str, int], str]:
    """Return the last text that people read before each of their decisions, by key, turn, phase and seat."""
    ids = {row.key: row.id for row in journal.games(data.session.experiment)}
    prompts = {}
    for key in data.records:
        for question, call in journal.calls(ids[key]):
            texts = [line.text for line in call.prompt if line.role != "system"]
            if texts:
                prompts[key, *question] = texts[-1]
    return prompts


def write_transcripts(path: Path, lines: Iterator[dict[str, Any]]) -> int:
    """Write transcripts to a zip file with one line for each participant; return their number."""
    count = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as folder, folder.open(FILE_NAME, "w") as file:
        for line in lines:
            file.write(json.dumps(line).encode() + b"\n")
            count += 1
    return count


def read_transcripts(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a zip file of transcripts. Raise InputError if it is not one."""
    try:
        with zipfile.ZipFile(path) as folder, folder.open(FILE_NAME) as file:
            for number, line in enumerate(io.TextIOWrapper(file, "utf-8", newline="\n"), start=1):
                if len(line) > MAX_TRANSCRIPT_CHARACTERS:
                    raise InputError(f"{path}: line {number} is too long for a transcript")
                content = json.loads(line)
                if not isinstance(content, dict) or not isinstance(content.get("text"), str):
                    raise InputError(f"{path}: line {number} is not a transcript with a text")
                yield content
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is not a file of transcripts: {error}") from None
