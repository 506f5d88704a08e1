"""Checks of prompts. In every wording, prompts must be short enough, must not contain remains of templates, and must
quote the texts of other players."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, pairwise, takewhile
from typing import Final

from ostrom.core import GameChance, Question
from ostrom.players.models.briefing import Briefing, ConversationalBriefing, PlainBriefing, briefing_for
from ostrom.players.models.fields import schema_of
from ostrom.players.models.framing import SEAT_FIRST, SHARED_FIRST, Framing
from ostrom.players.models.prompting import (
    SEPARATOR,
    form_section,
    listed,
    past_text,
    question_text,
    rules_text,
    variants_of,
)
from ostrom.testing.conformance.case import Case, CaseGame, Check

MAX_CHARACTERS = 60_000
"""The largest number of characters of a prompt. A longer prompt is assumed to grow without limit."""
_LEFTOVERS = re.compile(
    r"\{\{|\{%|%\}|<function|<[\w.]+ object at 0x|(?<=[\w,(\[:=] )None\b|\bnan\b|\bUndefined\b|\n{4,}"
)
_WORD = re.compile(r"\w+(?:[.,]\w+)*")
MAX_SHARED_STEPS: Final = 40
"""The number of steps whose shared text is compared."""
_QUESTIONS_PER_END = 2
"""The prompts of this number of first questions and of last questions are checked in each phase."""


def check_prompts(case: Case) -> Iterator[str]:
    """Check the prompts, their unit and the answer fields in every wording."""
    briefing = briefing_for(case.game)
    yield from _unit_faults(case, briefing)
    for variant in variants_of(briefing):
        for question in _questions(case.played):
            for line in _prompt_faults(case, briefing, question, variant):
                yield f"in the wording {variant!r}, the {question.phase}: {line}"
    for question in _questions(case.played)[:3]:
        fields = briefing.form(question, _framing(briefing, "plain"), GameChance(case.seed))
        names = [field.name for field in fields]
        if len(set(names)) < len(names) or not all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names):
            yield f"the fields of the {question.phase} are called {names}; names must differ and be lower-case letters"
        schema_of(fields)


def _unit_faults(case: Case, briefing: Briefing) -> Iterator[str]:
    """Yield a fault if prompts are in another unit than the game. A briefing may declare another unit if its prompts
    explain it in terms of the game's unit: capital is counted in tokens."""
    unit = case.game.unit
    if not unit or briefing.unit == unit:
        return
    own_classes = takewhile(lambda kind: kind is not Briefing, type(briefing).__mro__)
    is_declared = any("unit" in vars(owner) for owner in (briefing, *own_classes))
    questions = [(question, variant) for variant in variants_of(briefing) for question in _questions(case.played)]
    texts = (_prompt_text(case, briefing, question, _framing(briefing, variant)) for question, variant in questions)
    if not is_declared or not any(re.search(rf"\b{re.escape(unit)}\b", text, re.IGNORECASE) for text in texts):
        name = type(briefing).__name__
        yield f"amounts are in {briefing.unit}, and the game's unit is {unit}: set `unit` of {name} to {unit!r}"


def check_hostile_prompts(case: Case) -> Iterator[str]:
    """Check that other players' texts are quoted in one line, without tags, templates or control characters."""
    briefing = briefing_for(case.game)
    for variant in variants_of(briefing):
        for question in _questions(case.hostile):
            text = _prompt_text(case, briefing, question, _framing(briefing, variant))
            where = f"in the wording {variant!r}, the {question.phase}"
            if str(31337 * 31337) in text:
                yield f"{where}: a template in a player's text was executed"
            if re.search(r"</?(script|message|harvest)>|\{\{ 31337|\{% for x", text):
                yield f"{where}: tags or templates of a player's text are in the prompt; use the filter `quoted`"
            if any(
                unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and letter != "\n" for letter in text
            ):
                yield f"{where}: control characters of a player's text are in the prompt; use the filter `quoted`"
            if len(text) > MAX_CHARACTERS:
                yield f"{where}: a long text of a player makes a prompt of {len(text):,} characters; use `quoted`"


