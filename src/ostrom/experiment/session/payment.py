"""Payments: points become money at the file's rate, all games count or one is drawn, and the total is rounded.

Amounts are computed with decimal numbers, so the lines of a payment add up to its total exactly."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

from ostrom.experiment.session.entries import Drawn, Outcome, Paid
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import SessionPayment
from ostrom.experiment.session.participants import Participant, participant_name
from ostrom.experiment.session.state import SessionState
from ostrom.experiment.session.words import Words, phrase

_POINT_DECIMALS: Final = 9
"""The decimals to which points are rounded first, so that an error in the last bit of a sum is not rounded up."""
_CENT: Final = Decimal("0.01")
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 8
WITH_FEE: Final[tuple[Outcome, ...]] = ("done", "timed_out", "ended")
"""The outcomes with which the participation fee is paid. People who were replaced keep what they earned, with the
fee."""


class AmountLine(NamedTuple):
    """A line of a payment."""

    words: str
    amount: Decimal
    points: float | None = None

    def as_json(self) -> dict[str, str | float | None]:
        """Return the line as it is stored; the amount is a text with a decimal number."""
        return {"words": self.words, "points": self.points, "amount": format_amount(self.amount)}


class Draw(NamedTuple):
    """The published draw of the game that is paid."""

    game: str
    words: str


class Payment(NamedTuple):
    """The payment of a participant."""

    lines: tuple[AmountLine, ...]
    total: Decimal
    draw: Draw | None = None

    def entries(self, participant: int, code: str) -> list[Drawn | Paid]:
        """Return the entries that store the payment. `code` identifies it for the participant and the host."""
        lines = [line.as_json() for line in self.lines]
        paid = Paid(participant=participant, lines=list(lines), total=format_amount(self.total), code=code)
        if self.draw is None:
            return [paid]
        return [Drawn(participant=participant, game=self.draw.game, words=self.draw.words), paid]


def payment_of(state: SessionState, participant: int, *, session: str, seed: int) -> Payment | None:
    """Return the payment of a participant, or None if the session pays nothing. `session` is the id of the session, on
    which the draw depends."""
    file, person = state.file, state.participants[participant]
    if file.payment is None:
        return None
    terms, words = file.payment, file.words
    outcome: Outcome = person.outcome or "done"
    lines: list[AmountLine] = []
    if outcome == "unmatched":
        lines.append(AmountLine(phrase(words, "payment.release"), _money(terms.release)))
    elif outcome in WITH_FEE:
        lines.append(AmountLine(phrase(words, "payment.participation"), _money(terms.participation)))
    earned = {name: points for name, points in points_by_game(state, person).items() if file.game(name).counts}
    draw = None
    if terms.counts == "one" and earned:
        draw = draw_game(list(earned), session=session, seed=seed, participant=participant, words=words)
        earned = {draw.game: earned[draw.game]}
    titles = game_titles(file)
    lines += [_points_line(phrase(words, "payment.game", game=titles[name]), earned[name], terms) for name in earned]
    if person.belief_points:
        lines.append(_points_line(phrase(words, "payment.beliefs"), sum(person.belief_points.values()), terms))
    return _summed(lines, terms, words, least=outcome in WITH_FEE, draw=draw)


def points_by_game(state: SessionState, person: Participant) -> dict[str, float]:
    """Return the points of a participant in each game of which a table ended, without practice tables. The points of a
    replaced participant are those until the replacement."""
    points: dict[str, float] = {}
    for game in state.file.games:
        tables = [state.tables[key] for key in person.tables]
        own = [table for table in tables if table.group.game == game.name and not table.group.practice]
        earned = [person.points[table.group.key] for table in own if table.group.key in person.points]
        if earned:
            points[game.name] = sum(earned)
    return points


def draw_game(games: Sequence[str], *, session: str, seed: int, participant: int, words: Words) -> Draw:
    """Draw the game that is paid. Anybody can recompute the draw with the sentence in `words`."""
    text = f"{seed} {session} {participant_name(participant)}"
    digest = hashlib.sha256(text.encode()).hexdigest()
    place = int(digest, 16) % len(games)
    values: Mapping[str, object] = {
        "text": text,
        "digest": digest,
        "count": len(games),
        "rest": place,
        "games": ", ".join(games),
        "game": games[place],
    }
    return Draw(games[place], phrase(words, "payment.draw", **values))


def game_titles(file: SessionFile) -> dict[str, str]:
    """Return the title of each game of a session. Games with equal titles also have their names."""
    titles = {game.name: file.title_of(game) for game in file.games}
    ambiguous = {title for title in titles.values() if list(titles.values()).count(title) > 1}
    return {name: f"{title} ({name})" if title in ambiguous else title for name, title in titles.items()}


def new_payment_code() -> str:
    """Return a random code, which cannot be computed from the published draw."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def format_amount(amount: Decimal) -> str:
    """Return an amount of money as a decimal number with two decimals."""
    return f"{amount.quantize(_CENT, ROUND_HALF_UP):f}"


def rounded(amount: Decimal, step: Decimal, direction: str) -> Decimal:
    """Return an amount rounded to a multiple of `step`, up or to the nearest (halves up)."""
    mode = ROUND_CEILING if direction == "up" else ROUND_HALF_UP
    return (amount / step).quantize(Decimal(1), mode) * step


def _summed(lines: list[AmountLine], terms: SessionPayment, words: Words, *, least: bool, draw: Draw | None) -> Payment:
    exact = sum((line.amount for line in lines), Decimal(0))
    total = rounded(exact, _money(terms.rounding), terms.round_to)
    # Losses never become a debt: without a smallest payment, it is 0.
    floor = _money(terms.least) if least else Decimal(0)
    if total < floor:
        lines.append(AmountLine(phrase(words, "payment.least"), floor - exact))
        total = floor
    shown = [line._replace(amount=line.amount.quantize(_CENT, ROUND_HALF_UP)) for line in lines]
    rest = total - sum((line.amount for line in shown), Decimal(0))
    if rest:
        shown.append(AmountLine(phrase(words, "payment.rounding"), rest))
    return Payment(tuple(shown), total, draw)


def _points_line(words: str, points: float, terms: SessionPayment) -> AmountLine:
    exact = Decimal(str(round(points, _POINT_DECIMALS)))
    return AmountLine(words, exact * _money(terms.rate), round(points, _POINT_DECIMALS))


def _money(amount: float) -> Decimal:
    return Decimal(str(amount))
