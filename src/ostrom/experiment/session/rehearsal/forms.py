"""The forms of participants' pages as JSON schemas, and the words on a page, for those who rehearse a session."""

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any, Final

from ostrom.experiment.session.rehearsal.persons import PageForm

_TAG: Final = re.compile(r"<[^>]*>")


def plain_text(html: str) -> str:
    """Return the text of a page without its HTML tags."""
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def words_on(page: Mapping[str, Any]) -> int:
    """Return the number of words that a participant reads on a page."""
    return len(_readable(page).split())


def _readable(page: Mapping[str, Any]) -> str:
    match page["kind"]:
        case "text" | "consent" | "belief" | "outcome":
            return plain_text(page.get("text") or "")
        case "quiz" | "questionnaire":
            return " ".join(plain_text(question["text"]) for question in page["questions"])
        case "game":
            question = page["seat"]["question"]
            return "" if question is None else question["text"]
        case "results":
            return " ".join((page.get("result") or {}).get("story", []))
        case "payment":
            return " ".join(line["words"] for line in page["lines"])
        case _:
            return ""


def form_of(page: Mapping[str, Any], rejected: str | None = None) -> PageForm | None:
    """Return the form of a page, or None if the page has nothing to fill in."""
    match page["kind"]:
        case "quiz":
            open_ = [question for question in page["questions"] if question["state"] != "right"]
            return _survey("quiz", open_, rejected)
        case "questionnaire":
            return _survey("questionnaire", page["questions"], rejected)
        case "belief":
            shape = {"type": "number", "minimum": page["minimum"], "maximum": page["maximum"]}
            text = f"{plain_text(page['text'])} {page['unit']}\n{page['rule']}"
            return PageForm("belief", text, _schema({"value": shape}, ["value"]), rejected)
        case "game":
            question = page["seat"]["question"]
            if question is None:
                return None
            earlier = "\n".join(f"{'You' if line['you'] else 'Game'}: {line['text']}" for line in question["earlier"])
            text = "\n\n".join([page["seat"]["rules"], earlier, question["text"], "\n".join(question["form"])])
            return PageForm("game", text, question["answer"], rejected or question["refused"])
        case _:
            return None


def _survey(kind: str, questions: Sequence[Mapping[str, Any]], rejected: str | None) -> PageForm:
    texts = [_question_text(question) for question in questions]
    required = [question["name"] for question in questions if question.get("required", True)]
    shapes = {question["name"]: _shape(question) for question in questions}
    return PageForm(kind, "\n".join(texts), _schema(shapes, required), rejected)


def _question_text(question: Mapping[str, Any]) -> str:
    scale = f" (1: {question['low']}, {question['steps']}: {question['high']})" if question.get("steps") else ""
    feedback = f" [{question['feedback']}]" if question.get("feedback") else ""
    return f"{question['name']}: {plain_text(question['text'])}{scale}{feedback}"


def _shape(question: Mapping[str, Any]) -> dict[str, Any]:
    match question["type"]:
        case "choice":
            return {"type": "string", "enum": list(question["choices"])}
        case "scale":
            return {"type": "integer", "minimum": 1, "maximum": question["steps"]}
        case "number":
            bounds = {"minimum": question["minimum"], "maximum": question["maximum"]}
            return {"type": "number", **{name: value for name, value in bounds.items() if value is not None}}
        case _:
            return {"type": "string", "maxLength": 1000}


def _schema(properties: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
