"""Puts a question into words: templates, the rules of a game, the form of the answer. The templates are ours; what
players wrote is data to them and never their source."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from ostrom.core import Chance, InputError, Line, Question
from ostrom.players.models.briefing import Briefing, briefing_of
from ostrom.players.models.fields import Field, line, schema_of
from ostrom.players.models.framing import Framing, plain, quoted

PLAIN = "plain"
"""The wording that every game has."""
_OPENINGS = {"tool": "Answer by calling the tool with:", "page": "Answer with:"}
"""How the form of an answer begins that is no text: a tool's arguments, or what a person fills in on a page."""


@cache
def environment(prompts: Path) -> Environment:
    """The environment of a game's templates. What is not defined is an error, and nothing is escaped: prompts are plain
    text."""
    made = Environment(
        loader=FileSystemLoader(prompts),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        cache_size=-1,
        auto_reload=False,
    )
    made.filters.update(plain=plain, quoted=quoted, listed=listed, dumped=dumped)
    return made


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: 'P1, P2 and P3'."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else "nobody"


def dumped(value: object) -> str:
    """Plain data as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def variants_of(briefing: Briefing) -> list[str]:
    """The wordings that a game's prompts come in."""
    if briefing.wording:
        names = (name.split("/") for name in _sections(briefing.prompts, briefing.wording))
        return sorted({variant for variant, name in names if name != "rules"})
    folder = briefing.prompts / briefing.folder
    return sorted(path.name for path in folder.iterdir() if (path / "rules.j2").is_file())


@cache
def _sections(prompts: Path, wording: str) -> dict[str, Template]:
    """The templates that stand in one text, by wording and name."""
    _, *parts = re.split(r"^\{# (\w+/\w+) #\}\n", wording, flags=re.MULTILINE)
    made = environment(prompts)
    return {name: made.from_string(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}


@cache
def _template(prompts: Path, folder: str, variant: str, name: str) -> Template:
    return environment(prompts).get_template(f"{folder}/{variant}/{name}.j2".removeprefix("./"))


def template(briefing: Briefing, variant: str, name: str) -> Template:
    """A template of a game in a wording; a game that does not come in it is told plainly."""
    known = variants_of(briefing)
    if variant not in known:
        if variant not in (PLAIN, "story", "terse"):
            raise InputError(f"there is no wording {variant!r} of this game; there are {', '.join(known)}")
        variant = PLAIN
    if briefing.wording:
        return _sections(briefing.prompts, briefing.wording)[f"{variant}/{name}"]
    return _template(briefing.prompts, briefing.folder, variant, name)


def rules_text(briefing: Briefing, question: Question, framing: Framing, chance: Chance) -> str:
    """The rules with their settings, as the seat that is asked is told them."""
    context = briefing.rules_context(question, framing, chance)
    return template(briefing, framing.variant, "rules").render(framing=framing, **context).strip()


def question_text(briefing: Briefing, question: Question, framing: Framing, chance: Chance, **more: Any) -> str:
    """What the seat may know now, and what it is asked; without the form of the answer. A conversation keeps it with
    `past=True`, in which a template leaves out what a later turn tells again."""
    context = {
        "framing": framing,
        "turn": question.turn,
        "phase": question.phase,
        "past": False,
        **briefing.context(question, framing, chance),
        **more,
    }
    return template(briefing, framing.variant, briefing.template(question)).render(context).strip()


def form_section(fields: Sequence[Field], form: str, variant: str = PLAIN) -> str:
    """The form of the answer: the last lines of the last message."""
    terse = variant == "terse"
    if form == "tags":
        opening = (
            "Answer, filling in the dots:"
            if terse
            else ("You may think first. End your reply with these lines, each with your answer in place of the dots:")
        )
        return "\n".join([opening, *map(line, fields)])
    if form == "prompted":
        opening = (
            "Answer with a JSON object of this schema:"
            if terse
            else ("You may think first. End your reply with your answer, one JSON object that fits this schema:")
        )
        return f"{opening}\n{dumped(schema_of(fields))}"
    opening = _OPENINGS.get(form, "Answer with a JSON object with:")
    return "\n".join([opening, *(field.in_json() for field in fields)])


def system_text(personality: str, rules: str) -> str:
    """A personality goes before the rules."""
    return "\n\n".join(part for part in (personality.strip(), rules) if part)


def prompt_of(
    game: str,
    question: Question,
    framing: Framing,
    chance: Chance,
    *,
    form: str = "tags",
    personality: str = "",
) -> tuple[Line, ...]:
    """The whole prompt of one question that is asked for the first time, outside of any conversation."""
    briefing = briefing_of(game)
    fields = briefing.form(question, framing, chance)
    asked = question_text(briefing, question, framing, chance)
    rules = system_text(personality, rules_text(briefing, question, framing, chance))
    system = (Line("system", rules),) if rules else ()
    return (*system, Line("user", f"{asked}\n\n{form_section(fields, form, framing.variant)}"))
