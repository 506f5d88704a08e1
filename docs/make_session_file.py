"""Fill in the tables of docs/session-file.md from the models of a session file: `python docs/make_session_file.py`."""

import re
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AwareDatetime, BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from ostrom.experiment.session.file_parts import (
    Consent,
    PanelOutcome,
    ParticipantPanel,
    Recording,
    SessionGame,
    SessionPages,
    SessionPayment,
    SessionSettings,
    Treatment,
    TreatmentGame,
)
from ostrom.experiment.session.file_questions import Belief, BeliefPay, QuestionnaireQuestion, Quiz, QuizQuestion

PAGE = Path(__file__).parent / "session-file.md"
PARTS: dict[str, type[BaseModel]] = {
    "[session]": SessionSettings,
    "[panel]": ParticipantPanel,
    "[panel.outcomes.NAME]": PanelOutcome,
    "[pages]": SessionPages,
    "[consent]": Consent,
    "[recording]": Recording,
    "[quiz]": Quiz,
    "[[quiz.questions]]": QuizQuestion,
    "[[treatments]]": Treatment,
    "[treatments.games.NAME]": TreatmentGame,
    "[[games]]": SessionGame,
    "[[beliefs]]": Belief,
    "pay of a belief": BeliefPay,
    "[[questionnaire]]": QuestionnaireQuestion,
    "[payment]": SessionPayment,
}
SIMPLE = {int: "whole number", float: "number", str: "text", bool: "true or false"}


def form_of(annotation: Any) -> str:
    """Return the form of a field's values in words."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return form_of(arguments[0])
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in (Union, UnionType):
        return " or ".join(form_of(one) for one in arguments if one is not NoneType)
    if origin is tuple:
        return f"list of {form_of(arguments[0])}s"
    if annotation in SIMPLE:
        return SIMPLE[annotation]
    return "time" if annotation is AwareDatetime else "table"


def default_of(field: FieldInfo) -> str:
    """Return the default of a field as written in TOML."""
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return "needed"
    if value in (None, "", (), {}):
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def table(model: type[BaseModel]) -> str:
    """Return the fields of a table of the file."""
    lines = ["| field | values | default | meaning |", "|---|---|---|---|"]
    for name, field in model.model_fields.items():
        meaning = " ".join((field.description or "").split())
        form = "text or a file" if name == "words" else form_of(field.annotation)
        lines.append(f"| `{name}` | {form} | {default_of(field)} | {meaning} |")
    return "\n".join(lines)


def filled(page: str) -> str:
    """Return the page with all tables."""
    for name, model in PARTS.items():
        pattern = rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)"
        content = table(model)
        page, count = re.subn(
            pattern, lambda place, text=content: f"{place[1]}{text}\n{place[2]}", page, flags=re.DOTALL
        )
        if not count:
            raise SystemExit(f"{PAGE} has no place for the table {name!r}")
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
