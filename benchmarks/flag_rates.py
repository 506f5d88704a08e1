"""The share of rehearsals by programs that are flagged, over ready sessions, with different ways of typing. One half of
the rehearsals sets the thresholds; the share is that of the other half. Nothing here is about people.

    python -P benchmarks/flag_rates.py --sessions ultimatum-dictator beauty-contest"""

import argparse
import asyncio
import json
import math
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from ostrom.core.estimates import proportion
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.ready import session_path
from ostrom.experiment.session.rehearsal.attendance import RehearsalLog
from ostrom.experiment.session.rehearsal.browsers import BrowserParticipant, Typing, chromium
from ostrom.experiment.session.rehearsal.rehearse import person_of, rehearse
from ostrom.experiment.session.rehearsal.server import SessionLinks, session_server
from ostrom.experiment.session.state import SessionState
from ostrom.experiment.session.traces import THRESHOLDS, fit_thresholds, flags_of, measure_traces
from ostrom.journal.sql import Journal

TYPINGS: Final[Mapping[str, Typing]] = {
    "keys, 0 ms": Typing("keys", 0),
    "keys, 30 ms": Typing("keys", 30),
    "keys, 150 ms, after 2 s": Typing("keys", 150, 2.0),
    "keys, 300 ms, after 8 s": Typing("keys", 300, 8.0),
    "a program fills": Typing("fill"),
    "a program fills after 5 s": Typing("fill", pause_s=5.0),
    "a paste": Typing("paste"),
    "a paste after 5 s": Typing("paste", pause_s=5.0),
}
TRACED: Final = "The way in which answers are written is recorded: keys, pasting, and the time to the first key. "
TRACED_DE: Final = "Aufgezeichnet wird, wie Antworten geschrieben werden: Tasten, Einfügen, Zeit. "


class Rehearsed(NamedTuple):
    """One participant of a rehearsal."""

    session: str
    typing: str
    participant: Participant


def small_file(name: str) -> SessionFile:
    """The ready session with traces, and one participant for each way of typing, or a few more."""
    content: dict[str, Any] = tomllib.loads(session_path(name).read_text())
    treatments = max(1, len(content.get("treatments", [])))
    people = math.lcm(*(game["group"] * treatments for game in content["games"]), len(TYPINGS))
    content["session"] |= {"participants": people, "start": "host"}
    traced = TRACED_DE if content["session"].get("language") == "de" else TRACED
    content["consent"]["text"] = traced + content["consent"]["text"]
    content["recording"] = {**content.get("recording", {}), "traces": True}
    return SessionFile.model_validate(content)


async def play(file: SessionFile, links: SessionLinks, log: RehearsalLog) -> dict[str, str]:
    """Let all participants take part in browsers, in all ways of typing, every second way with the size of a phone.
    Return the way of each participant."""
    async with chromium() as browser:
        typings = [list(TYPINGS)[number % len(TYPINGS)] for number in range(file.session.participants)]
        people = [
            BrowserParticipant(
                browser,
                links,
                person_of(file, number, None),
                log,
                speed=0,
                phone=number % 2 == 0,
                typing=TYPINGS[typing],
            )
            for number, typing in enumerate(typings)
        ]
        await rehearse(file, links, [person.attend for person in people], log, speed=0)
    return {person.name: typing for person, typing in zip(people, typings, strict=True)}


def rehearsed(name: str) -> list[Rehearsed]:
    """The participants of one rehearsal, with their traces."""
    file, log = small_file(name), RehearsalLog()
    with tempfile.TemporaryDirectory() as folder:
        path, store = Path(folder) / "session.toml", f"sqlite:///{folder}/journal.db"
        path.write_text(as_toml(file))
        with session_server([str(path), "--new", "--port", "0", "--store", store]) as links:
            typings = asyncio.run(play(file, links, log))
        with Journal.open(store) as journal:
            stored = journal.sessions.all()[0]
            state = SessionState(file).fold(journal.sessions.entries(stored.id))
    for fault in log.faults:
        print(f"fault: {fault}", flush=True)
    return [Rehearsed(name, typings[person.name], person) for person in state.participants.values()]


def as_toml(file: SessionFile) -> str:
    """The session file as text. A JSON value is a TOML value, apart from null."""
    lines = []
    for name, table in file.model_dump(mode="json", exclude_none=True, exclude_defaults=True).items():
        lines.append(f"{name} = {toml_value(table)}")
    return "\n".join(lines)


def toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_value(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


def share(people: Sequence[Rehearsed], thresholds: Any) -> str:
    """The number and share of flagged participants, with Wilson's interval, and the flags."""
    flags = [flags_of(one.participant, file_words(one.session), thresholds) for one in people]
    estimate = proportion(sum(map(bool, flags)) / len(flags), len(flags))
    names = sorted({flag.name for own in flags for flag in own})
    interval = f"95% {estimate.low:.0%} to {estimate.high:.0%}" if estimate.low is not None else ""
    return f"{sum(map(bool, flags))} of {len(flags)} flagged ({interval}) {', '.join(names)}"


def file_words(name: str) -> Any:
    return small_file(name).words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", nargs="+", default=["beauty-contest", "ultimatum-dictator", "contributions"])
    options = parser.parse_args()
    halves: tuple[list[Rehearsed], list[Rehearsed]] = ([], [])
    for name in options.sessions:
        for half in halves:
            half += rehearsed(name)
            print(f"{name}: {len(half)} participants", flush=True)
    fitted = fit_thresholds([measure_traces(one.participant) for one in halves[0]])
    print(f"thresholds of the program: {asdict(THRESHOLDS)}")
    print(f"thresholds of the first half ({len(halves[0])} participants): {asdict(fitted)}")
    for label, thresholds in (("thresholds of the first half", fitted), ("thresholds of the program", THRESHOLDS)):
        print(f"second half, {label}: {share(halves[1], thresholds)}")
        for typing in TYPINGS:
            print(f"  {typing}: {share([one for one in halves[1] if one.typing == typing], thresholds)}")


if __name__ == "__main__":
    main()
