"""Prompts: templates, the rules of a game, the form of the answer, and a grammar with which llama.cpp's server
restricts a reply in tags. Templates treat the texts of players as data, never as template source."""

import json
import math
import re
from collections.abc import MutableMapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from typing_extensions import override

from ostrom.core import Chance, InputError, Line, Question
from ostrom.players.models.briefing import Briefing, briefing_of
from ostrom.players.models.fields import (
    ELLIPSIS,
    AimedField,
    AnswerField,
    ChoiceField,
    NumberField,
    TextField,
    schema_of,
)
from ostrom.players.models.framing import NO_SEAT, SEAT_FIRST, Framing, plain, quoted
from ostrom.players.models.optional_fields import NOT_ASKED, PASS, ConditionalField, OptionalField

SEPARATOR = "\n\n"
"""The separator of the blocks of a prompt's message."""
PLAIN = "plain"
"""The name of the wording that every game has."""
_OPENINGS = {
    "tags": "You may think first. End your reply with these lines, each with your answer in place of the dots:",
    "prompted": "You may think first. End your reply with your answer, one JSON object that fits this schema:",
    "native": "Answer with a JSON object with:",
    "tool": "Answer by calling the tool with:",
    "page": "Answer with:",
}
_TERSE_OPENINGS = {"tags": "Answer, filling in the dots:", "prompted": "Answer with a JSON object of this schema:"}
"""The first lines of the form of an answer."""


class _Environment(Environment):
    """An environment whose templates have their global variables in one dictionary. By default the variables are in two
    dictionaries, which are looked up one after the other, and every rendering begins with a slow copy of them."""

    @override
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


@cache
def environment(prompts: Path) -> Environment:
    """Return the environment of a game's templates. They are read once, because file handles may run out during a run.
    An undefined variable is an error. Nothing is escaped, since prompts are plain text."""
    files = {path.relative_to(prompts).as_posix(): path for path in prompts.rglob("*.j2")}
    # Tracebacks of errors in templates name the files.
    sources = {name: (path.read_text(encoding="utf-8"), str(path), None) for name, path in files.items()}
    templates = _Environment(
        loader=FunctionLoader(sources.get),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        cache_size=-1,
        auto_reload=False,
    )
    templates.filters.update(plain=plain, quoted=quoted, listed=listed, dumped=dumped)
    templates.globals["no_seat"] = NO_SEAT
    return templates


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return names in a sentence: 'P1, P2 and P3'."""
    return f" {word} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else "nobody"


def dumped(value: object) -> str:
    """Return plain data as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def variants_of(briefing: Briefing) -> list[str]:
    """Return the names of the wordings of a game's prompts."""
    return list(_variants(briefing.prompts, briefing.folder, briefing.wording))


@cache
def _variants(prompts: Path, folder: str, wording: str) -> Sequence[str]:
    if wording:
        # Games may share some templates, so a folder is a wording only if it has every template of the plain wording.
        names: dict[str, set[str]] = {}
        for section in _sections(prompts, wording):
            variant, _, name = section.partition("/")
            names.setdefault(variant, set()).add(name)
        return sorted(variant for variant, own in names.items() if own >= names.get(PLAIN, set()))
    return sorted(path.name for path in (prompts / folder).iterdir() if (path / "rules.j2").is_file())


