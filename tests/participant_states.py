"""States of a session's participant, one of each kind of page, as the server sends them to a browser."""

from collections.abc import Iterator
from typing import Any, Final

from ostrom.experiment.session.words import words_of

HOSTILE: Final = "<img src=x onerror=alert(1)> <script>alert(2)</script> {who} naïve, 日本語, \u202eesrever"
"""A text of a person that would do harm if it were not shown as text."""

_TEXTS: Final = {
    "en": {
        "title": "Voluntary contributions",
        "welcome": "<p>Welcome, and thank you for coming. This study takes about <strong>20 minutes</strong>.</p>"
        "<ul><li>Please do not talk to others.</li><li>You may leave at any time.</li></ul>",
        "instructions": "<p>You are in a group of four. In each of 10 rounds you receive 20 tokens.</p>"
        "<h2>Your decision</h2><p>You decide how many tokens you contribute to a project.</p>"
        "<table><tr><th>Sum</th><th>For each</th></tr><tr><td>40</td><td>16</td></tr></table>",
        "quiz": "All four give 20 tokens. How much does each earn?",
        "why": "Because 80 times 0.4 is 32.",
        "second": "Nobody gives anything. How much does each earn?",
        "belief": "What will the others give on average?",
        "rule": "You earn 2 points, less 0.1 for each token by which you are wrong, and at least 0.",
        "scale": "How fair was your group?",
        "low": "not fair at all",
        "high": "very fair",
        "choice": "Your field of study",
        "choices": "Economics|Another social science|Natural sciences or engineering|None of these",
        "number": "Your age",
        "text": "What did you try to achieve?",
        "line": "Taking part|Game 1|Rounding",
        "asked": "Round 2\n- gave in this round: P1 12, P2 20, P3 0, P4 7\n\nNow: round 3\n- you hold 20 tokens\n\n"
        "How many tokens do you contribute?",
        "draw": "One of the games 1, 2 is paid. Draw: the SHA-256 of the text “42|s-1|7” is 5feceb66ffc86f38d952786c6d"
        "696c79c2dbc239dd4e91b46729d73a27fb57e9; divided by 2 it has the remainder 1, so game 2 is paid.",
        "done": "You have finished the study.",
        "notice": "The break ends in five minutes.",
    },
    "de": {
        "title": "Freiwillige Beiträge",
        "welcome": "<p>Willkommen, und vielen Dank für Ihr Kommen. Diese Studie dauert etwa "
        "<strong>20 Minuten</strong>.</p><ul><li>Bitte sprechen Sie nicht mit anderen.</li>"
        "<li>Sie können jederzeit gehen.</li></ul>",
        "instructions": "<p>Sie sind in einer Gruppe von vier Personen. In jeder von 10 Runden erhalten Sie 20 "
        "Taler.</p>"
        "<h2>Ihre Entscheidung</h2><p>Sie entscheiden, wie viele Taler Sie zu einem Projekt beitragen.</p>"
        "<table><tr><th>Summe</th><th>Für jede Person</th></tr><tr><td>40</td><td>16</td></tr></table>",
        "quiz": "Alle vier geben 20 Taler. Wie viel verdient jede Person?",
        "why": "Denn 80 mal 0,4 ist 32.",
        "second": "Niemand gibt etwas. Wie viel verdient jede Person?",
        "belief": "Was werden die anderen im Durchschnitt geben?",
        "rule": "Sie erhalten 2 Punkte, abzüglich 0,1 für jeden Taler, um den Sie sich irren, und mindestens 0.",
        "scale": "Wie gerecht war Ihre Gruppe?",
        "low": "überhaupt nicht gerecht",
        "high": "sehr gerecht",
        "choice": "Ihr Studienfach",
        "choices": "Volkswirtschaftslehre|Eine andere Sozialwissenschaft"
        "|Natur- oder Ingenieurwissenschaften|Keines davon",
        "number": "Ihr Alter",
        "text": "Was wollten Sie erreichen?",
        "line": "Teilnahme|Spiel 1|Rundung",
        "asked": "Runde 2\n- gaben in dieser Runde: P1 12, P2 20, P3 0, P4 7\n\n"
        "Jetzt: Runde 3\n- Sie haben 20 Taler\n\nWie viele Taler tragen Sie bei?",
        "draw": "Eines der Spiele 1, 2 wird ausgezahlt. Der SHA-256-Wert des Textes „42|s-1|7“ ist 5feceb66ffc86f38d952"
        "786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9; geteilt durch 2 bleibt der Rest 1, also zählt Spiel 2.",
        "done": "Sie haben die Studie abgeschlossen.",
        "notice": "Die Pause endet in fünf Minuten.",
    },
}
LANGUAGES: Final = tuple(_TEXTS)


def door(language: str, **changes: Any) -> dict[str, Any]:
    """The reply about the door of a session."""
    texts = _TEXTS[language]
    return {
        **{"title": texts["title"], "language": language, "words": dict(words_of(language)), "join": "code"},
        **{"asks_label": False, "parameters": [], "open": True},
        **changes,
    }


def state(language: str, page: dict[str, Any], version: int = 1, **changes: Any) -> dict[str, Any]:
    """The state of a participant with this page open."""
    return {
        "version": version,
        "session": {"title": _TEXTS[language]["title"], "language": language},
        "participant": "person-07",
        "label": None,
        "progress": {"step": 3, "steps": 9},
        "connected_elsewhere": False,
        "notice": None,
        "paused": False,
        "traces": False,
        "instructions": _TEXTS[language]["instructions"],
        "page": page,
        **changes,
    }


