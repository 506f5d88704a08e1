"""Citations of games and results: a sentence, a BibTeX entry, and the commands that make the same again."""

import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ostrom.analysis.plans import made_by
from ostrom.analysis.provenance import IMPORTED
from ostrom.core.command import without_places
from ostrom.core.entry_points import IMPORTERS_GROUP, declared
from ostrom.core.game import Game
from ostrom.core.text import number_of
from ostrom.journal.arrange import dates_of
from ostrom.journal.results import FinishedGame
from ostrom.version import VERSION

_AUTHOR: Final = "The Ostrom project"
_MAX_EXPERIMENTS: Final = 5
"""The largest number of experiments whose commands and sources are listed."""
_MAX_SEEDS: Final = 5
_MAX_PLAYERS: Final = 8
"""The largest number of players that a command for games of one's own names."""
_DIGEST_CHARACTERS: Final = 16
_SPECIAL: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
"""Characters with a meaning in LaTeX."""


@dataclass(frozen=True)
class CitedExperiment:
    """An experiment in a citation."""

    id: str
    name: str
    kind: str
    created: str
    settings: Mapping[str, Any]
    seed: str | None = None
    """The seed of a simulation, which has no games of its own."""


@dataclass(frozen=True)
class CommandLine:
    """A command with its purpose."""

    purpose: str
    command: str


@dataclass(frozen=True)
class Citation:
    """A citation of games or results."""

    text: str
    bibtex: str
    facts: tuple[tuple[str, str], ...]
    """Titles and texts: version, seeds, digest of the data, and sources."""
    commands: tuple[CommandLine, ...]


def data_digest(results: Iterable[FinishedGame]) -> str:
    """Return a digest of the data of games: players, rules, seed, number, decisions and final results. It depends
    neither on the journal nor on ids, so that a copy of the games has the same digest."""
    lines = sorted(
        json.dumps([one.game, one.players, one.rules, one.seed, one.number, one.decisions, one.finals])
        for one in results
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def cite(
    title: str,
    results: Sequence[FinishedGame],
    experiments: Sequence[CitedExperiment],
    *,
    players: Sequence[str] = (),
    game: Game | None = None,
    moment: str = "",
    what: str = "",
) -> Citation:
    """Return the citation of results of these experiments. `players` are the players of a command for games of one's
    own of `game`; `moment` names one game, and `what` is the subject if it is not a number of games."""
    names = ", ".join(f"“{one.name or one.id}”" for one in experiments[:_MAX_EXPERIMENTS])
    if len(experiments) > _MAX_EXPERIMENTS:
        names += f" and {number_of(len(experiments) - _MAX_EXPERIMENTS, 'other experiment')}"
    year = max((one.created[:4] for one in experiments), default="")
    subject = what or (f"game {moment}" if moment else number_of(len(results), "game"))
    facts = _facts(results, experiments)
    details = "; ".join(f"{name.lower()} {text}" for name, text in facts)
    heading = f"{title}: {subject} of {names}" if names else f"{title}: {subject}"
    return Citation(
        text=f"{_AUTHOR} ({year}). {heading}. {details[:1].upper()}{details[1:]}.",
        bibtex=_bibtex(heading, year, facts, experiments),
        facts=facts,
        commands=tuple(_commands(results, experiments, players, game, moment)),
    )


def _facts(results: Sequence[FinishedGame], experiments: Sequence[CitedExperiment]) -> tuple[tuple[str, str], ...]:
    known = {*(one.seed for one in results), *(one.seed for one in experiments)}
    seeds = sorted((seed for seed in known if seed is not None), key=lambda seed: (len(seed), seed))
    more = f" and {len(seeds) - _MAX_SEEDS:,} more" if len(seeds) > _MAX_SEEDS else ""
    facts = [("Version", f"Ostrom {VERSION}")]
    if played := sorted({one.ostrom for one in results} - {VERSION}):
        facts.append(("Played with", ", ".join(f"Ostrom {version}" for version in played)))
    if seeds:
        facts.append(("Seed" if len(seeds) == 1 else "Seeds", ", ".join(seeds[:_MAX_SEEDS]) + more))
    if results:
        facts.append(("Data", f"SHA-256 {data_digest(results)[:_DIGEST_CHARACTERS]}"))
    if sources := [text for one in experiments[:_MAX_EXPERIMENTS] if (text := _source(one))]:
        facts.append(("Source", "; ".join(dict.fromkeys(sources))))
    return tuple(facts)


def _source(experiment: CitedExperiment) -> str:
    source = experiment.settings.get("source")
    if experiment.kind != IMPORTED or not isinstance(source, str):
        return ""
    days = dates_of(experiment.settings)
    return f"{source}, played {days[0]} to {days[1]}" if days else source


def _bibtex(heading: str, year: str, facts: Iterable[tuple[str, str]], experiments: Sequence[CitedExperiment]) -> str:
    word = re.sub(r"[^a-z0-9]+", "-", (experiments[0].name or experiments[0].id).lower()) if experiments else "games"
    note = "; ".join(f"{name}: {text}" for name, text in facts if name != "Version")
    fields = {
        "author": "{" + _AUTHOR + "}",
        "title": "{" + _escaped(heading) + "}",
        "year": year,
        "version": VERSION,
        "note": _escaped(note),
    }
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@misc{{ostrom-{word.strip('-')[:40] or 'games'}-{year},", *lines, "}"])


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in " ".join(text.split()))


def _commands(
    results: Sequence[FinishedGame],
    experiments: Sequence[CitedExperiment],
    players: Sequence[str],
    game: Game | None,
    moment: str,
) -> Iterable[CommandLine]:
    yield CommandLine("Install", "pip install ostrom")
    for one in experiments[:_MAX_EXPERIMENTS]:
        command = made_by(one.settings).get("command")
        if isinstance(command, str) and command:
            yield CommandLine(f"Run “{one.name or one.id}” again", without_places(command))
        elif one.kind == IMPORTED and one.name in declared(IMPORTERS_GROUP):
            yield CommandLine(f"Import “{one.name}” from its logs", f"ostrom import {one.name} FOLDER")
    if moment:
        yield CommandLine("Tell the game in words", f"ostrom show {shlex.quote(moment)}")
        yield CommandLine(
            "Draw a film of its turning points", f"ostrom animate {shlex.quote(moment)} -o game.mp4 --highlights"
        )
        yield CommandLine(
            "Draw one round as a moving picture", f"ostrom animate {shlex.quote(moment)} -o round.gif --rounds 1"
        )
    if results and game is not None and not game.instrument:
        yield CommandLine("Play games of your own by these rules", own_games(game, results[0].rules, players))
    named = [shlex.quote(one.name or one.id) for one in experiments if one.kind != "simulation"]
    if named and results and not moment:
        yield CommandLine("Compute leaderboard and charts again", f"ostrom report {' '.join(named[:1])} -o report")


def own_games(game: Game, rules: str, players: Sequence[str]) -> str:
    """Return the command that plays games by these rules, with these players or with the built-in ones."""
    words = ["ostrom", "bench", *game.command.split(), "--games", "20"]
    defaults = game.rules.model_construct().model_dump(mode="json", warnings=False)
    for name, value in json.loads(rules).items():
        if name in defaults and value != defaults[name] and isinstance(value, str | int | float | bool):
            words += ["--rule", f"{name}={json.dumps(value) if isinstance(value, bool) else value}"]
    words += [word for name in dict.fromkeys(players[:_MAX_PLAYERS]) for word in ("--include", name)]
    return shlex.join(words)