def check_shared_prompts(case: Case) -> Iterator[str]:
    """Check that in layout 2, prompts begin with the parts that all seats share. The rules must be the same for all
    seats and games. The public past must be the same for all seats, and must grow only at its end."""
    briefing = briefing_for(case.game)
    for variant in variants_of(briefing):
        where = f"in the wording {variant!r} and layout 2"
        framing = replace(_framing(briefing, variant), layout=SHARED_FIRST)
        steps = [step for step in case.played.steps if step][:MAX_SHARED_STEPS]
        chances = (GameChance(case.seed), GameChance(case.seed + 1))
        rules = {rules_text(briefing, question, framing, chance) for chance in chances for question in chain(*steps)}
        if len(rules) > 1:
            yield f"{where}, the rules differ between seats or games: put what a seat alone is told into the question"
        pasts = [{past_text(briefing, question, framing, chances[0]) for question in step} for step in steps]
        if any(len(past) > 1 for past in pasts):
            yield f"{where}, the past differs between seats: `past` must leave out what only one seat may know"
        if isinstance(briefing, ConversationalBriefing):
            continue
        texts = [SEPARATOR.join(next(iter(past))) for past in pasts]
        if sum(not text.startswith(before) for before, text in pairwise(texts)) > len(texts) // 5:
            yield f"{where}, the past changes with every step: `past` must only add text at its end"


def check_past_in_layout_1(case: Case) -> Iterator[str]:
    """Check that in layout 1, templates show the past, which precedes the question in layout 2. A template omits it if
    none of the words and figures that the past gains during the game, and that only the past has in layout 2, is in any
    prompt of layout 1."""
    briefing = briefing_for(case.game)
    if isinstance(briefing, ConversationalBriefing):
        return
    steps = [step for step in case.played.steps if step][:MAX_SHARED_STEPS]
    for variant in variants_of(briefing):
        shows_past: dict[str, bool] = {}
        at_start: set[str] | None = None
        for question in chain(*steps):
            before, text = _words_by_part(case, briefing, question, variant, layout=SHARED_FIRST)
            at_start = before if at_start is None else at_start
            if added := before - text - at_start:
                shown = set().union(*_words_by_part(case, briefing, question, variant, layout=SEAT_FIRST))
                shows_past[question.phase] = shows_past.get(question.phase, False) or not added.isdisjoint(shown)
        phases = [phase for phase, shows in shows_past.items() if not shows]
        if phases:
            yield (
                f"in the wording {variant!r} and layout 1, which people read, prompts for {listed(phases)} have "
                "nothing of the past that `past` returns: show it in templates if framing.layout == 1"
            )


def _words_by_part(
    case: Case, briefing: Briefing, question: Question, variant: str, *, layout: int
) -> tuple[set[str], set[str]]:
    """Return the words and figures of the past that precedes a question, and those of the rules and the question."""
    framing = replace(_framing(briefing, variant), layout=layout)
    past = past_text(briefing, question, framing, GameChance(case.seed))
    text = _prompt_text(case, briefing, question, framing)
    return set(_WORD.findall(SEPARATOR.join(past))), set(_WORD.findall(text))


def _questions(played: CaseGame) -> list[Question]:
    phases: dict[str, list[Question]] = {}
    for step in played.steps:
        for question in step:
            phases.setdefault(question.phase, []).append(question)
    selection = []
    for questions in phases.values():
        selection += (
            questions
            if len(questions) <= 2 * _QUESTIONS_PER_END
            else [*questions[:_QUESTIONS_PER_END], *questions[-_QUESTIONS_PER_END:]]
        )
    return selection


def _framing(briefing: Briefing, variant: str) -> Framing:
    return Framing(variant=variant, unit=briefing.unit)


def _prompt_text(case: Case, briefing: Briefing, question: Question, framing: Framing) -> str:
    """Return the rules and the question as text, without the form of the answer."""
    chance = GameChance(case.seed)
    rules = rules_text(briefing, question, framing, chance)
    return f"{rules}\n\n{question_text(briefing, question, framing, chance)}"


def _prompt_faults(case: Case, briefing: Briefing, question: Question, variant: str) -> Iterator[str]:
    text = _prompt_text(case, briefing, question, _framing(briefing, variant))
    fields = briefing.form(question, _framing(briefing, variant), GameChance(case.seed))
    if not fields:
        yield "no field is asked for"
    for form in ("tags", "native", "tool", "prompted"):
        form_section(fields, form, variant)
    if len(text) > MAX_CHARACTERS:
        yield f"the prompt has {len(text):,} characters; {MAX_CHARACTERS:,} are the most"
    plain = not isinstance(briefing, PlainBriefing)
    if plain and (leftover := _LEFTOVERS.search(text)) is not None:
        yield f"{leftover[0].strip() or 'a gap'!r} is left over in the prompt"


PROMPT_CHECKS: Final[Mapping[str, Check]] = {
    "prompts": check_prompts,
    "hostile text in prompts": check_hostile_prompts,
    "shared parts of prompts": check_shared_prompts,
    "past in prompts": check_past_in_layout_1,
}