def states(language: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """One state of each kind of page, with its name."""
    texts = _TEXTS[language]
    for name, page in _pages(texts):
        yield name, state(language, page)
    lobby = dict(_pages(texts))["lobby"]
    everything = {"notice": texts["notice"], "paused": True, "connected_elsewhere": True, "label": HOSTILE}
    yield "notices", state(language, lobby, **everything)


def _pages(texts: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("welcome", "instructions"):
        yield name, {"kind": "text", "name": name, "title": "", "text": texts[name], "game": None}
    yield "consent", {"kind": "consent", "text": texts["welcome"], "version": "1", "required": True}
    yield "quiz", {"kind": "quiz", "attempts_left": 2, "questions": _quiz(texts)}
    yield "lobby", _lobby()
    yield "game", _game(texts, asked=True)
    yield "decided", _game(texts, asked=False)
    yield "waiting", {"kind": "waiting", "reason": ""}
    yield (
        "belief",
        {
            **{"kind": "belief", "name": "b1", "text": f"<p>{texts['belief']}</p>", "minimum": 0, "maximum": 20},
            **{"unit": "", "rule": texts["rule"]},
        },
    )
    yield (
        "results",
        {"kind": "results", "title": texts["title"], "practice": True, "points": 24.5, "result": _result()},
    )
    yield "questionnaire", {"kind": "questionnaire", "questions": _survey(texts)}
    yield "payment", _payment(texts)
    outcome = {"kind": "outcome", "outcome": "done", "text": texts["done"], "code": "C1ABC"}
    yield "outcome", {**outcome, "address": "https://panel.example.org/done", "total": "9.40", "currency": "EUR"}


def _quiz(texts: dict[str, str]) -> list[dict[str, Any]]:
    shared = {"minimum": None, "maximum": None}
    return [
        {
            **{"name": "q1", "text": texts["quiz"], "type": "choice", "choices": ["20", "32", "80"]},
            **{"state": "wrong", "feedback": texts["why"], **shared},
        },
        {
            **{"name": "q2", "text": texts["second"], "type": "number", "choices": []},
            **{"state": "right", "feedback": None, **shared},
        },
    ]


def _lobby() -> dict[str, Any]:
    chat = [{"who": "person-03", "text": HOSTILE, "you": False}, {"who": "person-07", "text": "Hello", "you": True}]
    return {
        **{"kind": "lobby", "people": 7, "needed": 20, "starts": "host", "waits_s": 754.0},
        **{"chat": chat, "may_chat": True},
    }


def _game(texts: dict[str, str], asked: bool) -> dict[str, Any]:
    schema = {"contribution": {"type": "integer", "minimum": 0, "maximum": 20}}
    question = {
        **{"id": "3-contribution", "turn": 3, "phase": "contribution", "text": texts["asked"], "earlier": []},
        **{"form": [], "answer": {"type": "object", "properties": schema}, "limit": 60.0, "left": 47.0},
        "refused": None,
    }
    seat = {
        **{"state": "asked" if asked else "waiting", "version": 5, "game": "x", "clock": "round", "unit": "tokens"},
        **{"title": texts["title"], "label": "P1", "seats": 4, "progress": None, "rules": "", "missed": 0},
        **{"question": question if asked else None, "decided": ["1: 12", "2: 7"], "result": None, "reason": None},
    }
    return {"kind": "game", "practice": True, "title": texts["title"], "label": "P1", "seats": 4, "seat": seat}


def _result() -> dict[str, Any]:
    finals = (28.0, 24.5, 24.5, 12.0)
    standings = [
        {
            **{"seat": seat, "label": f"P{seat + 1}", "player": "human:person-07", "final": final},
            **{"rank": (1.0, 2.5, 2.5, 4.0)[seat], "you": seat == 1},
        }
        for seat, final in enumerate(finals)
    ]
    return {"unit": "tokens", "standings": standings, "columns": [], "story": []}


def _survey(texts: dict[str, str]) -> list[dict[str, Any]]:
    shared = {"choices": [], "steps": None, "low": None, "high": None, "minimum": None, "maximum": None}
    return [
        {**shared, "name": "age", "text": texts["number"], "type": "number", "minimum": 16, "maximum": 99}
        | {"required": True},
        {**shared, "name": "fair", "text": texts["scale"], "type": "scale", "steps": 7, "required": True}
        | {"low": texts["low"], "high": texts["high"]},
        {**shared, "name": "field", "text": texts["choice"], "type": "choice", "required": True}
        | {"choices": texts["choices"].split("|")},
        {**shared, "name": "aim", "text": texts["text"], "type": "text", "required": False},
    ]


def _payment(texts: dict[str, str]) -> dict[str, Any]:
    amounts = ((None, "3.00"), (126.0, "6.30"), (None, "0.10"))
    lines = [
        {"words": words, "points": points, "amount": amount}
        for words, (points, amount) in zip(texts["line"].split("|"), amounts, strict=True)
    ]
    payment = {"kind": "payment", "currency": "EUR", "lines": lines, "total": "9.40", "code": "K7QX2M"}
    return {**payment, "draw": {"words": texts["draw"]}}
