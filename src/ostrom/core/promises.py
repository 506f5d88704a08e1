"""Detection of promises: the contribution that a seat announces for this round. The game determines whether the promise
was kept.

Messages are English prose. They are matched by regular expressions that favour precision over recall. A sentence is a
promise if its speaker states an amount for its own contribution: in the first person ("I'll contribute $10", "I'm
putting in 15 tokens", "I'm in for $5", "I'll maintain my $10 contribution"), without a subject at the beginning of the
sentence ("Contributing $10 again.", "Sticking with $15", "All in with $55!", "My contribution: $10"), or as everything
("I will give everything", "my full balance", "all my tokens", "I'm going all in").

These are not promises:

- conditional statements ("I'll contribute $10 if everyone does", unless, as long as, provided);
- proposals and demands ("let's all contribute $10", "I propose $10 each", "contribute $10 or be punished");
- statements about others, the past ("I contributed $10") and later rounds ("$20 next round");
- upper bounds ("up to $10") and spending on punishment ("I'll commit $5 to punish P2");
- zero ("I'll contribute $0"), which would always be kept;
- amounts without a number ("generously", "fully", "half", "the same as before"); "half ($17)" counts as 17.

If a message has several amounts, the first counts; of a range, the lower end counts. "My full amount" means everything
that the seat holds. Irony and unknown forms of negation are not recognised.

Validation with 28,789 messages of language models: of 120 random matches, 118 promised exactly that amount; the
patterns now exclude the other two. Of 80 random first-person sentences with an amount and no match, 5 were promises;
the patterns now match two of them."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

_SENTENCES = re.compile(r"(?<=[.!?;])[\"')]*\s+|\n+|—|–| - ")
_AMOUNT_WORD = re.compile(r"\d|everything|\ball\b|full|entire|whole|total")

_HOLDINGS = r"(?:balance|amounts?|funds?|tokens|holdings|stake|endowment|money|wealth|capital|savings|resources)"
_NUMBER = (
    r"\$\s?(?P<dollars>\d+(?:,\d{3})*)(?!\d|%)"
    r"|(?P<tokens>\d+(?:,\d{3})*)\s(?:tokens?|dollars?|coins?|bucks)\b"
)
_EVERYTHING = (
    r"(?P<everything>everything(?! (?:in|that|to|fair|possible))|all[- ]in\b|100%|all (?:that )?i(?:'ve got| have)"
    r"|(?:all (?:of )?my|(?:my|the) (?:full|entire|whole|total)(?: (?:current|remaining|available|starting))?) "
    rf"{_HOLDINGS}\b)"
)
_AMOUNT = rf"(?:{_NUMBER}|{_EVERYTHING})"
_BEFORE_AMOUNT = (
    r"(?:(?:at least|no less than|(?:a |an )?full|a fair|about|around|roughly|approximately|exactly|another|the|a|an"
    r"|my|our|same|usual|fair|steady|agreed|all|entire|whole|remaining|of|just|only|≥|>=|~)\s*)*"
)

_SPEAKER = re.compile(r"\b(?:i'll|i will|i'm|i am|i shall|i)\b")
_VERB = (
    r"(?:contribut(?:e|ing)|giv(?:e|ing)|put(?:ting)?(?: in| up)?|invest(?:ing)?|add(?:ing)?"
    r"|commit(?:ted|ting)?(?: to)?|pledg(?:e|ing)|pay(?:ing)?(?: in)?|pitch(?:ing)? in|chip(?:ping)? in"
    r"|stick(?:ing)? (?:with|to|at)|stay(?:ing)? (?:at|with)|continue|continuing|maintain(?:ing)?|match(?:ing)?"
    r"|go(?:ing)?|in (?:for|with|at)|start(?:ing)?(?: with)?|repeat(?:ing)?|keep(?:ing)? (?:my|the|our)|contribution"
    r"|hold(?:ing)? (?:at|to|steady at)|lead(?:ing)? (?:by example )?with|be(?: in)?(?: for| at))"
)
# Only a few words may be between speaker, verb and amount. None of these words may change the subject or the purpose.
_FIRST_PERSON = re.compile(
    rf"(?P<lead>(?:\s+[\w'-]+,?){{0,8}}?)\s+{_VERB}(?P<gap>(?:,?\s+[\w'-]+){{0,5}}?)\s*[(:,]?\s*(?:at )?"
    rf"{_BEFORE_AMOUNT}(?:{_AMOUNT}|(?:(?<=contribute )|(?<=contribute all ))(?P<plain>\d+)(?!\s*%|\d|/| of\b))"
)
_NO_SUBJECT = re.compile(
    r"^[\"'(]*(?:(?:round \d+|agreed|again|same plan|final round|yes|great|ok|okay)[:,!]\s*)?"
    r"(?P<lead>(?:(?:still|again|also|happily|gladly|once again|once more)\s+)?)"
    r"(?:contributing|giving|putting in|investing|adding|committing(?: to)?|committed to|pledging"
    r"|continuing(?: with| to contribute| at| to)?|sticking (?:with|to)|staying (?:at|with)|maintaining|matching"
    r"|in (?:for|with)|going|count me in (?:for|with|at)|expect my|will contribute|(?=all[- ]in\b)"
    r"|my contribution(?: this round)?(?: is| will be| stays(?: at)?| remains(?: at)?|:))"
    rf"(?P<gap>(?:\s+(?!contributions\b)[\w'-]+){{0,3}}?)\s*[(:,]?\s*{_BEFORE_AMOUNT}{_AMOUNT}"
)

_CONDITION = re.compile(
    r"\b(?:if|unless|provided|as long as|so long as|assuming|would|in case|whenever|only when"
    r"|(?:once|when) (?:everyone|all|others|you|p\d))\b|\?"
)
_OTHER_SUBJECT = re.compile(
    r"\b(?:not|never|cannot|nearly|maybe|perhaps|support\w*|punish\w*|penal\w*|retaliat\w*|target\w*|spend\w*|reward\w*|avoid\w*|reduc\w*|lower\w*"
    r"|everyone|everybody|anyone|others|those|who|whoever|you|your|we|us|they|their|p\d|players?|group|each|free-riders?"
    r"|let's|suggest\w*|propos\w*|urge\w*|expect\w*|hop(?:e|ing)|recommend\w*|encourag\w*|ask\w*|want|need|see|saw"
    r"|notic\w*|think|believe|say|would|could|might|may|should|must|until|after|when|than|less|under|below|up to|max"
    r"|maximum|most|minimum|above|over|beyond|threshold|last|next|previous|leader|ahead|i|i'll|i'm|but|was|were|been"
    r"|contributed|gave|from|keeping|reach\w*|total|pot of|back)\b|n't\b"
)
_UNDONE_AFTERWARDS = re.compile(
    r"^(?:\+|\s)*(?:more|less|extra|each\b(?! round)|apiece|per player|from (?:each|every|all)|threshold"
    r"|(?:to|on|in|into|for|as|of)?\s*(?:the )?(?:punish|penal|sanction)|(?:\w+ ){0,3}to punish"
    r"|minimum (?:from|for)|or (?:less|more|face|\$0))"
    r"|\b(?:next|future|coming|following|subsequent) rounds?\b"
)
# "Contributing $10 ensures gains" is about the game; "Contributing $10 again" is about the speaker.
_STATEMENT = re.compile(
    r"^[^.!;]*\b(?:will|is|are|was|were|has|have|can|could|would|should|must|we|our|all|each|everyone|let's|contributions"
    r"|ensures?|maximi[sz]es?|benefits?|keeps?|helps?|makes?|works?|worked|leads?|builds?|seems?|remains?|gives?|yields?"
    r"|grows?|returns?|costs?|strengthens?|sustains?|supports?|maintains?|brings?|creates?|shows?|proves?|proven?"
    r"|guarantees?)\b"
)
_NUMBER_AFTER_EVERYTHING = re.compile(r"^[^.!;]{0,12}?\$\s?(\d+(?:,\d{3})*)")


KEPT: Final = "kept"
BROKEN: Final = "broken"
"""`KEPT` and `BROKEN` are the labels of messages with a promise. These messages have the details `promised` and
`contributed`."""


class Promise(NamedTuple):
    """The promise of a message."""

    amount: int | None
    """The promised amount in tokens; None if the seat promises everything it holds."""


@lru_cache(maxsize=1 << 16)
def promise_in(text: str) -> Promise | None:
    """Return the first promise of a message, or None."""
    for sentence in _SENTENCES.split(text.replace("’", "'").lower()):
        if not _AMOUNT_WORD.search(sentence) or _CONDITION.search(sentence):
            continue
        match = _first_person(sentence) or _without_subject(sentence)
        if match is None:
            continue
        words = match.groupdict()
        number = words["dollars"] or words["tokens"] or words.get("plain")
        if number is None:
            number_after = _NUMBER_AFTER_EVERYTHING.search(sentence[match.end() :])
            number = number_after[1] if number_after else None
        if number is None:
            return Promise(None)
        if amount := int(number.replace(",", "")):
            return Promise(amount)
    return None


def _first_person(sentence: str) -> re.Match[str] | None:
    for speaker in _SPEAKER.finditer(sentence):
        match = _FIRST_PERSON.match(sentence, speaker.end())
        if match and _is_own(match, sentence):
            return match
    return None


def _without_subject(sentence: str) -> re.Match[str] | None:
    match = _NO_SUBJECT.match(sentence)
    if match and _is_own(match, sentence) and not _STATEMENT.search(sentence[match.end() :]):
        return match
    return None


def _is_own(match: re.Match[str], sentence: str) -> bool:
    return not (
        _OTHER_SUBJECT.search(match["lead"])
        or _OTHER_SUBJECT.search(match["gap"])
        or _UNDONE_AFTERWARDS.search(sentence[match.end() :])
    )