@cache
def _sections(prompts: Path, wording: str) -> dict[str, Template]:
    _, *parts = re.split(r"^\{# (\w+/\w+) #\}\n", wording, flags=re.MULTILINE)
    templates = environment(prompts)
    return {name: templates.from_string(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}


def template(briefing: Briefing, variant: str, name: str) -> Template:
    """Return a template of a game in a wording. If the game lacks it, return the template of the plain wording. Raise
    `InputError` for an unknown wording."""
    return _template(briefing.prompts, briefing.folder, briefing.wording, variant, name)


@cache
def _template(prompts: Path, folder: str, wording: str, variant: str, name: str) -> Template:
    known = _variants(prompts, folder, wording)
    if variant not in known:
        if variant not in (PLAIN, "story", "terse"):
            raise InputError(f"there is no wording {variant!r} of this game; it must be one of {', '.join(known)}")
        variant = PLAIN
    if wording:
        return _sections(prompts, wording)[f"{variant}/{name}"]
    return environment(prompts).get_template(f"{folder}/{variant}/{name}.j2".removeprefix("./"))


def rules_text(briefing: Briefing, question: Question, framing: Framing, chance: Chance) -> str:
    """Return the rules, with their settings, as text for the seat of a question."""
    context = briefing.rules_context(question, framing, chance)
    return template(briefing, framing.variant, "rules").render(framing=framing, **context).strip()


def question_text(briefing: Briefing, question: Question, framing: Framing, chance: Chance, **more: Any) -> str:
    """Return the seat's view and the question in words, without the form of the answer. With `past=True`, which is used
    for the texts of a conversation, templates omit parts that later turns repeat."""
    context = {
        "framing": framing,
        "turn": question.turn,
        "phase": question.phase,
        "past": False,
        **briefing.context(question, framing, chance),
        **more,
    }
    return template(briefing, framing.variant, briefing.template(question)).render(context).strip()


def past_text(briefing: Briefing, question: Question, framing: Framing, chance: Chance) -> tuple[str, ...]:
    """Return the public past, which precedes the seat's own part of a prompt. In layout 1 it is empty."""
    if briefing.layout(question, framing) == SEAT_FIRST:
        return ()
    return tuple(block for block in briefing.past(question, framing, chance) if block)


def form_section(fields: Sequence[AnswerField], form: str, variant: str = PLAIN) -> str:
    """Return the description of the form of the answer, which ends the last message."""
    openings = _OPENINGS | _TERSE_OPENINGS if variant == "terse" else _OPENINGS
    if form == "prompted":
        return f"{openings[form]}\n{dumped(schema_of(fields))}"
    if form == "tags":
        lines = [f"<{field.name}>{ELLIPSIS}</{field.name}> with {field.describe()}" for field in fields]
    else:
        lines = [field.in_json() for field in fields]
    return "\n".join([openings[form], *lines])


def system_text(personality: str, rules: str) -> str:
    """Return the personality, followed by the rules or the question."""
    return "\n\n".join(part for part in (personality.strip(), rules) if part)


def prompt_of(
    game: str, question: Question, framing: Framing, chance: Chance, *, form: str = "tags", personality: str = ""
) -> tuple[Line, ...]:
    """Return the whole prompt of a question, for the first attempt and without a conversation."""
    briefing = briefing_of(game)
    fields = briefing.form(question, framing, chance)
    text = question_text(briefing, question, framing, chance)
    rules = rules_text(briefing, question, framing, chance)
    if briefing.layout(question, framing) == SEAT_FIRST:
        rules = system_text(personality, rules)
    else:
        text = system_text(personality, text)
    system = (Line("system", rules),) if rules else ()
    past = [Line("user", block) for block in past_text(briefing, question, framing, chance)]
    return (*system, *past, Line("user", f"{text}\n\n{form_section(fields, form, framing.variant)}"))


MAX_TEXT = 160
"""The largest number of characters of a text. Without this limit, a small model might not stop."""


def most_text(words: int) -> int:
    """Return the largest number of characters of a text with this number of words."""
    return min(MAX_TEXT, 6 * words)


def grammar_of(fields: Sequence[AnswerField]) -> str:
    """Return the grammar of a reply that has every tag once, in order, and nothing else. Whole numbers are restricted
    to their bounds. Other numbers are restricted only to a few digits. Raise `InputError` for fields without a
    grammar."""
    lines = [f"{_literal(f'<{field.name}>')} {value_grammar(field)} {_literal(f'</{field.name}>')}" for field in fields]
    return "root ::= " + ' "\\n" '.join(lines) + "\n"


def value_grammar(field: AnswerField) -> str:
    """Return the grammar of the text between a field's tags. Raise `InputError` for a field without a grammar."""
    if isinstance(field, TextField):
        # The text must not begin with the placeholder dots of the form, which are not an answer.
        return f"([^<>.…\\r\\n] [^<>\\r\\n]{{0,{most_text(field.max_words) - 1}}})?"
    if isinstance(field, ChoiceField):
        return _either([_literal(label) for label, _ in field.options])
    if isinstance(field, AimedField):
        targets = _either([_literal(label) for label, _ in field.targets])
        return _either([_literal(NO_SEAT), f'{targets} "=" {_number(field.spend)}'])
    if isinstance(field, NumberField):
        return _number(field)
    if isinstance(field, OptionalField):
        return _either([value_grammar(field.of), _literal(PASS)])
    if isinstance(field, ConditionalField):
        return _either([value_grammar(field.of), _literal(NOT_ASKED)])
    raise InputError(f"there is no grammar for {field.name}; leave out grammar")


def _number(field: NumberField) -> str:
    low, high = field.bounds()
    if field.whole and field.scale > 1:
        zeros = len(str(field.scale)) - 1
        if field.scale != 10**zeros:
            raise InputError(f"a grammar cannot require multiples of {field.scale}; leave out grammar")
        return _scaled(int(low) // field.scale, int(high) // field.scale, zeros)
    if field.whole:
        return whole_numbers(int(low), int(high))
    if (low, high) == (0, 1):
        return '("0" ("." [0-9]{1,2})? | "1")'
    # The grammar keeps whole numbers within their bounds.
    inner = [whole_numbers(max(0, math.ceil(low)), math.floor(high))]
    if low < 0:
        inner.append(f'"-" {whole_numbers(max(1, -math.floor(high)), -math.ceil(low))}' if low <= -1 else _literal("0"))
    return _either(inner)


def _scaled(low: int, high: int, zeros: int) -> str:
    tail = f' "{"0" * zeros}"'
    if low > 0:
        return f"{whole_numbers(low, high)}{tail}"
    return '"0"' if high == 0 else _either(['"0"', f"{whole_numbers(1, high)}{tail}"])


def whole_numbers(low: int, high: int) -> str:
    """Return the grammar of whole numbers from `low` to `high`, both at least 0, without leading zeros."""
    if low > high or low < 0:
        raise ValueError(f"no grammar for whole numbers from {low} to {high}")
    parts = []
    for digits in range(len(str(low)), len(str(high)) + 1):
        least = max(low, 0 if digits == 1 else 10 ** (digits - 1))
        parts += _same_length(str(least), str(min(high, 10**digits - 1)))
    return _either(parts)


def _same_length(low: str, high: str) -> list[str]:
    """Return a small number of patterns that together match all numbers between two bounds of the same length."""
    if len(low) == 1:
        return [_digit(low, high)]
    if low[1:].strip("0") == "" and high[1:].strip("9") == "":
        return [f"{_digit(low[0], high[0])} [0-9]{{{len(low) - 1}}}"]
    if low[0] == high[0]:
        return [f"{_literal(low[0])} {part}" for part in _same_length(low[1:], high[1:])]
    rest = len(low) - 1
    first_digit, last_digit = int(low[0]), int(high[0])
    parts = [f"{_literal(low[0])} {part}" for part in _same_length(low[1:], "9" * rest)]
    if first_digit + 1 <= last_digit - 1:
        parts.append(f"{_digit(str(first_digit + 1), str(last_digit - 1))} [0-9]{{{rest}}}")
    return parts + [f"{_literal(high[0])} {part}" for part in _same_length("0" * rest, high[1:])]


def _digit(low: str, high: str) -> str:
    return _literal(low) if low == high else f"[{low}-{high}]"


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' | '.join(parts)})"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
