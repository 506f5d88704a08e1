"""Detection of statements in which traders name their own private value or cost.

Messages are English prose. They are matched by regular expressions that favour precision over recall. A message states
the value of its sender if it names an exact amount after the speaker's own word for it: "my cost is 40", "my valuation
remains 90", "given my cost of 16", "at my 94 valuation", "I value it at 60", "it costs me 40", "it is worth 60 to me",
or, at the start of a sentence, "Cost 9." and "My value: 60". A buyer's words are value, valuation and worth, a seller's
are cost and costs; break-even and reservation price are words of both.

These are no statements of value:

- prices, offers and limits ("I bid 40", "my limit is 60", "I can't go above 60"), which are plans and not facts;
- bounds and approximations ("my cost is above 40", "about 40", "in the 40s", "40-45");
- conditional, hypothetical and negated sentences ("if my cost is 40", "my cost isn't 40");
- statements about the other side ("your cost is 40"), gains ("18 profit for me"), and quoted text.

If a message names several amounts, the first counts.

Validation with 9,403 messages of language models in PACT: of 50 random matches, all 50 stated exactly that amount. Of
50 random messages without a match that mention the speaker's value or cost and have a number, 3 stated an exact amount;
the patterns now match them."""

import re
from typing import Final

_ADJECTIVES: Final = (
    r"(?:private |true |actual |own |real |full |strict |low |high |break-?even |(?:per[- ])?unit |production )*"
)
_OWN_WORDS: Final = {
    "buyer": rf"{_ADJECTIVES}(?:valuation|value)",
    "seller": rf"{_ADJECTIVES}costs?",
}
_SHARED_WORDS: Final = rf"{_ADJECTIVES}(?:break[- ]?even(?: point| price)?|reservation (?:price|value))"
_LINK: Final = (
    r"(?:\s*(?:of|at|is|are|=|:|,|being|stays?(?: at)?|remains?(?: at)?|is still|is only|is just|is exactly|is actually"
    r"|is set at|is fixed at|is at)\s*|\s+)(?:only |just |exactly |still |actually |at )?"
)
_NUMBER: Final = (
    r"\$?(?P<{name}>\d+(?:,\d{{3}})*(?:\.\d+)?)(?!\.?\d|\s*(?:%|-\s?\d|–|s\b|to \d|or (?:more|less|so)|\+))"
)
_BEFORE: Final = re.compile(r"\b(?:if|suppose|assuming|unless|whether|pretend|imagine)\b[^,;.!?]*$")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+|—")
_QUOTATION: Final = re.compile(r"[\"“][^\"”]*[\"”]")


def _pattern(role: str) -> re.Pattern[str]:
    words = f"(?:{_OWN_WORDS[role]}|{_SHARED_WORDS})"
    own = {
        "buyer": (
            r"\bi value (?:it|this|(?:a|the|this|each) (?:unit|good)) at " + _NUMBER.format(name="phrase"),
            r"\b(?:it's|it is|unit is|good is) worth " + _NUMBER.format(name="worth") + r" to me\b",
            rf"\bi have an? {words} of " + _NUMBER.format(name="having"),
        ),
        "seller": (
            r"\b(?:it|a unit|each unit|the unit) costs me " + _NUMBER.format(name="phrase"),
            rf"\bi have an? {words} of " + _NUMBER.format(name="having"),
        ),
    }[role]
    alternatives = (
        rf"\bmy {words}{_LINK}{_NUMBER.format(name='after')}",
        rf"(?<![.\d])\$?(?P<first>\d+(?:\.\d+)?) is my {words}\b",
        rf"\bmy \$?(?P<before>\d+(?:\.\d+)?) {words}\b",
        rf"^{words}{_LINK}{_NUMBER.format(name='opening')}",
        *own,
    )
    return re.compile("|".join(alternatives), re.IGNORECASE)


_PATTERNS: Final = {role: _pattern(role) for role in _OWN_WORDS}


def stated_value(text: str, role: str) -> float | None:
    """Return the private value that the sender of a message, a buyer or a seller, states as its own. Return None if it
    states none."""
    for sentence in _SENTENCE_END.split(_QUOTATION.sub(" ", text.replace("’", "'").replace("**", ""))):
        match = _PATTERNS[role].search(sentence.strip())
        if match is not None and not _BEFORE.search(sentence.strip()[: match.start()].lower()):
            return float(next(number.replace(",", "") for number in match.groupdict().values() if number is not None))
    return None
