"""The messages of a market in prompts: who wrote to whom, which past messages are shown, and the form in which a seat
writes its own."""

from collections.abc import Iterable, Sequence

from ostrom.core.spoken import removed_at_once
from ostrom.games.market.talk import ADDRESSED, ALL, HeardMessage, TalkRules, recipients
from ostrom.players.models.fields import AnswerField, ChoiceField, TextField
from ostrom.players.models.framing import SHARED_FIRST, Framing


def recipient_name(to: int | str, labels: Sequence[str], every: str) -> str:
    """Return the name of a recipient. `every` is the word for all seats, such as `all traders`."""
    if isinstance(to, int):
        return labels[to]
    return every if to == ALL else f"all {to}"


def said(message: HeardMessage, labels: Sequence[str], every: str) -> tuple[str, str, str]:
    """Return the sender, the recipient and the text of a message."""
    return labels[message.seat], recipient_name(message.to, labels, every), message.text


def is_shown(round_: int, rounds: int, window: int, framing: Framing) -> bool:
    """Return whether messages of a round are still shown after `rounds` rounds, if those of the last `window` rounds
    are. With the layout that caches of providers can serve, they are removed in larger portions."""
    removed = removed_at_once(rounds, window) if framing.layout == SHARED_FIRST else rounds - window
    return round_ > removed


def private_messages(messages: Iterable[HeardMessage], first: int) -> list[HeardMessage]:
    """Return the messages from round `first` on that are not to all seats."""
    return [message for message in messages if message.to != ALL and message.round >= first]


def message_form(
    rules: TalkRules, seat: int, labels: Sequence[str], every: str, sides: Sequence[str] = ()
) -> Sequence[AnswerField]:
    """Return the fields of a message."""
    if rules.messages != ADDRESSED:
        return (TextField("message", rules.message_words),)
    options = [(recipient_name(to, labels, every), to) for to in recipients(seat, len(labels), sides)]
    return (ChoiceField("to", tuple(options)), TextField("text", rules.message_words))
